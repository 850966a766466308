//! The digest of a schema, the same for its text and for a request: over the types, constants and their values, not over
//! places and comments, nor over what only one of the two tells.

use crate::model::{Annotation, FieldKind, Model, Node, NodeKind, StructValue, Value};

/// 16 lower-case hex digits. Files and declarations of annotations do not count: the text front end knows the standard
/// ones by heart, and as they are in one version.
pub(crate) fn digest(model: &Model) -> String {
    let counts = |node: &&Node| !matches!(node.kind, NodeKind::File | NodeKind::Annotation { .. });
    let texts: Vec<String> = model.nodes.values().filter(counts).map(|node| format!("{:?}", bare(node))).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    aldis_schema::digest(&texts)
}

fn bare(node: &Node) -> Node {
    let mut node = node.clone();
    (node.span, node.doc) = (None, String::new());
    // The file may be named from elsewhere: only the names in it count.
    let local = node.display_name.rfind(':').map_or(0, |colon| colon + 1);
    node.display_name.drain(..local);
    node.prefix_len = 0;
    annotations(&mut node.annotations);
    match &mut node.kind {
        NodeKind::Struct(shape) => {
            for field in &mut shape.fields {
                (field.span, field.doc) = (None, String::new());
                annotations(&mut field.annotations);
                if let FieldKind::Slot { default, .. } = &mut field.kind {
                    untyped(default);
                }
            }
        }
        NodeKind::Enum(enumerants) => {
            for enumerant in enumerants {
                (enumerant.span, enumerant.doc) = (None, String::new());
                annotations(&mut enumerant.annotations);
            }
        }
        NodeKind::Interface(interface) => {
            for method in &mut interface.methods {
                (method.span, method.doc) = (None, String::new());
                annotations(&mut method.annotations);
            }
        }
        NodeKind::Const { value, .. } => untyped(value),
        NodeKind::File | NodeKind::Annotation { .. } => {}
    }
    node
}

fn annotations(annotations: &mut [Annotation]) {
    annotations.iter_mut().for_each(|annotation| untyped(&mut annotation.value));
}

/// Takes out values of AnyPointer, whose type a request does not tell.
fn untyped(value: &mut Value) {
    match value {
        Value::Any(..) | Value::Opaque(_) => *value = Value::Opaque(Vec::new()),
        Value::List(elements) => elements.iter_mut().for_each(untyped),
        Value::Struct(StructValue { fields }) => fields.iter_mut().for_each(|(_, value)| untyped(value)),
        _ => {}
    }
}
