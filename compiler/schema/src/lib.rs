//! The meaning of a schema to its author: types, fields, ids, defaults, documentation, and where each was written.
//!
//! A [`Schema`] says which *values* there are, never where their bytes lie; that is the Plan's part. Every format's
//! front end makes this same model, and every language's types, records and JSON come from it.

mod chain;
mod default;
mod digest;
mod float;
mod json;
mod literal;
mod modules;
mod names;
mod text;
mod types;
mod wide;

pub use chain::{longest_chain, named_types, LONGEST_CHAIN};
pub use default::{default_of_field, default_of_type};
pub use digest::digest;
pub use json::{BytesText, Discriminator, JsonField};
pub use literal::{Decimal, Generated, Literal};
pub use modules::{module_hashes, SchemaModule};
pub use names::{Declaration, DeclarationId, NameKind, Names, Use};
pub use text::type_text;
pub use types::{Encoding, IntType, Opaque, Type, TypeId};

use aldis_diagnostics::Span;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One schema with everything that it imports or includes, resolved and checked.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Schema {
    /// The package of the root file; names in it are shown with it.
    pub package: String,
    #[serde(default)]
    pub doc: String,
    /// The version as written in the schema, for people; what goes on the wire is in the Plan.
    pub version: Option<String>,
    /// Hex digest of the texts that this schema came from: the same texts give the same digest on every machine.
    pub hash: String,
    /// All types; a [`TypeId`] is an index into them. Root file's declaration order first, imported ones after.
    pub types: Vec<TypeDef>,
    /// The records that can be a message of their own, in schema order.
    pub messages: Vec<MessageDef>,
    /// Named sets of methods; there are none in most schema languages.
    #[serde(default)]
    pub interfaces: Vec<Interface>,
    /// The files that it was read from, the root first. Empty where the language has no imports, or a schema's files are one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modules: Vec<SchemaModule>,
    /// By type: the module that it belongs to. Empty where all are the root's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub owners: Vec<u32>,
}

impl Schema {
    pub fn type_def(&self, id: TypeId) -> &TypeDef {
        &self.types[id.index()]
    }

    /// The record behind `id`. Front ends guarantee that a type used as a record is one.
    pub fn record(&self, id: TypeId) -> &Record {
        match &self.type_def(id).kind {
            TypeKind::Record(record) => record,
            _ => unreachable!("{} is used as a record", self.type_def(id).name.full()),
        }
    }

    /// The field that a path of indices of fields and arms leads to, from a record or union on.
    pub fn field_at(&self, from: TypeId, path: &[u32]) -> Option<&Field> {
        let (mut within, mut found) = (from, None);
        for &index in path {
            let field = match &self.type_def(within).kind {
                TypeKind::Record(record) => record.fields.get(index as usize),
                TypeKind::Union(union) => union.arms.get(index as usize).map(|arm| &arm.field),
                TypeKind::Enum(_) | TypeKind::Flags(_) => None,
            }?;
            found = Some(field);
            if let Type::Named(id) = field.ty.required() {
                within = *id;
            }
        }
        found
    }

    /// The union behind `id`. Front ends guarantee that a type used as a union is one.
    pub fn union(&self, id: TypeId) -> &Union {
        match &self.type_def(id).kind {
            TypeKind::Union(union) => union,
            _ => unreachable!("{} is used as a union", self.type_def(id).name.full()),
        }
    }

    pub fn message(&self, full_name: &str) -> Option<&MessageDef> {
        self.messages.iter().find(|m| self.type_def(m.record).name.full() == full_name)
    }

    /// Each id, ascending, with the index of the message that it means: the one of the lowest [`MessageDef::rank`];
    /// `None` where several have that.
    pub fn meanings(&self) -> Vec<(u64, Option<usize>)> {
        let claim = |(index, message): (usize, &MessageDef)| Some((message.id?, message.rank, index));
        let mut claims: Vec<(u64, u32, usize)> = self.messages.iter().enumerate().filter_map(claim).collect();
        claims.sort_unstable();
        let same_id = claims.chunk_by(|a, b| a.0 == b.0);
        let meaning = |claims: &[(u64, u32, usize)]| {
            let unique = claims.get(1).is_none_or(|second| second.1 != claims[0].1);
            (claims[0].0, unique.then_some(claims[0].2))
        };
        same_id.map(meaning).collect()
    }
}

