//! `to_json_M` and `from_json_M`: values as the main form's JSON policy has them. What records, enums and flags are is a table,
//! which the runtime walks (`aldis_json_table`); where objects leave out nulls, records are functions that it calls.

mod field;
mod kind;
mod object;

pub(crate) use kind::{number_word, word};

use crate::code::quote;
use crate::erl::{atom, call, function, spec, Clause};
use crate::gen::Gen;
use aldis_schema::{Record, Role, Type, TypeId, TypeKind};

impl Gen<'_> {
    pub fn json_functions(&mut self, id: TypeId) {
        let record = self.value_type(id);
        let table = match self.sparse_json() {
            true => self.object_table(id),
            false => self.json_table(id),
        };
        let table = call(table, [""; 0]);
        let to = format!("to_json_{}", self.names.of(id));
        let body = call("aldis_json_table:to_json", [table.clone(), quote("Value")]);
        let head = spec(atom(&to), &[&record], "{ok, binary()} | {error, aldis:reason()}");
        self.export(&to, &["Value"], head, function(atom(&to), &[Clause::new(["Value"], [body])]));
        let from = format!("from_json_{}", self.names.of(id));
        let body = call("aldis_json_table:from_json", [table, quote("Text")]);
        let head = spec(atom(&from), &["iodata()"], &format!("{{ok, {record}}} | {{error, aldis:reason()}}"));
        self.export(&from, &["Text"], head, function(atom(&from), &[Clause::new(["Text"], [body])]));
    }

    /// Whether records can nest deeper than the limit, so that readers and writers of JSON must count.
    fn json_depth(&self) -> bool {
        self.sparse_json() || self.wires.iter().any(|wire| wire.deep)
    }

    /// Whether a record in another is a level of its own. A group is a part of its record, as it is in bytes: what was decoded
    /// can be written.
    fn json_level(&self, id: TypeId) -> &'static str {
        match self.schema.type_def(id).kind {
            _ if !self.json_depth() => "none",
            TypeKind::Record(Record { role: Role::Group, .. }) | TypeKind::Union(_) => "group",
            _ => "record",
        }
    }

    /// Whether maps with such keys are objects; others are arrays of pairs.
    fn has_text(&self, key: &Type) -> bool {
        match key {
            Type::Float32 | Type::Float64 | Type::Bytes => false,
            Type::Named(id) => !self.is_record(*id),
            _ => true,
        }
    }
}

/// The word for an encoding.
fn encoding_word(encoding: aldis_schema::Encoding) -> &'static str {
    match encoding {
        aldis_schema::Encoding::Utf8 => "utf8",
        aldis_schema::Encoding::Latin1 => "latin1",
    }
}
