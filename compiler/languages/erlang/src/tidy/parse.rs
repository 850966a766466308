//! A text of Erlang as brackets and what is between them.

use crate::unused::end_of_quoted;

/// Parts one after the other, with no comma between them.
pub(super) type Row = Vec<Part>;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Part {
    /// Names, numbers, signs without spaces around them.
    Text(String),
    /// An operator with spaces around it, or an arrow.
    Operator(&'static str),
    /// Brackets around one expression, which are no call's.
    Parens(Row),
    Brackets {
        open: &'static str,
        rows: Vec<Row>,
        close: &'static str,
    },
    Case {
        value: Row,
        clauses: Vec<Row>,
    },
    Fun {
        args: Vec<Row>,
        body: Vec<Row>,
    },
}

const OPERATORS: [&str; 14] =
    ["||", "|", "orelse", "andalso", "+", "-", "bor", "bxor", "band", "bsl", "bsr", "*", "->", "="];

const BRACKETS: [(&str, &str); 4] = [("<<", ">>"), ("(", ")"), ("[", "]"), ("{", "}")];

/// The signs that end a row within brackets.
const ENDS: [&str; 7] = [",", ";", ")", "]", "}", ">>", " >>"];

/// The rows between the commas of a text; none where that is not whole, or has what is not told apart here.
pub(super) fn rows(code: &str) -> Option<Vec<Row>> {
    if code.starts_with(' ') || code.ends_with(' ') {
        return None;
    }
    let mut reader = Reader { code, at: 0 };
    let rows = reader.list(",")?;
    reader.rest().is_empty().then_some(rows)
}

struct Reader<'a> {
    code: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.code[self.at..]
    }

    fn take(&mut self, sign: &str) -> Option<()> {
        self.rest().starts_with(sign).then(|| self.at += sign.len())
    }

    /// Rows with `separator` and a space between them.
    fn list(&mut self, separator: &str) -> Option<Vec<Row>> {
        let mut rows = vec![self.row()?];
        while self.take(separator).is_some() {
            self.take(" ")?;
            rows.push(self.row()?);
        }
        Some(rows)
    }

    /// Parts up to what ends them: a separator, a closing bracket, the end of the text, or of a `case`'s value or body.
    fn row(&mut self) -> Option<Row> {
        let mut row = Row::new();
        loop {
            let rest = self.rest();
            let Some(first) = rest.chars().next() else { return Some(row) };
            if let Some(operator) = OPERATORS.iter().find(|operator| is_operator(rest, operator)) {
                self.at += operator.len() + 2;
                row.push(Part::Operator(operator));
            } else if let Some((open, close)) = BRACKETS.iter().find(|(open, _)| rest.starts_with(open)) {
                let part = self.brackets(open, close, is_called(&row))?;
                row.push(part);
            } else if ENDS.iter().any(|end| rest.starts_with(end)) || ends_block(rest) {
                return Some(row);
            } else if let Some(part) = self.block()? {
                row.push(part);
            } else {
                let length = token(rest, first)?;
                push_text(&mut row, &rest[..length]);
                self.at += length;
            }
        }
    }

    fn brackets(&mut self, open: &'static str, close: &'static str, called: bool) -> Option<Part> {
        self.take(open)?;
        let spaced = open == "<<" && self.take(" ").is_some();
        if self.take(close).is_some() {
            return Some(Part::Brackets { open, rows: Vec::new(), close });
        }
        let mut rows = self.list(",")?;
        if spaced {
            self.take(" ")?;
        }
        self.take(close)?;
        Some(match rows.as_mut_slice() {
            [row] if open == "(" && !called => Part::Parens(std::mem::take(row)),
            _ => Part::Brackets { open, rows, close },
        })
    }

    /// `case … end` or `fun(…) -> … end`, where one begins here.
    fn block(&mut self) -> Option<Option<Part>> {
        if self.take("case ").is_some() {
            let value = self.row()?;
            self.take(" of ")?;
            let clauses = self.list(";")?;
            self.take(" end")?;
            return Some(Some(Part::Case { value, clauses }));
        }
        if self.take("fun(").is_some() {
            let args = self.list(",")?;
            self.take(") -> ")?;
            let body = self.list(",")?;
            self.take(" end")?;
            return Some(Some(Part::Fun { args, body }));
        }
        Some(None)
    }
}

fn is_operator(rest: &str, operator: &str) -> bool {
    let after = rest.strip_prefix(' ').and_then(|rest| rest.strip_prefix(operator));
    after.is_some_and(|after| after.starts_with(' ') && after.len() > 1)
}

/// Whether what follows these parts without a space is called, or is a name's.
fn is_called(row: &[Part]) -> bool {
    match row.last() {
        Some(Part::Text(text)) => !text.ends_with([' ', '-']),
        Some(Part::Operator(_)) | None => false,
        Some(_) => true,
    }
}

/// Whether the value of a `case` ends here, or its body or a function's.
fn ends_block(rest: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    rest.starts_with(" of ") || rest.strip_prefix(" end").is_some_and(|after| !after.starts_with(is_word))
}

/// How long the token is that begins here; none for those that nothing here tells apart.
fn token(rest: &str, first: char) -> Option<usize> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '@';
    match first {
        '%' => None,
        '\'' | '"' => Some(end_of_quoted(rest.as_bytes(), 1, first as u8)).filter(|end| *end <= rest.len()),
        '$' => {
            let mut chars = rest.chars().skip(1);
            let next = chars.next()?;
            let escaped = if next == '\\' { chars.next()?.len_utf8() } else { 0 };
            Some(1 + next.len_utf8() + escaped)
        }
        _ if is_word(first) => {
            let length = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
            let opens = ["case", "try", "begin", "if", "receive", "maybe", "catch", "end"].contains(&&rest[..length]);
            (!opens).then_some(length)
        }
        other => Some(other.len_utf8()),
    }
}

fn push_text(row: &mut Row, token: &str) {
    match row.last_mut() {
        Some(Part::Text(text)) => text.push_str(token),
        _ => row.push(Part::Text(token.to_owned())),
    }
}
