//! JSON, both ways, as the testee protocol fixes it.

mod keys;
mod memory;
mod number;
mod parse;
mod read;
mod read_scalars;
mod shaped;
mod sink;
mod texts;
mod write;

pub(crate) use read::read_message;
pub(crate) use sink::JsonSink;
pub(crate) use write::{write_datum, write_value, Context};
