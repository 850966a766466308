//! Parts of Erlang's grammar as trees: calls, binaries, records, clauses, functions.

use crate::code::{self, flat, quote, Expr, Form, Function};
pub(crate) use crate::code::{atom, is_reserved, trees, Atom, Callee, Clause, NULL, RESERVED};
pub(crate) use crate::rows::{fill, INDENT};
use aldis_emit::doc::{concat, group, hard, indent, join, soft, text, Doc};
use std::collections::BTreeSet;
use std::fmt;

/// Columns of a generated line.
pub(crate) const WIDTH: usize = 110;

/// The answer of a fast function to bytes or values that it does not expect.
pub(crate) const UNUSUAL: &str = "throw(unusual)";

/// A binary with the UTF-8 bytes of `content`.
pub(crate) fn utf8_binary(content: &str) -> String {
    bytes_binary(content.as_bytes())
}

/// A binary literal: as a string where all bytes are printable ASCII, else as numbers.
pub(crate) fn bytes_binary(content: &[u8]) -> String {
    format!("<<{}>>", segments(content))
}

/// The text between a binary literal's brackets.
pub(crate) fn segments(content: &[u8]) -> String {
    if content.is_empty() {
        return String::new();
    }
    if content.iter().all(|b| (0x20..0x7F).contains(b)) {
        let inner: String = content.iter().map(|&b| escape(b)).collect();
        return format!("\"{inner}\"");
    }
    let numbers: Vec<String> = content.iter().map(u8::to_string).collect();
    numbers.join(", ")
}

fn escape(byte: u8) -> String {
    match byte {
        b'"' => "\\\"".to_owned(),
        b'\\' => "\\\\".to_owned(),
        other => char::from(other).to_string(),
    }
}

/// `name(a, b)`
pub(crate) fn call(name: impl Into<Callee>, args: impl IntoIterator<Item = impl Into<Expr>>) -> Expr {
    name.into().with(flat(trees(args)))
}

/// `<<a, b>>`
pub(crate) fn binary(segments: impl IntoIterator<Item = impl Into<Expr>>) -> Expr {
    Expr::Binary(flat(trees(segments)))
}

/// `{a, b}`
pub(crate) fn tuple(items: impl IntoIterator<Item = impl Into<Expr>>) -> Expr {
    Expr::Tuple(flat(trees(items)))
}

/// `[a, b]`
pub(crate) fn list(items: impl IntoIterator<Item = impl Into<Expr>>) -> Expr {
    Expr::List(flat(trees(items)), None)
}

/// `[a, b | Rest]`
pub(crate) fn list_before(items: impl IntoIterator<Item = Expr>, rest: impl Into<Expr>) -> Expr {
    match flat(items.into_iter().collect()) {
        items if items.is_empty() => rest.into(),
        items => Expr::List(items, Some(Box::new(rest.into()))),
    }
}

/// `#'Name'{a = A}`
pub(crate) fn record(name: &Atom, fields: impl IntoIterator<Item = (Atom, Expr)>) -> Expr {
    let fields = fields.into_iter().map(|(name, value)| (name.name().to_owned(), value));
    Expr::Record(name.name().to_owned(), fields.collect())
}

/// `Pattern = Value`
pub(crate) fn bind(pattern: impl Into<Expr>, value: impl Into<Expr>) -> Expr {
    Expr::Match(Box::new(pattern.into()), Box::new(value.into()))
}

/// `case Value of … end`
pub(crate) fn case_of(
    value: impl Into<Expr>,
    clauses: impl IntoIterator<Item = (impl Into<Expr>, impl Into<Expr>)>,
) -> Expr {
    let clauses = clauses.into_iter().map(|(pattern, body)| Clause::new([pattern], [body])).collect();
    Expr::Case { value: Box::new(value.into()), clauses, apart: true }
}

/// `try … catch _:_ -> Otherwise end`
pub(crate) fn attempt(body: Vec<Expr>, otherwise: impl Into<Expr>) -> Expr {
    let clause = Clause::new(["_, _"], [otherwise]);
    Expr::Try(Box::new(code::Try { body: flat(body), clauses: vec![clause], after: Vec::new() }))
}

/// As [`case_of`], on one line where that fits.
pub(crate) fn choice(
    value: impl Into<Expr>,
    clauses: impl IntoIterator<Item = (impl Into<Expr>, impl Into<Expr>)>,
) -> Expr {
    match case_of(value, clauses) {
        Expr::Case { value, clauses, .. } => Expr::Case { value, clauses, apart: false },
        other => other,
    }
}

/// `Pattern when A, B`, a clause's; the pattern alone where there is no test.
pub(crate) fn guarded_by(pattern: Expr, tests: Vec<Expr>) -> Expr {
    match tests.is_empty() {
        true => pattern,
        false => Expr::When(Box::new(pattern), vec![tests]),
    }
}

