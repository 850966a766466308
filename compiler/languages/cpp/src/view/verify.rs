//! Functions that check a record as its reader does, without reading it: same order, same verdicts, same charges.

use super::Viewer;
use crate::code::{alias, code, counted, function, listed, place, scoped, step, stmt, var, when, Code, Stmt, ToCode};
use crate::decode::{counted_cell, unopened, Decoder, Guard};
use crate::gen::Hold;
use crate::parameter::{parameter, Parameter};
use crate::scope::{offset, rebased, Scope};
use crate::sheet::Sheet;
use crate::units::Unit;
use aldis_emit::needs::takes_extent;
use aldis_plan::{node_min_size, Element, Extent, Link, Node, NullLink, Plan, Repeat, Repr, Run, Slot, SlotKind, Step};
use aldis_schema::TypeId;

impl Viewer<'_, '_> {
    pub(super) fn decoder(&self) -> Decoder<'_, '_> {
        Decoder { gen: self.gen, wire: self.wire }
    }

    fn plan(&self) -> &Plan {
        self.wire.plan
    }

    /// Compares what was spent with the budget, which most charges leave to those that come after them: where links can
    /// lead to the same bytes again and again.
    fn affords(&self, scope: &Scope) -> Option<Stmt> {
        self.wire.needs.links.then(|| scope.fail_if(code!("!in.affords()")))
    }

    /// Declarations of a unit's checks, since records may be within each other.
    pub(super) fn declarations(&self, unit: &Unit, sheet: &mut Sheet) {
        for layout in self.wire.layouts(unit) {
            let (name, parameters) = (self.gen.names.of(layout.record), listed(self.parameters(layout.record)));
            let declared = stmt!("inline const std::byte* verify_{name}({parameters});");
            sheet.add(layout.record, &self.wire.namespace, [declared]);
        }
    }

    fn signature(&self, id: TypeId) -> Code {
        code!("{} verify_{}", self.wire.reader(id), self.gen.names.of(id))
    }

    fn parameters(&self, id: TypeId) -> Vec<Parameter> {
        let mut parameters = vec![parameter("auto&", "in"), parameter("const std::byte*", "at")];
        parameters.extend(takes_extent(self.plan(), id).then(|| parameter("std::uint64_t", "extent")));
        parameters.extend(self.walked_place(id).map(|_| parameter("auto&&", "starts")));
        parameters
    }

    /// The check of a record: from its first byte, to the place behind what of it lies there.
    pub(super) fn verifier(&self, id: TypeId) -> Stmt {
        let layout = self.plan().layout(id);
        let scope = Scope::new("in", "nullptr");
        let mut body = Vec::new();
        body.push(scope.fail_if(code!("!in.enter(at)")));
        if !self.wire.is_inlined(id) {
            body.extend(self.affords(&scope));
        }
        let noted = self.walked_place(id).is_some();
        for (index, step) in layout.steps.iter().enumerate() {
            let start = Self::stored_start(&layout.steps, index).filter(|_| noted);
            body.extend(start.map(|start| stmt!("starts[{start}] = at;")));
            match step {
                Step::Run(run) if run.extent == Extent::Exact => body.extend(self.exact_run(id, run, &scope)),
                Step::Run(run) => body.extend(self.sized_run(id, run, &scope)),
                Step::Part { field, since, node } => {
                    let definition = self.gen.field(id, *field as usize);
                    let inner = scope.field(&definition.name).deeper();
                    let read = self.node(node, &var("at"), &inner);
                    if *since > 0 {
                        body.push(when(code!("in.version() >= {since}"), read));
                    } else {
                        body.push(Stmt::Comment(definition.name.clone()));
                        body.push(scoped(read));
                    }
                }
            }
        }
        body.push(stmt!("in.leave();"));
        body.push(stmt!("return at;"));
        function(self.signature(id), &self.parameters(id), body)
    }

