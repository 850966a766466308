//! Types of values.

use serde::{Deserialize, Serialize};

/// Index into [`crate::Schema::types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TypeId(pub u32);

impl TypeId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An integer's width in bits (8, 16, 32, 64) and sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct IntType {
    pub bits: u8,
    pub signed: bool,
}

impl IntType {
    pub const fn signed(bits: u8) -> Self {
        Self { bits, signed: true }
    }

    pub const fn unsigned(bits: u8) -> Self {
        Self { bits, signed: false }
    }

    pub fn min(self) -> i128 {
        if self.signed {
            -(1i128 << (self.bits - 1))
        } else {
            0
        }
    }

    pub fn max(self) -> i128 {
        (1i128 << (self.bits - u8::from(self.signed))) - 1
    }

    pub fn bytes(self) -> u32 {
        u32::from(self.bits) / 8
    }

    pub fn holds(self, value: i128) -> bool {
        (self.min()..=self.max()).contains(&value)
    }
}

/// How bytes stand for text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Encoding {
    Utf8,
    /// A byte is the character of the same number, U+0000 to U+00FF; also used for ASCII, which it contains.
    Latin1,
}

/// The facts that are known of a value whose type is left open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Opaque {
    Any,
    Record,
    List,
    /// A reference to an object beyond the message: an index into a table that travels beside it.
    Capability,
}

/// The type of a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Type {
    /// No value: what there is to know is that it is there.
    Void,
    Bool,
    /// One character of one byte, U+0000 to U+00FF.
    Char,
    Int(IntType),
    Float32,
    Float64,
    /// A 96-bit coefficient with a sign and a decimal scale of 0 to 28.
    Decimal,
    /// Nanoseconds since 1970-01-01 UTC, unsigned, 64 bits.
    Timestamp,
    Uuid,
    Text(Encoding),
    Bytes,
    /// Text in a field of `len` bytes: up to the first NUL, or all of them.
    Chars {
        len: u32,
        encoding: Encoding,
    },
    /// A record, union, enum or flags type of the schema.
    Named(TypeId),
    /// A value whose type the schema leaves open.
    Opaque(Opaque),
    /// The value or null.
    Optional(Box<Type>),
    List(Box<Type>),
    /// Exactly `len` elements.
    Array {
        element: Box<Type>,
        len: u32,
    },
    /// Elements in order without duplicates.
    Set(Box<Type>),
    /// Keys in order without duplicates; `hashed` when the schema asks for a hash table rather than an ordered map.
    Map {
        key: Box<Type>,
        value: Box<Type>,
        hashed: bool,
    },
}

impl Type {
    pub fn optional(self) -> Self {
        Type::Optional(Box::new(self))
    }

    /// The type without the possibility of null.
    pub fn required(&self) -> &Type {
        match self {
            Type::Optional(inner) => inner,
            other => other,
        }
    }

    /// The type of the elements of a list, set or array, optional or not; the type itself for any other.
    pub fn element(&self) -> &Type {
        match self.required() {
            Type::List(element) | Type::Set(element) | Type::Array { element, .. } => element,
            other => other,
        }
    }

    /// The integer type of the wire's number, for what is one: integers and timestamps.
    pub fn as_int(&self) -> Option<IntType> {
        match self {
            Type::Int(int) => Some(*int),
            Type::Timestamp => Some(IntType::unsigned(64)),
            _ => None,
        }
    }
}
