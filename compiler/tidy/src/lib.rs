//! Regular white space for schema text, with every comment in its place.
//!
//! ```text
//! text ─ Style::pieces ─► pieces ─ atoms ─► words with the comments before them ─ items ─► a tree ─ print ─► text
//! ```
//! A schema language brings a [`Style`]: how its text is cut into pieces, and which words stand apart. The words and the
//! comments of a text are never changed, left out or put into another order: [`tidy`] compares both before it answers.

mod atoms;
pub mod codes;
mod items;
mod lines;
mod print;

use std::borrow::Cow;

/// The columns that a line may have before it is broken. Comments are never broken.
pub const WIDTH: usize = 100;

/// What a piece of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceKind {
    Space,
    /// A comment that ends with its line.
    LineComment,
    /// A comment with an end of its own, on as many lines as it likes.
    BlockComment,
    /// Anything that means something.
    Word,
    /// A word that ends with its line.
    LineWord,
}

/// A run of characters of the text.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    pub kind: PieceKind,
    pub text: &'a str,
}

/// How schemas of one language are written.
pub trait Style {
    /// The pieces of the text; one after another they are the text.
    fn pieces<'a>(&self, text: &'a str) -> Vec<Piece<'a>>;

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
    let items = items::items(style, atoms::atoms(&style.pieces(text)));
    let tidied = print::print(style, items);
    if substance(style, text) != substance(style, &tidied) {
        return None;
    }
    let first_end = text.find('\n').unwrap_or_default();
    Some(if text[..first_end].ends_with('\r') { tidied.replace('\n', "\r\n") } else { tidied })
}

/// All words and comments in order, without what white space does to them.
fn substance<'a>(style: &dyn Style, text: &'a str) -> Vec<Cow<'a, str>> {
    let mut all = Vec::new();
    for piece in style.pieces(text) {
        match piece.kind {
            PieceKind::Space => {}
            PieceKind::Word => all.push(unix(piece.text)),
            PieceKind::LineWord => all.push(piece.text.into()),
            _ => all.extend(piece.text.lines().map(|line| Cow::Borrowed(line.trim()))),
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
