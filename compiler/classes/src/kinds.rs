//! The value mapping: the type of a schema's types, how its values lie in memory, and how literals are written.

pub mod dialect;

use self::dialect::{Collection, Dialect, Known};
use crate::names::Names;
use crate::tree::{int, make, name, run, string, truth, Expr};
use aldis_emit::text_of;
use aldis_plan::{JsonPolicy, NullValue, Repr, Scalar};
use aldis_routine::{Literal, Module, Value};
use aldis_schema::{Encoding, Enum, Flags, IntType, Schema, Type, TypeId, TypeKind, Union};

/// The schema with its names.
pub struct Kinds<'a> {
    pub dialect: &'a dyn Dialect,
    pub schema: &'a Schema,
    pub names: &'a Names,
    pub strict_text: bool,
    pub json: JsonPolicy,
    /// The front of types' names, where something else is called so too.
    pub front: String,
}

/// A value in generated code.
#[derive(Clone, Debug)]
pub struct Val {
    pub expr: Expr,
    pub ty: Type,
    /// The test that it is null: of numbers nothing where they are never null.
    pub absent: Option<Expr>,
}

impl Kinds<'_> {
    /// The primitive type that holds such values; optional ones too, beside a bit.
    pub fn primitive(&self, ty: &Type) -> Option<&'static str> {
        Some(match ty.required() {
            Type::Bool => self.dialect.flag(),
            Type::Char => "char",
            Type::Int(int) => self.dialect.integer(*int),
            Type::Timestamp => self.dialect.integer(IntType::unsigned(64)),
            Type::Float32 => "float",
            Type::Float64 => "double",
            Type::Named(id) => match &self.schema.type_def(*id).kind {
                TypeKind::Enum(definition) if definition.repr == Type::Char => self.dialect.letter(),
                TypeKind::Enum(definition) => return self.primitive(&definition.repr),
                TypeKind::Flags(flags) => return self.primitive(&Type::Int(flags.repr)),
                _ => return None,
            },
            _ => return None,
        })
    }

    /// Whether values of a type are objects, in each language.
    pub fn is_object(&self, ty: &Type) -> bool {
        match ty.required() {
            Type::Decimal | Type::Uuid | Type::Void => false,
            Type::Named(id) => matches!(self.schema.type_def(*id).kind, TypeKind::Record(_)),
            ty => self.primitive(ty).is_none(),
        }
    }

    pub fn is_enum(&self, ty: &Type) -> bool {
        matches!(ty.required(), Type::Named(id) if matches!(self.schema.type_def(*id).kind, TypeKind::Enum(_)))
    }

    pub fn is_flags(&self, id: TypeId) -> bool {
        matches!(self.schema.type_def(id).kind, TypeKind::Flags(_))
    }

    pub fn is_union(&self, id: TypeId) -> bool {
        matches!(self.schema.type_def(id).kind, TypeKind::Union(_))
    }

    /// The class of a named type.
    pub fn type_of(&self, id: TypeId) -> String {
        let front = if self.names.is_own(id) { self.front.as_str() } else { "" };
        format!("{front}{}", self.names.of(id))
    }

    /// A method of a record's class of codecs.
    pub fn of_codec(&self, record: TypeId, method: &str) -> String {
        format!("{}Codec.{}", self.type_of(record), self.dialect.method(method.to_owned()))
    }

    /// A new object that is read into. Other packages' constructors for that are their own.
    pub fn blank(&self, record: TypeId) -> Expr {
        match self.names.is_own(record) {
            true => make(self.type_of(record), vec![truth(false)]),
            false => self.used(record, name("null")),
        }
    }

    /// The object that was there before, or a new one.
    pub fn used(&self, record: TypeId, old: Expr) -> Expr {
        run(self.of_codec(record, "used"), vec![old])
    }

    pub fn union_of(&self, id: TypeId) -> &Union {
        match &self.schema.type_def(id).kind {
            TypeKind::Union(union) => union,
            _ => unreachable!("it is asked of unions alone"),
        }
    }

    /// A union with a tag, and the value that it holds.
    pub fn arm(&self, id: TypeId, tag: u64, held: Expr) -> Expr {
        self.dialect.arm(self, id, self.union_of(id).arm_of(tag), int(tag), held)
    }

    pub fn enum_of(&self, id: TypeId) -> &Enum {
        match &self.schema.type_def(id).kind {
            TypeKind::Enum(definition) => definition,
            _ => unreachable!("it is asked of enums alone"),
        }
    }

    pub fn flags_of(&self, id: TypeId) -> &Flags {
        match &self.schema.type_def(id).kind {
            TypeKind::Flags(flags) => flags,
            _ => unreachable!("it is asked of flags alone"),
        }
    }

    /// The class of an enum's constants.
    pub fn class_of_enum(&self, ty: &Type) -> &str {
        match ty.required() {
            Type::Named(id) => self.names.of(*id),
            _ => "Object",
        }
    }

    /// The class or primitive type of a local variable.
    pub fn local(&self, ty: &Type) -> String {
        match (self.primitive(ty), ty.required()) {
            (Some(primitive), _) => primitive.to_owned(),
            (None, Type::Decimal) => self.dialect.decimal(true).to_owned(),
            (None, Type::Uuid) => self.dialect.uuid(true).to_owned(),
            (None, Type::Named(id)) if self.is_union(*id) => self.dialect.union(self.type_of(*id), true),
            _ => self.class(ty),
        }
    }

    /// The class of a variable for an element, or for what an arm holds: the union in a union may be none.
    pub fn held(&self, ty: &Type) -> String {
        match ty {
            Type::Named(id) if self.is_union(*id) => self.local(ty),
            ty => self.class(ty),
        }
    }

    /// The class of a value that is no primitive, or of the box of one that is.
    pub fn class(&self, ty: &Type) -> String {
        if let Some(primitive) = self.primitive(ty) {
            return self.dialect.boxed(primitive, matches!(ty, Type::Optional(_)));
        }
        match ty.required() {
            Type::Decimal => self.dialect.decimal(matches!(ty, Type::Optional(_))).to_owned(),
            Type::Uuid => self.dialect.uuid(matches!(ty, Type::Optional(_))).to_owned(),
            Type::Text(_) | Type::Chars { .. } => self.dialect.text().to_owned(),
            Type::Bytes => "byte[]".to_owned(),
            Type::Named(id) if self.is_union(*id) => {
                self.dialect.union(self.type_of(*id), matches!(ty, Type::Optional(_)))
            }
            Type::Named(id) => self.type_of(*id),
            Type::Opaque(_) => self.dialect.opaque().to_owned(),
            Type::List(element) | Type::Array { element, .. } => match self.array(element) {
                Some(primitive) => format!("{primitive}[]"),
                None => self.dialect.collection(&Collection::List(self.class(element)), false),
            },
            Type::Set(element) => self.dialect.collection(&Collection::Set(self.class(element)), false),
            Type::Map { key, value, .. } => {
                let map = Collection::Map(self.class(key), self.class(value));
                self.dialect.collection(&map, false)
            }
            _ => self.dialect.object().to_owned(),
        }
    }

    /// The primitive type of the elements of an array: those of lists are never null.
    pub fn array(&self, element: &Type) -> Option<&'static str> {
        match element {
            Type::Optional(_) => None,
            element => self.primitive(element),
        }
    }

    /// The value of a literal; a null number is a zero that is absent.
    pub fn of(&self, literal: &Literal, module: &Module) -> Val {
        let ty = literal.ty.clone();
        match (&literal.value, self.primitive(&ty)) {
            (Value::Null, Some(primitive)) => Val { expr: self.dialect.zero(primitive), ty, absent: Some(truth(true)) },
            (Value::Null, None) => Val { expr: name("null"), ty, absent: Some(truth(true)) },
            (value, primitive) => {
                let absent = primitive.is_none().then(|| truth(false));
                Val { expr: self.literal(value, &ty, module), ty, absent }
            }
        }
    }

    fn literal(&self, value: &Value, ty: &Type, module: &Module) -> Expr {
        let ty = ty.required();
        match (value, ty) {
            (Value::Null, _) => name("null"),
            (Value::Bool(v), _) => truth(*v),
            (Value::Int(v), _) => self.number(i128::from(*v), ty),
            (Value::UInt(v), _) => self.number(i128::from(*v), ty),
            (Value::F32(v), _) => Expr::Float(*v),
            (Value::F64(v), _) => Expr::Double(*v),
            (Value::Decimal(d), _) => self.dialect.decimal_literal(d.to_string()),
            (Value::Uuid(octets), _) => {
                let half = |at: usize| {
                    let octets: [u8; 8] = std::array::from_fn(|i| octets[at + i]);
                    u64::from_be_bytes(octets)
                };
                self.dialect.uuid_literal([half(0), half(8)])
            }
            (Value::Bytes(bytes), Type::Bytes) => self.dialect.bytes_literal(bytes),
            (Value::Bytes(bytes), ty) => string(text_of(bytes, ty)),
            (Value::Record(values), Type::Named(id)) => {
                let fields = self.schema.record(*id).fields.iter().zip(values);
                let args = fields.map(|(field, value)| self.boxed_literal(value, &field.ty, module));
                let fields = Expr::Array(self.dialect.object().to_owned(), args.collect());
                run("Wire.with", vec![make(self.type_of(*id), Vec::new()), fields])
            }
            (Value::Opaque(bytes), _) => make(self.dialect.opaque(), vec![self.dialect.bytes_literal(bytes)]),
            (Value::Choice(tag, held), Type::Named(id)) => {
                let union = self.union_of(*id);
                let ty = union.arm_of(*tag).map_or(&Type::Void, |index| &union.arms[index].field.ty);
                self.arm(*id, *tag, self.boxed_literal(held, ty, module))
            }
            (Value::List(values), ty) => self.list(values, ty, module),
            (Value::Map(_), ty) => self.list(&[], ty, module),
            _ => name("null"),
        }
    }

    /// A literal as an object.
    pub fn boxed_literal(&self, value: &Value, ty: &Type, module: &Module) -> Expr {
        match (value, self.primitive(ty)) {
            (Value::Null, _) => name("null"),
            (value, Some(primitive)) => self.dialect.boxed_number(primitive, self.literal(value, ty, module)),
            (value, _) => self.literal(value, ty, module),
        }
    }

    fn list(&self, values: &[Value], ty: &Type, module: &Module) -> Expr {
        match ty {
            Type::Set(element) => {
                self.dialect.make(&Collection::Set(self.class(element)), vec![self.dialect.order(self, element)])
            }
            Type::Map { key, value, .. } => {
                let map = Collection::Map(self.class(key), self.class(value));
                self.dialect.make(&map, vec![self.dialect.order(self, key)])
            }
            ty => {
                let element = ty.element();
                let Some(primitive) = self.array(element) else {
                    let items = values.iter().map(|value| self.boxed_literal(value, element, module)).collect();
                    return self.dialect.list_literal(self, element, values, items);
                };
                if !values.is_empty() && values.iter().all(is_zero) {
                    return name(format!("new {primitive}[{}]", values.len()));
                }
                let items = values.iter().map(|value| self.literal(value, element, module)).collect();
                Expr::Array(primitive.to_owned(), items)
            }
        }
    }

    /// The end of the names of floats' shapes.
    pub fn finite(&self) -> &'static str {
        if self.json.non_finite {
            ""
        } else {
            "_FINITE"
        }
    }

    fn number(&self, number: i128, ty: &Type) -> Expr {
        match self.primitive(ty) {
            Some(primitive) => self.dialect.number(primitive, number),
            None => int(number),
        }
    }
}

