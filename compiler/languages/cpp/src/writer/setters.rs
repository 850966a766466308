//! Functions that set fields by their values.

use super::class::owed;
use super::within::{bounds, within_part, within_slot};
use super::Writers;
use crate::code::{
    alias, code, counted, declare, mention, quoted, scoped, short_function, stmt, var, when, Code, Stmt,
};
use crate::gen::Hold;
use crate::names::Site;
use crate::scope::{offset, Scope};
use aldis_plan::{Node, NullLink, Run, Slot, SlotKind};
use aldis_schema::{Type, TypeId};

impl Writers<'_, '_> {
    pub(super) fn slot_setters(&self, id: TypeId, step: usize, slot: &Slot, later: &mut Vec<Stmt>) -> Vec<Stmt> {
        let Some(index) = slot.field.filter(|index| !self.encoder.is_constant(id, *index)) else { return Vec::new() };
        let maybe = matches!(self.gen.hold(id, index as usize), Hold::Maybe | Hold::Boxed);
        let body = match self.slot_call(id, step, slot, maybe) {
            Some(call) => vec![stmt!("return {}->{call};", self.private(id, "draft_"))],
            None => self.slot_body(id, step, slot, maybe),
        };
        let mut parts = vec![self.setter(id, index as usize, body)];
        if let Some(within) = within_slot(slot) {
            parts.push(self.linked(id, index as usize, &within, &self.field_place(id, slot), later));
        }
        parts
    }

    /// `{at_, 12, depth_}`
    fn field_place(&self, id: TypeId, slot: &Slot) -> Code {
        code!("{{{}, {}, {}}}", self.private(id, "at_"), slot.at, self.private(id, "depth_"))
    }

