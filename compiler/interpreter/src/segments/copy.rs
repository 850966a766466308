//! Copies of objects without a schema, as they are or in canonical form ("Canonicalization").

use super::{field_size, Arena, Kind, Target, WORD};
use crate::fault::{Code, Fault};

/// The form of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Every section as long as it was.
    Whole,
    /// Without zeros at the end of data sections and nulls at the end of pointer sections. There are no capabilities.
    Canonical,
}

/// Copies objects into one segment, in pre-order: an object's own words, then what its pointers lead to, left to right.
pub(crate) struct Copier<'a> {
    pub arena: Arena<'a>,
    pub mode: Mode,
    /// The segment; pointers in it count from their own place, so that it may begin anywhere in `out`.
    pub out: &'a mut Vec<u8>,
    /// Bytes that may still be visited, and levels left; as for a walk.
    pub budget: u64,
    pub depth: u32,
}

/// A record's or an element's sections in the arena.
#[derive(Clone, Copy)]
struct Body {
    at: usize,
    /// In words, as are the pointers.
    data: usize,
    pointers_at: usize,
    pointers: usize,
}

impl Body {
    fn new(at: usize, data: usize, pointers: usize) -> Self {
        Self { at, data, pointers_at: at + data * WORD, pointers }
    }
}

impl Copier<'_> {
    /// Copies what the pointer at `at` leads to and writes, at `slot` of `out`, a pointer to the copy.
    ///
    /// # Errors
    /// As a walk's, and `bad-value` for a capability in canonical form.
    pub fn pointer(&mut self, at: usize, segment: usize, slot: usize) -> Result<(), Fault> {
        let Some(target) = self.arena.follow(at, segment)? else { return Ok(()) };
        self.charge(target.pads(), at)?;
        match target.kind {
            Kind::Capability(_) if self.mode == Mode::Canonical => {
                Err(Fault::at(Code::BadValue, at, "a capability has no canonical form"))
            }
            Kind::Capability(index) => {
                self.store(slot, u64::from(index) << 32 | 3);
                Ok(())
            }
            kind => {
                if self.depth == 0 {
                    return Err(Fault::at(Code::TooDeep, at, "objects nest deeper than the limit"));
                }
                self.depth -= 1;
                match kind {
                    Kind::Record { data, pointers } => self.record(&target, at, data, pointers, slot)?,
                    Kind::List { size: 7, count } => self.records(&target, at, count, slot)?,
                    Kind::List { size: 6, count } => self.pointers(&target, at, count, slot)?,
                    Kind::List { size, count } => self.scalars(&target, at, size, count, slot)?,
                    Kind::Capability(_) => {}
                }
                self.depth += 1;
                Ok(())
            }
        }
    }

    fn charge(&mut self, words: u64, at: usize) -> Result<(), Fault> {
        let left = self.budget.checked_sub(words * WORD as u64);
        self.budget = left.ok_or_else(|| Fault::at(Code::TooLarge, at, "copying this takes more than its budget"))?;
        Ok(())
    }

    fn record(&mut self, target: &Target, at: usize, data: u16, pointers: u16, slot: usize) -> Result<(), Fault> {
        let words = u64::from(data) + u64::from(pointers);
        let start = self.arena.body(target, at, words * WORD as u64)?;
        self.charge(words, at)?;
        let body = self.trimmed(Body::new(start, data.into(), pointers.into()));
        let own = (body.data + body.pointers) * WORD;
        let copy = self.reserve(own);
        let offset = if own == 0 { -1 } else { distance(slot, copy) };
        self.store(slot, pointer_word(offset, 0, body.data as u64 | (body.pointers as u64) << 16));
        self.contents(body, target.segment, copy)
    }

    /// Copies a body's data to `copy`, and what its pointers lead to behind everything.
    fn contents(&mut self, body: Body, segment: usize, copy: usize) -> Result<(), Fault> {
        let data = body.data * WORD;
        self.out[copy..copy + data].copy_from_slice(&self.arena.bytes[body.at..body.at + data]);
        (0..body.pointers)
            .try_for_each(|index| self.pointer(body.pointers_at + index * WORD, segment, copy + data + index * WORD))
    }

    fn trimmed(&self, mut body: Body) -> Body {
        if self.mode == Mode::Canonical {
            while body.pointers > 0 && self.arena.word(body.pointers_at + (body.pointers - 1) * WORD) == 0 {
                body.pointers -= 1;
            }
            while body.data > 0 && self.arena.word(body.at + (body.data - 1) * WORD) == 0 {
                body.data -= 1;
            }
        }
        body
    }

    fn pointers(&mut self, target: &Target, at: usize, count: u32, slot: usize) -> Result<(), Fault> {
        let start = self.arena.body(target, at, u64::from(count) * WORD as u64)?;
        self.charge(u64::from(count), at)?;
        let copy = self.reserve(count as usize * WORD);
        self.store(slot, pointer_word(distance(slot, copy), 1, 6 | u64::from(count) << 3));
        (0..count as usize)
            .try_for_each(|index| self.pointer(start + index * WORD, target.segment, copy + index * WORD))
    }

    fn scalars(&mut self, target: &Target, at: usize, size: u8, count: u32, slot: usize) -> Result<(), Fault> {
        let bits = field_size(size) * u64::from(count);
        let words = bits.div_ceil(64);
        let start = self.arena.body(target, at, words * WORD as u64)?;
        self.charge(if size == 0 { u64::from(count) } else { words }, at)?;
        let copy = self.reserve(words as usize * WORD);
        self.store(slot, pointer_word(distance(slot, copy), 1, u64::from(size) | u64::from(count) << 3));
        // The bytes beyond the last element stay zero.
        let whole = (bits / 8) as usize;
        self.out[copy..copy + whole].copy_from_slice(&self.arena.bytes[start..start + whole]);
        if !bits.is_multiple_of(8) {
            self.out[copy + whole] = self.arena.bytes[start + whole] & ((1 << (bits % 8)) - 1);
        }
        Ok(())
    }

    fn records(&mut self, target: &Target, at: usize, words: u32, slot: usize) -> Result<(), Fault> {
        let start = self.arena.body(target, at, (u64::from(words) + 1) * WORD as u64)?;
        self.charge(u64::from(words) + 1, at)?;
        let elements = self.arena.elements(start, words)?;
        if elements.stride() == 0 {
            self.charge(elements.count as u64, at)?;
        }
        let bodies = (0..elements.count)
            .map(|index| self.trimmed(Body::new(elements.body(index), elements.data, elements.pointers)));
        let (data, pointers) = match self.mode {
            Mode::Whole => (elements.data, elements.pointers),
            Mode::Canonical => {
                bodies.fold((0, 0), |(data, pointers), body| (data.max(body.data), pointers.max(body.pointers)))
            }
        };
        let stride = (data + pointers) * WORD;
        let copy = self.reserve(WORD + elements.count * stride);
        let own = (elements.count * stride / WORD) as u64;
        self.store(slot, pointer_word(distance(slot, copy), 1, 7 | own << 3));
        self.store(copy, tag_word(elements.count as u64, data as u64, pointers as u64));
        (0..elements.count).try_for_each(|index| {
            let at = elements.body(index);
            let to = copy + WORD + index * stride;
            self.out[to..to + data * WORD].copy_from_slice(&self.arena.bytes[at..at + data * WORD]);
            let from = at + elements.data * WORD;
            (0..pointers).try_for_each(|i| self.pointer(from + i * WORD, target.segment, to + (data + i) * WORD))
        })
    }

    fn reserve(&mut self, size: usize) -> usize {
        let start = self.out.len();
        self.out.resize(start + size, 0);
        start
    }

    fn store(&mut self, at: usize, word: u64) {
        self.out[at..at + WORD].copy_from_slice(&word.to_le_bytes());
    }
}

/// Words from the end of the pointer at `slot` to `target`.
pub(crate) fn distance(slot: usize, target: usize) -> i64 {
    (target as i64 - slot as i64) / WORD as i64 - 1
}

/// A struct (kind 0) or list (kind 1) pointer; `upper` is its upper half.
pub(crate) fn pointer_word(offset: i64, kind: u64, upper: u64) -> u64 {
    u64::from((offset as u32) << 2) | kind | upper << 32
}

/// The word in front of a list of records; sizes in words.
pub(crate) fn tag_word(count: u64, data: u64, pointers: u64) -> u64 {
    count << 2 | data << 32 | pointers << 48
}
