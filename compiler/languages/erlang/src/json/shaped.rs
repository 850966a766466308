//! Writers of objects that hold more than the members of one record: flattened records and unions, and members that tell
//! which arm is active. Each gives a list of members, named with a prefix that is known when they are written.

use super::sparse::{depth, Null};
use crate::code::{quote, Expr};
use crate::erl::{
    atom, call, choice, function, list, record, segments, utf8_binary, writer, Callee, Clause, Functions,
};
use crate::gen::Gen;
use aldis_emit::json_string;
use aldis_schema::{Field, Type, TypeId, TypeKind};

/// The members that a field puts into its record's object.
enum Part {
    /// A member, or `[]`.
    One(Expr),
    /// A list of members.
    Many(Expr),
}

impl Gen<'_> {
    /// Whether a record's JSON has members that are not those of its fields.
    pub(super) fn shaped_record(&self, id: TypeId) -> bool {
        self.schema.record(id).fields.iter().any(|field| {
            field.json.flatten.is_some() || self.unnamed_union(&field.ty).is_some_and(|union| self.shaped_union(union))
        })
    }

    /// Whether a union's JSON has members that are not those of its arms.
    pub(super) fn shaped_union(&self, id: TypeId) -> bool {
        let union = self.schema.union(id);
        union.discriminator.is_some() || union.arms.iter().any(|arm| arm.field.json.flatten.is_some())
    }

    /// An expression for the object of a record or named union.
    pub(super) fn shaped_object(&mut self, id: TypeId, var: &str, path: &str) -> Expr {
        call("aldis_json_sparse:object", [call(self.members_writer(id), [var, "<<>>", "Depth", path])])
    }

    /// The function that writes the members of a record or union: `f(Value, Prefix, Depth, Path) -> [iodata()]`.
    pub(super) fn members_writer(&mut self, id: TypeId) -> Callee {
        let name = format!("json_{}_members", self.names.of(id));
        self.define_in(id, &name, &name, |gen, own| match gen.schema.type_def(id).kind {
            TypeKind::Union(_) => gen.union_members(id, own),
            _ => gen.record_members(id, own),
        })
    }

    fn record_members(&mut self, id: TypeId, own: &str) -> Functions {
        if let Some(union) = self.only_union(id) {
            let body = quote(format!("{}(Value, Prefix, Depth, Path)", self.members_writer(union)));
            return function(atom(own), &[Clause::new(["Value, Prefix, Depth, Path"], [depth(), body])]);
        }
        let schema = self.schema;
        let variables = self.names.variables(id);
        let (mut pattern, mut parts) = (Vec::new(), Vec::new());
        for (index, (field, var)) in schema.record(id).fields.iter().zip(&variables).enumerate() {
            parts.push(match self.unnamed_union(&field.ty) {
                Some(union) => Part::Many(quote(format!("{}({var}, Prefix, Depth, Path)", self.members_writer(union)))),
                None => {
                    let path = format!("[{} | Path]", self.names.field_atom(id, index));
                    self.shaped_part(field, var, &path, Null::OfVoid, None)
                }
            });
            pattern.push((self.names.field_atom(id, index), quote(var.as_str())));
        }
        let pattern = vec![record(&self.names.atom(id), pattern), quote("Prefix"), quote("Depth"), quote("Path")];
        let wrong = Clause::new(["_", "_", "_", "Path"], ["aldis_check:wrong(Path)"]);
        writer(&atom(own), &[Clause::new(pattern, [depth(), appended(parts)]), wrong])
    }

    fn union_members(&mut self, id: TypeId, own: &str) -> Functions {
        let schema = self.schema;
        let union = schema.union(id);
        let mut clauses = Vec::new();
        for (index, arm) in union.arms.iter().enumerate() {
            let path = format!("[{} | Path]", self.names.field_atom(id, index));
            let mut parts = Vec::new();
            let mut key = None;
            if let Some(discriminator) = &union.discriminator {
                let name = json_string(arm.field.json_name());
                parts.push(Part::One(list([quote(prefixed_key(&discriminator.name)), quote(utf8_binary(&name))])));
                key = discriminator.value_name.as_deref();
            }
            parts.push(self.shaped_part(&arm.field, "Value", &path, Null::of_arm(union, arm), key));
            let pattern = format!("{{{}, Value}}", self.names.arm(id, index));
            clauses.push(Clause::new([format!("{pattern}, Prefix, Depth, Path")], [appended(parts)]));
        }
        clauses.push(Clause::new(["{unknown, Tag}", "_", "_", "Path"], ["aldis_json_sparse:unknown(Tag, Path)"]));
        clauses.push(Clause::new(["_", "_", "_", "Path"], ["aldis_check:wrong(Path)"]));
        writer(&atom(own), &clauses)
    }

    /// The JSON of a field or arm: under `key`, where it is told which one it is, else as its annotations say.
    fn shaped_part(&mut self, field: &Field, var: &str, path: &str, null: Null, key: Option<&str>) -> Part {
        let name = quote(prefixed_key(key.unwrap_or_else(|| field.json_name())));
        let Some((inner, id)) = flattened(field).filter(|_| key.is_none()) else {
            return Part::One(self.sparse_pair(field, name, var, path, null));
        };
        let depth = if self.json_level(id) == "record" { "Depth + 1" } else { "Depth" };
        let prefix = longer_prefix(&escaped(inner));
        let members = quote(format!("{}({var}, {prefix}, {depth}, {path})", self.members_writer(id)));
        if !matches!(field.ty, Type::Optional(_)) {
            return Part::Many(members);
        }
        // An empty record has no members.
        Part::Many(choice(var, [("undefined", quote("[]")), ("_", members)]))
    }
}

/// The prefix of the names of a flattened field's members, and its record or union.
pub(super) fn flattened(field: &Field) -> Option<(&str, TypeId)> {
    match (&field.json.flatten, field.ty.required()) {
        (Some(prefix), Type::Named(id)) => Some((prefix, *id)),
        _ => None,
    }
}

/// An expression for the prefix with more behind it.
pub(super) fn longer_prefix(more: &str) -> String {
    match more {
        "" => "Prefix".to_owned(),
        more => format!("<<Prefix/binary, {}>>", segments(more.as_bytes())),
    }
}

/// An expression for a member's name, its prefix in front, as JSON text with its colon.
fn prefixed_key(name: &str) -> String {
    format!("<<\"\\\"\", Prefix/binary, {}>>", segments(format!("{}\":", escaped(name)).as_bytes()))
}

/// A JSON string without its quotes.
fn escaped(name: &str) -> String {
    let quoted = json_string(name);
    quoted[1..quoted.len() - 1].to_owned()
}

/// An expression for the list of all members of the parts.
fn appended(parts: Vec<Part>) -> Expr {
    let mut lists: Vec<Expr> = Vec::new();
    let mut run = Vec::new();
    for part in parts {
        match part {
            Part::One(member) => run.push(member),
            Part::Many(members) => {
                if !run.is_empty() {
                    lists.push(list(std::mem::take(&mut run)));
                }
                lists.push(members);
            }
        }
    }
    if lists.is_empty() || !run.is_empty() {
        lists.push(list(run));
    }
    match lists.len() {
        1 => lists.remove(0),
        _ => call("lists:append", [list(lists)]),
    }
}
