//! Parts of variable size.

use super::slot::{is_row, reference};
use super::{Decoder, Guard};
use crate::code::{block, line, Stmt};
use crate::names::Site;
use crate::scope::{offset, Scope};
use aldis_emit::needs::takes_extent;
use aldis_plan::{short_of_cell, Blob, Element, Limits, Meaning, Node, Register, Repeat, Run, Shape, Slot, SlotKind};
use aldis_schema::Type;

impl Decoder<'_, '_> {
    /// Reads the value of type `ty` at the pointer `at`, which it moves past what of the value lies there.
    pub(super) fn node(&self, node: &Node, ty: &Type, at: &str, target: &str, scope: &Scope) -> Vec<Stmt> {
        match node {
            Node::Cell { slot } => {
                let mut parts = vec![self.cell_fits(slot, at, scope)];
                parts.extend(self.cell(slot, ty, at, target, scope));
                parts
            }
            Node::Call { record } => {
                let extent =
                    if takes_extent(self.wire.plan, *record) { format!(", {}", scope.extent) } else { String::new() };
                let name = self.gen.names.of(*record);
                vec![
                    line(format!("{at} = read_{name}(in, {at}{extent}, {target});")),
                    scope.fail_if(format!("{at} == nullptr")),
                ]
            }
            Node::Blob(blob) => self.blob(blob, at, target, scope),
            Node::Repeat(repeat) => self.repeat(repeat, ty, at, target, scope),
            Node::Series { count, element } => {
                let inner = scope.deeper();
                let (index, item) = (inner.var("index"), inner.var("item"));
                let mut body = vec![line(format!("auto& {item} = {target}[{index}];"))];
                body.extend(self.element(element, ty.element(), at, &item, &inner.element(&index)));
                vec![block(format!("for (std::size_t {index} = 0; {index} < {count}; ++{index})"), body)]
            }
            Node::Maybe { value } => {
                let (item, mut read) = reference(target, true, scope);
                read.extend(self.node(value, ty.required(), at, &item, &scope.deeper()));
                vec![
                    scope.fail_if(format!("!{}", self.need(at, 1, 1))),
                    Stmt::Choice(vec![
                        (Some(format!("*{at}++ == std::byte{{0}}")), vec![line(format!("{target}.reset();"))]),
                        (None, read),
                    ]),
                ]
            }
            Node::Rebase { value } => {
                let base = scope.var("base");
                let inner = scope.deeper().counting_from(&base);
                let read = self.node(value, ty, at, target, &inner);
                // Many values have no links, so nothing counts from anywhere.
                if crate::code::mention(&read, &base) {
                    let mut parts = vec![line(format!("const std::byte* const {base} = {at};"))];
                    parts.extend(read);
                    return parts;
                }
                read
            }
            // Refused before: see `caps`.
            Node::Opaque { .. } => Vec::new(),
        }
    }

    /// Reads a cell whose bytes are there.
    fn cell(&self, slot: &Slot, ty: &Type, at: &str, target: &str, scope: &Scope) -> Vec<Stmt> {
        let maybe = matches!(ty, Type::Optional(_));
        let mut parts = self.slot(slot, ty, at, target, maybe, scope, Guard::None);
        parts.push(line(format!("{at} += {};", slot.width)));
        parts
    }

    /// Pays for a cell whose bytes are known to be there.
    pub(crate) fn cell_paid(&self, slot: &Slot, at: &str, scope: &Scope) -> Option<Stmt> {
        let cost = u64::from(slot.width).saturating_add(slot.surcharge());
        self.wire.needs.budget.then(|| scope.fail_if(format!("!in.charge({cost}, {at})")))
    }

    pub(crate) fn cell_fits(&self, slot: &Slot, at: &str, scope: &Scope) -> Stmt {
        let width = u64::from(slot.width);
        scope.fail_if(format!("!{}", self.need(at, width, width.saturating_add(slot.surcharge()))))
    }

    /// Reads a head: what it says of count and extent, where it says so.
    pub(crate) fn head(&self, head: &Run, at: &str, scope: &Scope) -> Vec<Stmt> {
        let size = u64::from(head.size);
        let mut parts = vec![
            line(format!("const std::byte* const {} = {at};", scope.var("head"))),
            scope.fail_if(format!("!{}", self.need(at, size, size))),
        ];
        for slot in &head.slots {
            let SlotKind::Register(register) = &slot.kind else { continue };
            let name = match register.meaning {
                Meaning::Count { .. } => "count",
                Meaning::Extent { .. } => "size",
                _ => continue,
            };
            let value = self.register_value(slot, register, at);
            parts.push(line(format!("const std::uint64_t {} = {value};", scope.var(name))));
        }
        parts
    }

