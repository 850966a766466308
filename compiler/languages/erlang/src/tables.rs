//! Layout tables: offset, size and field of every run, in the comment above a type's functions.

use crate::gen::Gen;
use aldis_emit::doc::{comment, Doc};
use aldis_emit::tables::{field_path, part_row, run_rows, section_rows, section_sizes, Row};
use aldis_plan::{Run, Step, TypeId};
use aldis_schema::TypeKind;

/// The tables of a record in each form that lays it out, as comments; nothing for other types.
pub(crate) fn layout_tables(gen: &Gen<'_>, id: TypeId) -> Doc {
    comment("%%", &layout_lines(gen, id).join("\n"))
}

/// The lines of these tables.
pub(crate) fn layout_lines(gen: &Gen<'_>, id: TypeId) -> Vec<String> {
    let mut lines = Vec::new();
    if !matches!(gen.schema.type_def(id).kind, TypeKind::Record(_)) {
        return lines;
    }
    for wire in &gen.wires {
        let Some(layout) = &wire.plan.layouts[id.index()] else { continue };
        if let Some((run, data)) = wire.plan.sections(id) {
            // Forms of segments lay records out alike.
            if wire.suffix().is_empty() {
                section_table(gen, id, run, data, &mut lines);
            }
            continue;
        }
        lines.extend([String::new(), format!("Layout in {}:   offset    size  field", wire.plan.form.name)]);
        let indent = wire.plan.form.name.len() + 14;
        for step in &layout.steps {
            match step {
                Step::Run(run) => {
                    let name = |path: &[u32]| {
                        field_path(gen.schema, id, path, |id, field| gen.names.field(id, field).to_owned())
                    };
                    lines.extend(run_rows(run, name).iter().map(|found| row_of(indent, found)));
                }
                Step::Part { field, since, .. } => {
                    let found = part_row(gen.names.field(id, *field as usize), *since);
                    lines.push(row_of(indent, &found));
                }
            }
        }
    }
    lines
}

fn section_table(gen: &Gen<'_>, id: TypeId, run: &Run, data: u32, lines: &mut Vec<String>) {
    let sizes = section_sizes(run, data);
    lines.extend([String::new(), format!("Layout: {sizes}"), "  offset    size  field".to_owned()]);
    let name = |id, field| gen.names.field(id, field).to_owned();
    lines.extend(section_rows(run, data, id, name).iter().map(|found| row_of(0, found)));
}

fn row_of(indent: usize, found: &Row) -> String {
    let Row { at, size, name } = found;
    format!("{:indent$}{at:>6}  {size:>6}  {name}", "")
}
