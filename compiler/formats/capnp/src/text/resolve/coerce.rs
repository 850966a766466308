//! Constants as values of other types, and types of fields as a value's brand has them.

use super::brand::Branded;
use super::{Context, Resolver};
use crate::model::{AnyPointer, Bindings, Brand, BrandScope, NodeId, Type, Value};
use crate::text::ast::{DeclarationKind, Expression};
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

    /// Whether the expression names a constant of the struct type `id`. Says nothing about what it names else.
    pub(super) fn names_struct(&mut self, expression: &'a Expression, id: NodeId, context: Context) -> bool {
        let before = self.diagnostics.len();
        let named = self.named(expression, context);
        let Some(Branded::Entry(entry, _)) = named else {
            // What is wrong with the name is told when its value is asked for.
            self.diagnostics.truncate(before);
            return false;
        };
        let is_constant = matches!(
            self.catalog.entries[entry].declaration.map(|declaration| &declaration.kind),
            Some(DeclarationKind::Const { .. })
        );
        if !is_constant {
            return true;
        }
        self.translate(entry);
        let constant = self.catalog.entries[entry].id;
        match self.nodes.get(&constant).map(|node| &node.kind) {
            Some(crate::model::NodeKind::Const { ty: Type::Struct(found, _), .. }) => *found == id,
            _ => false,
        }
    }

    /// A field's type where its struct has that brand; `None` after a problem.
    pub(super) fn substituted(&mut self, ty: &Type, brand: &Brand) -> Option<Type> {
        if brand.scopes.is_empty() {
            return Some(ty.clone());
        }
        self.types += 1;
        if self.types > super::types::MAX_TYPES {
            return None;
        }
        Some(match ty {
            Type::List(element) => Type::List(Box::new(self.substituted(element, brand)?)),
            Type::Enum(id, inner) => Type::Enum(*id, self.substituted_brand(inner, brand)?),
            Type::Struct(id, inner) => Type::Struct(*id, self.substituted_brand(inner, brand)?),
            Type::Interface(id, inner) => Type::Interface(*id, self.substituted_brand(inner, brand)?),
            Type::AnyPointer(AnyPointer::Parameter { scope, index }) => {
                match brand.scopes.iter().find(|bound| bound.scope == *scope).map(|bound| &bound.binding) {
                    Some(Bindings::Bind(types)) => match types.get(usize::from(*index)) {
                        Some(Some(bound)) => {
                            self.types += weight(bound);
                            bound.clone()
                        }
                        _ => Type::AnyPointer(AnyPointer::AnyKind),
                    },
                    _ => ty.clone(),
                }
            }
            _ => ty.clone(),
        })
    }

    fn substituted_brand(&mut self, inner: &Brand, outer: &Brand) -> Option<Brand> {
        let mut scopes = Vec::new();
        for scope in &inner.scopes {
            let binding = match &scope.binding {
                Bindings::Inherit => match outer.scopes.iter().find(|bound| bound.scope == scope.scope) {
                    Some(bound) => bound.binding.clone(),
                    None => Bindings::Inherit,
                },
                Bindings::Bind(types) => {
                    let mut bound = Vec::new();
                    for ty in types {
                        bound.push(match ty {
                            Some(ty) => Some(self.substituted(ty, outer)?),
                            None => None,
                        });
                    }
                    Bindings::Bind(bound)
                }
            };
            scopes.push(BrandScope { scope: scope.scope, binding });
        }
        Some(Brand { scopes })
    }
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
