//! Declarations with what their generic parameters are bound to.
//!
//! The scopes that a brand lists, and when a scope's parameters are inherited or unbound, follow the reference's compiler
//! to the letter, oddities included: a name found in a scope keeps that scope's bindings, and an alias keeps those of
//! the scope that declares it.

use super::builtins::{Builtin, UNBOUND};
use super::catalog::{Catalog, EntryId};
use crate::model::NodeId;
use std::rc::Rc;

/// The declaration or type that an expression names.
#[derive(Clone, Debug)]
pub(super) enum Branded {
    Entry(EntryId, Rc<BrandScope>),
    /// A type without parameters, or `List` before it gets its element.
    Builtin(&'static Builtin),
    List(Rc<Branded>),
    Parameter(Parameter),
    /// A parameter of the method whose signature this is.
    Implicit(u16),
}

/// A generic parameter that is not bound where it is used.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parameter {
    /// None for the struct of a method's parameters or results, which no name leads to.
    pub(super) entry: Option<EntryId>,
    pub(super) node: NodeId,
    pub(super) index: u16,
}

/// A scope with its parameters' bindings, and the scopes around it.
#[derive(Debug)]
pub(super) struct BrandScope {
    pub(super) entry: EntryId,
    /// The parameters stand for themselves: this is seen from within the scope.
    pub(super) inherited: bool,
    /// Empty while nothing is bound.
    pub(super) bound: Vec<Branded>,
    pub(super) parent: Option<Rc<BrandScope>>,
    /// How many types the bindings hold in all, to stop what grows without measure.
    weight: usize,
}

/// A scope that a brand tells something about.
pub(super) enum Level {
    Inherit(EntryId),
    Bind(EntryId, Vec<Branded>),
}

impl Branded {
    /// How many types it takes to write it down.
    pub(super) fn weight(&self) -> usize {
        match self {
            Branded::Entry(_, brand) => brand.weight.saturating_add(1),
            Branded::List(element) => element.weight().saturating_add(1),
            Branded::Builtin(_) | Branded::Parameter(_) | Branded::Implicit(_) => 1,
        }
    }
}

impl BrandScope {
    fn new(entry: EntryId, inherited: bool, bound: Vec<Branded>, parent: Option<Rc<BrandScope>>) -> Rc<Self> {
        let around = parent.as_ref().map_or(0, |parent| parent.weight);
        let weight = bound.iter().fold(around, |sum, branded| sum.saturating_add(branded.weight()));
        Rc::new(Self { entry, inherited, bound, parent, weight })
    }

    /// The scope as seen from within, its parents too.
    pub(super) fn within(catalog: &Catalog<'_>, entry: EntryId) -> Rc<Self> {
        let parent = catalog.entries[entry].parent.map(|parent| Self::within(catalog, parent));
        Self::new(entry, true, Vec::new(), parent)
    }

    /// `entry` within this scope, nothing bound yet.
    pub(super) fn push(self: &Rc<Self>, entry: EntryId) -> Rc<Self> {
        Self::new(entry, false, Vec::new(), Some(self.clone()))
    }

    /// The scope of `entry` among this one and those around it; one without bindings where it is not among them.
    pub(super) fn pop(self: &Rc<Self>, entry: EntryId) -> Rc<Self> {
        let mut scope = self;
        while scope.entry != entry {
            match &scope.parent {
                Some(parent) => scope = parent,
                None => return Self::new(entry, false, Vec::new(), None),
            }
        }
        scope.clone()
    }

    /// The same scope with its parameters bound.
    pub(super) fn bind(&self, bound: Vec<Branded>) -> Rc<Self> {
        Self::new(self.entry, self.inherited, bound, self.parent.clone())
    }

    fn find(&self, entry: EntryId) -> Option<&BrandScope> {
        let mut scope = self;
        while scope.entry != entry {
            scope = scope.parent.as_deref()?;
        }
        Some(scope)
    }

    /// The binding of a parameter of the scope's `entry`: itself where it is inherited, AnyPointer where nothing is.
    fn parameter(&self, parameter: Parameter, entry: EntryId) -> Branded {
        match self.find(entry) {
            Some(scope) if usize::from(parameter.index) < scope.bound.len() => {
                scope.bound[usize::from(parameter.index)].clone()
            }
            Some(scope) if scope.inherited => Branded::Parameter(parameter),
            _ => Branded::Builtin(&UNBOUND),
        }
    }

    /// The bindings of a brand: the scopes with bindings, innermost first.
    pub(super) fn levels(&self, catalog: &Catalog<'_>) -> Vec<Level> {
        let mut levels = Vec::new();
        let mut next = Some(self);
        while let Some(scope) = next {
            if !scope.bound.is_empty() {
                levels.push(Level::Bind(scope.entry, scope.bound.clone()));
            } else if scope.inherited && !catalog.entries[scope.entry].parameters.is_empty() {
                levels.push(Level::Inherit(scope.entry));
            }
            next = scope.parent.as_deref();
        }
        levels
    }

    /// The scope of `entry` with the bindings of a brand whose remaining levels are `levels`; what they inherit comes
    /// from `client`.
    fn evaluate(catalog: &Catalog<'_>, entry: EntryId, levels: &[Level], client: &BrandScope) -> Rc<Self> {
        let (inherited, bound, rest) = match levels.first() {
            Some(Level::Inherit(scope)) if *scope == entry => match client.find(entry) {
                Some(scope) if scope.inherited => (true, Vec::new(), &levels[1..]),
                scope => (false, scope.map_or_else(Vec::new, |scope| scope.bound.clone()), &levels[1..]),
            },
            Some(Level::Bind(scope, types)) if *scope == entry => {
                (false, types.iter().map(|ty| substituted(catalog, ty, client)).collect(), &levels[1..])
            }
            _ => (false, Vec::new(), levels),
        };
        let parent = catalog.entries[entry].parent.map(|parent| Self::evaluate(catalog, parent, rest, client));
        Self::new(entry, inherited, bound, parent)
    }
}

/// The meaning of an alias where its scope is `client`; `target` is its meaning within that scope.
pub(super) fn instantiated(catalog: &Catalog<'_>, target: &Branded, client: &Rc<BrandScope>) -> Branded {
    match target {
        Branded::Entry(entry, brand) if brand.levels(catalog).is_empty() => Branded::Entry(*entry, client.push(*entry)),
        _ => substituted(catalog, target, client),
    }
}

/// The type with the parameters of `client`'s scopes replaced.
fn substituted(catalog: &Catalog<'_>, ty: &Branded, client: &BrandScope) -> Branded {
    match ty {
        Branded::Entry(entry, brand) => {
            let levels = brand.levels(catalog);
            Branded::Entry(*entry, BrandScope::evaluate(catalog, *entry, &levels, client))
        }
        Branded::List(element) => Branded::List(Rc::new(substituted(catalog, element, client))),
        Branded::Parameter(parameter) => match parameter.entry {
            Some(entry) => client.parameter(*parameter, entry),
            None => ty.clone(),
        },
        Branded::Builtin(_) | Branded::Implicit(_) => ty.clone(),
    }
}
