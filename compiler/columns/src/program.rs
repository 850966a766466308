//! Runs of fixed slots as rows of small operations: bytes at an offset, into a column.

use crate::store::{Column, Id, Kind, Store, HOLE};
use aldis_interpreter::Taken;
use aldis_plan::{NullValue, Repr, Run, Scalar, Slot, SlotKind};
use aldis_schema::{Encoding, Literal, Type};

/// The programs of a table's runs.
#[derive(Debug, Default)]
pub(crate) struct Programs {
    all: Vec<Program>,
    /// By the column of a record: the first field of each of its runs, and the program.
    runs: Vec<Vec<(u32, usize)>>,
}

/// The work on a run, and whether that is all there is to do.
#[derive(Debug)]
pub(crate) struct Program {
    pub operations: Vec<Op>,
    pub taken: Taken,
}

/// One value out of a run whose bytes are all there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Op {
    pub column: u32,
    pub at: u32,
    pub what: What,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum What {
    /// A number as it is stored, of the column's width.
    Plain,
    /// The same, and null where it is that number.
    Nullable {
        width: u8,
        null: u64,
    },
    /// A number of so many bytes. `sign` is by how many bits it is moved up and down again to have its sign.
    Number {
        width: u8,
        sign: u8,
        xor: u64,
        null: Option<NullValue>,
    },
    Bit(u8, u64),
    Uuid,
    /// Text in so many bytes, up to the first NUL.
    Chars(u32),
    Constant(u64),
    /// A record begins, whose fields follow.
    Struct,
}

impl Programs {
    pub fn add(&mut self, column: Id, run: &Run, operations: Vec<Op>) {
        let Some(first) = first_field(run) else { return };
        let taken = if is_taken(run) { Taken::All } else { Taken::Some };
        if self.runs.len() <= column {
            self.runs.resize(column + 1, Vec::new());
        }
        self.runs[column].push((first, self.all.len()));
        self.all.push(Program { operations, taken });
    }

    /// The work on a run of the record in the column, if that is known.
    #[inline]
    pub fn of(&self, column: Id, run: &Run) -> Option<&Program> {
        let first = first_field(run)?;
        let (_, program) = self.runs.get(column)?.iter().find(|(field, _)| *field == first)?;
        Some(&self.all[*program])
    }
}

/// Whether all slots of a run can be taken without anything going wrong.
pub(crate) fn is_taken(run: &Run) -> bool {
    run.slots.iter().all(|slot| takes(slot) || matches!(slot.kind, SlotKind::Ignored { .. }))
}

fn first_field(run: &Run) -> Option<u32> {
    run.slots.iter().find_map(|slot| slot.field)
}

/// Whether a slot can be taken without anything going wrong.
pub(crate) fn takes(slot: &Slot) -> bool {
    slot.field.is_some()
        && match &slot.kind {
            SlotKind::Scalar(scalar) => scalar.repr != Repr::Decimal,
            SlotKind::Chars { ty } => matches!(ty, Type::Chars { encoding: Encoding::Latin1, .. }),
            SlotKind::Constant { ty, value } => {
                matches!(value, Literal::Int(_)) && !matches!(ty.required(), Type::Float32 | Type::Float64)
            }
            SlotKind::Nest { slots, .. } => slots.iter().all(takes),
            _ => false,
        }
}

/// The operation of a number that goes into the column.
fn number(column: &Column, scalar: &Scalar) -> What {
    let width = scalar.repr.width() as u8;
    let is_plain = matches!(column.kind, Kind::Plain) && column.values.width() == Some(width) && scalar.xor == 0;
    match scalar.null {
        None if is_plain => What::Plain,
        Some(NullValue::Bits(null)) if is_plain => What::Nullable { width, null },
        null => {
            let signed = matches!(scalar.repr, Repr::I8 | Repr::I16 | Repr::I32);
            let sign = if signed { 64 - 8 * width } else { 0 };
            What::Number { width, sign, xor: scalar.xor, null }
        }
    }
}

/// The operations for those slots of a run that are taken, `column` being that of the record; none where a column is not of the
/// slot's kind. There are no operations for what goes into holes.
pub(crate) fn program(store: &Store, column: Id, slots: &[Slot]) -> Option<Vec<Op>> {
    let mut operations = Vec::new();
    let taken: Vec<&Slot> = slots.iter().filter(|slot| takes(slot)).collect();
    members(store, column, &taken, &mut operations)?;
    (!taken.is_empty()).then_some(operations)
}

fn members(store: &Store, column: Id, slots: &[&Slot], out: &mut Vec<Op>) -> Option<()> {
    for slot in slots {
        let field = slot.field? as usize;
        let id = match &store.0[column].kind {
            Kind::Record { fields } => *fields.get(field)?,
            Kind::Scaled { mantissa, .. } if *mantissa == field => column,
            Kind::Scaled { .. } => HOLE,
            _ => return None,
        };
        let op = |what| Op { column: id as u32, at: slot.at, what };
        match &slot.kind {
            _ if id == HOLE => {}
            SlotKind::Nest { slots, .. } => {
                match store.0[id].kind {
                    Kind::Record { .. } => out.push(op(What::Struct)),
                    Kind::Scaled { .. } => {}
                    _ => return None,
                }
                members(store, id, &slots.iter().collect::<Vec<_>>(), out)?;
            }
            SlotKind::Scalar(scalar) => out.push(op(match scalar.repr {
                Repr::Uuid => What::Uuid,
                Repr::Bit(bit) => What::Bit(bit, scalar.xor),
                _ => number(&store.0[id], scalar),
            })),
            SlotKind::Chars { .. } => out.push(op(What::Chars(slot.width))),
            SlotKind::Constant { value: Literal::Int(number), .. } => out.push(op(What::Constant(*number as u64))),
            _ => return None,
        }
    }
    Some(())
}
