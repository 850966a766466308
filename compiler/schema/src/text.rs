//! Words for types.

use crate::{IntType, Opaque, Schema, Type};

/// `u32`, `Side (u8)`, `optional text`, `list of Order`.
pub fn type_text(schema: &Schema, ty: &Type) -> String {
    match ty {
        Type::Void => "void".into(),
        Type::Opaque(Opaque::Any) => "any pointer".into(),
        Type::Opaque(Opaque::Record) => "any struct".into(),
        Type::Opaque(Opaque::List) => "any list".into(),
        Type::Opaque(Opaque::Capability) => "capability".into(),
        Type::Bool => "bool".into(),
        Type::Char => "char".into(),
        Type::Int(int) => int_text(*int),
        Type::Float32 => "f32".into(),
        Type::Float64 => "f64".into(),
        Type::Decimal => "decimal".into(),
        Type::Timestamp => "timestamp".into(),
        Type::Uuid => "uuid".into(),
        Type::Text(_) => "text".into(),
        Type::Bytes => "bytes".into(),
        Type::Chars { len, .. } => format!("char[{len}]"),
        Type::Named(id) => schema.type_def(*id).name.local(),
        Type::Optional(inner) => format!("optional {}", type_text(schema, inner)),
        Type::List(inner) => format!("list of {}", type_text(schema, inner)),
        Type::Array { element, len } => format!("{}[{len}]", type_text(schema, element)),
        Type::Set(inner) => format!("set of {}", type_text(schema, inner)),
        Type::Map { key, value, .. } => format!("map of {} to {}", type_text(schema, key), type_text(schema, value)),
    }
}

fn int_text(int: IntType) -> String {
    format!("{}{}", if int.signed { 'i' } else { 'u' }, int.bits)
}
