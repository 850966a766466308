//! The segment table ("Serialization Over a Stream").

use super::WORD;
use crate::fault::{Code, Fault};
use aldis_plan::Segments;
use std::ops::Range;

/// The places of the segments in `bytes`: at least one, of at least a word; the last ends where the message does.
///
/// # Errors
/// `truncated` where the table or a segment is not all there, or the first segment has no root pointer; `bad-count` for
/// more than [`Segments::MAX`] segments.
pub(crate) fn ranges(bytes: &[u8], form: Segments) -> Result<Vec<Range<usize>>, Fault> {
    let found = match form.table {
        true => from_table(bytes)?,
        false => std::iter::once(0..bytes.len() / WORD * WORD).collect(),
    };
    if found[0].len() < WORD {
        return Err(Fault::at(Code::Truncated, found[0].start, "the first segment has no room for the root pointer"));
    }
    Ok(found)
}

pub(super) fn from_table(bytes: &[u8]) -> Result<Vec<Range<usize>>, Fault> {
    let count = segment_count(bytes)?;
    let mut start = table_size(count);
    let Some(table) = bytes.get(4..start) else {
        let text = format!("a table of {count} segments takes {start} bytes, but there are {}", bytes.len());
        return Err(Fault::at(Code::Truncated, bytes.len(), text));
    };
    let mut found = Vec::with_capacity(count);
    for (index, size) in table.chunks_exact(4).take(count).enumerate() {
        let words = u32::from_le_bytes([size[0], size[1], size[2], size[3]]) as usize;
        let left = bytes.len() - start;
        if words > left / WORD {
            let text = format!("segment {index} would have {} bytes, but {left} are left", words * WORD);
            return Err(Fault::at(Code::Truncated, 4 + 4 * index, text));
        }
        found.push(start..start + words * WORD);
        start += words * WORD;
    }
    Ok(found)
}

/// How many segments the table's first number tells of.
pub(super) fn segment_count(bytes: &[u8]) -> Result<usize, Fault> {
    let Some(first) = bytes.first_chunk::<4>() else {
        return Err(Fault::at(Code::Truncated, bytes.len(), "the segment table takes at least 8 bytes"));
    };
    let less_one = u32::from_le_bytes(*first);
    if less_one >= Segments::MAX {
        let text = format!("{} segments; at most {} are read", u64::from(less_one) + 1, Segments::MAX);
        return Err(Fault::at(Code::BadCount, 0, text));
    }
    Ok(less_one as usize + 1)
}

/// Bytes of a table, a whole number of words.
pub(super) fn table_size(segments: usize) -> usize {
    (segments / 2 + 1) * WORD
}

/// The table of one segment of so many words.
pub(crate) fn write_table(words: u32) -> [u8; WORD] {
    (u64::from(words) << 32).to_le_bytes()
}
