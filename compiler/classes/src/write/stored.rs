//! The bytes that operations store into on all ways: a quick writer makes others zero, and leaves these as they are.

use aldis_plan::Repr;
use aldis_routine::{expand_routine, visit, Amount, Arg, Module, Op, Place, Sym, What, Write, WRITTEN};
use std::ops::Range;

/// The most bytes that are looked at one by one.
const MOST: usize = 4096;

/// Numbers that are zero, where nothing is stored: `(place, repr)` for each. Nothing where they are too many, so that all of the bytes
/// are better made zero at once.
pub(super) fn zeros(module: &Module, after: &[Op], at: Sym, size: i128) -> Option<Vec<(u32, Repr)>> {
    /// Stores that cost less than a call which makes bytes zero.
    const FEW: usize = 4;
    let size = usize::try_from(size).ok().filter(|size| *size <= MOST)?;
    let mut stored = vec![false; size];
    Look { module, at }.block(after, &mut stored);
    let zeros: Vec<_> = gaps(&stored).into_iter().map(widened).flat_map(numbers).collect();
    (zeros.len() <= FEW).then_some(zeros)
}

/// How far operations store behind a place on any way, where two or more do.
pub(super) fn reach(ops: &[Op], at: Sym) -> Option<u32> {
    let mut ends = Vec::new();
    store_ends(ops, at, &mut ends)?;
    ends.iter().max().copied().filter(|_| ends.len() > 1)
}

/// Where the stores of operations end that count from a place; nothing where that is not known of one.
fn store_ends(ops: &[Op], at: Sym, ends: &mut Vec<u32>) -> Option<()> {
    for op in ops {
        if let What::Write(write) = &op.what {
            let (place, width) = match write {
                Write::StoreScalar { place, scalar, .. } => (*place, scalar.repr.width()),
                Write::Erase { place, width, .. } => (*place, *width),
                Write::StoreBits { at: bits, .. } if *bits == at => return None,
                write => match stored_by(write) {
                    Some(stored) => stored,
                    None => continue,
                },
            };
            if place.base == at {
                ends.push(place.plus + width);
            }
        }
        for inner in visit::blocks(&op.what) {
            store_ends(&inner.ops, at, ends)?;
        }
    }
    Some(())
}

/// The place and the number of the bytes that an operation stores into, all of them on all ways.
fn stored_by(write: &Write) -> Option<(Place, u32)> {
    Some(match write {
        Write::Store { place, repr, .. } => (*place, repr.width()),
        Write::Link { place, .. } => (*place, 4),
        Write::Point { at, .. } => (*at, 8),
        // A text is put with zeros behind it.
        Write::StoreChars { place, width, .. } => (*place, *width),
        // Bits leave others alone, and decimals two of their bytes.
        Write::StoreScalar { place, scalar, .. } if !matches!(scalar.repr, Repr::Bit(_) | Repr::Decimal) => {
            (*place, scalar.repr.width())
        }
        _ => return None,
    })
}

/// Whether a loop of so many turns, each about so many bytes, stores into all bytes from a place on.
pub(super) fn by_turns(module: &Module, after: &[Op], at: Sym, size: &Amount) -> bool {
    let Amount { times, each: Arg::Const(each) } = size else { return false };
    let look = Look { module, at };
    after.iter().any(|op| match &op.what {
        What::Loop { count, body, .. } if count == times => {
            look.elements(body.takes[0], &body.ops).into_iter().any(|(place, element)| {
                place == Place { base: at, plus: 0 } && element.len() as u64 == *each && element.iter().all(|is| *is)
            })
        }
        _ => false,
    })
}

/// Stretches of bytes that nothing is stored into.
fn gaps(stored: &[bool]) -> Vec<Range<usize>> {
    let mut gaps: Vec<Range<usize>> = Vec::new();
    for at in (0..stored.len()).filter(|at| !stored[*at]) {
        match gaps.last_mut() {
            Some(gap) if gap.end == at => gap.end += 1,
            _ => gaps.push(at..at + 1),
        }
    }
    gaps
}

/// A few bytes as those of one number, which may begin before them: what is there is stored later.
fn widened(gap: Range<usize>) -> Range<usize> {
    let width = gap.len().next_power_of_two();
    match width <= gap.end.min(8) {
        true => gap.end - width..gap.end,
        false => gap,
    }
}

/// A stretch of bytes as numbers, the widest first.
pub(super) fn numbers(gap: Range<usize>) -> Vec<(u32, Repr)> {
    let mut numbers = Vec::new();
    let mut from = gap.start;
    for repr in [Repr::U64, Repr::U32, Repr::U16, Repr::U8] {
        let width = repr.width() as usize;
        while gap.end - from >= width {
            numbers.push((from as u32, repr));
            from += width;
        }
    }
    numbers
}

/// A search for stores at places that count from one.
struct Look<'m> {
    module: &'m Module,
    at: Sym,
}

impl Look<'_> {
    fn block(&self, ops: &[Op], stored: &mut [bool]) {
        for op in ops {
            match &op.what {
                What::Within { body, .. } | What::Level { body, .. } => self.block(&body.ops, stored),
                What::Loop { count: Arg::Const(count), body, .. } => {
                    for (place, element) in self.elements(body.takes[0], &body.ops) {
                        for index in 0..*count as usize * element.len() {
                            self.mark(place, index, usize::from(element[index % element.len()]), stored);
                        }
                    }
                }
                What::Call { routine, args } => {
                    let called = &self.module[*routine];
                    let given = args.iter().position(|arg| *arg == Arg::Sym(self.at));
                    if let Some(at) = given.and_then(|index| called.params.get(index)) {
                        let called = expand_routine(self.module, called.clone(), &WRITTEN);
                        Look { at: *at, ..*self }.block(&called.body.ops, stored);
                    }
                }
                What::Write(write) => self.write(write, stored),
                _ => {}
            }
        }
    }

    /// The rows that the turns of a loop are about: where they begin, and the bytes of an element that are stored into.
    fn elements(&self, turn: Sym, ops: &[Op]) -> Vec<(Place, Vec<bool>)> {
        let mut found = Vec::new();
        for op in ops {
            match &op.what {
                What::Within { body, .. } => found.extend(self.elements(turn, &body.ops)),
                What::Element { place, index, stride, .. } if *index == turn => {
                    let mut element = vec![false; *stride as usize];
                    Look { at: op.binds[0], ..*self }.block(ops, &mut element);
                    found.push((*place, element));
                }
                _ => {}
            }
        }
        found
    }

    fn write(&self, write: &Write, stored: &mut [bool]) {
        if let Some((place, width)) = stored_by(write) {
            self.mark(place, 0, width as usize, stored);
        }
    }

    /// So many bytes are stored from a place on, which may lie further behind.
    fn mark(&self, place: Place, behind: usize, width: usize, stored: &mut [bool]) {
        if place.base == self.at {
            let from = place.plus as usize + behind;
            stored.iter_mut().skip(from).take(width).for_each(|byte| *byte = true);
        }
    }
}
