//! Tokens to words that carry the comments before them.

use crate::unix;
use aldis_text::TokenKind;
use std::borrow::Cow;

/// A word with what stands between it and the word before.
#[derive(Debug, Default)]
pub(crate) struct Atom<'a> {
    pub(crate) text: Cow<'a, str>,
    pub(crate) before: Vec<Comment<'a>>,
    /// A blank line is right before the word.
    pub(crate) blank: bool,
    /// Nothing may follow the word on its line.
    pub(crate) ends_line: bool,
    /// The lines, counted from 0, on which the word begins and ends.
    pub(crate) lines: (usize, usize),
}

#[derive(Debug)]
pub(crate) struct Comment<'a> {
    pub(crate) text: &'a str,
    /// It is the first thing on its line.
    pub(crate) own_line: bool,
    /// Nothing may follow it on its line.
    pub(crate) ends_line: bool,
    /// A blank line is right before it.
    pub(crate) blank: bool,
    /// Characters before it on its line.
    pub(crate) column: usize,
    /// Blanks between it and what is before it on its line.
    pub(crate) blanks: usize,
}

/// All words in order, and behind them one without text that carries the last comments.
pub(crate) fn atoms<'a>(tokens: &[(TokenKind, &'a str)]) -> Vec<Atom<'a>> {
    let (mut atoms, mut before) = (Vec::new(), Vec::new());
    let (mut line, mut column) = (0, 0);
    // Line ends in the space that was just passed; the file begins as a line does.
    let mut ends = 1;
    let mut blanks = 0;
    for &(kind, text) in tokens {
        let at = (line, column);
        line += text.matches('\n').count();
        column = match text.rfind('\n') {
            Some(end) => text[end + 1..].chars().count(),
            None => column + text.chars().count(),
        };
        let blank = ends > 1;
        match kind {
            TokenKind::Space => {
                let first = usize::from(at == (0, 0));
                ends = first + text.matches('\n').count();
                blanks = text.chars().count();
                continue;
            }
            TokenKind::LineComment | TokenKind::BlockComment => before.push(Comment {
                text,
                own_line: ends > 0,
                ends_line: kind == TokenKind::LineComment,
                blank,
                column: at.1,
                blanks,
            }),
            _ => atoms.push(Atom {
                text: unix(text),
                before: std::mem::take(&mut before),
                blank,
                ends_line: kind == TokenKind::LineText,
                lines: (at.0, line),
            }),
        }
        (ends, blanks) = (0, 0);
    }
    atoms.push(Atom { before, ..Atom::default() });
    atoms
}
