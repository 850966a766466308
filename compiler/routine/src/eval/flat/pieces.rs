//! Records of one run, which has links to texts: one instruction in the place of a call. Nothing of such a record is on the stack.

use super::cells::{Linked, Run};
use super::pool::place_of;
use super::run::Machine;
use super::{Ins, Program, Reg, CONSTANT};
use crate::eval::target::Text;
use crate::eval::Target;
use crate::operand::TableId;
use aldis_schema::TypeId;

/// The texts that a record may have.
const TEXTS: usize = 8;

/// A routine that reads such a record, which is as long as the schema has it. Registers are constants.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Piece {
    table: TableId,
    acting: Reg,
    /// Numbers that must be there: so many bytes on, of a width.
    checks: Vec<(u32, u8, Reg)>,
    /// The places of links, in the program's list of them.
    texts: Vec<u16>,
    record: TypeId,
    /// The places of fields: those of the run, and then the texts.
    order: Vec<u16>,
}

impl Program {
    /// Puts an instruction in the place of each call that reads such a record.
    pub(super) fn with_pieces(mut self) -> Self {
        let found: Vec<Option<Piece>> = self.starts.iter().map(|(start, _)| self.piece(*start as usize)).collect();
        for at in 0..self.code.len() {
            let Ins::Call { to, routine, args, .. } = self.code[at] else { continue };
            let Some(piece) = &found[usize::from(routine)] else { continue };
            if let Some(of) = place_of(&mut self.pieces, piece) {
                self.code[at] = Ins::Piece { to, at: self.lists[args as usize], of };
            }
        }
        self
    }

    /// The record that the instructions from an index on read, if they are such ones.
    fn piece(&self, start: usize) -> Option<Piece> {
        let is_constant = |reg: Reg| reg & CONSTANT != 0;
        let constant = |reg: Reg| is_constant(reg).then(|| self.constants[usize::from(reg ^ CONSTANT)]);
        let (&[whole, fields], rest) = self.code.get(start..)?.split_first_chunk()?;
        let Ins::Whole { to: size, table, at: 0, acting, want } = whole else { return None };
        let Ins::Fields { table: of, at: 0, extent, version } = fields else { return None };
        let run = &self.runs[table.0 as usize];
        let is_whole = constant(want)? == run.size && constant(version)? >= run.newest;
        if of != table || extent != size || !is_whole || !is_constant(acting) {
            return None;
        }
        let mut found =
            Piece { table, acting, checks: Vec::new(), texts: Vec::new(), record: TypeId(0), order: Vec::new() };
        for (index, ins) in rest.iter().enumerate() {
            match *ins {
                Ins::Check { base: 0, plus, want, width, .. } if is_constant(want) && found.texts.is_empty() => {
                    found.checks.push((plus, width, want));
                }
                Ins::Linked { of } if self.is_within(of) && found.texts.len() < TEXTS => found.texts.push(of),
                Ins::Add { to, base: 0, plus: 0, size: own } if own == size => {
                    return self.ended(found, rest.get(index + 1..)?, to);
                }
                _ => return None,
            }
        }
        None
    }

    /// Whether a link lies in the record, and counts from its first byte.
    fn is_within(&self, of: u16) -> bool {
        let Linked { at: (place, plus, width), base, head, .. } = self.linked[usize::from(of)];
        place == 0
            && base == 0
            && plus.checked_add(width.into()).is_some()
            && self.runs[head.0 as usize].registers.len() == 1
    }

    /// The record, whose place behind it is in a register, if it is made of all that was read, and given.
    fn ended(&self, mut found: Piece, rest: &[Ins], end: Reg) -> Option<Piece> {
        let [Ins::Make { record, count, order }, Ins::Return { from }, ..] = *rest else { return None };
        let all = self.module[found.table].plain().count() + found.texts.len();
        found.record = record;
        found.order = match order {
            0 => (0..count).collect(),
            order => self.lists.get(order as usize - 1..)?.get(..usize::from(count))?.to_vec(),
        };
        (from == end && usize::from(count) == all && !found.texts.is_empty()).then_some(found)
    }
}

impl<'r, T: Target> Machine<'r, T> {
    /// Reads a record at a place, and sets the place behind it.
    #[inline(always)]
    pub(super) fn piece(&mut self, to: Reg, at: u64, of: u16) -> Option<()> {
        let flat = self.flat;
        let piece = &flat.pieces[usize::from(of)];
        let run = &flat.runs[piece.table.0 as usize];
        let size = self.sized((run, piece.table), at, self.get(piece.acting))?;
        (size == run.size).then_some(())?;
        for (plus, width, want) in &piece.checks {
            (self.load(at + u64::from(*plus), *width) == self.get(*want)).then_some(())?;
        }
        let mut texts = [const { Text::Bytes(&[], None) }; TEXTS];
        let texts = texts.get_mut(..piece.texts.len())?;
        for (text, of) in texts.iter_mut().zip(&piece.texts) {
            *text = self.text(&flat.linked[usize::from(*of)], (at, at))?;
        }
        self.made(piece, at, texts);
        self.set(to, at + size);
        Some(())
    }

    fn made(&mut self, piece: &Piece, at: u64, texts: &[Text<'_>]) {
        let bytes = &self.evaluator.bytes[at as usize..];
        let of = (piece.table, piece.record);
        if let Some(made) = self.evaluator.target.run_with(of, bytes, texts, &piece.order) {
            self.values.push(made);
            return;
        }
        self.fields(piece.table, at, (u64::MAX, u64::MAX));
        for text in texts {
            let made = match text {
                Text::Bytes(bytes, text) => self.evaluator.target.bytes(bytes, *text),
                Text::Literal(value) => self.evaluator.target.literal(value),
            };
            self.values.push(made);
        }
        let made = self.evaluator.target.record_of_last(piece.record, self.values, (piece.order.len(), &piece.order));
        self.values.push(made);
    }

    /// The text that a link leads to, which lies behind one place and counts from another.
    #[inline(always)]
    pub(super) fn text(&mut self, linked: &'r Linked, (place, base): (u64, u64)) -> Option<Text<'r>> {
        let Linked { at: (_, plus, width), literal, head, text, .. } = linked;
        let flat = self.flat;
        let link = self.load(place + u64::from(*plus), *width);
        if link == 0 {
            return Some(Text::Literal(&flat.module[*literal].value));
        }
        let run: &Run = &flat.runs[head.0 as usize];
        let at = Some(base + link).filter(|at| *at <= self.evaluator.end)?;
        self.needed(at, run.size)?;
        let (plus, width, _) = run.registers.first()?;
        let count = self.load(at + u64::from(*plus), *width);
        let first = at + run.size;
        self.needed(first, count)?;
        self.pay(run.size)?;
        self.pay(count)?;
        Some(Text::Bytes(self.evaluator.slice(first, count), *text))
    }
}
