//! The words of a message between its segments, and what pointers say.

use super::fault::{Code, Fault};
use super::load::load;
use aldis_plan::{ByteOrder, Limits, Segments as Form};

/// Bytes of a word.
pub(super) const WORD: u64 = 8;

/// The object of a pointer; it may be outside of its segment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Aim {
    pub kind: Kind,
    pub segment: usize,
    pub at: i64,
    /// Words of landing pads on the way.
    pub pads: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Null,
    /// Both in words.
    Record {
        data: u64,
        pointers: u64,
    },
    /// The code of the elements' size; how many there are, or for code 7 how many words.
    List {
        code: u64,
        count: u64,
    },
    Capability(u64),
}

/// The words of a message, by segment.
#[derive(Clone, Debug)]
pub(super) struct Arena<'r> {
    pub bytes: &'r [u8],
    /// The first byte of each segment, and the first behind it.
    pub segments: Vec<(u64, u64)>,
}

/// A list of records by its tag: how many there are, words of data and of pointers in each.
pub(super) struct Tag {
    pub count: u64,
    pub data: u64,
    pub pointers: u64,
}

pub(super) fn at<V>(code: Code, place: u64) -> Result<V, Fault> {
    Err(Fault::at(code, place))
}

impl<'r> Arena<'r> {
    /// The segments of a message.
    pub fn of(bytes: &'r [u8], form: Form) -> Result<Self, Fault> {
        let all = bytes.len() as u64;
        let segments = if form.table { table(bytes)? } else { vec![(0, all / WORD * WORD)] };
        match segments[0] {
            (from, to) if to - from < WORD => at(Code::Truncated, from),
            _ => Ok(Self { bytes, segments }),
        }
    }

    pub fn word(&self, place: u64) -> u64 {
        load(&self.bytes[place as usize..][..WORD as usize], ByteOrder::Little)
    }

    pub fn aim(&self, place: u64, segment: usize) -> Result<Aim, Fault> {
        let word = self.word(place);
        if word == 0 {
            return Ok(Aim { kind: Kind::Null, segment, at: 0, pads: 0 });
        }
        match word & 7 {
            2 => {
                let (segment, pad) = self.landing(word, place, 1)?;
                if self.word(pad) & 3 == 2 {
                    return at(Code::BadValue, pad);
                }
                Ok(Aim { pads: 1, ..near(self.word(pad), pad, segment)? })
            }
            6 => {
                let (_, pad) = self.landing(word, place, 2)?;
                if self.word(pad) & 7 != 2 {
                    return at(Code::BadValue, pad);
                }
                let (segment, body) = self.landing(self.word(pad), pad, 0)?;
                let tag = self.word(pad + WORD);
                if tag & 3 == 2 {
                    return at(Code::BadValue, pad + WORD);
                }
                Ok(Aim { at: body as i64, pads: 2, ..near(tag, pad + WORD, segment)? })
            }
            _ => near(word, place, segment),
        }
    }

    /// The place in a segment that a far pointer names, with so many words behind it.
    fn landing(&self, word: u64, place: u64, words: u64) -> Result<(usize, u64), Fault> {
        let segment = (word >> 32) as usize;
        let offset = (word >> 3 & ((1 << 29) - 1)) * WORD;
        match self.segments.get(segment) {
            Some((from, to)) if offset + words * WORD <= to - from => Ok((segment, from + offset)),
            _ => at(Code::BadPointer, place),
        }
    }

    /// The first byte of an object of so many bytes.
    pub fn body(&self, aim: &Aim, place: u64, size: u64) -> Result<u64, Fault> {
        let (from, to) = self.segments[aim.segment];
        if size == 0 {
            return Ok(from);
        }
        match u64::try_from(aim.at) {
            Ok(start) if start >= from && start <= to => match (size <= to - start, aim.kind) {
                (true, _) => Ok(start),
                (false, Kind::List { .. }) => at(Code::BadCount, place),
                _ => at(Code::BadPointer, place),
            },
            _ => at(Code::BadPointer, place),
        }
    }

    /// The elements of a list of that code and count, whose words begin at `start` and are there.
    pub fn elements(&self, aim: &Aim, start: u64, (code, count): (u64, u64)) -> Result<Elements, Fault> {
        let tagged = code == 7;
        let (first, count, data, pointers) = if tagged {
            let tag = self.tag(start, count)?;
            (start + WORD, tag.count, tag.data * 64, tag.pointers)
        } else {
            let pointers = u64::from(code == 6);
            (start, count, bits(code) * (1 - pointers), pointers)
        };
        let stride = data + pointers * 64;
        let alone = if tagged { 0 } else { data };
        Ok(Elements {
            numbers: [aim.segment as u64, first, count, stride, data / 8, pointers * WORD, alone],
            empty: if stride == 0 { count * Limits::EMPTY_ELEMENT } else { 0 },
            links: count * pointers * Limits::LINK,
        })
    }

    /// The numbers in the tag at `place`, behind which so many words are there.
    pub fn tag(&self, place: u64, words: u64) -> Result<Tag, Fault> {
        let tag = self.word(place);
        if tag & 3 != 0 {
            return at(Code::BadValue, place);
        }
        let found = Tag { count: tag >> 2 & ((1 << 29) - 1), data: tag >> 32 & 0xFFFF, pointers: tag >> 48 };
        if found.count * (found.data + found.pointers) > words {
            return at(Code::BadCount, place);
        }
        Ok(found)
    }
}

fn table(bytes: &[u8]) -> Result<Vec<(u64, u64)>, Fault> {
    let all = bytes.len() as u64;
    let number = |index: usize| load(&bytes[4 * index..][..4], ByteOrder::Little);
    if all < 4 {
        return at(Code::Truncated, all);
    }
    if number(0) >= Form::MAX.into() {
        return at(Code::BadCount, 0);
    }
    let count = number(0) + 1;
    let mut from = (count / 2 + 1) * WORD;
    if all < from {
        return at(Code::Truncated, all);
    }
    let mut segments = Vec::new();
    for index in 1..=count {
        let size = number(index as usize) * WORD;
        if size > all - from {
            return at(Code::Truncated, 4 * index);
        }
        segments.push((from, from + size));
        from += size;
    }
    Ok(segments)
}

fn near(word: u64, place: u64, segment: usize) -> Result<Aim, Fault> {
    let kind = match word & 3 {
        0 => Kind::Record { data: word >> 32 & 0xFFFF, pointers: word >> 48 },
        1 => Kind::List { code: word >> 32 & 7, count: word >> 35 },
        _ if word & 0xFFFF_FFFF == 3 => Kind::Capability(word >> 32),
        _ => return at(Code::BadValue, place),
    };
    let words = i64::from(word as u32 as i32 >> 2);
    Ok(Aim { kind, segment, at: place as i64 + 8 + words * 8, pads: 0 })
}

/// The elements of a list.
pub(super) struct Elements {
    /// What [`crate::Segments::List`] binds, without the budget.
    pub numbers: [u64; 7],
    /// The charge for elements that have no bytes, and the surcharge for links.
    pub empty: u64,
    pub links: u64,
}

/// Bits of an element by its code; of a list of pointers those are pointers.
pub(super) fn bits(code: u64) -> u64 {
    [0, 1, 8, 16, 32, 64, 64, 0][code as usize & 7]
}