/// The shape of a type, where it is used.
pub fn shape(kinds: &Kinds<'_>, ty: &Type) -> Expr {
    let plain = plain_shape(kinds, ty);
    let rule = match ty {
        Type::Int(IntType { bits: 64, .. }) if kinds.json.wide_text => "Json.wide",
        Type::Int(_) if kinds.json.wide_text => "Json.loose",
        Type::Float32 | Type::Float64 if kinds.json.omit_null => "Json.orNaN",
        _ => return plain,
    };
    run(rule, vec![plain])
}

fn plain_shape(kinds: &Kinds<'_>, ty: &Type) -> Expr {
    let json = |own: String| crate::tree::member(name("Json"), own);
    match ty {
        Type::Bytes if kinds.json.byte_arrays => json("BYTE_ARRAY".into()),
        Type::Optional(inner) if kinds.json.omit_null => run("Json.orEmpty", vec![shape(kinds, inner)]),
        Type::Opaque(_) => json("OPAQUE".into()),
        Type::Bool => json("BOOL".into()),
        Type::Int(IntType { bits, signed }) => json(format!("{}{bits}", if *signed { "I" } else { "U" })),
        Type::Timestamp => json("U64".into()),
        Type::Float32 => json(format!("F32{}", kinds.finite())),
        Type::Float64 => json(format!("F64{}", kinds.finite())),
        Type::Decimal => json("DECIMAL".into()),
        Type::Uuid => json("UUID".into()),
        Type::Char => json("CHAR".into()),
        Type::Bytes => json("BYTES".into()),
        Type::Text(Encoding::Latin1) | Type::Chars { encoding: Encoding::Latin1, .. } => json("LATIN1".into()),
        Type::Text(Encoding::Utf8) | Type::Chars { encoding: Encoding::Utf8, .. } => json("UTF8".into()),
        Type::Void => json("NOTHING".into()),
        Type::Named(id) => kinds.dialect.shape_of(kinds, *id),
        Type::Optional(inner) => run("Json.optional", vec![shape(kinds, inner)]),
        Type::List(element) | Type::Array { element, .. } | Type::Set(element) => {
            kinds.dialect.shape_of_collection(kinds, ty, vec![shape(kinds, element)], false)
        }
        Type::Map { key, value, .. } => {
            let shapes = vec![shape(kinds, key), shape(kinds, value)];
            kinds.dialect.shape_of_collection(kinds, ty, shapes, is_member_name(kinds, key))
        }
    }
}

