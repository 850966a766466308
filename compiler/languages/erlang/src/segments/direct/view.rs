//! Whole messages and single fields in one match: records right behind the root's pointer, as all writers place them.

use super::read::{own_halves, Source, Way};
use super::{upper_half, words};
use crate::code::{quote, Expr};
use crate::erl::{attempt, binary, bind, call, case_of, tuple, Callee, Clause};
use crate::gen::Gen;
use crate::segments::areas::Areas;
use crate::segments::decode::{pattern_of, Sizes};
use crate::segments::leaves::{Bits, Leaf};
use crate::segments::WORD;
use crate::slots::Floats;
use crate::variables::Numbered;
use aldis_plan::{Plan, SlotKind};
use aldis_schema::TypeId;

/// Bytes in front of the root record: the table and the root's pointer.
const HEAD: u32 = 16;
/// Words that any message may visit beyond its own: the least budget, `aldis_wire:budget/3`.
const FREE_WORDS: u32 = 262_144 / WORD;
/// Larger messages ask for room on the heap first.
const SMALL: &str = "byte_size(Bin) < 16#4000";
const ALONE: &str = "byte_size(Bin) =:= 8 * Words + 8";

/// The objects that a record leads to: so many texts and bytes, or more than these.
enum Reach {
    Texts(u32),
    Deep,
}

impl<'a> Gen<'a> {
    /// The clauses of `decode_M`; `read` is the long way's reader.
    pub(in crate::segments) fn whole_message(&mut self, plan: &'a Plan, id: TypeId, read: &Callee) -> Vec<Clause> {
        let long = format!("aldis_message:decode(framed, fun {read}/8, Bin)");
        let sizes = Sizes::of(plan, id);
        let slots = self.sections_slots(plan, id);
        let leaves = self.leaves(&slots);
        let mut reach = Reach::Texts(0);
        for leaf in &leaves {
            let deeper = match &leaf.slot.kind {
                SlotKind::Choice { .. } => true,
                SlotKind::Pointer { target } => {
                    !matches!(self.way(plan, target, &leaf.field.ty, &leaf.hint), Way::Shallow(_))
                }
                _ => continue,
            };
            reach = match reach {
                Reach::Texts(blobs) if !deeper => Reach::Texts(blobs + 1),
                _ => Reach::Deep,
            };
        }
        let own = self.direct_pattern(plan, &leaves, sizes);
        if let Reach::Texts(0) = reach {
            let mut pattern = head(&(words(sizes) + 1).to_string(), sizes);
            pattern.extend(own);
            let value = self.sections_value(&slots, Floats::Numbers);
            let clause = |pattern: &[Expr], rest: &str| {
                Clause::new([binary(pattern.to_vec())], [tuple([quote("ok"), value.clone(), quote(rest)])])
            };
            // With nothing behind the message none of it has to be cut off.
            let alone = clause(&pattern, "<<>>");
            pattern.push(quote("Rest/binary"));
            return vec![alone, clause(&pattern, "Rest"), Clause::new(["Bin"], [long])];
        }
        let mut pattern = head("Words", sizes);
        pattern.extend(own);
        pattern.push(quote("_/binary"));
        let source = Source { sizes, start: HEAD, halves: &own_halves };
        let (mut body, budget, charges) = self.direct_leaves(plan, &leaves, &source, "", Numbered::first("Budget"));
        if let Reach::Deep = reach {
            body.insert(0, quote(format!("Budget = byte_size(Bin) + {}", FREE_WORDS - words(sizes))));
            body.push(quote(format!("true = {budget}{charges} >= 0")));
        }
        body.push(tuple([quote("ok"), self.sections_value(&slots, Floats::Numbers), quote("<<>>")]));
        let clause = Clause::new([whole(pattern)], [attempt(body, long.as_str())]);
        match reach {
            // However often the texts overlap, they are within the budget.
            Reach::Texts(blobs) => {
                let fits = format!("{ALONE}, Words =< {}", FREE_WORDS / blobs);
                vec![clause.when(fits), Clause::new(["Bin"], [long])]
            }
            Reach::Deep => {
                let direct = self.direct_record(plan, id);
                let other = format!("aldis_direct:decode(fun {direct}/5, fun {read}/8, Bin)");
                vec![clause.when(format!("{ALONE}, {SMALL}")), Clause::new(["Bin"], [other])]
            }
        }
    }

