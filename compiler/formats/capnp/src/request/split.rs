//! A request of several files as one model for each: what the request would hold if the file were asked for alone.

use crate::model::{Annotation, Bindings, Brand, FieldKind, Method, Model, Node, NodeId, NodeKind, Type};
use std::collections::BTreeMap;

/// The models of the requested files, in their order. The model must be one that [`read`](super::read) made.
pub fn split(model: &Model) -> Vec<Model> {
    model.requested.iter().map(|&file| Model { nodes: needed(&model.nodes, file), requested: vec![file] }).collect()
}

/// The file with all that it declares; what these need, again and again; and the scopes around all of it.
fn needed(nodes: &BTreeMap<NodeId, Node>, file: NodeId) -> BTreeMap<NodeId, Node> {
    let mut found = BTreeMap::new();
    let mut open = vec![file];
    let mut declared = vec![file];
    while let Some(node) = declared.pop().and_then(|id| nodes.get(&id)) {
        let inner: Vec<NodeId> = node.nested.iter().map(|nested| nested.id).collect();
        open.extend(&inner);
        declared.extend(inner.into_iter().filter(|id| nodes.contains_key(id)));
    }
    while let Some(id) = open.pop() {
        if let (Some(node), false) = (nodes.get(&id), found.contains_key(&id)) {
            found.insert(id, node.clone());
            open.push(node.scope);
            needs(node, &mut open);
        }
    }
    found
}

/// The nodes that a node names.
fn needs(node: &Node, open: &mut Vec<NodeId>) {
    of_annotations(&node.annotations, open);
    match &node.kind {
        NodeKind::File => {}
        NodeKind::Struct(shape) => {
            for field in &shape.fields {
                of_annotations(&field.annotations, open);
                match &field.kind {
                    FieldKind::Group(id) => open.push(*id),
                    FieldKind::Slot { ty, .. } => of_type(ty, open),
                }
            }
        }
        NodeKind::Enum(enumerants) => {
            enumerants.iter().for_each(|enumerant| of_annotations(&enumerant.annotations, open));
        }
        NodeKind::Interface(interface) => {
            interface.superclasses.iter().for_each(|(id, brand)| of_named(*id, brand, open));
            for Method { params, results, annotations, .. } in &interface.methods {
                of_annotations(annotations, open);
                of_named(params.0, &params.1, open);
                of_named(results.0, &results.1, open);
            }
        }
        NodeKind::Const { ty, .. } | NodeKind::Annotation { ty, .. } => of_type(ty, open),
    }
}

fn of_annotations(annotations: &[Annotation], open: &mut Vec<NodeId>) {
    annotations.iter().for_each(|annotation| of_named(annotation.id, &annotation.brand, open));
}

fn of_type(ty: &Type, open: &mut Vec<NodeId>) {
    match ty {
        Type::List(element) => of_type(element, open),
        Type::Enum(id, brand) | Type::Struct(id, brand) | Type::Interface(id, brand) => of_named(*id, brand, open),
        _ => {}
    }
}

fn of_named(id: NodeId, brand: &Brand, open: &mut Vec<NodeId>) {
    open.push(id);
    for scope in &brand.scopes {
        if let Bindings::Bind(types) = &scope.binding {
            types.iter().flatten().for_each(|ty| of_type(ty, open));
        }
    }
}
