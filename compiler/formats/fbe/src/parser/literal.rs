//! Values behind `=`.

use super::recovery::Parser;
use crate::ast::{Term, TermKind, Value};
use crate::codes;
use aldis_diagnostics::{Diagnostic, Span};
use aldis_text::{Parsed, TokenKind};

const ESCAPES: &str = "escapes are \\n \\r \\t \\0 \\\\ \\\" \\' \\xHH and \\uXXXX";

impl Parser<'_> {
    /// `term { | term }`
    pub(super) fn value(&mut self) -> Parsed<Value> {
        let first = self.term()?;
        let mut value = Value { span: first.span, terms: vec![first] };
        while self.take("|") {
            let term = self.term()?;
            value.span = value.span.to(term.span);
            value.terms.push(term);
        }
        Ok(value)
    }

    fn term(&mut self) -> Parsed<Term> {
        let span = self.peek_span();
        let kind = match self.kind() {
            TokenKind::Text => TermKind::Text(self.text_literal()),
            TokenKind::Char => self.char_literal(),
            TokenKind::Name => TermKind::Name(self.expect_path("a value", "")?),
            _ => TermKind::Number(self.expect_number("a value", "write a number, a 'c', a \"text\" or a name")?.text),
        };
        Ok(Term { kind, span: span.to(self.last_span()) })
    }

    fn text_literal(&mut self) -> String {
        let word = self.take_word();
        self.unescape(&word.text, word.span)
    }

    fn char_literal(&mut self) -> TermKind {
        let word = self.take_word();
        let problems = self.diagnostics.len();
        let text = self.unescape(&word.text, word.span);
        let mut chars = text.chars();
        let first = chars.next();
        if (first.is_none() || chars.next().is_some()) && self.diagnostics.len() == problems {
            let message = format!("`{}` is not one character", word.text);
            let problem = Diagnostic::error(codes::BAD_ESCAPE, message, word.span, "");
            self.report(problem.help("a character literal holds exactly one; texts stand in double quotes"));
        }
        TermKind::Char(first.unwrap_or('\0'))
    }

    /// The inside of a quoted token. Escapes that do not exist are reported and left out.
    fn unescape(&mut self, quoted: &str, span: Span) -> String {
        let inner = &quoted[1..quoted.len() - 1];
        let mut text = String::with_capacity(inner.len());
        let mut rest = inner;
        while let Some(at) = rest.find('\\') {
            text.push_str(&rest[..at]);
            let escape = &rest[at + 1..];
            let (c, length) = unescape_one(escape);
            let start = span.start as usize + 1 + (inner.len() - rest.len()) + at;
            match c {
                Some(c) => text.push(c),
                None => {
                    let place = Span::new(span.source, start, start + 1 + length);
                    let message = format!("`\\{}` is no escape", &escape[..length]);
                    self.report(Diagnostic::error(codes::BAD_ESCAPE, message, place, "").help(ESCAPES));
                }
            }
            rest = &escape[length..];
        }
        text + rest
    }
}

/// The character that `escape`, the text behind a backslash, stands for, and how many bytes of it were used.
fn unescape_one(escape: &str) -> (Option<char>, usize) {
    let Some(first) = escape.chars().next() else { return (None, 0) };
    let simple = match first {
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        '0' => '\0',
        '\\' | '"' | '\'' => first,
        'x' => return hex(escape, 2),
        'u' => return hex(escape, 4),
        _ => return (None, first.len_utf8()),
    };
    (Some(simple), 1)
}

fn hex(escape: &str, digits: usize) -> (Option<char>, usize) {
    let length = escape[1..].bytes().take(digits).take_while(u8::is_ascii_hexdigit).count();
    let value = u32::from_str_radix(&escape[1..=length], 16).ok().filter(|_| length == digits);
    (value.and_then(char::from_u32), 1 + length)
}

#[cfg(test)]
mod tests {
    use super::unescape_one;

    #[test]
    fn escapes() {
        assert_eq!(unescape_one("n!"), (Some('\n'), 1));
        assert_eq!(unescape_one("x41B"), (Some('A'), 3));
        assert_eq!(unescape_one("u20ac"), (Some('€'), 5));
        assert_eq!(unescape_one("ud800"), (None, 5));
        assert_eq!(unescape_one("x4"), (None, 2));
        assert_eq!(unescape_one("é"), (None, 2));
        assert_eq!(unescape_one(""), (None, 0));
    }
}
