//! The parser's state, its words, and how it finds the way again after a mistake.

use super::{DECLARATION, HEADER};
use crate::ast::{Path, Word};
use crate::codes;
use crate::lexer::LEXICON;
use aldis_diagnostics::{Diagnostic, SourceId, Span};
use aldis_text::{Cursor, Parsed, TokenKind, Wording};
use std::ops::{Deref, DerefMut};

static WORDING: Wording = Wording {
    foreign_character: codes::FOREIGN_CHARACTER,
    open_comment: Some(codes::OPEN_COMMENT),
    syntax: codes::SYNTAX,
    no_semicolon: codes::NO_SEMICOLON,
    wrong_by_itself,
};

fn wrong_by_itself(kind: TokenKind, _text: &str, span: Span) -> Option<Diagnostic> {
    let open = matches!(kind, TokenKind::OpenText | TokenKind::OpenChar);
    let message = "this quote is not closed on its line";
    open.then(|| {
        Diagnostic::error(codes::OPEN_QUOTE, message, span, "opened here").help("close it; `\\n` stands for a line end")
    })
}

/// The cursor with the grammar around it.
pub(super) struct Parser<'a> {
    cursor: Cursor<'a>,
    /// A `package` was there, be it in order or not.
    pub(super) saw_package: bool,
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
        Self { cursor: Cursor::new(&LEXICON, &WORDING, source, text), saw_package: false }
    }

    /// A number with an optional sign.
    pub(super) fn expect_number(&mut self, what: &str, help: &str) -> Parsed<Word> {
        let sign = (self.at_mark("-") || self.at_mark("+")).then(|| self.take_word());
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
        while self.take(".") {
            let word = self.expect_name("a name", "a dot joins two names, as in `package.Type`")?;
            path.span = path.span.to(word.span);
            path.words.push(word);
        }
        Ok(path)
    }

    /// A `;`. Its absence is reported behind the token that was taken last, and nothing is lost.
    pub(super) fn expect_semicolon(&mut self, after: &str) {
        if self.take(";") {
            return;
        }
        if self.at_mark(",") {
            self.unexpected(&format!("`;` after {after}"), "fields and values end with `;`");
            self.advance();
            return;
        }
        self.report_no_semicolon(after);
    }

    pub(super) fn stray_semicolon(&mut self) {
        let span = self.peek_span();
        let problem = Diagnostic::warning(codes::STRAY_SEMICOLON, "a `;` that ends nothing", span, "fbec refuses it");
        self.report(problem.mend("remove it", span, ""));
        self.advance();
    }

    /// Whether a declaration begins here: `struct Name {`, `enum Name :`, `[request] message …`. A field can begin
    /// with the same words but not go on like this.
    pub(super) fn at_declaration(&self) -> bool {
        self.at_name()
            && DECLARATION.contains(&self.peek_text())
            && self.ahead(1).1.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && matches!(self.ahead(2).1, "{" | ":" | "(")
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

    /// Whether nothing but blanks stands before token `index` on its line; trivia counts.
    pub(super) fn starts_line(&self, index: usize) -> bool {
        match index.checked_sub(1).and_then(|before| self.token_at(before)) {
            None => true,
            Some(space) if space.kind == TokenKind::Space => index == 1 || self.slice(space).contains('\n'),
            Some(_) => false,
        }
    }
}
