//! Statements of several blocks, of which one runs.

use super::assemble::{values, Assembler, Held};
use super::Ins;
use crate::op::{Block, Ty};
use crate::operand::{Arg, Sym};

impl<'m> Assembler<'m> {
    /// Blocks one after another, each behind the question whether it is meant.
    pub(super) fn switch(&mut self, on: Arg, arms: &'m [(u64, Block)], other: &'m Block, binds: &[Sym]) -> Option<()> {
        let on = self.at(on)?;
        let results: Vec<Held> = binds.iter().map(|sym| self.result(*sym)).collect::<Option<_>>()?;
        let (before, mut ends) = (self.stack.clone(), Vec::new());
        for (number, block) in arms {
            let (test, wanted) = (self.register()?, self.at(Arg::Const(*number))?);
            self.code.push(Ins::Equal { to: test, a: on, b: wanted });
            let begin = self.code.len();
            self.code.push(Ins::Unless { test, to: 0 });
            self.arm(block, &results, &before)?;
            ends.push(self.code.len());
            self.code.push(Ins::Jump { to: 0 });
            self.code[begin] = Ins::Unless { test, to: self.here() };
        }
        self.arm(other, &results, &before)?;
        let end = self.here();
        ends.into_iter().for_each(|jump| self.code[jump] = Ins::Jump { to: end });
        self.result_of(binds, results);
        Some(())
    }

    /// A block of several, which leaves what it gives where the statement has its results.
    fn arm(&mut self, block: &'m Block, results: &[Held], before: &[u32]) -> Option<()> {
        let given = self.body(block)?;
        self.moves(&given, results);
        self.leaves(before, &given)
    }

    fn result_of(&mut self, binds: &[Sym], results: Vec<Held>) {
        for (sym, result) in binds.iter().zip(results) {
            match self.ty(*sym) {
                Ty::Val => self.push(*sym),
                _ => self.set(*sym, result),
            }
        }
    }

    pub(super) fn branch(&mut self, test: Sym, blocks: [&'m Block; 2], binds: &[Sym]) -> Option<()> {
        let test = self.at(test)?;
        let results: Vec<Held> = binds.iter().map(|sym| self.result(*sym)).collect::<Option<_>>()?;
        let before = self.stack.clone();
        let begin = self.code.len();
        self.code.push(Ins::Unless { test, to: 0 });
        self.arm(blocks[0], &results, &before)?;
        let middle = self.code.len();
        self.code.push(Ins::Jump { to: 0 });
        self.code[begin] = Ins::Unless { test, to: self.here() };
        self.arm(blocks[1], &results, &before)?;
        self.code[middle] = Ins::Jump { to: self.here() };
        self.linked(begin);
        self.result_of(binds, results);
        Some(())
    }

    /// The place in which a statement puts the symbol that it binds: values stay on the stack.
    pub(super) fn result(&mut self, sym: Sym) -> Option<Held> {
        match self.ty(sym) {
            Ty::Budget | Ty::Val => Some(Held::Nothing),
            _ => self.register().map(Held::Number),
        }
    }

    pub(super) fn moves(&mut self, given: &[Held], results: &[Held]) {
        let numbers = given.iter().zip(results).filter_map(|pair| match pair {
            (Held::Number(from), Held::Number(to)) => Some(Ins::Move { to: *to, from: *from }),
            _ => None,
        });
        let numbers: Vec<Ins> = numbers.collect();
        match numbers.as_slice() {
            [one] => self.put(*one),
            // One number may be given twice, which then is in its register until both are moved.
            several => self.code.extend_from_slice(several),
        }
    }

    /// Demands that a block left on the stack the values that it gives, no more. They are someone else's from here on.
    pub(super) fn leaves(&mut self, before: &[u32], given: &[Held]) -> Option<()> {
        let all = before.iter().copied().chain(values(given));
        let same = self.stack.iter().copied().eq(all);
        self.stack.truncate(before.len());
        same.then_some(())
    }
}
