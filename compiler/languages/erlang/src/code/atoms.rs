//! Atoms as Erlang writes them.

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

/// An atom, quoted where Erlang needs it and where it would look like null.
pub(crate) fn atom(name: &str) -> String {
    let mut chars = name.chars();
    let plain = chars.next().is_some_and(|c| c.is_ascii_lowercase())
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !is_reserved(name)
        && name != NULL;
    if plain {
        name.to_owned()
    } else {
        format!("'{}'", name.replace('\\', "\\\\").replace('\'', "\\'"))
    }
}

#[cfg(test)]
mod tests {
    use super::atom;

    #[test]
    fn atoms_are_quoted_where_needed() {
        assert_eq!(atom("price"), "price");
        assert_eq!(atom("Price"), "'Price'");
        assert_eq!(atom("end"), "'end'");
        assert_eq!(atom("it's"), "'it\\'s'");
        assert_eq!(atom("_x"), "'_x'");
    }
}
