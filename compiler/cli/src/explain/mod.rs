//! Explanations of messages, for terminals and as HTML.

mod page;
mod path;
mod rows;
mod schema_line;
mod terminal;

pub use page::render as html;
pub use path::nothing_at;
pub use rows::{Choice, Page};
pub use terminal::render as text;
