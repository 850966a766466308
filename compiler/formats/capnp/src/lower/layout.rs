//! The places of the bytes: each struct is one run of two sections.

use super::instances::{Instances, Member};
use crate::model::{Field, FieldKind, Struct, Value};
use aldis_plan::{
    ArmSlot, Blob, Content, Element, Extent, Layout, Missing, Node, Repeat, Repr, Run, Scalar, Shape, Slot, SlotKind,
    Step,
};
use aldis_schema::{Encoding, Literal, Role, Type, TypeId, TypeKind};

const WORD: u32 = 8;

/// Parallel to the types: structs have one; groups lie within theirs.
pub(super) fn layouts(instances: &Instances<'_>) -> Vec<Option<Layout>> {
    let types = instances.types.iter().enumerate();
    types
        .map(|(index, definition)| match &definition.kind {
            TypeKind::Record(record) if record.role == Role::Struct => Some(layout(instances, TypeId(index as u32))),
            _ => None,
        })
        .collect()
}

fn layout(instances: &Instances<'_>, record: TypeId) -> Layout {
    let shape = shape(instances, record);
    let data = u32::from(shape.data_words) * WORD;
    let run = Run {
        size: data + u32::from(shape.pointers) * WORD,
        extent: Extent::Sections { data },
        slots: Layouts { instances, data }.slots(record),
    };
    Layout { record, rebase: false, steps: vec![Step::Run(run)] }
}

fn shape<'m>(instances: &Instances<'m>, id: TypeId) -> &'m Struct {
    instances.origins[id.index()].shape.expect("records and unions come from structs")
}

struct Layouts<'i, 'm> {
    instances: &'i Instances<'m>,
    /// Bytes of the data section, after which the pointers lie.
    data: u32,
}

impl Layouts<'_, '_> {
    /// The slots of a record's fields.
    fn slots(&self, id: TypeId) -> Vec<Slot> {
        let members = &self.instances.origins[id.index()].members;
        let fields = &self.instances.types[id.index()].kind;
        let TypeKind::Record(record) = fields else { return Vec::new() };
        let slots = record.fields.iter().zip(members).enumerate().map(|(index, (field, member))| {
            let slot = match member {
                Member::Field(of) => self.slot(&shape(self.instances, id).fields[*of], &field.ty),
                Member::Union(union) => self.choice(*union),
            };
            Slot { field: Some(index as u32), ..slot }
        });
        slots.collect()
    }

    fn choice(&self, id: TypeId) -> Slot {
        let shape = shape(self.instances, id);
        let members = &self.instances.origins[id.index()].members;
        let TypeKind::Union(union) = &self.instances.types[id.index()].kind else {
            unreachable!("a choice is between the arms of a union")
        };
        let arms = union.arms.iter().zip(members).enumerate().filter_map(|(index, (arm, member))| match member {
            Member::Field(of) => {
                let slot = self.slot(&shape.fields[*of], &arm.field.ty);
                Some(ArmSlot { tag: arm.tag, slot: Slot { field: Some(index as u32), ..slot } })
            }
            Member::Union(_) => None,
        });
        let at = shape.union.map_or(0, |union| union.discriminant * 2);
        place(at, 2, Missing::Default, SlotKind::Choice { union: id, arms: arms.collect() })
    }

    fn slot(&self, field: &Field, ty: &Type) -> Slot {
        match (&field.kind, ty) {
            (FieldKind::Slot { offset, default, .. }, ty) => self.at(*offset, default, ty),
            (FieldKind::Group(_), Type::Named(id)) if self.is_union(*id) => self.choice(*id),
            (FieldKind::Group(_), Type::Named(id)) => {
                place(0, 0, Missing::Default, SlotKind::Nest { record: *id, slots: self.slots(*id) })
            }
            (FieldKind::Group(_), _) => unreachable!("a group's type is a record or union"),
        }
    }

    fn is_union(&self, id: TypeId) -> bool {
        matches!(self.instances.types[id.index()].kind, TypeKind::Union(_))
    }

    /// A value at an offset in units of its own size.
    fn at(&self, offset: u32, default: &Value, ty: &Type) -> Slot {
        match (scalar(self.instances, ty), ty) {
            (Some(Repr::Bit(_)), _) => {
                let bit = (offset % 8) as u8;
                let xor = u64::from(*default == Value::Bool(true)) << bit;
                let kind = SlotKind::Scalar(Scalar { xor, ..Scalar::new(Repr::Bit(bit), ty.clone()) });
                place(offset / 8, 1, Missing::Default, kind)
            }
            (Some(repr), _) => {
                let width = repr.width();
                let kind = SlotKind::Scalar(Scalar { xor: bits(default, width), ..Scalar::new(repr, ty.clone()) });
                place(offset * width, width, Missing::Default, kind)
            }
            (None, Type::Void) => place(0, 0, Missing::Default, void()),
            (None, ty) => {
                let target = Box::new(self.target(ty.required()));
                place(self.data + offset * WORD, WORD, Missing::Null, SlotKind::Pointer { target })
            }
        }
    }

    /// The node behind a pointer.
    fn target(&self, ty: &Type) -> Node {
        match ty {
            Type::Bytes => Node::Blob(Blob { head: Run::default(), content: Content::Bytes }),
            Type::Opaque(kind) => Node::Opaque { kind: *kind },
            Type::Named(id) => Node::Call { record: *id },
            Type::List(element) => {
                let (element, element_min) = self.element(element);
                let (head, shape) = (Run::default(), Shape::List);
                Node::Repeat(Box::new(Repeat { head, element: Element::One(element), shape, element_min }))
            }
            _ => Node::Blob(Blob { head: Run::default(), content: Content::Text(Encoding::Utf8) }),
        }
    }

    fn element(&self, ty: &Type) -> (Node, u32) {
        let cell = |width, kind| (Node::Cell { slot: Box::new(place(0, width, Missing::Never, kind)) }, width);
        match (scalar(self.instances, ty), ty) {
            (Some(repr), _) => cell(repr.width(), SlotKind::Scalar(Scalar::new(repr, ty.clone()))),
            (None, Type::Void) => cell(0, void()),
            (None, Type::Named(id)) => (Node::Call { record: *id }, 0),
            (None, ty) => cell(WORD, SlotKind::Pointer { target: Box::new(self.target(ty.required())) }),
        }
    }
}

fn place(at: u32, width: u32, missing: Missing, kind: SlotKind) -> Slot {
    Slot { at, width, field: None, since: 0, missing, kind }
}

fn void() -> SlotKind {
    SlotKind::Constant { ty: Type::Void, value: Literal::Null }
}

/// How a value in the data section, or an element of a list of such, is stored.
fn scalar(instances: &Instances<'_>, ty: &Type) -> Option<Repr> {
    match ty {
        Type::Bool => Some(Repr::Bit(0)),
        Type::Int(int) => Some(Repr::int(int.bits, int.signed)),
        Type::Float32 => Some(Repr::F32),
        Type::Float64 => Some(Repr::F64),
        Type::Named(id) => matches!(instances.types[id.index()].kind, TypeKind::Enum(_)).then_some(Repr::U16),
        _ => None,
    }
}

/// The bits of a default as they would be stored in `width` bytes.
fn bits(default: &Value, width: u32) -> u64 {
    let bits = match default {
        Value::Int(v) => *v as u64,
        Value::Enum(v) => u64::from(*v),
        Value::Float32(bits) => u64::from(*bits),
        Value::Float64(bits) => *bits,
        _ => 0,
    };
    bits & (u64::MAX >> (64 - 8 * width))
}
