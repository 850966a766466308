//! Expressions as types.

use super::brand::{BrandScope, Branded, Level};
use super::builtins::Builtin;
use super::{Context, Resolver};
use crate::codes;
use crate::model::{AnyPointer, Bindings, Brand, BrandScope as ModelScope, Type};
use crate::text::ast::{DeclarationKind, Expression};
use aldis_diagnostics::{Diagnostic, Span};

/// Types in one type, bindings counted in; more than any schema needs and few enough to be kept for every field.
pub(super) const MAX_WEIGHT: usize = 512;

/// Types in all fields together.
pub(super) const MAX_TYPES: usize = 4_000_000;

impl<'a> Resolver<'a> {
    /// The type that the expression names; `None` after a problem.
    pub(super) fn type_of(&mut self, expression: &'a Expression, context: Context) -> Option<Type> {
        let branded = self.named(expression, context)?;
        let weight = branded.weight();
        self.types += weight;
        if weight > MAX_WEIGHT || self.types > MAX_TYPES {
            self.report_too_large(expression.span);
            return None;
        }
        self.as_type(&branded, expression.span)
    }

    pub(super) fn report_too_large(&mut self, span: Span) {
        let message = "this type is too large once its parameters are filled in";
        let problem = Diagnostic::error(codes::TYPE_TOO_LARGE, message, span, "");
        self.report(problem.help(format!("bind fewer parameters: a type holds at most {MAX_WEIGHT} others")));
    }

    fn as_type(&mut self, branded: &Branded, span: Span) -> Option<Type> {
        match branded {
            Branded::Entry(entry, brand) => {
                let id = self.catalog.entries[*entry].id;
                let kind = self.catalog.entries[*entry].declaration.map(|declaration| &declaration.kind);
                let make = match kind {
                    Some(DeclarationKind::Struct { .. }) => Type::Struct,
                    Some(DeclarationKind::Enum(_)) => Type::Enum,
                    Some(DeclarationKind::Interface { .. }) => Type::Interface,
                    _ => {
                        self.report_not_type(*entry, span);
                        return None;
                    }
                };
                Some(make(id, self.brand(brand, span)))
            }
            Branded::Builtin(Builtin::Type(ty)) => Some(ty.clone()),
            Branded::Builtin(Builtin::List) => {
                self.report_bare_list(span);
                None
            }
            Branded::List(element) => {
                let element = self.as_type(element, span)?;
                if let Some(what) = no_element(&element) {
                    self.report_list_of_any(what, span);
                    return None;
                }
                Some(Type::List(Box::new(element)))
            }
            Branded::Parameter(parameter) => {
                Some(Type::AnyPointer(AnyPointer::Parameter { scope: parameter.node, index: parameter.index }))
            }
            Branded::Implicit(index) => Some(Type::AnyPointer(AnyPointer::ImplicitMethodParameter { index: *index })),
        }
    }

    /// The scope's bindings, as a request tells them.
    pub(super) fn brand(&mut self, scope: &BrandScope, span: Span) -> Brand {
        let mut scopes = Vec::new();
        for level in scope.levels(&self.catalog) {
            let (entry, binding) = match level {
                Level::Inherit(entry) => (entry, Bindings::Inherit),
                Level::Bind(entry, types) => {
                    (entry, Bindings::Bind(types.iter().map(|ty| self.as_type(ty, span)).collect()))
                }
            };
            scopes.push(ModelScope { scope: self.catalog.entries[entry].id, binding });
        }
        Brand { scopes }
    }

    fn report_not_type(&mut self, entry: usize, span: Span) {
        let entry = &self.catalog.entries[entry];
        let what = match entry.declaration.map(|declaration| &declaration.kind) {
            Some(DeclarationKind::Const { .. }) => "a constant",
            Some(DeclarationKind::Annotation { .. }) => "an annotation",
            _ => "a file",
        };
        let mut problem =
            Diagnostic::error(codes::NOT_TYPE, format!("`{}` is no type", entry.name()), span, format!("it is {what}"));
        if let Some(declared) = entry.span() {
            problem = problem.label(declared, "declared here");
        }
        self.report(problem.help("name a struct, enum or interface, or one of the built-in types"));
    }

    fn report_bare_list(&mut self, span: Span) {
        let problem = Diagnostic::error(codes::PARAMETER_COUNT, "`List` has no element type", span, "");
        self.report(problem.help("write it behind the name: `List(Text)`"));
    }

    fn report_list_of_any(&mut self, what: &str, span: Span) {
        let message = format!("there is no list of {what}");
        let problem = Diagnostic::error(codes::LIST_OF_ANY, message, span, "its elements would have no known size");
        self.report(problem.help("put the pointer into a struct, and make a list of that"));
    }
}

/// The name of the element where lists of it do not exist.
fn no_element(element: &Type) -> Option<&'static str> {
    match element {
        Type::AnyPointer(AnyPointer::AnyKind) => Some("AnyPointer"),
        Type::AnyPointer(AnyPointer::Struct) => Some("AnyStruct"),
        Type::AnyPointer(AnyPointer::Parameter { .. } | AnyPointer::ImplicitMethodParameter { .. }) => {
            Some("a generic parameter")
        }
        _ => None,
    }
}
