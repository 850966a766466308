//! Parts of variable size.

use super::slot::{is_row, unsigned, verb};
use super::{head_name, Decoder, Guard};
use crate::code::{alias, code, counted, declare, for_each, scoped, step, stmt, Code, Stmt, ToCode};
use crate::scope::{offset, rebased, Scope};
use aldis_emit::needs::takes_extent;
use aldis_plan::{short_of_cell, Blob, Element, Emptiness, Limits, Meaning, Node, Repeat, Run, Shape, Slot, SlotKind};
use aldis_schema::Type;

impl Decoder<'_, '_> {
    /// Reads the value of type `ty` at the pointer `at`, which it moves past what of the value lies there.
    pub(super) fn node(&self, node: &Node, ty: &Type, at: &Code, target: &Code, scope: &Scope) -> Vec<Stmt> {
        match node {
            Node::Cell { slot } => {
                let mut parts = vec![self.cell_fits(slot, at, scope)];
                parts.extend(self.cell(slot, ty, at, target, scope));
                parts
            }
            Node::Call { record } => {
                let extent = takes_extent(self.wire.plan, *record).then(|| code!(", {}", scope.extent));
                let read = self.call(*record, code!("read_{}", self.gen.names.of(*record)));
                vec![stmt!("{at} = {read}(in, {at}{extent}, {target});"), scope.fail_if(code!("{at} == nullptr"))]
            }
            Node::Blob(blob) => self.blob(blob, at, Some(target), scope),
            Node::Repeat(repeat) => self.repeat(repeat, ty, at, target, scope),
            Node::Series { count, element } => {
                let inner = scope.deeper();
                let (index, item) = (inner.var("index"), inner.var("item"));
                let mut body = vec![alias("auto&", &item, code!("{target}[{index}]"))];
                body.extend(self.element(element, ty.element(), at, &item, &inner.element(&index)));
                vec![counted(&index, count, body)]
            }
            Node::Maybe { value } => {
                let (item, mut read) = self.reference(target, true, scope);
                read.extend(self.node(value, ty.required(), at, &item, &scope.deeper()));
                vec![
                    scope.fail_if(code!("!{}", self.need(at, 1, 0))),
                    Stmt::Choice(vec![
                        (Some(code!("*{at}++ == std::byte{{0}}")), vec![stmt!("{target}.reset();")]),
                        (None, read),
                    ]),
                ]
            }
            Node::Rebase { value } => {
                let base = scope.var("base");
                let inner = scope.deeper().counting_from(&base);
                rebased(self.node(value, ty, at, target, &inner), "const std::byte*", &base, at)
            }
            // Refused before: see `caps`.
            Node::Opaque { .. } => Vec::new(),
        }
    }

    /// Reads a cell whose bytes are there.
    fn cell(&self, slot: &Slot, ty: &Type, at: &Code, target: &Code, scope: &Scope) -> Vec<Stmt> {
        let maybe = matches!(ty, Type::Optional(_));
        let mut parts = self.slot(slot, ty, at, target, maybe, scope, Guard::None);
        parts.push(step(at, slot.width));
        parts
    }

    /// Pays for a cell whose bytes are known to be there.
    pub(crate) fn cell_paid(&self, slot: &Slot, at: &Code, scope: &Scope) -> Stmt {
        let cost = match slot.surcharge() {
            0 => slot.width.to_code(),
            beside => code!("{} + in.extra({beside})", slot.width),
        };
        scope.fail_if(code!("!in.charge({cost}, {at})"))
    }

    pub(crate) fn cell_fits(&self, slot: &Slot, at: &Code, scope: &Scope) -> Stmt {
        let width = u64::from(slot.width);
        scope.fail_if(code!("!{}", self.need(at, width, slot.surcharge())))
    }

