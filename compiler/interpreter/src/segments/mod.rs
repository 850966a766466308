//! Messages that are segments of 8-byte words: the table in front, packing, pointers, copies.
//! (Cap'n Proto encoding specification; the sections are named at each part.)

mod arena;
mod copy;
mod end;
mod packing;
mod table;

pub(crate) use arena::{field_size, Arena, Elements, Kind, Target};
pub(crate) use copy::{distance, pointer_word, tag_word, Copier, Mode};
pub use end::MessageEnd;
pub(crate) use packing::{pack, unpack};
pub(crate) use table::{ranges, write_table};

/// Bytes of a word.
pub(crate) const WORD: usize = 8;
