//! Words for what plans consist of.

use crate::{Blob, Content, Element, Meaning, Node, Register, Scalar, Shape, SlotKind};
use aldis_schema::{type_text, Schema, Type, TypeKind};

/// A slot's content, in the words of its type.
pub fn slot_text(schema: &Schema, kind: &SlotKind) -> String {
    match kind {
        SlotKind::Scalar(scalar) => scalar_text(schema, scalar),
        SlotKind::Chars { ty } => type_text(schema, ty),
        SlotKind::Array { count, element } => format!("{}[{count}]", slot_text(schema, &element.kind)),
        SlotKind::Nest { record, .. } => schema.type_def(*record).name.local(),
        SlotKind::Constant { ty: Type::Void, .. } => "void".into(),
        SlotKind::Constant { ty, .. } => format!("constant {}", type_text(schema, ty)),
        SlotKind::Register(register) => register_text(register),
        SlotKind::Ignored { header: true, value, .. } => format!("{}, header", slot_text(schema, &value.kind)),
        SlotKind::Ignored { value, .. } => format!("{}, ignored", slot_text(schema, &value.kind)),
        SlotKind::Link(link) => format!("offset of {}", node_text(schema, &link.target)),
        SlotKind::Pointer { target } => format!("pointer to {}", node_text(schema, target)),
        SlotKind::Choice { union, .. } => {
            let arms = schema.union(*union).arms.iter().map(|arm| format!("{} {}", arm.tag, arm.field.name));
            format!("u16, which is active: {}", arms.collect::<Vec<_>>().join(", "))
        }
        SlotKind::Presence(link) => format!("presence, offset of {}", node_text(schema, &link.target)),
    }
}

fn scalar_text(schema: &Schema, scalar: &Scalar) -> String {
    let repr = scalar.repr.name();
    let name = type_text(schema, &scalar.ty);
    let stored = match &scalar.ty {
        Type::Named(id) if !matches!(schema.type_def(*id).kind, TypeKind::Record(_)) => format!("{name} ({repr})"),
        _ => name,
    };
    match scalar.null {
        Some(_) => format!("optional {stored}"),
        None if scalar.xor != 0 => format!("{stored}, xor {:#x}", scalar.xor),
        None => stored,
    }
}

/// `u16, size of the block` …
fn register_text(register: &Register) -> String {
    let meaning = match register.meaning {
        Meaning::FrameSize { .. } => "size of the message".into(),
        Meaning::FrameLength { plus: 0 } => "length of the frame: the message's size".into(),
        Meaning::FrameLength { plus } => format!("length of the frame: the message's size {plus:+}"),
        Meaning::Root => "offset of the root".into(),
        Meaning::Extent { writes } => format!("size of the block = {writes}"),
        Meaning::TypeId { expect } => format!("type = {expect}"),
        Meaning::SchemaId { expect } => format!("schema = {expect}"),
        Meaning::Version { writes } => format!("version = {writes}"),
        Meaning::Count { .. } => "count".into(),
    };
    format!("{}, {meaning}", register.repr.name())
}

/// A part's kind.
pub fn node_text(schema: &Schema, node: &Node) -> String {
    match node {
        Node::Cell { slot } => match &slot.kind {
            SlotKind::Pointer { target } => node_text(schema, target),
            kind => slot_text(schema, kind),
        },
        Node::Call { record } => schema.type_def(*record).name.local(),
        Node::Blob(blob) => blob_text(blob).into(),
        Node::Repeat(repeat) => {
            let word = match repeat.shape {
                Shape::List => "list",
                Shape::Set => "set",
                Shape::Map => "map",
            };
            match &repeat.element {
                Element::One(node) => format!("{word} of {}", node_text(schema, node)),
                Element::Pair { key, value } => {
                    format!("{word} of {} to {}", node_text(schema, key), node_text(schema, value))
                }
            }
        }
        Node::Series { count, element } => format!("{}[{count}]", node_text(schema, element)),
        Node::Maybe { value } => format!("presence, {}", node_text(schema, value)),
        Node::Rebase { value } => node_text(schema, value),
        Node::Opaque { kind } => type_text(schema, &Type::Opaque(*kind)),
    }
}

fn blob_text(blob: &Blob) -> &'static str {
    match blob.content {
        Content::Bytes => "bytes",
        Content::Text(_) => "text",
    }
}