/// A type's name: the package it was declared in and its path there (`["Car", "fuelFigures"]` for a group).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Name {
    pub package: String,
    pub path: Vec<String>,
}

impl Name {
    pub fn new(package: impl Into<String>, local: impl Into<String>) -> Self {
        Self { package: package.into(), path: vec![local.into()] }
    }

    /// The name of something declared inside this one.
    pub fn child(&self, local: impl Into<String>) -> Self {
        let mut path = self.path.clone();
        path.push(local.into());
        Self { package: self.package.clone(), path }
    }

    /// `Outer.Inner`
    pub fn local(&self) -> String {
        self.path.join(".")
    }

    /// `package.Outer.Inner`, or `Outer.Inner` where there is no package.
    pub fn full(&self) -> String {
        if self.package.is_empty() {
            self.local()
        } else {
            format!("{}.{}", self.package, self.local())
        }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TypeDef {
    pub name: Name,
    #[serde(default)]
    pub doc: String,
    /// The name where it is declared.
    #[serde(default)]
    pub span: Span,
    pub deprecated: bool,
    pub kind: TypeKind,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TypeKind {
    Record(Record),
    Union(Union),
    Enum(Enum),
    Flags(Flags),
}

/// A type with named fields: a struct, message, composite or group. Inherited fields come first, flattened.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Record {
    pub fields: Vec<Field>,
    /// Indices of the fields that equality and order look at; all fields when empty.
    pub keys: Vec<u32>,
    pub role: Role,
    /// The answers to this message, where it is a request.
    pub request: Option<Request>,
}

impl Record {
    /// The fields that order and equality look at: the keys, or all where none is declared.
    pub fn key_fields(&self) -> Vec<usize> {
        if self.keys.is_empty() {
            (0..self.fields.len()).collect()
        } else {
            self.keys.iter().map(|&k| k as usize).collect()
        }
    }

    pub fn field_index(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|f| f.name == name)
    }
}

/// The kind of a record in its schema language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    #[default]
    Struct,
    Message,
    Composite,
    Group,
}

/// The types that answer a request.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Request {
    pub response: Option<TypeId>,
    pub rejects: Vec<TypeId>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Field {
    pub name: String,
    pub ty: Type,
    #[serde(default)]
    pub doc: String,
    /// The field's name where it is declared.
    #[serde(default)]
    pub span: Span,
    /// The number that the schema gives the field, where it gives one (SBE field id).
    pub id: Option<u32>,
    pub default: Option<Literal>,
    /// The schema calls the field optional though its type has no null of its own (an SBE composite, array or set):
    /// null may be given, and is written as the nulls of what the value is made of, but is never read.
    #[serde(default)]
    pub optional: bool,
    /// Version of the schema that added the field; 0 when it was always there.
    pub since: u32,
    /// The value is fixed by the schema and takes no bytes.
    pub constant: Option<Literal>,
    pub deprecated: bool,
    /// The value is a secret: text output shows `***`.
    pub hidden: bool,
    /// Correlates requests and responses.
    pub correlation: bool,
    /// How its JSON differs from what the format's mapping says.
    #[serde(default)]
    pub json: JsonField,
    /// The other things that the schema says: `semanticType`, `epoch`, `timeUnit`, `minValue`, `maxValue` ….
    #[serde(default)]
    pub notes: BTreeMap<String, String>,
}

impl Field {
    /// A plain field: required, without default, documentation or notes.
    pub fn new(name: impl Into<String>, ty: Type, span: Span) -> Self {
        Self {
            name: name.into(),
            ty,
            doc: String::new(),
            span,
            id: None,
            default: None,
            optional: false,
            since: 0,
            constant: None,
            deprecated: false,
            hidden: false,
            correlation: false,
            json: JsonField::default(),
            notes: BTreeMap::new(),
        }
    }

    /// The name of the field in JSON.
    pub fn json_name(&self) -> &str {
        self.json.name.as_deref().unwrap_or(&self.name)
    }