    /// Reads a head: what it says of count and extent, where it says so.
    pub(crate) fn head(&self, head: &Run, at: &Code, scope: &Scope) -> Vec<Stmt> {
        let mut parts = vec![alias("const std::byte* const", &scope.var("head"), at), self.head_fits(head, at, scope)];
        for slot in &head.slots {
            let SlotKind::Register(register) = &slot.kind else { continue };
            let name = match register.meaning {
                Meaning::Count { .. } => "count",
                Meaning::Extent { .. } => "size",
                _ => continue,
            };
            let value = self.register_value(slot, register, at);
            parts.push(declare("const std::uint64_t", &scope.var(name), value));
        }
        parts
    }

    /// Reads a blob, or checks it where it goes nowhere.
    pub(crate) fn blob(&self, blob: &Blob, at: &Code, target: Option<&Code>, scope: &Scope) -> Vec<Stmt> {
        let (verb, target) = (verb(target), target.map(|target| code!(", {target}")));
        let checked = self.gen.checks_blob(blob);
        if let Some(width) = blob.head.plain_count() {
            let take = if checked { code!("{verb}_counted_text") } else { code!("{verb}_counted") };
            let (width, name) = (unsigned(width), head_name(&blob.head));
            return vec![
                stmt!("{at} = aldis::{take}<{width}>(in, {at}{target}, {name});"),
                scope.fail_if(code!("{at} == nullptr")),
            ];
        }
        let mut parts = self.head(&blob.head, at, scope);
        let (head, count) = (scope.var("head"), scope.var("count"));
        parts.push(stmt!("{at} = in.{verb}({}, {count}, {head}{target});", offset(at, blob.head.size)));
        let content = offset(&head, blob.head.size);
        let check = checked.then(|| code!(" || !aldis::is_text(in, {content}, {at})"));
        parts.push(scope.fail_if(code!("{at} == nullptr || !in.pay({count}, {content}){check}")));
        parts
    }

    fn repeat(&self, repeat: &Repeat, ty: &Type, at: &Code, target: &Code, scope: &Scope) -> Vec<Stmt> {
        let mut parts = self.head(&repeat.head, at, scope);
        let (head, count) = (scope.var("head"), scope.var("count"));
        let states_extent = repeat.states_extent();
        let least = if states_extent { scope.var("size") } else { repeat.element_min.to_code() };
        parts.push(step(at, repeat.head.size));
        parts.push(scope.fail_if(code!("!in.fits({count}, {least}, {at}, {head})")));
        let short = self.short(repeat, &count, &least, at, scope);
        let mut inner = scope.deeper();
        if states_extent {
            inner.extent = least;
        }
        if let (Element::One(node @ Node::Call { .. }), Shape::List) = (&repeat.element, repeat.shape) {
            parts.extend(self.list(node, repeat, ty, at, target, &count, &inner, short));
            return parts;
        }
        parts.extend(short);
        match (&repeat.element, repeat.shape) {
            (Element::Pair { key, value }, _) => {
                parts.extend(self.pairs(key, value, repeat, ty, at, target, &count, &inner));
            }
            (Element::One(node), Shape::Set | Shape::Map) => {
                parts.extend(self.set(node, repeat, ty, at, target, &count, &inner));
            }
            (Element::One(Node::Cell { slot }), Shape::List) if is_row(slot) => {
                parts.push(scope.fail_if(code!("!in.charge({count} * {}, {at})", slot.width)));
                parts.push(stmt!("{at} = reader::take_row({at}, {count}, {target});"));
            }
            (Element::One(node), Shape::List) => {
                parts.extend(self.list(node, repeat, ty, at, target, &count, &inner, None));
            }
        }
        parts
    }

    /// Pays with the count for what elements lack: bytes, or enough of them.
    pub(crate) fn short(&self, repeat: &Repeat, count: &Code, extent: &Code, at: &Code, scope: &Scope) -> Option<Stmt> {
        if let (Element::One(Node::Call { record }), true) = (&repeat.element, repeat.states_extent()) {
            let known = self.told_name(*record);
            return Some(scope.fail_if(code!("!in.template pay_short<{known}>({count}, {extent}, {at})")));
        }
        if self.wire.plan.emptiness(repeat) == Emptiness::Always {
            return Some(scope.fail_if(code!("!in.charge_each({count}, {}, {at})", Limits::EMPTY_ELEMENT)));
        }
        let short = repeat.element.charged().map_or(0, short_of_cell);
        (short > 0).then(|| scope.fail_if(code!("!in.charge_each({count}, in.extra({short}), {at})")))
    }

