//! Layout tables: offset, size and field of every run, in the comment above a type's functions.

use crate::gen::Gen;
use crate::segments::{section_rows, sections};
use aldis_emit::doc::{concat, hard, text, Doc};
use aldis_plan::{leaves, Extent, Run, SlotKind, Step, TypeId};
use aldis_schema::TypeKind;

/// The tables of a record in each form that lays it out; nothing for other types.
pub(crate) fn layout_tables(gen: &Gen<'_>, id: TypeId) -> Doc {
    if !matches!(gen.schema.type_def(id).kind, TypeKind::Record(_)) {
        return Doc::Nil;
    }
    let mut parts = Vec::new();
    for wire in &gen.wires {
        let Some(layout) = &wire.plan.layouts[id.index()] else { continue };
        if let Some((run, data)) = sections(wire.plan, id) {
            // Forms of segments lay records out alike.
            if wire.suffix().is_empty() {
                section_table(gen, id, run, data, &mut parts);
            }
            continue;
        }
        parts.extend([text("%%"), hard()]);
        parts.extend([text(format!("%% Layout in {}:   offset    size  field", wire.plan.form.name)), hard()]);
        let indent = wire.plan.form.name.len() + 14;
        for step in &layout.steps {
            match step {
                Step::Run(run) => run_rows(gen, id, run, indent, &mut parts),
                Step::Part { field, since, .. } => {
                    let since = if *since > 0 { format!(", since version {since}") } else { String::new() };
                    let name = gen.names.field(id, *field as usize);
                    parts.extend([row(indent, "after", "varies", &format!("{name}{since}")), hard()]);
                }
            }
        }
    }
    concat(parts)
}

fn section_table(gen: &Gen<'_>, id: TypeId, run: &Run, data: u32, parts: &mut Vec<Doc>) {
    let (words, pointers) = (data / 8, (run.size - data) / 8);
    let words = format!("{words} {}", if words == 1 { "word" } else { "words" });
    let pointers = format!("{pointers} {}", if pointers == 1 { "pointer" } else { "pointers" });
    parts.extend([text("%%"), hard(), text(format!("%% Layout: {words} of data, {pointers}")), hard()]);
    parts.extend([text("%%   offset    size  field"), hard()]);
    for (at, size, name) in section_rows(gen, id, &run.slots, data) {
        parts.extend([row(0, &at, &size, &name).clone(), hard()]);
    }
}

fn run_rows(gen: &Gen<'_>, id: TypeId, run: &Run, indent: usize, parts: &mut Vec<Doc>) {
    for leaf in leaves(run) {
        let slot = leaf.slot;
        let name = match &slot.kind {
            SlotKind::Register(register) => format!("({})", register.name),
            _ => field_path(gen, id, run, &leaf.path),
        };
        let note = match &slot.kind {
            SlotKind::Constant { .. } => ", constant",
            SlotKind::Link(_) => ", an offset",
            SlotKind::Presence(_) => ", presence and an offset",
            _ => "",
        };
        let since = if slot.since > 0 { format!(", since version {}", slot.since) } else { String::new() };
        parts.push(row(indent, &slot.at.to_string(), &slot.width.to_string(), &format!("{name}{note}{since}")));
        parts.push(hard());
    }
    let total = match run.extent {
        Extent::Exact => "total",
        Extent::Acting | Extent::Stated { .. } | Extent::Sections { .. } => "total, as this schema's writers write it",
    };
    parts.extend([row(indent, "", &run.size.to_string(), &format!("({total})")), hard()]);
}

fn row(indent: usize, at: &str, size: &str, name: &str) -> Doc {
    text(format!("%% {:indent$}{at:>6}  {size:>6}  {name}", "").trim_end().to_owned())
}

/// The names of the fields that lead to a leaf.
fn field_path(gen: &Gen<'_>, id: TypeId, run: &Run, path: &[u32]) -> String {
    let mut names = Vec::new();
    let (mut record, mut slots) = (id, run.slots.as_slice());
    for &field in path {
        names.push(gen.names.field(record, field as usize).to_owned());
        let nest = slots.iter().find(|slot| slot.field == Some(field)).map(|slot| &slot.kind);
        if let Some(SlotKind::Nest { record: inner, slots: members }) = nest {
            (record, slots) = (*inner, members.as_slice());
        }
    }
    names.join(".")
}
