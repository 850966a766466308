//! Readers of objects that hold more than the members of one record: flattened records and unions, and members that tell
//! which arm is active.

use super::record::kinds;
use crate::code::{alias, code, function, listed, quoted, stmt, var, when, Code, Stmt, ToCode};
use crate::gen::{Gen, Hold};
use crate::parameter::{parameter, Parameter};
use crate::scope::Scope;
use aldis_schema::{Field, Type, TypeId, TypeKind};

fn read_head() -> Code {
    code!("template <aldis::json::policy P>\nbool read_members")
}

fn given_head() -> Code {
    code!("inline bool is_given")
}

fn found() -> Parameter {
    parameter("const aldis::json::found_members&", "members")
}

fn prefix() -> Parameter {
    parameter("const std::string&", "prefix")
}

impl Gen<'_> {
    /// Whether any type's JSON is of that kind; a question to ask once.
    pub(crate) fn any_shape(&self) -> bool {
        self.type_ids().any(|id| self.is_shaped(id))
    }

    /// Whether a record's or union's JSON has members that are not those of its fields or arms.
    pub(super) fn is_shaped(&self, id: TypeId) -> bool {
        let told = match &self.schema.type_def(id).kind {
            TypeKind::Union(union) => union.discriminator.is_some(),
            _ => false,
        };
        told || self.fields(id).into_iter().any(|field| match (&field.ty, field.name.is_empty()) {
            (Type::Named(union), true) => self.is_shaped(*union),
            _ => field.json.flatten.is_some(),
        })
    }

    /// The function that reads from members of an object, and the one that tells whether any of them is there.
    pub(super) fn shaped_functions(&self, id: TypeId) -> Vec<Stmt> {
        let mut body = match self.is_union(id) {
            true => self.union_from_members(id),
            false => self.record_from_members(id),
        };
        body.insert(0, kinds());
        let read = function(read_head(), &self.members_parameters(id), body);
        let given = vec![stmt!("return depth > 0 && ({});", self.any_given(id))];
        let given = function(given_head(), &self.given_parameters(id), given);
        vec![read, Stmt::Blank, given, Stmt::Blank]
    }

    pub(super) fn shaped_declarations(&self, id: TypeId) -> [Stmt; 2] {
        let declare = |head: Code, parameters: &[Parameter]| stmt!("{head}({});", listed(parameters));
        [declare(read_head(), &self.members_parameters(id)), declare(given_head(), &self.given_parameters(id))]
    }

    fn members_parameters(&self, id: TypeId) -> [Parameter; 4] {
        let value = parameter(code!("{}&", self.names.of(id)), "value");
        [parameter("aldis::json::reader<P>&", "in"), found(), prefix(), value]
    }

    /// The first one only tells the type.
    fn given_parameters(&self, id: TypeId) -> [Parameter; 4] {
        let of = parameter(code!("const {}*", self.names.of(id)), "of");
        [of, found(), prefix(), parameter("std::uint32_t", "depth")]
    }

    fn any_given(&self, id: TypeId) -> Code {
        let mut conditions: Vec<Code> =
            self.fields(id).into_iter().map(|field| self.given(field, code!("depth - 1"))).collect();
        if let TypeKind::Union(union) = &self.schema.type_def(id).kind {
            if let Some(discriminator) = &union.discriminator {
                conditions.insert(0, code!("members.has(prefix + {})", quoted(&discriminator.name)));
            }
        }
        if conditions.is_empty() {
            return code!("false");
        }
        code!(" || ").between(&conditions)
    }

    /// The expression that tells whether any member of a field or arm is there.
    fn given(&self, field: &Field, depth: Code) -> Code {
        let prefix = match (&field.json.flatten, field.name.is_empty()) {
            (Some(inner), _) => code!("prefix + {}", quoted(inner)),
            (None, true) => code!("prefix"),
            (None, false) => return code!("members.has(prefix + {})", quoted(field.json_name())),
        };
        match field.ty.required() {
            Type::Named(id) => {
                code!("is_given(static_cast<const {}*>(nullptr), members, {prefix}, {depth})", self.reference(*id))
            }
            _ => code!("false"),
        }
    }

    fn record_from_members(&self, id: TypeId) -> Vec<Stmt> {
        let mut body = vec![when(code!("!in.open_members()"), vec![stmt!("return false;")])];
        for (index, field) in self.fields(id).into_iter().enumerate() {
            let target = code!("value.{}", self.names.member(id, index));
            if field.name.is_empty() {
                body.push(when(code!("!read_members(in, members, prefix, {target})"), vec![stmt!("return false;")]));
            } else {
                let absent = self.assign_default(id, index, &target);
                body.push(self.read_member(field, self.hold(id, index), &target, absent.to_code()));
            }
        }
        body.push(stmt!("return in.close();"));
        body
    }

    /// Reads a field or arm where one of its members is given.
    fn read_member(&self, field: &Field, hold: Hold, target: &Code, absent: Code) -> Stmt {
        let Some(inner) = &field.json.flatten else {
            return self.read_at(field.json_name(), field, hold, target, absent);
        };
        let held = match hold {
            Hold::Maybe | Hold::Boxed => code!("aldis::present({target})"),
            _ => target.to_owned(),
        };
        let mut read = code!("!read_members(in, members, prefix + {}, {held})", quoted(inner));
        if hold == Hold::Boxed {
            read = code!("!in.take_held({target}) || {read}");
        }
        let read = vec![Scope::new("in", "false").field(&field.name).fail_if(read)];
        Stmt::Choice(vec![(Some(self.given(field, code!("in.depth()"))), read), (None, vec![Stmt::Line(absent)])])
    }

    fn read_at(&self, key: &str, field: &Field, hold: Hold, target: &Code, absent: Code) -> Stmt {
        let read = self.read_field(field, hold, target);
        let read = vec![Scope::new("in", "false").field(key).fail_if(code!("!({read})"))];
        let there = code!("aldis::json::go_to(in, members, prefix + {})", quoted(key));
        Stmt::Choice(vec![(Some(there), read), (None, vec![Stmt::Line(absent)])])
    }

    fn union_from_members(&self, id: TypeId) -> Vec<Stmt> {
        let union = self.schema.union(id);
        let count = union.arms.len();
        let mut body = Vec::new();
        let discriminator = union.discriminator.as_ref();
        if let Some(discriminator) = discriminator {
            let names: Vec<Code> = union.arms.iter().map(|arm| quoted(arm.field.json_name())).collect();
            let list = listed(&names);
            body.push(stmt!("static constexpr std::array<std::string_view, {count}> names{{{{{list}}}}};"));
            body.push(stmt!("std::size_t told = {count};"));
            let key = quoted(&discriminator.name);
            body.push(when(
                code!("!aldis::json::read_told(in, members, prefix + {key}, names, told)"),
                vec![stmt!("return in.in_field({key});")],
            ));
        }
        body.push(stmt!("bool given = false;"));
        for (index, arm) in union.arms.iter().enumerate() {
            let field = &arm.field;
            let hold = self.hold(id, index);
            let absent = self.arm_default(id, index);
            let claim = when(code!("!in.claim(given)"), vec![stmt!("return in.in_field({});", quoted(&field.name))]);
            let held = alias("auto&", &var("arm"), self.active_arm(id, index, &var("value")));
            let mut there = self.given(field, code!("in.depth()"));
            if let Some(discriminator) = discriminator {
                let untold = code!("told == {count} && {there}");
                match &discriminator.value_name {
                    Some(name) => {
                        let read = self.read_at(name, field, hold, &var("arm"), absent.clone());
                        body.push(when(code!("told == {index}"), vec![claim.clone(), held.clone(), read]));
                        there = untold;
                    }
                    None => there = code!("told == {index} || ({untold})"),
                }
            }
            let read = self.read_member(field, hold, &var("arm"), absent);
            body.push(when(there, vec![claim, held, read]));
        }
        body.push(when(code!("!given"), vec![stmt!("value = {};", self.first_arm(id))]));
        body.push(stmt!("return true;"));
        body
    }

    /// The statement that gives an arm its default.
    fn arm_default(&self, union: TypeId, arm: usize) -> Code {
        match self.hold(union, arm) {
            Hold::Maybe | Hold::Boxed => code!("arm.reset();"),
            _ => self.assign_default(union, arm, &var("arm")),
        }
    }
}
