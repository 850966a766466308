//! JSON whose objects leave out nulls, and in which a union is whichever of its members is there.

use crate::code::{quote, Expr};
use crate::erl::{
    atom, bind, call, choice, function, list, record, tuple, utf8_binary, writer, Callee, Clause, Functions,
};
use crate::gen::Gen;
use crate::literal::Fresh;
use crate::values::Values;
use aldis_emit::json_string;
use aldis_schema::{Arm, Field, Type, TypeId, TypeKind, Union};

/// When a null is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Null {
    /// If it is a value of its type, not the lack of one.
    OfVoid,
    /// Always, since the member tells which arm is active.
    Always,
    /// As an empty value of its type.
    Empty,
    /// As an empty value too, but for one of [`Type::Void`]: another member tells which arm is active.
    Told,
}

impl Null {
    /// Another arm than the first says by being there which one is active.
    pub fn of_arm(union: &Union, arm: &Arm) -> Self {
        match arm.tag {
            _ if union.discriminator.is_some() => Null::Told,
            _ if union.empty_arms => Null::Empty,
            0 => Null::OfVoid,
            _ => Null::Always,
        }
    }
}

impl Gen<'_> {
    /// Whether objects leave out nulls, which goes with unions.
    pub(crate) fn sparse_json(&self) -> bool {
        self.wires[0].plan.json.omit_null
    }

    /// The function that writes a record: `f(Record, Depth, Path) -> iodata()`.
    pub(super) fn sparse_record(&mut self, id: TypeId) -> Callee {
        let name = format!("json_{}", self.names.of(id));
        self.define_in(id, &name, &name, |gen, own| gen.record_writer(id, own))
    }

    fn record_writer(&mut self, id: TypeId, own: &str) -> Functions {
        let schema = self.schema;
        if self.shaped_record(id) {
            let body = self.shaped_object(id, "Value", "Path");
            return function(atom(own), &[Clause::new(["Value", "Depth", "Path"], [body])]);
        }
        if let Some(union) = self.only_union(id) {
            let member = self.sparse_member(union);
            let body = vec![depth(), quote(format!("aldis_json_sparse:object([{member}(Value, Depth, Path)])"))];
            return function(atom(own), &[Clause::new(["Value, Depth, Path"], body)]);
        }
        let fields = &schema.record(id).fields;
        let variables = self.names.variables(id);
        let (mut pattern, mut parts) = (Vec::new(), Vec::new());
        for (index, field) in fields.iter().enumerate() {
            let var = variables[index].clone();
            parts.push(match self.unnamed_union(&field.ty) {
                Some(union) => quote(format!("{}({var}, Depth, Path)", self.sparse_member(union))),
                None => {
                    let path = format!("[{} | Path]", self.names.field_atom(id, index));
                    self.sparse_pair(field, key_of(field), &var, &path, Null::OfVoid)
                }
            });
            pattern.push((self.names.field_atom(id, index), quote(var)));
        }
        let body = crate::erl::call("aldis_json_sparse:object", [list(parts)]);
        let args = vec![record(&self.names.atom(id), pattern), quote("Depth"), quote("Path")];
        let clauses =
            [Clause::new(args, [depth(), body]), Clause::new(["_", "_", "Path"], ["aldis_check:wrong(Path)"])];
        writer(&atom(own), &clauses)
    }

    pub(super) fn unnamed_union(&self, ty: &Type) -> Option<TypeId> {
        let Type::Named(id) = ty else { return None };
        matches!(&self.schema.type_def(*id).kind, TypeKind::Union(union) if union.unnamed).then_some(*id)
    }

    /// A member of an object, or `[]` where its null is left out.
    pub(super) fn sparse_pair(&mut self, field: &Field, key: Expr, var: &str, path: &str, null: Null) -> Expr {
        match &field.ty {
            Type::Void if null == Null::Told => quote(format!("aldis_json_sparse:absent({var}, {path})")),
            Type::Optional(inner) => {
                let value = self.member_value(field, inner, var, path);
                match null {
                    Null::OfVoid => choice(var, [("undefined", quote("[]")), ("_", list([key, value]))]),
                    Null::Always => list([key, or_null(self.values, var, "null", value)]),
                    Null::Empty | Null::Told => {
                        let empty = self.wires[0].plan.json.empty(inner, field.json.bytes);
                        list([key, or_null(self.values, var, empty.unwrap_or("null"), value)])
                    }
                }
            }
            ty => {
                let value = self.member_value(field, ty, var, path);
                list([key, value])
            }
        }
    }

    /// An expression for a field's JSON, of type `ty`.
    fn member_value(&mut self, field: &Field, ty: &Type, var: &str, path: &str) -> Expr {
        let kind = self.member_kind(field, ty);
        call("aldis_json_table:write", [kind, quote(var), quote("Depth"), quote(path)])
    }

    /// The function that writes the member that a union's arm is: `f({Arm, Value}, Depth, Path)`, `[]` for none.
    pub(super) fn sparse_member(&mut self, id: TypeId) -> Callee {
        let name = format!("json_{}_member", self.names.of(id));
        let schema = self.schema;
        self.define_in(id, &name, &name, |gen, own| {
            let mut clauses = Vec::new();
            let union = schema.union(id);
            for (index, arm) in union.arms.iter().enumerate() {
                let path = format!("[{} | Path]", gen.names.field_atom(id, index));
                let null = Null::of_arm(union, arm);
                let pair = gen.sparse_pair(&arm.field, key_of(&arm.field), "Value", &path, null);
                let pattern = format!("{{{}, Value}}", gen.names.arm(id, index));
                clauses.push(Clause::new([format!("{pattern}, Depth, Path")], [pair]));
            }
            clauses.push(Clause::new(["{unknown, Tag}", "_", "Path"], ["aldis_json_sparse:unknown(Tag, Path)"]));
            clauses.push(Clause::new(["_", "_", "Path"], ["aldis_check:wrong(Path)"]));
            writer(&atom(own), &clauses)
        })
    }

    /// The function that reads a record: `f(Json, Depth, Path) -> Record`.
    pub(super) fn sparse_reader(&mut self, id: TypeId) -> Callee {
        let name = format!("from_{}", self.names.of(id));
        self.define_in(id, &format!("json:{name}"), &name, |gen, own| gen.record_reader(id, own))
    }

    fn record_reader(&mut self, id: TypeId, own: &str) -> Functions {
        if self.shaped_record(id) {
            return self.shaped_reader(id, own);
        }
        let schema = self.schema;
        let fields = &schema.record(id).fields;
        let variables = self.names.variables(id);
        let (mut names, mut values) = (Vec::new(), Vec::new());
        for (index, field) in fields.iter().enumerate() {
            let var = &variables[index];
            let (key, value) = match self.unnamed_union(&field.ty) {
                Some(union) => {
                    let missing = self.field_default(field, Fresh::Zero);
                    (self.arm_names(schema.union(union)), self.sparse_choice(union, var, missing))
                }
                None => {
                    let key = self.names.field_atom(id, index);
                    (utf8_binary(field.json_name()), self.json_value(field, key, var))
                }
            };
            names.push(quote(key));
            values.push((self.names.field_atom(id, index), value));
        }
        let call =
            crate::erl::call("aldis_json_sparse:fields", [quote("Json"), list(names), quote("Depth"), quote("Path")]);
        let mut body = vec![depth(), bind(list(&variables), call)];
        body.push(match self.only_union(id) {
            Some(_) => values.pop().map_or(Expr::Null, |(_, value)| value),
            None => record(&self.names.atom(id), values),
        });
        function(atom(own), &[Clause::new(["Json, Depth, Path"], body)])
    }

    /// The keys of which one may be there.
    fn arm_names(&self, union: &Union) -> String {
        let names: Vec<String> = union.arms.iter().map(|arm| utf8_binary(arm.field.json_name())).collect();
        format!("[{}]", names.join(", "))
    }

    /// An expression for a union of which `var` holds the member that was there.
    fn sparse_choice(&mut self, union: TypeId, var: &str, missing: Expr) -> Expr {
        let reader = self.sparse_arm_reader(union);
        let read = quote(format!("{reader}(Name, Member, Depth, Path)"));
        choice(var, [("missing", missing), ("{Name, Member}", read)])
    }

    /// The function that reads a union's member: `f(Name, Json, Depth, Path)`.
    fn sparse_arm_reader(&mut self, id: TypeId) -> Callee {
        let name = format!("from_{}_member", self.names.of(id));
        let schema = self.schema;
        self.define_in(id, &format!("json:{name}"), &name, |gen, own| {
            let mut clauses = Vec::new();
            for (index, arm) in schema.union(id).arms.iter().enumerate() {
                let path = format!("[{} | Path]", gen.names.field_atom(id, index));
                let kind = gen.member_kind(&arm.field, &arm.field.ty);
                let value = call("aldis_json_table:read", [kind, quote("Json"), quote("Depth"), quote(path)]);
                let term = tuple([quote(gen.names.arm(id, index)), value]);
                let name = quote(utf8_binary(arm.field.json_name()));
                clauses.push(Clause::new([name, quote("Json, Depth, Path")], [term]));
            }
            function(atom(own), &clauses)
        })
    }

    /// The function that reads a named union: `f(Json, Depth, Path)`.
    pub(super) fn sparse_union_reader(&mut self, id: TypeId) -> Callee {
        let name = format!("from_{}", self.names.of(id));
        let schema = self.schema;
        self.define_in(id, &format!("json:{name}"), &name, |gen, own| {
            if gen.shaped_union(id) {
                return gen.shaped_union_reader(id, own);
            }
            let union = schema.union(id);
            let missing = gen.missing_union(id);
            let fields = format!("aldis_json_sparse:fields(Json, [{}], Depth, Path)", gen.arm_names(union));
            let body = vec![bind("[Arm]", fields), gen.sparse_choice(id, "Arm", missing)];
            function(atom(own), &[Clause::new(["Json, Depth, Path"], body)])
        })
    }

    /// An expression for a union of which no member is given.
    pub(super) fn missing_union(&mut self, id: TypeId) -> Expr {
        match self.schema.union(id).arm_of(0) {
            Some(_) => self.first_arm(id),
            None => quote("aldis_json:bad_json(Path)"),
        }
    }
}

/// An expression for `value`, or for the text where `var` is null.
pub(super) fn or_null(values: &Values, var: &str, null: &str, value: Expr) -> Expr {
    if null == "null" && values.macros {
        return call("?OR_NULL", [quote(var), value]);
    }
    choice(var, [("undefined", quote(utf8_binary(null))), ("_", value)])
}

/// The statement that checks how deep a record is.
pub(super) fn depth() -> Expr {
    quote("aldis_check:depth(Depth, Path)")
}

/// The text before a field's value in an object.
fn key_of(field: &Field) -> Expr {
    quote(utf8_binary(&format!("{}:", json_string(field.json_name()))))
}
