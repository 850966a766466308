//! The option `strict_text` of readers: text that is not UTF-8 is `bad_text`, at its first byte.
//!
//! Only careful readers check text. Messages with text have no fast or direct readers then, which give what they do not
//! expect to the careful ones and would have to check all the same.

use aldis_plan::{Blob, Content, Run, Slot, SlotKind};
use aldis_schema::{Encoding, Schema, Type, TypeId, TypeKind};

/// The text that readers check: none without the option.
#[derive(Debug)]
pub(crate) struct StrictText {
    asked: bool,
    /// By type, where it was asked for: whether values of it have text in them that must be UTF-8.
    types: Vec<bool>,
}

impl StrictText {
    pub fn of(schema: &Schema, asked: bool) -> Self {
        let mut strict = Self { asked, types: vec![false; if asked { schema.types.len() } else { 0 }] };
        // Types may be within each other: each round finds those that lead to what the round before found.
        let mut more = true;
        while more {
            let found: Vec<bool> = (0..strict.types.len()).map(|index| strict.within(schema, index)).collect();
            more = found != strict.types;
            strict.types = found;
        }
        strict
    }

    fn within(&self, schema: &Schema, index: usize) -> bool {
        match &schema.types[index].kind {
            TypeKind::Record(record) => record.fields.iter().any(|field| self.reaches(&field.ty)),
            TypeKind::Union(union) => union.arms.iter().any(|arm| self.reaches(&arm.field.ty)),
            TypeKind::Enum(_) | TypeKind::Flags(_) => false,
        }
    }

    /// Whether values of a type have text in them that readers check.
    pub fn reaches(&self, ty: &Type) -> bool {
        match ty {
            Type::Text(encoding) | Type::Chars { encoding, .. } => self.asked && *encoding == Encoding::Utf8,
            Type::Named(id) => self.reaches_from(*id),
            Type::Optional(inner) | Type::List(inner) | Type::Set(inner) | Type::Array { element: inner, .. } => {
                self.reaches(inner)
            }
            Type::Map { key, value, .. } => self.reaches(key) || self.reaches(value),
            _ => false,
        }
    }

    /// The same of a record or union.
    pub fn reaches_from(&self, id: TypeId) -> bool {
        self.types.get(id.index()).is_some_and(|reaches| *reaches)
    }

    /// Whether texts behind pointers are checked.
    pub fn behind_pointers(&self) -> bool {
        self.asked
    }

    pub fn blob(&self, blob: &Blob) -> bool {
        self.asked && blob.content == Content::Text(Encoding::Utf8)
    }

    /// Whether a field of fixed size is text that is checked.
    pub fn chars(&self, ty: &Type) -> bool {
        matches!(ty, Type::Chars { .. }) && self.reaches(ty)
    }

    /// Whether there is such a field in a slot.
    pub fn slot(&self, slot: &Slot) -> bool {
        match &slot.kind {
            SlotKind::Chars { ty } => self.chars(ty),
            SlotKind::Nest { slots, .. } => slots.iter().any(|slot| self.slot(slot)),
            _ => false,
        }
    }

    /// Whether there is such a field in a run, whose readers then take it from a block that they know the place of.
    pub fn run(&self, run: &Run) -> bool {
        run.slots.iter().any(|slot| self.slot(slot))
    }
}
