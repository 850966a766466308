//! The values of fields where the bytes end before their place.

use super::Shared;
use crate::module::Literal;
use crate::operand::LiteralId;
use crate::value::Value;
use aldis_plan::{Missing, Places, Slot, SlotKind};
use aldis_schema::{Field, Schema, TypeKind};

/// By type, by field or arm: the literal.
pub(super) fn literals(shared: &mut Shared<'_>) -> Vec<Vec<LiteralId>> {
    let plan = shared.plan;
    let places = plan.places();
    let mut found = Vec::new();
    for (index, of_type) in places.iter().enumerate() {
        let fields: Vec<&Field> = match &plan.schema.types[index].kind {
            TypeKind::Record(record) => record.fields.iter().collect(),
            TypeKind::Union(union) => union.arms.iter().map(|arm| &arm.field).collect(),
            TypeKind::Enum(_) | TypeKind::Flags(_) => Vec::new(),
        };
        let literals = fields.into_iter().zip(of_type).map(|(field, place)| {
            let value = missing(&plan.schema, &places, field, *place);
            let lacks = value == Value::Null && !field.nullable();
            shared.literals.push(Literal { value, ty: field.ty.clone(), lacks });
            LiteralId(shared.literals.len() as u32 - 1)
        });
        found.push(literals.collect());
    }
    found
}

fn missing(schema: &Schema, places: &Places<'_>, field: &Field, place: Option<&Slot>) -> Value {
    match place.map(|slot| (slot.missing, &slot.kind)) {
        Some((_, SlotKind::Pointer { .. })) => Value::Null,
        Some((Missing::Null, kind)) if !matches!(kind, SlotKind::Constant { .. }) => Value::Null,
        // All of its fields are missing in turn.
        Some((Missing::Default, SlotKind::Nest { record, .. })) => {
            let fields = schema.record(*record).fields.iter().zip(&places[record.index()]);
            Value::Record(fields.map(|(field, place)| missing(schema, places, field, *place)).collect())
        }
        Some((_, SlotKind::Choice { union, arms })) => {
            let first = arms.iter().find(|arm| arm.tag == 0).and_then(|arm| Some((arm, arm.slot.field?)));
            let value = first.map(|(arm, index)| {
                missing(schema, places, &schema.union(*union).arms[index as usize].field, Some(&arm.slot))
            });
            Value::Choice(0, Box::new(value.unwrap_or(Value::Null)))
        }
        _ => Value::of_default(field, schema),
    }
}
