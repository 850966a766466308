//! Readers of the short way.

use super::{size_code, upper_half, words};
use crate::code::{quote, Expr};
use crate::decode::weight::element_words;
use crate::erl::{atom, bind, function, list_before, tuple, Atom, Callee, Clause};
use crate::gen::Gen;
use crate::segments::areas::Areas;
use crate::segments::decode::{pattern_of, Sizes};
use crate::segments::leaves::{Bits, Leaf, Slots};
use crate::segments::scalar::match_segment;
use crate::segments::WORD;
use crate::slots::Floats;
use crate::variables::Numbered;
use aldis_plan::{Content, Element, Limits, Node, Plan, Repeat, Repr, Slot, SlotKind};
use aldis_schema::{Type, TypeId};

const ARGS: &str = "Low, High, Bin, At, Budget";

/// The source of the values of a record or of a union's arm.
pub(super) struct Source<'s> {
    pub sizes: Sizes,
    /// The record's first byte, counted from the place that calls name.
    pub start: u32,
    /// The variables of a pointer's halves.
    pub halves: &'s dyn Fn(&Leaf<'_>, u32) -> (String, String),
}

/// How a pointer is followed.
pub(super) enum Way {
    /// A function that gives the value alone; what it costs is in the pointer.
    Shallow(&'static str),
    /// The long way's function, as good for lists that hold no pointers. Its budget is in bytes.
    Plain(Callee),
    /// A function that takes a budget and gives what is left of it.
    Deep(Callee),
    /// Only null is taken.
    Null,
}

impl<'a> Gen<'a> {
    pub(super) fn way(&mut self, plan: &'a Plan, target: &'a Node, ty: &'a Type, hint: &str) -> Way {
        match target {
            Node::Blob(blob) => Way::Shallow(match blob.content {
                Content::Bytes => "aldis_direct:bytes",
                Content::Text(_) => "aldis_direct:text",
            }),
            Node::Call { record } if self.direct.takes(*record) => Way::Deep(self.direct_record(plan, *record)),
            Node::Repeat(repeat) => self.way_of_list(plan, target, repeat, ty, hint),
            _ => Way::Null,
        }
    }

    fn way_of_list(&mut self, plan: &'a Plan, node: &'a Node, repeat: &'a Repeat, ty: &'a Type, hint: &str) -> Way {
        match &repeat.element {
            Element::One(Node::Call { record })
                if self.direct.takes(*record) && words(Sizes::of(plan, *record)) > 0 =>
            {
                Way::Deep(self.direct_records(plan, repeat, *record))
            }
            Element::One(Node::Cell { slot }) => match &slot.kind {
                SlotKind::Pointer { target } => match target.as_ref() {
                    Node::Blob(blob) => Way::Deep(match blob.content {
                        Content::Bytes => "aldis_direct:byte_lists".into(),
                        Content::Text(_) => "aldis_direct:texts".into(),
                    }),
                    _ => Way::Null,
                },
                SlotKind::Scalar(scalar) if !matches!(scalar.repr, Repr::Bit(_)) => {
                    Way::Deep(self.direct_numbers_list(slot, hint))
                }
                _ => Way::Plain(self.follow(plan, node, ty, hint)),
            },
            _ => Way::Null,
        }
    }

    /// The function that follows a pointer to a record.
    pub(in crate::segments) fn direct_record(&mut self, plan: &'a Plan, id: TypeId) -> Callee {
        let name = format!("direct_{}", self.names.of(id));
        self.define_in(id, &format!("direct:{name}"), &name, |gen, own| {
            let sizes = Sizes::of(plan, id);
            let slots = gen.sections_slots(plan, id);
            let leaves = gen.leaves(&slots);
            let mut pattern = vec![quote("_:Start/binary")];
            pattern.extend(gen.direct_pattern(plan, &leaves, sizes));
            pattern.push(quote("_/binary"));
            let mut body = vec![quote("Start = At + 2 * Low"), bind(crate::erl::binary(pattern), "Bin")];
            let source = Source { sizes, start: 0, halves: &own_halves };
            let (read, budget, charges) = gen.direct_leaves(plan, &leaves, &source, "Start", Numbered::first("Budget"));
            body.extend(read);
            let left = format!("{budget} - {}{charges}", words(sizes));
            body.push(tuple([gen.sections_value(&slots, Floats::Numbers), quote(left)]));
            let clause = Clause::new([format!("Low, {}, Bin, At, Budget", upper_half(sizes))], body);
            // A record of no words is at an offset below zero.
            function(atom(own), &[null(), clause.when("Low band 3 =:= 0, Budget >= 0")])
        })
    }

