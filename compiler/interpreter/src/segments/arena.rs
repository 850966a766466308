//! Pointers and what they lead to ("Pointers", "Structs", "Lists", "Inter-Segment Pointers").

use super::WORD;
use crate::fault::{Code, Fault};
use aldis_plan::ByteOrder;
use std::ops::Range;

/// A message's bytes with the segments in them, which hold whole words. Offsets count from the message's first byte.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arena<'b> {
    pub bytes: &'b [u8],
    pub segments: &'b [Range<usize>],
}

/// The target of a pointer; its body is not checked yet.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub kind: Kind,
    pub segment: usize,
    /// Offset of the body's first byte, of the tag word for a list of records; may be outside of the segment.
    pub at: i64,
    /// The landing pad on the way, where the pointer is a far one.
    pub pad: Option<Pad>,
}

/// The landing pad that a far pointer leads to first.
#[derive(Clone, Copy, Debug)]
pub struct Pad {
    pub at: usize,
    /// 1, or 2 where the pad leads to another segment in turn.
    pub words: u64,
}

/// The facts that a pointer states about its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Both in words.
    Record { data: u16, pointers: u16 },
    /// `size` is the code of the elements' size; `count` the elements, or for size 7 the words after the tag.
    List { size: u8, count: u32 },
    /// An index into the table of capabilities.
    Capability(u32),
}

impl Target {
    /// Words of landing pads on the way.
    pub fn pads(&self) -> u64 {
        self.pad.map_or(0, |pad| pad.words)
    }
}

impl Kind {
    pub fn describe(self) -> &'static str {
        match self {
            Kind::Record { .. } => "a struct pointer",
            Kind::List { .. } => "a list pointer",
            Kind::Capability(_) => "a capability",
        }
    }
}

const STRUCT: u64 = 0;
const LIST: u64 = 1;
const FAR: u64 = 2;

/// Bits of an element by its list's size code (0 to 6).
pub(crate) fn field_size(code: u8) -> u64 {
    [0, 1, 8, 16, 32, 64, 64][usize::from(code)]
}

impl<'b> Arena<'b> {
    /// The word at `at`, which is known to be in a segment.
    pub fn word(&self, at: usize) -> u64 {
        ByteOrder::Little.number(&self.bytes[at..at + WORD])
    }

    /// Follows the pointer at `at`, in `segment`; `None` where it is null.
    ///
    /// # Errors
    /// `bad-pointer` for far pointers that lead outside, `bad-value` for words that are no pointer.
    pub fn follow(&self, at: usize, segment: usize) -> Result<Option<Target>, Fault> {
        let word = self.word(at);
        match word & 3 {
            _ if word == 0 => Ok(None),
            FAR => self.far(word, at).map(Some),
            _ => near(word, at, segment, at as i64 + 8).map(Some),
        }
    }

    /// Behind a far pointer a word of zeros is a struct of no words, as in the reference: only a pointer that is zero
    /// itself is null.
    fn far(&self, word: u64, at: usize) -> Result<Target, Fault> {
        let double = word & 4 != 0;
        let pads = if double { 2 } else { 1 };
        let (segment, pad) = self.landing(word, at, pads)?;
        let first = self.word(pad);
        if !double {
            if first & 3 == FAR {
                return Err(Fault::at(Code::BadValue, pad, "the landing pad of a far pointer is a far pointer"));
            }
            let target = near(first, pad, segment, pad as i64 + 8)?;
            return Ok(Target { pad: Some(Pad { at: pad, words: 1 }), ..target });
        }
        if first & 7 != FAR {
            return Err(Fault::at(Code::BadValue, pad, "a double-far landing pad does not begin with a far pointer"));
        }
        let (segment, body) = self.landing(first, pad, 0)?;
        let tag = self.word(pad + WORD);
        if tag & 3 == FAR {
            return Err(Fault::at(Code::BadValue, pad + WORD, "the tag of a double-far pad is a far pointer"));
        }
        let target = near(tag, pad + WORD, segment, body as i64)?;
        // The tag's own offset says nothing.
        Ok(Target { at: body as i64, pad: Some(Pad { at: pad, words: 2 }), ..target })
    }

