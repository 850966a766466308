//! How many bytes a value takes, and whether it can be written: everything that can go wrong is found here.

use super::Encoder;
use crate::code::{code, for_each, mention, stmt, when, Code, Stmt};
use crate::gen::Hold;
use crate::scope::Scope;
use crate::source::Source;
use aldis_emit::needs::nesting;
use aldis_emit::takes_nothing;
use aldis_plan::{Element, Node, Repeat, Run, Slot, SlotKind};
use aldis_schema::{Type, TypeId};

impl Encoder<'_, '_> {
    /// Checks the fields in a run, and adds the sizes of what its links lead to.
    pub(super) fn size_fields(&self, slots: &[Slot], record: TypeId, source: &Source, scope: &Scope) -> Vec<Stmt> {
        let mut parts = Vec::new();
        for slot in slots {
            let Some(index) = slot.field else { continue };
            if self.is_constant(record, index) {
                continue;
            }
            let field = self.gen.field(record, index as usize);
            let member = code!("{source}.{}", self.gen.names.member(record, index as usize)).into();
            let maybe = matches!(self.gen.hold(record, index as usize), Hold::Maybe | Hold::Boxed);
            parts.extend(self.size_slot(slot, &field.ty, &member, maybe, &scope.field(&field.name).deeper()));
        }
        parts
    }

    pub(crate) fn size_slot(&self, slot: &Slot, ty: &Type, source: &Source, maybe: bool, scope: &Scope) -> Vec<Stmt> {
        let is_presence = matches!(slot.kind, SlotKind::Presence(_));
        let held = source.held(maybe || is_presence);
        let parts = match &slot.kind {
            SlotKind::Chars { .. } => vec![scope.fail_if(code!("!out.within({held}.size(), 0, {})", slot.width))],
            SlotKind::Array { element, .. } => {
                let item = scope.var("item");
                let inner = scope.deeper();
                let index = scope.var("index");
                let maybe = matches!(ty.element(), Type::Optional(_));
                let body = self.size_slot(element, ty.element(), &item.clone().into(), maybe, &inner.element(&index));
                each(&item, &index, &held, body)
            }
            SlotKind::Nest { record, slots } => {
                let mut parts = Vec::new();
                if self.gen.notes_missing(*record) {
                    parts.push(self.refuse_missing(*record, &held, scope));
                }
                parts.extend(self.size_fields(slots, *record, &held, scope));
                parts
            }
            SlotKind::Link(link) | SlotKind::Presence(link) => {
                let (fixed, mut parts) = self.size_node(&link.target, ty.required(), &held, &scope.deeper());
                if fixed > 0 {
                    parts.insert(0, Stmt::Size(fixed));
                }
                parts
            }
            _ => Vec::new(),
        };
        if parts.is_empty() || !(maybe || is_presence) {
            return parts;
        }
        vec![when(code!("{source}.has_value()"), parts)]
    }

    /// The bytes that any value takes, and statements that add what depends on the value.
    pub(crate) fn size_node(&self, node: &Node, ty: &Type, source: &Source, scope: &Scope) -> (u64, Vec<Stmt>) {
        match node {
            Node::Cell { slot } => {
                let maybe = matches!(ty, Type::Optional(_));
                (u64::from(slot.width), self.size_slot(slot, ty, source, maybe, scope))
            }
            Node::Call { record } => {
                let size = self.call("size", *record);
                let mut parts = vec![scope.fail_if(code!("!{size}(out, {})", source.argument()))];
                if self.wire.needs.depth && self.gen.names.origin_of(*record).is_some() {
                    // The code of that schema need not count how deep its records are.
                    parts.push(stmt!("out.pass_uncounted({});", nesting(self.wire.plan, *record)));
                }
                (0, parts)
            }
            Node::Blob(blob) => {
                let mut parts = self.count_within(&blob.head, source, scope);
                parts.push(stmt!("out.add({source}.size());"));
                (u64::from(blob.head.size), parts)
            }
            Node::Repeat(repeat) => {
                let mut parts = self.count_within(&repeat.head, source, scope);
                parts.extend(self.size_elements(repeat, ty, source, scope));
                (u64::from(repeat.head.size), parts)
            }
            Node::Series { count, element } => {
                let (item, index) = (scope.var("item"), scope.var("index"));
                let inner = scope.deeper().element(&index);
                let (fixed, body) = self.size_node(element, ty.element(), &item.clone().into(), &inner.deeper());
                let mut parts = each(&item, &index, source, body);
                if takes_nothing(self.wire.plan, element) {
                    parts.push(stmt!("out.add_empty({count});"));
                }
                (fixed * u64::from(*count), parts)
            }
            Node::Maybe { value } => {
                let (fixed, mut parts) = self.size_node(value, ty.required(), &source.held(true), &scope.deeper());
                if fixed > 0 {
                    parts.insert(0, Stmt::Size(fixed));
                }
                let parts = if parts.is_empty() { parts } else { vec![when(code!("{source}.has_value()"), parts)] };
                (1, parts)
            }
            Node::Rebase { value } => self.size_node(value, ty, source, scope),
            // Refused before: see `caps`.
            Node::Opaque { .. } => (0, Vec::new()),
        }
    }

    fn size_elements(&self, repeat: &Repeat, ty: &Type, source: &Source, scope: &Scope) -> Vec<Stmt> {
        let index = scope.var("index");
        let inner = scope.deeper().element(&index).deeper();
        let (fixed, loops) = match &repeat.element {
            Element::One(node) => {
                let item = scope.var("item");
                let (fixed, body) = self.size_node(node, ty.element(), &item.clone().into(), &inner);
                (fixed, each(&item, &index, source, body))
            }
            Element::Pair { key, value } => {
                let Type::Map { key: key_type, value: value_type, .. } = ty.required() else { return Vec::new() };
                let (key_item, item) = (scope.var("key"), scope.var("item"));
                let (key_fixed, mut body) = self.size_node(key, key_type, &key_item.clone().into(), &inner);
                let (fixed, more) = self.size_node(value, value_type, &item.clone().into(), &inner);
                body.extend(more);
                (key_fixed + fixed, each(&code!("[{key_item}, {item}]"), &index, source, body))
            }
        };
        let mut parts = Vec::new();
        if repeat.element.nodes().into_iter().all(|node| takes_nothing(self.wire.plan, node)) {
            parts.push(stmt!("out.add_empty({source}.size());"));
        }
        match fixed {
            0 => {}
            1 => parts.push(stmt!("out.add({source}.size());")),
            _ => parts.push(stmt!("out.add({fixed} * {source}.size());")),
        }
        parts.extend(loops);
        parts
    }

    /// Checks a count against what its register may say. Counts beyond 32 bits make a message that is too large anyway.
    fn count_within(&self, head: &Run, source: &Source, scope: &Scope) -> Vec<Stmt> {
        match head.count_bounds() {
            Some((min, max)) if min > 0 || max < u64::from(u32::MAX) => {
                vec![scope.fail_if(code!("!out.within({source}.size(), {min}, {max})"))]
            }
            _ => Vec::new(),
        }
    }
}

/// A loop over elements, each called `item`; none where there is nothing to do. Its index is for faults.
fn each(item: &Code, index: &Code, source: &Source, body: Vec<Stmt>) -> Vec<Stmt> {
    if body.is_empty() {
        return body;
    }
    let reference = code!("const auto& {item}");
    if !mention(&body, index) {
        return vec![for_each(code!("{reference} : {source}"), body)];
    }
    let mut body = body;
    body.push(stmt!("++{index};"));
    vec![for_each(code!("std::size_t {index} = 0; {reference} : {source}"), body)]
}
