//! Erlang's grammar as trees of text: atoms, calls, binaries, records, clauses.

use crate::rows::filled;
pub(crate) use crate::rows::{fill, sequence, INDENT};
use aldis_emit::doc::{concat, group, hard, indent, join, soft, text, Doc};

/// Columns of a generated line.
pub(crate) const WIDTH: usize = 110;

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

/// The answer of a fast function to bytes or values that it does not expect.
pub(crate) const UNUSUAL: &str = "throw(unusual)";

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
pub(crate) fn call(name: &str, args: impl IntoIterator<Item = Doc>) -> Doc {
    sequence(&format!("{name}("), args.into_iter().collect(), ")")
}

/// `name(a, b)` of plain texts.
pub(crate) fn call_text(name: &str, args: &[String]) -> String {
    format!("{name}({})", args.join(", "))
}

/// `<<a, b>>`
pub(crate) fn binary(segments: impl IntoIterator<Item = Doc>) -> Doc {
    sequence("<<", segments.into_iter().collect(), ">>")
}

/// `{a, b}`
pub(crate) fn tuple(items: impl IntoIterator<Item = Doc>) -> Doc {
    sequence("{", items.into_iter().collect(), "}")
}

/// `[a, b]`
pub(crate) fn list(items: impl IntoIterator<Item = Doc>) -> Doc {
    sequence("[", items.into_iter().collect(), "]")
}

/// The elements of a list, and the variable of those that follow them.
pub(crate) fn followed(mut items: Vec<Doc>, rest: &str) -> Vec<Doc> {
    let last = items.pop().unwrap_or(Doc::Nil);
    items.push(concat([last, text(format!(" | {rest}"))]));
    items
}

/// `#'Name'{a = A}`: `name` is an atom as written.
pub(crate) fn record(name: &str, fields: impl IntoIterator<Item = (String, Doc)>) -> Doc {
    let fields = fields.into_iter().map(|(name, value)| concat([text(format!("{name} = ")), value]));
    sequence(&format!("#{name}{{"), fields.collect(), "}")
}

/// `Pattern = Value`
pub(crate) fn bind(pattern: Doc, value: Doc) -> Doc {
    bind_with(" =", pattern, value)
}

/// `case Value of … end`
pub(crate) fn case_of(value: Doc, clauses: impl IntoIterator<Item = (Doc, Doc)>) -> Doc {
    let clauses = clauses.into_iter().map(|(pattern, body)| bind_with(" ->", pattern, body));
    let body = join(concat([text(";"), hard()]), clauses);
    concat([text("case "), value, text(" of"), indent(INDENT, concat([hard(), body])), hard(), text("end")])
}

/// `try … catch _:_ -> Otherwise end`
pub(crate) fn attempt(body: Vec<Doc>, otherwise: &str) -> Doc {
    let inside = indent(INDENT, concat([hard(), statements(body)]));
    let otherwise = indent(INDENT, concat([hard(), text(format!("_:_ -> {otherwise}"))]));
    concat([text("try"), inside, hard(), text("catch"), otherwise, hard(), text("end")])
}

/// As [`case_of`], on one line where that fits.
pub(crate) fn choice(value: Doc, clauses: impl IntoIterator<Item = (Doc, Doc)>) -> Doc {
    let clauses = clauses.into_iter().map(|(pattern, body)| bind_with(" ->", pattern, body));
    let body = join(concat([text(";"), soft()]), clauses);
    group(concat([text("case "), value, text(" of"), indent(INDENT, concat([soft(), body])), soft(), text("end")]))
}

/// `fun(A, B) -> Body end`
pub(crate) fn lambda(args: &[&str], body: Doc) -> Doc {
    let head = text(format!("fun({}) ->", args.join(", ")));
    group(concat([head, indent(INDENT, concat([soft(), body])), soft(), text("end")]))
}

fn bind_with(sign: &str, left: Doc, right: Doc) -> Doc {
    concat([left, group(concat([text(sign), indent(INDENT, concat([soft(), right]))]))])
}

/// One after the other.
pub(crate) fn concat_docs(parts: impl IntoIterator<Item = Doc>) -> Doc {
    concat(parts)
}

/// The items on one line, with commas.
pub(crate) fn text_list(items: &[Doc]) -> String {
    let items: Vec<String> = items.iter().map(|item| item.print(usize::MAX)).collect();
    items.join(", ")
}

