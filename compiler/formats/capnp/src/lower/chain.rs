//! Structs that lead to too many others in a row, which back ends follow by recursion.

use crate::codes;
use crate::model::{Bindings, Brand, FieldKind, Model, Node, NodeId, NodeKind, Type};
use aldis_diagnostics::Diagnostic;
use aldis_schema::{longest_chain, LONGEST_CHAIN};
use std::collections::BTreeMap;

/// The problem of a model whose longest chain is too long.
pub(super) fn problem(model: &Model) -> Option<Diagnostic> {
    let places: BTreeMap<NodeId, usize> = model.nodes.keys().copied().zip(0..).collect();
    let edges: Vec<Vec<usize>> = model.nodes.values().map(|node| named(node, &places)).collect();
    let (index, length) = longest_chain(&edges).filter(|(_, length)| *length > LONGEST_CHAIN)?;
    let node = model.nodes.values().nth(index)?;
    let message = format!("`{}` leads to a chain of {length} structs, one in a field of the other", node.display_name);
    let here = format!("more than {LONGEST_CHAIN}");
    let problem = Diagnostic::error(codes::STRUCT_CHAIN, message, node.span.unwrap_or_default(), here);
    Some(problem.help("end it earlier: readers refuse values nested deeper than 64"))
}

/// The structs and groups that a struct's fields name.
fn named(node: &Node, places: &BTreeMap<NodeId, usize>) -> Vec<usize> {
    let NodeKind::Struct(structure) = &node.kind else { return Vec::new() };
    let mut found = Vec::new();
    for field in &structure.fields {
        match &field.kind {
            FieldKind::Slot { ty, .. } => structs(ty, &mut found),
            FieldKind::Group(id) => found.push(*id),
        }
    }
    found.iter().filter_map(|id| places.get(id).copied()).collect()
}

fn structs(ty: &Type, found: &mut Vec<NodeId>) {
    match ty {
        Type::List(element) => structs(element, found),
        Type::Struct(id, brand) => {
            found.push(*id);
            bound(brand, found);
        }
        _ => {}
    }
}

/// Types that the parameters of a generic struct stand for may be in its fields.
fn bound(brand: &Brand, found: &mut Vec<NodeId>) {
    for scope in &brand.scopes {
        if let Bindings::Bind(types) = &scope.binding {
            types.iter().flatten().for_each(|ty| structs(ty, found));
        }
    }
}
