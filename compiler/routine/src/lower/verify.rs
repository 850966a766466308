//! Routines that check: those that read, without their values. Operations that only made values are left out, and so are
//! the operations that only those needed.

use super::size::{same, uses, without_unused};
use crate::expand::{expand_routine, Large};
use crate::module::{Module, Purpose, Routine, Symbol};
use crate::op::{Block, Op, Ty, What};
use crate::operand::{Arg, RoutineId, Sym};
use crate::segments::Segments;
use crate::visit;
use std::collections::{HashMap, HashSet};

/// The operations that make values of others, and charge for them at once.
const OF_VALUES: [Large; 5] = [Large::Counted, Large::Row, Large::Each, Large::Scalars, Large::Strided];

/// Adds a routine that checks for each that reads. Gives those of messages.
pub(super) fn add_checkers(module: &mut Module) -> Vec<RoutineId> {
    let readers = module.routines.iter().enumerate().filter(|(_, routine)| routine.purpose == Purpose::Read);
    let smaller = readers.map(|(index, reader)| (index, expand_routine(module, reader.clone(), &OF_VALUES)));
    let readers: Vec<(usize, Routine)> = smaller.collect();
    let ids = readers.iter().zip(module.routines.len() as u32..);
    let checkers: HashMap<RoutineId, RoutineId> =
        ids.map(|((reader, _), checker)| (RoutineId(*reader as u32), RoutineId(checker))).collect();
    module.routines.extend(readers.into_iter().map(|(_, reader)| of_reader(reader, &checkers)));
    module.messages.iter().map(|reader| checkers[reader]).collect()
}

fn of_reader(reader: Routine, checkers: &HashMap<RoutineId, RoutineId>) -> Routine {
    let mut checker = Routine { purpose: Purpose::Check, ..reader };
    checker.results.retain(|ty| !is_value(*ty));
    let mut checking = Checking { symbols: &checker.symbols, checkers, now: HashMap::new() };
    loop {
        checking.block(&mut checker.body);
        let mut used = HashSet::new();
        uses(&checker.body, &mut used);
        let is_unused =
            |op: &Op, used: &HashSet<Sym>| op.what.is_pure() && !op.binds.iter().any(|sym| used.contains(sym));
        if !without_unused(&mut checker.body, &used, &is_unused) {
            return checker;
        }
    }
}

fn is_value(ty: Ty) -> bool {
    matches!(ty, Ty::Val | Ty::List)
}

struct Checking<'a> {
    symbols: &'a [Symbol],
    checkers: &'a HashMap<RoutineId, RoutineId>,
    /// The operand that stands for a symbol that is bound no more.
    now: HashMap<Sym, Sym>,
}

impl Checking<'_> {
    fn has_value(&self, arg: Arg) -> bool {
        matches!(arg, Arg::Sym(sym) if is_value(self.symbols[sym.0 as usize].ty))
    }

    fn without_values(&self, syms: &mut Vec<Sym>) {
        syms.retain(|sym| !self.has_value((*sym).into()));
    }

    fn block(&mut self, block: &mut Block) {
        self.without_values(&mut block.takes);
        for op in std::mem::take(&mut block.ops) {
            block.ops.extend(self.op(op));
        }
        block.gives.retain(|arg| !self.has_value(*arg));
        for arg in &mut block.gives {
            if let Arg::Sym(sym) = arg {
                *sym = self.now.get(sym).copied().unwrap_or(*sym);
            }
        }
    }

    /// The operation without the values that it made.
    fn op(&mut self, mut op: Op) -> Option<Op> {
        if makes_values(&op.what) {
            return None;
        }
        visit::operands_mut(&mut op.what, &mut |sym| *sym = self.now.get(sym).copied().unwrap_or(*sym));
        for block in visit::blocks_mut(&mut op.what) {
            self.block(block);
        }
        match &mut op.what {
            What::Switch { arms, other, .. } => {
                // The others say the same.
                arms.retain(|(_, arm)| !arm.ops.is_empty() || !other.ops.is_empty() || arm.gives != other.gives);
            }
            What::Loop { carry, .. } => carry.retain(|arg| !self.has_value(*arg)),
            What::Call { routine, .. } => *routine = self.checkers.get(routine).copied().unwrap_or(*routine),
            what if visit::blocks(what).is_empty() => return Some(op),
            _ => {}
        }
        self.without_values(&mut op.binds);
        let Some(same) = same(&op.what, &What::is_pure) else { return Some(op) };
        let same: Option<Vec<Sym>> = same.into_iter().map(super::sym).collect();
        let Some(same) = same else { return Some(op) };
        self.now.extend(op.binds.into_iter().zip(same));
        None
    }
}

/// Whether an operation does nothing but make a value.
fn makes_values(what: &What) -> bool {
    matches!(
        what,
        What::Scalar { .. }
            | What::Chars { .. }
            | What::Bytes { .. }
            | What::Literal { .. }
            | What::Make { .. }
            | What::Arm { .. }
            | What::Open { .. }
            | What::Push { .. }
            | What::Close { .. }
            | What::Fields { .. }
            | What::Row { .. }
            | What::Segments(Segments::Bits { .. })
    )
}