/// The texts as trees.
pub(crate) fn texts(items: &[String]) -> Vec<Doc> {
    items.iter().map(|item| text(item.as_str())).collect()
}

/// Statements, one a line.
pub(crate) fn statements(parts: Vec<Doc>) -> Doc {
    join(concat([text(","), hard()]), parts)
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

/// One clause of a function.
#[derive(Clone, Debug)]
pub(crate) struct Clause {
    pub args: Vec<Doc>,
    /// Joined by commas.
    pub guards: Vec<String>,
    pub body: Vec<Doc>,
}

impl Clause {
    pub fn new(args: Vec<Doc>, body: Vec<Doc>) -> Self {
        Self { args, guards: Vec::new(), body }
    }

    /// A clause whose arguments are plain texts.
    pub fn plain(args: &[&str], body: impl Into<Doc>) -> Self {
        Self::new(args.iter().map(|a| text(*a)).collect(), vec![body.into()])
    }

    /// A clause whose arguments are one text, with commas between them and none within.
    pub fn row(args: &str, body: Vec<Doc>) -> Self {
        Self::new(args.split(", ").map(text).collect(), body)
    }

    pub fn when(mut self, guard: impl Into<String>) -> Self {
        self.guards.push(guard.into());
        self
    }

    fn print(&self, name: &str) -> Doc {
        let mut head = vec![call(name, self.args.clone())];
        if !self.guards.is_empty() {
            let guards = filled(texts(&self.guards));
            head.push(group(indent(INDENT, concat([soft(), text("when "), indent(5, guards)]))));
        }
        // One statement stands on its head's line where there is room.
        let line = if self.body.len() == 1 { soft() } else { hard() };
        let body = indent(INDENT, concat([line, statements(self.body.clone())]));
        crate::tidy::tidy(crate::unused::mark(group(concat([concat(head), text(" ->"), body]))))
    }
}

/// Functions as they are printed, with what they are called.
#[derive(Clone, Debug, Default)]
pub(crate) struct Functions {
    /// Name, as an atom, and arity of each.
    pub heads: Vec<(String, usize)>,
    pub doc: Doc,
}

impl Functions {
    /// These, and another one's behind them.
    pub fn and(mut self, other: Self) -> Self {
        self.heads.extend(other.heads);
        self.doc = concat([self.doc, other.doc]);
        self
    }

    /// The functions of all, one after another.
    pub fn all(parts: impl IntoIterator<Item = Self>) -> Self {
        parts.into_iter().fold(Self::default(), Self::and)
    }
}

/// `name(…) -> …; name(…) -> ….` with an empty line behind; `name` is an atom as written.
pub(crate) fn function(name: &str, clauses: &[Clause]) -> Functions {
    let heads = vec![(name.to_owned(), clauses.first().map_or(0, |clause| clause.args.len()))];
    let clauses = clauses.iter().map(|clause| clause.print(name));
    Functions { heads, doc: concat([join(concat([text(";"), hard()]), clauses), text("."), hard(), Doc::Blank]) }
}

/// A writer: a function whose last clause is for values of another type, which Dialyzer knows not to come from callers
/// that it has checked.
pub(crate) fn writer(name: &str, clauses: &[Clause]) -> Functions {
    writer_of(name, clauses.first().map_or(0, |clause| clause.args.len()), clauses)
}

/// As [`writer`], for clauses that have several arguments in one text.
pub(crate) fn writer_of(name: &str, arity: usize, clauses: &[Clause]) -> Functions {
    let told = concat([text(format!("-dialyzer({{no_match, {name}/{arity}}}).")), hard()]);
    Functions { heads: vec![(name.to_owned(), arity)], doc: concat([told, function(name, clauses).doc]) }
}

/// `-spec name(A, B) -> Result.`
pub(crate) fn spec(name: &str, args: &[&str], result: &str) -> Doc {
    let line = format!("-spec {name}({}) ->", args.join(", "));
    concat([group(concat([text(line), indent(INDENT, concat([soft(), text(result), text(".")]))])), hard()])
}

#[cfg(test)]
mod tests {
    use super::{atom, bytes_binary, edoc};

    #[test]
    fn atoms_are_quoted_where_needed() {
        assert_eq!(atom("price"), "price");
        assert_eq!(atom("Price"), "'Price'");
        assert_eq!(atom("end"), "'end'");
        assert_eq!(atom("it's"), "'it\\'s'");
        assert_eq!(atom("_x"), "'_x'");
    }

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