    /// The segment and offset that a far pointer gives, with `words` words there.
    fn landing(&self, word: u64, at: usize, words: usize) -> Result<(usize, usize), Fault> {
        let segment = (word >> 32) as usize;
        let Some(range) = self.segments.get(segment) else {
            let text = format!("a far pointer to segment {segment}, of {}", self.segments.len());
            return Err(Fault::at(Code::BadPointer, at, text));
        };
        let offset = (word as u32 >> 3) as usize * WORD;
        if offset + words * WORD > range.len() {
            let text = format!("a far pointer to byte {offset} of segment {segment}, which has {} bytes", range.len());
            return Err(Fault::at(Code::BadPointer, at, text));
        }
        Ok((segment, range.start + offset))
    }

    /// Checks that a body of `size` bytes, whose pointer is at `at`, lies in its segment. Gives its first byte. Nothing can
    /// be read from an empty body, so that it may be anywhere.
    ///
    /// # Errors
    /// `bad-pointer`, or `bad-count` for a list that begins within its segment and ends beyond it.
    pub fn body(&self, target: &Target, at: usize, size: u64) -> Result<usize, Fault> {
        let segment = &self.segments[target.segment];
        if size == 0 {
            return Ok(segment.start);
        }
        let start = usize::try_from(target.at).ok().filter(|start| (segment.start..=segment.end).contains(start));
        let Some(start) = start else {
            let text = format!("{} to byte {}, outside of its segment", target.kind.describe(), target.at);
            return Err(Fault::at(Code::BadPointer, at, text));
        };
        let left = segment.end - start;
        if size > left as u64 {
            let code = if let Kind::List { .. } = target.kind { Code::BadCount } else { Code::BadPointer };
            let text = format!("{} to {size} bytes at byte {start}, where {left} are left", target.kind.describe());
            return Err(Fault::at(code, at, text));
        }
        Ok(start)
    }

    /// The sizes in the tag at `start` of a list of records, of which `words` words after the tag are known to be there.
    ///
    /// # Errors
    /// `bad-value` for a tag of another shape, `bad-count` for more elements than the words hold.
    pub fn elements(&self, start: usize, words: u32) -> Result<Elements, Fault> {
        let tag = self.word(start);
        if tag & 3 != STRUCT {
            return Err(Fault::at(Code::BadValue, start, "the tag of a list of structs is no struct pointer"));
        }
        // As in the reference the topmost of the offset's 30 bits does not count.
        let count = (tag as u32 >> 2) & ((1 << 29) - 1);
        let (data, pointers) = ((tag >> 32) as u16, (tag >> 48) as u16);
        let wanted = u64::from(count) * (u64::from(data) + u64::from(pointers));
        if wanted > u64::from(words) {
            let text = format!("{count} structs would take {wanted} words, but the list has {words}");
            return Err(Fault::at(Code::BadCount, start, text));
        }
        Ok(Elements { start: start + WORD, count: count as usize, data: data.into(), pointers: pointers.into() })
    }
}

/// The records of a list, side by side.
#[derive(Clone, Copy, Debug)]
pub struct Elements {
    /// Offset of the first.
    start: usize,
    pub count: usize,
    /// Sections of each, in words.
    pub data: usize,
    pub pointers: usize,
}

impl Elements {
    /// Words from one to the next.
    pub fn stride(&self) -> usize {
        self.data + self.pointers
    }

    /// Offset of one.
    pub fn body(&self, index: usize) -> usize {
        self.start + index * self.stride() * WORD
    }
}

/// The facts that a struct, list or capability pointer states; its offset counts from `base`.
fn near(word: u64, at: usize, segment: usize, base: i64) -> Result<Target, Fault> {
    let kind = match word & 3 {
        STRUCT => Kind::Record { data: (word >> 32) as u16, pointers: (word >> 48) as u16 },
        LIST => Kind::List { size: (word >> 32 & 7) as u8, count: (word >> 35) as u32 },
        _ if word as u32 == 3 => Kind::Capability((word >> 32) as u32),
        _ => return Err(Fault::at(Code::BadValue, at, "a pointer of a kind that is not defined")),
    };
    let offset = i64::from(word as u32 as i32 >> 2);
    Ok(Target { kind, segment, at: base + offset * WORD as i64, pad: None })
}
