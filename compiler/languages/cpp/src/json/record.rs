//! Records whose members are all there: tables of members, which the runtime goes through.

use crate::code::{code, function, listed, quoted, raw, rows, stmt, when, Code, Stmt};
use crate::gen::{Gen, Hold};
use crate::literal::is_zero;
use crate::names::Site;
use crate::parameter::{parameter, Parameter};
use aldis_emit::json_string;
use aldis_schema::{default_of_field, Type, TypeId};

/// The beginning of a function that mentions kinds.
pub(super) fn kinds() -> Stmt {
    stmt!("namespace as = aldis::json::as;")
}

pub(super) fn to_writer() -> Parameter {
    parameter("aldis::json::writer<P>&", "out")
}

pub(super) fn from_reader() -> Parameter {
    parameter("aldis::json::reader<P>&", "in")
}

impl Gen<'_> {
    pub(super) fn json_writer(&self, id: TypeId) -> Stmt {
        let fields = &self.schema.record(id).fields;
        let member = |index: usize| {
            let before = if index == 0 { "{" } else { "," };
            let key = raw(&format!("{before}{}:", json_string(fields[index].json_name())));
            let (kind, place) = (self.field_kind(id, index), self.json_place(id, index));
            let write = code!("aldis::json::write_as<{kind}, decltype({place})>");
            code!("{{{key}, {}, {write}}}", quoted(&fields[index].name))
        };
        let place = |index: usize| {
            let place = self.json_place(id, index);
            match self.hold(id, index) {
                Hold::Noted => code!("value.missing_fields.has({index}) ? nullptr : &{place}"),
                _ => code!("&{place}"),
            }
        };
        let body = if fields.is_empty() {
            vec![stmt!("out.raw(\"{{}}\");"), stmt!("return true;")]
        } else {
            let all = (0..fields.len()).map(member).collect();
            vec![
                kinds(),
                rows(code!("static constexpr aldis::json::written_member<P> members[]{{"), all, "};"),
                stmt!("const void* const places[]{{{}}};", listed((0..fields.len()).map(place))),
                stmt!("return out.write_members(members, places);"),
            ]
        };
        self.json_function("write_json", to_writer(), code!("const {}&", self.names.of(id)), body)
    }

    pub(super) fn json_reader(&self, id: TypeId) -> Stmt {
        let count = self.schema.record(id).fields.len();
        let mut body = Vec::new();
        if self.notes_missing(id) {
            body.push(stmt!("value.missing_fields.clear();"));
        }
        if count == 0 {
            body.push(stmt!("return in.read_members({{}}, {{}}, nullptr);"));
        } else {
            let (mut members, mut later) = (Vec::new(), Vec::new());
            for index in 0..count {
                let (absent, default) = self.absent(id, index);
                members.push(self.read_row(id, index, absent));
                later.extend(default);
            }
            let places = listed((0..count).map(|index| code!("&{}", self.json_place(id, index))));
            body.extend([
                kinds(),
                rows(code!("static constexpr aldis::json::read_member<P> members[]{{"), members, "};"),
                stmt!("const void* const places[]{{{places}}};"),
                stmt!("std::uint64_t seen[{}]{{}};", count.div_ceil(64)),
            ]);
            let read = code!("in.read_members(members, seen, places)");
            if later.is_empty() {
                body.push(stmt!("return {read};"));
            } else {
                body.push(when(code!("!{read}"), vec![stmt!("return false;")]));
                body.extend(later);
                body.push(stmt!("return true;"));
            }
        }
        self.json_function("read_json", from_reader(), code!("{}&", self.names.of(id)), body)
    }

    fn read_row(&self, id: TypeId, index: usize, absent: Code) -> Code {
        let field = self.field(id, index);
        let (kind, place) = (self.field_kind(id, index), self.json_place(id, index));
        let kind = match self.hold(id, index) {
            Hold::Constant => {
                let ty = self.cpp_type(field.ty.required(), Site::Namespace);
                code!("as::constant<{kind}, {ty}, {}>", field.nullable())
            }
            Hold::Plain | Hold::Noted if field.nullable() => code!("as::never_null<{kind}>"),
            _ => kind,
        };
        let read = code!("aldis::json::read_as<{kind}, decltype({place})>");
        code!("{{{}, {}, {read}, {absent}}}", quoted(field.json_name()), quoted(&field.name))
    }

    /// The function that a reader calls where a member is not there, and a statement where more is to be done than to empty its field.
    fn absent(&self, id: TypeId, index: usize) -> (Code, Option<Stmt>) {
        let field = self.field(id, index);
        let place = self.json_place(id, index);
        let emptied = code!("aldis::json::emptied<decltype({place})>");
        let kept = code!("aldis::json::kept");
        if self.hold(id, index) == Hold::Constant {
            return (kept, None);
        }
        if !self.wires.first().is_some_and(|wire| wire.plan.json.defaults) {
            let may_miss =
                field.optional || matches!(field.ty, Type::Optional(_) | Type::List(_) | Type::Text(_) | Type::Bytes);
            return (if may_miss { emptied } else { code!("nullptr") }, None);
        }
        let is_plain = matches!(self.hold(id, index), Hold::Plain | Hold::Noted);
        match self.field_default(id, index, Site::Namespace) {
            Some(_) if !(is_plain && is_zero(&default_of_field(self.schema, field))) => {
                let assigned = Stmt::Line(self.assign_default(id, index, &place));
                (kept, Some(when(code!("!aldis::json::is_seen(seen, {index})"), vec![assigned])))
            }
            _ => (emptied, None),
        }
    }

    /// The kind of a record's field.
    fn field_kind(&self, id: TypeId, index: usize) -> Code {
        let kind = self.held_kind(self.field(id, index), self.hold(id, index));
        if self.field(id, index).hidden {
            code!("as::hidden<{kind}>")
        } else {
            kind
        }
    }

    /// A member of the value, or the type's constant.
    fn json_place(&self, id: TypeId, index: usize) -> Code {
        let member = self.names.member(id, index);
        match self.hold(id, index) {
            Hold::Constant => code!("{}::{member}", self.names.of(id)),
            _ => code!("value.{member}"),
        }
    }

    /// A function of a record or union: of its writer and the value, or of its reader and the value.
    pub(super) fn json_function(&self, name: &str, with: Parameter, value: Code, body: Vec<Stmt>) -> Stmt {
        let parameters = [with, parameter(value, "value")];
        function(code!("template <aldis::json::policy P>\nbool {name}"), &parameters, body)
    }
}
