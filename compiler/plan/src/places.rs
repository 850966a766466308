//! The places of fields and arms in a plan's runs.

use crate::{Missing, Plan, Slot, SlotKind, Step};
use aldis_schema::{TypeId, TypeKind};

/// By type, by field or arm: the slot of each. Of several one that may be null is taken before others.
pub type Places<'p> = Vec<Vec<Option<&'p Slot>>>;

impl Plan {
    pub fn places(&self) -> Places<'_> {
        let counts = self.schema.types.iter().map(|definition| match &definition.kind {
            TypeKind::Record(record) => record.fields.len(),
            TypeKind::Union(union) => union.arms.len(),
            TypeKind::Enum(_) | TypeKind::Flags(_) => 0,
        });
        let mut places = counts.map(|count| vec![None; count]).collect();
        for layout in self.layouts.iter().flatten() {
            for step in &layout.steps {
                if let Step::Run(run) = step {
                    run.slots.iter().for_each(|slot| place(layout.record, slot, &mut places));
                }
            }
        }
        places
    }
}

fn place<'p>(owner: TypeId, slot: &'p Slot, places: &mut Places<'p>) {
    if let Some(field) = slot.field {
        let known = &mut places[owner.index()][field as usize];
        if known.is_none() || slot.missing == Missing::Null {
            *known = Some(slot);
        }
    }
    match &slot.kind {
        SlotKind::Nest { record, slots } => slots.iter().for_each(|member| place(*record, member, places)),
        SlotKind::Choice { union, arms } => arms.iter().for_each(|arm| place(*union, &arm.slot, places)),
        _ => {}
    }
}