    fn blob(&self, blob: &Blob, at: &str, target: &str, scope: &Scope) -> Vec<Stmt> {
        if let Some(width) = plain_count(&blob.head) {
            return vec![
                line(format!("{at} = aldis::take_counted<{}>(in, {at}, {target});", super::unsigned(width))),
                scope.fail_if(format!("{at} == nullptr")),
            ];
        }
        let mut parts = self.head(&blob.head, at, scope);
        let (head, count) = (scope.var("head"), scope.var("count"));
        parts.push(line(format!("{at} = in.take({}, {count}, {head}, {target});", offset(at, blob.head.size))));
        let charge = if self.wire.needs.budget { format!(" || !in.pay({count}, {head})") } else { String::new() };
        parts.push(scope.fail_if(format!("{at} == nullptr{charge}")));
        parts
    }

    fn repeat(&self, repeat: &Repeat, ty: &Type, at: &str, target: &str, scope: &Scope) -> Vec<Stmt> {
        let mut parts = self.head(&repeat.head, at, scope);
        let (head, count) = (scope.var("head"), scope.var("count"));
        let states_extent = repeat.head.register(is_extent).is_some();
        let least = if states_extent { scope.var("size") } else { repeat.element_min.to_string() };
        parts.push(line(format!("{at} += {};", repeat.head.size)));
        parts.push(scope.fail_if(format!("!in.fits({count}, {least}, {at}, {head})")));
        let short = repeat.element.charged().map_or(0, short_of_cell);
        if short > 0 && self.wire.needs.budget {
            parts.push(scope.fail_if(format!("!in.charge({count} * {short}, {at})")));
        }
        let mut inner = scope.deeper();
        if states_extent {
            inner.extent = least;
        }
        match (&repeat.element, repeat.shape) {
            (Element::Pair { key, value }, _) => {
                parts.extend(self.pairs(key, value, repeat, ty, at, target, &count, &inner));
            }
            (Element::One(node), Shape::Set | Shape::Map) => {
                parts.extend(self.set(node, repeat, ty, at, target, &count, &inner));
            }
            (Element::One(Node::Cell { slot }), Shape::List) if is_row(slot) => {
                if self.wire.needs.budget {
                    parts.push(scope.fail_if(format!("!in.charge({count} * {}, {at})", slot.width)));
                }
                parts.push(line(format!("{at} = reader::take_row({at}, {count}, {target});")));
            }
            (Element::One(node), Shape::List) => {
                parts.extend(self.list(node, repeat, ty, at, target, &count, &inner));
            }
        }
        parts
    }

    #[allow(clippy::too_many_arguments)] // a node's place, its target and its surroundings
    fn list(
        &self,
        node: &Node,
        repeat: &Repeat,
        ty: &Type,
        at: &str,
        target: &str,
        count: &str,
        scope: &Scope,
    ) -> Vec<Stmt> {
        let (index, item) = (scope.var("index"), scope.var("item"));
        // Elements are made one by one, as their bytes are read and paid for: many links may lead to few bytes.
        let mut body = vec![line(format!("auto& {item} = aldis::element({target}, {index}, {count});"))];
        body.extend(self.counted(node, repeat, ty.element(), at, &item, &scope.element(&index)));
        let one_by_one = vec![
            block(format!("for (std::size_t {index} = 0; {index} < {count}; ++{index})"), body),
            line(format!("aldis::fit({target}, {count});")),
        ];
        match self.at_once(node, at, target, count, scope) {
            Some((condition, all)) => vec![Stmt::Choice(vec![(Some(condition), all), (None, one_by_one)])],
            None => one_by_one,
        }
    }

    /// How elements that are plain blocks are read where all of them are there, whole and paid for; and the condition that
    /// they are.
    fn at_once(&self, node: &Node, at: &str, target: &str, count: &str, scope: &Scope) -> Option<(String, Vec<Stmt>)> {
        let Node::Call { record } = node else { return None };
        let run = self.plain_block(*record)?;
        let (size, item) = (&scope.extent, scope.var("item"));
        let mut whole = self.is_whole(run, size)?;
        if self.wire.needs.budget {
            whole.push_str(&format!(" && in.pays_for({count}, {size})"));
        }
        let mut body = Vec::new();
        if self.gen.notes_missing(*record) {
            body.push(line(format!("{item}.missing_fields.clear();")));
        }
        body.push(line(format!("{at} = {}<true>(in, {at}, {size}, {item});", self.block_name(*record))));
        let all = block(format!("for (auto& {item} : aldis::resized({target}, {count}))"), body);
        Some((whole, vec![all]))
    }

    #[allow(clippy::too_many_arguments)] // as above
    fn set(
        &self,
        node: &Node,
        repeat: &Repeat,
        ty: &Type,
        at: &str,
        target: &str,
        count: &str,
        scope: &Scope,
    ) -> Vec<Stmt> {
        let (index, item) = (scope.var("index"), scope.var("item"));
        let mut body = vec![self.item(&item, ty.element(), target)];
        body.extend(self.counted(node, repeat, ty.element(), at, &item, &scope.element(&index)));
        // Of equals the first stays.
        body.push(line(format!("{target}.insert(std::move({item}));")));
        vec![
            line(format!("{target}.clear();")),
            block(format!("for (std::size_t {index} = 0; {index} < {count}; ++{index})"), body),
        ]
    }

