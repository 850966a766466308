//! How far types lead to one another. A function that follows them by recursion takes room on the stack for each step.

use crate::{Schema, Type, TypeId, TypeKind};

/// Types that lead to one another, one in a field of the other; front ends refuse more. What is nested deeper than 64
/// readers refuse, so nothing could fill a longer chain.
pub const LONGEST_CHAIN: usize = 1024;

/// The types that each type of a schema names in its fields or arms.
pub fn named_types(schema: &Schema) -> Vec<Vec<usize>> {
    let of = |kind: &TypeKind| {
        let mut found = Vec::new();
        match kind {
            TypeKind::Record(record) => record.fields.iter().for_each(|field| named(&field.ty, &mut found)),
            TypeKind::Union(union) => union.arms.iter().for_each(|arm| named(&arm.field.ty, &mut found)),
            TypeKind::Enum(_) | TypeKind::Flags(_) => {}
        }
        found
    };
    schema.types.iter().map(|definition| of(&definition.kind)).collect()
}

fn named(ty: &Type, found: &mut Vec<usize>) {
    match ty {
        Type::Named(TypeId(id)) => found.push(*id as usize),
        Type::Optional(inner) | Type::List(inner) | Type::Set(inner) | Type::Array { element: inner, .. } => {
            named(inner, found);
        }
        Type::Map { key, value, .. } => {
            named(key, found);
            named(value, found);
        }
        _ => {}
    }
}

/// The begin of the longest chain, and how many it leads through at the most; of those that lead to one another in
/// circles all count.
pub fn longest_chain(edges: &[Vec<usize>]) -> Option<(usize, usize)> {
    let mut search = Search {
        edges,
        order: vec![0; edges.len()],
        lowest: vec![0; edges.len()],
        length: vec![0; edges.len()],
        waiting: Vec::new(),
        next: 1,
    };
    for start in 0..edges.len() {
        if search.order[start] == 0 {
            search.from(start);
        }
    }
    // The first of several.
    (0..edges.len()).rev().max_by_key(|&index| search.length[index]).map(|index| (index, search.length[index]))
}

/// Tarjan's search for strongly connected components, without recursion. A component is complete after all that it
/// leads to.
struct Search<'a> {
    edges: &'a [Vec<usize>],
    /// When each was found, from 1 on; 0 for what was not.
    order: Vec<usize>,
    lowest: Vec<usize>,
    /// The length of the longest chain from there on; 0 where that is not known yet.
    length: Vec<usize>,
    /// Those whose component is not complete.
    waiting: Vec<usize>,
    next: usize,
}

impl Search<'_> {
    fn from(&mut self, start: usize) {
        let mut path = vec![(start, 0)];
        self.find(start);
        while let Some((node, edge)) = path.last_mut() {
            let node = *node;
            if let Some(&to) = self.edges[node].get(*edge) {
                *edge += 1;
                if self.order[to] == 0 {
                    self.find(to);
                    path.push((to, 0));
                } else if self.length[to] == 0 {
                    self.lowest[node] = self.lowest[node].min(self.order[to]);
                }
                continue;
            }
            path.pop();
            if let Some((parent, _)) = path.last() {
                self.lowest[*parent] = self.lowest[*parent].min(self.lowest[node]);
            }
            if self.lowest[node] == self.order[node] {
                self.complete(node);
            }
        }
    }

    fn find(&mut self, node: usize) {
        self.order[node] = self.next;
        self.lowest[node] = self.next;
        self.next += 1;
        self.waiting.push(node);
    }

    /// All that were found since `first` are one component.
    fn complete(&mut self, first: usize) {
        let from = self.waiting.iter().rposition(|&node| node == first).unwrap_or(0);
        let members = self.waiting.split_off(from);
        let beyond = members.iter().flat_map(|&node| &self.edges[node]).map(|&to| self.length[to]).max().unwrap_or(0);
        for &node in &members {
            self.length[node] = beyond + members.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::longest_chain;

    #[test]
    fn chains_are_as_long_as_they_can_be_followed() {
        assert_eq!(longest_chain(&[]), None);
        assert_eq!(longest_chain(&[vec![], vec![]]), Some((0, 1)));
        assert_eq!(longest_chain(&[vec![], vec![2, 0], vec![0]]), Some((1, 3)));
        assert_eq!(longest_chain(&[vec![0]]), Some((0, 1)));
        // A circle of three, which leads to a chain of two and is led to.
        let edges = [vec![1], vec![2, 3], vec![0], vec![4], vec![], vec![4, 1]];
        assert_eq!(longest_chain(&edges), Some((5, 6)));
        let long: Vec<Vec<usize>> = (0..200_000).map(|index| vec![(index + 1).min(199_999)]).collect();
        assert_eq!(longest_chain(&long), Some((0, 200_000)));
    }
}
