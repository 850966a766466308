//! JSON that leaves out nulls and has unions: writers of members, and readers that take members as they come.

use super::record::{from_reader, kinds, to_writer};
use crate::code::{block, case, code, listed, quoted, raw, stmt, var, when, when_else, Code, Stmt};
use crate::gen::{Gen, Hold};
use crate::names::Site;
use crate::scope::Scope;
use crate::sheet::Sheet;
use crate::units::Unit;
use aldis_emit::json_string;
use aldis_schema::{Field, Type, TypeId, TypeKind};

/// When a null is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Null {
    /// The case that it is a value of its type, not the lack of one.
    OfVoid,
    /// Always, since the member tells which arm is active.
    Always,
    /// As an empty value of its type.
    Empty,
    /// As an empty value too, but for one of [`Type::Void`]: another member tells which arm is active.
    Told,
}

impl Gen<'_> {
    /// Whether this schema's JSON is of that kind.
    pub(super) fn is_sparse(&self) -> bool {
        self.wires.first().is_some_and(|wire| wire.plan.json.omit_null)
    }

    /// The functions for a unit's records and unions, each declared before.
    pub(super) fn sparse_json(&self, unit: &Unit, sheet: &mut Sheet) {
        let types = unit.types.iter().copied();
        let types: Vec<TypeId> = types.filter(|id| self.is_record(*id) || self.is_union(*id)).collect();
        for id in &types {
            let name = self.names.of(*id);
            let declared = [
                stmt!("template <aldis::json::policy P>\nbool write_members(aldis::json::writer<P>& out, const {name}& value);"),
                stmt!("template <aldis::json::policy P>\nbool write_json(aldis::json::writer<P>& out, const {name}& value);"),
                stmt!("template <aldis::json::policy P>\nbool read_json(aldis::json::reader<P>& in, {name}& value);"),
            ];
            sheet.add(*id, "", declared);
            if self.has_shapes() {
                sheet.add(*id, "", self.shaped_declarations(*id));
            }
        }
        sheet.blank();
        for id in types {
            sheet.add(id, "", [self.members_writer(id), Stmt::Blank, self.object_writer(id), Stmt::Blank]);
            if self.has_shapes() {
                sheet.add(id, "", self.shaped_functions(id));
            }
            sheet.add(id, "", [self.sparse_reader(id), Stmt::Blank]);
        }
    }

    pub(crate) fn type_ids(&self) -> impl Iterator<Item = TypeId> {
        (0..self.schema.types.len()).map(|index| TypeId(index as u32))
    }

    // ---- writers ----------------------------------------------------------------------------------------------------

    fn object_writer(&self, id: TypeId) -> Stmt {
        let body = vec![stmt!("const auto object = out.object();"), stmt!("return write_members(out, value);")];
        self.write_function("write_json", id, body)
    }

    fn write_function(&self, name: &str, id: TypeId, body: Vec<Stmt>) -> Stmt {
        self.json_function(name, to_writer(), code!("const {}&", self.names.of(id)), body)
    }

    fn members_writer(&self, id: TypeId) -> Stmt {
        let mut body = match &self.schema.type_def(id).kind {
            TypeKind::Union(_) => vec![self.write_arms(id)],
            _ => {
                let fields = self.fields(id).into_iter().enumerate();
                let write = |(index, field): (usize, &Field)| {
                    let member = code!("value.{}", self.names.member(id, index));
                    self.write_field(field, self.hold(id, index), &member, Null::OfVoid, None)
                };
                fields.flat_map(write).collect()
            }
        };
        body.insert(0, kinds());
        body.push(stmt!("return true;"));
        self.write_function("write_members", id, body)
    }

    fn write_arms(&self, id: TypeId) -> Stmt {
        let union = self.schema.union(id);
        let mut cases = Vec::new();
        for (index, arm) in union.arms.iter().enumerate() {
            let tag = code!("{}::tag::{}", self.names.of(id), self.names.member(id, index));
            let mut body = Vec::new();
            let (mut null, mut key) = match arm.tag {
                _ if union.empty_arms => (Null::Empty, None),
                0 => (Null::OfVoid, None),
                _ => (Null::Always, None),
            };
            if let Some(discriminator) = &union.discriminator {
                body.push(Stmt::Line(member(&discriminator.name)));
                body.push(stmt!("out.raw({});", raw(&json_string(arm.field.json_name()))));
                (null, key) = (Null::Told, discriminator.value_name.as_deref());
            }
            let plain = matches!(self.hold(id, index), Hold::Plain);
            let held = code!("*value.get<{tag}>()");
            let held = if plain { held } else { code!("({held})") };
            body.extend(self.write_field(&arm.field, self.hold(id, index), &held, null, key));
            body.push(stmt!("break;"));
            cases.push(case(Some(code!("{tag}")), body));
        }
        cases.push(case(None, vec![stmt!("break;")]));
        block(code!("switch (value.which())"), cases)
    }

    /// Writes a field or arm under its name, or under `key`.
    fn write_field(&self, field: &Field, hold: Hold, value: &Code, null: Null, key: Option<&str>) -> Vec<Stmt> {
        let scope = Scope::new("out", "false");
        let scope = if field.name.is_empty() { scope } else { scope.field(&field.name) };
        if field.name.is_empty() {
            return vec![scope.fail_if(code!("!write_members(out, {value})"))];
        }
        let name = Stmt::Line(member(key.unwrap_or_else(|| field.json_name())));
        if field.ty == Type::Void {
            return if null == Null::Told { Vec::new() } else { vec![name, stmt!("out.null();")] };
        }
        let maybe = matches!(hold, Hold::Maybe | Hold::Boxed);
        let held = if maybe { code!("*{value}") } else { value.to_owned() };
        let flattened = field.json.flatten.as_deref().filter(|_| key.is_none());
        let present = match flattened {
            Some(prefix) => vec![block(
                code!(""),
                vec![
                    stmt!("const auto within = out.flattened({});", quoted(prefix)),
                    scope.fail_if(code!("!write_members(out, {held})")),
                ],
            )],
            None => vec![name.clone(), scope.fail_if(code!("!{}::write(out, {held})", self.value_kind(field)))],
        };
        if !maybe {
            return present;
        }
        let other = match null {
            Null::OfVoid => Vec::new(),
            // An empty record has no members.
            _ if flattened.is_some() => Vec::new(),
            Null::Always => vec![name, stmt!("out.null();")],
            Null::Empty | Null::Told => vec![name, stmt!("out.raw({});", raw(self.null_of(field)))],
        };
        vec![when_else(code!("{value}.has_value()"), present, other)]
    }

    /// The JSON of a null that is written as an empty value of its type, where that has one.
    fn null_of(&self, field: &Field) -> &'static str {
        let policy = self.wires.first().map(|wire| wire.plan.json).unwrap_or_default();
        policy.empty(&field.ty, field.json.bytes).unwrap_or("null")
    }

    // ---- readers ----------------------------------------------------------------------------------------------------

    /// The names of an object's members, and what is known of those that were read.
    fn members_head(&self, names: &[Code]) -> Vec<Stmt> {
        let count = names.len();
        let list = (!names.is_empty()).then(|| code!("{{{}}}", listed(names)));
        let skips = self.wires.first().is_some_and(|wire| wire.plan.json.skip_unknown);
        let skips = skips.then(|| code!(", true"));
        vec![
            kinds(),
            stmt!("static constexpr std::array<std::string_view, {count}> names{{{list}}};"),
            stmt!("aldis::json::members<{count}{skips}> object;"),
        ]
    }

    fn sparse_reader(&self, id: TypeId) -> Stmt {
        let body = match &self.schema.type_def(id).kind {
            _ if self.is_shaped(id) => vec![stmt!("return aldis::json::read_shaped(in, value);")],
            TypeKind::Union(_) => self.read_union(id),
            _ => self.read_record(id),
        };
        self.json_function("read_json", from_reader(), code!("{}&", self.names.of(id)), body)
    }

    fn read_record(&self, id: TypeId) -> Vec<Stmt> {
        let (mut names, mut cases, mut after, mut before) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let fields = self.fields(id);
        for (index, field) in fields.iter().enumerate().filter(|(_, field)| !field.name.is_empty()) {
            let target = code!("value.{}", self.names.member(id, index));
            let read = self.read_field(field, self.hold(id, index), &target);
            cases.push(read_case(names.len(), &code!("read = {read};")));
            let absent = vec![Stmt::Line(self.assign_default(id, index, &target))];
            after.push(when(code!("!object.has({})", names.len()), absent));
            names.push(quoted(field.json_name()));
        }
        for (index, field) in fields.iter().enumerate().filter(|(_, field)| field.name.is_empty()) {
            let Type::Named(union) = field.ty.required() else { continue };
            let target = code!("value.{}", self.names.member(id, index));
            before.push(stmt!("bool given = false;"));
            self.read_arms(*union, &target, &mut names, &mut cases);
            after.push(when(code!("!given"), vec![stmt!("{target} = {};", self.first_arm(*union))]));
        }
        let mut body = self.members_head(&names);
        body.extend(before);
        body.push(when(code!("!in.open()"), vec![stmt!("return false;")]));
        body.extend(members_loop(cases));
        body.extend(after);
        body.push(stmt!("return in.close();"));
        body
    }

    fn read_union(&self, id: TypeId) -> Vec<Stmt> {
        let (mut names, mut cases) = (Vec::new(), Vec::new());
        self.read_arms(id, &var("value"), &mut names, &mut cases);
        let mut body = self.members_head(&names);
        body.push(stmt!("bool given = false;"));
        body.push(when(code!("!in.expect('{{')"), vec![stmt!("return false;")]));
        body.extend(members_loop(cases));
        body.push(when(code!("!given"), vec![stmt!("value = {};", self.first_arm(id))]));
        body.push(stmt!("return true;"));
        body
    }

    /// The cases that read an arm by its name; one may be given.
    fn read_arms(&self, union: TypeId, target: &Code, names: &mut Vec<Code>, cases: &mut Vec<Stmt>) {
        for (index, field) in self.fields(union).into_iter().enumerate() {
            let held = self.active_arm(union, index, target);
            let read = self.read_field(field, self.hold(union, index), &held);
            cases.push(read_case(names.len(), &code!("read = in.claim(given) && {read};")));
            names.push(quoted(field.json_name()));
        }
    }

    pub(super) fn active_arm(&self, union: TypeId, arm: usize, target: &Code) -> Code {
        let tag = code!("{}::tag::{}", self.names.of(union), self.names.member(union, arm));
        code!("{target}.present<{tag}>()")
    }

    /// The expression of a union that nothing was given of.
    pub(super) fn first_arm(&self, union: TypeId) -> Code {
        let literal = aldis_schema::default_of_type(self.schema, &Type::Named(union));
        self.literal(&literal, &Type::Named(union), Site::Namespace).unwrap_or_else(|| code!("{{}}"))
    }

    /// The expression that reads a field's value and tells whether it could.
    pub(super) fn read_field(&self, field: &Field, hold: Hold, target: &Code) -> Code {
        code!("{}::read(in, {target})", self.held_kind(field, hold))
    }
}

/// The statement that writes the name of a member.
fn member(name: &str) -> Code {
    code!("out.member({});", raw(&format!("{}:", json_string(name))))
}

fn read_case(index: usize, read: &Code) -> Stmt {
    stmt!("case {index}: {read} break;")
}

fn members_loop(cases: Vec<Stmt>) -> Vec<Stmt> {
    let body = vec![
        stmt!("bool read = false;"),
        block(code!("switch (object.field)"), cases),
        when(code!("!read"), vec![stmt!("return in.in_field(names[object.field]);")]),
    ];
    vec![block(code!("while (in.next(object, names))"), body), when(code!("in.failed()"), vec![stmt!("return false;")])]
}
