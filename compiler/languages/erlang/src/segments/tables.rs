//! Layout tables of records of sections: words and pointers, then every place with its bits.

use super::leaves::slot_bits;
use crate::gen::Gen;
use aldis_plan::{ArmSlot, Repr, Slot, SlotKind};
use aldis_schema::TypeId;

/// One row: offset, size and what lies there.
pub(crate) type Row = (String, String, String);

/// The rows of a record's slots, arms of unions too.
pub(crate) fn section_rows(gen: &Gen<'_>, id: TypeId, slots: &[Slot], data: u32) -> Vec<Row> {
    let mut rows = Vec::new();
    add(gen, id, slots, data, "", &mut rows);
    rows
}

fn add(gen: &Gen<'_>, owner: TypeId, slots: &[Slot], data: u32, path: &str, rows: &mut Vec<Row>) {
    for slot in slots {
        let Some(index) = slot.field else { continue };
        let name = match (path, gen.names.field(owner, index as usize)) {
            (path, "") => path.to_owned(),
            ("", name) => name.to_owned(),
            (path, name) => format!("{path}.{name}"),
        };
        one(gen, slot, data, &name, rows);
    }
}

fn one(gen: &Gen<'_>, slot: &Slot, data: u32, name: &str, rows: &mut Vec<Row>) {
    match &slot.kind {
        SlotKind::Nest { record, slots } => add(gen, *record, slots, data, name, rows),
        SlotKind::Choice { union, arms } => {
            let shown = if name.is_empty() { "(union)".to_owned() } else { format!("{name}, a union") };
            rows.push((slot.at.to_string(), "2".to_owned(), format!("{shown}: which arm")));
            arms.iter().for_each(|arm| add_arm(gen, *union, arm, data, name, rows));
        }
        SlotKind::Pointer { .. } => {
            rows.push((format!("*{}", (slot.at - data) / super::WORD), "8".to_owned(), name.to_owned()));
        }
        SlotKind::Scalar(scalar) => {
            let (at, size) = match scalar.repr {
                Repr::Bit(bit) => (format!("{}.{bit}", slot.at), "1 bit".to_owned()),
                _ => (slot.at.to_string(), (slot_bits(slot).to / 8 - slot.at).to_string()),
            };
            rows.push((at, size, name.to_owned()));
        }
        _ => rows.push((String::new(), "0".to_owned(), name.to_owned())),
    }
}

fn add_arm(gen: &Gen<'_>, union: TypeId, arm: &ArmSlot, data: u32, path: &str, rows: &mut Vec<Row>) {
    let before = rows.len();
    add(gen, union, std::slice::from_ref(&arm.slot), data, path, rows);
    rows[before..].iter_mut().take(1).for_each(|row| row.2.push_str(&format!(" (arm {})", arm.tag)));
}