    /// Whether elements of a repeat may turn out to have taken no bytes, which their count has not paid for.
    pub(crate) fn may_be_unpaid(&self, repeat: &Repeat) -> bool {
        self.wire.plan.emptiness(repeat) == Emptiness::Unknown
    }

    /// Reads a list. What its elements lack (`short`) is paid, and room made for them, where they are not whole: whole ones lack nothing,
    /// and all their bytes are paid for before any memory is taken.
    #[allow(clippy::too_many_arguments)] // a node's place, its target and its surroundings
    fn list(
        &self,
        node: &Node,
        repeat: &Repeat,
        ty: &Type,
        at: &Code,
        target: &Code,
        count: &Code,
        scope: &Scope,
        short: Option<Stmt>,
    ) -> Vec<Stmt> {
        let (index, item) = (scope.var("index"), scope.var("item"));
        let mut body = vec![alias("auto&", &item, code!("aldis::element({target}, {index})"))];
        body.extend(self.counted(node, repeat, ty.element(), at, &item, &scope.element(&index)));
        let mut parts: Vec<Stmt> = short.into_iter().collect();
        if self.wire.leads_to_list(node) {
            let room = scope.var("room");
            body.insert(0, stmt!("{room}.redeem();"));
            parts.push(stmt!("aldis::pledge {room} = in.pledge_room({target}, {count}, {at});"));
        } else {
            parts.push(stmt!("in.make_room({target}, {count}, {at});"));
        }
        parts.extend([counted(&index, count, body), stmt!("aldis::fit({target}, {count});")]);
        match self.at_once(node, at, target, count, scope) {
            Some((condition, all)) => vec![Stmt::Choice(vec![(Some(condition), all), (None, parts)])],
            None => parts,
        }
    }

    /// How elements that are plain blocks are read where all of them are there, whole and paid for; and the condition that
    /// they are.
    fn at_once(&self, node: &Node, at: &Code, target: &Code, count: &Code, scope: &Scope) -> Option<(Code, Vec<Stmt>)> {
        let Node::Call { record } = node else { return None };
        let run = self.plain_block(*record)?;
        let (size, item) = (&scope.extent, scope.var("item"));
        let whole = self.is_whole(run, size)?;
        let whole = code!("{whole} && in.pays_for({count}, {size})");
        let mut body = Vec::new();
        if self.gen.notes_missing(*record) {
            body.push(stmt!("{item}.missing_fields.clear();"));
        }
        body.push(stmt!("{at} = {}<true>(in, {at}, {size}, {item});", self.call(*record, self.block_name(*record))));
        let all = for_each(code!("auto& {item} : aldis::resized({target}, {count})"), body);
        Some((whole, vec![all]))
    }

    #[allow(clippy::too_many_arguments)] // as above
    fn set(
        &self,
        node: &Node,
        repeat: &Repeat,
        ty: &Type,
        at: &Code,
        target: &Code,
        count: &Code,
        scope: &Scope,
    ) -> Vec<Stmt> {
        let (index, item) = (scope.var("index"), scope.var("item"));
        let mut body = vec![alias("auto&", &item, code!("{}.value()", scope.var("node")))];
        body.extend(self.counted(node, repeat, ty.element(), at, &item, &scope.element(&index)));
        Self::nodes(target, count, scope, body)
    }

    /// Reads the elements of a set or map, each by `body` into a node that was there before or a new one.
    fn nodes(target: &Code, count: &Code, scope: &Scope, mut body: Vec<Stmt>) -> Vec<Stmt> {
        let (index, node, spare) = (scope.var("index"), scope.var("node"), scope.var("spare"));
        body.insert(0, declare("auto", &node, code!("aldis::take_node({spare})")));
        // The first of equal elements stays.
        body.push(stmt!("{target}.insert(std::move({node}));"));
        vec![declare("auto", &spare, code!("aldis::emptied({target})")), counted(&index, count, body)]
    }

