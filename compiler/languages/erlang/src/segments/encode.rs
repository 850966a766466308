//! Writers of records: one construction of both sections, once it is known where what the pointers lead to will lie.

use super::areas::{pointer_number, Areas};
use super::decode::Sizes;
use super::leaves::{Bits, Leaf};
use super::scalar::Trust;
use super::WORD;
use crate::code::{quote, quote_with, Expr};
use crate::erl::{atom, binary, bind, list, record, tuple, Callee, Clause};
use crate::gen::Gen;
use crate::slots::Named;
use crate::variables::Numbered;
use aldis_plan::{Plan, SlotKind};
use aldis_schema::TypeId;
use std::collections::BTreeMap;

/// The pieces of a construction.
#[derive(Default)]
pub(super) struct Pieces {
    pub before: Vec<Expr>,
    pub guards: Vec<Expr>,
    /// Segments with the bits that they fill.
    pub segments: Vec<(Bits, Expr)>,
}

impl Pieces {
    /// Adds the word of the pointer at `offset`.
    pub fn pointer(&mut self, offset: u32, word: Expr) {
        self.segments.push((Bits { from: offset * 8, to: (offset + WORD) * 8 }, quote_with("?1:64/little", [word])));
    }

    /// The segments over `bits`, gaps zero.
    pub fn over(&self, bits: Bits) -> Vec<Expr> {
        let mut sorted: Vec<&(Bits, Expr)> =
            self.segments.iter().filter(|(own, _)| own.from >= bits.from && own.to <= bits.to).collect();
        sorted.sort_by_key(|(own, _)| *own);
        let mut at = bits.from;
        let mut out = Vec::new();
        for (own, segment) in sorted {
            if own.from > at {
                out.push(quote(format!("0:{}", own.from - at)));
            }
            out.push(segment.clone());
            at = own.to;
        }
        if bits.to > at {
            out.push(quote(format!("0:{}", bits.to - at)));
        }
        out
    }
}

impl<'a> Gen<'a> {
    /// The function that writes a record.
    pub(super) fn write_sections(&mut self, plan: &'a Plan, id: TypeId) -> Callee {
        let name = format!("write_{}", self.names.of(id));
        self.define_in(id, &format!("sections:{name}"), &name, |gen, own| {
            let mut clauses = vec![gen.writer_clause(plan, id)];
            if gen.only_union(id).is_some() {
                return crate::erl::function(atom(own), &clauses);
            }
            clauses.push(Clause::new(["_, _, _, _, Path"], ["aldis_check:wrong(Path)"]));
            crate::erl::writer(&atom(own), &clauses)
        })
    }

    fn writer_clause(&mut self, plan: &'a Plan, id: TypeId) -> Clause {
        let slots = plan.sections(id).map_or(&[][..], |(run, _)| &run.slots);
        let slots = self.slots_of(id, slots);
        let leaves = self.leaves(&slots);
        let sizes = Sizes::of(plan, id);
        let mut pieces = self.pieces(plan, &leaves, sizes);
        let (objects, after) = self.write_objects(plan, &leaves, sizes, &mut pieces);
        let size = Bits { from: 0, to: (sizes.data + sizes.pointers * WORD) * 8 };
        let mut body = std::mem::take(&mut pieces.before);
        body.push(tuple([binary(pieces.over(size)), list(objects), after.into()]));
        let pattern = match self.only_union(id) {
            Some(_) => quote(slots.named.first().map_or("_", |named| named.var.as_str())),
            None => self.open_pattern(id, &slots.named),
        };
        Clause::new([pattern].into_iter().chain(["At", "Next", "Depth", "Path"].map(quote)), body)
    }

