//! Functions that read any one field of a run out of a block, which may end before the field.
//!
//! The careful reader of a record asks for each field in turn, functions of single fields for one.

use super::record::{nest_conditions, newest};
use super::value::is_deferred;
use crate::code::{quote, Expr};
use crate::erl::{atom, binary, call, function, Callee, Clause, NULL, WIDTH};
use crate::gen::Gen;
use crate::modules::Facet;
use crate::slots::{has_floats, match_segments, name_slots, Floats, Named};
use crate::wire::{slot_any, Wire};
use aldis_plan::{Extent, Repr, Run, Slot, SlotKind, Step};
use aldis_schema::TypeId;

/// The variable of a block, and the pattern of one that has a field's first version alone for sure.
pub(crate) const BLOCK: &str = "Block";

/// Records of so few members are matched where they are.
const SMALL: usize = 2;

impl<'a> Gen<'a> {
    /// Whether the function of a run's fields has this one: its value needs nothing but the block.
    pub fn is_in_block(&self, wire: &Wire<'a>, slot: &Slot) -> bool {
        let apart = |slot: &Slot| match &slot.kind {
            SlotKind::Scalar(scalar) => scalar.repr == Repr::Decimal,
            SlotKind::Link(_) | SlotKind::Presence(_) => true,
            _ => false,
        };
        let constant = matches!(slot.kind, SlotKind::Constant { .. });
        slot.field.is_some()
            && !constant
            && !is_deferred(wire, slot)
            && !self.strict_text.slot(slot)
            && !slot_any(slot, &apart)
    }

    /// The call that reads `field`, an atom or a variable, out of `Block`.
    pub fn in_block(&mut self, wire: Wire<'a>, id: TypeId, run: &'a Run, field: Expr) -> Expr {
        let function = self.field_reader(wire, id, run);
        let version = (newest(&run.slots) > 0).then(|| quote("Version"));
        call(function, [field, quote("Block")].into_iter().chain(version))
    }

    /// The function `in_M(Field, Block)`, or `in_M(Field, Block, Version)` where some fields are newer than others.
    fn field_reader(&mut self, wire: Wire<'a>, id: TypeId, run: &'a Run) -> Callee {
        let is_it = |step: &Step| matches!(step, Step::Run(other) if std::ptr::eq(other, run));
        let number = match wire.layout(id).steps.iter().position(is_it) {
            None | Some(0) => String::new(),
            Some(index) => format!("_run{}", index + 1),
        };
        let wanted = format!("in_{}{}{number}", self.names.of(id), wire.suffix());
        self.define_at((id, self.codec_facet()), &wanted, &wanted, |gen, own| {
            let clauses = gen.field_clauses(wire, id, run);
            function(atom(own), &clauses)
        })
    }

    fn field_clauses(&mut self, wire: Wire<'a>, id: TypeId, run: &'a Run) -> Vec<Clause> {
        let versions = newest(&run.slots) > 0;
        let args = |field: Expr, block: Expr, version: &str| {
            [field, block].into_iter().chain(versions.then(|| quote(version))).collect::<Vec<_>>()
        };
        let mut clauses = Vec::new();
        let mut some_null = false;
        for named in name_slots(self.names, id, &run.slots) {
            let Some(field) = named.slot.field.filter(|_| self.is_in_block(&wire, named.slot)) else { continue };
            let own = self.names.field_atom(id, field as usize);
            for (pattern, guards, value) in self.found_in_block(&wire, run, &named) {
                clauses.push(Clause::new(args((&own).into(), pattern, "Version"), [value]).when_all(guards));
            }
            if run.extent == Extent::Exact && named.slot.since == 0 {
                continue;
            }
            match self.missing(id, named.slot) {
                Expr::Null => some_null = true,
                missing => clauses.push(Clause::new(args((&own).into(), quote("_"), "_"), [missing])),
            }
        }
        if some_null {
            clauses.push(Clause::new(args(quote("_"), quote("_"), "_"), [NULL]));
        }
        clauses
    }

