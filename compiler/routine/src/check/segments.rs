//! Operations on segments: operands, results, and which bytes they show to be there.

use super::{Checker, Verdict};
use crate::op::{Op, Ty};
use crate::operand::{Arg, Sym};
use crate::segments::{Listed, Segments};

impl Checker<'_> {
    pub(super) fn types_of_segments(&self, op: &Op, segments: &Segments) -> Verdict {
        let (size, pos) = (Ty::Size, Ty::Pos);
        match segments {
            Segments::Open => self.binds(op, &[pos]),
            Segments::Aim { at, segment, budget } => {
                self.all(&[((*at).into(), pos), (*segment, size)])?;
                self.paid(op, &[Ty::Aim], *budget)
            }
            Segments::IsNull { aim } => self.is((*aim).into(), Ty::Aim).and_then(|()| self.binds(op, &[Ty::Bool])),
            Segments::Sections { aim, at, depth, budget } => {
                self.syms(&[(*aim, Ty::Aim), (*at, pos)])?;
                self.token(*depth, Ty::Depth)?;
                self.paid(op, &[size, pos, size, pos, size], *budget)
            }
            Segments::Octets { aim, at, budget, .. } => {
                self.syms(&[(*aim, Ty::Aim), (*at, pos)])?;
                self.paid(op, &[Ty::Val], *budget)
            }
            Segments::IsList { aim, at } => {
                self.syms(&[(*aim, Ty::Aim), (*at, pos)])?;
                self.binds(op, &[])
            }
            Segments::List { aim, at, budget } => {
                self.syms(&[(*aim, Ty::Aim), (*at, pos)])?;
                self.paid(op, &[size, pos, size, size, size, size, size], *budget)
            }
            Segments::Seat { of, index } => {
                self.listed(of)?;
                self.is((*index).into(), size)?;
                self.binds(op, &[pos, pos])
            }
            Segments::Eighths { count: number } | Segments::Short { bits: number } => {
                self.is(*number, size).and_then(|()| self.binds(op, &[size]))
            }
            Segments::Bits { at, count, .. } => {
                self.all(&[((*at).into(), pos), (*count, size)])?;
                self.binds(op, &[Ty::Val])
            }
            Segments::Strided { of, .. } => self.listed(of).and_then(|()| self.binds(op, &[Ty::Val])),
            Segments::Keep { at, segment, depth, budget } => {
                self.all(&[((*at).into(), pos), (*segment, size)])?;
                self.token(*depth, Ty::Depth)?;
                self.paid(op, &[Ty::Val], *budget)
            }
        }
    }

    /// That all but views hand on what they spend.
    fn token(&self, token: Option<Sym>, ty: Ty) -> Verdict {
        match token {
            Some(token) => self.is(token.into(), ty),
            None if self.routine.purpose.is_of_views() => Ok(()),
            None => Err(format!("no {ty:?} in a routine that is no view")),
        }
    }

    /// The same of a budget, which comes last of what is bound.
    fn paid(&self, op: &Op, wanted: &[Ty], budget: Option<Sym>) -> Verdict {
        self.token(budget, Ty::Budget)?;
        let wanted: Vec<Ty> = wanted.iter().copied().chain(budget.map(|_| Ty::Budget)).collect();
        self.binds(op, &wanted)
    }

    fn listed(&self, of: &Listed) -> Verdict {
        let size = Ty::Size;
        self.syms(&[(of.at, Ty::Pos), (of.count, size), (of.stride, size), (of.data, size), (of.pointers, size)])
    }

    /// Whether pointers are where they are read, and lists are what was found.
    pub(super) fn pointed(&self, segments: &Segments) -> bool {
        match segments {
            Segments::Aim { at, .. } | Segments::Keep { at, .. } => self.cover.has(*at, 0, 8),
            Segments::Seat { of, index } => {
                self.cover.lists.contains(of) && self.cover.counted(*index, of.count.into())
            }
            Segments::Strided { of, scalar, .. } => {
                self.cover.lists.contains(of) && self.cover.is_least(of.data.into(), scalar.repr.width().into())
            }
            Segments::Bits { at, count, .. } => self.cover.bits.iter().any(|(of, bits)| {
                (of.at, Arg::Sym(of.count)) == (*at, *count) && self.cover.is_least((*bits).into(), 1)
            }),
            _ => true,
        }
    }

    /// The knowledge after an operation that binds `syms`.
    pub(super) fn points(&mut self, segments: &Segments, syms: &[Sym]) {
        let cover = &mut self.cover;
        match (segments, syms) {
            (Segments::Open, [at]) => cover.there.push((*at, 0, Arg::Const(8))),
            (Segments::Sections { .. }, [_, data, data_size, pointers, pointers_size, ..]) => {
                cover.there.push((*data, 0, (*data_size).into()));
                cover.there.push((*pointers, 0, (*pointers_size).into()));
            }
            (Segments::List { .. }, [_, at, count, stride, data, pointers, bits, ..]) => {
                let of = Listed { at: *at, count: *count, stride: *stride, data: *data, pointers: *pointers };
                cover.lists.push(of);
                cover.bits.push((of, *bits));
            }
            (Segments::Seat { of, .. }, [data, pointers]) => {
                cover.there.push((*data, 0, of.data.into()));
                cover.there.push((*pointers, 0, of.pointers.into()));
            }
            _ => {}
        }
    }
}
