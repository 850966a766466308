//! Readers of records and unions: one match over both sections, then what the pointers lead to, field by field.

use super::leaves::{Bits, Leaf, Slots};
use super::scalar::{has_floats, match_segment};
use super::WORD;
use crate::code::{quote, Expr};
use crate::erl::{atom, bind, function, record, tuple, Atom, Callee, Clause, Functions};
use crate::gen::Gen;
use crate::slots::{Floats, Named};
use crate::variables::Numbered;
use aldis_plan::{ArmSlot, Plan, Slot, SlotKind};
use aldis_schema::TypeId;

/// The arguments of a reader of sections; see the module.
pub(super) const SECTION_ARGS: &str = "Bin, At, Size, Count, Message, Depth, Budget, Path";

/// The sizes of a record's sections as its schema has them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    /// In bytes.
    pub data: u32,
    pub pointers: u32,
}

impl Sizes {
    pub fn of(plan: &Plan, id: TypeId) -> Self {
        let (size, data) = plan.sections(id).map_or((0, 0), |(run, data)| (run.size, data));
        Self { data, pointers: (size - data) / WORD }
    }
}

/// The sections that a reader finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    /// As the schema has them.
    Same,
    /// As large as the variables `Size` and `Count` say.
    Any,
}

impl Found {
    /// The size of the data and the count of pointers.
    fn sizes(self, sizes: Sizes) -> (String, String) {
        match self {
            Found::Same => (sizes.data.to_string(), sizes.pointers.to_string()),
            Found::Any => ("Size".to_owned(), "Count".to_owned()),
        }
    }

    /// [`SECTION_ARGS`] with these.
    fn args(self, sizes: Sizes) -> String {
        let (size, count) = self.sizes(sizes);
        format!("Bin, At, {size}, {count}, Message, Depth, Budget, Path")
    }
}

impl<'a> Gen<'a> {
    /// The function that reads a record's sections.
    pub(super) fn read_sections(&mut self, plan: &'a Plan, id: TypeId) -> Callee {
        let name = format!("read_{}", self.names.of(id));
        self.define_in(id, &format!("sections:{name}"), &name, |gen, own| {
            let slots = plan.sections(id).map_or(&[][..], |(run, _)| &run.slots);
            let slots = gen.slots_of(id, slots);
            gen.sections_reader(plan, own, &slots, Sizes::of(plan, id))
        })
    }

    /// A reader of one slot of a record's sections.
    pub(super) fn read_slot(
        &mut self,
        plan: &'a Plan,
        owner: TypeId,
        slot: &'a Slot,
        sizes: Sizes,
        name: &str,
    ) -> Callee {
        self.define(&format!("sections:{name}"), name, |gen, own| {
            let slots = gen.slots_of(owner, std::slice::from_ref(slot));
            gen.value_reader(plan, own, &slots, sizes)
        })
    }

    /// The function for a record: its sections, matched as a whole.
    fn sections_reader(&mut self, plan: &'a Plan, own: &str, slots: &Slots<'a>, sizes: Sizes) -> Functions {
        let finish = |gen: &mut Self, floats| gen.sections_value(slots, floats);
        self.reader(plan, own, slots, sizes, &finish)
    }

    /// The value of a record whose members are in their variables.
    pub(super) fn sections_value(&mut self, slots: &Slots<'a>, floats: Floats) -> Expr {
        match self.only_union(slots.owner) {
            Some(_) => quote(slots.named.first().map_or("undefined", |named| named.var.as_str())),
            None => self.record_value(slots.owner, &slots.named, floats),
        }
    }

    /// The function for one slot: an arm, or a field read alone.
    fn value_reader(&mut self, plan: &'a Plan, own: &str, slots: &Slots<'a>, sizes: Sizes) -> Functions {
        let finish = |gen: &mut Self, floats| match slots.named.first() {
            Some(named) => gen.leaf_value(named, floats),
            None => quote("undefined"),
        };
        self.reader(plan, own, slots, sizes, &finish)
    }

