//! Writers of JSON.

use crate::code::{code, function, raw, stmt, when_else, Code, Stmt, ToCode};
use crate::gen::{Gen, Hold};
use crate::parameter::parameter;
use crate::scope::Scope;
use aldis_emit::json_string;
use aldis_schema::{Encoding, IntType, Type, TypeId, TypeKind};

impl Gen<'_> {
    pub(super) fn json_writer(&self, id: TypeId) -> Stmt {
        let name = self.names.of(id);
        let scope = Scope::new("out", "false");
        let fields = &self.schema.record(id).fields;
        let mut body = Vec::new();
        for (index, field) in fields.iter().enumerate() {
            let key = json_string(field.json_name());
            let before = if index == 0 { "{" } else { "," };
            body.push(stmt!("out.raw({});", raw(&format!("{before}{key}:"))));
            let member = match self.hold(id, index) {
                Hold::Constant => code!("{name}::{}", self.names.member(id, index)),
                _ => code!("value.{}", self.names.member(id, index)),
            };
            let maybe = matches!(self.hold(id, index), Hold::Maybe | Hold::Boxed);
            let written = if maybe {
                self.write_maybe(field.ty.required(), &member, 1)
            } else {
                self.write_expression(field.ty.required(), &member, 1)
            };
            let mut stmt = scope.field(&field.name).fail_if(code!("!{written}"));
            if self.hold(id, index) == Hold::Noted {
                stmt = when_else(code!("value.missing_fields.has({index})"), vec![stmt!("out.null();")], vec![stmt]);
            }
            if field.hidden {
                stmt = when_else(code!("P.printing"), vec![stmt!("out.raw(\"\\\"***\\\"\");")], vec![stmt]);
            }
            body.push(stmt);
        }
        body.push(stmt!("out.raw(\"{}\");", if fields.is_empty() { "{}" } else { "}" }));
        body.push(stmt!("return true;"));
        let parameters = [parameter("aldis::json::writer<P>&", "out"), parameter(code!("const {name}&"), "value")];
        function(code!("template <aldis::json::policy P>\nbool write_json"), &parameters, body)
    }

    fn write_maybe(&self, ty: &Type, value: &Code, level: usize) -> Code {
        let item = item_of("item", level);
        let inner = self.write_expression(ty, &item, level + 1);
        code!("out.optional({value}, [&](const auto& {item}) {{ return {inner}; }})")
    }

    /// The call that writes an element, an empty value where it is null.
    fn write_element(&self, ty: &Type, value: &Code, level: usize) -> Code {
        let policy = self.wires.first().map(|wire| wire.plan.json).unwrap_or_default();
        let Some(empty) = policy.empty(ty, None) else { return self.write_maybe(ty, value, level) };
        let item = item_of("item", level);
        let inner = self.write_expression(ty, &item, level + 1);
        let empty = raw(empty);
        code!("out.optional({value}, {empty}, [&](const auto& {item}) {{ return {inner}; }})")
    }

    /// The call that writes a value and tells whether it could.
    pub(super) fn write_expression(&self, ty: &Type, value: &Code, level: usize) -> Code {
        match ty {
            Type::Bool => code!("out.boolean({value})"),
            Type::Char => code!("out.character({value})"),
            Type::Int(IntType { bits: 64, .. }) if self.wires.first().is_some_and(|wire| wire.plan.json.wide_text) => {
                code!("out.wide_integer({value})")
            }
            Type::Int(_) | Type::Timestamp => code!("out.integer({value})"),
            Type::Float32 | Type::Float64 => code!("out.real({value})"),
            Type::Decimal | Type::Uuid => code!("out.quoted({value})"),
            Type::Text(Encoding::Latin1) | Type::Chars { encoding: Encoding::Latin1, .. } => {
                code!("out.latin1({value})")
            }
            Type::Text(_) | Type::Chars { .. } => code!("out.text({value})"),
            Type::Bytes => code!("out.bytes({value})"),
            Type::Named(id) => match &self.schema.type_def(*id).kind {
                TypeKind::Enum(definition) if definition.values.iter().any(|value| value.json_name.is_some()) => {
                    code!("out.enumeration({value}, aldis::json::name_in({}_names, {value}))", self.reference(*id))
                }
                TypeKind::Enum(_) => code!("out.enumeration({value}, name_of({value}))"),
                TypeKind::Flags(_) => code!("out.flags({value}, {}_bits)", self.reference(*id)),
                _ => code!("write_json(out, {value})"),
            },
            Type::Optional(inner) if self.is_sparse() => self.write_element(inner, value, level),
            Type::Optional(inner) => self.write_maybe(inner, value, level),
            Type::List(element) | Type::Set(element) | Type::Array { element, .. } => {
                let item = item_of("item", level);
                let inner = self.write_expression(element, &item, level + 1);
                code!("out.list({value}, [&](const auto& {item}) {{ return {inner}; }})")
            }
            Type::Map { key, value: held, .. } => {
                let (key_item, item) = (item_of("key", level), item_of("item", level));
                let verb = if self.key_has_text(key) { "map" } else { "pairs" };
                let key = match &**key {
                    Type::Named(id) if !self.is_record(*id) => code!("out.integer({key_item})"),
                    Type::Text(_) | Type::Chars { .. } => code!("out.text({key_item})"),
                    key => self.write_expression(key, &key_item, level + 1),
                };
                let held = self.write_expression(held, &item, level + 1);
                code!(
                    "out.{verb}({value}, [&](const auto& {key_item}) {{ return {key}; }}, \
                     [&](const auto& {item}) {{ return {held}; }})"
                )
            }
            Type::Void => code!("out.nothing({value})"),
            Type::Opaque(_) => code!("out.open_value({value})"),
        }
    }
}

pub(super) fn item_of(name: &str, level: usize) -> Code {
    if level <= 1 {
        name.to_code()
    } else {
        code!("{name}{level}")
    }
}