/// `[Value || Pattern <= Source]`
pub(crate) fn comprehension(value: Expr, pattern: Expr, source: &str) -> Expr {
    let generator = Box::new(code::Generator { binary: true, pattern, source: quote(source) });
    Expr::Comprehension { binary: false, value: Box::new(value), generator }
}

/// Two operands of an operator.
pub(crate) fn binop(left: Expr, operator: &'static str, right: Expr) -> Expr {
    Expr::Binop(operator, Box::new(left), Box::new(right))
}

/// Statements, one a line.
pub(crate) fn statements(parts: Vec<Expr>) -> Expr {
    Expr::Row(parts)
}

/// The schema's own words as the documentation of a function; nothing where there are none.
pub(crate) fn edoc(words: &str) -> Doc {
    let mut lines = Vec::new();
    for line in words.lines() {
        let tag = if lines.is_empty() { "@doc " } else { "" };
        lines.extend([text(format!("%% {tag}{}", edoc_text(line)).trim_end().to_owned()), hard()]);
    }
    concat(lines)
}

/// A text with entities for the characters that mean something to edoc.
fn edoc_text(line: &str) -> String {
    let mut out = String::new();
    for c in line.trim().chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '@' | '`' | '[' | '{' | '}' => out.push_str(&format!("&#{};", u32::from(c))),
            '=' if out.is_empty() => out.push_str("&#61;"),
            c => out.push(c),
        }
    }
    out
}

/// Functions as they are printed, with what they are called.
#[derive(Clone, Debug, Default)]
pub(crate) struct Functions {
    /// Name and arity of each.
    pub heads: Vec<(Atom, usize)>,
    /// Those of which Dialyzer is told that a clause may match nothing.
    pub unmatched: Vec<(Atom, usize)>,
    pub doc: Doc,
    pub forms: Vec<Form>,
    /// The local functions and macros that they call.
    pub called: BTreeSet<String>,
}

impl Functions {
    /// These, and another one's behind them.
    pub fn and(mut self, other: Self) -> Self {
        self.heads.extend(other.heads);
        self.unmatched.extend(other.unmatched);
        self.doc = concat([self.doc, other.doc]);
        self.forms.extend(other.forms);
        self.called.extend(other.called);
        self
    }

    /// The functions of all, one after another.
    pub fn all(parts: impl IntoIterator<Item = Self>) -> Self {
        parts.into_iter().fold(Self::default(), Self::and)
    }
}

/// `name(…) -> …; name(…) -> ….` with an empty line behind.
pub(crate) fn function(name: impl Into<Atom>, clauses: &[Clause]) -> Functions {
    let made = function_in_row(name, clauses);
    Functions { doc: concat([made.doc, Doc::Blank]), ..made }
}

/// As [`function`], with no empty line behind: one of a row of short functions.
pub(crate) fn function_in_row(name: impl Into<Atom>, clauses: &[Clause]) -> Functions {
    let name = name.into();
    let mut clauses = clauses.to_vec();
    let mut called = BTreeSet::new();
    for clause in &mut clauses {
        code::mark_unused(clause);
        code::simplify(clause);
        code::called(clause, &mut called);
    }
    let function = Function { name: name.name().to_owned(), clauses };
    let clauses = function.clauses.iter().map(|clause| code::clause_of(&function.name, clause));
    let doc = concat([join(concat([text(";"), hard()]), clauses), text("."), hard()]);
    let (heads, forms) = (vec![(name, function.arity())], vec![Form::Function(function)]);
    Functions { heads, doc, forms, called, ..Functions::default() }
}

/// A writer: a function whose last clause is for values of another type, which Dialyzer knows not to come from callers
/// that it has checked.
pub(crate) fn writer(name: &Atom, clauses: &[Clause]) -> Functions {
    let made = function(name, clauses);
    let arity = made.heads[0].1;
    let forms = [Form::NoMatch(name.name().to_owned(), arity)].into_iter().chain(made.forms).collect();
    Functions { unmatched: made.heads.clone(), forms, ..made }
}

/// `-spec name(A, B) -> Result.`
pub(crate) fn spec(name: impl fmt::Display, args: &[&str], result: &str) -> Doc {
    let line = format!("-spec {name}({}) ->", args.join(", "));
    concat([group(concat([text(line), indent(INDENT, concat([soft(), text(result), text(".")]))])), hard()])
}

#[cfg(test)]
mod tests {
    use super::{bytes_binary, edoc};

    #[test]
    fn documentation_is_no_markup() {
        assert_eq!(edoc("a <b> & `c'\n\n@d").print(80), "%% @doc a &lt;b&gt; &amp; &#96;c'\n%%\n%% &#64;d\n");
        assert_eq!(edoc("").print(80), "");
    }

    #[test]
    fn binaries_are_strings_where_they_can_be() {
        assert_eq!(bytes_binary(b"a\"b"), "<<\"a\\\"b\">>");
        assert_eq!(bytes_binary(&[0, 255]), "<<0, 255>>");
        assert_eq!(bytes_binary(b""), "<<>>");
    }
}
