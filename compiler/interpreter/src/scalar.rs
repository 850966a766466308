//! Numbers and other values of fixed size, to and from bytes.

use crate::fault::{Code, Fault};
use crate::tables::Tables;
use crate::Value;
use aldis_plan::{ByteOrder, NullValue, Repr, Scalar};
use aldis_schema::{Decimal, Encoding, IntType, Type};

/// A value without parts, as it was read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Datum<'b> {
    Null,
    Bool(bool),
    Int(i64),
    UInt(u64),
    F32(f32),
    F64(f64),
    /// The 16 bytes of a valid decimal.
    Decimal(&'b [u8]),
    /// 16 bytes.
    Uuid(&'b [u8]),
    /// Text, unchecked, or bytes; the type tells which.
    Bytes(&'b [u8]),
    /// A flat message whose root is the value.
    Opaque(&'b [u8]),
}

/// Stores the low bytes of `bits`; the width is that of `bytes`.
#[inline]
pub(crate) fn store(bytes: &mut [u8], order: ByteOrder, bits: u64) {
    let width = bytes.len();
    match order {
        ByteOrder::Little => bytes.copy_from_slice(&bits.to_le_bytes()[..width]),
        ByteOrder::Big => bytes.copy_from_slice(&bits.to_be_bytes()[8 - width..]),
    }
}

/// Reads a scalar; null where the stored value stands for it. `at` is its offset, for faults.
#[inline]
pub(crate) fn read<'b>(scalar: &Scalar, bytes: &'b [u8], order: ByteOrder, at: usize) -> Result<Datum<'b>, Fault> {
    match scalar.repr {
        Repr::Decimal if decimal(bytes).is_none() => {
            Err(Fault::at(Code::BadValue, at, "not a decimal: its scale, sign or spare bytes are out of bounds"))
        }
        Repr::Decimal => Ok(Datum::Decimal(bytes)),
        Repr::Uuid => Ok(Datum::Uuid(bytes)),
        repr => {
            let bits = order.number(bytes) ^ scalar.xor;
            Ok(match scalar.null {
                Some(NullValue::Bits(null)) if null == bits => Datum::Null,
                Some(NullValue::Nan(_)) if is_nan(repr, bits) => Datum::Null,
                _ => number(repr, bits),
            })
        }
    }
}

#[inline]
fn number<'b>(repr: Repr, bits: u64) -> Datum<'b> {
    match repr {
        Repr::Bool => Datum::Bool(bits != 0),
        Repr::Bit(bit) => Datum::Bool(bits >> bit & 1 == 1),
        Repr::U8 | Repr::U16 | Repr::U32 | Repr::U64 => Datum::UInt(bits),
        Repr::I8 => Datum::Int(i64::from(bits as u8 as i8)),
        Repr::I16 => Datum::Int(i64::from(bits as u16 as i16)),
        Repr::I32 => Datum::Int(i64::from(bits as u32 as i32)),
        Repr::I64 => Datum::Int(bits as i64),
        Repr::F32 => Datum::F32(f32::from_bits(bits as u32)),
        Repr::F64 => Datum::F64(f64::from_bits(bits)),
        Repr::Decimal | Repr::Uuid => unreachable!("not a number"),
    }
}

fn is_nan(repr: Repr, bits: u64) -> bool {
    match repr {
        Repr::F32 => f32::from_bits(bits as u32).is_nan(),
        Repr::F64 => f64::from_bits(bits).is_nan(),
        _ => false,
    }
}

/// The values of scalars side by side; see [`Value::Packed`].
pub(crate) fn unpack(tables: &Tables, element: &Type, bytes: &[u8]) -> Vec<Value> {
    let repr = tables.repr_of(element);
    let values = bytes.chunks_exact(repr.width() as usize).map(|bytes| match repr {
        Repr::Uuid => Value::Uuid(bytes.try_into().unwrap_or_default()),
        Repr::Decimal => decimal(bytes).map_or(Value::Null, |d| Value::Decimal(Box::new(d))),
        repr => match number(repr, tables.order.number(bytes)) {
            Datum::Bool(v) => Value::Bool(v),
            Datum::Int(v) => Value::Int(v),
            Datum::F32(v) => Value::F32(v),
            Datum::F64(v) => Value::F64(v),
            Datum::UInt(v) => Value::UInt(v),
            _ => Value::Null,
        },
    });
    values.collect()
}

/// A decimal from its 16 bytes (u96 magnitude, two zero bytes, scale, sign); `None` when they are none.
pub(crate) fn decimal(bytes: &[u8]) -> Option<Decimal> {
    let mut magnitude = [0; 16];
    magnitude[..12].copy_from_slice(&bytes[..12]);
    let (zeros, scale, sign) = (&bytes[12..14], bytes[14], bytes[15]);
    let valid = zeros == [0, 0] && scale <= Decimal::MAX_SCALE && (sign == 0 || sign == 0x80);
    valid.then(|| Decimal { negative: sign != 0, coefficient: u128::from_le_bytes(magnitude), scale })
}

/// The 16 bytes of a decimal.
pub(crate) fn decimal_bytes(decimal: &Decimal) -> [u8; 16] {
    let mut bytes = decimal.coefficient.to_le_bytes();
    bytes[12..].copy_from_slice(&[0, 0, decimal.scale, if decimal.negative { 0x80 } else { 0 }]);
    bytes
}

/// The text of the fault for a null in the place of a required value.
pub(crate) const REQUIRED: &str = "null, but the field is required";

/// Writes a value into the bytes of a scalar, which are as wide as its representation.
pub(crate) fn write(scalar: &Scalar, value: &Value, bytes: &mut [u8], order: ByteOrder) -> Result<(), Fault> {
    match (scalar.repr, value) {
        (_, Value::Null) => match scalar.null.or(scalar.absent) {
            Some(NullValue::Bits(bits) | NullValue::Nan(bits)) => store(bytes, order, bits),
            None => return Err(Fault::new(Code::BadValue, REQUIRED)),
        },
        (Repr::Decimal, Value::Decimal(decimal)) => bytes.copy_from_slice(&decimal_bytes(decimal)),
        (Repr::Uuid, Value::Uuid(octets)) => bytes.copy_from_slice(octets),
        (Repr::Bool, Value::Bool(v)) => bytes[0] = u8::from(*v),
        // The byte's other bits are other slots'.
        (Repr::Bit(bit), Value::Bool(v)) => bytes[0] |= (u8::from(*v) << bit) ^ scalar.xor as u8,
        (Repr::F32, Value::F32(v)) => {
            let bits = if v.is_nan() { NAN_32 } else { v.to_bits() };
            store(bytes, order, u64::from(bits) ^ scalar.xor);
        }
        (Repr::F64, Value::F64(v)) => store(bytes, order, if v.is_nan() { NAN_64 } else { v.to_bits() } ^ scalar.xor),
        (repr, Value::Int(_) | Value::UInt(_)) => {
            let number = value.as_number().unwrap_or_default();
            let bits = integer_bits(repr, number).ok_or_else(|| wrong_number(repr, number))?;
            store(bytes, order, bits ^ scalar.xor);
        }
        _ => return Err(Fault::new(Code::BadValue, "the value is not of the field's type")),
    }
    Ok(())
}

/// The bits of every NaN that is written: not every language keeps others.
const NAN_32: u32 = 0x7FC0_0000;
const NAN_64: u64 = 0x7FF8_0000_0000_0000;

/// Gives every NaN among scalars side by side the bits of one; see [`Value::Packed`].
pub(crate) fn normalise_nans(repr: Repr, bytes: &mut [u8], order: ByteOrder) {
    let nan = match repr {
        Repr::F32 => u64::from(NAN_32),
        Repr::F64 => NAN_64,
        _ => return,
    };
    for float in bytes.chunks_exact_mut(repr.width() as usize) {
        if is_nan(repr, order.number(float)) {
            store(float, order, nan);
        }
    }
}

fn wrong_number(repr: Repr, number: i128) -> Fault {
    let range = integer(repr).map_or_else(String::new, |ty| format!(", which takes {} to {}", ty.min(), ty.max()));
    let said = |number: &str| format!("{number} does not fit the field's type{range}");
    Fault::showing(Code::OutOfRange, &number.to_string(), said)
}

/// The two's complement bits of an integer that fits its representation.
fn integer_bits(repr: Repr, number: i128) -> Option<u64> {
    integer(repr)?.holds(number).then_some(number as u64)
}

/// The integers that a representation has as they are.
fn integer(repr: Repr) -> Option<IntType> {
    let (bits, signed) = match repr {
        Repr::I8 => (8, true),
        Repr::U8 => (8, false),
        Repr::I16 => (16, true),
        Repr::U16 => (16, false),
        Repr::I32 => (32, true),
        Repr::U32 => (32, false),
        Repr::I64 => (64, true),
        Repr::U64 => (64, false),
        _ => return None,
    };
    Some(IntType { bits, signed })
}

/// Text as bytes of an encoding; `None` where a character has none.
pub(crate) fn encode_text(text: &str, encoding: Encoding) -> Option<Vec<u8>> {
    match encoding {
        Encoding::Utf8 => Some(text.as_bytes().to_vec()),
        Encoding::Latin1 => text.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect(),
    }
}
