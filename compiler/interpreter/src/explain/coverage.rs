//! A map of the bytes of a message that have a meaning, in a few bits for each byte.

use super::EntryKind;
use std::ops::Range;

/// The note that a survey makes on each byte.
#[derive(Debug, Default)]
pub(super) struct Coverage {
    /// A value, a register or a pointer has it.
    covered: Bits,
    /// It lies in a run: what nothing covers there is padding.
    within: Bits,
    /// Something without bytes stands before it, so a gap ends there.
    split: Bits,
}

impl Coverage {
    pub fn new(length: usize) -> Self {
        Self { covered: Bits::new(length), within: Bits::new(length), split: Bits::new(length) }
    }

    /// An entry without parts is there.
    pub fn leaf(&mut self, range: &Range<usize>) {
        match range.is_empty() {
            true => self.split.set(&(range.start..range.start + 1)),
            false => {
                self.covered.set(range);
                self.split.set(&(range.start..range.start + 1));
            }
        }
    }

    pub fn run(&mut self, range: &Range<usize>) {
        self.within.set(range);
    }

    /// The ranges of the first `size` bytes that nothing covers, in their order.
    pub fn gaps(&self, size: usize) -> impl Iterator<Item = Range<usize>> + '_ {
        let mut at = 0;
        std::iter::from_fn(move || {
            let start = self.covered.next(at, size, false)?;
            let covered = self.covered.next(start, size, true).unwrap_or(size);
            at = self.split.next(start + 1, covered, true).unwrap_or(covered);
            Some(start..at)
        })
    }

    /// The kind of a gap. One in a message that was read to its end holds nothing, and so does one within a run.
    pub fn kind(&self, gap: &Range<usize>, broken: bool) -> EntryKind {
        match broken && self.within.next(gap.start, gap.end, false).is_some() {
            true => EntryKind::Unread,
            false => EntryKind::Padding,
        }
    }
}

/// A set of small numbers.
#[derive(Debug, Default)]
struct Bits(Vec<u64>);

impl Bits {
    fn new(length: usize) -> Self {
        Self(vec![0; length.div_ceil(64)])
    }

    /// Adds a range; what is beyond the last number is left out.
    fn set(&mut self, range: &Range<usize>) {
        let end = range.end.min(64 * self.0.len());
        let mut at = range.start;
        while at < end {
            let next = (at / 64 + 1) * 64;
            self.0[at / 64] |= (u64::MAX << (at % 64)) & (u64::MAX >> (next - next.min(end)));
            at = next;
        }
    }

    /// The first number from `from` on and below `end` that is in the set, or is not.
    fn next(&self, from: usize, end: usize, wanted: bool) -> Option<usize> {
        let mut at = from;
        while at < end {
            let word = self.0.get(at / 64).copied().unwrap_or(0);
            let word = if wanted { word } else { !word } & (u64::MAX << (at % 64));
            if word != 0 {
                return Some(at / 64 * 64 + word.trailing_zeros() as usize).filter(|found| *found < end);
            }
            at = (at / 64 + 1) * 64;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{Bits, Coverage};

    #[test]
    fn ranges_are_found_again() {
        for (start, end) in [(0, 1), (0, 64), (3, 200), (63, 65), (64, 128), (130, 131), (190, 500)] {
            let mut bits = Bits::new(200);
            bits.set(&(start..end));
            for at in 0..200 {
                let wanted = (start..end).contains(&at);
                assert_eq!(bits.next(at, at + 1, true).is_some(), wanted, "{at} of {start}..{end}");
                assert_eq!(bits.next(at, at + 1, false).is_some(), !wanted, "{at} of {start}..{end}");
            }
            assert_eq!(bits.next(0, 200, true), Some(start));
        }
    }

    #[test]
    fn gaps_end_where_something_stands() {
        let mut coverage = Coverage::new(100);
        for leaf in [2..4, 70..80, 75..90, 95..95, 200..300] {
            coverage.leaf(&leaf);
        }
        let gaps: Vec<_> = coverage.gaps(100).collect();
        assert_eq!(gaps, [0..2, 4..70, 90..95, 95..100]);
        assert!(coverage.gaps(3).eq([0..2, 2..2].into_iter().take(1)));
    }
}
