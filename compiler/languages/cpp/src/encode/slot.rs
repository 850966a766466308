//! Values into slots of a run.

use super::{zeros, Encoder};
use crate::code::{alias, code, counted, hex, scoped, stmt, when_else, Code, Stmt, ToCode};
use crate::decode::is_row;
use crate::gen::Hold;
use crate::scope::{offset, Scope};
use crate::source::Source;
use aldis_plan::{Link, NullValue, Repr, Scalar, Slot, SlotKind};
use aldis_schema::{Type, TypeId};

impl Encoder<'_, '_> {
    /// Writes a record's field.
    pub(super) fn field_slot(
        &self,
        slot: &Slot,
        start: &Code,
        record: TypeId,
        source: &Source,
        scope: &Scope,
    ) -> Vec<Stmt> {
        let Some(index) = slot.field.filter(|index| !self.is_constant(record, *index)) else { return Vec::new() };
        let member = code!("{source}.{}", self.gen.names.member(record, index as usize)).into();
        let maybe = matches!(self.gen.hold(record, index as usize), Hold::Maybe | Hold::Boxed);
        let ty = &self.gen.field(record, index as usize).ty;
        let written = self.slot(slot, ty, start, &member, maybe, &scope.deeper());
        vec![scoped(written)]
    }

    /// Writes a value of type `ty`, which is an optional where `maybe`, into a slot.
    pub(crate) fn slot(
        &self,
        slot: &Slot,
        ty: &Type,
        start: &Code,
        source: &Source,
        maybe: bool,
        scope: &Scope,
    ) -> Vec<Stmt> {
        let at = offset(start, slot.at);
        if let SlotKind::Scalar(scalar) = &slot.kind {
            return self.scalar(scalar, &at, source, maybe);
        }
        if let SlotKind::Presence(link) = &slot.kind {
            let mut present = vec![stmt!("aldis::store<byte_order>({at}, true);")];
            let place = offset(start, slot.at + 1);
            present.extend(self.link(link, ty.required(), &place, &source.held(true), scope));
            return vec![when_else(code!("{source}.has_value()"), present, vec![zeros(start, slot.at, slot.width)])];
        }
        let held = source.held(maybe);
        let written = match &slot.kind {
            SlotKind::Chars { .. } => vec![stmt!("aldis::store_chars({at}, {}, {held});", slot.width)],
            SlotKind::Array { count, element } => self.array(*count, element, ty, &at, &held, scope),
            SlotKind::Nest { record, slots } => {
                slots.iter().flat_map(|member| self.field_slot(member, start, *record, &held, scope)).collect()
            }
            SlotKind::Link(link) => self.link(link, ty, &at, &held, scope),
            _ => Vec::new(),
        };
        if !maybe {
            return written;
        }
        let mut null = if slot.width > 0 { vec![zeros(start, slot.at, slot.width)] } else { Vec::new() };
        null.extend(self.null(slot, start, scope));
        vec![when_else(code!("{source}.has_value()"), written, null)]
    }

    fn scalar(&self, scalar: &Scalar, at: &Code, source: &Source, maybe: bool) -> Vec<Stmt> {
        match scalar.repr {
            Repr::Decimal | Repr::Uuid => {
                let value = source.held(maybe);
                let written = if scalar.repr == Repr::Decimal {
                    stmt!("aldis::store_decimal({at}, {value});")
                } else {
                    stmt!("std::memcpy({at}, {value}.octets.data(), 16);")
                };
                if maybe {
                    return vec![when_else(code!("{source}.has_value()"), vec![written], vec![zeros(at, 0, 16)])];
                }
                vec![written]
            }
            _ => {
                let value = self.stored(scalar, source, maybe).unwrap_or_default();
                vec![stmt!("aldis::store<byte_order>({at}, {value});")]
            }
        }
    }

    /// The number that is stored for a value of fixed size, where one is.
    pub(crate) fn stored(&self, scalar: &Scalar, source: &Source, maybe: bool) -> Option<Code> {
        if matches!(scalar.repr, Repr::Decimal | Repr::Uuid) {
            return None;
        }
        let null = null_of(scalar, &self.gen.cpp_type(&scalar.ty, self.site));
        Some(if maybe { code!("{source}.value_or({null})") } else { source.to_code() })
    }

    /// Writes null into a slot that was filled with zeros: what stands for it, where something does.
    pub(crate) fn null(&self, slot: &Slot, start: &Code, scope: &Scope) -> Vec<Stmt> {
        match &slot.kind {
            SlotKind::Scalar(scalar) if scalar.null.or(scalar.absent).is_some() => {
                let null = null_of(scalar, &self.gen.cpp_type(&scalar.ty, self.site));
                vec![stmt!("aldis::store<byte_order>({}, {null});", offset(start, slot.at))]
            }
            SlotKind::Nest { slots, .. } => slots.iter().flat_map(|member| self.null(member, start, scope)).collect(),
            SlotKind::Array { count, element } => {
                let (index, place) = (scope.var("index"), scope.var("place"));
                let written = self.null(element, &place, &scope.deeper());
                if written.is_empty() {
                    return written;
                }
                let at = offset(start, slot.at);
                let mut body = vec![alias("std::byte* const", &place, code!("{at} + {index} * {}", element.width))];
                body.extend(written);
                vec![counted(&index, count, body)]
            }
            _ => Vec::new(),
        }
    }

    fn array(&self, count: u32, element: &Slot, ty: &Type, at: &Code, source: &Source, scope: &Scope) -> Vec<Stmt> {
        if is_row(element) {
            return vec![stmt!("aldis::store_row<byte_order>({at}, {source}.data(), {count});")];
        }
        let (index, place) = (scope.var("index"), scope.var("place"));
        let maybe = matches!(ty.element(), Type::Optional(_));
        let item = code!("{source}[{index}]").into();
        let mut body = vec![alias("std::byte* const", &place, code!("{at} + {index} * {}", element.width))];
        body.extend(self.slot(element, ty.element(), &place, &item, maybe, &scope.deeper()));
        vec![counted(&index, count, body)]
    }

    /// Stores how far from the base the target is, which follows at `next`.
    fn link(&self, link: &Link, ty: &Type, at: &Code, source: &Source, scope: &Scope) -> Vec<Stmt> {
        let distance = code!("static_cast<std::uint32_t>(next - {})", scope.base);
        let mut parts = vec![stmt!("aldis::store<byte_order>({at}, {distance});")];
        parts.extend(self.node(&link.target, ty, source, &scope.deeper()));
        parts
    }
}

/// The number that is written for null.
fn null_of(scalar: &Scalar, ty: &Code) -> Code {
    match scalar.null.or(scalar.absent) {
        Some(NullValue::Bits(bits) | NullValue::Nan(bits)) => {
            code!("aldis::from_bits<{ty}>({}U{})", hex(bits), if bits > 0xFFFF_FFFF { "LL" } else { "" })
        }
        None => code!("{ty}{{}}"),
    }
}