    fn exact_run(&self, id: TypeId, run: &Run, scope: &Scope) -> Vec<Stmt> {
        let mut body = vec![self.decoder().run_fits(id, run, scope)];
        body.extend(self.slots(&run.slots, &var("at"), id, scope, Guard::None));
        if run.size > 0 {
            body.push(step(&var("at"), run.size));
        }
        body
    }

    fn sized_run(&self, id: TypeId, run: &Run, scope: &Scope) -> Vec<Stmt> {
        let mut body = self.decoder().extent(run, id, scope);
        body.extend(self.slots(&unopened(run), &var("at"), id, scope, Guard::All));
        body.push(step(&var("at"), "extent"));
        body
    }

    /// Checks the fields of a record in slots of a run, of which only `extent` bytes may be there where `guard` says so.
    fn slots(&self, slots: &[Slot], start: &Code, record: TypeId, scope: &Scope, guard: Guard) -> Vec<Stmt> {
        let mut parts = Vec::new();
        for slot in slots {
            let Some(index) = slot.field else {
                parts.extend(self.decoder().checked_register(slot, start));
                continue;
            };
            let hold = self.gen.hold(record, index as usize);
            if hold == Hold::Constant {
                continue;
            }
            let inner = scope.field(&self.gen.field(record, index as usize).name).deeper();
            let read = self.slot(slot, start, &inner, guard);
            if read.is_empty() {
                continue;
            }
            match crate::decode::presence(slot, &var("extent"), &code!("in.version()")).filter(|_| guard.asks(slot)) {
                Some(condition) => parts.push(when(condition.to_code(), read)),
                None => parts.push(scoped(read)),
            }
        }
        parts
    }

    /// The checks of a slot; none for most.
    fn slot(&self, slot: &Slot, start: &Code, scope: &Scope, guard: Guard) -> Vec<Stmt> {
        let at = offset(start, slot.at);
        match &slot.kind {
            SlotKind::Scalar(scalar) if scalar.repr == Repr::Decimal => {
                let mut fail = vec![stmt!("in.fail(aldis::code::bad_value, {at});")];
                fail.extend(scope.fail());
                vec![when(code!("!aldis::is_decimal({at})"), fail)]
            }
            SlotKind::Array { count, element } => {
                let inner = scope.deeper();
                let (index, place) = (inner.var("index"), inner.var("place"));
                let inner = inner.element(&index);
                let checks = self.slot(element, &place, &inner.deeper(), Guard::None);
                if checks.is_empty() {
                    return checks;
                }
                let mut body =
                    vec![alias("const std::byte* const", &place, code!("{at} + {index} * {}", element.width))];
                // Links of all elements may lead to the same bytes, and so on from there.
                body.extend(self.affords(&inner).filter(|_| leads_on(element)));
                body.extend(checks);
                vec![counted(&index, count, body)]
            }
            SlotKind::Nest { record, slots } => self.slots(slots, start, *record, scope, guard.within(slot)),
            SlotKind::Chars { ty } => self.decoder().chars_check(slot, ty, &at, scope).into_iter().collect(),
            SlotKind::Link(link) => self.link(link, &at, scope),
            SlotKind::Presence(link) => {
                let read = self.link(link, &offset(start, slot.at + 1), scope);
                vec![when(code!("reader::load<bool>({at})"), read)]
            }
            _ => Vec::new(),
        }
    }

    /// Follows the u32 link at `from`.
    fn link(&self, link: &Link, from: &Code, scope: &Scope) -> Vec<Stmt> {
        let (to, distance) = (scope.var("to"), scope.var("offset"));
        let base = &scope.base;
        if let Some(all) = self.decoder().linked_blob(link, from, None, scope) {
            return vec![all];
        }
        let load = code!("reader::load<std::uint32_t>({from})");
        let follow = match link.null {
            NullLink::Refused => code!("in.follow_some({base}, {load}, {from})"),
            NullLink::Empty => code!("in.follow({base}, {distance}, {from})"),
        };
        let mut parts = vec![place(&to, follow)];
        parts.push(scope.fail_if(code!("{to} == nullptr")));
        parts.extend(self.node(&link.target, &to, &scope.deeper()));
        match link.null {
            NullLink::Refused => parts,
            NullLink::Empty => {
                vec![when(code!("const auto {distance} = {load}; {distance} != 0"), parts)]
            }
        }
    }

