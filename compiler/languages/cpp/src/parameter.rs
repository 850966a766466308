//! Parameters of functions.

use std::fmt;

/// A parameter, which prints itself as it is declared.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    ty: String,
    pub name: &'static str,
    behind: &'static str,
}

pub(crate) fn parameter(ty: impl Into<String>, name: &'static str) -> Parameter {
    Parameter { ty: ty.into(), name, behind: "" }
}

/// The bytes that a function for users reads.
pub(crate) fn input() -> Parameter {
    parameter("std::span<const std::byte>", "in")
}

/// The limits of a function for users, who may leave them out.
pub(crate) fn limits() -> Parameter {
    Parameter { behind: " = {}", ..parameter("const aldis::limits&", "most") }
}

/// The parameters in a declaration.
pub(crate) fn listed(parameters: &[Parameter], between: &str) -> String {
    parameters.iter().map(Parameter::to_string).collect::<Vec<_>>().join(between)
}

impl Parameter {
    /// A parameter that the result looks at.
    pub fn bound(self) -> Self {
        Self { behind: " ALDIS_LIFETIMEBOUND", ..self }
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}{}", self.ty, self.name, self.behind)
    }
}
