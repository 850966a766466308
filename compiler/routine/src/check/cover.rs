//! The bytes that are known to be there.

use super::{Checker, Verdict};
use crate::op::{Have, Op, Ty, What};
use crate::operand::{Arg, Place, Sym};
use crate::segments::Listed;
use aldis_plan::Extent;
use std::collections::HashMap;

/// The bytes that guards have shown to be there by now, and those that they will have where a test holds.
#[derive(Debug, Default)]
pub(super) struct Cover {
    /// Behind a position there are so many bytes.
    pub(super) there: Vec<(Sym, u64, Arg)>,
    /// A number is so much at the least.
    least: Vec<(Arg, u64)>,
    /// Behind a position there are so many elements of so many bytes.
    pub(super) fits: Vec<(Sym, Arg, u64)>,
    /// The knowledge where a test holds.
    tests: HashMap<Sym, (Arg, u64)>,
    /// A position that is another one and a constant.
    same: HashMap<Sym, (Sym, u64)>,
    /// Values that are records.
    pub(super) records: Vec<Sym>,
    /// Lists that were found, which stay what they are wherever their symbols are in scope; and bits in their elements.
    pub(super) lists: Vec<Listed>,
    pub(super) bits: Vec<(Listed, Sym)>,
    /// Words that so many elements of so many bits take.
    pub(super) words: HashMap<Sym, (Arg, u32)>,
    /// Behind a position there are so many bits.
    pub(super) bits_fit: Vec<(Sym, Arg)>,
    /// Indices of loops, each less than a count.
    indices: Vec<(Sym, Arg)>,
}

/// How much was known.
#[derive(Clone, Copy)]
pub(super) struct Mark(usize, usize, usize, usize);

impl Cover {
    pub fn mark(&self) -> Mark {
        Mark(self.there.len(), self.least.len(), self.fits.len(), self.records.len())
    }

    pub fn forget(&mut self, mark: Mark) {
        self.there.truncate(mark.0);
        self.least.truncate(mark.1);
        self.fits.truncate(mark.2);
        self.records.truncate(mark.3);
    }

    /// A test holds from here on.
    pub fn holds(&mut self, test: Sym) {
        self.least.extend(self.tests.get(&test).copied());
    }

    pub fn counts(&mut self, index: Option<Sym>, count: Arg) {
        self.indices.extend(index.map(|index| (index, count)));
    }

    pub(super) fn counted(&self, index: Sym, count: Arg) -> bool {
        self.indices.contains(&(index, count))
    }

    /// Behind a position there are so many elements of so many bits.
    pub(super) fn holds_elements(&mut self, at: Sym, count: Arg, bits: u32) {
        match bits {
            1 => self.bits_fit.push((at, count)),
            bits => self.fits.push((at, count, u64::from(bits / 8))),
        }
    }

    fn place(&self, base: Sym, plus: u64) -> (Sym, u64) {
        self.same.get(&base).map_or((base, plus), |(base, more)| (*base, plus + more))
    }

    /// Whether `width` bytes are there.
    pub(super) fn has(&self, base: Sym, plus: u64, width: u64) -> bool {
        let (base, from) = self.place(base, plus);
        width == 0
            || self
                .there
                .iter()
                .any(|(at, plus, size)| *at == base && from >= *plus && self.is_least(*size, from - plus + width))
    }

    pub(super) fn is_least(&self, number: Arg, least: u64) -> bool {
        match number {
            Arg::Const(number) => number >= least,
            number => self.least.iter().any(|(of, known)| *of == number && *known >= least),
        }
    }

    /// Whether `count` elements of `each` bytes are there.
    pub(super) fn fits(&self, base: Sym, plus: u64, count: Arg, each: u64) -> bool {
        match count {
            Arg::Const(count) => self.has(base, plus, count.saturating_mul(each)),
            _ if each == 0 => true,
            count => self.fits.iter().any(|(at, of, least)| (*at, *of) == (base, count) && *least >= each && plus == 0),
        }
    }

    /// Whether exactly what `size` says is there.
    pub(super) fn is_there(&self, at: Sym, size: Arg) -> bool {
        match size {
            Arg::Const(size) => self.has(at, 0, size),
            size => self.there.contains(&(at, 0, size)) || self.fits(at, 0, size, 1),
        }
    }
}

