//! Forms whose messages are segments: records of a data section and a section of pointers ([`aldis_plan::Container`]).
//!
//! All forms of a schema lay records out alike and differ in what is around the segments, so that readers and writers of
//! records are generated once.
//!
//! A reader of sections takes the segment, where the record is in it, its bytes of data and its pointers, the message,
//! its depth, the budget and the path, and gives the value and the budget that is left. Offsets are bytes. A writer takes
//! the value, the word in which the record will lie and the one in which the first object behind its pointers will, its
//! depth and the path, and gives the record's words, the objects and the word after them.

mod areas;
mod choice;
mod decode;
mod direct;
mod encode;
mod follow;
mod leaves;
mod message;
mod put;
mod scalar;

use crate::gen::Gen;
use aldis_schema::{Field, Type, TypeId, TypeKind};

/// Bytes of a word.
const WORD: u32 = 8;

impl<'a> Gen<'a> {
    /// The unnamed union that a record is nothing but, whose values stand in place of the record.
    pub fn only_union(&self, id: TypeId) -> Option<TypeId> {
        let TypeKind::Record(record) = &self.schema.type_def(id).kind else { return None };
        let [Field { ty: Type::Named(union), .. }] = record.fields.as_slice() else { return None };
        match &self.schema.type_def(*union).kind {
            TypeKind::Union(definition) if definition.unnamed => Some(*union),
            _ => None,
        }
    }

    /// The Erlang type of a record's values.
    pub fn value_type(&self, id: TypeId) -> String {
        match self.only_union(id) {
            Some(_) => format!("{}()", self.type_name(id)),
            None => format!("#{}{{}}", self.names.atom(id)),
        }
    }

    /// A field of a record, or that of a union's arm.
    fn member(&self, id: TypeId, index: u32) -> &'a Field {
        let schema = self.schema;
        match &schema.type_def(id).kind {
            TypeKind::Union(union) => &union.arms[index as usize].field,
            _ => &schema.record(id).fields[index as usize],
        }
    }

    /// The path of a member whose owner has `path`. An unnamed union has no place in it.
    fn member_path(&self, id: TypeId, index: u32, path: &str) -> String {
        if self.names.field(id, index as usize).is_empty() {
            path.to_owned()
        } else {
            format!("[{} | {path}]", self.names.field_atom(id, index as usize))
        }
    }
}
