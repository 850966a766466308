//! Marks variables that a clause binds and never reads.
//!
//! A variable that occurs once in a clause is bound and not read, whatever the clause does; Erlang wants it to begin
//! with an underscore. Marking them here lets every emitter bind what it may need.

use aldis_emit::doc::Doc;
use std::collections::{BTreeMap, BTreeSet};

/// The clause with `_` before each variable that occurs only once in it.
pub(crate) fn mark(clause: Doc) -> Doc {
    let mut counts = BTreeMap::new();
    visit(&clause, &mut |text| {
        for (start, end) in variables(text) {
            *counts.entry(text[start..end].to_owned()).or_insert(0usize) += 1;
        }
    });
    rewrite(clause, &counts)
}

fn visit(doc: &Doc, each: &mut impl FnMut(&str)) {
    match doc {
        Doc::Text(text) => each(text),
        Doc::Word(text) => each(text),
        Doc::Concat(parts) => parts.iter().for_each(|part| visit(part, each)),
        Doc::Indent(_, inner) | Doc::Group(inner) => visit(inner, each),
        Doc::Nil | Doc::Soft(_) | Doc::Hard | Doc::Blank => {}
    }
}

fn rewrite(doc: Doc, counts: &BTreeMap<String, usize>) -> Doc {
    match doc {
        Doc::Text(text) => Doc::Text(underscored(&text, counts)),
        Doc::Concat(parts) => Doc::Concat(parts.into_iter().map(|part| rewrite(part, counts)).collect()),
        Doc::Indent(columns, inner) => Doc::Indent(columns, Box::new(rewrite(*inner, counts))),
        Doc::Group(inner) => Doc::Group(Box::new(rewrite(*inner, counts))),
        other => other,
    }
}

fn underscored(text: &str, counts: &BTreeMap<String, usize>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for (start, end) in variables(text) {
        out.push_str(&text[done..start]);
        if counts.get(&text[start..end]) == Some(&1) {
            out.push('_');
        }
        out.push_str(&text[start..end]);
        done = end;
    }
    out.push_str(&text[done..]);
    out
}

/// The byte ranges of the variables in a piece of Erlang, which splits no token.
pub(crate) fn variables(text: &str) -> Vec<(usize, usize)> {
    let is_variable = |(start, _): &(usize, usize)| text.as_bytes()[*start].is_ascii_uppercase();
    words(text).into_iter().filter(is_variable).collect()
}

/// The local functions and the macros (`?WITHIN`) that a text of Erlang calls with arguments. The words of comments, strings and
/// quoted atoms, which are a schema's own, call nothing; `bool()` is a type.
pub(crate) fn called(text: &str) -> BTreeSet<&str> {
    let is_call = |(start, end): &(usize, usize)| {
        !text[..*start].ends_with(':') && text[*end..].starts_with('(') && !text[*end..].starts_with("()")
    };
    words(text).into_iter().filter(is_call).map(|(start, end)| &text[start..end]).collect()
}

/// The byte ranges of the variables, atoms, numbers and macros' names in a piece of Erlang, which splits no token.
fn words(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'@';
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'%' => at += bytes[at..].iter().position(|&b| b == b'\n').unwrap_or(bytes.len()),
            b'$' => at += if bytes.get(at + 1) == Some(&b'\\') { 3 } else { 2 },
            quote @ (b'\'' | b'"') => at = end_of_quoted(bytes, at + 1, quote),
            first if is_word(first) || first == b'?' => {
                let end = bytes[at + 1..].iter().position(|&b| !is_word(b)).map_or(bytes.len(), |n| at + 1 + n);
                found.push((at, end));
                at = end;
            }
            _ => at += 1,
        }
    }
    found
}

/// The place behind a quoted atom or string whose content begins at `at`; beyond the end where nothing closes it.
pub(crate) fn end_of_quoted(bytes: &[u8], mut at: usize, quote: u8) -> usize {
    while at < bytes.len() && bytes[at] != quote {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at + 1
}

#[cfg(test)]
mod tests {
    use super::{called, mark};
    use aldis_emit::doc::{concat, text};

    #[test]
    fn only_single_occurrences_are_marked() {
        let clause = concat([text("f(<<A:32, B:8>>, 'C', \"D\", ?E, $F) -> "), text("A + g@X1(A, X)")]);
        assert_eq!(mark(clause).print(200), "f(<<A:32, _B:8>>, 'C', \"D\", ?E, $F) -> A + g@X1(A, _X)");
    }

    #[test]
    fn comments_strings_and_quoted_atoms_call_nothing() {
        let code = "%% bool(x) \\ 'and\n-spec f(bool()) -> has().\nf(A) -> {<<\"has(x\">>, 'at(', $\", $\\', m:at(A), ?WITHIN(A, g(\n1), 2)}.";
        assert_eq!(called(code).into_iter().collect::<Vec<_>>(), ["?WITHIN", "f", "g"]);
    }
}