    #[allow(clippy::too_many_arguments)] // as above
    fn pairs(
        &self,
        key: &Node,
        value: &Node,
        repeat: &Repeat,
        ty: &Type,
        at: &Code,
        target: &Code,
        count: &Code,
        scope: &Scope,
    ) -> Vec<Stmt> {
        let Type::Map { key: key_type, value: value_type, .. } = ty.required() else { return Vec::new() };
        let index = scope.var("index");
        let (key_item, item, from) = (scope.var("key"), scope.var("item"), scope.var("from"));
        let inner = scope.element(&index).deeper();
        let node = scope.var("node");
        let mut body =
            vec![alias("auto&", &key_item, code!("{node}.key()")), alias("auto&", &item, code!("{node}.mapped()"))];
        if let (Node::Cell { slot: key_slot }, Node::Cell { slot }) = (key, value) {
            let maybe = matches!(**value_type, Type::Optional(_));
            body.push(alias("const std::byte* const", &from, at));
            body.push(self.cell_paid(key_slot, &from, &inner));
            body.extend(self.slot(key_slot, key_type, &from, &key_item, false, &inner, Guard::None));
            body.push(self.cell_paid(slot, &offset(&from, key_slot.width), &inner));
            body.push(scoped(self.slot(slot, value_type, &from, &item, maybe, &inner, Guard::None)));
            body.push(step(at, key_slot.width + slot.width));
        } else {
            let mut read = self.node(key, key_type, at, &key_item, &inner);
            body.push(scoped(std::mem::take(&mut read)));
            body.push(scoped(self.node(value, value_type, at, &item, &inner)));
        }
        if self.may_be_unpaid(repeat) {
            body.insert(2, alias("const std::byte* const", &from, at));
            body.push(inner.fail_if(self.is_empty_unpaid(at, &from)));
        }
        Self::nodes(target, count, scope, body)
    }

    /// An element of a repeat; one that takes no bytes is charged.
    fn counted(&self, node: &Node, repeat: &Repeat, ty: &Type, at: &Code, item: &Code, scope: &Scope) -> Vec<Stmt> {
        if let Some(slot) = counted_cell(node, repeat) {
            let inner = scope.deeper();
            let mut parts = vec![self.cell_paid(slot, at, &inner)];
            parts.extend(self.cell(slot, ty, at, item, &inner));
            return parts;
        }
        if !self.may_be_unpaid(repeat) {
            return self.node(node, ty, at, item, &scope.deeper());
        }
        self.element(node, ty, at, item, scope)
    }

    fn element(&self, node: &Node, ty: &Type, at: &Code, item: &Code, scope: &Scope) -> Vec<Stmt> {
        if aldis_plan::node_min_size(self.wire.plan, node) > 0 {
            return self.node(node, ty, at, item, &scope.deeper());
        }
        let from = scope.var("from");
        let mut parts = vec![alias("const std::byte* const", &from, at)];
        parts.extend(self.node(node, ty, at, item, &scope.deeper()));
        parts.push(scope.fail_if(self.is_empty_unpaid(at, &from)));
        parts
    }

    pub(crate) fn is_empty_unpaid(&self, at: &Code, from: &Code) -> Code {
        code!("{at} == {from} && !in.charge({}, {at})", Limits::EMPTY_ELEMENT)
    }
}

/// The cell that each element is, where the count was checked against the bytes of all of them: not one without bytes, which
/// costs more than its width.
pub(crate) fn counted_cell<'n>(node: &'n Node, repeat: &Repeat) -> Option<&'n Slot> {
    match node {
        Node::Cell { slot } => (slot.width > 0 && repeat.element_min == slot.width).then_some(slot),
        _ => None,
    }
}
