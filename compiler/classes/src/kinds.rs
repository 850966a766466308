//! The value mapping: the Java type of a schema's types, how its values lie in memory, and how literals are written.

use crate::names::Names;
use crate::tree::{call, int, make, name, run, string, truth, Expr};
use aldis_plan::{NullValue, Repr, Scalar};
use aldis_routine::{Literal, Module, Value};
use aldis_schema::{Encoding, Enum, Flags, IntType, Schema, Type, TypeId, TypeKind};

/// The schema with its names.
pub struct Kinds<'a> {
    pub schema: &'a Schema,
    pub names: &'a Names,
    pub strict_text: bool,
    /// JSON has NaN and infinities.
    pub non_finite: bool,
}

/// A value in generated code.
#[derive(Clone, Debug)]
pub struct Val {
    pub expr: Expr,
    pub ty: Type,
    /// The test that it is null: of numbers nothing where they are never null.
    pub absent: Option<Expr>,
}

/// The Java types of numbers: the primitive, its box, and its class of lists in the runtime.
pub fn boxed(primitive: &str) -> &'static str {
    match primitive {
        "boolean" => "Boolean",
        "byte" => "Byte",
        "char" => "Character",
        "short" => "Short",
        "int" => "Integer",
        "float" => "Float",
        "double" => "Double",
        _ => "Long",
    }
}

