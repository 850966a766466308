//! Layout tables of records of two sections.

use super::{sections, WORD};
use crate::code::{line, Stmt};
use crate::gen::{Gen, Wire};
use aldis_plan::{Repr, Slot, SlotKind};
use aldis_schema::TypeId;

/// The table of a record: the bytes of its data, then its pointers.
pub(crate) fn layout_table(gen: &Gen<'_>, wire: &Wire<'_>, id: TypeId) -> Vec<Stmt> {
    let run = sections(wire.plan, id);
    let mut parts = vec![
        line("///"),
        line(format!("/// Layout: {} words of data, pointers: {}", run.data / WORD, (run.size - run.data) / WORD)),
    ];
    if run.slots.iter().any(|slot| slot.field.is_some()) {
        parts.push(line("///   offset    size  field"));
    }
    rows(gen, run.slots, run.data, id, "", &mut parts);
    parts
}

fn rows(gen: &Gen<'_>, slots: &[Slot], data: u32, owner: TypeId, before: &str, parts: &mut Vec<Stmt>) {
    for slot in slots {
        if let Some(index) = slot.field {
            let name = format!("{before}{}", gen.names.member(owner, index as usize));
            row(gen, slot, data, &name, parts);
        }
    }
}

fn row(gen: &Gen<'_>, slot: &Slot, data: u32, name: &str, parts: &mut Vec<Stmt>) {
    let mut add = |at: String, size: &str, name: &str| {
        parts.push(line(format!("///   {at:>6}  {size:>6}  {name}").trim_end().to_owned()));
    };
    match &slot.kind {
        SlotKind::Pointer { .. } => add(format!("ptr {}", (slot.at - data) / WORD), "8", name),
        SlotKind::Scalar(scalar) => match scalar.repr {
            Repr::Bit(bit) => add(format!("{}.{bit}", slot.at), "1 bit", name),
            _ => add(slot.at.to_string(), &slot.width.to_string(), name),
        },
        SlotKind::Nest { record, slots } => rows(gen, slots, data, *record, &format!("{name}."), parts),
        SlotKind::Choice { union, arms } => {
            add(slot.at.to_string(), "2", &format!("{name}, which arm is active"));
            for arm in arms {
                if let Some(index) = arm.slot.field {
                    let inner = format!("{name}.{}", gen.names.member(*union, index as usize));
                    row(gen, &arm.slot, data, &inner, parts);
                }
            }
        }
        _ => add("-".to_owned(), "0", name),
    }
}
