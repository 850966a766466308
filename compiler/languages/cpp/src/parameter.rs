//! Parameters of functions.

use crate::code::{code, Code, ToCode};

/// A parameter. In a hole it is its declaration.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    ty: Code,
    pub name: &'static str,
    behind: &'static str,
}

pub(crate) fn parameter(ty: impl ToCode, name: &'static str) -> Parameter {
    Parameter { ty: ty.to_code(), name, behind: "" }
}

/// The bytes that a function for users reads.
pub(crate) fn input() -> Parameter {
    parameter("std::span<const std::byte>", "in")
}

/// The limits of a function for users, who may leave them out.
pub(crate) fn limits() -> Parameter {
    Parameter { behind: " = {}", ..parameter("const aldis::limits&", "most") }
}

impl Parameter {
    /// A parameter that the result looks at.
    pub fn bound(self) -> Self {
        Self { behind: " ALDIS_LIFETIMEBOUND", ..self }
    }
}

impl ToCode for Parameter {
    fn to_code(&self) -> Code {
        code!("{} {}{}", self.ty, self.name, self.behind)
    }
}
