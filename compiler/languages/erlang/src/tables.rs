//! Layout tables: offset, size and field of every run, in the comment above a type's functions.

use crate::gen::Gen;
use aldis_emit::doc::{concat, hard, text, Doc};
use aldis_emit::tables::{field_path, part_row, run_rows, section_rows, section_sizes, Row};
use aldis_plan::{Run, Step, TypeId};
use aldis_schema::TypeKind;

/// The tables of a record in each form that lays it out; nothing for other types.
pub(crate) fn layout_tables(gen: &Gen<'_>, id: TypeId) -> Doc {
    if !matches!(gen.schema.type_def(id).kind, TypeKind::Record(_)) {
        return Doc::Nil;
    }
    let mut parts = Vec::new();
    for wire in &gen.wires {
        let Some(layout) = &wire.plan.layouts[id.index()] else { continue };
        if let Some((run, data)) = wire.plan.sections(id) {
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
                Step::Run(run) => {
                    let name = |path: &[u32]| {
                        field_path(gen.schema, id, path, |id, field| gen.names.field(id, field).to_owned())
                    };
                    parts.extend(run_rows(run, name).iter().flat_map(|found| [row_of(indent, found), hard()]));
                }
                Step::Part { field, since, .. } => {
                    let found = part_row(gen.names.field(id, *field as usize), *since);
                    parts.extend([row_of(indent, &found), hard()]);
                }
            }
        }
    }
    concat(parts)
}

fn section_table(gen: &Gen<'_>, id: TypeId, run: &Run, data: u32, parts: &mut Vec<Doc>) {
    let sizes = section_sizes(run, data);
    parts.extend([text("%%"), hard(), text(format!("%% Layout: {sizes}")), hard()]);
    parts.extend([text("%%   offset    size  field"), hard()]);
    let name = |id, field| gen.names.field(id, field).to_owned();
    parts.extend(section_rows(run, data, id, name).iter().flat_map(|found| [row_of(0, found), hard()]));
}

fn row_of(indent: usize, found: &Row) -> Doc {
    let Row { at, size, name } = found;
    text(format!("%% {:indent$}{at:>6}  {size:>6}  {name}", "").trim_end().to_owned())
}