    pub(super) fn sections_slots(&self, plan: &'a Plan, id: TypeId) -> Slots<'a> {
        self.slots_of(id, plan.sections(id).map_or(&[][..], |(run, _)| &run.slots))
    }

    /// The function that follows a pointer to a list of records.
    fn direct_records(&mut self, plan: &'a Plan, repeat: &'a Repeat, id: TypeId) -> Callee {
        let name = format!("direct_{}_list", self.names.of(id));
        self.define_in(id, &format!("direct:{name}"), &name, |gen, own| {
            let each = atom(&gen.private(&format!("{own}_each")));
            let sizes = Sizes::of(plan, id);
            let (stride, heap) = (words(sizes), element_words(plan, repeat));
            let (data, pointers) = (sizes.data / WORD, sizes.pointers);
            let tag =
                format!("<<_:Start/binary, Tag:32/little, {data}:16/little, {pointers}:16/little, Rest/binary>> = Bin");
            let length = match stride {
                1 => "Count".to_owned(),
                _ => format!("{stride} * Count"),
            };
            let links = match pointers {
                0 => String::new(),
                _ => format!(" - {} * Count", u64::from(pointers) * Limits::LINK / u64::from(WORD)),
            };
            let body = vec![
                quote("Start = At + 2 * Low - 2"),
                quote("Words = High bsr 3"),
                quote(tag),
                quote("Count = Tag bsr 2"),
                quote(format!(
                    "true = Tag band 3 =:= 0 andalso {length} =:= Words andalso {WORD} * Words =< byte_size(Rest)"
                )),
                quote(format!("aldis_heap:reserve({WORD} * Words, {heap} * Count)")),
                quote(format!("{each}(Count, Rest, Bin, Start + {WORD}, Budget - 1 - Words{links}, [])")),
            ];
            let head = Clause::new([ARGS], body).when("Low band 3 =:= 1, High band 7 =:= 7");
            let done = Clause::new(["0, _, _, _, Budget, Acc"], ["{lists:reverse(Acc), Budget}"]);
            let clauses = [done.when("Budget >= 0"), gen.direct_element(plan, id, &each)];
            function(atom(own), &[null(), head]).and(function(&each, &clauses))
        })
    }

    /// The function that follows a pointer to a list of numbers.
    fn direct_numbers_list(&mut self, slot: &'a Slot, hint: &str) -> Callee {
        let wire = self.wires[0];
        let values = self.table(&wire, slot, "Table", "[]");
        let table = format!("aldis_direct:numbers({}, {}, {ARGS})", slot.width, size_code(slot));
        let body = vec![bind("{Table, Budget1}", table), tuple([values, quote("Budget1")])];
        let clauses = [null(), Clause::new([ARGS], body)];
        self.share(&format!("direct_{hint}"), |own| function(atom(own), &clauses))
    }

    /// The clause that reads one record of a list and goes on with the next.
    fn direct_element(&mut self, plan: &'a Plan, id: TypeId, each: &Atom) -> Clause {
        let sizes = Sizes::of(plan, id);
        let slots = self.sections_slots(plan, id);
        let leaves = self.leaves(&slots);
        let mut pattern = self.direct_pattern(plan, &leaves, sizes);
        pattern.push(quote("Rest/binary"));
        let source = Source { sizes, start: 0, halves: &own_halves };
        let (mut body, budget, charges) = self.direct_leaves(plan, &leaves, &source, "At", Numbered::first("Budget"));
        let value = self.sections_value(&slots, Floats::Numbers);
        body.push(crate::erl::call(
            each,
            [
                quote("Left - 1"),
                quote("Rest"),
                quote("Bin"),
                quote(format!("At + {}", words(sizes) * WORD)),
                quote(format!("{budget}{charges}")),
                list_before([value], "Acc"),
            ],
        ));
        let args = vec![quote("Left"), crate::erl::binary(pattern), quote("Bin, At, Budget, Acc")];
        Clause::new(args, body).when("Budget >= 0")
    }

    /// The segments of a whole record: numbers, tags, the halves of pointers.
    pub(super) fn direct_pattern(&mut self, plan: &'a Plan, leaves: &[Leaf<'a>], sizes: Sizes) -> Vec<Expr> {
        let mut found = self.direct_numbers(leaves);
        for leaf in leaves {
            for (at, taken) in self.pointers_of(plan, leaf) {
                let (low, high) = own_halves(leaf, at);
                let segment = if taken { format!("{low}:32/little, {high}:32/little") } else { "0:64".to_owned() };
                let segment = quote(segment);
                found.push((Bits { from: at * 8, to: (at + WORD) * 8 }, segment));
            }
        }
        pattern_of(found, (sizes.data + sizes.pointers * WORD) * 8)
    }

