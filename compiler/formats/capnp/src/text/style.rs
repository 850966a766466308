//! How Cap'n Proto schemas are written: as in the files that come with the reference's compiler, two blanks a level, a
//! type's colon right before it.

use super::lexer::{lex, Token, TokenKind};
use aldis_tidy::{Piece, PieceKind, Style};

pub(crate) struct CapnpStyle;

impl Style for CapnpStyle {
    fn pieces<'a>(&self, text: &'a str) -> Vec<Piece<'a>> {
        let piece = |token: Token| {
            let kind = match token.kind {
                TokenKind::Space => PieceKind::Space,
                TokenKind::Comment => PieceKind::LineComment,
                TokenKind::LineText => PieceKind::LineWord,
                _ => PieceKind::Word,
            };
            Piece { kind, text: &text[token.start..token.end] }
        };
        lex(text).into_iter().filter(|token| token.kind != TokenKind::End).map(piece).collect()
    }

    fn indent(&self) -> usize {
        2
    }

    fn brace_on_own_line(&self) -> bool {
        false
    }

    fn comments_follow(&self) -> bool {
        true
    }

    fn opens_body(&self, _depth: usize) -> bool {
        true
    }

    fn is_over(&self, _words: &[&str], _next: &str) -> bool {
        false
    }

    fn apart(&self, before: &str, after: &str) -> bool {
        let is_operator = |word: &str| word.starts_with(|c: char| "!$%&*+-./:<=>?@^|~".contains(c));
        match (before, after) {
            (_, ";" | "," | ")" | "]" | "}") | ("(" | "[" | "{", _) => false,
            // Side by side they would be another operator.
            _ if is_operator(before) && is_operator(after) => true,
            (":" | "@" | "$" | "." | "-", _) => false,
            (_, "!") => false,
            ("using", ".") => true,
            (_, ".") => before == ",",
            // Parameters and targets stand apart from a number, arguments stick to what takes them.
            (_, "(" | "[") => {
                before.starts_with(|c: char| c.is_ascii_digit())
                    || is_operator(before)
                    || before == ","
                    || before == "]"
            }
            _ => true,
        }
    }

    fn breaks_before(&self, word: &str) -> bool {
        matches!(word, "->" | "$")
    }
}
