//! Records that are keys of sets or maps, and so have an order.

use crate::graph::fields_of;
use aldis_schema::{Schema, Type, TypeKind};

/// By type: whether it is a record that is a key, or a part of one.
pub(crate) fn keys(schema: &Schema) -> Vec<bool> {
    let mut found = vec![false; schema.types.len()];
    for index in 0..schema.types.len() {
        fields_of(schema, index).iter().for_each(|field| note_keys(schema, &field.ty, false, &mut found));
    }
    found
}

/// Notes the records that a value of that type has as keys, or parts of keys.
pub(crate) fn note_keys(schema: &Schema, ty: &Type, is_key: bool, found: &mut [bool]) {
    match ty {
        Type::Optional(inner) | Type::List(inner) | Type::Array { element: inner, .. } => {
            note_keys(schema, inner, is_key, found);
        }
        Type::Set(element) => note_keys(schema, element, true, found),
        Type::Map { key, value, .. } => {
            note_keys(schema, key, true, found);
            note_keys(schema, value, is_key, found);
        }
        Type::Named(id) if is_key && !found[id.index()] => {
            let TypeKind::Record(record) = &schema.type_def(*id).kind else { return };
            found[id.index()] = true;
            let fields = record.key_fields().into_iter();
            fields.for_each(|index| note_keys(schema, &record.fields[index].ty, true, found));
        }
        _ => {}
    }
}