    /// `#'Record'{field = Var}`, groups opened.
    pub(super) fn open_pattern(&self, id: TypeId, named: &[Named<'a>]) -> Expr {
        self.pattern_with(id, named, &BTreeMap::new())
    }

    /// As [`Gen::open_pattern`], with other patterns in place of some variables.
    pub(super) fn pattern_with(&self, id: TypeId, named: &[Named<'a>], others: &BTreeMap<String, Expr>) -> Expr {
        let fields = named.iter().filter_map(|member| {
            let index = member.slot.field?;
            let value = match &member.slot.kind {
                SlotKind::Nest { record, .. } => self.pattern_with(*record, &member.members, others),
                _ => others.get(&member.var).cloned().unwrap_or_else(|| quote(member.var.as_str())),
            };
            Some((self.names.field_atom(id, index as usize), value))
        });
        record(&self.names.atom(id), fields.collect::<Vec<_>>())
    }

    /// The segments of numbers, tags and what unions fill, and statements before them.
    pub(super) fn pieces(&mut self, plan: &'a Plan, leaves: &[Leaf<'a>], sizes: Sizes) -> Pieces {
        let mut pieces = Pieces::default();
        for leaf in leaves {
            match &leaf.slot.kind {
                SlotKind::Scalar(scalar) => {
                    let put = self.store(scalar, &leaf.var, Trust::Checked, &leaf.path);
                    pieces.segments.push((leaf.bits(), put.segment));
                }
                SlotKind::Constant { .. } => {
                    pieces.before.push(quote(format!("aldis_check:constant({}, undefined, {})", leaf.var, leaf.path)));
                }
                SlotKind::Choice { union, arms } => {
                    let function = self.write_choice(plan, *union, arms, sizes);
                    let areas = Areas::of(arms);
                    let tag = leaf.part("Tag");
                    let mut found = vec![quote(tag.as_str())];
                    pieces.segments.push((leaf.bits(), quote(format!("{tag}:16/little"))));
                    for (index, bits) in areas.bits.iter().enumerate() {
                        let area = leaf.part(&format!("Area{index}"));
                        found.push(quote(area.as_str()));
                        pieces.segments.push((*bits, quote(format!("{area}/bitstring"))));
                    }
                    found.extend(areas.pointers.iter().map(|at| quote(late(leaf, *at, sizes))));
                    let call = format!("{function}({}, Depth, {})", leaf.var, leaf.path);
                    pieces.before.push(bind(tuple(found), call));
                }
                _ => {}
            }
        }
        pieces
    }

    /// Statements that write what pointers lead to, in the order of the pointers; the objects, and the word after them.
    fn write_objects(
        &mut self,
        plan: &'a Plan,
        leaves: &[Leaf<'a>],
        sizes: Sizes,
        pieces: &mut Pieces,
    ) -> (Vec<Expr>, Numbered) {
        let mut pointers: Vec<(u32, &Leaf<'a>)> = Vec::new();
        for leaf in leaves {
            match &leaf.slot.kind {
                SlotKind::Pointer { .. } => pointers.push((leaf.slot.at, leaf)),
                SlotKind::Choice { arms, .. } => {
                    pointers.extend(Areas::of(arms).pointers.into_iter().map(|at| (at, leaf)));
                }
                _ => {}
            }
        }
        pointers.sort_by_key(|(at, _)| *at);
        let (mut objects, mut after) = (Vec::new(), Numbered::first("Next"));
        for (at, leaf) in pointers {
            let place = match at / WORD {
                0 => "At".to_owned(),
                words => format!("At + {words}"),
            };
            let (stem, call) = match &leaf.slot.kind {
                SlotKind::Pointer { target } => {
                    let (ty, hint, var) = (&leaf.field.ty, &leaf.hint, &leaf.var);
                    let call = self.place(plan, target, ty, hint, var, &place, &after.to_string(), "Depth", &leaf.path);
                    (leaf.var.clone(), call)
                }
                _ => {
                    let later = late(leaf, at, sizes);
                    let call = format!("aldis_words:late({later}, {place}, {after})");
                    (later, call)
                }
            };
            let (low, high, io) = (format!("{stem}Low"), format!("{stem}High"), format!("{stem}Io"));
            after = after.next();
            let found = tuple([quote(&low), quote(&high), quote(&io), after.into()]);
            pieces.before.push(bind(found, call));
            let bits = Bits { from: at * 8, to: (at + WORD) * 8 };
            pieces.segments.push((bits, quote(format!("{low}:32/little, {high}:32/little"))));
            objects.push(quote(io));
        }
        (objects, after)
    }
}

/// The variable of a pointer that a union may fill.
pub(super) fn late(leaf: &Leaf<'_>, at: u32, sizes: Sizes) -> String {
    leaf.part(&format!("Pointer{}", pointer_number(at, sizes.data)))
}
