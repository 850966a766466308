//! The checks that can begin with a glance, and the readers that can begin with a quick one.

use super::nesting::Nesting;
use super::paid;
use super::rows::callers;
use crate::able::Subjects;
use crate::names::Names;
use crate::read::cells;
use aldis_plan::Container;
use aldis_routine::{visit, Amount, Arg, Block, Module, Purpose, Routine, RoutineId, Segments, Subject, Sym, Ty, What};
use aldis_schema::{Schema, TypeId};
use std::collections::HashSet;

/// The most operations of a routine that has a glance: that is about 5,000 bytes of bytecode, so that no method is too long.
const MOST: usize = 450;

/// The most that a constant charge may be: with a factor of at most 2^31, the sum of [`MOST`] charges is less than 2^63.
const DEAR: u64 = 1 << 20;

/// The records and the messages of a module that a glance can be had of.
pub struct Able {
    subjects: Subjects,
    /// Those that have quick readers.
    readers: Subjects,
    /// Routines that loops over records of one run call, and those that others call.
    rows: HashSet<(Purpose, Subject)>,
    called: HashSet<(Purpose, Subject)>,
    nesting: Nesting,
    /// How many times its bytes a message is charged at most, where that is known: its quick methods look at the budget once.
    pub(super) paid: Option<u32>,
    /// Something lies behind a record within a message.
    pub(super) gives_places: bool,
    /// Something of the module came with a version.
    pub(super) has_versions: bool,
}

impl Able {
    pub fn of(module: &Module, names: &Names, strict_text: bool) -> Self {
        let has_versions = module.tables.iter().any(|table| table.newest > 0)
            || module.lacks.iter().any(|lacks| !lacks.parts.is_empty());
        if strict_text || matches!(module.container, Container::Segments(form) if form.packed || !form.table) {
            let none = || Subjects::none(module);
            let ([rows, called], nesting) = Default::default();
            return Self {
                subjects: none(),
                readers: none(),
                rows,
                called,
                nesting,
                paid: None,
                gives_places: false,
                has_versions,
            };
        }
        let mut gives = false;
        let mut able = |purpose: Purpose| {
            Subjects::able(module, names, &[purpose], |routine| {
                let mut calls = Vec::new();
                weight(module, &routine.body, &mut calls).filter(|ops| *ops <= MOST)?;
                gives |= gives_places(routine, &routine.body);
                Some(calls)
            })
        };
        let (subjects, readers) = (able(Purpose::Check), able(Purpose::Read));
        let [rows, called] = callers(module);
        let nesting = Nesting::of(module);
        let mut all = Self { subjects, readers, rows, called, nesting, paid: None, gives_places: gives, has_versions };
        all.paid = paid::rate(module, |routine| all.does(routine));
        all
    }

    /// Whether there is a quick method of a routine: a glance of a check, a quick reader of one that reads.
    pub(super) fn does(&self, routine: &Routine) -> bool {
        match routine.purpose {
            Purpose::Check => self.subjects.has(routine.of),
            Purpose::Read => self.readers.has(routine.of),
            _ => false,
        }
    }

    /// Whether loops over records of one run read such.
    pub(super) fn is_row(&self, routine: &Routine) -> bool {
        routine.purpose == Purpose::Read && self.rows.contains(&(routine.purpose, routine.of))
    }

    /// Whether anything else calls a routine: those of messages are called by all.
    pub(super) fn is_called(&self, routine: &Routine) -> bool {
        matches!(routine.of, Subject::Message(_)) || self.called.contains(&(routine.purpose, routine.of))
    }

    /// How many levels a routine enters, one in another, where that is known.
    pub(super) fn levels(&self, routine: &Routine) -> Option<u32> {
        self.nesting.levels(routine)
    }

    /// Whether a record's message has a quick reader.
    pub fn reads_message(&self, schema: &Schema, record: TypeId) -> bool {
        self.readers.has_message(schema, record)
    }

    pub fn has(&self, of: Subject) -> bool {
        self.subjects.has(of)
    }

    /// Whether the check of a record's message begins with a glance.
    pub fn has_message(&self, schema: &Schema, record: TypeId) -> bool {
        self.subjects.has_message(schema, record)
    }
}

/// Operations that are one or two statements each.
fn is_light(what: &What) -> bool {
    matches!(
        what,
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
            | What::Scalars { .. }
            | What::Lack { .. }
    )
}

/// How many operations a block has; nothing where one of them is none that a glance does.
fn weight(module: &Module, block: &Block, calls: &mut Vec<RoutineId>) -> Option<usize> {
    let mut ops = 0;
    for op in &block.ops {
        ops += 1;
        match &op.what {
            what if is_light(what) => {}
            What::Charge { amount, .. } | What::Extra { amount, .. } if is_cheap(amount) => {}
            What::Unpaid { amount, .. } if *amount <= DEAR => {}
            What::Extent { table, .. } if module[*table].extras.last().is_none_or(|(_, all)| *all <= DEAR) => {}
            What::Segments(Segments::Keep { .. }) => return None,
            What::Segments(_)
            | What::Literal { .. }
            | What::Make { .. }
            | What::Bytes { .. }
            | What::Chars { .. }
            | What::Row { .. }
            | What::Scalar { .. } => ops += 1,
            What::Fields { table, .. } => {
                ops += 4 * module[*table].plain().map(|(row, _)| cells::weight(row)).sum::<usize>()
            }
            What::Each { body, .. } => ops += 3 + weight(module, body, calls)?,
            // It is all that its block does, as nothing can stand behind it.
            What::Refuse { .. } if block.ops.len() > 1 || !block.gives.is_empty() => return None,
            What::Refuse { .. } => {}
            What::Arm { .. } => ops += 2,
            What::Switch { arms, other, .. } => {
                for (_, arm) in arms {
                    ops += 3 + weight(module, arm, calls)?;
                }
                ops += weight(module, other, calls)?;
            }
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
