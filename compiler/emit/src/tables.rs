//! Rows of the tables that say where a record's fields lie, without the comment signs around them.

use aldis_plan::{leaves, ArmSlot, Extent, Repr, Run, Scalar, Slot, SlotKind};
use aldis_schema::{Schema, Type, TypeId};

/// Bytes of a pointer, and of the unit in which sections are counted.
const WORD: u32 = 8;

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

/// How large the sections of a record between segments are: `2 words of data, 1 pointer`.
pub fn section_sizes(run: &Run, data: u32) -> String {
    let counted = |count: u32, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    format!("{} of data, {}", counted(data / WORD, "word"), counted((run.size - data) / WORD, "pointer"))
}

/// The rows of a record between segments: offsets in its data section, a bit behind the dot, and after a `*` which pointer. Arms
/// of unions have rows too. `name` gives the name of a record's field or a union's arm.
pub fn section_rows(run: &Run, data: u32, record: TypeId, name: impl Fn(TypeId, usize) -> String) -> Vec<Row> {
    let mut rows = SectionRows { data, name: &name, rows: Vec::new() };
    rows.slots(record, &run.slots, "");
    rows.rows
}

struct SectionRows<'n> {
    data: u32,
    name: &'n dyn Fn(TypeId, usize) -> String,
    rows: Vec<Row>,
}

impl SectionRows<'_> {
    fn slots(&mut self, owner: TypeId, slots: &[Slot], path: &str) {
        for slot in slots {
            let Some(index) = slot.field else { continue };
            let name = match (path, (self.name)(owner, index as usize)) {
                (path, name) if name.is_empty() => path.to_owned(),
                ("", name) => name,
                (path, name) => format!("{path}.{name}"),
            };
            self.slot(slot, name);
        }
    }

    fn slot(&mut self, slot: &Slot, name: String) {
        let (at, size) = match &slot.kind {
            SlotKind::Nest { record, slots } => return self.slots(*record, slots, &name),
            SlotKind::Choice { union, arms } => return self.choice(slot, *union, arms, &name),
            SlotKind::Pointer { .. } => (format!("*{}", (slot.at - self.data) / WORD), slot.width.to_string()),
            SlotKind::Scalar(Scalar { repr: Repr::Bit(bit), .. }) => (format!("{}.{bit}", slot.at), "1 bit".to_owned()),
            SlotKind::Scalar(_) => (slot.at.to_string(), slot.width.to_string()),
            _ => (String::new(), "0".to_owned()),
        };
        self.rows.push(Row { at, size, name });
    }

    fn choice(&mut self, slot: &Slot, union: TypeId, arms: &[ArmSlot], path: &str) {
        let shown = if path.is_empty() { "(union)".to_owned() } else { format!("{path}, a union") };
        self.rows.push(Row { at: slot.at.to_string(), size: "2".to_owned(), name: format!("{shown}: which arm") });
        for arm in arms {
            let before = self.rows.len();
            self.slots(union, std::slice::from_ref(&arm.slot), path);
            if let Some(row) = self.rows.get_mut(before) {
                row.name.push_str(&format!(" (arm {})", arm.tag));
            }
        }
    }
}

fn since(version: u32) -> String {
    if version > 0 {
        format!(", since version {version}")
    } else {
        String::new()
    }
}
