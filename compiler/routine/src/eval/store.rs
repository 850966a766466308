//! Numbers and other values of fixed size, put into bytes.

use super::fault::{Code, Fault};
use crate::value::Value;
use aldis_plan::{ByteOrder, NullValue, Repr, Scalar};

/// Stores the low bits of a number; the width is that of `bytes`.
pub(super) fn store(bytes: &mut [u8], order: ByteOrder, bits: u64) {
    let places: &mut dyn Iterator<Item = &mut u8> = match order {
        ByteOrder::Little => &mut bytes.iter_mut(),
        ByteOrder::Big => &mut bytes.iter_mut().rev(),
    };
    for (index, byte) in places.enumerate() {
        *byte = (bits >> (8 * index)) as u8;
    }
}

/// Puts a scalar into bytes of its width.
pub(super) fn scalar(bytes: &mut [u8], order: ByteOrder, scalar: &Scalar, value: &Value) -> Result<(), Fault> {
    match (scalar.repr, value) {
        (_, Value::Null) => match scalar.null.or(scalar.absent) {
            Some(NullValue::Bits(bits) | NullValue::Nan(bits)) => store(bytes, order, bits),
            None => return Err(Fault::of(Code::BadValue)),
        },
        (Repr::Decimal, Value::Decimal(decimal)) => {
            bytes.copy_from_slice(&decimal.coefficient.to_le_bytes());
            bytes[12..].copy_from_slice(&[0, 0, decimal.scale, if decimal.negative { 0x80 } else { 0 }]);
        }
        (Repr::Uuid, Value::Uuid(octets)) => bytes.copy_from_slice(octets),
        (Repr::Bit(bit), Value::Bool(v)) => bytes[0] |= (u8::from(*v) << bit) ^ scalar.xor as u8,
        _ => store(bytes, order, bits(scalar.repr, value)? ^ if scalar.repr == Repr::Bool { 0 } else { scalar.xor }),
    }
    Ok(())
}

/// The bits of a number that fits its representation.
fn bits(repr: Repr, value: &Value) -> Result<u64, Fault> {
    let number = match (repr, value) {
        (Repr::Bool, Value::Bool(v)) => return Ok(u64::from(*v)),
        (Repr::F32, Value::F32(v)) if v.is_nan() => return Ok(0x7FC0_0000),
        (Repr::F32, Value::F32(v)) => return Ok(u64::from(v.to_bits())),
        (Repr::F64, Value::F64(v)) if v.is_nan() => return Ok(0x7FF8_0000_0000_0000),
        (Repr::F64, Value::F64(v)) => return Ok(v.to_bits()),
        (_, Value::Int(v)) => i128::from(*v),
        (_, Value::UInt(v)) => i128::from(*v),
        _ => return Err(Fault::of(Code::BadValue)),
    };
    let fits = match repr {
        Repr::I8 => i8::try_from(number).is_ok(),
        Repr::U8 => u8::try_from(number).is_ok(),
        Repr::I16 => i16::try_from(number).is_ok(),
        Repr::U16 => u16::try_from(number).is_ok(),
        Repr::I32 => i32::try_from(number).is_ok(),
        Repr::U32 => u32::try_from(number).is_ok(),
        Repr::I64 => i64::try_from(number).is_ok(),
        Repr::U64 => u64::try_from(number).is_ok(),
        _ => false,
    };
    fits.then_some(number as u64).ok_or_else(|| Fault::of(Code::OutOfRange))
}
