//! The nodes that a model holds, by the reference's rule: all that the root file declares, then, again and again, what
//! these need and the scopes around what is needed.

use super::catalog::EntryId;
use super::Resolver;
use crate::model::{Node, NodeId};
use aldis_diagnostics::Span;
use std::collections::{BTreeMap, HashMap};

/// The entries that follow from an entry besides those that it needs.
#[derive(Clone, Copy, Default)]
struct Reason {
    children: bool,
    parents: bool,
}

impl Resolver<'_> {
    /// The entries that the root needs, with what is declared in it if `children`; all translated, in the order of their
    /// indices.
    pub(super) fn close(&mut self, root: EntryId, children: bool) -> Vec<EntryId> {
        let mut seen: HashMap<EntryId, Reason> = HashMap::new();
        let mut open = vec![(root, Reason { children, parents: false })];
        while let Some((entry, reason)) = open.pop() {
            let known = seen.get(&entry).copied();
            let before = known.unwrap_or_default();
            if known.is_some() && (before.children || !reason.children) && (before.parents || !reason.parents) {
                continue;
            }
            let after =
                Reason { children: before.children || reason.children, parents: before.parents || reason.parents };
            seen.insert(entry, after);
            self.translate(entry);
            for needed in self.dependencies.get(&entry).into_iter().flatten() {
                open.push((*needed, Reason { children: false, parents: true }));
            }
            if reason.parents {
                open.extend(self.catalog.entries[entry].parent.map(|parent| (parent, reason)));
            }
            if reason.children {
                open.extend(self.catalog.entries[entry].nested.iter().map(|child| (*child, reason)));
                self.check_aliases(entry);
            }
        }
        let mut entries: Vec<EntryId> = seen.into_keys().collect();
        entries.sort_unstable();
        entries
    }

    /// Aliases that nothing uses are looked at too.
    fn check_aliases(&mut self, entry: EntryId) {
        for alias in self.catalog.entries[entry].aliases.clone() {
            let span: Span = self.catalog.aliases[alias].declaration.name.span;
            self.alias(alias, span);
        }
    }

    /// The nodes of the entries, with their groups and their methods' structs.
    pub(super) fn nodes_of(&mut self, entries: &[EntryId]) -> BTreeMap<NodeId, Node> {
        let mut nodes = BTreeMap::new();
        let mut open: Vec<NodeId> = entries.iter().map(|entry| self.catalog.entries[*entry].id).collect();
        while let Some(id) = open.pop() {
            if let Some(node) = self.nodes.remove(&id) {
                open.extend(self.parts.get(&id).into_iter().flatten());
                nodes.insert(id, node);
            }
        }
        nodes
    }
}
