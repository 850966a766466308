//! Checks of what later stages rely on, and need not check again: that nodes name nodes that are there and of the
//! right kind, that declarations form trees below their files and groups below their structs, that slots lie within
//! their structs.

use super::values::{data_bits, struct_of};
use crate::model::{Bindings, Brand, Field, FieldKind, Node, NodeId, NodeKind, Struct, Type};
use std::collections::{BTreeMap, BTreeSet};

type Nodes = BTreeMap<NodeId, Node>;

/// A node, and the problem with it.
pub(super) struct Wrong {
    pub node: NodeId,
    pub message: String,
}

/// Fails with the first node, by id, that contradicts itself or another.
pub(super) fn nodes(nodes: &Nodes) -> Result<(), Wrong> {
    for (&id, node) in nodes {
        node_alone(nodes, node).map_err(|message| Wrong { node: id, message })?;
    }
    groups(nodes)?;
    declarations(nodes)?;
    scopes(nodes)
}

fn node_alone(nodes: &Nodes, node: &Node) -> Result<(), String> {
    match &node.kind {
        NodeKind::File | NodeKind::Enum(_) => Ok(()),
        NodeKind::Struct(shape) => structure(nodes, node.id, shape),
        NodeKind::Const { ty, .. } | NodeKind::Annotation { ty, .. } => type_known(nodes, ty),
        NodeKind::Interface(interface) => {
            for (id, brand) in &interface.superclasses {
                known(nodes, *id, "an interface", |kind| matches!(kind, NodeKind::Interface(_)))?;
                brand_known(nodes, brand)?;
            }
            for method in &interface.methods {
                for (id, brand) in [&method.params, &method.results] {
                    known(nodes, *id, "a struct", |kind| matches!(kind, NodeKind::Struct(_)))?;
                    brand_known(nodes, brand)?;
                }
            }
            Ok(())
        }
    }
}

fn structure(nodes: &Nodes, id: NodeId, shape: &Struct) -> Result<(), String> {
    let data_bits = usize::from(shape.data_words) * 64;
    for field in &shape.fields {
        let within = |message: String| format!("field `{}`: {message}", field.name);
        match &field.kind {
            FieldKind::Group(group) => group_of(nodes, id, shape, *group).map_err(within)?,
            FieldKind::Slot { offset, ty, .. } => {
                type_known(nodes, ty).map_err(within)?;
                slot(*offset as usize, ty, data_bits, shape.pointers.into()).map_err(within)?;
            }
        }
    }
    union(shape, data_bits)
}

fn slot(offset: usize, ty: &Type, data_bits_there: usize, pointers: usize) -> Result<(), String> {
    let fits = match data_bits(ty) {
        Some(size) => (offset + 1) * size <= data_bits_there,
        None => offset < pointers,
    };
    if fits {
        return Ok(());
    }
    Err(format!("its slot {offset} does not lie within its struct"))
}

/// The members of a union have the discriminants from 0 on, each once.
fn union(shape: &Struct, data_bits: usize) -> Result<(), String> {
    let members: Vec<&Field> = shape.fields.iter().filter(|field| field.discriminant.is_some()).collect();
    let Some(union) = shape.union else {
        return match members.first() {
            Some(field) => Err(format!("field `{}` has a discriminant where there is no union", field.name)),
            None => Ok(()),
        };
    };
    if (union.discriminant as usize + 1) * 16 > data_bits {
        return Err("its discriminant does not lie within its struct".into());
    }
    let numbers: BTreeSet<u16> = members.iter().filter_map(|field| field.discriminant).collect();
    let count = usize::from(union.members);
    if members.len() == count && numbers.len() == count && numbers.last().is_some_and(|&last| last < union.members) {
        return Ok(());
    }
    Err(format!("a union of {count} members whose discriminants are not 0 to {}, each once", count.saturating_sub(1)))
}

