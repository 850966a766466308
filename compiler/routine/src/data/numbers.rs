//! Numbers for the symbols of a routine's data.

use crate::module::Routine;
use crate::op::Block;
use crate::operand::Sym;
use crate::visit;

/// By symbol its number. Symbols of blocks beside each other share numbers: blocks that do the same then have the same data, which packs
/// well.
pub struct Numbers {
    numbers: Vec<u32>,
    /// How many numbers there are.
    pub room: u32,
}

impl Numbers {
    pub fn new(routine: &Routine) -> Self {
        let mut numbers = Self { numbers: vec![u32::MAX; routine.symbols.len()], room: 0 };
        let next = numbers.number(routine, &routine.params, 0);
        numbers.block(routine, &routine.body, next);
        numbers
    }

    /// The number of a symbol; none of tokens.
    pub fn of(&self, sym: Sym) -> u32 {
        let number = self.numbers[sym.0 as usize];
        debug_assert_ne!(number, u32::MAX, "a token has no number, and a symbol is bound before it is used");
        number
    }

    /// Numbers symbols from the one on that is next; gives the next.
    fn number(&mut self, routine: &Routine, syms: &[Sym], mut next: u32) -> u32 {
        for sym in syms.iter().filter(|sym| !routine.is_token(**sym)) {
            self.numbers[sym.0 as usize] = next;
            next += 1;
        }
        self.room = self.room.max(next);
        next
    }

    fn block(&mut self, routine: &Routine, block: &Block, next: u32) {
        let mut next = self.number(routine, &block.takes, next);
        for op in &block.ops {
            visit::blocks(&op.what).into_iter().for_each(|inner| self.block(routine, inner, next));
            next = self.number(routine, &op.binds, next);
        }
    }
}
