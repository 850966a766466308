//! Annotations on what they annotate.

use super::brand::Branded;
use super::catalog::EntryId;
use super::targets::Target;
use super::{Context, Resolver};
use crate::codes;
use crate::model::{Annotation, Brand, NodeId, NodeKind, Type, Value};
use crate::text::ast::{Applied, DeclarationKind, Expression};
use aldis_diagnostics::{Diagnostic, Span};

/// The place of an annotation in the model.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    Node(NodeId),
    /// By the index among the node's fields, enumerants, methods.
    Field(NodeId, usize),
    Enumerant(NodeId, usize),
    Method(NodeId, usize),
}

/// An annotation whose value is not computed yet.
pub(super) struct Pending<'a> {
    place: Place,
    target: Target,
    entry: EntryId,
    brand: Brand,
    value: Option<&'a Expression>,
    span: Span,
    context: Context,
}

impl<'a> Resolver<'a> {
    /// Looks up the annotations; their values follow with [`Resolver::evaluate_annotations`].
    pub(super) fn apply(&mut self, place: Place, target: Target, applied: &'a [Applied], context: Context) {
        for annotation in applied {
            let span = annotation.name.span;
            let Some(named) = self.named(&annotation.name, context) else { continue };
            let Branded::Entry(entry, scope) = named else {
                self.report_not_annotation(None, span);
                continue;
            };
            let kind = self.catalog.entries[entry].declaration.map(|declaration| &declaration.kind);
            if !matches!(kind, Some(DeclarationKind::Annotation { .. })) {
                self.report_not_annotation(Some(entry), span);
                continue;
            }
            let brand = self.brand(&scope, span);
            self.needed.push(entry);
            let value = annotation.value.as_ref();
            self.pending.push(Pending { place, target, entry, brand, value, span, context });
        }
    }

    fn report_not_annotation(&mut self, entry: Option<EntryId>, span: Span) {
        let mut problem = Diagnostic::error(codes::NOT_ANNOTATION, "this is no annotation", span, "");
        if let Some(declared) = entry.and_then(|entry| self.catalog.entries[entry].span()) {
            problem = problem.label(declared, "declared here");
        }
        self.report(problem.help("a `$` is followed by the name of an `annotation` declaration"));
    }

    /// Puts every annotation of a translated node where it belongs.
    pub(super) fn evaluate_annotations(&mut self) {
        let mut next = 0;
        while next < self.pending.len() {
            self.evaluate_annotation(next);
            next += 1;
        }
        self.pending.clear();
    }

    fn evaluate_annotation(&mut self, index: usize) {
        let Pending { place, target, entry, value, span, context, .. } = self.pending[index];
        self.translate(entry);
        let id = self.catalog.entries[entry].id;
        let Some(NodeKind::Annotation { ty, targets }) = self.nodes.get(&id).map(|node| &node.kind) else { return };
        let (declared, targets) = (ty.clone(), *targets);
        if !target.is_among(targets) {
            self.report_target(entry, target, span);
            return;
        }
        // In a generic scope the type may be a parameter, which the annotation's name binds: `$Box(Text).note("x")`.
        let brand = std::mem::take(&mut self.pending[index].brand);
        let Some(ty) = self.substituted(&declared, &brand, span) else { return };
        let value = match (value, &ty) {
            (Some(value), _) => self.value(value, &ty, context),
            (None, Type::Void) => Some(Value::Void),
            (None, _) => {
                self.report_no_value(entry, &ty, span);
                None
            }
        };
        let Some(value) = value else { return };
        self.put(place, Annotation { id, brand, value });
    }

    fn put(&mut self, place: Place, annotation: Annotation) {
        let (Place::Node(id) | Place::Field(id, _) | Place::Enumerant(id, _) | Place::Method(id, _)) = place;
        let Some(node) = self.nodes.get_mut(&id) else { return };
        let list = match (place, &mut node.kind) {
            (Place::Node(_), _) => Some(&mut node.annotations),
            (Place::Field(_, index), NodeKind::Struct(node)) => node.fields.get_mut(index).map(|f| &mut f.annotations),
            (Place::Enumerant(_, index), NodeKind::Enum(list)) => list.get_mut(index).map(|e| &mut e.annotations),
            (Place::Method(_, index), NodeKind::Interface(node)) => {
                node.methods.get_mut(index).map(|m| &mut m.annotations)
            }
            _ => None,
        };
        if let Some(list) = list {
            list.push(annotation);
        }
    }

    fn report_target(&mut self, entry: EntryId, target: Target, span: Span) {
        let entry = &self.catalog.entries[entry];
        let (word, several) = target.words();
        let message = format!("`{}` is not for {several}", entry.name());
        let mut problem = Diagnostic::error(codes::ANNOTATION_TARGET, message, span, "");
        if let Some(declared) = entry.span() {
            problem = problem.label(declared, "its targets are listed here");
        }
        self.report(problem.help(format!("remove it, or add `{word}` to the targets of its declaration")));
    }

    fn report_no_value(&mut self, entry: EntryId, ty: &Type, span: Span) {
        let (name, ty) = (self.catalog.entries[entry].name().to_owned(), self.type_name(ty));
        let message = format!("`{name}` needs a value of type {ty}");
        let mut problem = Diagnostic::error(codes::ANNOTATION_VALUE, message, span, "");
        if let Some(declared) = self.catalog.entries[entry].span() {
            problem = problem.label(declared, "declared here");
        }
        self.report(problem.help(format!("write it in parentheses: `${name}(…)`")));
    }
}
