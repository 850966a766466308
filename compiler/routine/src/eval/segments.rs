//! Segments: their table, pointers, and what those lead to.

use super::fault::{Code, Fault};
use super::guard::pay;
use super::load::load;
use super::machine::{Scope, Word};
use super::{keep, Evaluator, Target, Words};
use crate::op::Sym;
use crate::segments::{Listed, Segments};
use aldis_plan::{ByteOrder, Container, Limits, Scalar, Segments as Form};

/// Bytes of a word.
pub(super) const WORD: u64 = 8;

/// What a pointer leads to; it may be outside of its segment.
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

/// Where the words are.
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

fn at<V>(code: Code, place: u64) -> Result<V, Fault> {
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

    /// What the tag at `place` says, behind which so many words are there.
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

/// Bits of an element by its code; of a list of pointers those are pointers.
pub(super) fn bits(code: u64) -> u64 {
    [0, 1, 8, 16, 32, 64, 64, 0][code as usize & 7]
}

impl<'r, T: Target> Evaluator<'r, T> {
    pub(super) fn segments(&mut self, scope: &Scope<T::Value>, what: &Segments) -> Words<T> {
        let numbers = match what {
            Segments::Open => vec![self.open()?],
            Segments::Aim { at, segment, budget } => {
                let place = scope.number(*at);
                let aim = self.arena.aim(place, scope.number(*segment) as usize)?;
                self.aims.push(aim);
                vec![self.aims.len() as u64 - 1, pay(scope.number(*budget), aim.pads * WORD, place)?]
            }
            Segments::IsNull { aim } => vec![u64::from(self.aim(scope, *aim).kind == Kind::Null)],
            Segments::Sections { aim, at, depth, budget } => {
                self.sections(self.aim(scope, *aim), scope.number(*at), (scope.number(*depth), scope.number(*budget)))?
            }
            Segments::IsList { aim, at } => match self.aim(scope, *aim).kind {
                Kind::List { .. } => Vec::new(),
                _ => return Err(Fault::at(Code::BadValue, scope.number(*at))),
            },
            Segments::List { aim, at, budget } => {
                self.list(self.aim(scope, *aim), scope.number(*at), scope.number(*budget))?
            }
            Segments::Seat { of, index } => {
                let data = seat(scope, of, scope.number(*index));
                vec![data, data + scope.number(of.data)]
            }
            Segments::Eighths { count } => vec![scope.number(*count).div_ceil(8)],
            Segments::Short { bits } => vec![match scope.number(*bits) {
                0 => 0,
                bits => Limits::EMPTY_ELEMENT.saturating_sub(bits / 8),
            }],
            _ => return self.segment_value(scope, what),
        };
        Ok(numbers.into_iter().map(Word::Number).collect())
    }

    fn segment_value(&mut self, scope: &Scope<T::Value>, what: &Segments) -> Words<T> {
        match what {
            Segments::Octets { aim, at, text, budget } => {
                let aim = self.aim(scope, *aim);
                let (bytes, budget) = self.octets(aim, scope.number(*at), (*text, scope.number(*budget)))?;
                Ok(vec![Word::Value(self.target.bytes(bytes)), Word::Number(budget)])
            }
            Segments::Bits { at, count, scalar, of } => {
                let (from, count) = (scope.number(*at), scope.number(*count));
                let scalar = Scalar { repr: aldis_plan::Repr::Bool, ..scalar.clone() };
                let bit = |index: u64| u64::from(self.bytes[(from + index / 8) as usize]) >> (index % 8) & 1;
                let elements = (0..count).map(|index| self.target.scalar(&scalar, bit(index))).collect();
                Ok(vec![Word::Value(self.target.list(&self.module[*of], elements))])
            }
            Segments::Strided { of, scalar, list } => {
                let places: Vec<u64> = (0..scope.number(of.count)).map(|index| seat(scope, of, index)).collect();
                let elements = places.into_iter().map(|place| self.scalar(place, scalar)).collect();
                Ok(vec![Word::Value(self.target.list(&self.module[*list], elements))])
            }
            Segments::Keep { at, segment, depth, budget } => {
                let mut keeper = keep::Keeper {
                    arena: &self.arena,
                    out: vec![0; WORD as usize],
                    budget: scope.number(*budget),
                    depth: scope.number(*depth),
                    canonical: false,
                };
                keeper.pointer(scope.number(*at), scope.number(*segment) as usize, 0)?;
                let budget = keeper.budget;
                let kept = keeper.out;
                Ok(vec![Word::Value(self.target.opaque(&kept)), Word::Number(budget)])
            }
            _ => Ok(Vec::new()),
        }
    }

    fn aim(&self, scope: &Scope<T::Value>, aim: Sym) -> Aim {
        self.aims[scope.number(aim) as usize]
    }

    fn open(&mut self) -> Result<u64, Fault> {
        if let Container::Segments(form) = self.module.container {
            self.arena = Arena::of(self.bytes, form)?;
        }
        self.end = self.arena.segments.last().map_or(0, |(_, to)| *to);
        Ok(self.arena.segments[0].0)
    }

    fn sections(&self, aim: Aim, place: u64, (depth, budget): (u64, u64)) -> Result<Vec<u64>, Fault> {
        let Kind::Record { data, pointers } = aim.kind else { return at(Code::BadValue, place) };
        if depth == 0 {
            return at(Code::TooDeep, place);
        }
        let size = (data + pointers) * WORD;
        let start = self.arena.body(&aim, place, size)?;
        let budget = pay(budget, size, place)?;
        Ok(vec![aim.segment as u64, start, data * WORD, start + data * WORD, pointers * WORD, budget])
    }

    fn octets(&self, aim: Aim, place: u64, (text, budget): (bool, u64)) -> Result<(&'r [u8], u64), Fault> {
        let Kind::List { code: 2, count } = aim.kind else { return at(Code::BadValue, place) };
        let size = count.next_multiple_of(WORD);
        let start = self.arena.body(&aim, place, size)?;
        let budget = pay(budget, size, place)?;
        let bytes = self.slice(start, count);
        match (text, bytes) {
            (false, bytes) | (true, [bytes @ .., 0]) => Ok((bytes, budget)),
            _ => at(Code::BadValue, place),
        }
    }

    /// What [`Segments::List`] binds.
    fn list(&self, aim: Aim, place: u64, budget: u64) -> Result<Vec<u64>, Fault> {
        let Kind::List { code, count } = aim.kind else { return at(Code::BadValue, place) };
        let tagged = code == 7;
        let size = if tagged { (count + 1) * WORD } else { (bits(code) * count).div_ceil(64) * WORD };
        let start = self.arena.body(&aim, place, size)?;
        let mut budget = pay(budget, size, place)?;
        let (first, count, data, pointers) = if tagged {
            let tag = self.arena.tag(start, count)?;
            (start + WORD, tag.count, tag.data * 64, tag.pointers)
        } else {
            let pointers = u64::from(code == 6);
            (start, count, bits(code) * (1 - pointers), pointers)
        };
        let stride = data + pointers * 64;
        if stride == 0 {
            budget = pay(budget, count * Limits::EMPTY_ELEMENT, place)?;
        }
        if self.surcharge {
            budget = pay(budget, count * pointers * Limits::LINK, place)?;
        }
        let alone = if tagged { 0 } else { data };
        Ok(vec![aim.segment as u64, first, count, stride, data / 8, pointers * WORD, alone, budget])
    }
}

fn seat<V>(scope: &Scope<V>, of: &Listed, index: u64) -> u64 {
    scope.number(of.at) + index * scope.number(of.stride) / 8
}