fn group_of(nodes: &Nodes, parent: NodeId, shape: &Struct, group: NodeId) -> Result<(), String> {
    let Some(inner) = struct_of(nodes, group).filter(|inner| inner.is_group) else {
        return Err(format!("{group:#x} is no group in the request"));
    };
    let same = inner.data_words == shape.data_words && inner.pointers == shape.pointers;
    if nodes[&group].scope != parent || !same {
        return Err(format!("{group:#x} is a group of something else"));
    }
    Ok(())
}

/// Each group is found once on the ways down from the structs, so nothing that follows groups goes in circles.
fn groups(nodes: &Nodes) -> Result<(), Wrong> {
    let mut open: Vec<NodeId> = Vec::new();
    let mut missing: BTreeSet<NodeId> = BTreeSet::new();
    for (&id, node) in nodes {
        if let NodeKind::Struct(shape) = &node.kind {
            if shape.is_group {
                missing.insert(id);
            } else {
                open.push(id);
            }
        }
    }
    while let Some(id) = open.pop() {
        for field in struct_of(nodes, id).into_iter().flat_map(|shape| &shape.fields) {
            let FieldKind::Group(group) = field.kind else { continue };
            if !missing.remove(&group) {
                return Err(Wrong { node: group, message: "two fields are this group".into() });
            }
            open.push(group);
        }
    }
    match missing.first() {
        Some(&node) => Err(Wrong { node, message: "a group that belongs to no struct".into() }),
        None => Ok(()),
    }
}

/// A node's declarations lie in it and are listed once, so that following declarations inwards comes to an end as scopes do.
fn declarations(nodes: &Nodes) -> Result<(), Wrong> {
    let mut listed: BTreeSet<NodeId> = BTreeSet::new();
    for (&id, node) in nodes {
        for nested in &node.nested {
            let elsewhere = nodes.get(&nested.id).is_some_and(|inner| inner.scope != id);
            if elsewhere || !listed.insert(nested.id) {
                let message = format!("it declares `{}`, which something else declares too", nested.name);
                return Err(Wrong { node: id, message });
            }
        }
    }
    Ok(())
}

/// Following scopes outwards comes to an end.
fn scopes(nodes: &Nodes) -> Result<(), Wrong> {
    let mut ends: BTreeSet<NodeId> = BTreeSet::new();
    for &id in nodes.keys() {
        let mut way = BTreeSet::new();
        let mut here = id;
        while let Some(node) = nodes.get(&here).filter(|_| !ends.contains(&here)) {
            if !way.insert(here) {
                return Err(Wrong { node: here, message: "a node that is declared within itself".into() });
            }
            here = node.scope;
        }
        ends.append(&mut way);
    }
    Ok(())
}

fn type_known(nodes: &Nodes, ty: &Type) -> Result<(), String> {
    match ty {
        Type::List(element) => type_known(nodes, element),
        Type::Enum(id, brand) => {
            known(nodes, *id, "an enum", |kind| matches!(kind, NodeKind::Enum(_)))?;
            brand_known(nodes, brand)
        }
        Type::Struct(id, brand) => {
            known(nodes, *id, "a struct", |kind| matches!(kind, NodeKind::Struct(shape) if !shape.is_group))?;
            brand_known(nodes, brand)
        }
        Type::Interface(id, brand) => {
            known(nodes, *id, "an interface", |kind| matches!(kind, NodeKind::Interface(_)))?;
            brand_known(nodes, brand)
        }
        _ => Ok(()),
    }
}

fn brand_known(nodes: &Nodes, brand: &Brand) -> Result<(), String> {
    let bound = brand.scopes.iter().flat_map(|scope| match &scope.binding {
        Bindings::Bind(types) => types.as_slice(),
        Bindings::Inherit => &[],
    });
    bound.flatten().try_for_each(|ty| type_known(nodes, ty))
}

fn known(nodes: &Nodes, id: NodeId, wanted: &str, fits: impl Fn(&NodeKind) -> bool) -> Result<(), String> {
    match nodes.get(&id) {
        Some(node) if fits(&node.kind) => Ok(()),
        Some(node) => Err(format!("`{}` is used as {wanted}, which it is not", node.display_name)),
        None => Err(format!("it uses {wanted} of id {id:#x}, which is not in the request")),
    }
}
