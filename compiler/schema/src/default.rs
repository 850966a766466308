//! The value that a field has when nobody gave it one.

use crate::{Field, Literal, Schema, Type, TypeKind};

/// The default of a field: what the schema says, else the natural default of its type.
pub fn default_of_field(schema: &Schema, field: &Field) -> Literal {
    match (&field.constant, &field.default) {
        (Some(value), _) | (None, Some(value)) => value.clone(),
        (None, None) => default_of_type(schema, &field.ty),
    }
}

/// The natural default of a type: null for optionals, zero, empty, a record of its fields' defaults
/// (a [`Literal::List`] in field order), or a union's arm of tag 0. Enums are 0 even where no value is called so, as their wire form would be.
pub fn default_of_type(schema: &Schema, ty: &Type) -> Literal {
    match ty {
        Type::Void | Type::Optional(_) | Type::Opaque(_) => Literal::Null,
        Type::Bool => Literal::Bool(false),
        Type::Char | Type::Int(_) | Type::Timestamp => Literal::Int(0),
        Type::Float32 | Type::Float64 => Literal::Float(0.0),
        Type::Decimal => Literal::Decimal(crate::Decimal::default()),
        Type::Uuid => Literal::Uuid([0; 16]),
        Type::Text(_) | Type::Chars { .. } => Literal::Text(String::new()),
        Type::Bytes => Literal::Bytes(Vec::new()),
        Type::List(_) | Type::Set(_) | Type::Map { .. } => Literal::List(Vec::new()),
        Type::Array { element, len } => Literal::List(vec![default_of_type(schema, element); *len as usize]),
        Type::Named(id) => match &schema.type_def(*id).kind {
            TypeKind::Record(record) => {
                Literal::List(record.fields.iter().map(|f| default_of_field(schema, f)).collect())
            }
            TypeKind::Union(union) => {
                let arm = union.arm_of(0).map(|index| default_of_field(schema, &union.arms[index].field));
                Literal::Choice { tag: 0, value: Box::new(arm.unwrap_or(Literal::Null)) }
            }
            TypeKind::Enum(_) | TypeKind::Flags(_) => Literal::Int(0),
        },
    }
}
