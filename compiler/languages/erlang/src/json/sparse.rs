//! JSON whose objects leave out nulls, and in which a union is whichever of its members is there.

use super::json_string;
use crate::erl::{atom, bind, call_text, choice, function, list, record, texts, tuple, utf8_binary, writer, Clause};
use crate::gen::Gen;
use crate::literal::Fresh;
use aldis_emit::doc::{text, Doc};
use aldis_schema::{BytesText, Field, Type, TypeId, TypeKind, Union};

impl Gen<'_> {
    /// Whether objects leave out nulls, which goes with unions.
    pub(crate) fn sparse_json(&self) -> bool {
        self.wires[0].plan.json.omit_null
    }

    /// The function that writes a record: `f(Record, Path) -> iodata()`.
    pub(super) fn sparse_record(&mut self, id: TypeId, own: &str) -> Doc {
        let schema = self.schema;
        if let Some(union) = self.only_union(id) {
            let member = self.sparse_member(union);
            let body = text(format!("aldis_json_sparse:object([{member}(Value, Path)])"));
            return function(&atom(own), &[Clause::plain(&["Value", "Path"], body)]);
        }
        let fields = &schema.record(id).fields;
        let variables = self.names.variables(id);
        let (mut pattern, mut parts) = (Vec::new(), Vec::new());
        for (index, field) in fields.iter().enumerate() {
            let var = variables[index].clone();
            parts.push(match self.unnamed_union(&field.ty) {
                Some(union) => text(format!("{}({var}, Path)", self.sparse_member(union))),
                None => {
                    let path = format!("[{} | Path]", self.names.field_atom(id, index));
                    self.sparse_pair(field, &var, &path, false)
                }
            });
            pattern.push((self.names.field_atom(id, index), text(var)));
        }
        let body = crate::erl::call("aldis_json_sparse:object", [list(parts)]);
        let clauses = [
            Clause::new(vec![record(&self.names.atom(id), pattern), text("Path")], vec![body]),
            Clause::plain(&["_", "Path"], text("aldis_check:wrong(Path)")),
        ];
        writer(&atom(own), &clauses)
    }

    fn unnamed_union(&self, ty: &Type) -> Option<TypeId> {
        let Type::Named(id) = ty else { return None };
        matches!(&self.schema.type_def(*id).kind, TypeKind::Union(union) if union.unnamed).then_some(*id)
    }

    /// A member of an object, or `[]` where its null is left out.
    fn sparse_pair(&mut self, field: &Field, var: &str, path: &str, shown: bool) -> Doc {
        let key = text(utf8_binary(&format!("{}:", json_string(field.json_name()))));
        let value = match (field.json.bytes, field.ty.required()) {
            (Some(BytesText::Hex), Type::Bytes) => text(format!("aldis_json_sparse:hex({var}, {path})")),
            (Some(BytesText::Base64), Type::Bytes) => text(format!("aldis_json:base64({var}, {path})")),
            (_, ty) => self.json_value(ty, var, path),
        };
        let none = text("undefined");
        match &field.ty {
            Type::Optional(_) if !shown => choice(text(var), [(none, text("[]")), (text("_"), list([key, value]))]),
            Type::Optional(_) => list([key, choice(text(var), [(none, text("<<\"null\">>")), (text("_"), value)])]),
            _ => list([key, value]),
        }
    }

    /// An expression for the value of a field that is not null, in the JSON term `var`.
    pub(super) fn json_given(&mut self, field: &Field, var: &str, path: &str) -> Doc {
        match (field.json.bytes, field.ty.required()) {
            (Some(BytesText::Hex), Type::Bytes) => text(format!("aldis_json_sparse:to_hex_bytes({var}, {path})")),
            (Some(BytesText::Base64), Type::Bytes) => text(format!("aldis_json:to_bytes({var}, {path})")),
            (_, ty) => self.json_reader(ty, var, path),
        }
    }

    /// The function that writes the member that a union's arm is: `f({Arm, Value}, Path)`, `[]` for none.
    pub(super) fn sparse_member(&mut self, id: TypeId) -> String {
        let name = format!("json_{}_member", self.names.of(id));
        let schema = self.schema;
        self.define_in(id, &name, &name, |gen, own| {
            let mut clauses = Vec::new();
            for (index, arm) in schema.union(id).arms.iter().enumerate() {
                let path = format!("[{} | Path]", gen.names.field_atom(id, index));
                // Another arm than the first says by being there which one is active.
                let pair = gen.sparse_pair(&arm.field, "Value", &path, arm.tag != 0);
                let pattern = format!("{{{}, Value}}", gen.names.arm(id, index));
                clauses.push(Clause::plain(&[&pattern, "Path"], pair));
            }
            clauses.push(Clause::plain(&["{unknown, Tag}", "Path"], text("aldis_json_sparse:unknown(Tag, Path)")));
            clauses.push(Clause::plain(&["_", "Path"], text("aldis_check:wrong(Path)")));
            writer(&atom(own), &clauses)
        })
    }

    /// The function that reads a record: `f(Json, Depth, Path) -> Record`.
    pub(super) fn sparse_reader(&mut self, id: TypeId, own: &str) -> Doc {
        let schema = self.schema;
        let fields = &schema.record(id).fields;
        let variables = self.names.variables(id);
        let (mut names, mut values) = (Vec::new(), Vec::new());
        for (index, field) in fields.iter().enumerate() {
            let var = &variables[index];
            let (key, value) = match self.unnamed_union(&field.ty) {
                Some(union) => {
                    let missing = self.field_default(field, Fresh::Zero);
                    (self.arm_names(schema.union(union)), text(self.sparse_choice(union, var, &missing)))
                }
                None => {
                    let path = format!("[{} | Path]", self.names.field_atom(id, index));
                    (utf8_binary(field.json_name()), self.json_field(field, var, &path))
                }
            };
            names.push(text(key));
            values.push((self.names.field_atom(id, index), value));
        }
        let call =
            crate::erl::call("aldis_json_sparse:fields", [text("Json"), list(names), text("Depth"), text("Path")]);
        let mut body = vec![text("aldis_check:depth(Depth, Path)"), bind(list(texts(&variables)), call)];
        body.push(match self.only_union(id) {
            Some(_) => values.pop().map_or(Doc::Nil, |(_, value)| value),
            None => record(&self.names.atom(id), values),
        });
        function(&atom(own), &[Clause::row("Json, Depth, Path", body)])
    }

    /// The keys of which one may be there.
    fn arm_names(&self, union: &Union) -> String {
        let names: Vec<String> = union.arms.iter().map(|arm| utf8_binary(arm.field.json_name())).collect();
        format!("[{}]", names.join(", "))
    }

    /// An expression for a union of which `var` holds the member that was there.
    fn sparse_choice(&mut self, union: TypeId, var: &str, missing: &str) -> String {
        let reader = self.sparse_arm_reader(union);
        format!("case {var} of missing -> {missing}; {{Name, Member}} -> {reader}(Name, Member, Depth, Path) end")
    }

    /// The function that reads a union's member: `f(Name, Json, Depth, Path)`.
    fn sparse_arm_reader(&mut self, id: TypeId) -> String {
        let name = format!("from_{}_member", self.names.of(id));
        let schema = self.schema;
        self.define_in(id, &format!("json:{name}"), &name, |gen, own| {
            let mut clauses = Vec::new();
            for (index, arm) in schema.union(id).arms.iter().enumerate() {
                let path = format!("[{} | Path]", gen.names.field_atom(id, index));
                let given = gen.json_given(&arm.field, "Json", &path);
                let value = match &arm.field.ty {
                    Type::Optional(_) => choice(text("Json"), [(text("null"), text("undefined")), (text("_"), given)]),
                    _ => given,
                };
                let term = tuple([text(gen.names.arm(id, index)), value]);
                clauses.push(Clause::plain(&[&utf8_binary(arm.field.json_name()), "Json", "Depth", "Path"], term));
            }
            function(&atom(own), &clauses)
        })
    }

    /// The function that reads a named union: `f(Json, Depth, Path)`.
    pub(super) fn sparse_union_reader(&mut self, id: TypeId) -> String {
        let name = format!("from_{}", self.names.of(id));
        let schema = self.schema;
        self.define_in(id, &format!("json:{name}"), &name, |gen, own| {
            let union = schema.union(id);
            let missing = match union.arm_of(0) {
                Some(_) => gen.first_arm(id),
                None => "aldis_json:bad_json(Path)".to_owned(),
            };
            let fields = format!("aldis_json_sparse:fields(Json, [{}], Depth, Path)", gen.arm_names(union));
            let body = vec![bind(text("[Arm]"), text(fields)), text(gen.sparse_choice(id, "Arm", &missing))];
            function(&atom(own), &[Clause::row("Json, Depth, Path", body)])
        })
    }

    /// A call that writes a named union.
    pub(super) fn sparse_union(&mut self, id: TypeId, var: &str, path: &str) -> String {
        let member = self.sparse_member(id);
        format!("aldis_json_sparse:object([{}])", call_text(&member, &[var.to_owned(), path.to_owned()]))
    }
}
