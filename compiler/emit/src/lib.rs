//! What language back ends share.

mod language;

pub use language::{Generated, Language, OutputFile, Request};
