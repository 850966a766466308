//! Parts that both forms have in common: the kinds of values, scalars, counts, texts.

use aldis_plan::{
    Blob, Content, Element, Extent, Meaning, Missing, Node, Register, Repeat, Repr, Run, Scalar, Shape, Slot, SlotKind,
};
use aldis_schema::{Encoding, Schema, Type, TypeId, TypeKind};

/// A type by how FBE lays it out.
pub(super) enum Class<'a> {
    /// A number, or another value of fixed size that is stored by itself.
    Scalar(Repr),
    /// Text or bytes behind a length.
    Blob(Content),
    Record(TypeId),
    Optional(&'a Type),
    Array(&'a Type, u32),
    /// Values behind a count.
    Collection(Shape, &'a Type),
    /// Keys with values behind a count.
    Map(&'a Type, &'a Type),
}

pub(super) fn class<'a>(schema: &Schema, ty: &'a Type) -> Class<'a> {
    match ty {
        Type::Bool => Class::Scalar(Repr::Bool),
        Type::Char => Class::Scalar(Repr::U8),
        Type::Int(int) => Class::Scalar(Repr::int(int.bits, int.signed)),
        Type::Float32 => Class::Scalar(Repr::F32),
        Type::Float64 => Class::Scalar(Repr::F64),
        Type::Decimal => Class::Scalar(Repr::Decimal),
        Type::Timestamp => Class::Scalar(Repr::U64),
        Type::Uuid => Class::Scalar(Repr::Uuid),
        Type::Named(id) => match &schema.type_def(*id).kind {
            // FBE has no unions: none is ever made.
            TypeKind::Record(_) | TypeKind::Union(_) => Class::Record(*id),
            TypeKind::Flags(flags) => Class::Scalar(Repr::int(flags.repr.bits, flags.repr.signed)),
            TypeKind::Enum(e) => Class::Scalar(e.repr.as_int().map_or(Repr::U8, |int| Repr::int(int.bits, int.signed))),
        },
        // FBE has no text of fixed length, void or open type; were there one, it would lie as text or bytes.
        Type::Text(_) | Type::Chars { .. } => Class::Blob(Content::Text(Encoding::Utf8)),
        Type::Bytes | Type::Void | Type::Opaque(_) => Class::Blob(Content::Bytes),
        Type::Optional(inner) => Class::Optional(inner),
        Type::Array { element, len } => Class::Array(element, *len),
        Type::List(element) => Class::Collection(Shape::List, element),
        Type::Set(element) => Class::Collection(Shape::Set, element),
        Type::Map { key, value, .. } => Class::Map(key, value),
    }
}

/// A slot that is a value and no field: a cell or an element, at 0.
pub(super) fn cell(width: u32, kind: SlotKind) -> Slot {
    Slot { at: 0, width, field: None, since: 0, missing: Missing::Never, kind }
}

pub(super) fn scalar(ty: &Type, repr: Repr) -> Slot {
    cell(repr.width(), SlotKind::Scalar(Scalar::new(repr, ty.clone())))
}

pub(super) fn register(name: &str, at: u32, meaning: Meaning) -> Slot {
    let register = Register { name: name.to_owned(), repr: Repr::U32, meaning, constant: None };
    Slot { at, ..cell(4, SlotKind::Register(register)) }
}

/// The u32 in front of texts and collections.
fn count_head() -> Run {
    let count = register("count", 0, Meaning::Count { min: 0, max: u64::from(u32::MAX) });
    Run { size: 4, extent: Extent::Exact, slots: vec![count] }
}

pub(super) fn blob(content: Content) -> Node {
    Node::Blob(Blob { head: count_head(), content })
}

pub(super) fn repeat(shape: Shape, element: Element, element_min: u32) -> Node {
    Node::Repeat(Box::new(Repeat { head: count_head(), element, shape, element_min }))
}

pub(super) fn cell_node(slot: Slot) -> Node {
    Node::Cell { slot: Box::new(slot) }
}

/// Key and value side by side in one run.
pub(super) fn cell_pair(key: Slot, value: Slot) -> Element {
    let value = shifted(value, key.width);
    Element::Pair { key: cell_node(key), value: cell_node(value) }
}

/// The slot `by` bytes further on. Slots within a nest count from where the nest does, so they move too.
fn shifted(mut slot: Slot, by: u32) -> Slot {
    slot.at += by;
    if let SlotKind::Nest { slots, .. } = &mut slot.kind {
        let moved = std::mem::take(slots).into_iter().map(|slot| shifted(slot, by));
        *slots = moved.collect();
    }
    slot
}
