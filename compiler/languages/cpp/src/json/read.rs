//! Readers of JSON.

use super::write::item_of;
use crate::code::{block, code, function, listed, quoted, stmt, var, when, Code, Stmt};
use crate::gen::{Gen, Hold};
use crate::names::Site;
use crate::parameter::parameter;
use aldis_schema::{Encoding, Type, TypeId, TypeKind};

impl Gen<'_> {
    pub(super) fn json_reader(&self, id: TypeId) -> Stmt {
        let name = self.names.of(id);
        let fields = &self.schema.record(id).fields;
        let count = fields.len();
        let names: Vec<Code> = fields.iter().map(|field| quoted(field.json_name())).collect();
        let mut body = self.members_head(&names);
        if self.notes_missing(id) {
            body.push(stmt!("value.missing_fields.clear();"));
        }
        body.push(when(code!("!in.open()"), vec![stmt!("return false;")]));
        let cases = (0..count).map(|index| self.read_case(id, index)).collect();
        body.push(block(
            code!("while (in.next(object, names))"),
            vec![
                stmt!("bool read = false;"),
                block(code!("switch (object.field)"), cases),
                when(code!("!read"), vec![stmt!("return in.in_field(names[object.field]);")]),
            ],
        ));
        body.push(when(code!("in.failed()"), vec![stmt!("return false;")]));
        for index in 0..count {
            body.extend(self.absent(id, index));
        }
        body.push(stmt!("return in.close();"));
        let parameters = [parameter("aldis::json::reader<P>&", "in"), parameter(code!("{name}&"), "value")];
        function(code!("template <aldis::json::policy P>\nbool read_json"), &parameters, body)
    }

    /// The names of an object's members, and what is known of those that were read.
    pub(super) fn members_head(&self, names: &[Code]) -> Vec<Stmt> {
        let count = names.len();
        let list = (!names.is_empty()).then(|| code!("{{{}}}", listed(names)));
        let skips = self.wires.first().is_some_and(|wire| wire.plan.json.skip_unknown);
        let skips = skips.then(|| code!(", true"));
        vec![
            stmt!("static constexpr std::array<std::string_view, {count}> names{{{list}}};"),
            stmt!("aldis::json::members<{count}{skips}> object;"),
        ]
    }

    fn read_case(&self, id: TypeId, index: usize) -> Stmt {
        let field = self.field(id, index);
        let member = code!("value.{}", self.names.member(id, index));
        let ty = field.ty.required();
        let expression = match self.hold(id, index) {
            Hold::Maybe | Hold::Boxed => self.read_maybe(ty, &member, 1),
            Hold::Constant => return self.read_constant(id, index),
            Hold::Plain | Hold::Noted => {
                let read = self.read_expression(&field.ty, &member, 1);
                if field.nullable() {
                    code!("in.null() ? ({member}.clear(), true) : {read}")
                } else {
                    read
                }
            }
        };
        let unseen = field.hidden.then(|| code!(" || in.hide()"));
        stmt!("case {index}: read = {expression}{unseen}; break;")
    }

    /// A constant may be given, and is then what the schema says.
    fn read_constant(&self, id: TypeId, index: usize) -> Stmt {
        let field = self.field(id, index);
        let ty = field.ty.required();
        let read = self.read_expression(ty, &var("given"), 1);
        let fixed = code!("{}::{}", self.names.of(id), self.names.member(id, index));
        let null = field.nullable().then(|| code!("in.null() || "));
        block(
            code!("case {index}:"),
            vec![
                stmt!("{} given{{}};", self.cpp_type(ty, Site::Namespace)),
                stmt!("read = {null}({read} && in.agrees(given, {fixed}));"),
                stmt!("break;"),
            ],
        )
    }

    /// The statements for a field whose key is not there.
    fn absent(&self, id: TypeId, index: usize) -> Option<Stmt> {
        let field = self.field(id, index);
        let member = code!("value.{}", self.names.member(id, index));
        let defaults = self.wires.first().is_some_and(|wire| wire.plan.json.defaults);
        let done = match (self.hold(id, index), &field.ty) {
            (Hold::Constant, _) => return None,
            _ if defaults => self.assign_default(id, index, &member),
            (_, Type::Optional(_)) => code!("{member}.reset();"),
            _ if field.optional => code!("{member}.reset();"),
            (_, Type::List(_) | Type::Text(_) | Type::Bytes) => code!("{member}.clear();"),
            _ => code!("return in.missing({});", quoted(&field.name)),
        };
        Some(when(code!("!object.has({index})"), vec![Stmt::Line(done)]))
    }

    fn read_maybe(&self, ty: &Type, value: &Code, level: usize) -> Code {
        let item = item_of("item", level);
        let inner = self.read_expression(ty, &item, level + 1);
        code!("in.optional({value}, [&](auto& {item}) {{ return {inner}; }})")
    }

    /// The call that reads a value and tells whether it could.
    pub(super) fn read_expression(&self, ty: &Type, value: &Code, level: usize) -> Code {
        match ty {
            Type::Bool => code!("in.boolean({value})"),
            Type::Char => code!("in.character({value})"),
            Type::Int(_) | Type::Timestamp => code!("in.integer({value})"),
            Type::Float32 | Type::Float64 => code!("in.real({value})"),
            Type::Decimal | Type::Uuid => code!("in.quoted({value})"),
            Type::Text(Encoding::Latin1) | Type::Chars { encoding: Encoding::Latin1, .. } => {
                code!("in.latin1({value})")
            }
            Type::Text(_) | Type::Chars { .. } => code!("in.text({value})"),
            Type::Bytes => code!("in.bytes({value})"),
            Type::Named(id) => match &self.schema.type_def(*id).kind {
                TypeKind::Enum(_) => code!("in.enumeration({value}, {}_names)", self.reference(*id)),
                TypeKind::Flags(_) => code!("in.flags({value}, {}_names)", self.reference(*id)),
                _ => code!("read_json(in, {value})"),
            },
            Type::Optional(inner) => self.read_maybe(inner, value, level),
            Type::List(element) => self.read_row("list", element, value, level),
            Type::Set(element) => self.read_row("set", element, value, level),
            Type::Array { element, .. } => self.read_row("array", element, value, level),
            Type::Map { key, value: held, .. } => self.read_map(key, held, value, level),
            Type::Void => code!("in.nothing({value})"),
            Type::Opaque(_) => code!("in.open_value({value})"),
        }
    }

    fn read_row(&self, verb: &str, element: &Type, value: &Code, level: usize) -> Code {
        let item = item_of("item", level);
        let inner = self.read_expression(element, &item, level + 1);
        code!("in.{verb}({value}, [&](auto& {item}) {{ return {inner}; }})")
    }

    fn read_map(&self, key: &Type, held: &Type, value: &Code, level: usize) -> Code {
        let (key_item, item) = (item_of("key", level), item_of("item", level));
        let read = self.read_expression(held, &item, level + 1);
        let read = code!("[&](auto& {item}) {{ return {read}; }}");
        if !self.key_has_text(key) {
            let read_key = self.read_expression(key, &key_item, level + 1);
            return code!("in.pairs({value}, [&](auto& {key_item}) {{ return {read_key}; }}, {read})");
        }
        let verb = match key {
            Type::Text(Encoding::Latin1) => "latin1_key",
            Type::Text(_) | Type::Chars { .. } => "text_key",
            Type::Bool => "boolean_key",
            Type::Uuid | Type::Decimal => "quoted_key",
            _ => "integer_key",
        };
        let parameters = code!("std::string_view text, auto& {key_item}, std::size_t at");
        code!("in.map({value}, [&]({parameters}) {{ return in.{verb}(text, {key_item}, at); }}, {read})")
    }
}
