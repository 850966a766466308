//! Values that modules hold (defaults and constants), and that the evaluator's plain target builds.

use aldis_schema::{default_of_field, Decimal, Encoding, Field, Generated, Literal, Schema, Type, TypeKind};

/// A value of some type, which tells how to read it.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    Bool(bool),
    Int(i64),
    UInt(u64),
    F32(f32),
    F64(f64),
    Decimal(Decimal),
    Uuid([u8; 16]),
    /// Text or bytes as they are on the wire.
    Bytes(Vec<u8>),
    /// All fields in order.
    Record(Vec<Value>),
    List(Vec<Value>),
    Map(Vec<(Value, Value)>),
    /// A union's tag, and the value of the arm that it names; null where the tag is unknown.
    Choice(u64, Box<Value>),
    /// A flat message whose root is a value of a type that the schema leaves open.
    Opaque(Vec<u8>),
}

impl Value {
    /// The value of a literal of type `ty`. Generated defaults are zero, since the same bytes always mean the same.
    pub(crate) fn of_literal(literal: &Literal, ty: &Type, schema: &Schema) -> Value {
        match (literal, ty.required()) {
            (Literal::Null, _) => Value::Null,
            (Literal::Bool(v), _) => Value::Bool(*v),
            (Literal::Int(v), Type::Float32) => Value::F32(*v as f32),
            (Literal::Int(v), Type::Float64) => Value::F64(*v as f64),
            (Literal::Int(v), ty) if is_signed(schema, ty) => Value::Int(*v as i64),
            (Literal::Int(v), _) => Value::UInt(*v as u64),
            (Literal::Float(v), Type::Float32) => Value::F32(*v as f32),
            (Literal::Float(v), _) => Value::F64(*v),
            (Literal::Decimal(v), _) => Value::Decimal(*v),
            (Literal::Uuid(v), _) => Value::Uuid(*v),
            (Literal::Text(v), Type::Text(encoding) | Type::Chars { encoding, .. }) => {
                Value::Bytes(encoded(v, *encoding))
            }
            (Literal::Text(v), _) => Value::Bytes(v.as_bytes().to_vec()),
            (Literal::Bytes(v), _) => Value::Bytes(v.clone()),
            (Literal::Generated(Generated::UtcNow), _) => Value::UInt(0),
            (Literal::Generated(Generated::Uuid1 | Generated::Uuid4), _) => Value::Uuid([0; 16]),
            (Literal::Choice { tag, value }, Type::Named(id)) => {
                let union = schema.union(*id);
                let arm = union.arm_of(*tag).map(|index| &union.arms[index].field.ty);
                let value = arm.map_or(Value::Null, |ty| Self::of_literal(value, ty, schema));
                Value::Choice(*tag, Box::new(value))
            }
            (Literal::Choice { tag, .. }, _) => Value::Choice(*tag, Box::new(Value::Null)),
            (Literal::List(items), ty) => Self::of_items(items, ty, schema),
        }
    }

    fn of_items(items: &[Literal], ty: &Type, schema: &Schema) -> Value {
        match ty {
            Type::Named(id) => {
                let fields = &schema.record(*id).fields;
                Value::Record(items.iter().zip(fields).map(|(l, f)| Self::of_literal(l, &f.ty, schema)).collect())
            }
            Type::Map { .. } => Value::Map(Vec::new()),
            ty => Value::List(items.iter().map(|l| Self::of_literal(l, ty.element(), schema)).collect()),
        }
    }

    /// The default of a field.
    pub(crate) fn of_default(field: &Field, schema: &Schema) -> Value {
        Self::of_literal(&default_of_field(schema, field), &field.ty, schema)
    }
}

/// Whether numbers of this type have a sign.
pub(crate) fn is_signed(schema: &Schema, ty: &Type) -> bool {
    match ty {
        Type::Int(int) => int.signed,
        Type::Named(id) => {
            matches!(&schema.type_def(*id).kind, TypeKind::Enum(e) if matches!(e.repr, Type::Int(int) if int.signed))
        }
        _ => false,
    }
}

fn encoded(text: &str, encoding: Encoding) -> Vec<u8> {
    match encoding {
        Encoding::Utf8 => text.as_bytes().to_vec(),
        // Front ends refuse what the encoding lacks.
        Encoding::Latin1 => text.chars().filter_map(|c| u8::try_from(u32::from(c)).ok()).collect(),
    }
}
