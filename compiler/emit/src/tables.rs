//! Rows of the tables that say where a record's fields lie, without the comment signs around them.

use aldis_plan::{leaves, Extent, Run, SlotKind};
use aldis_schema::{Schema, Type, TypeId};

/// One line of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The offset; `after` for a part, empty for the total.
    pub at: String,
    pub size: String,
    pub name: String,
}

/// The rows of a run and its total. `name` gives the name of the field that a path of field indices leads to.
pub fn run_rows(run: &Run, name: impl Fn(&[u32]) -> String) -> Vec<Row> {
    let mut rows = Vec::new();
    for leaf in leaves(run) {
        let slot = leaf.slot;
        let own = match &slot.kind {
            SlotKind::Register(register) => format!("({})", register.name),
            SlotKind::Ignored { name, header: true, .. } => format!("({name}, header value)"),
            SlotKind::Ignored { name, .. } => format!("({name}, not read)"),
            _ => name(&leaf.path),
        };
        let note = match &slot.kind {
            SlotKind::Constant { .. } => ", constant",
            SlotKind::Link(_) => ", an offset",
            SlotKind::Presence(_) => ", presence and an offset",
            _ => "",
        };
        let name = format!("{own}{note}{}", since(slot.since));
        rows.push(Row { at: slot.at.to_string(), size: slot.width.to_string(), name });
    }
    let total = match run.extent {
        Extent::Exact => "(total)",
        Extent::Acting | Extent::Stated { .. } | Extent::Sections { .. } => {
            "(total, as this schema's writers write it)"
        }
    };
    rows.push(Row { at: String::new(), size: run.size.to_string(), name: total.to_owned() });
    rows
}

/// The row of a part.
pub fn part_row(name: &str, version: u32) -> Row {
    Row { at: "after".to_owned(), size: "varies".to_owned(), name: format!("{name}{}", since(version)) }
}

/// The names of the fields that lead to a leaf, with dots between them. `name` gives the name of a record's field.
pub fn field_path(schema: &Schema, mut record: TypeId, path: &[u32], name: impl Fn(TypeId, usize) -> String) -> String {
    let mut names = Vec::new();
    for &field in path {
        names.push(name(record, field as usize));
        if let Type::Named(inner) = schema.record(record).fields[field as usize].ty.required() {
            record = *inner;
        }
    }
    names.join(".")
}

fn since(version: u32) -> String {
    if version > 0 {
        format!(", since version {version}")
    } else {
        String::new()
    }
}
