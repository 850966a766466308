//! Decoded values.

use aldis_schema::{Decimal, Generated, Literal, Type};

/// A value of some [`Type`]; the type says how to read it.
///
/// Memory is bounded by the bytes a value came from: see [`Value::Packed`] and the note at [`Value::Record`].
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    Bool(bool),
    /// Signed integers and enums of signed representation.
    Int(i64),
    /// Unsigned integers, chars, timestamps, flags and enums of unsigned representation.
    UInt(u64),
    F32(f32),
    F64(f64),
    Decimal(Box<Decimal>),
    Uuid([u8; 16]),
    /// Text and bytes as they are on the wire; text is not checked until it becomes JSON.
    Bytes(Box<[u8]>),
    /// Fields in order. May be shorter than the record: the fields beyond hold their default (or null, where the
    /// form's missing fields are null), so that a short block costs no more memory than its bytes.
    Record(Box<[Value]>),
    List(Box<[Value]>),
    /// A list or array of scalars that cannot be null, as it is on the wire.
    Packed(Box<[u8]>),
    /// Entries in key order without duplicates.
    Map(Box<[(Value, Value)]>),
    /// A union's tag and the value of the arm that it names; null where the tag is unknown.
    Choice(u64, Box<Value>),
    /// A value of a type that the schema leaves open: a flat message (one segment, no table) whose root it is.
    Opaque(Box<[u8]>),
}

impl Value {
    /// Whether this is the value that a schema fixes; unlike `==`, NaN is NaN.
    pub(crate) fn is_constant(&self, fixed: &Value) -> bool {
        match (self, fixed) {
            (Value::F32(a), Value::F32(b)) => a == b || (a.is_nan() && b.is_nan()),
            (Value::F64(a), Value::F64(b)) => a == b || (a.is_nan() && b.is_nan()),
            _ => self == fixed,
        }
    }

    /// The number of an integer, enum, flags, char or timestamp.
    pub(crate) fn as_number(&self) -> Option<i128> {
        match self {
            Value::Int(v) => Some(i128::from(*v)),
            Value::UInt(v) => Some(i128::from(*v)),
            _ => None,
        }
    }

    /// A number in the variant of its sign. Callers have checked that 64 bits hold it.
    pub(crate) fn from_number(signed: bool, number: i128) -> Value {
        if signed {
            Value::Int(number as i64)
        } else {
            Value::UInt(number as u64)
        }
    }

    /// The value of a literal of type `ty` (`signed` tells the sign of enums). Generated defaults read as zero, since
    /// the same bytes always mean the same.
    pub(crate) fn from_literal(literal: &Literal, ty: &Type, types: &crate::tables::Tables) -> Value {
        match (literal, ty.required()) {
            (Literal::Null, _) => Value::Null,
            (Literal::Bool(v), _) => Value::Bool(*v),
            (Literal::Int(v), Type::Float32) => Value::F32(*v as f32),
            (Literal::Int(v), Type::Float64) => Value::F64(*v as f64),
            (Literal::Int(v), ty) => Value::from_number(types.is_signed(ty), *v),
            (Literal::Float(v), Type::Float32) => Value::F32(*v as f32),
            (Literal::Float(v), _) => Value::F64(*v),
            (Literal::Decimal(v), _) => Value::Decimal(Box::new(*v)),
            (Literal::Uuid(v), _) => Value::Uuid(*v),
            (Literal::Text(v), Type::Text(encoding) | Type::Chars { encoding, .. }) => {
                Value::Bytes(crate::scalar::encode_text(v, *encoding).unwrap_or_default().into())
            }
            (Literal::Text(v), _) => Value::Bytes(v.as_bytes().into()),
            (Literal::Bytes(v), _) => Value::Bytes(v.as_slice().into()),
            (Literal::Generated(Generated::UtcNow), _) => Value::UInt(0),
            (Literal::Generated(Generated::Uuid1 | Generated::Uuid4), _) => Value::Uuid([0; 16]),
            (Literal::Choice { tag, value }, Type::Named(id)) => {
                let union = types.schema.union(*id);
                let arm = union.arm_of(*tag).map(|index| &union.arms[index].field.ty);
                let value = arm.map_or(Value::Null, |ty| Self::from_literal(value, ty, types));
                Value::Choice(*tag, Box::new(value))
            }
            (Literal::Choice { .. }, _) => unreachable!("a choice belongs to a union"),
            (Literal::List(items), ty) => Self::from_items(items, ty, types),
        }
    }

    fn from_items(items: &[Literal], ty: &Type, types: &crate::tables::Tables) -> Value {
        match ty {
            Type::Named(id) => {
                let fields = &types.schema.record(*id).fields;
                Value::Record(items.iter().zip(fields).map(|(l, f)| Self::from_literal(l, &f.ty, types)).collect())
            }
            Type::Map { .. } => Value::Map(Box::default()),
            Type::List(element) | Type::Set(element) | Type::Array { element, .. } => {
                Value::List(items.iter().map(|l| Self::from_literal(l, element, types)).collect())
            }
            _ => unreachable!("a list literal belongs to a record or collection"),
        }
    }
}
