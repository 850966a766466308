//! Atoms, as Erlang writes them.

use super::tree::Expr;
use std::fmt;

/// Words of the language, which are no atoms without quotes.
pub(crate) const RESERVED: &[&str] = &[
    "after", "and", "andalso", "band", "begin", "bnot", "bor", "bsl", "bsr", "bxor", "case", "catch", "cond", "div",
    "else", "end", "fun", "if", "let", "maybe", "not", "of", "or", "orelse", "receive", "rem", "try", "when", "xor",
];

/// The atom for null. As a bare word it means nothing else in generated code.
pub(crate) const NULL: &str = "undefined";

/// Whether it is one of [`RESERVED`].
pub(crate) fn is_reserved(name: &str) -> bool {
    RESERVED.contains(&name)
}

/// An atom. It is shown quoted where Erlang needs it and where it would look like null, so it may stand in a template.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Atom(String);

pub(crate) fn atom(name: &str) -> Atom {
    Atom(name.to_owned())
}

impl Atom {
    /// Its name, without quotes.
    pub fn name(&self) -> &str {
        &self.0
    }

    pub fn into_name(self) -> String {
        self.0
    }
}

impl From<&Self> for Atom {
    fn from(atom: &Self) -> Self {
        atom.clone()
    }
}

impl From<&'static str> for Atom {
    fn from(name: &'static str) -> Self {
        atom(name)
    }
}

impl From<&Atom> for Expr {
    fn from(atom: &Atom) -> Self {
        Expr::Atom(atom.0.clone())
    }
}

impl From<Atom> for Expr {
    fn from(atom: Atom) -> Self {
        Expr::Atom(atom.0)
    }
}

impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name();
        let mut chars = name.chars();
        let plain = chars.next().is_some_and(|c| c.is_ascii_lowercase())
            && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
            && !is_reserved(name)
            && name != NULL;
        match plain {
            true => f.write_str(name),
            false => write!(f, "'{}'", name.replace('\\', "\\\\").replace('\'', "\\'")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::atom;

    #[test]
    fn atoms_are_quoted_where_needed() {
        assert_eq!(atom("price").to_string(), "price");
        assert_eq!(atom("Price").to_string(), "'Price'");
        assert_eq!(atom("end").to_string(), "'end'");
        assert_eq!(atom("it's").to_string(), "'it\\'s'");
        assert_eq!(atom("_x").to_string(), "'_x'");
    }
}
