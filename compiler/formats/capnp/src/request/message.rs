//! Cap'n Proto messages: framing, segments, pointers and limits (the encoding specification).
//!
//! Made for requests alone: it reads, eagerly and once. Each object that a pointer leads to is charged against a budget
//! and consumes depth, so that cycles and shared lists end in a [`Fault`]. All offsets are bytes of the whole input.

use super::fault::{Fault, Read};
use std::cell::Cell;

/// Bytes in a word, the unit of segments, pointers and sizes.
pub(super) const WORD: usize = 8;

/// The bytes of budget that a message has besides eight times its own length.
const BUDGET_BASE: usize = 256 * 1024;

pub(super) struct Message<'b> {
    bytes: &'b [u8],
    pub segments: Vec<Segment>,
    /// How many bytes of objects may still be taken.
    budget: Cell<usize>,
}

/// The first byte of a segment in the input, and its length in words.
#[derive(Clone, Copy)]
pub(super) struct Segment {
    pub start: usize,
    pub words: usize,
}

/// A word of a segment.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub segment: usize,
    pub word: usize,
}

impl<'b> Message<'b> {
    /// Reads the segment table; bytes behind the last segment are left alone.
    pub fn new(bytes: &'b [u8]) -> Read<Self> {
        let number = |at: usize| {
            let field = bytes.get(at..at + 4).and_then(|field| field.try_into().ok());
            let missing = || Fault::new(bytes.len(), "the input ends within its table of segments");
            field.map(u32::from_le_bytes).ok_or_else(missing)
        };
        let count = number(0)? as usize + 1;
        // Every size is asked for below, so a count beyond the input fails before anything is kept for it.
        let mut start = (count / 2 + 1) * WORD;
        let mut segments = Vec::new();
        for index in 0..count {
            let words = number(4 + 4 * index)? as usize;
            segments.push(Segment { start, words });
            start += words * WORD;
        }
        if start > bytes.len() {
            let message = format!("the segments take {start} bytes, the input has {}", bytes.len());
            return Err(Fault::new(bytes.len(), message));
        }
        let budget = Cell::new(bytes.len().saturating_mul(8).saturating_add(BUDGET_BASE));
        Ok(Self { bytes, segments, budget })
    }

    /// Takes so many bytes from the budget.
    pub fn charge(&self, place: Place, bytes: usize) -> Read<()> {
        match self.budget.get().checked_sub(bytes) {
            Some(rest) => {
                self.budget.set(rest);
                Ok(())
            }
            None => Err(self.fault(place, "objects are shared so often that reading them all would take too long")),
        }
    }

    /// The word at a place that is known to be in its segment.
    pub fn word(&self, place: Place) -> u64 {
        self.number(place, 0, 64)
    }

    /// The `size` bits (8 to 64) at a byte behind `place`; zero where the input ends.
    pub fn number(&self, place: Place, byte: usize, size: usize) -> u64 {
        let mut word = [0; WORD];
        let bytes = self.slice(place, byte, size / 8);
        word[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(word)
    }

    /// So many bytes from a byte behind `place` on; none where the input has fewer.
    pub fn slice(&self, place: Place, byte: usize, length: usize) -> &'b [u8] {
        let at = self.offset(place) + byte;
        self.bytes.get(at..at + length).unwrap_or_default()
    }

    /// The byte of the input where a place is.
    pub fn offset(&self, place: Place) -> usize {
        self.segments[place.segment].start + place.word * WORD
    }

    pub fn fault(&self, place: Place, message: &str) -> Fault {
        Fault::new(self.offset(place), message)
    }
}
