//! Tables that tell which field of a run the bytes end within. Only what explains a fault reads them.

use aldis_plan::{Plan, Run, Slot, SlotKind};
use aldis_schema::TypeId;

/// A row of the table: a member of a run, or a field within one. The first row counts that is in the run (the run has
/// `least` bytes or more, and the writer's version is `since` or newer) and whose `end` lies behind the last byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut<'p> {
    pub at: u32,
    pub end: u32,
    pub least: u32,
    pub since: u32,
    /// The names that lead to it; none where it is no field.
    pub path: Vec<Name<'p>>,
}

/// A name in a path: of a field, which languages may spell otherwise, or of a number in a head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name<'p> {
    pub text: &'p str,
    pub field: Option<(TypeId, usize)>,
}

/// The rows of a record's run of which the first `known` bytes are there.
pub fn cuts<'p>(plan: &'p Plan, record: TypeId, run: &'p Run, known: u32) -> Vec<Cut<'p>> {
    let mut rows = Vec::new();
    fields(plan, record, &run.slots, &Cut { at: 0, end: 0, least: 1, since: 0, path: Vec::new() }, &mut rows);
    rows.retain(|row| row.end > known);
    rows
}

/// The rows of a head, whose members are numbers about the message.
pub fn head_cuts(head: &Run) -> Vec<Cut<'_>> {
    let row = |slot| {
        let path = member(slot).map(|text| Name { text, field: None }).into_iter().collect();
        Cut { at: slot.at, end: slot.end(), least: slot.end(), since: 0, path }
    };
    head.slots.iter().map(row).collect()
}

/// The name of a member of a head.
fn member(slot: &Slot) -> Option<&str> {
    match &slot.kind {
        SlotKind::Register(register) => Some(&register.name),
        SlotKind::Ignored { name, .. } => Some(name),
        _ => None,
    }
}

fn fields<'p>(plan: &'p Plan, record: TypeId, slots: &'p [Slot], outer: &Cut<'p>, rows: &mut Vec<Cut<'p>>) {
    for slot in slots {
        let mut path = outer.path.clone();
        path.extend(slot.field.map(|field| {
            let field = field as usize;
            Name { text: &plan.schema.record(record).fields[field].name, field: Some((record, field)) }
        }));
        let least = outer.least.max(slot.needed());
        let row = Cut { at: slot.at, end: slot.end(), least, since: outer.since.max(slot.since), path };
        if let SlotKind::Nest { record, slots } = &slot.kind {
            fields(plan, *record, slots, &row, rows);
        }
        rows.push(row);
    }
}
