//! Layout tables: offset, size and field of every run, in the comment above a record.

use crate::code::{stmt, Stmt};
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
            let heading =
                [stmt!("///"), stmt!("/// Layout: {}", section_sizes(run, data)), stmt!("///   offset    size  field")];
            let rows = section_rows(run, data, id, name);
            return heading.into_iter().chain(rows.iter().map(|found| row("", found))).collect();
        }
        parts.push(stmt!("///"));
        let later = layout.steps.iter().skip(1).any(|step| matches!(step, Step::Run(_)));
        let note = if later { " (+: from the end of the field before)" } else { "" };
        parts.push(stmt!("/// Layout in {}{note}:", wire.plan.form.name));
        parts.push(stmt!("///   offset    size  field"));
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
    stmt!("///   {}", format!("{:>6}  {size:>6}  {name}", format!("{sign}{at}")).trim_end())
}
