//! From operations of segments to instructions.

use super::assemble::Assembler;
use super::pool::place_of;
use super::{Ins, Reg};
use crate::operand::Sym;
use crate::segments::Segments;
use aldis_plan::{Repr, Scalar};

impl Assembler<'_> {
    /// The instruction of an operation that binds numbers; none where it makes a value.
    pub(super) fn segment(&mut self, what: &Segments, binds: &[Sym]) -> Option<Option<Ins>> {
        let ins = match what {
            Segments::Open => Ins::Open { to: self.to(binds[0])? },
            Segments::Aim { at, segment, .. } => {
                let (at, segment) = (self.at(*at)?, self.at(*segment)?);
                Ins::Aim { to: self.to(binds[0])?, at, segment }
            }
            Segments::IsNull { aim } => {
                let aim = self.at(*aim)?;
                Ins::IsNull { to: self.to(binds[0])?, aim }
            }
            Segments::IsList { aim, .. } => Ins::IsList { aim: self.at(*aim)? },
            Segments::Sections { aim, depth, .. } => {
                self.is_here(depth.as_ref())?;
                let aim = self.at(*aim)?;
                Ins::Sections { to: self.row(&binds[..5])?, aim }
            }
            Segments::List { aim, .. } => {
                let aim = self.at(*aim)?;
                Ins::List { to: self.row(&binds[..7])?, aim }
            }
            Segments::Seat { of, index } => {
                let (first, stride, data) = (self.at(of.at)?, self.at(of.stride)?, self.at(of.data)?);
                let index = self.at(*index)?;
                Ins::Seat { to: self.row(&binds[..2])?, first, stride, data, index }
            }
            Segments::Eighths { count } => {
                let count = self.at(*count)?;
                Ins::Eighths { to: self.to(binds[0])?, count }
            }
            Segments::Short { bits } => {
                let bits = self.at(*bits)?;
                Ins::Short { to: self.to(binds[0])?, bits }
            }
            _ => return Some(None),
        };
        Some(Some(ins))
    }

    /// The instruction of an operation that makes a value.
    pub(super) fn segment_value(&mut self, what: &Segments) -> Option<Ins> {
        Some(match what {
            Segments::Octets { aim, text, .. } => Ins::Octets { aim: self.at(*aim)?, text: *text },
            Segments::Bits { at, count, scalar, of } => {
                let (at, count) = (self.at(*at)?, self.at(*count)?);
                let scalar = Scalar { repr: Repr::Bool, ..scalar.clone() };
                Ins::Bits { at, count, scalar: place_of(&mut self.scalars, &scalar)?, list: *of }
            }
            Segments::Strided { of, scalar, list } => {
                let (at, count, stride) = (self.at(of.at)?, self.at(of.count)?, self.at(of.stride)?);
                Ins::Strided { at, count, stride, scalar: place_of(&mut self.scalars, scalar)?, list: *list }
            }
            Segments::Keep { at, segment, depth, .. } => {
                self.is_here(depth.as_ref())?;
                Ins::Keep { at: self.at(*at)?, segment: self.at(*segment)? }
            }
            _ => return None,
        })
    }

    /// Registers in a row.
    fn row(&mut self, syms: &[Sym]) -> Option<Reg> {
        let first = self.registers;
        syms.iter().try_for_each(|sym| self.to(*sym).map(|_| ()))?;
        Some(first)
    }

    /// Nothing where a depth is not the machine's.
    fn is_here(&self, depth: Option<&Sym>) -> Option<()> {
        depth.is_none_or(|depth| self.is_level(*depth)).then_some(())
    }
}