    /// The segments of numbers and tags.
    pub(super) fn direct_numbers(&self, leaves: &[Leaf<'a>]) -> Vec<(Bits, Expr)> {
        let segment = |leaf: &Leaf<'a>| match &leaf.slot.kind {
            SlotKind::Scalar(scalar) => Some(match_segment(scalar, &leaf.var, Floats::Numbers)),
            SlotKind::Choice { .. } => Some(quote(format!("{}:16/little", leaf.part("Tag")))),
            _ => None,
        };
        leaves.iter().filter_map(|leaf| Some((leaf.bits(), segment(leaf)?))).collect()
    }

    /// The pointers of a leaf, with whether any is followed.
    pub(super) fn pointers_of(&mut self, plan: &'a Plan, leaf: &Leaf<'a>) -> Vec<(u32, bool)> {
        match &leaf.slot.kind {
            SlotKind::Pointer { target } => {
                let way = self.way(plan, target, &leaf.field.ty, &leaf.hint);
                vec![(leaf.slot.at, !matches!(way, Way::Null))]
            }
            SlotKind::Choice { arms, .. } => Areas::of(arms).pointers.into_iter().map(|at| (at, true)).collect(),
            _ => Vec::new(),
        }
    }

    /// Statements that follow pointers and read unions; the budget after them, and what is still to be taken from it.
    pub(super) fn direct_leaves(
        &mut self,
        plan: &'a Plan,
        leaves: &[Leaf<'a>],
        source: &Source<'_>,
        at: &str,
        mut budget: Numbered,
    ) -> (Vec<Expr>, Numbered, String) {
        let (mut body, mut charges) = (Vec::new(), String::new());
        for leaf in leaves {
            match &leaf.slot.kind {
                SlotKind::Pointer { target } => {
                    let (low, high) = (source.halves)(leaf, leaf.slot.at);
                    let place = |behind: u32| match (at, source.start + leaf.slot.at + behind) {
                        ("", place) => place.to_string(),
                        (at, place) => format!("{at} + {place}"),
                    };
                    match self.way(plan, target, &leaf.field.ty, &leaf.hint) {
                        Way::Shallow(function) => {
                            let call = format!("{function}({low}, {high}, Bin, {})", place(WORD));
                            body.push(bind(leaf.var.as_str(), call));
                            charges.push_str(&format!(" - (({high} + 56) bsr 6)"));
                        }
                        Way::Plain(function) => {
                            let rest = format!("{{{{Bin}}, {{0}}}}, 1, {WORD} * {budget}, []");
                            let call = format!("{function}({low}, {high}, Bin, {}, {rest})", place(0));
                            budget = budget.next();
                            // The terms of these lists are paid for before they are made.
                            let left = budget.beside("Left");
                            body.push(bind(tuple([quote(&leaf.var), left.into()]), call));
                            body.push(quote(format!("{budget} = {left} bsr 3")));
                        }
                        Way::Deep(function) => {
                            let call = format!("{function}({low}, {high}, Bin, {}, {budget})", place(WORD));
                            budget = budget.next();
                            body.push(bind(tuple([quote(&leaf.var), budget.into()]), call));
                        }
                        Way::Null => body.push(quote(format!("{} = undefined", leaf.var))),
                    }
                }
                SlotKind::Choice { union, arms } => {
                    let function = self.direct_choice(plan, *union, arms, source.sizes);
                    let mut args = vec![leaf.part("Tag")];
                    for pointer in Areas::of(arms).pointers {
                        let (low, high) = (source.halves)(leaf, pointer);
                        args.extend([low, high]);
                    }
                    let record = if at.is_empty() { source.start.to_string() } else { at.to_owned() };
                    args.extend(["Bin".to_owned(), record, budget.to_string()]);
                    budget = budget.next();
                    let call = crate::erl::call(&function, args);
                    body.push(bind(tuple([quote(&leaf.var), budget.into()]), call));
                }
                _ => {}
            }
        }
        (body, budget, charges)
    }
}

/// The clause for a pointer that is null.
fn null() -> Clause {
    Clause::new(["0, 0, _, _, Budget"], ["{undefined, Budget}"])
}

/// The halves of a pointer that a record's own match binds.
pub(super) fn own_halves(leaf: &Leaf<'_>, at: u32) -> (String, String) {
    match leaf.slot.kind {
        SlotKind::Choice { .. } => (leaf.part(&format!("At{at}Low")), leaf.part(&format!("At{at}High"))),
        _ => (leaf.part("Low"), leaf.part("High")),
    }
}
