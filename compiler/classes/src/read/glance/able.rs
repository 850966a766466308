//! The checks that can begin with a glance.

use crate::names::Names;
use aldis_plan::Container;
use aldis_routine::{visit, Amount, Arg, Block, Module, Purpose, Routine, RoutineId, Subject, Sym, Ty, What};
use aldis_schema::{Schema, TypeId};

/// The most operations of a routine that has a glance: that is about 5,000 bytes of bytecode, so that no method is too long.
const MOST: usize = 450;

/// The most that a constant charge may be: with a factor of at most 2^31, the sum of [`MOST`] charges is less than 2^63.
const DEAR: u64 = 1 << 20;

/// The records and the messages of a module, by index, that a glance can be had of.
pub struct Able {
    records: Vec<bool>,
    messages: Vec<bool>,
    /// Something lies behind a record within a message.
    pub(super) gives_places: bool,
    /// Something of the module came with a version.
    pub(super) has_versions: bool,
}

impl Able {
    pub fn of(module: &Module, names: &Names, strict_text: bool) -> Self {
        let mut all = Self {
            records: vec![false; module.schema.types.len()],
            messages: vec![false; module.schema.messages.len()],
            gives_places: false,
            has_versions: module.tables.iter().any(|table| table.newest > 0)
                || module.lacks.iter().any(|lacks| !lacks.parts.is_empty()),
        };
        if strict_text || !matches!(module.container, Container::Plain) {
            return all;
        }
        let checks = module.routines.iter().filter(|routine| routine.purpose == Purpose::Check);
        let mut calling = Vec::new();
        for routine in checks.filter(|routine| names.is_own(routine.of.record(module))) {
            let mut calls = Vec::new();
            if weight(module, &routine.body, &mut calls).is_some_and(|ops| ops <= MOST) {
                all.gives_places |= gives_places(routine, &routine.body);
                all.set(routine.of, true);
                calling.push((routine.of, calls));
            }
        }
        // Few are lost, so that few turns are made.
        while let Some(at) = calling.iter().position(|(_, calls)| !calls.iter().all(|id| all.has(module[*id].of))) {
            all.set(calling.swap_remove(at).0, false);
        }
        all
    }

    pub fn has(&self, of: Subject) -> bool {
        match of {
            Subject::Record(record) => self.records[record.index()],
            Subject::Message(index) => self.messages[index],
        }
    }

    /// Whether the check of a record's message begins with a glance.
    pub fn has_message(&self, schema: &Schema, record: TypeId) -> bool {
        let message = schema.messages.iter().position(|message| message.record == record);
        message.is_some_and(|message| self.has(Subject::Message(message)))
    }

    fn set(&mut self, of: Subject, able: bool) {
        match of {
            Subject::Record(record) => self.records[record.index()] = able,
            Subject::Message(index) => self.messages[index] = able,
        }
    }
}

/// How many operations a block has; nothing where one of them is none that a glance does.
fn weight(module: &Module, block: &Block, calls: &mut Vec<RoutineId>) -> Option<usize> {
    let mut ops = 0;
    for op in &block.ops {
        ops += 1;
        match &op.what {
            What::Load { .. }
            | What::Add { .. }
            | What::Behind { .. }
            | What::Element { .. }
            | What::Equal { .. }
            | What::AtLeast { .. }
            | What::Present { .. }
            | What::Whole { .. }
            | What::Need { .. }
            | What::Least { .. }
            | What::Expect { .. }
            | What::Fit { .. }
            | What::Follow { .. }
            | What::Root { .. }
            | What::Bound { .. }
            | What::Same { .. }
            | What::End
            | What::Head { .. }
            | What::Counted { .. }
            | What::Decimal { .. }
            | What::Scalars { .. } => {}
            What::Charge { amount, .. } | What::Extra { amount, .. } if is_cheap(amount) => {}
            What::Unpaid { amount, .. } if *amount <= DEAR => {}
            What::Extent { table, .. } if module[*table].extras.last().is_none_or(|(_, all)| *all <= DEAR) => {}
            What::Lack { of, .. } if module[*of].pointers.is_empty() => {}
            What::Call { routine, .. } => calls.push(*routine),
            What::If { then, other, .. } => ops += weight(module, then, calls)? + weight(module, other, calls)?,
            What::Loop { body, .. } | What::Level { body, .. } | What::Within { body, .. } => {
                ops += weight(module, body, calls)?
            }
            _ => return None,
        }
    }
    Some(ops)
}

/// Whether something in a block asks for the place behind a record that a call checks.
fn gives_places(routine: &Routine, block: &Block) -> bool {
    block.ops.iter().any(|op| {
        let asked = |bind: &Sym| routine.symbols[bind.0 as usize].ty == Ty::Pos && is_asked(&routine.body, *bind);
        matches!(op.what, What::Call { .. }) && op.binds.iter().any(asked)
            || visit::blocks(&op.what).into_iter().any(|inner| gives_places(routine, inner))
    })
}

fn is_asked(block: &Block, sym: Sym) -> bool {
    let mut asked = visit::gives(block).any(|given| given == sym);
    for op in &block.ops {
        visit::operands(&op.what, &mut |used| asked |= *used == sym);
        asked |= visit::blocks(&op.what).into_iter().any(|inner| is_asked(inner, sym));
    }
    asked
}

fn is_cheap(amount: &Amount) -> bool {
    [amount.times, amount.each].iter().all(|side| !matches!(side, Arg::Const(most) if *most > DEAR))
}
