//! Instructions that often stand side by side, as one: what is dispatched is the most of a program's work.

use super::assemble::Assembler;
use super::cells::{Linked, Run};
use super::run::Machine;
use super::{Ins, Reg, CONSTANT};
use crate::eval::Target;

impl Assembler<'_> {
    /// The next instruction, which others jump to.
    pub(super) fn here(&mut self) -> u32 {
        self.joined = self.code.len();
        self.joined as u32
    }

    /// Adds an instruction, or makes the last one that and this one, if none jumps between them.
    pub(super) fn put(&mut self, ins: Ins) {
        let last = self.code.last().filter(|_| self.joined < self.code.len());
        let fused = match (last, ins) {
            (Some(Ins::Load { to, base, plus, width }), Ins::Expect { have, want }) if *to == have => {
                Some(Ins::Check { to: *to, base: *base, plus: *plus, want, width: *width })
            }
            (Some(Ins::Extent { to, table, at, acting }), Ins::Expect { have, want }) if *to == have => {
                Some(Ins::Whole { to: *to, table: *table, at: *at, acting: *acting, want })
            }
            (Some(Ins::Load { to, base, plus, width }), Ins::Follow { to: target, base: from, offset })
                if *to == offset && target == to + 1 =>
            {
                Some(Ins::Goto { to: *to, base: *base, plus: *plus, width: *width, from })
            }
            // A number is where it goes at once: the only one that a block gives, it is asked for nowhere else.
            (Some(Ins::Add { to, base, plus, size }), Ins::Move { to: other, from }) if *to == from => {
                Some(Ins::Add { to: other, base: *base, plus: *plus, size: *size })
            }
            _ => None,
        };
        match (fused, self.code.last_mut()) {
            (Some(fused), Some(last)) => *last = fused,
            _ => self.code.push(ins),
        }
    }

    /// Makes a statement of two blocks one instruction, where it reads what a link leads to. It begins at `begin` with its question, before
    /// which the link was loaded.
    pub(super) fn linked(&mut self, begin: usize) {
        let Some(start) = begin.checked_sub(2) else { return };
        let Some(linked) = self.code.get(start..).and_then(|code| linked(code, &self.constants, &self.runs)) else {
            return;
        };
        let Ok(of) = u16::try_from(self.linked.len()) else { return };
        self.linked.push(linked);
        self.code.truncate(start);
        // What others jumped to is no more.
        self.joined = start;
        self.code.push(Ins::Linked { of });
    }
}

/// The link that instructions follow, and nothing else.
fn linked(code: &[Ins], constants: &[u64], runs: &[Run]) -> Option<Linked> {
    let [Ins::Load { to, base, plus, width }, Ins::Equal { to: test, a, b }, Ins::Unless { test: asked, .. }, Ins::Literal { value }, Ins::Jump { .. }, Ins::Follow { to: target, base: from, offset }, Ins::Head { to: count, table, at }, Ins::Fit { to: fit, count: counted, least, at: behind }, Ins::Charge { times, each }, Ins::Bytes { at: first, size, text }] =
        *code
    else {
        return None;
    };
    let constant = |reg: Reg| (reg & CONSTANT != 0).then(|| constants[usize::from(reg ^ CONSTANT)]);
    let run = &runs[table.0 as usize];
    let is_count = matches!(run.registers.as_slice(), [(_, _, None)]);
    let is_asked = a == to && constant(b) == Some(0) && asked == test;
    let is_followed = offset == to && at == target;
    let is_text = counted == count && behind == count + 1 && first == behind && size == fit && times == fit;
    let is_one = constant(least) == Some(1) && constant(each) == Some(1);
    let is_all = is_count && is_asked && is_followed && is_text && is_one;
    let at = (base, plus, width);
    is_all.then_some(Linked { at, base: from, literal: value, head: table, text, to: [to, test] })
}

impl<T: Target> Machine<'_, T> {
    /// Loads a link, and follows it.
    #[inline(always)]
    pub(super) fn goto(&mut self, to: Reg, (base, plus, width): (Reg, u32, u8), from: Reg) -> Option<()> {
        let link = self.load(self.get(base) + u64::from(plus), width);
        self.set(to, link);
        self.set(to + 1, self.target(from, link)?);
        Some(())
    }

    /// Makes the value that a link leads to.
    #[inline(always)]
    pub(super) fn link(&mut self, of: u16) -> Option<()> {
        let flat = self.flat;
        let Linked { at: (place, plus, width), base, literal, head, text, to } = &flat.linked[usize::from(of)];
        let link = self.load(self.get(*place) + u64::from(*plus), *width);
        self.set(to[0], link);
        self.set(to[1], u64::from(link == 0));
        if link == 0 {
            let made = self.evaluator.target.literal(&flat.module[*literal].value);
            self.values.push(made);
            return Some(());
        }
        let run = &flat.runs[head.0 as usize];
        let at = Some(self.get(*base) + link).filter(|at| *at <= self.evaluator.end)?;
        self.needed(at, run.size)?;
        let (plus, width, _) = run.registers.first()?;
        let count = self.load(at + u64::from(*plus), *width);
        let first = at + run.size;
        self.needed(first, count)?;
        self.pay(run.size)?;
        self.pay(count)?;
        let bytes = self.evaluator.slice(first, count);
        let made = self.evaluator.target.bytes(bytes, *text);
        self.values.push(made);
        Some(())
    }
}
