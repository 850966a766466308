//! The kinds by which values are read and written: types of the runtime, put together as the schema's types are.

use crate::code::{code, Code};
use crate::gen::{Gen, Hold};
use aldis_schema::{BytesText, Encoding, Field, IntType, Type, TypeId, TypeKind};

impl Gen<'_> {
    /// The kind of a field or arm, whose value is there.
    pub(super) fn value_kind(&self, field: &Field) -> Code {
        match (field.json.bytes, field.ty.required()) {
            (Some(BytesText::Base64), Type::Bytes) => code!("as::base64"),
            (Some(BytesText::Hex), Type::Bytes) => code!("as::hex"),
            (_, ty) => self.json_kind(ty),
        }
    }

    /// The same as it is held, where it may be null.
    pub(super) fn held_kind(&self, field: &Field, hold: Hold) -> Code {
        let kind = self.value_kind(field);
        match hold {
            Hold::Maybe | Hold::Boxed => code!("as::optional<{kind}>"),
            _ => kind,
        }
    }

    pub(super) fn json_kind(&self, ty: &Type) -> Code {
        let policy = self.wires.first().map(|wire| wire.plan.json).unwrap_or_default();
        match ty {
            Type::Bool => code!("as::boolean"),
            Type::Char => code!("as::character"),
            Type::Int(IntType { bits: 64, .. }) if policy.wide_text => code!("as::wide_integer"),
            Type::Int(_) | Type::Timestamp => code!("as::integer"),
            Type::Float32 | Type::Float64 => code!("as::real"),
            Type::Decimal | Type::Uuid => code!("as::quoted"),
            Type::Text(Encoding::Latin1) | Type::Chars { encoding: Encoding::Latin1, .. } => code!("as::latin1"),
            Type::Text(_) | Type::Chars { .. } => code!("as::text"),
            Type::Bytes => code!("as::bytes"),
            Type::Named(id) => self.named_kind(*id),
            Type::Optional(held) if self.is_sparse() && policy.empty(held, None).is_some() => {
                code!("as::or_empty<{}>", self.json_kind(held))
            }
            Type::Optional(held) => code!("as::optional<{}>", self.json_kind(held)),
            Type::List(element) => code!("as::list<{}>", self.json_kind(element)),
            Type::Set(element) => code!("as::set<{}>", self.json_kind(element)),
            Type::Array { element, .. } => code!("as::array<{}>", self.json_kind(element)),
            Type::Map { key, value, .. } => match self.key_kind(key) {
                Some(key) => code!("as::map<{key}, {}>", self.json_kind(value)),
                None => code!("as::pairs<{}, {}>", self.json_kind(key), self.json_kind(value)),
            },
            Type::Void => code!("as::nothing"),
            Type::Opaque(_) => code!("as::open_value"),
        }
    }

    fn named_kind(&self, id: TypeId) -> Code {
        let name = self.reference(id);
        match &self.schema.type_def(id).kind {
            TypeKind::Enum(definition) if definition.values.iter().any(|value| value.json_name.is_some()) => {
                code!("as::renamed<{name}_names>")
            }
            TypeKind::Enum(_) => code!("as::enumeration<{name}_names>"),
            TypeKind::Flags(_) => code!("as::flags<{name}_names, {name}_bits>"),
            _ => code!("as::record"),
        }
    }

    /// The kind of keys that have text, whose maps are objects. Records, floats and bytes as keys make a list of pairs.
    fn key_kind(&self, key: &Type) -> Option<Code> {
        Some(match key {
            Type::Float32 | Type::Float64 | Type::Bytes => return None,
            Type::Named(id) if self.is_record(*id) => return None,
            Type::Text(Encoding::Latin1) => code!("as::latin1_key"),
            Type::Text(_) | Type::Chars { .. } => code!("as::text_key"),
            Type::Bool => code!("as::boolean_key"),
            Type::Uuid | Type::Decimal => code!("as::quoted_key"),
            Type::Char => code!("as::character_key"),
            _ => code!("as::integer_key"),
        })
    }
}
