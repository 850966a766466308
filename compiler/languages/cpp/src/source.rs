//! The expression of a value that generated code writes.

use std::fmt::{Display, Formatter, Result};

/// A value, or the one that an expression points to. It displays as something that a member or an index can follow.
#[derive(Clone)]
pub(crate) struct Source {
    expression: String,
    is_pointed_to: bool,
}

impl Source {
    /// The value in an optional or behind a pointer.
    pub fn behind(pointer: impl Display) -> Self {
        Self { expression: pointer.to_string(), is_pointed_to: true }
    }

    /// The value in this one where it is an optional, else this one.
    pub fn held(&self, is_optional: bool) -> Self {
        if is_optional {
            Self::behind(self)
        } else {
            self.clone()
        }
    }

    /// The expression where commas or brackets are around it.
    pub fn argument(&self) -> String {
        format!("{}{}", if self.is_pointed_to { "*" } else { "" }, self.expression)
    }
}

impl From<&str> for Source {
    fn from(expression: &str) -> Self {
        expression.to_owned().into()
    }
}

impl From<String> for Source {
    fn from(expression: String) -> Self {
        Self { expression, is_pointed_to: false }
    }
}

impl Display for Source {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        if self.is_pointed_to {
            write!(f, "(*{})", self.expression)
        } else {
            f.write_str(&self.expression)
        }
    }
}