impl Kinds<'_> {
    /// The primitive type that holds such values; optional ones too, beside a bit.
    pub fn primitive(&self, ty: &Type) -> Option<&'static str> {
        Some(match ty.required() {
            Type::Bool => "boolean",
            Type::Char => "char",
            Type::Int(IntType { bits: 8, signed: true }) => "byte",
            Type::Int(IntType { bits: 16, signed: true }) => "short",
            Type::Int(IntType { bits: 8 | 16, signed: false } | IntType { bits: 32, signed: true }) => "int",
            Type::Int(_) | Type::Timestamp => "long",
            Type::Float32 => "float",
            Type::Float64 => "double",
            Type::Named(id) => match &self.schema.type_def(*id).kind {
                TypeKind::Enum(definition) if definition.repr == Type::Char => "int",
                TypeKind::Enum(definition) => return self.primitive(&definition.repr),
                TypeKind::Flags(flags) => return self.primitive(&Type::Int(IntType::unsigned(flags.repr.bits))),
                _ => return None,
            },
            _ => return None,
        })
    }

    pub fn is_enum(&self, ty: &Type) -> bool {
        matches!(ty.required(), Type::Named(id) if matches!(self.schema.type_def(*id).kind, TypeKind::Enum(_)))
    }

    pub fn is_flags(&self, id: TypeId) -> bool {
        matches!(self.schema.type_def(id).kind, TypeKind::Flags(_))
    }

    /// How a scalar is stored: flags have no sign, whatever the schema stores them as.
    pub fn repr(&self, scalar: &Scalar) -> Repr {
        match &scalar.ty {
            Type::Named(id) if self.is_flags(*id) => Repr::int(scalar.repr.width() as u8 * 8, false),
            _ => scalar.repr,
        }
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
        self.primitive(ty).map_or_else(|| self.class(ty), str::to_owned)
    }

    /// The class of a value that is no primitive, or of the box of one that is.
    pub fn class(&self, ty: &Type) -> String {
        if let Some(primitive) = self.primitive(ty) {
            return boxed(primitive).to_owned();
        }
        match ty.required() {
            Type::Decimal => "aldis.Decimal".to_owned(),
            Type::Uuid => "java.util.UUID".to_owned(),
            Type::Text(_) | Type::Chars { .. } => "String".to_owned(),
            Type::Bytes => "byte[]".to_owned(),
            Type::Named(id) => self.names.of(*id).to_owned(),
            Type::List(element) | Type::Array { element, .. } => match self.array(element) {
                Some(primitive) => format!("{primitive}[]"),
                None => format!("java.util.List<{}>", self.class(element)),
            },
            Type::Set(element) => format!("java.util.SortedSet<{}>", self.class(element)),
            Type::Map { key, value, .. } => {
                format!("java.util.SortedMap<{}, {}>", self.class(key), self.class(value))
            }
            _ => "Object".to_owned(),
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
            (Value::Null, Some(primitive)) => Val { expr: zero(primitive), ty, absent: Some(truth(true)) },
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
            (Value::Decimal(d), _) => {
                let text = string(d.to_string());
                call(name("aldis.Decimal"), "parse", vec![text])
            }
            (Value::Uuid(octets), _) => {
                let half = |at: usize| {
                    let octets: [u8; 8] = std::array::from_fn(|i| octets[at + i]);
                    Expr::Long(i128::from(i64::from_be_bytes(octets)))
                };
                make("java.util.UUID", vec![half(0), half(8)])
            }
            (Value::Bytes(bytes), Type::Bytes) => {
                Expr::Array("byte".to_owned(), bytes.iter().map(|byte| int(*byte as i8)).collect())
            }
            (Value::Bytes(bytes), ty) => string(text_of(bytes, ty)),
            (Value::Record(values), Type::Named(id)) => {
                let fields = self.schema.record(*id).fields.iter().zip(values);
                let args = fields.map(|(field, value)| self.boxed_literal(value, &field.ty, module));
                let fields = Expr::Array("Object".to_owned(), args.collect());
                call(make(self.names.of(*id), Vec::new()), "with", vec![fields])
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
            (value, Some(primitive @ ("byte" | "short"))) => {
                crate::tree::cast(primitive, self.literal(value, ty, module))
            }
            (value, _) => self.literal(value, ty, module),
        }
    }

    fn list(&self, values: &[Value], ty: &Type, module: &Module) -> Expr {
        match ty {
            Type::Set(element) => make("java.util.TreeSet<>", vec![self.order(element)]),
            Type::Map { key, .. } => make("java.util.TreeMap<>", vec![self.order(key)]),
            ty => {
                let element = ty.element();
                let Some(primitive) = self.array(element) else {
                    // One null as variable arguments would be no list of them.
                    if !values.is_empty() && values.iter().all(|value| matches!(value, Value::Null)) {
                        return run("Wire.nulls", vec![int(values.len() as i128)]);
                    }
                    let items = values.iter().map(|value| self.boxed_literal(value, element, module)).collect();
                    return run("Wire.list", items);
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
        if self.non_finite {
            ""
        } else {
            "_FINITE"
        }
    }

    /// The comparator of a key.
    pub fn order(&self, ty: &Type) -> Expr {
        call(shape(self, ty), "order", Vec::new())
    }

    fn number(&self, number: i128, ty: &Type) -> Expr {
        match self.primitive(ty) {
            Some("long") => Expr::Long(i128::from(number as u64 as i64)),
            Some("char") => crate::tree::cast("char", int(number)),
            _ => int(number),
        }
    }
}

/// The shape of a type, where it is used.
pub fn shape(kinds: &Kinds<'_>, ty: &Type) -> Expr {
    let json = |own: String| name(format!("Json.{own}"));
    match ty {
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
        Type::Void | Type::Opaque(_) => json("NOTHING".into()),
        Type::Named(id) => name(format!("{}.SHAPE", kinds.names.of(*id))),
        Type::Optional(inner) => run("Json.optional", vec![shape(kinds, inner)]),
        Type::List(element) | Type::Array { element, .. } => {
            let primitive = kinds.array(element).map_or(name("null"), |primitive| name(format!("{primitive}.class")));
            let length = match ty {
                Type::Array { len, .. } => int(*len),
                _ => int(-1),
            };
            run("Json.list", vec![shape(kinds, element), primitive, length])
        }
        Type::Set(element) => run("Json.set", vec![shape(kinds, element)]),
        Type::Map { key, value, .. } => {
            let own = if is_member_name(kinds, key) { "Json.map" } else { "Json.pairs" };
            run(own, vec![shape(kinds, key), shape(kinds, value)])
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

/// Zero, as the value of a primitive type that nobody looks at.
pub fn zero(primitive: &str) -> Expr {
    match primitive {
        "boolean" => truth(false),
        "long" => Expr::Long(0),
        "float" => Expr::Float(0.0),
        "double" => Expr::Double(0.0),
        _ => int(0),
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
pub fn is_null(scalar: &Scalar, value: Expr) -> Option<Expr> {
    let raw = |class: &str, method: &str, bits: Expr| {
        crate::tree::binary(run(format!("{class}.{method}"), vec![value.clone()]), "==", bits)
    };
    Some(match (scalar.null?, scalar.repr) {
        (NullValue::Nan(_), _) => crate::tree::binary(value.clone(), "!=", value),
        (NullValue::Bits(bits), Repr::F32) => raw("Float", "floatToRawIntBits", int(bits as u32 as i32)),
        (NullValue::Bits(bits), Repr::F64) => raw("Double", "doubleToRawLongBits", Expr::Long(i128::from(bits as i64))),
        (NullValue::Bits(bits), repr) => crate::tree::binary(value, "==", stored(repr, bits)),
    })
}

/// The number that is stored as these bits.
pub fn stored(repr: Repr, bits: u64) -> Expr {
    match repr {
        Repr::I8 => int(bits as u8 as i8),
        Repr::I16 => int(bits as u16 as i16),
        Repr::I32 => int(bits as u32 as i32),
        Repr::U32 => Expr::Long(i128::from(bits as u32)),
        Repr::I64 | Repr::U64 => Expr::Long(i128::from(bits as i64)),
        Repr::Bool => truth(bits != 0),
        _ => int(bits),
    }
}

fn text_of(bytes: &[u8], ty: &Type) -> String {
    match ty {
        Type::Text(Encoding::Latin1) | Type::Chars { encoding: Encoding::Latin1, .. } => {
            bytes.iter().map(|&byte| char::from(byte)).collect()
        }
        _ => String::from_utf8_lossy(bytes).into_owned(),
    }
}

/// All types of the schema.
pub fn ids(schema: &Schema) -> impl Iterator<Item = TypeId> {
    (0..schema.types.len()).map(|index| TypeId(index as u32))
}