    /// The call of the draft that writes a field, where it has one for fields of that kind.
    fn slot_call(&self, id: TypeId, step: usize, slot: &Slot, maybe: bool) -> Option<Code> {
        let name = quoted(&self.gen.field(id, slot.field? as usize).name);
        match &slot.kind {
            SlotKind::Scalar(scalar) => {
                let value = self.encoder_in(id).stored(scalar, &var("value").into(), maybe)?;
                let (at, place) = (slot.at, self.private(id, "place_"));
                Some(match self.wire.needs.links {
                    true => code!("set<byte_order>({{{}, {at}}}, {value})", self.private(id, "at_")),
                    false => code!("set<byte_order>({place}, {{.run = {step}, .at = {at}}}, {value}, {name})"),
                })
            }
            SlotKind::Link(link) if self.wire.needs.links && !maybe => {
                let field = self.field_place(id, slot);
                match (&*link.target, link.null) {
                    (Node::Blob(blob), NullLink::Empty) => {
                        let (count, _) = lone_count(&blob.head).filter(|(width, most)| *most == greatest(*width))?;
                        let count = crate::decode::unsigned(count);
                        Some(code!("link_bytes<byte_order, {count}>({field}, value, {name})"))
                    }
                    (Node::Call { record }, NullLink::Refused) => {
                        let [size, write] = ["size", "write"].map(|what| self.encoder.call(what, *record));
                        Some(code!("link_record<byte_order>({field}, value, {name}, {size}, {write})"))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The statements that write any field.
    fn slot_body(&self, id: TypeId, step: usize, slot: &Slot, maybe: bool) -> Vec<Stmt> {
        let Some(index) = slot.field else { return Vec::new() };
        let field = self.gen.field(id, index as usize);
        let scope = Scope::new("out", "false");
        let named = scope.field(&field.name).deeper();
        let checks = self.encoder_in(id).size_slot(slot, &field.ty, &var("value").into(), maybe, &named);
        let stores =
            self.encoder_in(id).slot(slot, &field.ty, &var("at"), &var("value").into(), maybe, &scope.deeper());
        let mut body = vec![stmt!("aldis::draft& out = *{};", self.private(id, "draft_"))];
        let refused = code!("return out.refuse_field({});", quoted(&field.name));
        if self.wire.needs.links {
            body.push(when(code!("!out.measure({})", self.private(id, "depth_")), vec![stmt!("return false;")]));
            body.extend(checks);
            if mention(&stores, &var("next")) {
                body.push(declare("std::byte*", &var("next"), code!("out.append_measured()")));
                body.push(when(code!("next == nullptr"), vec![Stmt::Line(refused)]));
                body.push(end_of_part());
            }
            body.push(alias("std::byte* const", &var("at"), self.private(id, "at_")));
            body.extend(settled(slot));
        } else {
            body.extend(checks);
            body.push(alias("std::byte* const", &var("at"), code!("out.run({}, {step})", self.private(id, "place_"))));
            body.push(when(code!("at == nullptr"), vec![Stmt::Line(refused)]));
        }
        body.push(scoped(stores));
        body.push(stmt!("return true;"));
        body
    }

    pub(super) fn part_setters(
        &self,
        id: TypeId,
        step: usize,
        index: u32,
        node: &Node,
        later: &mut Vec<Stmt>,
    ) -> Vec<Stmt> {
        let body = match self.part_call(id, step, index as usize, node) {
            Some(call) => vec![stmt!("return {}->{call};", self.private(id, "draft_"))],
            None => self.part_body(id, step, index as usize, node),
        };
        let mut parts = vec![self.setter(id, index as usize, body)];
        if let Some(within) = within_part(node) {
            parts.push(self.sequential(id, step, index as usize, &within, later));
        }
        parts
    }

    /// The call of the draft that writes a part, where it has one for parts of that kind.
    fn part_call(&self, id: TypeId, step: usize, index: usize, node: &Node) -> Option<Code> {
        let (place, name) = (self.private(id, "place_"), quoted(&self.gen.field(id, index).name));
        match node {
            _ if matches!(self.gen.hold(id, index), Hold::Maybe | Hold::Boxed) => None,
            Node::Blob(blob) => {
                let (width, most) = lone_count(&blob.head)?;
                let count = crate::decode::unsigned(width);
                let most = (most != greatest(width)).then(|| code!(", {most}"));
                Some(code!("put_bytes<byte_order, {count}>({place}, {step}, value, {name}{most})"))
            }
            Node::Call { record } => {
                let [size, write] = ["size", "write"].map(|what| self.encoder.call(what, *record));
                Some(code!("put_record({place}, {step}, value, {name}, {size}, {write})"))
            }
            _ => None,
        }
    }

    /// The statements that write any part.
    fn part_body(&self, id: TypeId, step: usize, index: usize, node: &Node) -> Vec<Stmt> {
        let field = self.gen.field(id, index);
        let scope = Scope::new("out", "false");
        let (fixed, checks) =
            self.encoder_in(id).size_node(node, &field.ty, &var("value").into(), &scope.field(&field.name).deeper());
        let refused = code!("return out.refuse_field({});", quoted(&field.name));
        let mut body = vec![
            stmt!("aldis::draft& out = *{};", self.private(id, "draft_")),
            when(code!("!out.at_part({}, {step})", self.private(id, "place_")), vec![Stmt::Line(refused.clone())]),
        ];
        body.extend((fixed > 0).then_some(Stmt::Size(fixed)));
        body.extend(checks);
        body.push(declare("std::byte*", &var("next"), code!("out.append_measured()")));
        body.push(when(code!("next == nullptr"), vec![Stmt::Line(refused)]));
        body.push(end_of_part());
        body.push(scoped(self.encoder_in(id).node(node, &field.ty, &var("value").into(), &scope.deeper())));
        body.push(stmt!("return out.next_step();"));
        body
    }

    /// A function that takes a field's value.
    fn setter(&self, id: TypeId, index: usize, body: Vec<Stmt>) -> Stmt {
        let field = self.gen.field(id, index);
        let name = self.gen.names.member(id, index);
        let maybe = matches!(self.gen.hold(id, index), Hold::Maybe | Hold::Boxed);
        let ty = match &field.ty {
            Type::Text(_) | Type::Chars { .. } if !maybe => code!("std::string_view"),
            Type::Bytes if !maybe => code!("std::span<const std::byte>"),
            Type::List(element) if !maybe && self.is_row(element) => {
                code!("std::span<const {}>", self.gen.cpp_type(element, Site::Writer(id)))
            }
            _ => {
                let ty = self.gen.member_type(id, index, Site::Writer(id));
                let plain = !maybe
                    && !matches!(field.ty, Type::Array { .. } | Type::List(_) | Type::Set(_) | Type::Map { .. })
                    && !matches!(field.ty, Type::Named(inner) if self.gen.is_record(inner));
                if plain {
                    ty
                } else {
                    code!("const {ty}&")
                }
            }
        };
        let mut parts = crate::types::docs(&field.doc);
        // A record without fields may take no bytes.
        let unused = if mention(&body, &var("value")) { "" } else { "[[maybe_unused]] " };
        parts.push(short_function(code!("bool {name}({unused}{ty} value)"), body));
        Stmt::Group(parts)
    }

    fn is_row(&self, element: &Type) -> bool {
        match element {
            Type::Int(_) | Type::Float32 | Type::Float64 | Type::Timestamp | Type::Char => true,
            Type::Named(id) => !self.gen.is_record(*id),
            _ => false,
        }
    }
}

/// The name of the place behind all that a setter writes.
fn end_of_part() -> Stmt {
    alias("const std::byte* const", &var("end"), code!("out.end()"))
}

/// Notes that the links of a slot get their targets.
fn settled(slot: &Slot) -> Vec<Stmt> {
    match &slot.kind {
        _ if owed(slot) == 0 => Vec::new(),
        SlotKind::Array { count, element } => {
            vec![counted(
                &var("index"),
                count,
                vec![stmt!("out.settle({} + index * {});", offset(&var("at"), slot.at), element.width)],
            )]
        }
        _ => vec![stmt!("out.settle({});", offset(&var("at"), slot.at))],
    }
}

/// The width of the count that a head is, and the most that it may say, where it is nothing else and may say zero.
fn lone_count(head: &Run) -> Option<(u32, u64)> {
    let (least, most) = bounds(head);
    head.plain_count().filter(|_| least == 0).map(|width| (width, most))
}

/// The greatest number of that many bytes, or that a count may be.
fn greatest(width: u32) -> u64 {
    u64::from(u32::MAX) >> (32 - 8 * width.min(4))
}
