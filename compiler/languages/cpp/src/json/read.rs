//! Readers of JSON.

use super::write::item_of;
use crate::code::{block, line, quoted, when, Stmt};
use crate::gen::{Gen, Hold};
use crate::names::Site;
use crate::parameter::parameter;
use aldis_schema::{Encoding, Type, TypeId, TypeKind};

impl Gen<'_> {
    pub(super) fn json_reader(&self, id: TypeId) -> Stmt {
        let name = self.names.of(id);
        let fields = &self.schema.record(id).fields;
        let count = fields.len();
        let names: Vec<String> = fields.iter().map(|field| quoted(field.json_name())).collect();
        let mut body = self.members_head(&names);
        if self.notes_missing(id) {
            body.push(line("value.missing_fields.clear();"));
        }
        body.push(when("!in.open()", vec![line("return false;")]));
        let cases = (0..count).map(|index| self.read_case(id, index)).collect();
        body.push(block(
            "while (in.next(object, names))",
            vec![
                line("bool read = false;"),
                block("switch (object.field)", cases),
                when("!read", vec![line("return in.in_field(names[object.field]);")]),
            ],
        ));
        body.push(when("in.failed()", vec![line("return false;")]));
        for index in 0..count {
            body.extend(self.absent(id, index));
        }
        body.push(line("return in.close();"));
        let parameters = [parameter("aldis::json::reader<P>&", "in"), parameter(format!("{name}&"), "value")];
        crate::code::function("template <aldis::json::policy P>\nbool read_json", &parameters, body)
    }

    /// The names of an object's members, and what is known of those that were read.
    pub(super) fn members_head(&self, names: &[String]) -> Vec<Stmt> {
        let count = names.len();
        let list = if names.is_empty() { String::new() } else { format!("{{{}}}", names.join(", ")) };
        let skips = self.wires.first().is_some_and(|wire| wire.plan.json.skip_unknown);
        let skips = if skips { ", true" } else { "" };
        vec![
            line(format!("static constexpr std::array<std::string_view, {count}> names{{{list}}};")),
            line(format!("aldis::json::members<{count}{skips}> object;")),
        ]
    }

    fn read_case(&self, id: TypeId, index: usize) -> Stmt {
        let field = self.field(id, index);
        let member = format!("value.{}", self.names.member(id, index));
        let ty = field.ty.required();
        let expression = match self.hold(id, index) {
            Hold::Maybe | Hold::Boxed => self.read_maybe(ty, &member, 1),
            Hold::Constant => return self.read_constant(id, index),
            Hold::Plain | Hold::Noted => {
                let read = self.read_expression(&field.ty, &member, 1);
                if field.nullable() {
                    format!("in.null() ? ({member}.clear(), true) : {read}")
                } else {
                    read
                }
            }
        };
        let unseen = if field.hidden { " || in.hide()" } else { "" };
        line(format!("case {index}: read = {expression}{unseen}; break;"))
    }

    /// A constant may be given, and is then what the schema says.
    fn read_constant(&self, id: TypeId, index: usize) -> Stmt {
        let field = self.field(id, index);
        let ty = field.ty.required();
        let read = self.read_expression(ty, "given", 1);
        let fixed = format!("{}::{}", self.names.of(id), self.names.member(id, index));
        let null = if field.nullable() { "in.null() || " } else { "" };
        block(
            format!("case {index}:"),
            vec![
                line(format!("{} given{{}};", self.cpp_type(ty, Site::Namespace))),
                line(format!("read = {null}({read} && in.agrees(given, {fixed}));")),
                line("break;"),
            ],
        )
    }

    /// The statements for a field whose key is not there.
    fn absent(&self, id: TypeId, index: usize) -> Option<Stmt> {
        let field = self.field(id, index);
        let member = format!("value.{}", self.names.member(id, index));
        let defaults = self.wires.first().is_some_and(|wire| wire.plan.json.defaults);
        let done = match (self.hold(id, index), &field.ty) {
            (Hold::Constant, _) => return None,
            _ if defaults => self.assign_default(id, index, &member),
            (_, Type::Optional(_)) => format!("{member}.reset();"),
            _ if field.optional => format!("{member}.reset();"),
            (_, Type::List(_) | Type::Text(_) | Type::Bytes) => format!("{member}.clear();"),
            _ => format!("return in.missing({});", quoted(&field.name)),
        };
        Some(when(format!("!object.has({index})"), vec![line(done)]))
    }

    fn read_maybe(&self, ty: &Type, value: &str, level: usize) -> String {
        let item = item_of("item", level);
        let inner = self.read_expression(ty, &item, level + 1);
        format!("in.optional({value}, [&](auto& {item}) {{ return {inner}; }})")
    }

    /// The call that reads a value and tells whether it could.
    pub(super) fn read_expression(&self, ty: &Type, value: &str, level: usize) -> String {
        match ty {
            Type::Bool => format!("in.boolean({value})"),
            Type::Char => format!("in.character({value})"),
            Type::Int(_) | Type::Timestamp => format!("in.integer({value})"),
            Type::Float32 | Type::Float64 => format!("in.real({value})"),
            Type::Decimal | Type::Uuid => format!("in.quoted({value})"),
            Type::Text(Encoding::Latin1) | Type::Chars { encoding: Encoding::Latin1, .. } => {
                format!("in.latin1({value})")
            }
            Type::Text(_) | Type::Chars { .. } => format!("in.text({value})"),
            Type::Bytes => format!("in.bytes({value})"),
            Type::Named(id) => match &self.schema.type_def(*id).kind {
                TypeKind::Enum(_) => format!("in.enumeration({value}, {}_names)", self.reference(*id)),
                TypeKind::Flags(_) => format!("in.flags({value}, {}_names)", self.reference(*id)),
                _ => format!("read_json(in, {value})"),
            },
            Type::Optional(inner) => self.read_maybe(inner, value, level),
            Type::List(element) => self.read_row("list", element, value, level),
            Type::Set(element) => self.read_row("set", element, value, level),
            Type::Array { element, .. } => self.read_row("array", element, value, level),
            Type::Map { key, value: held, .. } => self.read_map(key, held, value, level),
            Type::Void => format!("in.nothing({value})"),
            Type::Opaque(_) => format!("in.open_value({value})"),
        }
    }

    fn read_row(&self, verb: &str, element: &Type, value: &str, level: usize) -> String {
        let item = item_of("item", level);
        let inner = self.read_expression(element, &item, level + 1);
        format!("in.{verb}({value}, [&](auto& {item}) {{ return {inner}; }})")
    }

    fn read_map(&self, key: &Type, held: &Type, value: &str, level: usize) -> String {
        let (key_item, item) = (item_of("key", level), item_of("item", level));
        let read = self.read_expression(held, &item, level + 1);
        let read = format!("[&](auto& {item}) {{ return {read}; }}");
        if !self.key_has_text(key) {
            let read_key = self.read_expression(key, &key_item, level + 1);
            return format!("in.pairs({value}, [&](auto& {key_item}) {{ return {read_key}; }}, {read})");
        }
        let verb = match key {
            Type::Text(Encoding::Latin1) => "latin1_key",
            Type::Text(_) | Type::Chars { .. } => "text_key",
            Type::Bool => "boolean_key",
            Type::Uuid | Type::Decimal => "quoted_key",
            _ => "integer_key",
        };
        let parameters = format!("std::string_view text, auto& {key_item}, std::size_t at");
        format!("in.map({value}, [&]({parameters}) {{ return in.{verb}(text, {key_item}, at); }}, {read})")
    }
}
