//! Types as a graph: which hold others by value, and which lead back to themselves.

use aldis_schema::{Field, Schema, Type, TypeId, TypeKind};

/// The fields of a record or the arms of a union; none of any other type.
pub(crate) fn fields_of(schema: &Schema, index: usize) -> Vec<&Field> {
    match &schema.types[index].kind {
        TypeKind::Record(record) => record.fields.iter().collect(),
        TypeKind::Union(union) => union.arms.iter().map(|arm| &arm.field).collect(),
        TypeKind::Enum(_) | TypeKind::Flags(_) => Vec::new(),
    }
}

/// The type whose value is part of a value of this type.
pub(crate) fn held_by_value(ty: &Type) -> Option<TypeId> {
    match ty {
        Type::Named(id) => Some(*id),
        Type::Optional(inner) => held_by_value(inner),
        Type::Array { element, .. } => held_by_value(element),
        _ => None,
    }
}

/// By type: the types that it contains by value.
pub(crate) fn contained(schema: &Schema) -> impl Fn(usize) -> Vec<usize> + '_ {
    |index| {
        fields_of(schema, index).into_iter().filter_map(|field| held_by_value(&field.ty)).map(TypeId::index).collect()
    }
}

/// By type: a number that it shares with those types that its edges lead to and whose edges lead to it. (Tarjan.)
pub(crate) fn components(count: usize, edges: &dyn Fn(usize) -> Vec<usize>) -> Vec<usize> {
    let mut search =
        Search { edges, order: vec![None; count], component: vec![None; count], open: Vec::new(), seen: 0 };
    for index in 0..count {
        if search.order[index].is_none() {
            search.visit(index);
        }
    }
    search.component.into_iter().map(Option::unwrap_or_default).collect()
}

struct Search<'e> {
    edges: &'e dyn Fn(usize) -> Vec<usize>,
    /// When a type was first seen.
    order: Vec<Option<usize>>,
    component: Vec<Option<usize>>,
    open: Vec<usize>,
    seen: usize,
}

impl Search<'_> {
    /// Gives the earliest type that can be reached.
    fn visit(&mut self, index: usize) -> usize {
        let own = self.seen;
        self.seen += 1;
        self.order[index] = Some(own);
        self.open.push(index);
        let mut earliest = own;
        for next in (self.edges)(index) {
            match (self.order[next], self.component[next]) {
                (None, _) => earliest = earliest.min(self.visit(next)),
                (Some(order), None) => earliest = earliest.min(order),
                _ => {}
            }
        }
        if earliest == own {
            // Everything that was opened since is of one component.
            let first = self.open.iter().rposition(|open| *open == index).unwrap_or_default();
            for member in self.open.split_off(first) {
                self.component[member] = Some(own);
            }
        }
        earliest
    }
}
