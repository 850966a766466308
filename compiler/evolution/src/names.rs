//! Names: what JSON and programs see of a schema.

use crate::difference::Letters;
use crate::pair::{named, Content, Member};
use aldis_plan::JsonPolicy;
use aldis_schema::{default_of_field, type_text, Field, Literal, Schema, Type, TypeKind};

/// The names of an enumeration with their numbers, or of flags with their bits.
pub(crate) fn numbers(kind: &TypeKind) -> Vec<(&str, i128)> {
    match kind {
        TypeKind::Enum(enumeration) => enumeration.values.iter().map(|v| (v.name.as_str(), v.value)).collect(),
        TypeKind::Flags(flags) => flags.values.iter().map(|v| (v.name.as_str(), i128::from(v.mask))).collect(),
        TypeKind::Record(_) | TypeKind::Union(_) => Vec::new(),
    }
}

/// The losses of JSON and of programs between two members that are one.
pub(crate) fn renamed(
    old: &Member,
    new: &Member,
    policies: (&JsonPolicy, &JsonPolicy),
    schemas: (&Schema, &Schema),
) -> Letters {
    let mut letters = Letters::default();
    let (before, after) = (old.field(), new.field());
    let nullable = |member: &Member| {
        let scalar_null = matches!(member.content, Content::Slot { .. } | Content::Part);
        scalar_null && member.field().nullable()
    };
    letters.j = old.json_name != new.json_name
        || shape(schemas.0, policies.0, &before.ty) != shape(schemas.1, policies.1, &after.ty)
        || before.json != after.json
        || nullable(old) != nullable(new);
    letters.s = old.name != new.name
        || type_text(schemas.0, &before.ty) != type_text(schemas.1, &after.ty)
        || before.optional != after.optional;
    letters
}

/// The defaults that two fields which are one have, as texts, where a schema gives one and they differ.
pub(crate) fn defaults(old: (&Schema, &Field), new: (&Schema, &Field)) -> Option<(String, String)> {
    if old.1.default.is_none() && new.1.default.is_none() {
        return None;
    }
    let (was, is) = (literal(&default_of_field(old.0, old.1)), literal(&default_of_field(new.0, new.1)));
    (was != is).then_some((was, is))
}

fn literal(value: &Literal) -> String {
    match value {
        Literal::Null => "null".into(),
        Literal::Bool(value) => value.to_string(),
        Literal::Int(value) => value.to_string(),
        Literal::Float(value) => value.to_string(),
        Literal::Decimal(value) => value.to_string(),
        Literal::Text(value) => format!("{value:?}"),
        Literal::List(values) => format!("[{}]", values.iter().map(literal).collect::<Vec<_>>().join(", ")),
        Literal::Choice { tag, value } => format!("{} in arm {tag}", literal(value)),
        Literal::Uuid(bytes) => format!("{bytes:02x?}"),
        Literal::Bytes(bytes) => format!("{bytes:02x?}"),
        Literal::Generated(generated) => format!("{generated:?}"),
    }
}

/// The kind of JSON that a type becomes.
fn shape(schema: &Schema, policy: &JsonPolicy, ty: &Type) -> String {
    let inner = |ty: &Type| shape(schema, policy, ty);
    match ty {
        Type::Optional(value) => format!("optional {}", inner(value)),
        Type::Int(int) if int.bits == 64 && policy.wide_text => "digits".into(),
        Type::Timestamp if policy.wide_text => "digits".into(),
        Type::Int(_) | Type::Timestamp | Type::Float32 | Type::Float64 => "number".into(),
        Type::Decimal | Type::Uuid | Type::Bytes | Type::Void | Type::Bool | Type::Opaque(_) => type_text(schema, ty),
        Type::Text(_) | Type::Chars { .. } | Type::Char => "text".into(),
        Type::List(element) | Type::Set(element) | Type::Array { element, .. } => format!("list of {}", inner(element)),
        Type::Map { key, value, .. } => format!("map of {} to {}", inner(key), inner(value)),
        Type::Named(_) => match named(schema, ty) {
            Some((_, TypeKind::Enum(_))) if policy.names => "name".into(),
            Some((_, TypeKind::Flags(_))) if policy.names => "names".into(),
            Some((_, TypeKind::Enum(_) | TypeKind::Flags(_))) => "number".into(),
            _ => "object".into(),
        },
    }
}