/// Whether maps with such keys are objects.
fn is_member_name(kinds: &Kinds<'_>, key: &Type) -> bool {
    match key {
        Type::Float32 | Type::Float64 | Type::Bytes => false,
        Type::Named(id) => !matches!(kinds.schema.type_def(*id).kind, TypeKind::Record(_)),
        _ => true,
    }
}

fn is_zero(value: &Value) -> bool {
    match value {
        Value::Int(v) => *v == 0,
        Value::UInt(v) => *v == 0,
        Value::F32(v) => v.to_bits() == 0,
        Value::F64(v) => v.to_bits() == 0,
        Value::Bool(v) => !v,
        _ => false,
    }
}

/// The test that a number just read means null.
pub fn is_null(kinds: &Kinds<'_>, scalar: &Scalar, value: Expr) -> Option<Expr> {
    let dialect = kinds.dialect;
    let raw = |function: Known, bits: Expr| {
        crate::tree::binary(run(dialect.known(function), vec![value.clone()]), "==", bits)
    };
    Some(match (scalar.null?, scalar.repr) {
        (NullValue::Nan(_), repr) => dialect.is_nan(repr, value),
        (NullValue::Bits(bits), Repr::F32) => raw(Known::RawBitsOfFloat, int(bits as u32 as i32)),
        (NullValue::Bits(bits), Repr::F64) => raw(Known::RawBitsOfDouble, Expr::Long(i128::from(bits as i64))),
        (NullValue::Bits(bits), repr) => crate::tree::binary(value, "==", dialect.stored(repr, bits)),
    })
}

/// All types of the schema.
pub fn ids(schema: &Schema) -> impl Iterator<Item = TypeId> {
    (0..schema.types.len()).map(|index| TypeId(index as u32))
}
