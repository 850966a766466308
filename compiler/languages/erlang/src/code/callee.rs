//! What calls name.

use super::atoms::{atom, Atom};
use super::quote::quote;
use super::tree::Expr;
use std::fmt;

/// What a call names. It is shown as it stands in front of the arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Callee {
    /// A function of the module itself.
    Own(Atom),
    /// A function of another module.
    Of(Atom, Atom),
    Macro(String),
}

impl Callee {
    /// A function of another module.
    pub fn of(module: &str, name: &str) -> Self {
        Callee::Of(atom(module), atom(name))
    }

    /// For what no plan has that this back end takes.
    pub fn nobody() -> Self {
        Callee::Own(atom("nobody"))
    }

    /// A call of it.
    pub fn with(self, args: Vec<Expr>) -> Expr {
        match self {
            Callee::Own(name) => Expr::Call(None, name.into_name(), args),
            Callee::Of(module, name) => Expr::Call(Some(module.into_name()), name.into_name(), args),
            Callee::Macro(name) => Expr::Macro(name, args),
        }
    }
}

impl From<&Self> for Callee {
    fn from(callee: &Self) -> Self {
        callee.clone()
    }
}

impl From<&Atom> for Callee {
    fn from(name: &Atom) -> Self {
        Callee::Own(name.clone())
    }
}

impl From<Atom> for Callee {
    fn from(name: Atom) -> Self {
        Callee::Own(name)
    }
}

impl From<&'static str> for Callee {
    /// The callee of a template: `name`, `module:name` or `?MACRO`.
    fn from(template: &'static str) -> Self {
        match quote(format!("{template}()")) {
            Expr::Call(None, name, _) => Callee::Own(atom(&name)),
            Expr::Call(Some(module), name, _) => Callee::Of(atom(&module), atom(&name)),
            Expr::Macro(name, _) => Callee::Macro(name),
            _ => unreachable!("`{template}` is called by nothing"),
        }
    }
}

impl fmt::Display for Callee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Callee::Own(name) => write!(f, "{name}"),
            Callee::Of(module, name) => write!(f, "{module}:{name}"),
            Callee::Macro(name) => write!(f, "?{name}"),
        }
    }
}
