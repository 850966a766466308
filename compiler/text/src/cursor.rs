//! Looking at tokens, taking them, and reporting what should stand in their place.

use crate::{Lexicon, Token, TokenKind};
use aldis_diagnostics::{foreign, quoted, Diagnostic, Label, SourceId, Span};

/// After so many errors a file is given up: it is probably no schema.
const MAX_ERRORS: usize = 100;

/// More warnings than this are not kept.
const MAX_WARNINGS: usize = 1_000;

/// A problem was reported, and the piece of syntax that was being parsed is lost; the caller goes on at the next
/// sensible place.
#[derive(Debug)]
pub struct Lost;

pub type Parsed<T> = Result<T, Lost>;

/// Text with its place: a name, or a number as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    pub text: String,
    pub span: Span,
}

/// A language's codes for the mistakes that every language knows, and its words for those that differ.
#[derive(Debug)]
pub struct Wording {
    pub foreign_character: &'static str,
    /// For languages that have comments with an end of their own.
    pub open_comment: Option<&'static str>,
    pub syntax: &'static str,
    pub no_semicolon: &'static str,
    /// The mistake in a token that is wrong by itself, such as an open quote; no rule of the grammar takes it.
    pub wrong_by_itself: fn(TokenKind, &str, Span) -> Option<Diagnostic>,
}

