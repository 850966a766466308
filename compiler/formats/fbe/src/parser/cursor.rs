//! Looking at tokens, taking them, and finding the way again after a mistake.

use super::{Lost, Parsed, DECLARATION, HEADER};
use crate::ast::{Path, Word};
use crate::codes;
use crate::lexer::{lex, Token, TokenKind};
use aldis_diagnostics::{foreign, quoted, Diagnostic, Label, SourceId, Span};

/// After so many errors a file is given up: it is probably no schema.
const MAX_ERRORS: usize = 100;

/// More warnings than this are not kept.
const MAX_WARNINGS: usize = 1_000;

pub(super) struct Cursor<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: Vec<Token>,
    /// Indices of the tokens that are no trivia; the last is the end.
    code: Vec<usize>,
    /// Index into `code`; never beyond the last.
    at: usize,
    source: SourceId,
    pub(super) diagnostics: Vec<Diagnostic>,
    errors: usize,
    warnings: usize,
    /// A `package` was there, be it in order or not.
    pub(super) saw_package: bool,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(source: SourceId, text: &'a str) -> Self {
        let tokens = lex(text);
        let code = (0..tokens.len()).filter(|&i| !tokens[i].is_trivia()).collect();
        let mut cursor = Self {
            text,
            tokens,
            code,
            at: 0,
            source,
            diagnostics: Vec::new(),
            errors: 0,
            warnings: 0,
            saw_package: false,
        };
        cursor.report_lexical();
        cursor
    }

    /// Reports tokens that are wrong by themselves, which no rule of the grammar gets to see.
    fn report_lexical(&mut self) {
        for index in 0..self.tokens.len() {
            let token = self.tokens[index];
            let span = Span::new(self.source, token.start, token.end);
            let text = &self.text[token.start..token.end];
            match token.kind {
                TokenKind::Unknown => {
                    let (what, mend) = foreign(text);
                    self.report(Diagnostic::error(codes::FOREIGN_CHARACTER, what, span, "").help(mend));
                }
                TokenKind::OpenComment => {
                    let opening = Span::new(self.source, token.start, token.start + 2);
                    let problem =
                        Diagnostic::error(codes::OPEN_COMMENT, "this comment is never closed", opening, "opened here");
                    self.report(problem.help("close it with `*/`"));
                }
                _ => {}
            }
        }
    }

    fn token(&self) -> Token {
        self.tokens[self.code[self.at]]
    }

    /// Index into `tokens` of the token ahead.
    pub(super) fn token_index(&self) -> usize {
        self.code[self.at]
    }

    /// Index into `tokens` of the token that was taken last; 0 before any was.
    pub(super) fn last_index(&self) -> usize {
        self.code[self.at.saturating_sub(1)]
    }

    pub(super) fn kind(&self) -> TokenKind {
        self.token().kind
    }

    pub(super) fn peek_text(&self) -> &'a str {
        self.text_ahead(0)
    }

    /// The text of the token `distance` ahead; empty at the end.
    pub(super) fn text_ahead(&self, distance: usize) -> &'a str {
        let index = self.code[(self.at + distance).min(self.code.len() - 1)];
        &self.text[self.tokens[index].start..self.tokens[index].end]
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

    pub(super) fn at_mark(&self, mark: char) -> bool {
        self.kind() == TokenKind::Mark && self.peek_text().starts_with(mark)
    }

    pub(super) fn advance(&mut self) {
        self.at = (self.at + 1).min(self.code.len() - 1);
    }

    pub(super) fn take_mark(&mut self, mark: char) -> bool {
        let found = self.at_mark(mark);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn expect_mark(&mut self, mark: char, help: &str) -> Parsed<()> {
        if self.take_mark(mark) {
            return Ok(());
        }
        Err(self.unexpected(&format!("`{mark}`"), help))
    }

    /// The mark that closes what was opened at `opening`.
    pub(super) fn expect_closing(&mut self, mark: char, opening: Span, help: &str) -> Parsed<()> {
        let known = self.diagnostics.len();
        let closed = self.expect_mark(mark, help);
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

    /// A number with an optional sign.
    pub(super) fn expect_number(&mut self, what: &str, help: &str) -> Parsed<Word> {
        let sign = (self.at_mark('-') || self.at_mark('+')).then(|| self.take_word());
        if self.kind() != TokenKind::Number {
            return Err(self.unexpected(what, help));
        }
        let digits = self.take_word();
        Ok(match sign {
            Some(sign) => Word { text: sign.text + &digits.text, span: sign.span.to(digits.span) },
            None => digits,
        })
    }

    /// Names with dots between them.
    pub(super) fn expect_path(&mut self, what: &str, help: &str) -> Parsed<Path> {
        let first = self.expect_name(what, help)?;
        let mut path = Path { span: first.span, words: vec![first] };
        while self.take_mark('.') {
            let word = self.expect_name("a name", "a dot joins two names, as in `package.Type`")?;
            path.span = path.span.to(word.span);
            path.words.push(word);
        }
        Ok(path)
    }

    /// A `;`. Its absence is reported behind what was taken last, and nothing is lost.
    pub(super) fn expect_semicolon(&mut self, after: &str) {
        if self.take_mark(';') {
            return;
        }
        if self.at_mark(',') {
            self.unexpected(&format!("`;` after {after}"), "fields and values end with `;`");
            self.advance();
            return;
        }
        let last = self.last_span();
        let place = Span { start: last.end, ..last };
        let message = format!("a `;` is missing after {after}");
        let problem = Diagnostic::error(codes::NO_SEMICOLON, message, place, "here").help("end it with `;`");
        self.report(problem);
    }

    /// Too many warnings are left out; after too many errors the rest of the file is skipped.
    pub(super) fn report(&mut self, problem: Diagnostic) {
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

    pub(super) fn gave_up(&self) -> bool {
        self.errors >= MAX_ERRORS
    }

    /// Reports that `what` was expected where the next token is.
    pub(super) fn unexpected(&mut self, what: &str, help: &str) -> Lost {
        let span = self.peek_span();
        let open = matches!(self.kind(), TokenKind::OpenText | TokenKind::OpenChar);
        let problem = if open {
            let message = "this quote is not closed on its line";
            Diagnostic::error(codes::OPEN_QUOTE, message, span, "opened here")
                .help("close it; `\\n` stands for a line end")
        } else {
            let found = match self.kind() {
                TokenKind::End => "the end of the file".to_owned(),
                _ => quoted(self.peek_text()),
            };
            let message = format!("expected {what}, found {found}");
            Diagnostic::error(codes::SYNTAX, message, span, "").help(help)
        };
        self.report(problem);
        Lost
    }

    pub(super) fn stray_semicolon(&mut self) {
        let span = self.peek_span();
        let problem = Diagnostic::warning(codes::STRAY_SEMICOLON, "a `;` that ends nothing", span, "fbec refuses it");
        self.report(problem.help("remove it"));
        self.advance();
    }

    /// Whether a declaration begins here: `struct Name {`, `enum Name :`, `[request] message …`. A field can begin
    /// with the same words but not go on like this.
    pub(super) fn at_declaration(&self) -> bool {
        self.at_name()
            && DECLARATION.contains(&self.peek_text())
            && self.text_ahead(1).starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && matches!(self.text_ahead(2), "{" | ":" | "(")
    }

    /// To the next word that begins a statement, outside of braces opened on the way.
    pub(super) fn skip_to_statement(&mut self) {
        let mut depth = 0usize;
        while !self.at_end() {
            let begins = self.at_name() && HEADER.contains(&self.peek_text()) && self.first_on_line();
            if self.at_declaration() || depth == 0 && begins {
                return;
            }
            match self.peek_text() {
                "{" => depth += 1,
                "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.advance();
        }
    }

    /// Behind the next `;`, or before the `}` that ends the body, or before a declaration.
    pub(super) fn skip_to_member(&mut self) {
        let mut depth = 0usize;
        while !self.at_end() && !self.at_declaration() {
            match self.peek_text() {
                "{" => depth += 1,
                "}" if depth == 0 => return,
                "}" => depth -= 1,
                ";" => {
                    self.advance();
                    return;
                }
                _ => {}
            }
            self.advance();
        }
    }

    fn first_on_line(&self) -> bool {
        self.starts_line(self.token_index())
    }

    /// Whether nothing but blanks stands before token `index` on its line.
    pub(super) fn starts_line(&self, index: usize) -> bool {
        match index.checked_sub(1).map(|before| self.tokens[before]) {
            None => true,
            Some(space) if space.kind == TokenKind::Space => {
                index == 1 || self.text[space.start..space.end].contains('\n')
            }
            Some(_) => false,
        }
    }
}
