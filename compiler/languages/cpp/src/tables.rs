//! Layout tables: offset, size and field of every run, in the comment above a record.

use crate::code::{line, Stmt};
use crate::gen::Gen;
use aldis_emit::tables::{field_path, part_row, run_rows, section_rows, section_sizes, Row};
use aldis_plan::{Step, TypeId};

/// The tables of a record in each form that lays it out.
pub(crate) fn layout_tables(gen: &Gen<'_>, id: TypeId) -> Vec<Stmt> {
    let mut parts = Vec::new();
    for wire in &gen.wires {
        let Some(layout) = &wire.plan.layouts[id.index()] else { continue };
        if let Some((run, data)) = wire.plan.sections(id) {
            // All forms of segments have the same.
            let name = |id, field| gen.names.member(id, field).to_owned();
            let heading = format!("///\n/// Layout: {}\n///   offset    size  field", section_sizes(run, data));
            let rows = section_rows(run, data, id, name);
            return std::iter::once(line(heading)).chain(rows.iter().map(|found| row("", found))).collect();
        }
        parts.push(line("///"));
        let later = layout.steps.iter().skip(1).any(|step| matches!(step, Step::Run(_)));
        let note = if later { " (+: from the end of the field before)" } else { "" };
        parts.push(line(format!("/// Layout in {}{note}:", wire.plan.form.name)));
        parts.push(line("///   offset    size  field"));
        for (index, step) in layout.steps.iter().enumerate() {
            match step {
                Step::Run(run) => {
                    let member = |id, field| gen.names.member(id, field).to_owned();
                    let rows = run_rows(run, |path| field_path(gen.schema, id, path, member));
                    // The total has no offset.
                    let sign = |found: &Row| if index == 0 || found.at.is_empty() { "" } else { "+" };
                    parts.extend(rows.iter().map(|found| row(sign(found), found)));
                }
                Step::Part { field, since, .. } => {
                    parts.push(row("", &part_row(gen.names.member(id, *field as usize), *since)));
                }
            }
        }
    }
    parts
}

/// `sign` goes before the offset.
fn row(sign: &str, found: &Row) -> Stmt {
    let Row { at, size, name } = found;
    line(format!("///   {:>6}  {size:>6}  {name}", format!("{sign}{at}")).trim_end().to_owned())
}