    /// A variable for what goes to a set or map, of which it has the memory.
    fn item(&self, name: &str, ty: &Type, target: &str) -> Stmt {
        let cpp = self.gen.cpp_type(ty, Site::Namespace);
        match self.gen.allocates(ty) {
            true => line(format!("auto {name} = std::make_obj_using_allocator<{cpp}>({target}.get_allocator());")),
            false => line(format!("{cpp} {name}{{}};")),
        }
    }

    #[allow(clippy::too_many_arguments)] // as above
    fn pairs(
        &self,
        key: &Node,
        value: &Node,
        repeat: &Repeat,
        ty: &Type,
        at: &str,
        target: &str,
        count: &str,
        scope: &Scope,
    ) -> Vec<Stmt> {
        let Type::Map { key: key_type, value: value_type, .. } = ty.required() else { return Vec::new() };
        let index = scope.var("index");
        let (key_item, item, from) = (scope.var("key"), scope.var("item"), scope.var("from"));
        let inner = scope.element(&index).deeper();
        let mut body = vec![self.item(&key_item, key_type, target), self.item(&item, value_type, target)];
        if let (Node::Cell { slot: key_slot }, Node::Cell { slot }) = (key, value) {
            let maybe = matches!(**value_type, Type::Optional(_));
            body.push(line(format!("const std::byte* const {from} = {at};")));
            body.extend(self.cell_paid(key_slot, &from, &inner));
            body.extend(self.slot(key_slot, key_type, &from, &key_item, false, &inner, Guard::None));
            body.extend(self.cell_paid(slot, &offset(&from, key_slot.width), &inner));
            body.push(crate::code::scoped(self.slot(slot, value_type, &from, &item, maybe, &inner, Guard::None)));
            body.push(line(format!("{at} += {};", key_slot.width + slot.width)));
        } else {
            let mut read = self.node(key, key_type, at, &key_item, &inner);
            body.push(crate::code::scoped(std::mem::take(&mut read)));
            body.push(crate::code::scoped(self.node(value, value_type, at, &item, &inner)));
        }
        if repeat.element_min == 0 {
            body.insert(2, line(format!("const std::byte* const {from} = {at};")));
            body.push(inner.fail_if(self.is_empty_unpaid(at, &from)));
        }
        // Of equal keys the first stays.
        body.push(line(format!("{target}.emplace(std::move({key_item}), std::move({item}));")));
        vec![
            line(format!("{target}.clear();")),
            block(format!("for (std::size_t {index} = 0; {index} < {count}; ++{index})"), body),
        ]
    }

    /// An element of a repeat; one that takes no bytes is charged.
    fn counted(&self, node: &Node, repeat: &Repeat, ty: &Type, at: &str, item: &str, scope: &Scope) -> Vec<Stmt> {
        if let Some(slot) = counted_cell(node, repeat) {
            let inner = scope.deeper();
            let mut parts: Vec<Stmt> = self.cell_paid(slot, at, &inner).into_iter().collect();
            parts.extend(self.cell(slot, ty, at, item, &inner));
            return parts;
        }
        if repeat.element_min > 0 {
            return self.node(node, ty, at, item, &scope.deeper());
        }
        self.element(node, ty, at, item, scope)
    }

    fn element(&self, node: &Node, ty: &Type, at: &str, item: &str, scope: &Scope) -> Vec<Stmt> {
        if aldis_plan::node_min_size(self.wire.plan, node) > 0 || !self.wire.needs.budget {
            return self.node(node, ty, at, item, &scope.deeper());
        }
        let from = scope.var("from");
        let mut parts = vec![line(format!("const std::byte* const {from} = {at};"))];
        parts.extend(self.node(node, ty, at, item, &scope.deeper()));
        parts.push(scope.fail_if(self.is_empty_unpaid(at, &from)));
        parts
    }

    pub(crate) fn is_empty_unpaid(&self, at: &str, from: &str) -> String {
        format!("{at} == {from} && !in.charge({}, {at})", Limits::EMPTY_ELEMENT)
    }
}

/// The width of a head that is nothing but a count.
pub(crate) fn plain_count(head: &Run) -> Option<u32> {
    let [slot] = head.slots.as_slice() else { return None };
    let SlotKind::Register(register) = &slot.kind else { return None };
    let is_count = matches!(register.meaning, Meaning::Count { .. }) && register.constant.is_none();
    (is_count && slot.at == 0 && slot.width == head.size).then_some(slot.width)
}

/// The cell that each element is, where the count was checked against the bytes of all of them: not one without bytes, which
/// costs more than its width.
pub(crate) fn counted_cell<'n>(node: &'n Node, repeat: &Repeat) -> Option<&'n Slot> {
    match node {
        Node::Cell { slot } => (slot.width > 0 && repeat.element_min == slot.width).then_some(slot),
        _ => None,
    }
}

pub(crate) fn is_extent(register: &Register) -> bool {
    matches!(register.meaning, Meaning::Extent { .. })
}
