//! The annotations of `/capnp/compat/json.capnp`, by their ids.

use crate::model::{Annotation, FieldKind, Model, NodeId, NodeKind, Value};
use aldis_schema::{BytesText, Discriminator, JsonField};
use std::collections::HashSet;

const NAME: u64 = 0xfa5b_1fd6_1c2e_7c3d;
const FLATTEN: u64 = 0x82d3_e852_af03_36bf;
const DISCRIMINATOR: u64 = 0xcfa7_94e8_d19a_0162;
const BASE64: u64 = 0xd7d8_7945_0a25_3e4b;
const HEX: u64 = 0xf061_e22f_0ae5_c7b5;

/// The JSON that the annotations of a field, group or union ask for.
pub(super) fn field(annotations: &[Annotation]) -> JsonField {
    let bytes = match (find(annotations, BASE64), find(annotations, HEX)) {
        (Some(_), _) => Some(BytesText::Base64),
        (None, Some(_)) => Some(BytesText::Hex),
        (None, None) => None,
    };
    // `FlattenOptions`: field 0 is `prefix`.
    let flatten = find(annotations, FLATTEN).map(|value| member(value, 0).unwrap_or_default());
    JsonField { name: name(annotations), flatten, bytes }
}

/// The name of a field or enumerant.
pub(super) fn name(annotations: &[Annotation]) -> Option<String> {
    match find(annotations, NAME) {
        Some(Value::Text(name)) => Some(name.clone()),
        _ => None,
    }
}

/// The discriminator of a union that has these annotations. `name` is the union's where that is flattened, which is what
/// the member is called if the annotation does not say.
pub(super) fn discriminator(union: &[Annotation], name: Option<&str>) -> Option<Discriminator> {
    let value = find(union, DISCRIMINATOR)?;
    // `DiscriminatorOptions`: field 0 is `name`, 1 is `valueName`.
    let name = member(value, 0).or_else(|| name.map(str::to_owned))?;
    Some(Discriminator { name, value_name: member(value, 1) })
}

/// The structs that any of these annotations is on, or on a field, group or union of, with their groups: the reference
/// gives them a writer of their own.
pub(super) fn annotated(model: &Model) -> HashSet<NodeId> {
    let mut found = HashSet::new();
    for node in model.nodes.values() {
        let NodeKind::Struct(shape) = &node.kind else { continue };
        if shape.is_group {
            continue;
        }
        // The struct and its groups.
        let mut parts = HashSet::new();
        let mut open = vec![node];
        let mut any = false;
        while let Some(part) = open.pop() {
            let NodeKind::Struct(shape) = &part.kind else { continue };
            if !parts.insert(part.id) {
                continue;
            }
            any |= is_any(&part.annotations) || shape.fields.iter().any(|field| is_any(&field.annotations));
            open.extend(shape.fields.iter().filter_map(|field| match &field.kind {
                FieldKind::Group(id) => model.nodes.get(id),
                FieldKind::Slot { .. } => None,
            }));
        }
        if any {
            found.extend(parts);
        }
    }
    found
}

fn is_any(annotations: &[Annotation]) -> bool {
    annotations.iter().any(|annotation| [NAME, FLATTEN, DISCRIMINATOR, BASE64, HEX].contains(&annotation.id))
}

fn find(annotations: &[Annotation], id: u64) -> Option<&Value> {
    annotations.iter().find(|annotation| annotation.id == id).map(|annotation| &annotation.value)
}

fn member(value: &Value, index: usize) -> Option<String> {
    let Value::Struct(value) = value else { return None };
    value.fields.iter().find_map(|(field, value)| match value {
        Value::Text(text) if *field == index => Some(text.clone()),
        _ => None,
    })
}
