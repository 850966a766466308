//! JSON as tables: of each type what its JSON is, of each field and arm its key, and what stands for null and for a missing key. A
//! runtime walks them, or a language prints what they say.

use crate::module::{ListType, Literal, Module};
use crate::value::Value;
use aldis_plan::{JsonPolicy, Shape};
use aldis_schema::{BytesText, Discriminator, Encoding, Field, IntType, Type, TypeId, TypeKind};

/// The JSON of a type that has a name.
#[derive(Clone, Debug)]
pub enum Table<'s> {
    Record(Vec<Member<'s>>),
    /// Names that the schema has, with their values and what JSON calls them; the first of a value is its own.
    Enum {
        repr: Form,
        names: Vec<(&'s str, i128, &'s str)>,
    },
    /// Single bits by name, and masks of several that have names too.
    Flags {
        repr: Form,
        bits: Vec<(&'s str, i128)>,
        masks: Vec<(&'s str, i128)>,
    },
    /// Arms with their tags. A member of its own may tell the arm; null arms may be empty values.
    Union {
        arms: Vec<(u64, Member<'s>)>,
        told: Option<&'s Discriminator>,
        empty_arms: bool,
    },
}

/// The JSON of a field or arm.
#[derive(Clone, Debug)]
pub struct Member<'s> {
    pub field: &'s Field,
    pub of: Form,
    /// The value of a null, where the type does not say that there may be one.
    pub none: Option<Literal>,
    /// The value of a missing key, where the type does not say it.
    pub absent: Option<Literal>,
    /// The only value, which the schema fixes.
    pub fixed: Option<Literal>,
}

/// The JSON of a type, as kinds that every runtime knows.
#[derive(Clone, Debug)]
pub enum Form {
    /// `u32`, `utf8`, `base64`; `f64finite` where JSON has no NaN and no infinities.
    Kind(String),
    /// A named type's own.
    Named(TypeId),
    /// `optional` (null, or the inner one), `orEmpty` (so too, but empty as an element), `wide` (text, or a number), `loose` (a number,
    /// or text), `orNaN` (a number, or null), `emptyText` and `emptyList` (what is empty where null is no element).
    Rule(&'static str, Box<Form>),
    /// `list`, `set`, `map` (an object), `pairs` (a map as a list of them), with their parts; an array has a length.
    Collection { kind: &'static str, parts: Vec<Form>, made: ListType, length: Option<u32> },
}

impl Module {
    /// The table of a type.
    pub fn json(&self, policy: JsonPolicy, id: TypeId) -> Table<'_> {
        let tables = Tables { module: self, policy };
        match &self.schema.type_def(id).kind {
            TypeKind::Record(record) => {
                let fields = record.fields.iter().enumerate();
                Table::Record(fields.map(|(index, field)| tables.member(id, index, field)).collect())
            }
            TypeKind::Enum(definition) => {
                // Those of characters are numbers in JSON too.
                let repr = match definition.repr {
                    Type::Char => Form::Kind("u8".to_owned()),
                    ref repr => tables.of(repr),
                };
                let names = definition.values.iter();
                let names = names.map(|known| (known.name.as_str(), known.value, known.json_name())).collect();
                Table::Enum { repr, names }
            }
            TypeKind::Flags(flags) => {
                let single = flags.single_bits();
                let others = flags.values.iter().filter(|flag| single.iter().all(|(_, known)| *known != flag.name));
                Table::Flags {
                    repr: tables.of(&Type::Int(IntType::unsigned(flags.repr.bits))),
                    masks: others.map(|flag| (flag.name.as_str(), i128::from(flag.mask))).collect(),
                    bits: single.iter().map(|(bit, known)| (*known, i128::from(*bit))).collect(),
                }
            }
            TypeKind::Union(union) => {
                let arms = union.arms.iter().enumerate();
                Table::Union {
                    arms: arms.map(|(index, arm)| (arm.tag, tables.member(id, index, &arm.field))).collect(),
                    told: union.discriminator.as_ref(),
                    empty_arms: union.empty_arms,
                }
            }
        }
    }
}

struct Tables<'m> {
    module: &'m Module,
    policy: JsonPolicy,
}

impl Tables<'_> {
    fn member<'s>(&self, id: TypeId, index: usize, field: &'s Field) -> Member<'s> {
        let literal = |value: Value| Literal { value, ty: field.ty.clone(), lacks: false };
        let fixed = field.constant.as_ref().map(|_| self.module.new_field(id, index));
        let optional = matches!(field.ty, Type::Optional(_));
        let empty = match &field.ty {
            Type::List(_) => Some(literal(Value::List(Vec::new()))),
            Type::Text(_) | Type::Bytes => Some(literal(Value::Bytes(Vec::new()))),
            _ => None,
        };
        let may_be_null = field.nullable() && (!optional || fixed.is_some());
        let none = || fixed.clone().or_else(|| empty.clone()).unwrap_or_else(|| literal(Value::Null));
        let none = may_be_null.then(none);
        let absent = match &fixed {
            Some(fixed) => Some(fixed.clone()),
            None if self.policy.defaults => Some(self.module[self.module.missing[id.index()][index]].clone()),
            None if field.optional => Some(literal(Value::Null)),
            None => empty,
        };
        // The type of an optional value says already that it may be absent.
        let absent = absent.filter(|absent| !(optional && absent.value == Value::Null));
        let of = match (field.json.bytes, field.ty.required()) {
            (Some(form), Type::Bytes) => {
                let of = Form::Kind(if form == BytesText::Hex { "hex" } else { "base64" }.to_owned());
                if optional {
                    self.optional(of)
                } else {
                    of
                }
            }
            _ => self.of(&field.ty),
        };
        Member { field, of, none, absent, fixed }
    }

    fn of(&self, ty: &Type) -> Form {
        let form = match ty {
            Type::Named(id) => Form::Named(*id),
            Type::Optional(inner) => return self.optional(self.of(inner)),
            Type::List(_) | Type::Set(_) | Type::Array { .. } | Type::Map { .. } => self.collection(ty),
            ty => Form::Kind(self.kind(ty)),
        };
        let rule = match ty {
            Type::Int(IntType { bits: 64, .. }) if self.policy.wide_text => "wide",
            Type::Int(_) if self.policy.wide_text => "loose",
            Type::Float32 | Type::Float64 if self.policy.omit_null => "orNaN",
            Type::Text(_) if self.policy.omit_null => "emptyText",
            Type::List(_) if self.policy.omit_null => "emptyList",
            _ => return form,
        };
        Form::Rule(rule, Box::new(form))
    }

    fn kind(&self, ty: &Type) -> String {
        let finite = if self.policy.non_finite { "" } else { "finite" };
        match ty {
            Type::Int(IntType { bits, signed }) => return format!("{}{bits}", if *signed { "i" } else { "u" }),
            Type::Float32 => return format!("f32{finite}"),
            Type::Float64 => return format!("f64{finite}"),
            Type::Bool => "bool",
            Type::Timestamp => "u64",
            Type::Opaque(_) => "opaque",
            Type::Decimal => "decimal",
            Type::Uuid => "uuid",
            Type::Char => "character",
            Type::Bytes if self.policy.byte_arrays => "byteArray",
            Type::Bytes => "bytes",
            Type::Text(Encoding::Latin1) | Type::Chars { encoding: Encoding::Latin1, .. } => "latin1",
            Type::Text(Encoding::Utf8) | Type::Chars { encoding: Encoding::Utf8, .. } => "utf8",
            _ => "nothing",
        }
        .to_owned()
    }

    fn optional(&self, inner: Form) -> Form {
        Form::Rule(if self.policy.omit_null { "orEmpty" } else { "optional" }, Box::new(inner))
    }

    fn collection(&self, ty: &Type) -> Form {
        let (shape, kind, parts) = match ty {
            Type::Map { key, value, .. } => {
                let kind = if self.is_member_name(key) { "map" } else { "pairs" };
                (Shape::Map, kind, vec![self.of(key), self.of(value)])
            }
            Type::Set(element) => (Shape::Set, "set", vec![self.of(element)]),
            ty => (Shape::List, "list", vec![self.of(ty.element())]),
        };
        let length = match ty {
            Type::Array { len, .. } => Some(*len),
            _ => None,
        };
        Form::Collection { kind, parts, made: ListType { shape, ty: ty.clone() }, length }
    }

    /// Whether maps with such keys are objects.
    fn is_member_name(&self, key: &Type) -> bool {
        match key {
            Type::Float32 | Type::Float64 | Type::Bytes => false,
            Type::Named(id) => !matches!(self.module.schema.type_def(*id).kind, TypeKind::Record(_)),
            _ => true,
        }
    }
}