    /// Checks the value at the pointer `at`, which it moves past what of the value lies there.
    fn node(&self, node: &Node, at: &Code, scope: &Scope) -> Vec<Stmt> {
        match node {
            Node::Cell { slot } => {
                let mut parts = vec![self.decoder().cell_fits(slot, at, scope)];
                parts.extend(self.slot(slot, at, scope, Guard::None));
                parts.push(step(at, slot.width));
                parts
            }
            Node::Call { record } => {
                let extent = takes_extent(self.plan(), *record).then(|| code!(", {}", scope.extent));
                let starts = if self.walked_place(*record).is_some() { ", aldis::unnoted{}" } else { "" };
                let verify = self.decoder().call(*record, code!("verify_{}", self.gen.names.of(*record)));
                vec![stmt!("{at} = {verify}(in, {at}{extent}{starts});"), scope.fail_if(code!("{at} == nullptr"))]
            }
            Node::Blob(blob) => self.decoder().blob(blob, at, None, scope),
            Node::Repeat(repeat) => self.repeat(repeat, at, scope),
            Node::Series { count, element } => {
                let inner = scope.deeper();
                let index = inner.var("index");
                let body = self.element(element, at, &inner.element(&index));
                vec![counted(&index, count, body)]
            }
            Node::Maybe { value } => {
                let read = self.node(value, at, &scope.deeper());
                vec![
                    scope.fail_if(code!("!{}", self.decoder().need(at, 1, 0))),
                    when(code!("*{at}++ != std::byte{{0}}"), read),
                ]
            }
            Node::Rebase { value } => {
                let base = scope.var("base");
                let inner = scope.deeper().counting_from(&base);
                rebased(self.node(value, at, &inner), "const std::byte*", &base, at)
            }
            // Refused before: see `caps`.
            Node::Opaque { .. } => Vec::new(),
        }
    }

    fn repeat(&self, repeat: &Repeat, at: &Code, scope: &Scope) -> Vec<Stmt> {
        let mut parts = self.decoder().head(&repeat.head, at, scope);
        let (head, count) = (scope.var("head"), scope.var("count"));
        let states_extent = repeat.states_extent();
        let least = if states_extent { scope.var("size") } else { repeat.element_min.to_code() };
        parts.push(step(at, repeat.head.size));
        parts.push(scope.fail_if(code!("!in.fits({count}, {least}, {at}, {head})")));
        parts.extend(self.decoder().short(repeat, &count, &least, at, scope));
        let at_once = self
            .unchecked(repeat, scope, &least)
            .map(|cost| (code!("in.pays_for({count}, {cost})"), step(at, code!("{count} * {least}"))));
        let mut inner = scope.deeper();
        if states_extent {
            inner.extent = least;
        }
        let index = inner.var("index");
        let inner = inner.element(&index);
        let body = match &repeat.element {
            Element::One(node) => match counted_cell(node, repeat) {
                Some(slot) => self.counted_cell(slot, at, &inner.deeper()),
                None => {
                    let read = match self.decoder().may_be_unpaid(repeat) {
                        true => self.element(node, at, &inner),
                        false => self.node(node, at, &inner.deeper()),
                    };
                    self.affords(&inner).into_iter().chain(read).collect()
                }
            },
            Element::Pair { key, value } => self.pair(key, value, repeat, at, &inner),
        };
        let one_by_one = counted(&index, count, body);
        parts.push(match at_once {
            Some((condition, all)) => Stmt::Choice(vec![(Some(condition), vec![all]), (None, vec![one_by_one])]),
            None => one_by_one,
        });
        parts
    }

