//! Parts of variable size, written at the pointer `next`, which moves on.

use super::Encoder;
use crate::code::{alias, block, code, declare, for_each, scoped, step, stmt, var, when, Code, Stmt};
use crate::decode::is_row;
use crate::scope::{rebased, Scope};
use crate::source::Source;
use aldis_plan::{Element, Node, Repeat};
use aldis_schema::Type;

impl Encoder<'_, '_> {
    pub(crate) fn node(&self, node: &Node, ty: &Type, source: &Source, scope: &Scope) -> Vec<Stmt> {
        match node {
            Node::Cell { slot } => {
                let place = scope.var("cell");
                let maybe = matches!(ty, Type::Optional(_));
                let mut parts = vec![alias("std::byte* const", &place, var("next")), step(&var("next"), slot.width)];
                parts.extend(self.cell_gaps(slot, &place));
                parts.extend(self.slot(slot, ty, &place, source, maybe, &scope.deeper()));
                parts
            }
            Node::Call { record } => {
                vec![stmt!("next = {}(next, {}, end);", self.call("write", *record), source.argument())]
            }
            Node::Blob(blob) => {
                let mut parts = self.head(&blob.head, &var("next"), &code!("{source}.size()"));
                parts.push(stmt!("next = aldis::store_bytes(next + {}, {}, end);", blob.head.size, source.argument()));
                parts
            }
            Node::Repeat(repeat) => self.repeat(repeat, ty, source, scope),
            Node::Series { element, .. } => {
                let item = scope.var("item");
                vec![for_each(
                    code!("const auto& {item} : {source}"),
                    self.node(element, ty.element(), &item.clone().into(), &scope.deeper()),
                )]
            }
            Node::Maybe { value } => {
                let inner = self.node(value, ty.required(), &source.held(true), &scope.deeper());
                vec![
                    stmt!("aldis::store<byte_order>(next, {source}.has_value());"),
                    stmt!("++next;"),
                    when(code!("{source}.has_value()"), inner),
                ]
            }
            Node::Rebase { value } => {
                let base = scope.var("base");
                let inner = scope.deeper().counting_from(&base);
                rebased(self.node(value, ty, source, &inner), "std::byte*", &base, &var("next"))
            }
            // Refused before: see `caps`.
            Node::Opaque { .. } => Vec::new(),
        }
    }

    /// Zeros for bytes of a cell that nothing is written to.
    fn cell_gaps(&self, slot: &aldis_plan::Slot, place: &Code) -> Vec<Stmt> {
        let gaps = super::gaps(std::slice::from_ref(slot), slot.end());
        gaps.into_iter().filter(|(at, _)| *at >= slot.at).map(|(at, size)| super::zeros(place, at, size)).collect()
    }

    fn repeat(&self, repeat: &Repeat, ty: &Type, source: &Source, scope: &Scope) -> Vec<Stmt> {
        let mut parts = self.head(&repeat.head, &var("next"), &code!("{source}.size()"));
        let size = repeat.head.size;
        let inner = scope.deeper();
        let item = scope.var("item");
        match &repeat.element {
            Element::One(Node::Cell { slot }) if is_row(slot) && repeat.shape == aldis_plan::Shape::List => {
                parts.push(stmt!("next = aldis::store_rows<byte_order>(next + {size}, {source});"));
            }
            Element::One(Node::Cell { slot }) => {
                // Cells make one table; what their links lead to comes after it.
                let place = scope.var("entry");
                let maybe = matches!(ty.element(), Type::Optional(_));
                parts.push(declare("std::byte*", &place, code!("next + {size}")));
                parts.push(stmt!("next = {place} + {} * {source}.size();", slot.width));
                let mut body = self.cell_gaps(slot, &place);
                body.extend(self.slot(slot, ty.element(), &place, &item.clone().into(), maybe, &inner));
                body.push(step(&place, slot.width));
                parts.push(for_each(code!("const auto& {item} : {source}"), body));
            }
            Element::One(node) => {
                parts.push(step(&var("next"), size));
                let body = self.node(node, ty.element(), &item.clone().into(), &inner);
                parts.push(for_each(code!("const auto& {item} : {source}"), body));
            }
            Element::Pair { key, value } => parts.extend(self.pairs(key, value, size, ty, source, scope)),
        }
        parts
    }

    fn pairs(&self, key: &Node, value: &Node, size: u32, ty: &Type, source: &Source, scope: &Scope) -> Vec<Stmt> {
        let Type::Map { key: key_type, value: value_type, .. } = ty.required() else { return Vec::new() };
        let (key_item, item, inner) = (scope.var("key"), scope.var("item"), scope.deeper());
        let head = code!("for (const auto& [{key_item}, {item}] : {source})");
        if let (Node::Cell { slot: key_slot }, Node::Cell { slot }) = (key, value) {
            let place = scope.var("entry");
            let width = key_slot.width + slot.width;
            let maybe = matches!(**value_type, Type::Optional(_));
            let mut body = self.cell_gaps(key_slot, &place);
            body.extend(self.cell_gaps(slot, &place));
            body.push(scoped(self.slot(key_slot, key_type, &place, &key_item.clone().into(), false, &inner)));
            body.push(scoped(self.slot(slot, value_type, &place, &item.clone().into(), maybe, &inner)));
            body.push(step(&place, width));
            return vec![
                declare("std::byte*", &place, code!("next + {size}")),
                stmt!("next = {place} + {width} * {source}.size();"),
                block(head, body),
            ];
        }
        let mut body = vec![scoped(self.node(key, key_type, &key_item.clone().into(), &inner))];
        body.push(scoped(self.node(value, value_type, &item.clone().into(), &inner)));
        vec![step(&var("next"), size), block(head, body)]
    }
}