impl Checker<'_> {
    /// That what an operation reads is there.
    pub(super) fn covered(&self, what: &What) -> Verdict {
        let has = |place: &Place, width: u32| self.cover.has(place.base, place.plus.into(), width.into());
        let covered = match what {
            What::Load { place, repr } => has(place, repr.width()),
            What::Scalar { place, scalar } => has(place, scalar.repr.width()),
            What::Decimal { place } => has(place, 16),
            What::Chars { place, width, .. } => has(place, *width),
            What::Add { at: place, size: Arg::Const(size) } => self.cover.has(place.base, place.plus.into(), *size),
            What::Add { at: Place { base, plus: 0 }, size } => self.cover.is_there(*base, *size),
            What::Add { .. } => false,
            What::Bytes { at, size, .. } => self.cover.is_there(*at, *size),
            What::Element { place, index, stride, count } => {
                self.cover.indices.contains(&(*index, *count))
                    && self.cover.fits(place.base, place.plus.into(), *count, (*stride).into())
            }
            What::Behind { at, count, each } => self.cover.fits(*at, 0, *count, (*each).into()),
            What::Row { at, count, scalar, .. } => {
                self.cover.fits(at.base, at.plus.into(), *count, scalar.repr.width().into())
            }
            What::Scalars { at, count, scalar, .. } => self.cover.fits(*at, 0, *count, scalar.repr.width().into()),
            What::Fields { table, at, have } => match have {
                Have::All => self.cover.has(*at, 0, self.module[*table].size.into()),
                Have::Within { extent, .. } => self.cover.is_there(*at, *extent),
            },
            What::Write(write) => self.reserved(write),
            What::Segments(segments) => self.pointed(segments),
            What::Call { routine, args } => self.call_covered(*routine, args),
            _ => true,
        };
        match covered {
            true => Ok(()),
            false => Err(format!("no guard covers what this reads or writes: {what:?}")),
        }
    }

    /// The positions among a block's results that have as many bytes behind them as another result says.
    pub(super) fn covered_pairs(&self, gives: &[Arg]) -> Vec<(usize, usize)> {
        let sizes = |at: Sym| {
            let sizes = gives.iter().enumerate().filter(move |(_, size)| match size {
                Arg::Sym(size) => matches!(self.ty(*size), Ty::Size) && self.cover.is_there(at, (*size).into()),
                Arg::Const(size) => self.cover.has(at, 0, *size),
            });
            sizes.map(|(index, _)| index)
        };
        let places = gives.iter().enumerate().filter_map(|(index, arg)| match arg {
            Arg::Sym(at) if self.ty(*at) == Ty::Pos => Some((index, *at)),
            _ => None,
        });
        places.flat_map(|(index, at)| sizes(at).map(move |size| (index, size))).collect()
    }

    /// Whether the bytes are there that the called routine is told of.
    fn call_covered(&self, routine: crate::RoutineId, args: &[Arg]) -> bool {
        let called = &self.module[routine];
        let given = |param: &Sym| called.params.iter().position(|known| known == param).map(|index| args[index]);
        let said = |size: &Arg| match size {
            Arg::Sym(size) => given(size),
            Arg::Const(_) => Some(*size),
        };
        called.covered.iter().all(|(at, size)| match (given(at), said(size)) {
            (Some(Arg::Sym(at)), Some(size)) => self.cover.is_there(at, size),
            _ => false,
        })
    }

    /// The knowledge after an operation.
    pub(super) fn learn(&mut self, op: &Op) {
        match &op.what {
            What::Write(write) => return self.reserves(write, &op.binds),
            What::Segments(segments) => return self.points(segments, &op.binds),
            _ => {}
        }
        let cover = &mut self.cover;
        match (&op.what, op.binds.as_slice()) {
            (What::Need { at, size, .. }, [n]) => {
                let (base, plus) = cover.place(*at, 0);
                cover.there.push((base, plus, *size));
                cover.there.push((base, plus, (*n).into()));
                let known: Vec<u64> =
                    cover.least.iter().filter(|(of, _)| of == size).map(|(_, least)| *least).collect();
                cover.least.extend(known.into_iter().map(|least| (Arg::Sym(*n), least)));
            }
            (What::Least { size, least, .. }, [n]) => {
                cover.least.push((*size, (*least).into()));
                cover.least.push(((*n).into(), (*least).into()));
            }
            (What::Fit { count: _, least: Arg::Const(least), at, .. }, [n]) => {
                cover.fits.push((*at, (*n).into(), *least));
            }
            (What::Extent { table, at, .. }, [n, _]) => {
                cover.there.push((*at, 0, (*n).into()));
                let table = &self.module[*table];
                let least = match table.extent {
                    Extent::Stated { head } => head,
                    Extent::Exact => table.size,
                    Extent::Acting | Extent::Sections { .. } => 0,
                };
                cover.least.push(((*n).into(), least.into()));
            }
            (What::Head { table, at, .. }, [.., behind, _]) => {
                let size = u64::from(self.module[*table].size);
                cover.there.push((*at, 0, Arg::Const(size)));
                cover.same.insert(*behind, (*at, size));
            }
            (What::Add { at, size: Arg::Const(size) }, [n]) => {
                let (base, plus) = cover.place(at.base, u64::from(at.plus) + size);
                cover.same.insert(*n, (base, plus));
            }
            (What::Element { stride, .. }, [n]) => cover.there.push((*n, 0, Arg::Const((*stride).into()))),
            (What::Present { reach, extent, .. }, [n]) => {
                cover.tests.insert(*n, (*extent, (*reach).into()));
            }
            (What::Whole { table, extent, .. }, [n]) => {
                cover.tests.insert(*n, (*extent, self.module[*table].size.into()));
            }
            _ => {}
        }
    }
}
