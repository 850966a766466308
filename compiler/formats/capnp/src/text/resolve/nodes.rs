//! One entry to one node, with its groups or its methods' structs.

use super::annotations::Place;
use super::catalog::{prefix_length, EntryId};
use super::targets::Target;
use super::{Context, Resolver};
use crate::model::{Enumerant, Nested, Node, NodeKind, Type, Value};
use crate::text::ast::{self, DeclarationKind};

impl<'a> Resolver<'a> {
    /// Makes the entry's nodes, values still missing. Does nothing the second time.
    pub(super) fn translate(&mut self, entry: EntryId) {
        if self.dependencies.contains_key(&entry) {
            return;
        }
        self.dependencies.insert(entry, Vec::new());
        self.reach(entry);
        self.needed.clear();
        let id = self.catalog.entries[entry].id;
        let kind = match self.catalog.entries[entry].declaration {
            None => self.file(entry),
            Some(declaration) => self.declared(entry, declaration),
        };
        let node = self.node(entry, kind);
        self.nodes.insert(id, node);
        let needed = std::mem::take(&mut self.needed);
        self.dependencies.insert(entry, needed);
    }

    fn node(&self, entry: EntryId, kind: NodeKind) -> Node {
        let entry = &self.catalog.entries[entry];
        let nested = entry.nested.iter().map(|child| &self.catalog.entries[*child]);
        Node {
            id: entry.id,
            display_name: entry.display_name.clone(),
            prefix_len: prefix_length(&entry.display_name),
            scope: entry.parent.map_or(0, |parent| self.catalog.entries[parent].id),
            nested: nested.map(|child| Nested { name: child.name().to_owned(), id: child.id }).collect(),
            parameters: entry.parameters.iter().map(|word| word.text.clone()).collect(),
            generic: entry.generic,
            annotations: Vec::new(),
            doc: entry.declaration.map_or_else(|| self.loaded.files[entry.file].ast.doc.clone(), |d| d.doc.clone()),
            span: entry.span(),
            kind,
        }
    }

    fn file(&mut self, entry: EntryId) -> NodeKind {
        let (id, file) = (self.catalog.entries[entry].id, self.catalog.entries[entry].file);
        let loaded = self.loaded;
        self.apply(Place::Node(id), Target::File, &loaded.files[file].ast.annotations, Context::of(entry));
        NodeKind::File
    }

    fn declared(&mut self, entry: EntryId, declaration: &'a ast::Declaration) -> NodeKind {
        let id = self.catalog.entries[entry].id;
        let context = Context::of(entry);
        let (target, kind) = match &declaration.kind {
            // An alias has no entry.
            DeclarationKind::Using(_) => return NodeKind::File,
            DeclarationKind::Const { ty, .. } => {
                let ty = self.needed_type(ty, context);
                let value = Value::zero(&ty);
                (Target::Const, NodeKind::Const { ty, value })
            }
            DeclarationKind::Annotation { ty, targets } => {
                let ty = self.needed_type(ty, context);
                (Target::Annotation, NodeKind::Annotation { ty, targets: self.targets(targets) })
            }
            DeclarationKind::Enum(enumerants) => (Target::Enum, self.enumerants(entry, enumerants)),
            DeclarationKind::Struct { members, .. } => (Target::Struct, self.structure(entry, members)),
            DeclarationKind::Interface { superclasses, methods, .. } => {
                (Target::Interface, self.interface(entry, superclasses, methods))
            }
        };
        self.apply(Place::Node(id), target, &declaration.annotations, context);
        kind
    }

    /// The type, which the node being translated needs; Void after a problem.
    pub(super) fn needed_type(&mut self, expression: &'a ast::Expression, context: Context) -> Type {
        let ty = self.type_of(expression, context).unwrap_or(Type::Void);
        self.need_type(&ty);
        ty
    }

    fn enumerants(&mut self, entry: EntryId, enumerants: &'a [ast::Enumerant]) -> NodeKind {
        let id = self.catalog.entries[entry].id;
        let mut order: Vec<usize> = (0..enumerants.len()).collect();
        order.sort_by_key(|&index| enumerants[index].ordinal.value);
        self.check_ordinals(order.iter().map(|&index| (enumerants[index].ordinal, &enumerants[index].name)));
        let mut made = Vec::new();
        for (ordinal, &index) in order.iter().enumerate() {
            let enumerant = &enumerants[index];
            let place = Place::Enumerant(id, ordinal);
            self.apply(place, Target::Enumerant, &enumerant.annotations, Context::of(entry));
            made.push(Enumerant {
                name: enumerant.name.text.clone(),
                code_order: index as u16,
                annotations: Vec::new(),
                doc: enumerant.doc.clone(),
                span: Some(enumerant.name.span),
            });
        }
        NodeKind::Enum(made)
    }
}
