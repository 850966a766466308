//! Values that a schema spells out in text.

use crate::primitive::{bits, Primitive};
use aldis_plan::NullValue;
use aldis_schema::Literal;

/// A value of a primitive type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    /// Integers, and chars by their byte.
    Int(i128),
    Float(f64),
}

/// Why a text is no value of its type.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Refused {
    /// The text is no number, or no single character.
    Form,
    /// The number is none of the type's.
    Range,
}

impl Number {
    /// Reads a value of `primitive`: a char is the character itself, any other a decimal number.
    pub fn parse(text: &str, primitive: Primitive) -> Result<Self, Refused> {
        match primitive {
            Primitive::Char => character(text).map(Number::Int),
            Primitive::Int(int) => {
                let value: i128 = text.parse().map_err(|_| Refused::Form)?;
                if int.holds(value) {
                    Ok(Number::Int(value))
                } else {
                    Err(Refused::Range)
                }
            }
            Primitive::Float | Primitive::Double => float(text, primitive).map(Number::Float),
        }
    }

    /// The integer, for what is one.
    pub fn int(self) -> Option<i128> {
        match self {
            Number::Int(value) => Some(value),
            Number::Float(_) => None,
        }
    }

    pub fn literal(self) -> Literal {
        match self {
            Number::Int(value) => Literal::Int(value),
            Number::Float(value) => Literal::Float(value),
        }
    }

    /// This value as the one that means null.
    pub fn null(self, primitive: Primitive) -> NullValue {
        match self {
            Number::Int(value) => NullValue::Bits(bits(value, (primitive.width() * 8) as u8)),
            Number::Float(value) if value.is_nan() => primitive.null(),
            Number::Float(value) if primitive == Primitive::Float => {
                NullValue::Bits(u64::from((value as f32).to_bits()))
            }
            Number::Float(value) => NullValue::Bits(value.to_bits()),
        }
    }
}

fn float(text: &str, primitive: Primitive) -> Result<f64, Refused> {
    let value: f64 = text.parse().map_err(|_| Refused::Form)?;
    let written_infinite = text.to_ascii_lowercase().contains("inf");
    let infinite = if primitive == Primitive::Float { (value as f32).is_infinite() } else { value.is_infinite() };
    if infinite && !written_infinite {
        Err(Refused::Range)
    } else {
        Ok(value)
    }
}

fn character(text: &str) -> Result<i128, Refused> {
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) if (c as u32) < 256 => Ok(i128::from(c as u32)),
        (Some(_), None) => Err(Refused::Range),
        _ => Err(Refused::Form),
    }
}

#[cfg(test)]
mod tests {
    use super::{Number, Refused};
    use crate::primitive::Primitive;
    use aldis_plan::NullValue;

    fn parse(text: &str, name: &str) -> Result<Number, Refused> {
        Number::parse(text, Primitive::named(name).unwrap())
    }

    #[test]
    fn values_are_held_to_their_types() {
        assert_eq!(parse("-128", "int8"), Ok(Number::Int(-128)));
        assert_eq!(parse("128", "int8"), Err(Refused::Range));
        assert_eq!(parse("18446744073709551615", "uint64"), Ok(Number::Int(u64::MAX.into())));
        assert_eq!(parse("0x10", "uint8"), Err(Refused::Form));
        assert_eq!(parse("0", "char"), Ok(Number::Int(48)));
        assert_eq!(parse("\u{20ac}", "char"), Err(Refused::Range));
        assert_eq!(parse("3.5e38", "float"), Err(Refused::Range));
        assert_eq!(parse("-INF", "float"), Ok(Number::Float(f64::NEG_INFINITY)));
    }

    #[test]
    fn null_values_keep_their_bits() {
        let null = |text, name| parse(text, name).unwrap().null(Primitive::named(name).unwrap());
        assert_eq!(null("-2", "int16"), NullValue::Bits(0xFFFE));
        assert_eq!(null("-9223372036854775808", "int64"), NullValue::Bits(1 << 63));
        assert_eq!(null("-1", "double"), NullValue::Bits((-1.0f64).to_bits()));
        assert_eq!(null("NaN", "float"), NullValue::Nan(0x7FC0_0000));
    }
}
