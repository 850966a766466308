//! Constants as values of other types, and types of fields as a value's brand has them.

use super::brand::Branded;
use super::catalog::{Found, Symbol};
use super::types::{MAX_TYPES, MAX_WEIGHT};
use super::{Context, Resolver};
use crate::model::{AnyPointer, Bindings, Brand, BrandScope, NodeId, NodeKind, Type, Value};
use crate::text::ast::{DeclarationKind, Expression, ExpressionKind};
use aldis_diagnostics::Span;

impl<'a> Resolver<'a> {
    /// A constant of type `from` where `to` is wanted. Numbers convert where they fit; structs and lists must be the
    /// same; AnyPointer takes either.
    pub(super) fn coerced(&mut self, value: Value, from: &Type, to: &Type, span: Span) -> Option<Value> {
        match (&value, to) {
            (Value::Int(number), _) => return self.integer(*number, to, span),
            (Value::Enum(number), _) if !matches!(to, Type::Enum(..)) => {
                return self.integer(i128::from(*number), to, span);
            }
            (Value::Float32(bits), _) => return self.float(f64::from(f32::from_bits(*bits)), to, span),
            (Value::Float64(bits), _) => return self.float(f64::from_bits(*bits), to, span),
            _ => {}
        }
        let wraps = matches!(
            (from, to),
            (Type::Struct(..), Type::AnyPointer(AnyPointer::AnyKind | AnyPointer::Struct))
                | (Type::List(_), Type::AnyPointer(AnyPointer::AnyKind | AnyPointer::List))
        );
        if wraps {
            return Some(Value::Any(Box::new(from.clone()), Box::new(value)));
        }
        if !same(from, to) {
            self.report_type(to, span);
            return None;
        }
        Some(value)
    }

    /// Whether the expression is to be taken for the name of a whole value of the struct type `id`, and not of its first
    /// field's; `None` after a problem.
    pub(super) fn names_struct(&mut self, expression: &'a Expression, id: NodeId, context: Context) -> Option<bool> {
        let entry = match &expression.kind {
            // Names without a scope are words and enumerants; that constants are not named like this is told later.
            ExpressionKind::Name(name) => match self.catalog.look_up(context.scope, name) {
                Some(Found::Symbol(Symbol::Entry(entry))) => entry,
                _ => return Some(false),
            },
            _ => match self.named(expression, context)? {
                Branded::Entry(entry, _) => entry,
                _ => return Some(true),
            },
        };
        let declaration = self.catalog.entries[entry].declaration;
        if !matches!(declaration.map(|declaration| &declaration.kind), Some(DeclarationKind::Const { .. })) {
            return Some(!matches!(expression.kind, ExpressionKind::Name(_)));
        }
        self.translate(entry);
        let constant = self.catalog.entries[entry].id;
        Some(match self.nodes.get(&constant).map(|node| &node.kind) {
            Some(NodeKind::Const { ty: Type::Struct(found, _), .. }) => *found == id,
            _ => false,
        })
    }

    /// A field's type where its struct has that brand; `None` after a problem, which is told at `span`.
    pub(super) fn substituted(&mut self, ty: &Type, brand: &Brand, span: Span) -> Option<Type> {
        if brand.scopes.is_empty() {
            return Some(ty.clone());
        }
        let ty = substituted_type(ty, brand);
        let weight = weight(&ty);
        self.types += weight;
        if weight > MAX_WEIGHT || self.types > MAX_TYPES {
            self.report_too_large(span);
            return None;
        }
        Some(ty)
    }
}

/// Both types hold at most [`MAX_WEIGHT`] others, so neither depth nor size gets out of hand.
fn substituted_type(ty: &Type, brand: &Brand) -> Type {
    match ty {
        Type::List(element) => Type::List(Box::new(substituted_type(element, brand))),
        Type::Enum(id, inner) => Type::Enum(*id, substituted_brand(inner, brand)),
        Type::Struct(id, inner) => Type::Struct(*id, substituted_brand(inner, brand)),
        Type::Interface(id, inner) => Type::Interface(*id, substituted_brand(inner, brand)),
        Type::AnyPointer(AnyPointer::Parameter { scope, index }) => {
            match brand.scopes.iter().find(|bound| bound.scope == *scope).map(|bound| &bound.binding) {
                Some(Bindings::Bind(types)) => {
                    let bound = types.get(usize::from(*index)).cloned().flatten();
                    bound.unwrap_or(Type::AnyPointer(AnyPointer::AnyKind))
                }
                _ => ty.clone(),
            }
        }
        _ => ty.clone(),
    }
}

fn substituted_brand(inner: &Brand, outer: &Brand) -> Brand {
    let substituted = |scope: &BrandScope| {
        let binding = match &scope.binding {
            Bindings::Inherit => match outer.scopes.iter().find(|bound| bound.scope == scope.scope) {
                Some(bound) => bound.binding.clone(),
                None => Bindings::Inherit,
            },
            Bindings::Bind(types) => {
                Bindings::Bind(types.iter().map(|ty| ty.as_ref().map(|ty| substituted_type(ty, outer))).collect())
            }
        };
        BrandScope { scope: scope.scope, binding }
    };
    Brand { scopes: inner.scopes.iter().map(substituted).collect() }
}

/// Whether values of one are values of the other: what parameters are bound to does not matter.
fn same(from: &Type, to: &Type) -> bool {
    match (from, to) {
        (Type::List(from), Type::List(to)) => same(from, to),
        (Type::Struct(from, _), Type::Struct(to, _)) | (Type::Enum(from, _), Type::Enum(to, _)) => from == to,
        (from, to) => from == to,
    }
}

/// How many types it takes to write the type down.
fn weight(ty: &Type) -> usize {
    let brand = match ty {
        Type::List(element) => return 1 + weight(element),
        Type::Enum(_, brand) | Type::Struct(_, brand) | Type::Interface(_, brand) => brand,
        _ => return 1,
    };
    let bound = brand.scopes.iter().filter_map(|scope| match &scope.binding {
        Bindings::Bind(types) => Some(types),
        Bindings::Inherit => None,
    });
    1 + bound.flatten().flatten().map(weight).sum::<usize>()
}
