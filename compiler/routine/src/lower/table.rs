//! Runs as tables.

use super::{encoding, Shared};
use crate::charge;
use crate::module::{Cell, Holds, Register, Row, Table};
use crate::value::Value;
use aldis_plan::{Extent, Meaning, Repr, Run, Scalar, Shape, Slot, SlotKind};
use aldis_schema::{Type, TypeId};

/// The table of a run of `record`, or of a head.
pub(super) fn table(shared: &mut Shared<'_>, run: &Run, record: Option<TypeId>) -> Table {
    let mut rows = rows(shared, &run.slots, record);
    if let Extent::Stated { .. } = run.extent {
        let stated = rows.iter_mut().zip(&run.slots).find_map(|(row, slot)| match &slot.kind {
            SlotKind::Register(register) if matches!(register.meaning, Meaning::Extent { .. }) => {
                Some((row, register.repr))
            }
            _ => None,
        });
        if let Some((row, repr)) = stated {
            row.holds = Holds::Register(Register::Extent(repr));
        }
    }
    if let Extent::Sections { .. } = run.extent {
        rows.iter_mut().for_each(open_nests);
    }
    let newest = rows.iter().map(newest).max().unwrap_or(0);
    Table { size: run.size, extent: run.extent, newest, rows, extras: charge::extras(&run.slots) }
}

/// A nest in a section is there whatever of its members is.
fn open_nests(row: &mut Row) {
    if let Holds::Cell(Cell::Nest { rows, .. }) | Holds::Nest(rows) = &mut row.holds {
        row.reach = 0;
        rows.iter_mut().for_each(open_nests);
    }
}

fn newest(row: &Row) -> u32 {
    row.members().iter().map(newest).max().unwrap_or(0).max(row.since)
}

fn rows(shared: &mut Shared<'_>, slots: &[Slot], record: Option<TypeId>) -> Vec<Row> {
    slots.iter().map(|slot| row(shared, slot, record)).collect()
}

pub(super) fn row(shared: &mut Shared<'_>, slot: &Slot, record: Option<TypeId>) -> Row {
    let name = match (&slot.kind, slot.field, record) {
        (SlotKind::Register(register), ..) => Some(shared.name(&register.name)),
        (SlotKind::Ignored { name, .. }, ..) => Some(shared.name(name)),
        (_, Some(field), Some(record)) => Some(shared.field_name(record, field)),
        _ => None,
    };
    let missing = record.zip(slot.field).map(|(record, field)| shared.missing[record.index()][field as usize]);
    let ty = record.zip(slot.field).map(|(record, field)| &shared.plan.schema.record(record).fields[field as usize].ty);
    Row {
        at: slot.at,
        width: slot.width,
        since: slot.since,
        reach: slot.needed(),
        name,
        field: slot.field,
        missing,
        holds: holds(shared, slot, ty),
    }
}

fn holds(shared: &mut Shared<'_>, slot: &Slot, ty: Option<&Type>) -> Holds {
    match &slot.kind {
        SlotKind::Register(register) => Holds::Register(self::register(register)),
        SlotKind::Ignored { .. } => Holds::Ignored,
        SlotKind::Nest { record, slots } => {
            let rows = rows(shared, slots, Some(*record));
            if rows.iter().all(|row| matches!(row.holds, Holds::Cell(_) | Holds::Ignored)) {
                Holds::Cell(Cell::Nest { record: *record, rows })
            } else {
                Holds::Nest(rows)
            }
        }
        _ => cell(shared, slot, ty.unwrap_or(&Type::Void)).map_or(Holds::Other, Holds::Cell),
    }
}

fn register(register: &aldis_plan::Register) -> Register {
    match (register.constant, register.meaning) {
        (Some(_), _) => Register::Unread,
        (None, Meaning::TypeId { expect } | Meaning::SchemaId { expect }) => Register::Expected(register.repr, expect),
        (None, _) => Register::Wanted(register.repr),
    }
}

/// The slot as a plain value of type `ty`; `None` where reading it may fault.
pub(super) fn cell(shared: &mut Shared<'_>, slot: &Slot, ty: &Type) -> Option<Cell> {
    match &slot.kind {
        SlotKind::Scalar(Scalar { repr: Repr::Decimal, .. }) => None,
        SlotKind::Scalar(scalar) => Some(Cell::Scalar(scalar.clone())),
        SlotKind::Chars { .. } => Some(Cell::Chars(encoding(ty))),
        SlotKind::Array { count, element } => match &element.kind {
            SlotKind::Scalar(scalar) if scalar.null.is_none() && scalar.repr != Repr::Decimal => {
                let of = shared.list(Shape::List, ty);
                Some(Cell::Row { count: *count, scalar: scalar.clone(), of })
            }
            _ => {
                let width = element.width;
                let inner = cell(shared, element, ty.element())?;
                let of = shared.list(Shape::List, ty);
                Some(Cell::Array { count: *count, stride: width, element: Box::new(inner), of })
            }
        },
        SlotKind::Nest { .. } => match holds(shared, slot, Some(ty)) {
            Holds::Cell(cell) => Some(cell),
            _ => None,
        },
        SlotKind::Constant { ty, value } => {
            let value = Value::of_literal(value, ty, &shared.plan.schema);
            Some(Cell::Literal(shared.literal(value, ty)))
        }
        _ => None,
    }
}
