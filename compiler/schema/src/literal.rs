//! Values that a schema spells out: defaults and constants.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A value written in a schema, already checked against its type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Literal {
    Null,
    Bool(bool),
    /// Integers, timestamps, chars, enum values and flags masks.
    Int(#[serde(with = "crate::wide")] i128),
    Float(#[serde(with = "crate::float")] f64),
    Decimal(Decimal),
    Uuid([u8; 16]),
    Text(String),
    Bytes(Vec<u8>),
    /// Elements, or a record's fields in order.
    List(Vec<Literal>),
    /// The arm of a union with that tag, and its value.
    Choice {
        tag: u64,
        value: Box<Literal>,
    },
    Generated(Generated),
}

/// A default that is made anew for each new value. Decoders never make one: where a block ends before such a field they
/// read zero, so that the same bytes always mean the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Generated {
    /// The time of creation.
    UtcNow,
    /// A time-based uuid.
    Uuid1,
    /// A random uuid.
    Uuid4,
}

/// `±coefficient / 10^scale`, coefficient below 2^96, scale 0 to 28. The scale is kept: 1.10 is not 1.1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Decimal {
    pub negative: bool,
    #[serde(with = "crate::wide")]
    pub coefficient: u128,
    pub scale: u8,
}

impl Decimal {
    pub const MAX_SCALE: u8 = 28;
    pub const MAX_COEFFICIENT: u128 = (1 << 96) - 1;

    /// Reads `-12.340` or `1.5e27`; `None` when `text` is no decimal number (JSON grammar, leading zeros allowed) or does not fit exactly.
    pub fn parse(text: &str) -> Option<Self> {
        let (negative, unsigned) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent_of(exponent)?),
            None => (unsigned, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        if whole.is_empty() || (mantissa.contains('.') && fraction.is_empty()) {
            return None;
        }
        let mut coefficient: u128 = 0;
        for digit in whole.bytes().chain(fraction.bytes()) {
            let digit = char::from(digit).to_digit(10)?;
            coefficient = push_digit(coefficient, digit)?;
        }
        let mut scale = i32::try_from(fraction.len()).ok()?.checked_sub(exponent)?;
        while scale < 0 {
            if coefficient == 0 {
                scale = 0;
                break;
            }
            coefficient = push_digit(coefficient, 0)?;
            scale += 1;
        }
        let scale = u8::try_from(scale).ok().filter(|&s| s <= Self::MAX_SCALE)?;
        Some(Self { negative, coefficient, scale })
    }
}

/// The number behind an `e`, cut to what no text's digits can make up for.
fn exponent_of(text: &str) -> Option<i32> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let far = if text.starts_with('-') { i32::MIN } else { i32::MAX };
    Some(text.parse().unwrap_or(far))
}

fn push_digit(coefficient: u128, digit: u32) -> Option<u128> {
    let next = coefficient * 10 + u128::from(digit);
    (next <= Decimal::MAX_COEFFICIENT).then_some(next)
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.negative { "-" } else { "" };
        let scale = usize::from(self.scale);
        let digits = format!("{:0>width$}", self.coefficient, width = scale + 1);
        let (whole, fraction) = digits.split_at(digits.len() - scale);
        write!(f, "{sign}{whole}")?;
        if scale > 0 {
            write!(f, ".{fraction}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Decimal;

    #[test]
    fn text_reads_back_with_its_scale() {
        for text in
            ["0", "1", "-1", "0.1", "1.10", "0.00", "79228162514264337593543950335", "-0.0000000000000000000000000001"]
        {
            assert_eq!(Decimal::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_does_not_fit_exactly_is_refused() {
        for text in ["79228162514264337593543950336", "1e-29", "", ".5", "5.", "1e", "0x1", "1 ", "--1"] {
            assert_eq!(Decimal::parse(text), None, "{text}");
        }
    }

    #[test]
    fn exponents_move_the_point() {
        assert_eq!(Decimal::parse("1.5e3").unwrap().to_string(), "1500");
        assert_eq!(Decimal::parse("15e-3").unwrap().to_string(), "0.015");
        assert_eq!(Decimal::parse("0e30").unwrap().to_string(), "0");
    }

    #[test]
    fn zero_is_zero_times_whatever_but_keeps_its_scale() {
        for exponent in ["2", "2147483648", "+999999999999", &"9".repeat(60)] {
            assert_eq!(Decimal::parse(&format!("-0.00e{exponent}")).unwrap().to_string(), "-0");
        }
        assert_eq!(Decimal::parse("0.0e-27").unwrap().scale, 28);
        for text in ["0e-29", "0e-2147483648", "0e-2147483649", "0e-999999999999", "1e999999999999", "0e+", "0e1.5"] {
            assert_eq!(Decimal::parse(text), None, "{text}");
        }
    }
}
