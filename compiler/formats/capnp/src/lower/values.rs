//! Values that the schema spells out, by the types that they belong to.

use super::instances::{Instances, Member};
use crate::model::{FieldKind, Struct, StructValue, Value};
use aldis_schema::{Field, Literal, Type, TypeId, TypeKind};

impl Instances<'_> {
    /// Gives the fields their defaults, now that all types are there.
    pub fn set_defaults(&mut self) {
        for index in 0..self.types.len() {
            let defaults = defaults(self, TypeId(index as u32));
            match &mut self.types[index].kind {
                TypeKind::Record(record) => {
                    record.fields.iter_mut().zip(defaults).for_each(|(field, default)| field.default = default);
                }
                TypeKind::Union(union) => {
                    union.arms.iter_mut().zip(defaults).for_each(|(arm, default)| arm.field.default = default);
                }
                TypeKind::Enum(_) | TypeKind::Flags(_) => {}
            }
        }
    }
}

/// The defaults that the schema gives to the fields of a record or the arms of a union, in their order.
fn defaults(instances: &Instances<'_>, id: TypeId) -> Vec<Option<Literal>> {
    let origin = &instances.origins[id.index()];
    let fields: Vec<&Field> = fields(&instances.types[id.index()].kind);
    let pairs = fields.iter().zip(&origin.members);
    pairs.map(|(field, member)| default(instances, field, member, origin.shape?)).collect()
}

fn fields(kind: &TypeKind) -> Vec<&Field> {
    match kind {
        TypeKind::Record(record) => record.fields.iter().collect(),
        TypeKind::Union(union) => union.arms.iter().map(|arm| &arm.field).collect(),
        TypeKind::Enum(_) | TypeKind::Flags(_) => Vec::new(),
    }
}

fn default(instances: &Instances<'_>, field: &Field, member: &Member, shape: &Struct) -> Option<Literal> {
    let Member::Field(index) = member else { return None };
    match &shape.fields[*index].kind {
        FieldKind::Slot { ty, default, .. } if *default != Value::zero(ty) => literal(instances, default, &field.ty),
        _ => None,
    }
}

/// A value of type `ty`; `None` for one whose type is open.
fn literal(instances: &Instances<'_>, value: &Value, ty: &Type) -> Option<Literal> {
    Some(match (value, ty.required()) {
        (Value::Void | Value::Null, _) => Literal::Null,
        (Value::Bool(v), _) => Literal::Bool(*v),
        (Value::Int(v), _) => Literal::Int(*v),
        (Value::Enum(v), _) => Literal::Int((*v).into()),
        (Value::Float32(bits), _) => Literal::Float(f32::from_bits(*bits).into()),
        (Value::Float64(bits), _) => Literal::Float(f64::from_bits(*bits)),
        (Value::Text(text), _) => Literal::Text(text.clone()),
        (Value::Data(bytes), _) => Literal::Bytes(bytes.clone()),
        (Value::List(elements), ty) => {
            Literal::List(elements.iter().map(|v| literal(instances, v, ty.element())).collect::<Option<_>>()?)
        }
        (Value::Struct(value), Type::Named(id)) => record(instances, value, *id),
        (Value::Struct(_) | Value::Any(..) | Value::Opaque(_), _) => return None,
    })
}

/// A struct's or group's value: every field, those that are not spelled out with what zeros mean.
fn record(instances: &Instances<'_>, value: &StructValue, id: TypeId) -> Literal {
    match &instances.types[id.index()].kind {
        TypeKind::Union(_) => choice(instances, value, id),
        TypeKind::Record(record) => {
            let members = record.fields.iter().zip(&instances.origins[id.index()].members);
            Literal::List(
                members
                    .map(|(field, member)| match member {
                        Member::Union(union) => choice(instances, value, *union),
                        Member::Field(index) => {
                            let given = value.fields.iter().find(|(given, _)| given == index);
                            given
                                .and_then(|(_, v)| literal(instances, v, &field.ty))
                                .unwrap_or_else(|| unspelled(instances, field, id, *index))
                        }
                    })
                    .collect(),
            )
        }
        TypeKind::Enum(_) | TypeKind::Flags(_) => Literal::Null,
    }
}

/// The active arm of a union, which is its first where none is spelled out.
fn choice(instances: &Instances<'_>, value: &StructValue, id: TypeId) -> Literal {
    let TypeKind::Union(union) = &instances.types[id.index()].kind else { return Literal::Null };
    let members = union.arms.iter().zip(&instances.origins[id.index()].members);
    let mut first = Literal::Null;
    for (arm, member) in members {
        let Member::Field(index) = member else { continue };
        if let Some((_, value)) = value.fields.iter().find(|(given, _)| given == index) {
            let value = literal(instances, value, &arm.field.ty).unwrap_or(Literal::Null);
            return Literal::Choice { tag: arm.tag, value: Box::new(value) };
        }
        if arm.tag == 0 {
            first = unspelled(instances, &arm.field, id, *index);
        }
    }
    Literal::Choice { tag: 0, value: Box::new(first) }
}

/// The value of a field whose bits are all zero: its default, and null where it is a pointer.
fn unspelled(instances: &Instances<'_>, field: &Field, owner: TypeId, index: usize) -> Literal {
    let kind = instances.origins[owner.index()].shape.map(|shape| &shape.fields[index].kind);
    match (kind, &field.ty) {
        (_, Type::Optional(_)) => Literal::Null,
        (Some(FieldKind::Slot { default, .. }), ty) => literal(instances, default, ty).unwrap_or(Literal::Null),
        (_, Type::Named(id)) => record(instances, &StructValue::default(), *id),
        _ => Literal::Null,
    }
}