    fn reader(
        &mut self,
        plan: &'a Plan,
        own: &str,
        slots: &Slots<'a>,
        sizes: Sizes,
        finish: &dyn Fn(&mut Self, Floats) -> Expr,
    ) -> Functions {
        let leaves = self.leaves(slots);
        if let [leaf] = leaves.as_slice() {
            return self.small_reader(plan, own, leaf, sizes, finish);
        }
        let inner = atom(&self.private(&format!("{own}_sections")));
        let scalars = leaves.iter().filter_map(|leaf| match &leaf.slot.kind {
            SlotKind::Scalar(scalar) => Some(scalar),
            _ => None,
        });
        let floats: &[Floats] = if has_floats(scalars) { &[Floats::Numbers, Floats::Bits] } else { &[Floats::Bits] };
        let mut clauses = Vec::new();
        for &floats in floats {
            let mut pattern = section_pattern(&leaves, floats);
            pattern.push(quote("_/binary"));
            // The others stay on one line.
            let args = vec![crate::erl::binary(pattern), quote(SECTION_ARGS)];
            let (mut body, budget) = self.read_leaves(plan, &leaves, sizes, Found::Any);
            body.push(tuple([finish(self, floats), budget.into()]));
            clauses.push(Clause::new(args, body));
        }
        dispatch(own, &inner, &leaves, sizes).and(function(&inner, &clauses))
    }

    /// A reader of one value, whose match takes no function of its own.
    fn small_reader(
        &mut self,
        plan: &'a Plan,
        own: &str,
        leaf: &Leaf<'a>,
        sizes: Sizes,
        finish: &dyn Fn(&mut Self, Floats) -> Expr,
    ) -> Functions {
        let leaves = std::slice::from_ref(leaf);
        let mut clauses = Vec::new();
        for found in [Found::Same, Found::Any] {
            let same = found == Found::Same;
            let mut pattern = if same { vec![quote("_:At/binary")] } else { Vec::new() };
            pattern.extend(section_pattern(leaves, Floats::Bits));
            pattern.push(quote("_/binary"));
            let bytes = if same { "Bin".to_owned() } else { resized(leaves, sizes) };
            let mut body = vec![bind(crate::erl::binary(pattern), bytes)];
            let value = finish(self, Floats::Bits);
            match self.leaf_call(plan, leaf, sizes, found, Numbered::first("Budget")) {
                Some(call) if value == quote(&leaf.var) => body.push(quote(call)),
                _ => {
                    let (read, budget) = self.read_leaves(plan, leaves, sizes, found);
                    body.extend(read);
                    body.push(tuple([value, budget.into()]));
                }
            }
            clauses.push(Clause::new([found.args(sizes)], body));
        }
        function(atom(own), &clauses)
    }

