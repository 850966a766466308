//! Interfaces: methods, the structs of their parameters and results, superclasses.

use super::annotations::Place;
use super::brand::{BrandScope, Branded};
use super::catalog::EntryId;
use super::structs::Head;
use super::targets::Target;
use super::{Context, Implicit, Resolver};
use crate::codes;
use crate::ids;
use crate::model::{Brand, Interface, Method, Node, NodeId, NodeKind};
use crate::text::ast::{self, DeclarationKind, Expression, Member, Signature};
use crate::text::builtin::STREAM_FILE;
use crate::text::load::Import;
use aldis_diagnostics::{Diagnostic, Span};
use std::collections::HashMap;

/// One of a method's two structs.
#[derive(Clone, Copy)]
enum Side {
    Params,
    Results,
}

/// How far the search for circles is with an interface.
enum Search {
    OnTheWay,
    Done,
}

impl<'a> Resolver<'a> {
    pub(super) fn interface(
        &mut self,
        entry: EntryId,
        superclasses: &'a [Expression],
        methods: &'a [ast::Method],
    ) -> NodeKind {
        let id = self.catalog.entries[entry].id;
        let superclasses = superclasses.iter().filter_map(|superclass| self.superclass(entry, superclass)).collect();
        let mut order: Vec<usize> = (0..methods.len()).collect();
        order.sort_by_key(|&index| methods[index].ordinal.value);
        self.check_ordinals(order.iter().map(|&index| (methods[index].ordinal, &methods[index].name)));
        let mut made = Vec::new();
        for (at, &index) in order.iter().enumerate() {
            let method = &methods[index];
            self.apply(Place::Method(id, at), Target::Method, &method.annotations, Context::of(entry));
            made.push(Method {
                name: method.name.text.clone(),
                code_order: index as u16,
                implicit_parameters: method.parameters.iter().map(|word| word.text.clone()).collect(),
                params: self.signature(entry, method, Side::Params),
                results: self.signature(entry, method, Side::Results),
                annotations: Vec::new(),
                doc: method.doc.clone(),
                span: Some(method.name.span),
            });
        }
        NodeKind::Interface(Interface { methods: made, superclasses })
    }

    fn superclass(&mut self, entry: EntryId, expression: &'a Expression) -> Option<(NodeId, Brand)> {
        let named = self.named(expression, Context::of(entry))?;
        let found = match &named {
            Branded::Entry(found, scope) => Some((*found, scope.clone())),
            _ => None,
        };
        let kind = found.as_ref().and_then(|(found, _)| self.catalog.entries[*found].declaration).map(|d| &d.kind);
        let (Some((found, scope)), Some(DeclarationKind::Interface { .. })) = (found, kind) else {
            let problem = Diagnostic::error(codes::NOT_INTERFACE, "this is no interface", expression.span, "");
            self.report(problem.help("only interfaces can be extended"));
            return None;
        };
        let id = self.catalog.entries[found].id;
        let brand = self.brand(&scope, expression.span);
        self.need(id, &brand);
        Some((id, brand))
    }

    fn signature(&mut self, entry: EntryId, method: &'a ast::Method, side: Side) -> (NodeId, Brand) {
        let signature = match side {
            Side::Params => &method.params,
            Side::Results => &method.results,
        };
        match signature {
            Signature::Fields(fields) => self.method_struct(entry, method, fields, side),
            Signature::Type(expression) => self.named_struct(entry, method, expression),
            Signature::Stream(span) => (self.stream_result(entry, *span), Brand::default()),
        }
    }

    /// The generic parameters of the method, as a context for its types.
    fn implicit(&mut self, entry: EntryId, method: &'a ast::Method, owner: Option<NodeId>) -> Context {
        if method.parameters.is_empty() {
            return Context::of(entry);
        }
        let names: HashMap<&str, u16> = (0u16..)
            .zip(&method.parameters)
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
            .map(|(index, word)| (word.text.as_str(), index))
            .collect();
        self.implicits.push(Implicit { owner, names });
        Context { scope: entry, implicit: Some(self.implicits.len() - 1) }
    }

    /// A struct made from a list of fields; the interface's parameters are seen from it.
    fn method_struct(
        &mut self,
        entry: EntryId,
        method: &'a ast::Method,
        fields: &'a [Member],
        side: Side,
    ) -> (NodeId, Brand) {
        let (suffix, is_results) = match side {
            Side::Params => ("$Params", false),
            Side::Results => ("$Results", true),
        };
        let interface = &self.catalog.entries[entry];
        let interface_id = interface.id;
        let id = ids::method_struct(interface_id, method.ordinal.value as u16, is_results);
        let display_name = format!("{}.{}{suffix}", interface.display_name, method.name.text);
        let generic = interface.generic || !method.parameters.is_empty();
        let context = self.implicit(entry, method, Some(id));
        let span = method.name.span;
        let head = Head { id, display_name: &display_name, generic, is_params: true, context, span };
        let kind = NodeKind::Struct(self.members(fields, &head));
        let node = Node {
            id,
            prefix_len: display_name.len() - method.name.text.len() - suffix.len(),
            display_name,
            scope: 0,
            nested: Vec::new(),
            parameters: method.parameters.iter().map(|word| word.text.clone()).collect(),
            generic,
            annotations: Vec::new(),
            doc: String::new(),
            span: Some(span),
            kind,
        };
        self.nodes.insert(id, node);
        self.parts.entry(interface_id).or_default().push(id);
        let brand = BrandScope::within(&self.catalog, entry);
        (id, self.brand(&brand, span))
    }

