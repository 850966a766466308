//! Layout tables: offset, size and field of every run, in the comment above a record.

use crate::code::{line, Stmt};
use crate::gen::Gen;
use aldis_plan::{leaves, Extent, Run, SlotKind, Step, TypeId};

/// The tables of a record in each form that lays it out.
pub(crate) fn layout_tables(gen: &Gen<'_>, id: TypeId) -> Vec<Stmt> {
    let mut parts = Vec::new();
    for wire in &gen.wires {
        let Some(layout) = &wire.plan.layouts[id.index()] else { continue };
        if wire.segments().is_some() {
            // All forms of segments have the same.
            return crate::segments::layout_table(gen, wire, id);
        }
        parts.push(line("///"));
        let later = layout.steps.iter().skip(1).any(|step| matches!(step, Step::Run(_)));
        let note = if later { " (+: from the end of the field before)" } else { "" };
        parts.push(line(format!("/// Layout in {}{note}:", wire.plan.form.name)));
        parts.push(line("///   offset    size  field"));
        for (index, step) in layout.steps.iter().enumerate() {
            match step {
                Step::Run(run) => run_rows(gen, id, run, if index == 0 { "" } else { "+" }, &mut parts),
                Step::Part { field, since, .. } => {
                    let since = if *since > 0 { format!(", since version {since}") } else { String::new() };
                    let name = gen.names.member(id, *field as usize);
                    parts.push(row("after", "varies", &format!("{name}{since}")));
                }
            }
        }
    }
    parts
}

/// `sign` goes before the offsets.
fn run_rows(gen: &Gen<'_>, id: TypeId, run: &Run, sign: &str, parts: &mut Vec<Stmt>) {
    for leaf in leaves(run) {
        let slot = leaf.slot;
        let name = match &slot.kind {
            SlotKind::Register(register) => format!("({})", register.name),
            SlotKind::Ignored { name, .. } => format!("({name}, not read)"),
            _ => field_path(gen, id, run, &leaf.path),
        };
        let note = match &slot.kind {
            SlotKind::Constant { .. } => ", constant",
            SlotKind::Link(_) => ", an offset",
            SlotKind::Presence(_) => ", presence and an offset",
            _ => "",
        };
        let since = if slot.since > 0 { format!(", since version {}", slot.since) } else { String::new() };
        parts.push(row(&format!("{sign}{}", slot.at), &slot.width.to_string(), &format!("{name}{note}{since}")));
    }
    let total = match run.extent {
        Extent::Exact => "total",
        Extent::Acting | Extent::Stated { .. } | Extent::Sections { .. } => "total, as this schema's writers write it",
    };
    parts.push(row("", &run.size.to_string(), &format!("({total})")));
}

fn row(at: &str, size: &str, name: &str) -> Stmt {
    line(format!("///   {at:>6}  {size:>6}  {name}").trim_end().to_owned())
}

/// The names of the fields that lead to a leaf.
fn field_path(gen: &Gen<'_>, id: TypeId, run: &Run, path: &[u32]) -> String {
    let mut names = Vec::new();
    let (mut record, mut slots) = (id, run.slots.as_slice());
    for &field in path {
        names.push(gen.names.member(record, field as usize).to_owned());
        let nest = slots.iter().find(|slot| slot.field == Some(field)).map(|slot| &slot.kind);
        if let Some(SlotKind::Nest { record: inner, slots: members }) = nest {
            (record, slots) = (*inner, members.as_slice());
        }
    }
    names.join(".")
}
