//! What language back ends share: the [`Language`] trait, a printer for trees of text, and names.

pub mod doc;
mod language;
pub mod names;

pub use language::{Generated, Language, OutputFile, Request};