    /// Whether null may be given for this field: it is optional, or older writers do not know it.
    pub fn nullable(&self) -> bool {
        matches!(self.ty, Type::Optional(_)) || self.optional || self.since > 0
    }
}

/// One of several alternatives, told apart by a number.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Union {
    /// In source order. One with [`Arm::tag`] 0 is what an all-zero message holds.
    pub arms: Vec<Arm>,
    /// It has no name in its record, whose field for it is called `""`: in JSON its arm is a member of the record's
    /// own object.
    pub unnamed: bool,
    /// In JSON a member of its own tells which arm is active.
    #[serde(default)]
    pub discriminator: Option<Discriminator>,
    /// In JSON the active arm is always a member: one that is null is an empty value of its type.
    #[serde(default)]
    pub empty_arms: bool,
}

impl Union {
    /// Index of the arm with that tag; a newer writer's may be unknown.
    pub fn arm_of(&self, tag: u64) -> Option<usize> {
        self.arms.iter().position(|arm| arm.tag == tag)
    }
}

/// An alternative of a union.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Arm {
    /// The discriminant when this alternative is the active one.
    pub tag: u64,
    pub field: Field,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Enum {
    /// [`Type::Int`] or [`Type::Char`].
    pub repr: Type,
    pub values: Vec<EnumValue>,
}

impl Enum {
    /// The first name of `value`: a later one is an alias.
    pub fn name_of(&self, value: i128) -> Option<&str> {
        self.values.iter().find(|v| v.value == value).map(|v| v.name.as_str())
    }

    pub fn value_of(&self, name: &str) -> Option<i128> {
        self.values.iter().find(|v| v.name == name).map(|v| v.value)
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EnumValue {
    pub name: String,
    /// The name in JSON, where that is another one.
    #[serde(default)]
    pub json_name: Option<String>,
    #[serde(with = "wide")]
    pub value: i128,
    #[serde(default)]
    pub doc: String,
    #[serde(default)]
    pub span: Span,
    pub since: u32,
    pub deprecated: bool,
}

impl EnumValue {
    /// The name of the enumerant in JSON.
    pub fn json_name(&self) -> &str {
        self.json_name.as_deref().unwrap_or(&self.name)
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Flags {
    pub repr: IntType,
    pub values: Vec<FlagValue>,
}

impl Flags {
    /// The first name of each single bit, in bit order. Combinations and zero have no place in it.
    pub fn single_bits(&self) -> Vec<(u64, &str)> {
        let mut bits: BTreeMap<u64, &str> = BTreeMap::new();
        for flag in self.values.iter().filter(|f| f.mask.is_power_of_two()) {
            bits.entry(flag.mask).or_insert(&flag.name);
        }
        bits.into_iter().collect()
    }

    pub fn mask_of(&self, name: &str) -> Option<u64> {
        self.values.iter().find(|v| v.name == name).map(|v| v.mask)
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FlagValue {
    pub name: String,
    /// The bits that the name stands for: one, several (a combination) or none.
    pub mask: u64,
    #[serde(default)]
    pub doc: String,
    #[serde(default)]
    pub span: Span,
    pub since: u32,
    pub deprecated: bool,
}

/// A named set of methods, each with a record that it takes and one that it gives.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Interface {
    pub name: Name,
    /// The number that stands for it on the wire.
    pub id: u64,
    #[serde(default)]
    pub doc: String,
    #[serde(default)]
    pub span: Span,
    /// Ids of the interfaces whose methods it has too.
    pub superclasses: Vec<u64>,
    /// A method's index is its number on the wire.
    pub methods: Vec<Method>,
}

/// A method; both of its records are messages of the schema.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Method {
    pub name: String,
    #[serde(default)]
    pub doc: String,
    pub params: TypeId,
    pub results: TypeId,
}

/// A record that travels on its own.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MessageDef {
    pub record: TypeId,
    /// The number by which receivers know it (SBE template id, FBE struct type).
    pub id: Option<u64>,
    /// An id that several messages have means the one of the lowest rank; where two have the lowest, it means none.
    pub rank: u32,
    /// In the root file, not imported: `list` shows it.
    pub listed: bool,
}
