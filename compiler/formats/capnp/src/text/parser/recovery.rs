//! The parser's state, its words, and how it finds the way again after a mistake.

use crate::codes;
use crate::text::ast::Word;
use crate::text::lexer::LEXICON;
use aldis_diagnostics::{quoted, Diagnostic, SourceId, Span};
use aldis_text::{Cursor, Lost, Parsed, TokenKind, Wording};
use std::ops::{Deref, DerefMut};

/// Declarations in declarations, types in types, values in values.
pub(super) const MAX_DEPTH: usize = 64;

/// The language's operators; any other run of operator characters is a mistake.
const OPERATORS: [&str; 9] = ["@", ":", "=", "$", ".", "-", "*", "!", "->"];

static WORDING: Wording = Wording {
    foreign_character: codes::FOREIGN_CHARACTER,
    open_comment: None,
    syntax: codes::SYNTAX,
    no_semicolon: codes::NO_SEMICOLON,
    wrong_by_itself,
};

fn wrong_by_itself(kind: TokenKind, text: &str, span: Span) -> Option<Diagnostic> {
    match kind {
        TokenKind::OpenText | TokenKind::OpenData => Some(open_quote(kind, span)),
        TokenKind::Operator if !OPERATORS.contains(&text) => Some(operator_run(text, span)),
        _ => None,
    }
}

/// The cursor with the grammar around it.
pub(super) struct Parser<'a> {
    cursor: Cursor<'a>,
    pub(super) imports: Vec<Word>,
    depth: usize,
}

impl<'a> Deref for Parser<'a> {
    type Target = Cursor<'a>;

    fn deref(&self) -> &Cursor<'a> {
        &self.cursor
    }
}

impl DerefMut for Parser<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.cursor
    }
}

impl<'a> Parser<'a> {
    pub(super) fn new(source: SourceId, text: &'a str) -> Self {
        Self { cursor: Cursor::new(&LEXICON, &WORDING, source, text), imports: Vec::new(), depth: 0 }
    }

    /// A `;`. Where the next statement begins instead, its absence is reported behind the token that was taken last,
    /// and nothing is lost.
    pub(super) fn expect_semicolon(&mut self, after: &str, help: &str) -> Parsed<()> {
        if self.take(";") {
            return Ok(());
        }
        let begins = self.at_name() && self.at_new_line() || self.at_mark("}") || self.at_end();
        if begins {
            self.report_no_semicolon(after);
            return Ok(());
        }
        let help = if self.at_mark(",") { "every statement ends with `;`" } else { help };
        Err(self.unexpected(&format!("`;` after {after}"), help))
    }

    /// The result of `parse`, one level deeper; refused beyond [`MAX_DEPTH`] levels.
    pub(super) fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.too_deep());
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    pub(super) fn too_deep(&mut self) -> Lost {
        let message = format!("nested deeper than {MAX_DEPTH}");
        let problem = Diagnostic::error(codes::TOO_DEEP, message, self.peek_span(), "one more here");
        self.report(problem.help("flatten it: readers refuse such depths anyway"));
        Lost
    }

    /// Behind the statement in which something was wrong: its `;`, or the block that ends it. Stops before a `}` that
    /// ends the scope.
    pub(super) fn skip_statement(&mut self) {
        let mut depth = 0usize;
        while !self.at_end() {
            match self.peek_text() {
                "{" => depth += 1,
                "}" if depth == 0 => return,
                "}" if depth == 1 => {
                    self.advance();
                    return;
                }
                "}" => depth -= 1,
                ";" if depth == 0 => {
                    self.advance();
                    return;
                }
                _ => {}
            }
            self.advance();
        }
    }
}

fn open_quote(kind: TokenKind, span: Span) -> Diagnostic {
    if kind == TokenKind::OpenData {
        let opening = Span { end: span.start + "0x\"".len() as u32, ..span };
        let message = "this data literal is never closed";
        return Diagnostic::error(codes::OPEN_QUOTE, message, opening, "opened here").help("close it with `\"`");
    }
    let message = "this quote is not closed on its line";
    Diagnostic::error(codes::OPEN_QUOTE, message, span, "opened here")
        .help("close it; `\\n` stands for a line end, and adjacent texts are joined")
}

/// If the run could be parted, the help shows how.
fn operator_run(run: &str, span: Span) -> Diagnostic {
    let message = format!("there is no operator {}", quoted(run));
    let problem =
        Diagnostic::error(codes::OPERATOR_RUN, message, span, "operators are read as far as their characters go");
    let parted = (1..run.len()).rev().find(|&at| OPERATORS.contains(&&run[..at]) && OPERATORS.contains(&&run[at..]));
    match parted {
        Some(at) => problem.help(format!("put a space in: `{} {}`", &run[..at], &run[at..])),
        None => problem.help("remove it, or part it with spaces"),
    }
}
