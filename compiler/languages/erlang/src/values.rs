//! The terms of values, where languages of Erlang's machine differ in taste.
//!
//! Codecs of these languages are the same functions; what [`Values`] says is all that differs in what they take and give.
//! How null is spelled needs no entry: in the text of these functions the bare word `undefined` stands for nothing else,
//! since [`crate::erl::atom`] quotes a name of the schema that is spelled so.

use crate::code::Expr;
use crate::erl::{atom, call};

/// The values of one language.
#[derive(Debug)]
pub struct Values {
    /// The name that an enumerant cannot have as a value because null is spelled so; it is `{enum, Name}` instead.
    pub null: &'static str,
    /// Uuids; the runtime's are 16 octets.
    pub uuid: Option<Conversion>,
    /// Sets; the runtime's are sorted lists without duplicates.
    pub set: Option<Conversion>,
    /// Decimals; the runtime's are `{decimal, Sign, Coefficient, Scale}`.
    pub decimal: Option<Conversion>,
    /// Whether macros may be given expressions that are only evaluated where the macro says.
    pub macros: bool,
    /// Whether records are maps that say what struct they are, with keys of their own; else tuples.
    pub structs: bool,
}

/// Functions between the runtime's value and the language's, each `Module:Function`. The one back leaves a value that is
/// of another type as it is: the check behind it refuses it, with its path.
#[derive(Debug)]
pub struct Conversion {
    /// From the runtime's value.
    pub from: &'static str,
    /// Back to the runtime's value.
    pub to: &'static str,
}

/// Erlang's own values.
pub(crate) static ERLANG: Values =
    Values { null: "undefined", uuid: None, set: None, decimal: None, macros: true, structs: false };

impl Values {
    pub(crate) fn uuid_from(&self, term: impl Into<Expr>) -> Expr {
        from(&self.uuid, term)
    }

    pub(crate) fn uuid_to(&self, term: impl Into<Expr>) -> Expr {
        to(&self.uuid, term)
    }

    pub(crate) fn set_from(&self, term: impl Into<Expr>) -> Expr {
        from(&self.set, term)
    }

    pub(crate) fn set_to(&self, term: impl Into<Expr>) -> Expr {
        to(&self.set, term)
    }

    pub(crate) fn decimal_from(&self, term: impl Into<Expr>) -> Expr {
        from(&self.decimal, term)
    }

    pub(crate) fn decimal_to(&self, term: impl Into<Expr>) -> Expr {
        to(&self.decimal, term)
    }

    /// An enumerant as a term. One that is called like null is told apart from it.
    pub(crate) fn enumerant(&self, name: &str) -> String {
        if name == self.null {
            format!("{{enum, {}}}", atom(name))
        } else {
            atom(name).to_string()
        }
    }
}

fn from(conversion: &Option<Conversion>, term: impl Into<Expr>) -> Expr {
    match conversion {
        Some(conversion) => call(conversion.from, [term]),
        None => term.into(),
    }
}

fn to(conversion: &Option<Conversion>, term: impl Into<Expr>) -> Expr {
    match conversion {
        Some(conversion) => call(conversion.to, [term]),
        None => term.into(),
    }
}
