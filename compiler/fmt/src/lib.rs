//! Regular white space for schema text, with every comment in its place.
//!
//! ```text
//! text ─ Style::lexicon ─► tokens ─ atoms ─► words with the comments before them ─ items ─► a tree ─ print ─► text
//! ```
//! A schema language brings a [`Style`]: how its text is cut into tokens, and which words stand apart. The words and the
//! comments of a text are never changed, left out or put into another order: [`tidy`] compares both before it answers.

mod atoms;
pub mod codes;
mod items;
mod lines;
mod print;

use aldis_text::{Lexicon, TokenKind};
use std::borrow::Cow;

/// The columns that a line may have before it is broken. Comments are never broken.
pub const WIDTH: usize = 100;

/// How schemas of one language are written.
pub trait Style {
    /// How the text is cut into tokens.
    fn lexicon(&self) -> &'static Lexicon;

    /// The blanks of one level of indentation.
    fn indent(&self) -> usize;

    /// Whether a `{` stands on a line of its own.
    fn brace_on_own_line(&self) -> bool;

    /// Whether comments document what stands before them.
    fn comments_follow(&self) -> bool;

    /// Whether a `{` opens a body, inside of so many bodies; otherwise it is part of a statement.
    fn opens_body(&self, depth: usize) -> bool;

    /// Whether the statement of these words is over before `next`, though no `;` has ended it.
    fn is_over(&self, words: &[&str], next: &str) -> bool;

    /// Whether a blank stands between the words.
    fn apart(&self, before: &str, after: &str) -> bool;

    /// Whether a long line may be broken before the word.
    fn breaks_before(&self, word: &str) -> bool;
}

/// The text with regular white space. `None` if that would change more than white space, which is a mistake of the
/// style: then the text must stay as it is.
///
/// The text must be a schema as far as grammar goes: what stands in brackets is believed to be closed.
pub fn tidy(style: &dyn Style, text: &str) -> Option<String> {
    let items = items::items(style, atoms::atoms(&tokens(style, text)));
    let tidied = print::print(style, items);
    if substance(style, text) != substance(style, &tidied) {
        return None;
    }
    let first_end = text.find('\n').unwrap_or_default();
    Some(if text[..first_end].ends_with('\r') { tidied.replace('\n', "\r\n") } else { tidied })
}

/// All tokens but the end, each with its text.
fn tokens<'a>(style: &dyn Style, text: &'a str) -> Vec<(TokenKind, &'a str)> {
    let mut tokens = style.lexicon().tokens(text);
    tokens.pop();
    tokens.into_iter().map(|token| (token.kind, &text[token.start..token.end])).collect()
}

/// All words and comments in order, without what white space does to them.
fn substance<'a>(style: &dyn Style, text: &'a str) -> Vec<Cow<'a, str>> {
    let mut all = Vec::new();
    for (kind, text) in tokens(style, text) {
        match kind {
            TokenKind::Space => {}
            TokenKind::LineComment | TokenKind::BlockComment => {
                all.extend(text.lines().map(|line| Cow::Borrowed(line.trim())));
            }
            TokenKind::LineText => all.push(text.into()),
            _ => all.push(unix(text)),
        }
    }
    all
}

/// Lines that end with `\n` alone.
fn unix(text: &str) -> Cow<'_, str> {
    if text.contains('\r') {
        text.replace("\r\n", "\n").into()
    } else {
        text.into()
    }
}
