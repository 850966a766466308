//! Operators with two operands: how strongly they bind, and which of them bind from the right.

/// The strength of what has no operator.
pub(super) const OPERAND: u8 = 7;

/// Operators by their strength, the weakest first, as the reference manual of Erlang orders them.
const LEVELS: [&[&str]; 6] = [
    &["orelse"],
    &["andalso"],
    &["=:=", "=/=", "==", "/=", "=<", "<", ">=", ">"],
    &["++", "--"],
    &["+", "-", "bor", "bxor", "bsl", "bsr"],
    &["*", "div", "rem", "band"],
];

/// The operators of a strength, from 1 up.
pub(super) fn of_strength(strength: u8) -> &'static [&'static str] {
    LEVELS[usize::from(strength) - 1]
}

/// How strongly an operator binds what is beside it.
///
/// # Panics
/// If it is none that generated code has.
pub(super) fn strength(operator: &str) -> u8 {
    (1..OPERAND)
        .find(|strength| of_strength(*strength).contains(&operator))
        .unwrap_or_else(|| unreachable!("`{operator}`"))
}

/// Whether `A op B op C` is `A op (B op C)`.
pub(super) fn is_from_right(strength: u8) -> bool {
    matches!(strength, 1 | 2 | 4)
}

/// Whether two of these comparisons have nothing in common without brackets.
pub(super) fn is_comparison(strength: u8) -> bool {
    strength == 3
}

/// Whether an operator does something with the bits of numbers.
pub(super) fn is_on_bits(operator: &str) -> bool {
    matches!(operator, "bor" | "bxor" | "bsl" | "bsr" | "band")
}
