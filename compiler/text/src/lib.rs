//! Schema text to tokens, and a cursor that parsers move over them.
//!
//! ```text
//! text ─ Lexicon ─► tokens ─ Cursor ─► a front end's syntax tree
//!                        └─► compiler/fmt
//! ```
//! A schema language brings a [`Lexicon`] (the characters of its tokens) and a [`Wording`] (the codes and words of the
//! mistakes that every language knows). The grammar stays with the language.

mod cursor;
mod lexicon;

pub use cursor::{Cursor, Lost, Parsed, Word, Wording};
pub use lexicon::{line_length, name_length, quoted_length, Lexicon, Token, TokenKind};