/// The tokens of a source, and how far they are taken.
pub struct Cursor<'a> {
    wording: &'static Wording,
    text: &'a str,
    tokens: Vec<Token>,
    /// Indices of the tokens that are no trivia; the last is the end.
    code: Vec<usize>,
    /// Index into `code`; never beyond the last.
    at: usize,
    source: SourceId,
    pub diagnostics: Vec<Diagnostic>,
    errors: usize,
    warnings: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(lexicon: &Lexicon, wording: &'static Wording, source: SourceId, text: &'a str) -> Self {
        let tokens = lexicon.tokens(text);
        let code = (0..tokens.len()).filter(|&i| !tokens[i].is_trivia()).collect();
        let (diagnostics, errors, warnings) = (Vec::new(), 0, 0);
        let mut cursor = Self { wording, text, tokens, code, at: 0, source, diagnostics, errors, warnings };
        cursor.report_trivia();
        cursor
    }

    /// Reports trivia that is wrong by itself, which no rule of the grammar gets to see.
    fn report_trivia(&mut self) {
        for index in 0..self.tokens.len() {
            let token = self.tokens[index];
            match (token.kind, self.wording.open_comment) {
                (TokenKind::Unknown, _) => {
                    let (message, mend) = foreign(self.slice(token));
                    let problem = Diagnostic::error(self.wording.foreign_character, message, self.span(token), "");
                    self.report(problem.help(mend));
                }
                (TokenKind::OpenComment, Some(code)) => {
                    let opening = Span::new(self.source, token.start, token.start + 2);
                    let problem = Diagnostic::error(code, "this comment is never closed", opening, "opened here");
                    self.report(problem.help("close it with `*/`"));
                }
                _ => {}
            }
        }
    }

    fn token(&self) -> Token {
        self.tokens[self.code[self.at]]
    }

    fn span(&self, token: Token) -> Span {
        Span::new(self.source, token.start, token.end)
    }

    /// The text of the token.
    pub fn slice(&self, token: Token) -> &'a str {
        &self.text[token.start..token.end]
    }

    /// The text of a span of this source.
    pub fn text_of(&self, span: Span) -> &'a str {
        &self.text[span.start as usize..span.end as usize]
    }

    /// The token of that index, trivia included.
    pub fn token_at(&self, index: usize) -> Option<Token> {
        self.tokens.get(index).copied()
    }

    /// The index of the token ahead, counted with trivia.
    pub fn token_index(&self) -> usize {
        self.code[self.at]
    }

    /// The index of the token that was taken last, counted with trivia; 0 before any was.
    pub fn last_index(&self) -> usize {
        self.code[self.at.saturating_sub(1)]
    }

    pub fn kind(&self) -> TokenKind {
        self.token().kind
    }

    /// The kind and text of the token `distance` ahead; an empty text at the end.
    pub fn ahead(&self, distance: usize) -> (TokenKind, &'a str) {
        let token = self.tokens[self.code[(self.at + distance).min(self.code.len() - 1)]];
        (token.kind, self.slice(token))
    }

    pub fn peek_text(&self) -> &'a str {
        self.ahead(0).1
    }

    pub fn peek_span(&self) -> Span {
        self.span(self.token())
    }

    /// The place of the token that was taken last.
    pub fn last_span(&self) -> Span {
        self.span(self.tokens[self.last_index()])
    }

    pub fn at_end(&self) -> bool {
        self.kind() == TokenKind::End
    }

    pub fn at_name(&self) -> bool {
        self.kind() == TokenKind::Name
    }

    pub fn at_mark(&self, mark: &str) -> bool {
        self.ahead(0) == (TokenKind::Mark, mark)
    }

    pub fn at_operator(&self, operator: &str) -> bool {
        self.ahead(0) == (TokenKind::Operator, operator)
    }

    /// Whether the token ahead stands on a later line than the one that was taken last.
    pub fn at_new_line(&self) -> bool {
        let between = self.tokens[self.last_index()].end..self.token().start;
        self.text.get(between).is_some_and(|blanks| blanks.contains('\n'))
    }

    /// Whether everything from `start` to the token that was taken last is on one line.
    pub fn on_one_line(&self, start: Span) -> bool {
        !self.text[start.start as usize..self.last_span().end as usize].contains('\n')
    }

    pub fn advance(&mut self) {
        self.at = (self.at + 1).min(self.code.len() - 1);
    }

    /// Takes the mark or operator if it is ahead.
    pub fn take(&mut self, sign: &str) -> bool {
        let found = self.at_mark(sign) || self.at_operator(sign);
        if found {
            self.advance();
        }
        found
    }

    pub fn expect(&mut self, sign: &str, help: &str) -> Parsed<()> {
        if self.take(sign) {
            return Ok(());
        }
        Err(self.unexpected(&format!("`{sign}`"), help))
    }

    /// The mark that closes the bracket at `opening`.
    pub fn expect_closing(&mut self, mark: &str, opening: Span, help: &str) -> Parsed<()> {
        let known = self.diagnostics.len();
        let closed = self.expect(mark, help);
        if let (Err(_), Some(problem)) = (&closed, self.diagnostics.get_mut(known)) {
            problem.labels.push(Label { span: opening, text: "opened here".to_owned() });
        }
        closed
    }

    /// The token ahead, of any kind, as a word.
    pub fn take_word(&mut self) -> Word {
        let word = Word { text: self.peek_text().to_owned(), span: self.peek_span() };
        self.advance();
        word
    }

    pub fn expect_name(&mut self, what: &str, help: &str) -> Parsed<Word> {
        if self.at_name() {
            return Ok(self.take_word());
        }
        Err(self.unexpected(what, help))
    }

    /// Reports that a `;` is missing behind the token that was taken last. Nothing is lost by that.
    pub fn report_no_semicolon(&mut self, after: &str) {
        let last = self.last_span();
        let place = Span { start: last.end, ..last };
        let message = format!("a `;` is missing after {after}");
        let problem = Diagnostic::error(self.wording.no_semicolon, message, place, "here");
        self.report(problem.help("end it with `;`"));
    }

    /// Reports that `what` was expected where the next token is.
    pub fn unexpected(&mut self, what: &str, help: &str) -> Lost {
        let (kind, text) = self.ahead(0);
        let span = self.peek_span();
        let problem = (self.wording.wrong_by_itself)(kind, text, span).unwrap_or_else(|| {
            let found = match kind {
                TokenKind::End => "the end of the file".to_owned(),
                _ => quoted(text),
            };
            let message = format!("expected {what}, found {found}");
            Diagnostic::error(self.wording.syntax, message, span, "").help(help)
        });
        self.report(problem);
        Lost
    }

    /// Keeps the problem. Too many warnings are left out; after too many errors the rest of the file is skipped.
    pub fn report(&mut self, problem: Diagnostic) {
        let (count, most) = match problem.is_error() {
            true => (&mut self.errors, MAX_ERRORS),
            false => (&mut self.warnings, MAX_WARNINGS),
        };
        *count += 1;
        if *count <= most {
            self.diagnostics.push(problem);
        }
        if self.gave_up() {
            self.at = self.code.len() - 1;
        }
    }

    pub fn gave_up(&self) -> bool {
        self.errors >= MAX_ERRORS
    }
}
