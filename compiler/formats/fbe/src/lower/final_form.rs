//! The Final form: everything in place, one after another, without heads and offsets.

use super::shared::{blob, cell, cell_node, cell_pair, class, register, repeat, scalar, Class};
use aldis_plan::{
    Element, Envelope, Extent, FrameCheck, Layout, Meaning, Node, RootPlace, Run, Shape, Slot, SlotKind, Step,
};
use aldis_schema::{Schema, Type, TypeId, TypeKind};

/// The envelope.
pub(super) const MIN_FRAME: u32 = 8;

/// A struct of fixed size with more slots than this, nested ones included, is called rather than spelled out within
/// whatever holds it. The bytes are the same; without a limit structs of structs would double the plan at each step.
const MAX_NESTED_SLOTS: usize = 128;

/// The same for all of a schema: where so many slots are spelled out, further structs are called.
const MAX_SPELLED_SLOTS: usize = 65_536;

/// `u32 size, u32 type`
pub(super) fn envelope(number: u64) -> Envelope {
    let size = register("size", 0, Meaning::FrameSize { check: FrameCheck::Exact });
    let id = register("type", 4, Meaning::TypeId { expect: number });
    Envelope { head: Run { size: 8, extent: Extent::Exact, slots: vec![size, id] }, root: RootPlace::Follows }
}

/// Parallel to the schema's types.
pub(super) fn layouts(schema: &Schema) -> Vec<Option<Layout>> {
    let mut lowering = Lowering { schema, measures: vec![None; schema.types.len()], spelled: 0 };
    let mut layouts = Vec::with_capacity(schema.types.len());
    for (index, definition) in schema.types.iter().enumerate() {
        layouts.push(match definition.kind {
            TypeKind::Record(_) => Some(lowering.layout(TypeId(index as u32))),
            _ => None,
        });
    }
    layouts
}

/// How a type lies in place.
#[derive(Clone, Copy)]
struct Measure {
    /// The bytes that it takes, or the fewest where that varies.
    size: u32,
    /// Slots that it takes to spell it out; `None` when it cannot be, having parts of variable size or too many slots.
    slots: Option<usize>,
}

struct Lowering<'a> {
    schema: &'a Schema,
    /// By type: records only.
    measures: Vec<Option<Measure>>,
    /// Slots of nested structs so far.
    spelled: usize,
}

impl Lowering<'_> {
    fn layout(&mut self, record: TypeId) -> Layout {
        let mut steps = Vec::new();
        let mut run = Run::default();
        for (index, field) in self.schema.record(record).fields.iter().enumerate() {
            let field_index = Some(index as u32);
            if let Some(slot) = self.slot(&field.ty, run.size) {
                run.size += slot.width;
                run.slots.push(Slot { field: field_index, ..slot });
                continue;
            }
            if !run.slots.is_empty() {
                steps.push(Step::Run(std::mem::take(&mut run)));
            }
            steps.push(Step::Part { field: index as u32, since: 0, node: self.node(&field.ty) });
        }
        if !run.slots.is_empty() {
            steps.push(Step::Run(run));
        }
        Layout { record, rebase: false, steps }
    }

    /// The value as a slot at `at`, where its size is fixed.
    fn slot(&mut self, ty: &Type, at: u32) -> Option<Slot> {
        let measure = self.measure(ty);
        measure.slots?;
        let kind = match class(self.schema, ty) {
            Class::Scalar(repr) => return Some(Slot { at, ..scalar(ty, repr) }),
            Class::Record(record) => SlotKind::Nest { record, slots: self.nested(record, at)? },
            Class::Array(element, count) => SlotKind::Array { count, element: Box::new(self.slot(element, 0)?) },
            Class::Blob(_) | Class::Optional(_) | Class::Collection(..) | Class::Map(..) => return None,
        };
        Some(Slot { at, ..cell(measure.size, kind) })
    }

    fn nested(&mut self, record: TypeId, mut at: u32) -> Option<Vec<Slot>> {
        let fields = &self.schema.record(record).fields;
        self.spelled += fields.len();
        if self.spelled > MAX_SPELLED_SLOTS {
            return None;
        }
        let mut slots = Vec::with_capacity(fields.len());
        for (index, field) in fields.iter().enumerate() {
            let slot = self.slot(&field.ty, at)?;
            at += slot.width;
            slots.push(Slot { field: Some(index as u32), ..slot });
        }
        Some(slots)
    }

    /// The value as a node.
    fn node(&mut self, ty: &Type) -> Node {
        if let Some(slot) = self.slot(ty, 0) {
            return cell_node(slot);
        }
        match class(self.schema, ty) {
            Class::Scalar(repr) => cell_node(scalar(ty, repr)),
            Class::Blob(content) => blob(content),
            Class::Record(record) => Node::Call { record },
            Class::Optional(inner) => Node::Maybe { value: Box::new(self.node(inner)) },
            Class::Array(element, count) => Node::Series { count, element: Box::new(self.node(element)) },
            Class::Collection(shape, element) => {
                let element_min = self.measure(element).size;
                repeat(shape, Element::One(self.node(element)), element_min)
            }
            Class::Map(key, value) => {
                let element_min = self.measure(key).size + self.measure(value).size;
                repeat(Shape::Map, self.pair(key, value), element_min)
            }
        }
    }

    fn pair(&mut self, key: &Type, value: &Type) -> Element {
        match (self.slot(key, 0), self.slot(value, 0)) {
            (Some(key), Some(value)) => cell_pair(key, value),
            _ => Element::Pair { key: self.node(key), value: self.node(value) },
        }
    }

    /// Sizes are small: the front end refuses structs whose fixed part exceeds its limit.
    fn measure(&mut self, ty: &Type) -> Measure {
        match class(self.schema, ty) {
            Class::Scalar(repr) => Measure { size: repr.width(), slots: Some(1) },
            Class::Blob(_) | Class::Collection(..) | Class::Map(..) => Measure { size: 4, slots: None },
            Class::Optional(_) => Measure { size: 1, slots: None },
            Class::Array(element, count) => {
                let element = self.measure(element);
                Measure { size: element.size * count, slots: element.slots.map(|slots| slots + 1) }
            }
            Class::Record(record) => self.measure_record(record),
        }
    }

    /// Ends, since a struct never holds itself by value, and optionals and collections are not looked into.
    fn measure_record(&mut self, record: TypeId) -> Measure {
        if let Some(measure) = self.measures[record.index()] {
            return measure;
        }
        let mut sum = Measure { size: 0, slots: Some(1) };
        for field in &self.schema.record(record).fields {
            let part = self.measure(&field.ty);
            sum.size += part.size;
            sum.slots = sum.slots.zip(part.slots).map(|(all, more)| all + more).filter(|&all| all <= MAX_NESTED_SLOTS);
        }
        self.measures[record.index()] = Some(sum);
        sum
    }
}