    /// Statements that read what is behind pointers and in unions, and the budget after them.
    fn read_leaves(
        &mut self,
        plan: &'a Plan,
        leaves: &[Leaf<'a>],
        sizes: Sizes,
        found: Found,
    ) -> (Vec<Expr>, Numbered) {
        let mut budget = Numbered::first("Budget");
        let mut body = Vec::new();
        for leaf in leaves {
            let Some(call) = self.leaf_call(plan, leaf, sizes, found, budget) else { continue };
            budget = budget.next();
            body.push(bind(tuple([quote(&leaf.var), budget.into()]), call));
        }
        (body, budget)
    }

    /// A call that reads what is behind a pointer or in a union.
    fn leaf_call(
        &mut self,
        plan: &'a Plan,
        leaf: &Leaf<'a>,
        sizes: Sizes,
        found: Found,
        budget: Numbered,
    ) -> Option<String> {
        match &leaf.slot.kind {
            SlotKind::Pointer { target } => {
                let at = match (found, leaf.slot.at - sizes.data) {
                    (Found::Same, _) => format!("At + {}", leaf.slot.at),
                    (Found::Any, 0) => "At + Size".to_owned(),
                    (Found::Any, offset) => format!("At + Size + {offset}"),
                };
                let function = self.follow(plan, target, &leaf.field.ty, &leaf.hint);
                let halves = format!("{}, {}", leaf.part("Low"), leaf.part("High"));
                Some(format!("{function}({halves}, Bin, {at}, Message, Depth, {budget}, {})", leaf.path))
            }
            SlotKind::Choice { union, arms } => {
                let function = self.read_choice(plan, *union, arms, sizes);
                let (size, count) = found.sizes(sizes);
                let place = format!("Bin, At, {size}, {count}, Message, Depth");
                Some(format!("{function}({}, {place}, {budget}, {})", leaf.part("Tag"), leaf.path))
            }
            _ => None,
        }
    }

    /// The function that reads the arm that a union's tag names.
    fn read_choice(&mut self, plan: &'a Plan, union: TypeId, arms: &'a [ArmSlot], sizes: Sizes) -> Callee {
        let stem = format!("read_{}", self.names.of(union));
        self.define_in(union, &format!("choice:{stem}"), &stem, |gen, own| {
            let mut clauses = Vec::new();
            for arm in arms {
                let index = arm.slot.field.unwrap_or_default() as usize;
                let term = gen.names.arm(union, index);
                let tag = arm.tag.to_string();
                if let SlotKind::Constant { .. } = arm.slot.kind {
                    let args = format!("{tag}, _, _, _, _, _, _, Budget, _");
                    let value = format!("{{{{{term}, undefined}}, Budget}}");
                    clauses.push(Clause::new([&args], [value]));
                    continue;
                }
                let name = format!("{stem}_{}", gen.names.field(union, index));
                let function = gen.read_slot(plan, union, &arm.slot, sizes, &name);
                let call = format!("{function}({SECTION_ARGS})");
                let body = vec![bind("{Value, Budget1}", call), quote(format!("{{{{{term}, Value}}, Budget1}}"))];
                clauses.push(Clause::new([format!("{tag}, {SECTION_ARGS}")], body));
            }
            let unknown = "{{unknown, Tag}, Budget}";
            clauses.push(Clause::new(["Tag, _, _, _, _, _, _, Budget, _"], [unknown]));
            function(atom(own), &clauses)
        })
    }

    /// `#'Record'{…}` of the members' values.
    fn record_value(&mut self, id: TypeId, named: &[Named<'a>], floats: Floats) -> Expr {
        let mut values = Vec::new();
        for member in named {
            let Some(index) = member.slot.field else { continue };
            if !matches!(member.slot.kind, SlotKind::Constant { .. }) {
                values.push((self.names.field_atom(id, index as usize), self.leaf_value(member, floats)));
            }
        }
        record(&self.names.atom(id), values)
    }

    pub(super) fn leaf_value(&mut self, named: &Named<'a>, floats: Floats) -> Expr {
        match &named.slot.kind {
            SlotKind::Scalar(scalar) => self.stored_value(scalar, &named.var, floats),
            SlotKind::Nest { record, .. } => self.record_value(*record, &named.members, floats),
            SlotKind::Constant { .. } => quote("undefined"),
            _ => quote(named.var.as_str()),
        }
    }
}

/// The function that all call: sections of the schema's own sizes are matched where they are, others are brought to
/// that size before.
fn dispatch(own: &str, inner: &Atom, leaves: &[Leaf<'_>], sizes: Sizes) -> Functions {
    let same = [
        quote("<<_:At/binary, Sections/binary>> = Bin"),
        quote(format!("{inner}(Sections, {})", Found::Same.args(sizes))),
    ];
    let other =
        [quote(format!("Sections = {}", resized(leaves, sizes))), quote(format!("{inner}(Sections, {SECTION_ARGS})"))];
    let clauses = [Clause::new([Found::Same.args(sizes)], same), Clause::new([SECTION_ARGS], other)];
    function(atom(own), &clauses)
}

/// A call that gives sections of the schema's own sizes.
fn resized(leaves: &[Leaf<'_>], Sizes { data, pointers }: Sizes) -> String {
    let first = leaves.iter().filter(|leaf| leaf.slot.width > 1 && leaf.slot.at < WORD && leaf.slot.at < data);
    let first: Vec<String> = first.map(|leaf| format!("{{{}, {}}}", leaf.slot.at, leaf.slot.width)).collect();
    format!("aldis_segments:sections(Bin, At, Size, Count, {data}, {pointers}, [{}])", first.join(", "))
}

/// The segments that match a record's numbers, tags and pointers, gaps skipped.
fn section_pattern(leaves: &[Leaf<'_>], floats: Floats) -> Vec<Expr> {
    let mut found: Vec<(Bits, Expr)> = Vec::new();
    for leaf in leaves {
        let segment = match &leaf.slot.kind {
            SlotKind::Scalar(scalar) => match_segment(scalar, &leaf.var, floats),
            SlotKind::Choice { .. } => quote(format!("{}:16/little", leaf.part("Tag"))),
            SlotKind::Pointer { .. } => {
                quote(format!("{}:32/signed-little, {}:32/little", leaf.part("Low"), leaf.part("High")))
            }
            _ => continue,
        };
        found.push((leaf.bits(), segment));
    }
    let end = found.iter().map(|(bits, _)| bits.to).max().unwrap_or(0);
    // The next slot begins at a whole byte.
    pattern_of(found, end.next_multiple_of(8))
}

/// The segments over so many bits from the first, gaps skipped.
pub(super) fn pattern_of(mut found: Vec<(Bits, Expr)>, end: u32) -> Vec<Expr> {
    found.sort_by_key(|(bits, _)| *bits);
    let mut at = 0;
    let mut out = Vec::new();
    for (bits, segment) in found {
        if bits.from > at {
            out.push(quote(format!("_:{}", bits.from - at)));
        }
        out.push(segment);
        at = bits.to;
    }
    if end > at {
        out.push(quote(format!("_:{}", end - at)));
    }
    out
}
