//! Values that are to be read.

use aldis_schema::Type;

/// A value that is to be read: the words that helper functions are called after, and its type.
#[derive(Clone, Debug)]
pub(crate) struct Goal<'a> {
    pub hint: String,
    pub ty: &'a Type,
}

impl<'a> Goal<'a> {
    /// The value where it is not null.
    pub fn required(&self) -> Self {
        Self { hint: self.hint.clone(), ty: self.ty.required() }
    }

    /// An element of a list, set or array.
    pub fn element(&self) -> Self {
        let ty = match self.ty.required() {
            Type::List(element) | Type::Set(element) | Type::Array { element, .. } => element,
            other => other,
        };
        Self { hint: format!("{}_item", self.hint), ty }
    }

    /// A key of a map.
    pub fn key(&self) -> Self {
        let ty = match self.ty.required() {
            Type::Map { key, .. } => key,
            other => other,
        };
        Self { hint: format!("{}_key", self.hint), ty }
    }

    /// A value of a map.
    pub fn value(&self) -> Self {
        let ty = match self.ty.required() {
            Type::Map { value, .. } => value,
            other => other,
        };
        Self { hint: format!("{}_item", self.hint), ty }
    }
}