    /// A call for the list of the names of a record's fields.
    pub fn field_names(&mut self, id: TypeId) -> Expr {
        if !self.values.structs && self.only_union(id).is_none() {
            return quote(format!("record_info(fields, {})", self.names.atom(id)));
        }
        let name = format!("fields_of_{}", self.names.of(id));
        let list = crate::erl::list(self.names.members(id).iter().map(|name| atom(name)));
        let function = self
            .define_at((id, Facet::Views), &name, &name, |_, own| function(atom(own), &[Clause::new([""], [list])]));
        function.with(Vec::new())
    }

    /// Patterns of a block that has a slot, each with its guards and the value.
    pub fn found_in_block(&mut self, wire: &Wire<'a>, run: &'a Run, named: &Named<'a>) -> Vec<(Expr, Vec<Expr>, Expr)> {
        let tells_in_place = std::mem::replace(&mut self.tells_in_place, false);
        let found = self.patterns_in_block(wire, run, named);
        self.tells_in_place = tells_in_place;
        found
    }

    fn patterns_in_block(&mut self, wire: &Wire<'a>, run: &'a Run, named: &Named<'a>) -> Vec<(Expr, Vec<Expr>, Expr)> {
        let slot = named.slot;
        let since = (slot.since > 0).then(|| quote(format!("Version >= {}", slot.since)));
        let guards: Vec<Expr> = since.into_iter().collect();
        if let SlotKind::Nest { record, slots } = &slot.kind {
            if slot.needed() == slot.at || slot_any(slot, &|inner| inner.since > slot.since) {
                let value = self.nest_in_block(wire, *record, run, named, "[]");
                return vec![(quote(BLOCK), nest_conditions(run, named), value)];
            }
            if slots.len() > SMALL {
                let function = self.nest_reader(wire, *record, slot, slots);
                let skipped = if slot.at > 0 { format!("_:{}/binary, ", slot.at) } else { String::new() };
                let pattern = format!("<<{skipped}Found:{}/binary, _/binary>>", slot.needed() - slot.at);
                return vec![(quote(pattern), guards, quote(format!("{function}(Found)")))];
            }
        }
        let one = std::slice::from_ref(named);
        let of = |(pattern, value)| (pattern, guards.clone(), value);
        self.matched(wire, one, (0, slot.needed()), &|gen, floats| gen.value(wire, named, floats, "[]"))
            .into_iter()
            .map(of)
            .collect()
    }

    /// The patterns that match slots and whatever follows, floats of the machine first, each with a value.
    fn matched(
        &mut self,
        wire: &Wire<'a>,
        slots: &[Named<'a>],
        range: (u32, u32),
        value: &dyn Fn(&mut Self, Floats) -> Expr,
    ) -> Vec<(Expr, Expr)> {
        let both = [Floats::Numbers, Floats::Bits];
        let tried = &both[usize::from(!has_floats(slots))..];
        let of = |floats: &Floats| {
            let mut segments = match_segments(slots, range, wire.plan.byte_order, *floats, &|_| None);
            segments.push(quote("_/binary"));
            (binary(segments), value(self, *floats))
        };
        tried.iter().map(of).collect()
    }

    /// The function that reads a record which lies within another's run, from its bytes.
    fn nest_reader(&mut self, wire: &Wire<'a>, id: TypeId, nest: &Slot, slots: &'a [Slot]) -> Callee {
        let named = name_slots(self.names, id, slots);
        let range = (nest.at, nest.needed());
        let clauses: Vec<Clause> = self
            .matched(wire, &named, range, &|gen, floats| gen.record_of(wire, id, &named, floats, "[]"))
            .into_iter()
            .map(|(pattern, value)| Clause::new([pattern], [value]))
            .collect();
        // Records of a type may lie in other ways elsewhere.
        let key = function("in", &clauses).doc.print(WIDTH);
        let wanted = format!("in_{}{}", self.names.of(id), wire.suffix());
        self.define_at((id, self.codec_facet()), &key, &wanted, |_, own| function(atom(own), &clauses))
    }
}
