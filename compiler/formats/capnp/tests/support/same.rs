//! Whether two models say the same.

use aldis_capnp::model::{Annotation, Model, Node, NodeKind, Value};

/// `/capnp/c++.capnp`
const CXX_FILE: u64 = 0xbdf8_7d7b_b830_4e81;

/// The first node in which the models differ, both ways of it. Spans and documentation do not count, and a value of
/// AnyPointer is equal to its bytes, which do not tell the type; and it does not count what the installed version of the
/// standard annotations for C++ declares.
pub fn difference(found: &Model, expected: &Model) -> Option<String> {
    let (found, expected) = (plain(found), plain(expected));
    if found.requested != expected.requested {
        return Some(format!("requested: found {:x?}, expected {:x?}", found.requested, expected.requested));
    }
    for (id, node) in &expected.nodes {
        match found.nodes.get(id) {
            None => return Some(format!("missing: {id:#x} {}", node.display_name)),
            Some(other) if other != node => return Some(format!("found    {other:?}\n\nexpected {node:?}")),
            Some(_) => {}
        }
    }
    let more = found.nodes.values().find(|node| !expected.nodes.contains_key(&node.id))?;
    Some(format!("too many: {:#x} {}", more.id, more.display_name))
}

fn plain(model: &Model) -> Model {
    let mut model = model.clone();
    model.nodes.values_mut().for_each(strip);
    model
}

fn strip(node: &mut Node) {
    (node.span, node.doc) = (None, String::new());
    if node.id == CXX_FILE {
        node.nested.clear();
    }
    strip_annotations(&mut node.annotations);
    match &mut node.kind {
        NodeKind::Struct(inner) => {
            for field in &mut inner.fields {
                (field.span, field.doc) = (None, String::new());
                strip_annotations(&mut field.annotations);
                if let aldis_capnp::model::FieldKind::Slot { default, .. } = &mut field.kind {
                    strip_value(default);
                }
            }
        }
        NodeKind::Enum(enumerants) => {
            for enumerant in enumerants {
                (enumerant.span, enumerant.doc) = (None, String::new());
                strip_annotations(&mut enumerant.annotations);
            }
        }
        NodeKind::Interface(interface) => {
            for method in &mut interface.methods {
                (method.span, method.doc) = (None, String::new());
                strip_annotations(&mut method.annotations);
            }
        }
        NodeKind::Const { value, .. } => strip_value(value),
        NodeKind::File | NodeKind::Annotation { .. } => {}
    }
}

fn strip_annotations(annotations: &mut [Annotation]) {
    annotations.iter_mut().for_each(|annotation| strip_value(&mut annotation.value));
}

fn strip_value(value: &mut Value) {
    match value {
        Value::Any(..) | Value::Opaque(_) => *value = Value::Opaque(Vec::new()),
        Value::List(elements) => elements.iter_mut().for_each(strip_value),
        Value::Struct(value) => value.fields.iter_mut().for_each(|(_, value)| strip_value(value)),
        _ => {}
    }
}
