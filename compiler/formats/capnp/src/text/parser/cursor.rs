//! Looking at tokens, taking them, and finding the way again after a mistake.

use super::{Lost, Parsed};
use crate::codes;
use crate::text::ast::Word;
use crate::text::lexer::{lex, Token, TokenKind};
use aldis_diagnostics::{foreign, quoted, Diagnostic, Label, SourceId, Span};

/// After so many errors a file is given up: it is probably no schema.
const MAX_ERRORS: usize = 100;

/// Declarations in declarations, types in types, values in values.
pub(super) const MAX_DEPTH: usize = 64;

/// The language's operators; any other run of operator characters is a mistake.
const OPERATORS: [&str; 9] = ["@", ":", "=", "$", ".", "-", "*", "!", "->"];

pub(super) struct Cursor<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: Vec<Token>,
    /// Indices of the tokens that are no trivia; the last is the end.
    code: Vec<usize>,
    /// Index into `code`; never beyond the last.
    at: usize,
    source: SourceId,
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) imports: Vec<Word>,
    depth: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(source: SourceId, text: &'a str) -> Self {
        let tokens = lex(text);
        let code = (0..tokens.len()).filter(|&i| !tokens[i].is_trivia()).collect();
        let mut cursor =
            Self { text, tokens, code, at: 0, source, diagnostics: Vec::new(), imports: Vec::new(), depth: 0 };
        cursor.report_foreign();
        cursor
    }

    /// Unknown characters are no part of any rule of the grammar.
    fn report_foreign(&mut self) {
        for index in 0..self.tokens.len() {
            let token = self.tokens[index];
            if token.kind == TokenKind::Unknown {
                let span = Span::new(self.source, token.start, token.end);
                let (what, mend) = foreign(&self.text[token.start..token.end]);
                self.report(Diagnostic::error(codes::FOREIGN_CHARACTER, what, span, "").help(mend));
            }
        }
    }

    fn token(&self) -> Token {
        self.tokens[self.code[self.at]]
    }

    /// Index into `tokens` of the token that was taken last; 0 before any was.
    pub(super) fn last_index(&self) -> usize {
        self.code[self.at.saturating_sub(1)]
    }

    pub(super) fn kind(&self) -> TokenKind {
        self.token().kind
    }

    /// The kind and text of the token `distance` ahead; empty at the end.
    pub(super) fn ahead(&self, distance: usize) -> (TokenKind, &'a str) {
        let token = self.tokens[self.code[(self.at + distance).min(self.code.len() - 1)]];
        (token.kind, &self.text[token.start..token.end])
    }

    pub(super) fn peek_text(&self) -> &'a str {
        self.ahead(0).1
    }

    pub(super) fn peek_span(&self) -> Span {
        Span::new(self.source, self.token().start, self.token().end)
    }

    /// The place of the token that was taken last.
    pub(super) fn last_span(&self) -> Span {
        let token = self.tokens[self.last_index()];
        Span::new(self.source, token.start, token.end)
    }

    pub(super) fn at_end(&self) -> bool {
        self.kind() == TokenKind::End
    }

    pub(super) fn at_name(&self) -> bool {
        self.kind() == TokenKind::Name
    }

    pub(super) fn at_mark(&self, mark: &str) -> bool {
        self.kind() == TokenKind::Mark && self.peek_text() == mark
    }

    pub(super) fn at_operator(&self, operator: &str) -> bool {
        self.kind() == TokenKind::Operator && self.peek_text() == operator
    }

    pub(super) fn advance(&mut self) {
        self.at = (self.at + 1).min(self.code.len() - 1);
    }

    /// Takes the mark or operator if it is ahead.
    pub(super) fn take(&mut self, sign: &str) -> bool {
        let found = matches!(self.kind(), TokenKind::Mark | TokenKind::Operator) && self.peek_text() == sign;
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn expect(&mut self, sign: &str, help: &str) -> Parsed<()> {
        if self.take(sign) {
            return Ok(());
        }
        Err(self.unexpected(&format!("`{sign}`"), help))
    }

    /// The mark that closes what was opened at `opening`.
    pub(super) fn expect_closing(&mut self, mark: &str, opening: Span, help: &str) -> Parsed<()> {
        let known = self.diagnostics.len();
        let closed = self.expect(mark, help);
        if let (Err(_), Some(problem)) = (&closed, self.diagnostics.get_mut(known)) {
            problem.labels.push(Label { span: opening, text: "opened here".to_owned() });
        }
        closed
    }

    /// The token ahead, whatever it is, as a word.
    pub(super) fn take_word(&mut self) -> Word {
        let word = Word { text: self.peek_text().to_owned(), span: self.peek_span() };
        self.advance();
        word
    }

    pub(super) fn expect_name(&mut self, what: &str, help: &str) -> Parsed<Word> {
        if self.at_name() {
            return Ok(self.take_word());
        }
        Err(self.unexpected(what, help))
    }

    /// A `;`. Where the next statement begins instead, its absence is reported behind what was taken last, and
    /// nothing is lost.
    pub(super) fn expect_semicolon(&mut self, after: &str, help: &str) -> Parsed<()> {
        if self.take(";") {
            return Ok(());
        }
        let next_line = self.text[self.last_span().end as usize..self.token().start].contains('\n');
        let begins = self.at_name() && next_line || self.at_mark("}") || self.at_end();
        if self.at_mark(",") {
            return Err(self.unexpected(&format!("`;` after {after}"), "every statement ends with `;`"));
        }
        if !begins {
            return Err(self.unexpected(&format!("`;` after {after}"), help));
        }
        let last = self.last_span();
        let place = Span { start: last.end, ..last };
        let message = format!("a `;` is missing after {after}");
        self.report(Diagnostic::error(codes::NO_SEMICOLON, message, place, "here").help("end it with `;`"));
        Ok(())
    }

    /// After too many errors the rest of the file is skipped.
    pub(super) fn report(&mut self, problem: Diagnostic) {
        if self.diagnostics.len() < MAX_ERRORS {
            self.diagnostics.push(problem);
        }
        if self.diagnostics.len() >= MAX_ERRORS {
            self.at = self.code.len() - 1;
        }
    }

    /// Reports that `what` was expected where the next token is.
    pub(super) fn unexpected(&mut self, what: &str, help: &str) -> Lost {
        let span = self.peek_span();
        let problem = match self.kind() {
            TokenKind::OpenText | TokenKind::OpenData => open_quote(self.kind(), span),
            TokenKind::Operator if !OPERATORS.contains(&self.peek_text()) => operator_run(self.peek_text(), span),
            kind => {
                let found = match kind {
                    TokenKind::End => "the end of the file".to_owned(),
                    _ => quoted(self.peek_text()),
                };
                let message = format!("expected {what}, found {found}");
                Diagnostic::error(codes::SYNTAX, message, span, "").help(help)
            }
        };
        self.report(problem);
        Lost
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

/// Where the run could be parted, the help shows it.
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
