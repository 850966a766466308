//! Copies of objects that no schema describes: one segment, an object's own words before what its pointers lead to, left to right.

use super::arena::{bits, Aim, Arena, Kind, WORD};
use super::fault::{Code, Fault};
use super::guard::pay;

/// An object's or an element's words of data, and of pointers.
#[derive(Clone, Copy)]
struct Body {
    at: u64,
    data: u64,
    pointers_at: u64,
    pointers: u64,
}

pub(super) struct Keeper<'a, 'r> {
    pub arena: &'a Arena<'r>,
    pub out: Vec<u8>,
    pub budget: u64,
    pub depth: u64,
    /// Sections end with their last word that is not zero.
    pub canonical: bool,
}

impl Keeper<'_, '_> {
    /// Copies what the pointer at `at` leads to, and puts the pointer to the copy to `slot`.
    pub fn pointer(&mut self, at: u64, segment: usize, slot: u64) -> Result<(), Fault> {
        let aim = self.arena.aim(at, segment)?;
        self.charge(aim.pads, at)?;
        match aim.kind {
            Kind::Null => return Ok(()),
            Kind::Capability(_) if self.canonical => return Err(Fault::at(Code::BadValue, at)),
            Kind::Capability(index) => {
                self.put(slot, index << 32 | 3);
                return Ok(());
            }
            _ if self.depth == 0 => return Err(Fault::at(Code::TooDeep, at)),
            _ => {}
        }
        self.depth -= 1;
        match aim.kind {
            Kind::List { code: 7, count } => self.records(&aim, at, count, slot)?,
            Kind::List { code: 6, count } => {
                let from = self.arena.body(&aim, at, count * WORD)?;
                self.charge(count, at)?;
                let copy = self.object(slot, count, 1, 6 | count << 3);
                self.words(Body { at: from, data: 0, pointers_at: from, pointers: count }, copy, aim.segment)?;
            }
            Kind::List { code, count } => self.scalars(&aim, at, (code, count), slot)?,
            Kind::Record { data, pointers } => {
                let words = data + pointers;
                let from = self.arena.body(&aim, at, words * WORD)?;
                self.charge(words, at)?;
                let body = self.trimmed(Body { at: from, data, pointers_at: from + data * WORD, pointers });
                let copy = self.object(slot, body.data + body.pointers, 0, body.data | body.pointers << 16);
                self.words(body, copy, aim.segment)?;
            }
            Kind::Null | Kind::Capability(_) => {}
        }
        self.depth += 1;
        Ok(())
    }

    fn charge(&mut self, words: u64, at: u64) -> Result<(), Fault> {
        self.budget = pay(self.budget, words * WORD, at)?;
        Ok(())
    }

    fn put(&mut self, at: u64, word: u64) {
        self.out[at as usize..][..8].copy_from_slice(&word.to_le_bytes());
    }

    /// Room for an object, to which `slot` points; an empty record is nowhere.
    fn object(&mut self, slot: u64, words: u64, kind: u64, upper: u64) -> u64 {
        let copy = self.out.len() as u64;
        let offset = if kind == 0 && words == 0 { -1 } else { (copy as i64 - slot as i64) / 8 - 1 };
        self.put(slot, u64::from((offset as u32) << 2) | kind | upper << 32);
        self.out.resize((copy + words * WORD) as usize, 0);
        copy
    }

    /// Copies words of data, then what the pointers behind them lead to.
    fn words(&mut self, body: Body, copy: u64, segment: usize) -> Result<(), Fault> {
        let size = (body.data * WORD) as usize;
        self.out[copy as usize..][..size].copy_from_slice(&self.arena.bytes[body.at as usize..][..size]);
        let slots = copy + body.data * WORD;
        (0..body.pointers)
            .try_for_each(|index| self.pointer(body.pointers_at + index * WORD, segment, slots + index * WORD))
    }

    fn trimmed(&self, mut body: Body) -> Body {
        let is_zero = |section: u64, words: u64| words > 0 && self.arena.word(section + (words - 1) * WORD) == 0;
        while self.canonical && is_zero(body.pointers_at, body.pointers) {
            body.pointers -= 1;
        }
        while self.canonical && is_zero(body.at, body.data) {
            body.data -= 1;
        }
        body
    }

    fn scalars(&mut self, aim: &Aim, at: u64, (code, count): (u64, u64), slot: u64) -> Result<(), Fault> {
        let bits = bits(code) * count;
        let words = bits.div_ceil(64);
        let from = self.arena.body(aim, at, words * WORD)?;
        self.charge(if code == 0 { count } else { words }, at)?;
        let copy = self.object(slot, words, 1, code | count << 3) as usize;
        let (from, whole) = (from as usize, (bits / 8) as usize);
        self.out[copy..copy + whole].copy_from_slice(&self.arena.bytes[from..from + whole]);
        if !bits.is_multiple_of(8) {
            self.out[copy + whole] = self.arena.bytes[from + whole] & ((1 << (bits % 8)) - 1);
        }
        Ok(())
    }

    fn records(&mut self, aim: &Aim, at: u64, words: u64, slot: u64) -> Result<(), Fault> {
        let start = self.arena.body(aim, at, (words + 1) * WORD)?;
        self.charge(words + 1, at)?;
        let tag = self.arena.tag(start, words)?;
        let stride = tag.data + tag.pointers;
        if stride == 0 {
            self.charge(tag.count, at)?;
        }
        let element = |index: u64| {
            let at = start + WORD + index * stride * WORD;
            Body { at, data: tag.data, pointers_at: at + tag.data * WORD, pointers: tag.pointers }
        };
        // All are as long as the longest.
        let (mut data, mut pointers) = if self.canonical { (0, 0) } else { (tag.data, tag.pointers) };
        for index in 0..if self.canonical { tag.count } else { 0 } {
            let body = self.trimmed(element(index));
            (data, pointers) = (data.max(body.data), pointers.max(body.pointers));
        }
        let own = tag.count * (data + pointers);
        let copy = self.object(slot, own + 1, 1, 7 | own << 3);
        self.put(copy, tag.count << 2 | data << 32 | pointers << 48);
        (0..tag.count).try_for_each(|index| {
            let to = copy + WORD + index * (data + pointers) * WORD;
            self.words(Body { data, pointers, ..element(index) }, to, aim.segment)
        })
    }
}