    fn counted_cell(&self, slot: &Slot, at: &Code, scope: &Scope) -> Vec<Stmt> {
        let mut parts = vec![self.decoder().cell_paid(slot, at, scope)];
        parts.extend(self.slot(slot, at, scope, Guard::None));
        parts.push(step(at, slot.width));
        parts
    }

    /// The charge for each element where nothing of them needs a check but that they are there, which is known: they are
    /// paid for at once.
    fn unchecked(&self, repeat: &Repeat, scope: &Scope, size: &Code) -> Option<Code> {
        match &repeat.element {
            Element::One(Node::Call { record }) if self.is_plain_block(*record) => Some(size.to_owned()),
            element => {
                let cells = element.nodes().into_iter().map(|node| match node {
                    Node::Cell { slot } if self.slot(slot, &var("at"), scope, Guard::None).is_empty() => {
                        Some(slot.width)
                    }
                    _ => None,
                });
                let cells: Option<Vec<u32>> = cells.collect();
                cells.filter(|_| repeat.element_min > 0)?;
                // Without checks there are no links, which alone have surcharges of elements.
                Some(element.charged()?.to_code())
            }
        }
    }

    /// Whether a record is a block whose bytes may be anything.
    fn is_plain_block(&self, id: TypeId) -> bool {
        let checks = |run: &Run| self.slots(&run.slots, &var("at"), id, &Scope::new("in", "nullptr"), Guard::All);
        self.wire.lone_block(id).is_some_and(|run| checks(run).is_empty())
    }

    fn pair(&self, key: &Node, value: &Node, repeat: &Repeat, at: &Code, scope: &Scope) -> Vec<Stmt> {
        let from = scope.var("from");
        let inner = scope.deeper();
        let mut body = Vec::new();
        if let (Node::Cell { slot: key_slot }, Node::Cell { slot }) = (key, value) {
            body.push(alias("const std::byte* const", &from, at));
            body.push(self.decoder().cell_paid(key_slot, &from, &inner));
            body.extend(self.slot(key_slot, &from, &inner, Guard::None));
            body.push(self.decoder().cell_paid(slot, &offset(&from, key_slot.width), &inner));
            body.push(scoped(self.slot(slot, &from, &inner, Guard::None)));
            body.push(step(at, key_slot.width + slot.width));
        } else {
            body.extend(self.affords(&inner));
            body.push(scoped(self.node(key, at, &inner)));
            body.push(scoped(self.node(value, at, &inner)));
        }
        if self.decoder().may_be_unpaid(repeat) {
            if !matches!((key, value), (Node::Cell { .. }, Node::Cell { .. })) {
                body.insert(0, alias("const std::byte* const", &from, at));
            }
            body.push(inner.fail_if(self.decoder().is_empty_unpaid(at, &from)));
        }
        body
    }

    fn element(&self, node: &Node, at: &Code, scope: &Scope) -> Vec<Stmt> {
        if node_min_size(self.plan(), node) > 0 {
            return self.node(node, at, &scope.deeper());
        }
        let from = scope.var("from");
        let mut parts = vec![alias("const std::byte* const", &from, at)];
        parts.extend(self.node(node, at, &scope.deeper()));
        parts.push(scope.fail_if(self.decoder().is_empty_unpaid(at, &from)));
        parts
    }
}

/// Whether a slot has links in it.
fn leads_on(slot: &Slot) -> bool {
    match &slot.kind {
        SlotKind::Link(_) | SlotKind::Presence(_) => true,
        SlotKind::Array { element, .. } => leads_on(element),
        SlotKind::Nest { slots, .. } => slots.iter().any(leads_on),
        _ => false,
    }
}
