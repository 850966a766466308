//! The plain values of a run, in a row.

use super::assemble::index_of;
use crate::module::{Cell, Holds, Register, Row, Table};
use crate::operand::LiteralId;
use aldis_plan::{Extent, Repr, Scalar};
use aldis_schema::TypeId;

/// A run of bytes.
#[derive(Debug)]
pub(super) struct Run {
    /// Of these bytes, of a writer of this version or a newer one, all slots are there.
    pub size: u64,
    pub newest: u64,
    /// How many bytes it has, where that is not said by who reads it.
    pub extent: Extent,
    pub stated: Option<(u32, u8)>,
    pub slots: Vec<Slot>,
    /// By register that the head has: place, width, and what it must be if it is not wanted.
    pub registers: Vec<(u32, u8, Option<u64>)>,
    pub has_extras: bool,
}

/// A value of a run, or the begin or end of a record in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub at: u32,
    /// It is there within so many bytes, of a writer of this version.
    pub reach: u32,
    pub since: u32,
    /// What it is where it is not there.
    pub missing: Option<LiteralId>,
    pub what: Kind,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    /// Of so many bytes, never null.
    Sure {
        width: u8,
        scalar: u16,
    },
    /// Null where its bits are those of the scalar's null.
    Scalar {
        width: u8,
        scalar: u16,
    },
    Literal(LiteralId),
    /// Its members are the next slots; where it is not there, so many are left out.
    Nest {
        slots: u16,
    },
    /// The last so many values are a record.
    Make {
        record: TypeId,
        count: u16,
    },
    /// A row of the table, in full.
    Row {
        index: u16,
    },
}

pub(super) fn run(table: &Table, scalars: &mut Vec<Scalar>) -> Run {
    let mut slots = Vec::new();
    for (index, row) in table.rows.iter().enumerate() {
        if let Some(cell) = row.plain() {
            slot(row, cell, index, scalars, &mut slots);
        }
    }
    let registers = table.rows.iter().filter_map(|row| match row.holds {
        Holds::Register(Register::Wanted(repr)) => Some((row.at, repr.width() as u8, None)),
        Holds::Register(Register::Expected(repr, want)) => Some((row.at, repr.width() as u8, Some(want))),
        _ => None,
    });
    Run {
        size: table.size.into(),
        newest: table.newest.into(),
        extent: table.extent,
        stated: table.stated().map(|(at, repr)| (at, repr.width() as u8)),
        registers: registers.collect(),
        has_extras: !table.extras.is_empty(),
        slots,
    }
}

/// Adds the slots of a row, the table's `index`th, or a member of it that one slot tells all of.
fn slot(row: &Row, cell: &Cell, index: usize, scalars: &mut Vec<Scalar>, slots: &mut Vec<Slot>) {
    let what = match cell {
        Cell::Scalar(scalar) if !matches!(scalar.repr, Repr::Uuid | Repr::Decimal) => {
            let (width, of) = (scalar.repr.width() as u8, index_of(scalars, scalar));
            match scalar.null {
                None => Kind::Sure { width, scalar: of },
                Some(_) => Kind::Scalar { width, scalar: of },
            }
        }
        Cell::Literal(value) => Kind::Literal(*value),
        Cell::Nest { record, rows } if rows.iter().all(is_simple) => {
            let first = slots.len();
            let what = Kind::Nest { slots: 0 };
            slots.push(Slot { at: row.at, reach: row.reach, since: row.since, missing: row.missing, what });
            let members: Vec<_> = rows.iter().filter_map(|row| Some((row, row.plain()?))).collect();
            let count = members.len() as u16;
            for (member, cell) in members {
                slot(member, cell, index, scalars, slots);
            }
            slots.push(Slot { at: 0, reach: 0, since: 0, missing: None, what: Kind::Make { record: *record, count } });
            slots[first].what = Kind::Nest { slots: (slots.len() - first - 1) as u16 };
            return;
        }
        _ => Kind::Row { index: index as u16 },
    };
    slots.push(Slot { at: row.at, reach: row.reach, since: row.since, missing: row.missing, what });
}

/// Whether a row is no record and no array, so that a slot says all of it.
fn is_simple(row: &Row) -> bool {
    match row.plain() {
        Some(Cell::Scalar(scalar)) => !matches!(scalar.repr, Repr::Uuid | Repr::Decimal),
        Some(Cell::Literal(_)) => true,
        Some(_) => false,
        None => true,
    }
}
