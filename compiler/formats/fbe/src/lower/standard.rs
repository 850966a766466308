//! The standard form: every struct a block behind its size and type, everything variable behind an offset.

use super::shared::{blob, cell, cell_node, cell_pair, class, register, repeat, scalar, Class};
use aldis_plan::{
    Element, Envelope, Extent, FrameCheck, Layout, Link, Meaning, Missing, Node, NullLink, RootPlace, Run, Shape, Slot,
    SlotKind, Step,
};
use aldis_schema::{Schema, Type, TypeId, TypeKind};

/// Envelope and block head.
pub(super) const MIN_FRAME: u32 = 16;

/// A block's size and type.
const HEAD: u32 = 8;

/// `u32 full_size, u32 root_offset`
pub(super) fn envelope() -> Envelope {
    let size = register("size", 0, Meaning::FrameSize { check: FrameCheck::Bounds });
    let root = register("root", 4, Meaning::Root);
    Envelope { head: Run { size: 8, extent: Extent::Exact, slots: vec![size, root] }, root: RootPlace::Registered }
}

/// Parallel to the schema's types.
pub(super) fn layouts(schema: &Schema, numbers: &[u32]) -> Vec<Option<Layout>> {
    let layout = |(index, number): (usize, &u32)| match &schema.types[index].kind {
        TypeKind::Record(_) => Some(layout(schema, TypeId(index as u32), *number)),
        _ => None,
    };
    numbers.iter().enumerate().map(layout).collect()
}

fn layout(schema: &Schema, record: TypeId, number: u32) -> Layout {
    let mut fields = Vec::new();
    let mut at = HEAD;
    for (index, field) in schema.record(record).fields.iter().enumerate() {
        let slot = slot(schema, &field.ty);
        let width = slot.width;
        fields.push(Slot { at, field: Some(index as u32), missing: Missing::Default, ..slot });
        at += width;
    }
    let head = [
        register("size", 0, Meaning::Extent { writes: u64::from(at) }),
        register("type", 4, Meaning::TypeId { expect: u64::from(number) }),
    ];
    let slots = head.into_iter().chain(fields).collect();
    let run = Run { size: at, extent: Extent::Stated { head: HEAD }, slots };
    Layout { record, rebase: true, steps: vec![Step::Run(run)] }
}

/// The fixed part of a value, at 0.
fn slot(schema: &Schema, ty: &Type) -> Slot {
    match class(schema, ty) {
        Class::Scalar(repr) => scalar(ty, repr),
        Class::Blob(content) => link(NullLink::Empty, blob(content)),
        Class::Record(record) => link(NullLink::Refused, Node::Call { record }),
        Class::Optional(inner) => {
            let target = Node::Rebase { value: Box::new(cell_node(slot(schema, inner))) };
            cell(5, SlotKind::Presence(Link { null: NullLink::Refused, target: Box::new(target) }))
        }
        Class::Array(element, count) => {
            let element = Box::new(slot(schema, element));
            cell(element.width * count, SlotKind::Array { count, element })
        }
        Class::Collection(shape, element) => {
            let element = slot(schema, element);
            let stride = element.width;
            link(NullLink::Empty, repeat(shape, Element::One(cell_node(element)), stride))
        }
        Class::Map(key, value) => {
            let (key, value) = (slot(schema, key), slot(schema, value));
            let stride = key.width + value.width;
            link(NullLink::Empty, repeat(Shape::Map, cell_pair(key, value), stride))
        }
    }
}

fn link(null: NullLink, target: Node) -> Slot {
    cell(4, SlotKind::Link(Link { null, target: Box::new(target) }))
}
