//! `to_json_M` and `from_json_M`: values as the main form's JSON policy has them.

mod read;
mod shaped;
mod shaped_read;
mod sparse;
mod write;

use crate::code::{quote, Expr};
use crate::decode::message::guarded;
use crate::erl::{atom, function, lambda, spec, Clause};
use crate::gen::Gen;
use aldis_schema::{Record, Role, Type, TypeId, TypeKind};

impl Gen<'_> {
    pub fn json_functions(&mut self, id: TypeId) {
        let record = self.value_type(id);
        let writer = self.json_record(id);
        let to = format!("to_json_{}", self.names.of(id));
        let depth = if self.json_depth() { "1, " } else { "" };
        let body = vec![quote(format!("{{ok, iolist_to_binary({writer}(Value, {depth}[]))}}"))];
        let head = spec(atom(&to), &[&record], "{ok, binary()} | {error, aldis:reason()}");
        let clause = Clause::new(["Value"], [guarded(body, "none")]);
        self.export(&to, &["Value"], head, function(atom(&to), &[clause]));
        let reader = self.json_reader_record(id);
        let from = format!("from_json_{}", self.names.of(id));
        let body = vec![quote(format!("{{ok, aldis_json:read(Text, fun(Json) -> {reader}(Json, {depth}[]) end)}}"))];
        let head = spec(atom(&from), &["iodata()"], &format!("{{ok, {record}}} | {{error, aldis:reason()}}"));
        let clause = Clause::new(["Text"], [guarded(body, "none")]);
        self.export(&from, &["Text"], head, function(atom(&from), &[clause]));
    }

    /// Whether records can nest deeper than the limit, so that readers and writers of JSON must count.
    pub(crate) fn json_depth(&self) -> bool {
        self.sparse_json() || self.wires.iter().any(|wire| wire.deep)
    }

    /// The arguments of a writer of records: what is written, how deep it is, and where.
    fn json_args(&self, value: &str, depth: &str, path: &str) -> Vec<String> {
        let mut args = vec![value.to_owned()];
        args.extend(self.json_depth().then(|| depth.to_owned()));
        args.push(path.to_owned());
        args
    }

    /// How deep a record is that lies in another. A group is a part of its record, as it is in bytes: what was decoded
    /// can be written.
    fn json_level(&self, id: TypeId) -> &'static str {
        match self.schema.type_def(id).kind {
            TypeKind::Record(Record { role: Role::Group, .. }) | TypeKind::Union(_) => "Depth",
            _ => "Depth + 1",
        }
    }

    /// Whether maps with such keys are objects; others are arrays of pairs.
    pub(crate) fn has_text(&self, key: &Type) -> bool {
        match key {
            Type::Float32 | Type::Float64 | Type::Bytes => false,
            Type::Named(id) => !self.is_record(*id),
            _ => true,
        }
    }
}

/// `fun(Item, ItemAt) -> …`: what is done to each element and its path. `pattern` is what the element is matched with,
/// `item` the variable that the path's is called after.
pub(crate) fn for_each(pattern: &str, item: &str, body: Expr) -> Expr {
    lambda(&[pattern, &path_of(item)], body)
}

/// The variable of an element's path.
pub(crate) fn path_of(item: &str) -> String {
    format!("{item}At")
}

/// The word for an encoding.
pub(crate) fn encoding_word(encoding: aldis_schema::Encoding) -> &'static str {
    match encoding {
        aldis_schema::Encoding::Utf8 => "utf8",
        aldis_schema::Encoding::Latin1 => "latin1",
    }
}
