//! Explanations of messages, for terminals and as HTML.

mod page;
mod rows;
mod terminal;

pub use page::render as html;
pub use rows::Page;
pub use terminal::render as text;
