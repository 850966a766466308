//! Where what is read goes: into a value, or nowhere, as for checks.

use crate::code::{code, Code, Stmt};
use crate::scope::Scope;
use aldis_schema::{Type, TypeId};

/// The place of a value that is read. A check goes the same way and makes none.
#[derive(Clone)]
pub(crate) enum Aim<'t> {
    Value {
        ty: &'t Type,
        place: Code,
        /// Whether the place is an optional.
        maybe: bool,
    },
    /// Gives the arguments that the check of a record has behind the others.
    Check(&'t dyn Fn(TypeId) -> Code),
}

impl<'t> Aim<'t> {
    /// The place of a value whose type says whether it is an optional.
    pub fn typed(ty: &'t Type, place: Code) -> Self {
        Aim::Value { ty, place, maybe: matches!(ty, Type::Optional(_)) }
    }

    /// The place of an element.
    pub fn element(&self, item: &Code) -> Self {
        match self {
            Aim::Value { ty, .. } => Aim::typed(ty.element(), item.clone()),
            check => check.clone(),
        }
    }

    /// The same place, which is an optional where its type is one.
    pub fn by_type(&self) -> Self {
        match self {
            Aim::Value { ty, place, .. } => Aim::typed(ty, place.clone()),
            check => check.clone(),
        }
    }

    pub fn place(&self) -> Option<&Code> {
        match self {
            Aim::Value { place, .. } => Some(place),
            Aim::Check(_) => None,
        }
    }

    /// The value in the optional at the place, and the statement that makes it.
    pub fn present(&self, scope: &Scope) -> (Self, Vec<Stmt>) {
        let Aim::Value { ty, place, .. } = self else { return (self.clone(), Vec::new()) };
        let item = scope.var("held");
        let made = Stmt::made(&item, code!("aldis::present({place})"));
        (Aim::Value { ty: ty.required(), place: item, maybe: false }, vec![made])
    }

    /// The same where the place is an optional; else the place.
    pub fn held(&self, scope: &Scope) -> (Self, Vec<Stmt>) {
        match self {
            Aim::Value { maybe: true, .. } => self.present(scope),
            other => (other.clone(), Vec::new()),
        }
    }
}