    /// The clause of the function that reads one field.
    pub(in crate::segments) fn view_clause(
        &mut self,
        plan: &'a Plan,
        id: TypeId,
        field: u32,
        (long, default): (&Expr, Option<&Expr>),
    ) -> Option<Clause> {
        let sizes = Sizes::of(plan, id);
        let slots = plan.sections(id).map_or(&[][..], |(run, _)| &run.slots);
        let slot = slots.iter().find(|slot| slot.field == Some(field))?;
        let slots = self.slots_of(id, std::slice::from_ref(slot));
        let leaves = self.leaves(&slots);
        let [leaf] = leaves.as_slice() else { return None };
        let mut found = self.direct_numbers(&leaves);
        found.extend(self.pointers_of(plan, leaf).into_iter().map(|(at, _)| {
            let (low, high) = own_halves(leaf, at);
            (Bits { from: at * 8, to: (at + WORD) * 8 }, quote(format!("{low}:32/little, {high}:32/little")))
        }));
        if let SlotKind::Scalar(_) = leaf.slot.kind {
            let value = self.leaf_value(slots.named.first()?, Floats::Numbers);
            return Some(number_clause(found, sizes, tuple([quote("ok"), value])));
        }
        let mut pattern = head("Words", sizes);
        pattern.extend(pattern_of(found, (sizes.data + sizes.pointers * WORD) * 8));
        pattern.push(quote("_/binary"));
        let pattern = whole(pattern);
        let body = self.followed(plan, leaf, sizes, long, default)?;
        Some(Clause::new([pattern], [body]).when(format!("{ALONE}, {SMALL}")))
    }

    /// Follows the pointer of a single field, or reads its union.
    fn followed(
        &mut self,
        plan: &'a Plan,
        leaf: &Leaf<'a>,
        sizes: Sizes,
        long: &Expr,
        default: Option<&Expr>,
    ) -> Option<Expr> {
        let budget = &format!("byte_size(Bin) + {}", FREE_WORDS - words(sizes));
        let (call, clauses) = match &leaf.slot.kind {
            SlotKind::Choice { union, arms } => {
                let function = self.direct_choice(plan, *union, arms, sizes);
                let pointers = Areas::of(arms).pointers;
                let halves = pointers.iter().map(|at| own_halves(leaf, *at)).flat_map(|(low, high)| [low, high]);
                let tag = std::iter::once(leaf.part("Tag"));
                let rest = ["Bin".to_owned(), HEAD.to_string(), budget.to_owned()];
                let args: Vec<String> = tag.chain(halves).chain(rest).collect();
                (call(&function, args), vec![left("Value", quote("{ok, Value}"))])
            }
            SlotKind::Pointer { target } => {
                let (low, high) = own_halves(leaf, leaf.slot.at);
                let at = HEAD + leaf.slot.at + WORD;
                match self.way(plan, target, &leaf.field.ty, &leaf.hint) {
                    Way::Shallow(function) => {
                        let call = call(function, [low, high, "Bin".to_owned(), at.to_string()]);
                        let Some(default) = default else {
                            return Some(attempt(vec![tuple([quote("ok"), call])], long.clone()));
                        };
                        let null = (Expr::Null, tuple([quote("ok"), default.clone()]));
                        (call, vec![null, (quote("Value"), quote("{ok, Value}"))])
                    }
                    Way::Deep(function) => {
                        let mut clauses = Vec::new();
                        clauses.extend(default.map(|default| left("undefined", tuple([quote("ok"), default.clone()]))));
                        clauses.push(left("Value", quote("{ok, Value}")));
                        (call(&function, [low, high, "Bin".to_owned(), at.to_string(), budget.clone()]), clauses)
                    }
                    _ => return None,
                }
            }
            _ => return None,
        };
        Some(attempt(vec![case_of(call, clauses)], long.clone()))
    }
}

/// The clause that reads a number of the root record.
fn number_clause(found: Vec<(Bits, Expr)>, sizes: Sizes, value: Expr) -> Clause {
    // A record without pointers is all of its message.
    let alone = (sizes.pointers == 0).then(|| (words(sizes) + 1).to_string());
    let mut pattern = head(alone.as_deref().unwrap_or("Words"), sizes);
    pattern.extend(pattern_of(found, (sizes.data + sizes.pointers * WORD) * 8));
    pattern.push(quote("_/binary"));
    match alone {
        Some(_) => Clause::new([binary(pattern)], [value]),
        None => Clause::new([whole(pattern)], [value])
            .when(format!("byte_size(Bin) bsr 3 > Words, Words > {}", words(sizes))),
    }
}

fn left(value: &str, result: Expr) -> (Expr, Expr) {
    (quote(format!("{{{value}, Left}} when Left >= 0")), result)
}

/// The segments in front of a root record that lies right behind its pointer.
fn head(words: &str, sizes: Sizes) -> Vec<Expr> {
    let upper = upper_half(sizes);
    vec![quote(format!("0:32, {words}:32/little")), quote(format!("0:32, {upper}:32/little"))]
}

fn whole(pattern: Vec<Expr>) -> Expr {
    bind(binary(pattern), "Bin")
}