    /// A struct that stands for all parameters or results; id 0 after a problem.
    fn named_struct(&mut self, entry: EntryId, method: &'a ast::Method, expression: &'a Expression) -> (NodeId, Brand) {
        let context = self.implicit(entry, method, None);
        let Some(named) = self.named(expression, context) else { return (0, Brand::default()) };
        if let Branded::Entry(found, scope) = &named {
            let kind = self.catalog.entries[*found].declaration.map(|declaration| &declaration.kind);
            if matches!(kind, Some(DeclarationKind::Struct { .. })) {
                let id = self.catalog.entries[*found].id;
                let brand = self.brand(scope, expression.span);
                self.need(id, &brand);
                return (id, brand);
            }
        }
        let message = match named {
            Branded::Parameter(_) | Branded::Implicit(_) => "a generic parameter cannot be all of them",
            _ => "parameters and results are structs",
        };
        let problem = Diagnostic::error(codes::NOT_STRUCT, message, expression.span, "this is no struct");
        self.report(problem.help("write a list with a field of the type: `(value :Type)`"));
        (0, Brand::default())
    }

    /// The struct that `-> stream` means; 0 after a problem.
    fn stream_result(&mut self, entry: EntryId, span: Span) -> NodeId {
        let file = self.catalog.entries[entry].file;
        let import = self.loaded.files[file].imports.get(STREAM_FILE);
        let names = match import {
            Some(Import::File(file)) => Some(self.catalog.files[*file]),
            _ => None,
        };
        let found = names.and_then(|file| self.catalog.entries[file].names.get("StreamResult").copied());
        let Some(super::catalog::Symbol::Entry(result)) = found else {
            let message = format!("`{STREAM_FILE}` declares no struct `StreamResult`");
            let problem = Diagnostic::error(codes::NO_IMPORT, message, span, "`stream` means that struct");
            self.report(problem.help("remove the file from the import directories: it is built in"));
            return 0;
        };
        self.reach(result);
        self.needed.push(result);
        self.catalog.entries[result].id
    }

    /// Interfaces that extend themselves, be it through others.
    pub(super) fn report_superclass_cycles(&mut self, entries: &[EntryId]) {
        let mut seen: HashMap<NodeId, Search> = HashMap::new();
        for entry in entries {
            let start = self.catalog.entries[*entry].id;
            if seen.contains_key(&start) {
                continue;
            }
            seen.insert(start, Search::OnTheWay);
            // From `start` to where the search is: interfaces, and which superclass comes next.
            let mut way = vec![(start, 0)];
            while let Some((id, next)) = way.last_mut() {
                let (id, index) = (*id, *next);
                *next += 1;
                let superclass = match self.nodes.get(&id).map(|node| &node.kind) {
                    Some(NodeKind::Interface(interface)) => interface.superclasses.get(index).map(|(id, _)| *id),
                    _ => None,
                };
                match superclass.map(|superclass| (superclass, seen.get(&superclass))) {
                    None => {
                        seen.insert(id, Search::Done);
                        way.pop();
                    }
                    Some((superclass, None)) => {
                        seen.insert(superclass, Search::OnTheWay);
                        way.push((superclass, 0));
                    }
                    Some((superclass, Some(Search::OnTheWay))) => self.report_superclass_cycle(superclass, id),
                    Some((_, Some(Search::Done))) => {}
                }
            }
        }
    }

    fn report_superclass_cycle(&mut self, superclass: NodeId, heir: NodeId) {
        let (Some(superclass), Some(heir)) = (self.nodes.get(&superclass), self.nodes.get(&heir)) else { return };
        let own = |node: &Node| node.display_name[node.prefix_len..].to_owned();
        let message = format!("`{}` extends itself", own(superclass));
        let problem =
            Diagnostic::error(codes::SUPERCLASS_CYCLE, message, heir.span.unwrap_or_default(), "this closes a circle");
        let problem = match superclass.id == heir.id {
            true => problem,
            false => problem.label(superclass.span.unwrap_or_default(), "which begins here"),
        };
        self.report(problem.help("remove one `extends` of the circle"));
    }
}
