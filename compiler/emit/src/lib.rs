//! What language back ends share: the [`Language`] trait, a printer for trees of text, and names.

pub mod doc;
mod language;
pub mod names;
pub mod needs;

pub use language::{Generated, Language, OutputFile, Request};
