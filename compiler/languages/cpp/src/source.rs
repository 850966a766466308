//! The expression of a value that generated code writes.

use crate::code::{code, Code, ToCode};

/// A value, or the one that an expression points to. In a hole it is something that a member or an index can follow.
#[derive(Clone)]
pub(crate) struct Source {
    expression: Code,
    is_pointed_to: bool,
}

impl Source {
    /// The value in an optional or behind a pointer.
    pub fn behind(pointer: impl ToCode) -> Self {
        Self { expression: pointer.to_code(), is_pointed_to: true }
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
    pub fn argument(&self) -> Code {
        let expression = &self.expression;
        if self.is_pointed_to {
            code!("*{expression}")
        } else {
            expression.clone()
        }
    }
}

impl From<&Code> for Source {
    fn from(expression: &Code) -> Self {
        expression.clone().into()
    }
}

impl From<Code> for Source {
    fn from(expression: Code) -> Self {
        Self { expression, is_pointed_to: false }
    }
}

impl ToCode for Source {
    fn to_code(&self) -> Code {
        let expression = &self.expression;
        if self.is_pointed_to {
            code!("(*{expression})")
        } else {
            expression.clone()
        }
    }
}
