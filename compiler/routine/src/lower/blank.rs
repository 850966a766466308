//! Runs as blanks to be filled in.

use super::{encoding, Shared};
use crate::module::{Blank, Entry, Put};
use crate::operand::BlankId;
use crate::value::Value;
use aldis_plan::{Meaning, Register, Run, Slot, SlotKind};
use aldis_schema::{Type, TypeId};

impl Shared<'_> {
    /// The blank of a run of `record`, or of a head.
    pub(super) fn blank(&mut self, run: &Run, record: Option<TypeId>) -> BlankId {
        self.blank_of(run.size, &run.slots, record)
    }

    /// The blank of one value of type `ty` on its own.
    pub(super) fn cell_blank(&mut self, slot: &Slot, ty: &Type) -> BlankId {
        let put = self.put(slot, ty, slot.end());
        let entry = Entry { at: slot.at, width: slot.width, name: None, field: None, nullable: false, put };
        self.known_blank(Blank { size: slot.end(), record: None, entries: vec![entry] })
    }

    pub(super) fn is_plain(&self, blank: BlankId, entry: usize) -> bool {
        crate::module::is_plain(&self.blanks, &self.blanks[blank.0 as usize].entries[entry])
    }

    fn blank_of(&mut self, size: u32, slots: &[Slot], record: Option<TypeId>) -> BlankId {
        let entries = slots.iter().map(|slot| self.entry(slot, size, record)).collect();
        self.known_blank(Blank { size, record, entries })
    }

    /// Heads and cells of lists look alike in many places.
    fn known_blank(&mut self, blank: Blank) -> BlankId {
        let known = self.blanks.iter().rposition(|known| *known == blank);
        let index = known.unwrap_or(self.blanks.len());
        if known.is_none() {
            self.blanks.push(blank);
        }
        BlankId(index as u32)
    }

    fn entry(&mut self, slot: &Slot, size: u32, record: Option<TypeId>) -> Entry {
        let plan = self.plan;
        let field = record.zip(slot.field).map(|(record, field)| &plan.schema.record(record).fields[field as usize]);
        let put = self.put(slot, field.map_or(&Type::Void, |field| &field.ty), size);
        Entry {
            at: slot.at,
            width: slot.width,
            name: field.map(|field| self.name(&field.name)),
            field: slot.field,
            nullable: field.is_some_and(|field| field.nullable()),
            put,
        }
    }

    fn put(&mut self, slot: &Slot, ty: &Type, size: u32) -> Put {
        match &slot.kind {
            SlotKind::Scalar(scalar) => Put::Scalar(scalar.clone()),
            SlotKind::Chars { .. } => Put::Chars(encoding(ty)),
            SlotKind::Array { count, element } => {
                let stride = element.width;
                Put::Array { count: *count, stride, element: self.cell_blank(element, ty.element()) }
            }
            SlotKind::Nest { record, slots } => {
                Put::Nest { record: *record, members: self.blank_of(slot.end(), slots, Some(*record)) }
            }
            SlotKind::Constant { ty, value } => {
                let value = Value::of_literal(value, ty, &self.plan.schema);
                Put::Literal(self.literal(value, ty))
            }
            SlotKind::Register(register) => of_register(register, size),
            SlotKind::Ignored { .. } => Put::Nothing,
            SlotKind::Link(_) | SlotKind::Presence(_) | SlotKind::Pointer { .. } | SlotKind::Choice { .. } => {
                Put::Other
            }
        }
    }
}

/// The value of a register in a run of `size` bytes, as far as it is known before anything is written.
fn of_register(register: &Register, size: u32) -> Put {
    let repr = register.repr;
    let number = match register.meaning {
        Meaning::Count { min, max } => return Put::Count { repr, min, max },
        Meaning::FrameSize { .. } | Meaning::FrameLength { .. } => return Put::Nothing,
        // The root record is written right behind the head.
        Meaning::Root => u64::from(size),
        Meaning::Extent { writes } | Meaning::Version { writes } => writes,
        Meaning::TypeId { expect } | Meaning::SchemaId { expect } => expect,
    };
    match register.constant {
        Some(_) => Put::Nothing,
        None => Put::Number { repr, number },
    }
}
