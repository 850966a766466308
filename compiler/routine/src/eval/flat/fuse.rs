//! Instructions that often stand side by side, as one: what is dispatched is the most of a program's work.

use super::assemble::Assembler;
use super::cells::{Linked, Run};
use super::run::Machine;
use super::{Ins, Reg, CONSTANT};
use crate::eval::target::Text;
use crate::eval::Target;
use crate::operand::TableId;
use aldis_schema::Encoding;

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

    /// The instruction for bytes: one for them and the last ones, if those read and check how many they are. They are taken away then.
    pub(super) fn counted(&mut self, ins: Ins) -> Ins {
        let Some(start) = self.code.len().checked_sub(3).filter(|start| self.joined <= *start) else { return ins };
        let [Ins::Head { to, table, at }, Ins::Fit { to: fit, count, least, at: behind }, Ins::Charge { times, each }] =
            self.code[start..]
        else {
            return ins;
        };
        let Ins::Bytes { at: first, size, text } = ins else { return ins };
        let is_one = |reg: Reg| reg & CONSTANT != 0 && self.constants[usize::from(reg ^ CONSTANT)] == 1;
        let is_count =
            self.runs[table.0 as usize].registers.iter().filter(|(_, _, wanted)| wanted.is_none()).count() == 1;
        let is_next = count == to && behind == to + 1 && first == behind && [fit, times] == [size; 2];
        // The number that fits has the register behind those of the head.
        if !(is_count && is_next && is_one(least) && is_one(each) && fit == to + 2) {
            return ins;
        }
        self.code.truncate(start);
        Ins::Counted { to, table, at, text }
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
    let [Ins::Load { to, base, plus, width }, Ins::Equal { to: test, a, b }, Ins::Unless { test: asked, .. }, Ins::Literal { value }, Ins::Jump { .. }, Ins::Follow { to: target, base: from, offset }, Ins::Counted { table: head, at, text, .. }] =
        *code
    else {
        return None;
    };
    let constant = |reg: Reg| (reg & CONSTANT != 0).then(|| constants[usize::from(reg ^ CONSTANT)]);
    let is_count = matches!(runs[head.0 as usize].registers.as_slice(), [(_, _, None)]);
    let is_asked = a == to && constant(b) == Some(0) && asked == test;
    let is_followed = offset == to && at == target;
    let at = (base, plus, width);
    let linked = Linked { at, base: from, literal: value, head, text, to: [to, test] };
    (is_count && is_asked && is_followed).then_some(linked)
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

    /// Makes text or bytes, behind a head that has their number.
    pub(super) fn octets_behind(&mut self, to: Reg, (table, at): (TableId, Reg), text: Option<Encoding>) -> Option<()> {
        self.head(to, table, at)?;
        let (count, first) = (self.get(to), self.get(to + 1));
        self.needed(first, count)?;
        self.set(to + 2, count);
        self.pay(count)?;
        let bytes = self.evaluator.slice(first, count);
        let made = self.evaluator.target.bytes(bytes, text);
        self.values.push(made);
        Some(())
    }

    /// Makes the value that a link leads to.
    #[inline(always)]
    pub(super) fn link(&mut self, of: u16) -> Option<()> {
        let flat = self.flat;
        let linked = &flat.linked[usize::from(of)];
        let places = (self.get(linked.at.0), self.get(linked.base));
        let made = match self.text(linked, places)? {
            Text::Bytes(bytes, text) => self.evaluator.target.bytes(bytes, text),
            Text::Literal(value) => self.evaluator.target.literal(value),
        };
        self.values.push(made);
        Some(())
    }
}
