//! The plain values of a run, in a row.

use super::pool::place_of;
use super::Reg;
use crate::module::{Cell, Holds, Register, Row, Table};
use crate::operand::{LiteralId, TableId};
use aldis_plan::{Extent, Repr, Scalar};
use aldis_schema::{Encoding, TypeId};

/// A run of bytes.
#[derive(Debug)]
pub(super) struct Run {
    /// All slots are there where the run has this many bytes, and its writer this version or a newer one.
    pub size: u64,
    pub newest: u64,
    /// How many bytes it has, where that is not said by who reads it.
    pub extent: Extent,
    pub stated: Option<(u32, u8)>,
    pub slots: Vec<Slot>,
    /// By register that the head has: place, width, and what it must be if it is not wanted.
    pub registers: Vec<(u32, u8, Option<u64>)>,
    pub has_extras: bool,
    /// The surcharge of the run that is as long as the table.
    pub extra: u64,
}

/// A value of a run, or the begin or end of a record in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub at: u32,
    /// It is there within so many bytes, of a writer of this version.
    pub reach: u32,
    pub since: u32,
    /// Its value where it is not there.
    pub missing: Option<LiteralId>,
    pub what: Kind,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    /// A number of so many bytes, never null.
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

/// A text or bytes that a link leads to, behind a head that has their number alone; a literal where the link is nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Linked {
    /// The link: the register of the place that it lies behind, so many bytes on; and that of the place it counts from.
    pub at: (Reg, u32, u8),
    pub base: Reg,
    pub literal: LiteralId,
    pub head: TableId,
    pub text: Option<Encoding>,
    /// Registers that the link is in, and whether it is nothing.
    pub to: [Reg; 2],
}

/// A group of records, which are one run each, behind a head. Registers that are set are those of the instructions in whose place it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    /// The head, whose numbers are the size of an element and how many there are.
    pub head: TableId,
    pub at: Reg,
    pub to: Reg,
    pub count: Reg,
    /// The size that elements may not have, and whether they have it, which is a number that must be there.
    pub not: Option<(Reg, Reg, Reg)>,
    /// The least size of an element.
    pub least: (Reg, u32),
    /// The size that elements have if there are any, and what each costs.
    pub want: Reg,
    pub each: Reg,
    pub end: Reg,
    pub of: u16,
}

/// The run of a table; `None` where it has too many slots for their indices.
pub(super) fn run(table: &Table, scalars: &mut Vec<Scalar>) -> Option<Run> {
    let mut slots = Vec::new();
    for (index, row) in table.rows.iter().enumerate() {
        if let Some(cell) = row.plain() {
            slot(row, cell, index, scalars, &mut slots)?;
        }
    }
    let registers = table.rows.iter().filter_map(|row| match row.holds {
        Holds::Register(Register::Wanted(repr)) => Some((row.at, repr.width() as u8, None)),
        Holds::Register(Register::Expected(repr, want)) => Some((row.at, repr.width() as u8, Some(want))),
        _ => None,
    });
    Some(Run {
        size: table.size.into(),
        newest: table.newest.into(),
        extent: table.extent,
        stated: table.stated().map(|(at, repr)| (at, repr.width() as u8)),
        registers: registers.collect(),
        has_extras: !table.extras.is_empty(),
        extra: table.extra_within(table.size.into()),
        slots,
    })
}

/// Adds the slots of a row, the table's `index`th, or a member of it that one slot tells all of.
fn slot(row: &Row, cell: &Cell, index: usize, scalars: &mut Vec<Scalar>, slots: &mut Vec<Slot>) -> Option<()> {
    let what = match cell {
        Cell::Scalar(scalar) if !matches!(scalar.repr, Repr::Uuid | Repr::Decimal) => {
            let (width, of) = (scalar.repr.width() as u8, place_of(scalars, scalar)?);
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
            let count = u16::try_from(members.len()).ok()?;
            for (member, cell) in members {
                slot(member, cell, index, scalars, slots)?;
            }
            slots.push(Slot { at: 0, reach: 0, since: 0, missing: None, what: Kind::Make { record: *record, count } });
            slots[first].what = Kind::Nest { slots: u16::try_from(slots.len() - first - 1).ok()? };
            return Some(());
        }
        _ => Kind::Row { index: u16::try_from(index).ok()? },
    };
    slots.push(Slot { at: row.at, reach: row.reach, since: row.since, missing: row.missing, what });
    Some(())
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
