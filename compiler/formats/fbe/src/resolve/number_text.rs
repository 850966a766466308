//! The meaning of a number's text.

/// A number as written, with its sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NumberText {
    Integer(i128),
    /// Whole, but beyond what any type of FBE holds.
    Huge,
    /// Has a fraction or an exponent.
    Fraction,
    /// Is no number: `12ab`, `0x`, `1.5.`
    Malformed,
}

/// Reads `-12`, `0x1F`, `1.5e-3`.
pub(super) fn read(text: &str) -> NumberText {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (radix, digits) = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => (16, hex),
        None => (10, digits),
    };
    if digits.is_empty() {
        return NumberText::Malformed;
    }
    if digits.chars().all(|c| c.is_digit(radix)) {
        let value = i128::from_str_radix(digits, radix);
        return value.map_or(NumberText::Huge, |value| NumberText::Integer(if negative { -value } else { value }));
    }
    if radix == 10 && digits.starts_with(|c: char| c.is_ascii_digit()) && digits.parse::<f64>().is_ok() {
        return NumberText::Fraction;
    }
    NumberText::Malformed
}

#[cfg(test)]
mod tests {
    use super::{read, NumberText::*};

    #[test]
    fn texts() {
        let huge = "9".repeat(60);
        for (text, number) in [
            ("0", Integer(0)),
            ("-12", Integer(-12)),
            ("+7", Integer(7)),
            ("0xfF", Integer(255)),
            ("-0x10", Integer(-16)),
            ("1.5", Fraction),
            ("2e3", Fraction),
            ("12ab", Malformed),
            ("0x", Malformed),
            ("0x1.5", Malformed),
            ("1_000", Malformed),
            (&huge, Huge),
        ] {
            assert_eq!(read(text), number, "{text}");
        }
    }
}
