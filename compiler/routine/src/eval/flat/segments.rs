//! Segments in programs: what [`crate::eval`] does with them, without lists of what is bound.

use super::run::Machine;
use super::{Ins, Reg};
use crate::eval::arena::{bits, Aim, Arena, Kind, WORD};
use crate::eval::keep::Keeper;
use crate::eval::Target;
use crate::operand::ListId;
use aldis_plan::{Container, Limits};
use aldis_schema::Encoding;

impl<'r, T: Target> Machine<'r, T> {
    /// Instructions that set registers.
    pub(super) fn pointed(&mut self, ins: &Ins) -> Option<()> {
        match *ins {
            Ins::Open { to } => {
                let start = self.open()?;
                self.set(to, start);
            }
            Ins::Aim { to, at, segment } => {
                let aim = self.evaluator.arena.aim(self.get(at), self.get(segment) as usize).ok()?;
                self.pay(aim.pads * WORD)?;
                *self.aim_of(to) = aim;
            }
            Ins::IsNull { to, aim } => {
                let is_null = self.aim_of(aim).kind == Kind::Null;
                self.set(to, is_null.into());
            }
            Ins::IsList { aim } => return matches!(self.aim_of(aim).kind, Kind::List { .. }).then_some(()),
            Ins::Sections { to, aim } => self.sections(to, aim)?,
            Ins::List { to, aim } => self.list(to, aim)?,
            Ins::Seat { to, first, stride, data, index } => {
                let seat = self.get(first) + self.get(index) * self.get(stride) / 8;
                let behind = seat + self.get(data);
                self.set(to, seat);
                self.set(to + 1, behind);
            }
            Ins::Eighths { to, count } => self.set(to, self.get(count).div_ceil(8)),
            Ins::Short { to, bits } => {
                let short = match self.get(bits) {
                    0 => 0,
                    bits => Limits::EMPTY_ELEMENT.saturating_sub(bits / 8),
                };
                self.set(to, short);
            }
            _ => return None,
        }
        Some(())
    }

    fn open(&mut self) -> Option<u64> {
        if let Container::Segments(form) = self.flat.module.container {
            self.evaluator.arena = Arena::of(self.evaluator.bytes, form).ok()?;
        }
        let segments = &self.evaluator.arena.segments;
        self.evaluator.end = segments.last().map_or(0, |(_, to)| *to);
        segments.first().map(|(from, _)| *from)
    }

    fn sections(&mut self, to: Reg, aim: Reg) -> Option<()> {
        let aim = *self.aim_of(aim);
        let Kind::Record { data, pointers } = aim.kind else { return None };
        if self.depth == 0 {
            return None;
        }
        let size = (data + pointers) * WORD;
        let start = self.evaluator.arena.body(&aim, 0, size).ok()?;
        self.pay(size)?;
        let bound = [aim.segment as u64, start, data * WORD, start + data * WORD, pointers * WORD];
        (to..).zip(bound).for_each(|(to, number)| self.set(to, number));
        Some(())
    }

    fn list(&mut self, to: Reg, aim: Reg) -> Option<()> {
        let aim = *self.aim_of(aim);
        let Kind::List { code, count } = aim.kind else { return None };
        let tagged = code == 7;
        let size = if tagged { (count + 1) * WORD } else { (bits(code) * count).div_ceil(64) * WORD };
        let start = self.evaluator.arena.body(&aim, 0, size).ok()?;
        self.pay(size)?;
        let elements = self.evaluator.arena.elements(&aim, start, (code, count)).ok()?;
        self.pay(elements.empty)?;
        self.extra(elements.links)?;
        (to..).zip(elements.numbers).for_each(|(to, number)| self.set(to, number));
        Some(())
    }

    pub(super) fn octets(&mut self, aim: Reg, text: bool) -> Option<T::Value> {
        let aim = *self.aim_of(aim);
        let Kind::List { code: 2, count } = aim.kind else { return None };
        let size = count.next_multiple_of(WORD);
        let start = self.evaluator.arena.body(&aim, 0, size).ok()?;
        self.pay(size)?;
        let bytes = match (text, self.evaluator.slice(start, count)) {
            (false, bytes) | (true, [bytes @ .., 0]) => bytes,
            _ => return None,
        };
        Some(self.evaluator.target.bytes(bytes, text.then_some(Encoding::Utf8)))
    }

    pub(super) fn bits(&mut self, at: u64, count: u64, scalar: u16, list: ListId) -> T::Value {
        let (flat, bytes) = (self.flat, self.evaluator.bytes);
        let scalar = &flat.scalars[usize::from(scalar)];
        let bit = |index: u64| u64::from(bytes[(at + index / 8) as usize]) >> (index % 8) & 1;
        let elements = (0..count).map(|index| self.evaluator.target.scalar(scalar, bit(index))).collect();
        self.evaluator.target.list(&flat.module[list], elements)
    }

    pub(super) fn strided(&mut self, at: u64, (count, stride): (u64, u64), scalar: u16, list: ListId) -> T::Value {
        let flat = self.flat;
        let scalar = &flat.scalars[usize::from(scalar)];
        let elements = (0..count).map(|index| self.evaluator.scalar(at + index * stride / 8, scalar)).collect();
        self.evaluator.target.list(&flat.module[list], elements)
    }

    pub(super) fn keep(&mut self, at: u64, segment: u64) -> Option<T::Value> {
        let mut keeper = Keeper {
            arena: &self.evaluator.arena,
            out: vec![0; WORD as usize],
            budget: self.budget,
            depth: self.depth.into(),
            canonical: false,
        };
        keeper.pointer(at, segment as usize, 0).ok()?;
        self.budget = keeper.budget;
        let kept = keeper.out;
        Some(self.evaluator.target.opaque(&kept))
    }

    /// The aim that a register stands for.
    fn aim_of(&mut self, register: Reg) -> &mut Aim {
        let place = self.base + usize::from(register);
        if self.aims.len() <= place {
            let none = Aim { kind: Kind::Null, segment: 0, at: 0, pads: 0 };
            self.aims.resize(place + 1, none);
        }
        &mut self.aims[place]
    }
}
