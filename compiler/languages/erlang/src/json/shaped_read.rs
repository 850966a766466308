//! Readers of objects that hold more than the members of one record. Members may come in any order and belong to
//! flattened values by their names, so all readers of an object look into one map, each with the prefix of its names.

use super::shaped::{flattened, longer_prefix};
use crate::code::{quote, Expr};
use crate::erl::{
    atom, bind, binop, call, choice, function, lambda, list, record, tuple, utf8_binary, Atom, Callee, Clause,
    Functions,
};
use crate::gen::Gen;
use crate::literal::Fresh;
use aldis_schema::{Field, Type, TypeId, TypeKind};
use std::collections::BTreeSet;

impl Gen<'_> {
    /// The function that reads a shaped record: `f(Json, Depth, Path) -> Record`. What its object holds counts from the
    /// level around it.
    pub(super) fn shaped_reader(&mut self, id: TypeId, own: &str) -> Functions {
        self.object_reader(id, own, "Depth - 1")
    }

    /// The function that reads a shaped named union: `f(Json, Depth, Path)`.
    pub(super) fn shaped_union_reader(&mut self, id: TypeId, own: &str) -> Functions {
        self.object_reader(id, own, "Depth")
    }

    fn object_reader(&mut self, id: TypeId, own: &str, depth: &str) -> Functions {
        let members = bind("Members", format!("aldis_json_sparse:members(Json, {depth}, Path)"));
        let read = quote(format!("{}(Members, <<>>, Depth, Path)", self.members_reader(id)));
        function(atom(own), &[Clause::new(["Json, Depth, Path"], [members, read])])
    }

    /// The function that reads a record or union from an object's members: `f(Members, Prefix, Depth, Path)`.
    fn members_reader(&mut self, id: TypeId) -> Callee {
        let name = format!("from_{}_members", self.names.of(id));
        self.define_in(id, &format!("json:{name}"), &name, |gen, own| {
            let body = match gen.schema.type_def(id).kind {
                TypeKind::Union(_) => gen.union_from_members(id),
                _ => gen.record_from_members(id),
            };
            function(atom(own), &[Clause::new(["Members, Prefix, Depth, Path"], body)])
        })
    }

    fn record_from_members(&mut self, id: TypeId) -> Vec<Expr> {
        let schema = self.schema;
        let variables = self.names.variables(id);
        let fields = schema.record(id).fields.len();
        let mut body = vec![quote("aldis_check:depth(Depth, Path)"), quote(format!("aldis_json:take({fields}, Path)"))];
        let mut values = Vec::new();
        for (index, (field, var)) in schema.record(id).fields.iter().zip(&variables).enumerate() {
            let key = self.names.field_atom(id, index);
            let value = match self.unnamed_union(&field.ty) {
                Some(union) => quote(format!("{}(Members, Prefix, Depth, Path)", self.members_reader(union))),
                None => self.member_or_flattened(field, var, &key, &mut body),
            };
            values.push((self.names.field_atom(id, index), value));
        }
        body.push(match self.only_union(id) {
            Some(_) => values.pop().map_or(Expr::Null, |(_, value)| value),
            None => record(&self.names.atom(id), values),
        });
        body
    }

    /// An expression for a field or arm; what binds its member to `var` goes to `before`.
    fn member_or_flattened(&mut self, field: &Field, var: &str, key: &Atom, before: &mut Vec<Expr>) -> Expr {
        let Some((inner, id)) = flattened(field) else {
            before.push(bind(var, member(field.json_name())));
            return self.json_value(field, key, var);
        };
        let absent = self.field_default(field, Fresh::Zero);
        let Some(given) = self.given(field, "Depth") else { return absent };
        let depth = if self.is_record(id) { "Depth + 1" } else { "Depth" };
        let members =
            quote(format!("{}(Members, {}, {depth}, [{key} | Path])", self.members_reader(id), longer_prefix(inner)));
        choice(given, [("true", members), ("false", absent)])
    }

    fn union_from_members(&mut self, id: TypeId) -> Vec<Expr> {
        let schema = self.schema;
        let union = schema.union(id);
        let mut given = Vec::new();
        for arm in &union.arms {
            let is_given = self.given(&arm.field, "Depth").unwrap_or_else(|| quote("false"));
            given.push(tuple([quote(utf8_binary(arm.field.json_name())), is_given]));
        }
        let given = list(given);
        let reader = self.arm_reader(id);
        let read = lambda(&["Arm"], quote(format!("{reader}(Arm, Members, Prefix, Depth, Path)")));
        let mut body = vec![bind("Read", read)];
        let found = match &union.discriminator {
            None => call("aldis_json_sparse:given", [given, quote("Read"), quote("Path")]),
            Some(discriminator) => {
                body.push(bind("Told", member(&discriminator.name)));
                let told = match &discriminator.value_name {
                    None => quote("Read"),
                    Some(name) => {
                        body.push(bind("Json", member(name)));
                        let reader = self.told_reader(id);
                        lambda(&["Arm"], quote(format!("{reader}(Arm, Json, Depth, Path)")))
                    }
                };
                call("aldis_json_sparse:told", [quote("Told"), told, given, quote("Read"), quote("Path")])
            }
        };
        let missing = self.missing_union(id);
        body.push(bind("Found", found));
        body.push(choice("Found", [("missing", missing), ("_", quote("Found"))]));
        body
    }

    /// The function that reads an arm by what it is called: `f(Name, Members, Prefix, Depth, Path) -> {Arm, Value}`.
    fn arm_reader(&mut self, id: TypeId) -> Callee {
        let name = format!("from_{}_arm", self.names.of(id));
        self.define_in(id, &format!("json:{name}"), &name, |gen, own| {
            let clauses = gen.arm_clauses(id, &["Members", "Prefix", "Depth", "Path"], |gen, field, key, body| {
                gen.member_or_flattened(field, "Json", key, body)
            });
            function(atom(own), &clauses)
        })
    }

    /// The function that reads an arm, by what it is called, from a member that is called the same for all:
    /// `f(Name, Json, Depth, Path) -> {Arm, Value}`.
    fn told_reader(&mut self, id: TypeId) -> Callee {
        let name = format!("from_{}_told", self.names.of(id));
        self.define_in(id, &format!("json:{name}"), &name, |gen, own| {
            let clauses = gen
                .arm_clauses(id, &["Json", "Depth", "Path"], |gen, field, key, _| gen.json_value(field, key, "Json"));
            function(atom(own), &clauses)
        })
    }

    /// One clause an arm, whose name comes before `args`.
    fn arm_clauses(
        &mut self,
        id: TypeId,
        args: &[&str],
        value: impl Fn(&mut Self, &Field, &Atom, &mut Vec<Expr>) -> Expr,
    ) -> Vec<Clause> {
        let schema = self.schema;
        let mut clauses = Vec::new();
        for (index, arm) in schema.union(id).arms.iter().enumerate() {
            let key = self.names.field_atom(id, index);
            let mut body = Vec::new();
            let value = value(self, &arm.field, &key, &mut body);
            body.push(tuple([quote(self.names.arm(id, index)), value]));
            let name = quote(utf8_binary(arm.field.json_name()));
            let args = std::iter::once(name).chain(args.iter().map(|arg| quote(*arg)));
            clauses.push(Clause::new(args, body));
        }
        clauses
    }

    /// An expression for whether a field or arm is given, or any member of a flattened one at `depth`; `None` if it has
    /// none.
    fn given(&mut self, field: &Field, depth: &str) -> Option<Expr> {
        let Some((inner, id)) = flattened(field) else {
            return Some(quote(format!("is_map_key({}, Members)", longer_prefix(field.json_name()))));
        };
        self.any_given(id, inner, depth)
    }

    fn any_given(&mut self, id: TypeId, inner: &str, depth: &str) -> Option<Expr> {
        self.has_members(id, &mut BTreeSet::new()).then(|| {
            let given = self.given_function(id);
            quote(format!("{given}(Members, {}, {depth})", longer_prefix(inner)))
        })
    }

    /// The function that tells whether any member of a flattened record or union is given:
    /// `f(Members, Prefix, Depth) -> boolean()`. What lies too deep is not.
    fn given_function(&mut self, id: TypeId) -> Callee {
        let name = format!("from_{}_given", self.names.of(id));
        let schema = self.schema;
        self.define_in(id, &format!("json:{name}"), &name, |gen, own| {
            let mut tests = Vec::new();
            match &schema.type_def(id).kind {
                TypeKind::Union(union) => {
                    let told = union.discriminator.as_ref();
                    tests.extend(told.map(|d| quote(format!("is_map_key({}, Members)", longer_prefix(&d.name)))));
                    tests.extend(union.arms.iter().filter_map(|arm| gen.given(&arm.field, "Depth + 1")));
                }
                _ => {
                    for field in &schema.record(id).fields {
                        tests.extend(match gen.unnamed_union(&field.ty) {
                            Some(union) => gen.any_given(union, "", "Depth + 1"),
                            None => gen.given(field, "Depth + 1"),
                        });
                    }
                }
            }
            let any = tests.into_iter().reduce(|one, other| binop(one, "orelse", other));
            let deeper = quote("aldis_json_sparse:deeper(Depth)");
            let body = any.map(|any| binop(deeper, "andalso", any));
            function(atom(own), &[Clause::new(["Members, Prefix, Depth"], body)])
        })
    }

    /// Whether a flattened record or union has any member. One within itself has no more by that.
    fn has_members(&self, id: TypeId, seen: &mut BTreeSet<TypeId>) -> bool {
        if !seen.insert(id) {
            return false;
        }
        let mut has = |field: &Field| match (flattened(field), &field.ty) {
            (Some((_, inner)), _) => self.has_members(inner, seen),
            (None, Type::Named(union)) if field.name.is_empty() => self.has_members(*union, seen),
            (None, _) => true,
        };
        match &self.schema.type_def(id).kind {
            TypeKind::Record(record) => record.fields.iter().any(has),
            TypeKind::Union(union) => union.discriminator.is_some() || union.arms.iter().any(|arm| has(&arm.field)),
            TypeKind::Enum(_) | TypeKind::Flags(_) => false,
        }
    }
}

/// An expression for the member of that name, `missing` where there is none.
fn member(name: &str) -> Expr {
    quote(format!("maps:get({}, Members, missing)", longer_prefix(name)))
}
