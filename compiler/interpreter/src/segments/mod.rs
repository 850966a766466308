//! Messages that are segments of 8-byte words: the table in front, packing, pointers, copies.
//! (Cap'n Proto encoding specification; the sections are named at each part.)

mod arena;
mod copy;
mod packing;
mod table;

pub(crate) use arena::{field_size, Arena, Elements, Kind, Target};
pub(crate) use copy::{distance, pointer_word, tag_word, Copier, Mode};
pub(crate) use packing::{pack, unpack};
pub(crate) use table::{ranges, write_table};

use crate::fault::{Code, Fault};
use aldis_plan::{Limits, Segments};

/// How many bytes the message takes that `bytes` begin with, where its form has a segment table; `None` where they end
/// within it.
///
/// # Errors
/// As decoding, for what says how large it is; `too-large` for packed bytes that unpack to more than the reference reads.
pub fn framed_size(form: Segments, bytes: &[u8]) -> Result<Option<usize>, Fault> {
    let size = if form.packed {
        unpack(bytes, Limits::REFERENCE.budget_base).map(|(_, size)| size)
    } else {
        table::from_table(bytes).map(|segments| segments.last().map_or(0, |segment| segment.end))
    };
    match size {
        Ok(size) => Ok(Some(size)),
        Err(fault) if fault.code == Code::Truncated => Ok(None),
        Err(fault) => Err(fault),
    }
}

/// Bytes of a word.
pub(crate) const WORD: usize = 8;
