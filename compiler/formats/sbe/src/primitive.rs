//! The eleven primitive types.

use aldis_plan::{NullValue, Repr};
use aldis_schema::{IntType, Type};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Primitive {
    Char,
    Int(IntType),
    Float,
    Double,
}

/// Every primitive's name in a schema.
pub(crate) const NAMES: [&str; 11] =
    ["char", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float", "double"];

impl Primitive {
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "char" => Primitive::Char,
            "int8" => Primitive::Int(IntType::signed(8)),
            "uint8" => Primitive::Int(IntType::unsigned(8)),
            "int16" => Primitive::Int(IntType::signed(16)),
            "uint16" => Primitive::Int(IntType::unsigned(16)),
            "int32" => Primitive::Int(IntType::signed(32)),
            "uint32" => Primitive::Int(IntType::unsigned(32)),
            "int64" => Primitive::Int(IntType::signed(64)),
            "uint64" => Primitive::Int(IntType::unsigned(64)),
            "float" => Primitive::Float,
            "double" => Primitive::Double,
            _ => return None,
        })
    }

    pub fn name(self) -> String {
        match self {
            Primitive::Char => "char".to_string(),
            Primitive::Int(int) => format!("{}int{}", if int.signed { "" } else { "u" }, int.bits),
            Primitive::Float => "float".to_string(),
            Primitive::Double => "double".to_string(),
        }
    }

    /// `a uint8`, `an int8`.
    pub fn with_article(self) -> String {
        let name = self.name();
        format!("{} {name}", if name.starts_with('i') { "an" } else { "a" })
    }

    pub fn ty(self) -> Type {
        match self {
            Primitive::Char => Type::Char,
            Primitive::Int(int) => Type::Int(int),
            Primitive::Float => Type::Float32,
            Primitive::Double => Type::Float64,
        }
    }

    pub fn repr(self) -> Repr {
        match self {
            Primitive::Char => Repr::U8,
            Primitive::Int(int) => Repr::int(int.bits, int.signed),
            Primitive::Float => Repr::F32,
            Primitive::Double => Repr::F64,
        }
    }

    pub fn width(self) -> u32 {
        self.repr().width()
    }

    /// The integer behind the bytes: a char is its byte.
    pub fn integer(self) -> Option<IntType> {
        match self {
            Primitive::Char => Some(IntType::unsigned(8)),
            Primitive::Int(int) => Some(int),
            Primitive::Float | Primitive::Double => None,
        }
    }

    /// The unsigned integer type, for what must be one.
    pub fn unsigned(self) -> Option<IntType> {
        match self {
            Primitive::Int(int) if !int.signed => Some(int),
            _ => None,
        }
    }

    /// The value that means null where the schema names no other.
    pub fn null(self) -> NullValue {
        match self {
            Primitive::Char => NullValue::Bits(0),
            Primitive::Int(int) if int.signed => NullValue::Bits(bits(int.min(), int.bits)),
            Primitive::Int(int) => NullValue::Bits(bits(int.max(), int.bits)),
            Primitive::Float => NullValue::Nan(u64::from(0x7FC0_0000_u32)),
            Primitive::Double => NullValue::Nan(0x7FF8_0000_0000_0000),
        }
    }
}

/// The bit pattern of `value` in that many bits, zero-extended.
pub(crate) fn bits(value: i128, width: u8) -> u64 {
    (value as u128 & ((1u128 << width) - 1)) as u64
}
