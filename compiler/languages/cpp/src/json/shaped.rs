//! Readers of objects that hold more than the members of one record: flattened records and unions, and members that tell
//! which arm is active.

use crate::code::{alias, function, line, quoted, when, Stmt};
use crate::gen::{Gen, Hold};
use crate::parameter::{listed, parameter, Parameter};
use crate::scope::Scope;
use aldis_schema::{Field, Type, TypeId, TypeKind};

const READ_HEAD: &str = "template <aldis::json::policy P>\nbool read_members";
const GIVEN_HEAD: &str = "inline bool is_given";

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
        let body = match self.is_union(id) {
            true => self.union_from_members(id),
            false => self.record_from_members(id),
        };
        let read = function(READ_HEAD, &self.members_parameters(id), body);
        let given = vec![line(format!("return depth > 0 && ({});", self.any_given(id)))];
        let given = function(GIVEN_HEAD, &self.given_parameters(id), given);
        vec![read, Stmt::Blank, given, Stmt::Blank]
    }

    pub(super) fn shaped_declarations(&self, id: TypeId) -> [Stmt; 2] {
        let declare =
            |head: &str, parameters: &[Parameter]| line(format!("{head}(\n    {});", listed(parameters, ",\n    ")));
        [declare(READ_HEAD, &self.members_parameters(id)), declare(GIVEN_HEAD, &self.given_parameters(id))]
    }

    fn members_parameters(&self, id: TypeId) -> [Parameter; 4] {
        let value = parameter(format!("{}&", self.names.of(id)), "value");
        [parameter("aldis::json::reader<P>&", "in"), found(), prefix(), value]
    }

    /// The first one only tells the type.
    fn given_parameters(&self, id: TypeId) -> [Parameter; 4] {
        let of = parameter(format!("const {}*", self.names.of(id)), "of");
        [of, found(), prefix(), parameter("std::uint32_t", "depth")]
    }

    fn any_given(&self, id: TypeId) -> String {
        let mut conditions: Vec<String> =
            self.fields(id).into_iter().map(|field| self.given(field, "depth - 1")).collect();
        if let TypeKind::Union(union) = &self.schema.type_def(id).kind {
            if let Some(discriminator) = &union.discriminator {
                conditions.insert(0, format!("members.has(prefix + {})", quoted(&discriminator.name)));
            }
        }
        if conditions.is_empty() {
            return "false".to_owned();
        }
        conditions.join(" || ")
    }

    /// The expression that tells whether any member of a field or arm is there.
    fn given(&self, field: &Field, depth: &str) -> String {
        let prefix = match (&field.json.flatten, field.name.is_empty()) {
            (Some(inner), _) => format!("prefix + {}", quoted(inner)),
            (None, true) => "prefix".to_owned(),
            (None, false) => return format!("members.has(prefix + {})", quoted(field.json_name())),
        };
        match field.ty.required() {
            Type::Named(id) => {
                format!("is_given(static_cast<const {}*>(nullptr), members, {prefix}, {depth})", self.reference(*id))
            }
            _ => "false".to_owned(),
        }
    }

    fn record_from_members(&self, id: TypeId) -> Vec<Stmt> {
        let mut body = vec![when("!in.open_members()", vec![line("return false;")])];
        for (index, field) in self.fields(id).into_iter().enumerate() {
            let target = format!("value.{}", self.names.member(id, index));
            if field.name.is_empty() {
                body.push(when(format!("!read_members(in, members, prefix, {target})"), vec![line("return false;")]));
            } else {
                let absent = self.assign_default(id, index, &target);
                body.push(self.read_member(field, self.hold(id, index), &target, absent));
            }
        }
        body.push(line("return in.close();"));
        body
    }

    /// Reads a field or arm where one of its members is given.
    fn read_member(&self, field: &Field, hold: Hold, target: &str, absent: String) -> Stmt {
        let Some(inner) = &field.json.flatten else {
            return self.read_at(field.json_name(), field, hold, target, absent);
        };
        let held = match hold {
            Hold::Maybe | Hold::Boxed => format!("aldis::present({target})"),
            _ => target.to_owned(),
        };
        let mut read = format!("!read_members(in, members, prefix + {}, {held})", quoted(inner));
        if hold == Hold::Boxed {
            read = format!("!in.take_held({target}) || {read}");
        }
        let read = vec![Scope::new("in", "false").field(&field.name).fail_if(read)];
        Stmt::Choice(vec![(Some(self.given(field, "in.depth()")), read), (None, vec![line(absent)])])
    }

    fn read_at(&self, key: &str, field: &Field, hold: Hold, target: &str, absent: String) -> Stmt {
        let read = self.read_field(field, hold, target);
        let read = vec![Scope::new("in", "false").field(key).fail_if(format!("!({read})"))];
        let there = format!("aldis::json::go_to(in, members, prefix + {})", quoted(key));
        Stmt::Choice(vec![(Some(there), read), (None, vec![line(absent)])])
    }

    fn union_from_members(&self, id: TypeId) -> Vec<Stmt> {
        let union = self.schema.union(id);
        let count = union.arms.len();
        let mut body = Vec::new();
        let discriminator = union.discriminator.as_ref();
        if let Some(discriminator) = discriminator {
            let names: Vec<String> = union.arms.iter().map(|arm| quoted(arm.field.json_name())).collect();
            let list = names.join(", ");
            body.push(line(format!("static constexpr std::array<std::string_view, {count}> names{{{{{list}}}}};")));
            body.push(line(format!("std::size_t told = {count};")));
            let key = quoted(&discriminator.name);
            body.push(when(
                format!("!aldis::json::read_told(in, members, prefix + {key}, names, told)"),
                vec![line(format!("return in.in_field({key});"))],
            ));
        }
        body.push(line("bool given = false;"));
        for (index, arm) in union.arms.iter().enumerate() {
            let field = &arm.field;
            let hold = self.hold(id, index);
            let absent = self.arm_default(id, index);
            let claim = when("!in.claim(given)", vec![line(format!("return in.in_field({});", quoted(&field.name)))]);
            let held = alias("auto&", "arm", self.active_arm(id, index, "value"));
            let mut there = self.given(field, "in.depth()");
            if let Some(discriminator) = discriminator {
                let untold = format!("told == {count} && {there}");
                match &discriminator.value_name {
                    Some(name) => {
                        let read = self.read_at(name, field, hold, "arm", absent.clone());
                        body.push(when(format!("told == {index}"), vec![claim.clone(), held.clone(), read]));
                        there = untold;
                    }
                    None => there = format!("told == {index} || ({untold})"),
                }
            }
            let read = self.read_member(field, hold, "arm", absent);
            body.push(when(there, vec![claim, held, read]));
        }
        body.push(when("!given", vec![line(format!("value = {};", self.first_arm(id)))]));
        body.push(line("return true;"));
        body
    }

    /// The statement that gives an arm its default.
    fn arm_default(&self, union: TypeId, arm: usize) -> String {
        match self.hold(union, arm) {
            Hold::Maybe | Hold::Boxed => "arm.reset();".to_owned(),
            _ => self.assign_default(union, arm, "arm"),
        }
    }
}
