//! Numbers as they are stored.

use aldis_plan::{ByteOrder, NullValue, Repr, Scalar};

/// The bits of a number of 1 to 8 bytes, zero-extended.
pub(super) fn load(bytes: &[u8], order: ByteOrder) -> u64 {
    let push = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
    match order {
        ByteOrder::Little => bytes.iter().rev().fold(0, push),
        ByteOrder::Big => bytes.iter().fold(0, push),
    }
}

/// Whether a scalar's bits stand for null.
pub(super) fn is_null(scalar: &Scalar, bits: u64) -> bool {
    match scalar.null {
        None => false,
        Some(NullValue::Bits(null)) => null == bits,
        Some(NullValue::Nan(_)) => match scalar.repr {
            Repr::F32 => f32::from_bits(bits as u32).is_nan(),
            Repr::F64 => f64::from_bits(bits).is_nan(),
            _ => false,
        },
    }
}

/// Whether 16 bytes are a decimal: a coefficient of 12 bytes, two zeros, a scale, a sign.
pub(super) fn is_decimal(bytes: &[u8]) -> bool {
    bytes[12..14] == [0, 0] && bytes[14] <= aldis_schema::Decimal::MAX_SCALE && matches!(bytes[15], 0 | 0x80)
}

pub(super) fn sixteen(bytes: &[u8]) -> [u8; 16] {
    let mut all = [0; 16];
    all.copy_from_slice(bytes);
    all
}
