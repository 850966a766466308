//! Elixir's text, laid out so that `mix format` leaves it as it is.
//!
//! An expression that fits on a line is printed flat; others are broken, with each of their items on a line of its own.

mod broken;
mod flat;
mod function;

pub(crate) use broken::value;
pub(crate) use flat::{atom, expr as flat, key, number, string, BOUND};
pub(crate) use function::{function, guard};

/// Columns of a line, as the formatter has them.
pub(crate) const WIDTH: usize = 98;

/// A line end and the indentation of what follows.
pub(crate) fn line(indent: usize) -> String {
    format!("\n{:indent$}", "")
}
