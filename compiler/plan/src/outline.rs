//! A record's layout as lines for people: where each field lies, and what nothing lies in.

use crate::describe::{node_text, slot_text};
use crate::{leaves, Extent, Node, Plan, Repr, Run, Scalar, Slot, SlotKind, Step};
use aldis_schema::{Schema, Type, TypeId, TypeKind};

/// The lines of one record, or of the head of a message.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    pub lines: Vec<Line>,
    /// Bytes in which nothing lies.
    pub wasted: u32,
    /// `24 bytes, 2 bytes wasted`: what there is to say of the whole.
    pub summary: String,
}

/// A field, a register, a part or a hole.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// The offset, for what has one; with the bit where it is no whole byte.
    pub at: Option<u32>,
    pub bit: Option<u8>,
    /// Bytes; 0 for a bit and for what takes none. `None` where the size is variable.
    pub size: Option<u32>,
    /// `price.mantissa`
    pub name: String,
    pub ty: String,
    pub since: u32,
    /// Indices of fields and arms that lead from the record to it; empty for what is no field.
    pub path: Vec<u32>,
    /// Nothing lies there.
    pub is_hole: bool,
}

impl Line {
    /// `8`, `8.3` for a bit; empty without an offset.
    pub fn offset_text(&self) -> String {
        match (self.at, self.bit) {
            (Some(at), Some(bit)) => format!("{at}.{bit}"),
            (Some(at), None) => at.to_string(),
            (None, _) => String::new(),
        }
    }

    /// `4`, `bit`; empty where it is variable.
    pub fn size_text(&self) -> String {
        match (self.size, self.bit) {
            (_, Some(_)) => "bit".into(),
            (Some(size), None) => size.to_string(),
            (None, None) => String::new(),
        }
    }

    /// The type, and since which version it is there.
    pub fn type_text(&self) -> String {
        match self.since {
            0 => self.ty.clone(),
            since => format!("{}, since {since}", self.ty),
        }
    }
}

impl Plan {
    /// The lines of a record; `None` where the form has no layout for it.
    pub fn outline(&self, record: TypeId) -> Option<Outline> {
        let layout = self.layouts.get(record.index())?.as_ref()?;
        let mut lines = Lines { schema: &self.schema, outline: Outline::default() };
        for step in &layout.steps {
            match step {
                Step::Run(run) => lines.run(Some(record), run),
                Step::Part { field, since, node } => lines.part(record, *field, *since, node),
            }
        }
        let mut runs = layout.steps.iter().filter_map(|step| match step {
            Step::Run(run) => Some(run),
            Step::Part { .. } => None,
        });
        let only = runs.next().filter(|_| matches!(layout.steps.first(), Some(Step::Run(_))));
        Some(lines.finish(only.filter(|_| runs.next().is_none())))
    }

    /// The lines of the head of the message that the record is; `None` where it has none.
    pub fn outline_of_head(&self, record: TypeId) -> Option<Outline> {
        let head = &self.messages.iter().find(|message| message.record == record)?.envelope.head;
        if head.slots.is_empty() {
            return None;
        }
        let mut lines = Lines { schema: &self.schema, outline: Outline::default() };
        lines.run(None, head);
        Some(lines.finish(Some(head)))
    }
}

struct Lines<'a> {
    schema: &'a Schema,
    outline: Outline,
}

impl Lines<'_> {
    fn run(&mut self, record: Option<TypeId>, run: &Run) {
        let mut end = 0;
        let mut leaves = leaves(run);
        if let Extent::Sections { .. } = run.extent {
            // There the schema's order is not that of the bytes.
            leaves.sort_by_key(|leaf| (leaf.slot.width == 0, leaf.slot.at, bit_of(leaf.slot)));
        }
        for leaf in leaves {
            let slot = leaf.slot;
            if slot.width > 0 {
                self.hole(end, slot.at);
                end = end.max(slot.end());
            }
            let name = match &slot.kind {
                SlotKind::Register(register) => register.name.clone(),
                SlotKind::Ignored { name, .. } => name.clone(),
                _ => record.map(|record| field_path(self.schema, record, &leaf.path)).unwrap_or_default(),
            };
            let bit = bit_of(slot).filter(|_| slot.width > 0);
            self.outline.lines.push(Line {
                at: (slot.width > 0).then_some(slot.at),
                bit,
                size: Some(if bit.is_some() { 0 } else { slot.width }),
                name,
                ty: slot_text(self.schema, &slot.kind),
                since: slot.since,
                path: leaf.path,
                is_hole: false,
            });
        }
        self.hole(end, run.size);
    }

    fn hole(&mut self, from: u32, to: u32) {
        if let Some(size) = to.checked_sub(from).filter(|&size| size > 0) {
            self.outline.wasted += size;
            self.outline.lines.push(Line {
                at: Some(from),
                size: Some(size),
                name: "(hole)".into(),
                is_hole: true,
                ..Line::default()
            });
        }
    }

    fn part(&mut self, record: TypeId, field: u32, since: u32, node: &Node) {
        let name = field_path(self.schema, record, &[field]);
        let ty = node_text(self.schema, node);
        self.outline.lines.push(Line { name, ty, since, path: vec![field], ..Line::default() });
    }

    /// With the sum; `run` when the record has a single one.
    fn finish(self, run: Option<&Run>) -> Outline {
        let mut outline = self.outline;
        let size = run.map(|run| count(run.size, "byte"));
        let wasted = format!("{} wasted", count(outline.wasted, "byte"));
        let extent = match run.map(|run| run.extent) {
            Some(Extent::Acting | Extent::Stated { .. }) => Some("the message says how many there are".to_owned()),
            Some(Extent::Sections { data }) => {
                let pointers = run.map_or(0, |run| (run.size - data) / 8);
                let sections = [count(data / 8, "word"), count(pointers, "pointer")];
                Some(format!("{} of data and {}, or as many as the message says", sections[0], sections[1]))
            }
            _ => None,
        };
        outline.summary = size.into_iter().chain([wasted]).chain(extent).collect::<Vec<_>>().join(", ");
        outline
    }
}

fn count(number: u32, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// The place in its byte of a slot that is a bit.
fn bit_of(slot: &Slot) -> Option<u8> {
    match &slot.kind {
        SlotKind::Scalar(Scalar { repr: Repr::Bit(bit), .. }) => Some(*bit),
        _ => None,
    }
}

/// `price.mantissa`: the names along a path of indices of fields and arms.
fn field_path(schema: &Schema, record: TypeId, path: &[u32]) -> String {
    let mut names = Vec::new();
    let mut within = Some(record);
    for &index in path {
        let field = within.and_then(|id| match &schema.type_def(id).kind {
            TypeKind::Record(record) => record.fields.get(index as usize),
            TypeKind::Union(union) => union.arms.get(index as usize).map(|arm| &arm.field),
            TypeKind::Enum(_) | TypeKind::Flags(_) => None,
        });
        let Some(field) = field else { break };
        names.push(if field.name.is_empty() { "(union)" } else { &field.name });
        within = match field.ty.required() {
            Type::Named(id) => Some(*id),
            _ => None,
        };
    }
    names.join(".")
}
