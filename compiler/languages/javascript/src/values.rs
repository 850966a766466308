//! The value mapping: what a schema's types and values are in JavaScript, and how scalars become them.

use crate::js::{apply, arrow, binary, call, either, index, int, later, make, name, string, truth, Expr, Stmt, FRAME};
use crate::names::{Known, Names};
use aldis_emit::{integer_of, text_of, Request};
use aldis_plan::{ByteOrder, NullValue, Repr, Scalar, Shape};
use aldis_routine::{ListType, Literal, Module, Subject, Value};
use aldis_schema::{Encoding, IntType, Schema, Type, TypeId, TypeKind};
use std::collections::{BTreeMap, BTreeSet};

/// The option of what integers of 64 bits are.
pub(crate) const INT64: &str = "int64";

/// The option of whether small messages are written side by side into one piece of memory.
pub(crate) const SLAB: &str = "slab";

/// The purpose of a type's helper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Helper {
    /// Makes a record of its fields in order, or a union's value of a tag and the arm's.
    Make,
    /// The name of an enum's value.
    Name,
    /// The value of an enum's name, or the tag of a union's value.
    Number,
    /// Compares records.
    Order,
}

impl Helper {
    /// The end of its name.
    fn link(self) -> &'static str {
        match self {
            Helper::Make => "of",
            Helper::Name => "name",
            Helper::Number => "number",
            Helper::Order => "order",
        }
    }
}

/// A schema's types with their names; helpers are noted when they are asked for.
pub(crate) struct Values<'a> {
    pub schema: &'a Schema,
    pub names: Names,
    pub order: ByteOrder,
    /// The name of the runtime in the module that is printed.
    pub runtime: &'static str,
    /// Decoders refuse text that is not UTF-8.
    pub strict_text: bool,
    /// Enums are numbers, not names.
    pub enum_numbers: bool,
    /// Bytes lie in the message's memory.
    pub share: bool,
    /// Integers of 64 bits are numbers: `safe`, those that numbers tell from one another, or any, rounded (`number`).
    pub int64: Option<String>,
    /// The runtime's functions that give the bytes of a message, and of one with its name.
    pub write: [&'static str; 2],
    helpers: BTreeMap<(TypeId, Helper), String>,
    /// The module that is printed is not that of the codecs.
    pub elsewhere: bool,
    /// The helpers that it asks for, and those that any such module does.
    pub asked: BTreeSet<String>,
    pub shared: BTreeSet<String>,
    /// The declarations that other schemas' modules may refer to, and what these call them.
    pub exports: Vec<(String, String)>,
}

impl<'a> Values<'a> {
    pub fn new(request: &Request<'_>, schema: &'a Schema, order: ByteOrder) -> Self {
        Self {
            schema,
            names: Names::new(request, schema),
            order,
            runtime: "r",
            strict_text: request.strict_text(),
            enum_numbers: request.option("enums") == Some("numbers"),
            share: request.option("bytes") == Some("share"),
            int64: request.option(INT64).filter(|own| *own != "bigint").map(str::to_owned),
            write: match request.option(SLAB) {
                Some("off") => ["w.writeAlone", "w.writeAnyAlone"],
                _ => ["w.write", "w.writeAny"],
            },
            helpers: BTreeMap::new(),
            elsewhere: false,
            asked: BTreeSet::new(),
            shared: BTreeSet::new(),
            exports: Vec::new(),
        }
    }

    /// The function that helps with a type.
    pub fn helper(&mut self, id: TypeId, helper: Helper) -> Expr {
        // Records can be compared from anywhere.
        let imported = if helper == Helper::Order { None } else { self.names.imported(id, helper.link(), "") };
        if let Some(imported) = imported {
            return name(imported);
        }
        let found = self.helper_name(id, helper);
        if self.elsewhere {
            self.asked.insert(found.clone());
            self.shared.insert(found.clone());
        }
        name(found)
    }

    /// The import of the helpers that a module asked for beside that of the codecs.
    pub fn asked_import(&mut self) -> Option<Stmt> {
        let names: Vec<String> = std::mem::take(&mut self.asked).into_iter().collect();
        (!names.is_empty()).then_some(Stmt::Import { types: false, names, from: self.names.beside("") })
    }

    /// Lets other schemas' modules refer to a declaration of this one.
    pub fn export(&mut self, own: &str, id: TypeId, what: &str, suffix: &str) {
        if self.names.modules.root().is_some() && self.names.is_own(id) {
            self.exports.push((own.to_owned(), self.names.link(id, what, suffix)));
        }
    }

    /// The name of a routine, called as what a record's and a message's of its purpose are.
    pub fn routine(&mut self, module: &Module, of: Subject, suffix: &str, [record, message]: [&str; 2]) -> String {
        let what = if matches!(of, Subject::Record(_)) { record } else { message };
        let id = of.record(module);
        if let Some(imported) = self.names.imported(id, what, suffix) {
            return imported;
        }
        let own = self.names.routine(id, suffix, what);
        self.export(&own, id, what, suffix);
        own
    }

    /// The public function of a message.
    pub fn public(&mut self, verb: &'static str, id: TypeId, suffix: &str) -> Known {
        let known = self.names.public(verb, id, suffix);
        if let Known::Own(own) = &known {
            self.export(own, id, verb, suffix);
        }
        known
    }

    /// All helpers that other schemas' modules may refer to.
    pub fn export_helpers(&mut self) {
        if self.names.modules.root().is_none() {
            return;
        }
        for (id, def) in self.names.own_types(self.schema) {
            let helpers: &[Helper] = match def.kind {
                TypeKind::Record(_) => &[Helper::Make],
                TypeKind::Union(_) => &[Helper::Make, Helper::Number],
                TypeKind::Enum(_) if !self.enum_numbers => &[Helper::Name, Helper::Number],
                TypeKind::Enum(_) | TypeKind::Flags(_) => &[],
            };
            for &helper in helpers {
                let own = self.helper_name(id, helper);
                self.export(&own, id, helper.link(), "");
            }
        }
    }

    fn helper_name(&mut self, id: TypeId, helper: Helper) -> String {
        if let Some(known) = self.helpers.get(&(id, helper)) {
            return known.clone();
        }
        let wanted = format!("{}_{}", self.names.of(id), helper.link());
        let found = self.names.fresh(&wanted);
        self.helpers.insert((id, helper), found.clone());
        found
    }

    /// The helpers that were asked for, by type.
    pub fn helpers(&self) -> Vec<(TypeId, Helper, String)> {
        self.helpers.iter().map(|((id, helper), name)| (*id, *helper, name.clone())).collect()
    }

    /// The function that reads a scalar at a place: `r.u64`, `(f, $at) => Side_name(f.b[$at])`.
    pub fn scalar(&mut self, scalar: &Scalar) -> Expr {
        let order = match (self.order, scalar.repr.width()) {
            (ByteOrder::Big, 2 | 4 | 8) => "be",
            _ => "",
        };
        let is_plain = scalar.null.is_none() && scalar.xor == 0 && scalar.ty != Type::Char && !self.is_enum(&scalar.ty);
        match scalar.repr {
            Repr::Bit(_) => {}
            repr if is_plain => return name(format!("r.{}{}{order}", repr_name(repr), self.narrow(&scalar.ty))),
            _ => {}
        }
        let at = "$at".to_owned();
        arrow(&[FRAME.to_owned(), at.clone()], self.scalar_at(scalar, name(at)))
    }

    /// Whether values are names of an enum.
    pub fn is_enum(&self, ty: &Type) -> bool {
        let is_enum = |id: &TypeId| matches!(self.schema.type_def(*id).kind, TypeKind::Enum(_));
        !self.enum_numbers && matches!(ty, Type::Named(id) if is_enum(id))
    }

    /// A scalar at a place, without functions in between: engines put only so many of them into another.
    pub fn scalar_at(&mut self, scalar: &Scalar, place: Expr) -> Expr {
        if !self.narrow(&scalar.ty).is_empty() {
            return self.narrow_at(scalar, place);
        }
        let value = self.number_at(scalar, place);
        let value = match scalar.null {
            None => value,
            Some(NullValue::Nan(_)) => call("r.orNaN", vec![value]),
            Some(NullValue::Bits(bits)) => call("r.or", vec![value, stored(scalar.repr, bits)]),
        };
        let of = match &scalar.ty {
            Type::Char => name("String.fromCharCode"),
            Type::Named(id) if self.is_enum(&scalar.ty) => self.helper(*id, Helper::Name),
            _ => return value,
        };
        match scalar.null {
            None => apply(of, vec![value]),
            Some(_) => call("r.apply", vec![value, of]),
        }
    }

    /// How integers of a type are numbers, though they have 64 bits; empty for other types.
    pub fn narrow(&self, ty: &Type) -> &str {
        match ty {
            Type::Int(IntType { bits: 64, .. }) => self.int64.as_deref().unwrap_or_default(),
            _ => "",
        }
    }

    /// An integer of 64 bits as a number.
    fn narrow_at(&self, scalar: &Scalar, place: Expr) -> Expr {
        let big = self.stored_at(scalar.repr, place.clone());
        let frame = name(FRAME);
        if scalar.xor != 0 {
            let turned = binary(big, "^", stored(scalar.repr, scalar.xor));
            return call(format!("r.{}Of", self.narrow(&scalar.ty)), vec![frame, place, turned]);
        }
        let order = if self.order == ByteOrder::Big { "be" } else { "" };
        let read = format!("r.{}{}{order}", scalar.repr.name(), self.narrow(&scalar.ty));
        let number = call(read, vec![frame, place]);
        match scalar.null {
            Some(NullValue::Bits(bits)) => either(binary(big, "===", stored(scalar.repr, bits)), name("null"), number),
            _ => number,
        }
    }

    fn number_at(&self, scalar: &Scalar, place: Expr) -> Expr {
        let frame = || name(FRAME);
        let turned = |read: Expr| match scalar.xor {
            0 => read,
            bits => binary(read, "^", stored(scalar.repr, bits)),
        };
        match scalar.repr {
            Repr::Bool => binary(self.stored_at(Repr::U8, place), "!==", int(0)),
            Repr::Bit(bit) => {
                let masked = binary(self.stored_at(Repr::U8, place), "&", int(1u32 << bit));
                binary(masked, if scalar.xor == 0 { "!==" } else { "===" }, int(0))
            }
            Repr::Uuid => call("r.uuid", vec![frame(), place]),
            Repr::Decimal => call("r.decimal", vec![frame(), place]),
            Repr::F32 if scalar.xor != 0 => call("r.f32xor", vec![frame(), place, int(scalar.xor)]),
            Repr::F64 if scalar.xor != 0 => call("r.f64xor", vec![frame(), place, Expr::Long(scalar.xor.into())]),
            Repr::U32 if scalar.xor != 0 => binary(turned(self.stored_at(Repr::U32, place)), ">>>", int(0)),
            repr => turned(self.stored_at(repr, place)),
        }
    }

    /// A number at a place.
    pub fn stored_at(&self, repr: Repr, place: Expr) -> Expr {
        let mut args = vec![place];
        let Some(kind) = accessor(repr) else {
            return index(name(format!("{FRAME}.b")), args.remove(0));
        };
        if self.order == ByteOrder::Little && repr.width() > 1 {
            args.push(name("true"));
        }
        call(format!("{FRAME}.v.get{kind}"), args)
    }

    /// The function that reads a number about the message, which has no sign whatever its type.
    pub fn register(&self, repr: Repr) -> Expr {
        let order = if self.order == ByteOrder::Big && repr.width() > 1 { "be" } else { "" };
        name(format!("r.u{}{order}", repr.width() * 8))
    }

    /// The function that makes a value of bytes: text, or bytes as they are.
    pub fn octets(&self, text: Option<Encoding>) -> Expr {
        name(match text {
            Some(Encoding::Utf8) if self.strict_text => "r.strictUtf8",
            Some(Encoding::Utf8) => "r.utf8",
            Some(Encoding::Latin1) => "r.latin1",
            None if self.share => "r.shared",
            None => "r.octets",
        })
    }

    /// The typed array that lists of such elements are.
    pub fn typed_array(&self, element: &Type) -> Option<&'static str> {
        match self.narrow(element) {
            "" => typed_array(element),
            _ => Some("Float64Array"),
        }
    }

    /// Whether a value that is read may be refused though its bytes are as they must be.
    pub fn reads_to_check(&self) -> bool {
        self.strict_text || self.int64.as_deref() == Some("safe")
    }

    /// A function of the runtime's that the module being printed knows.
    fn run(&self, own: &str) -> Expr {
        name(format!("{}.{own}", self.runtime))
    }

    fn call(&self, own: &str, args: Vec<Expr>) -> Expr {
        apply(self.run(own), args)
    }

    /// The function that makes a collection of its elements.
    pub fn list(&mut self, list: &ListType) -> Expr {
        match (list.shape, &list.ty) {
            (Shape::List, ty) => match self.typed_array(ty.element()) {
                Some(class) => self.call("asArray", vec![name(class)]),
                None => self.run("asList"),
            },
            (Shape::Set, ty) => {
                let made = if self.is_identity(ty.element()) { "asSet" } else { "asSetList" };
                let order = self.ordering(ty.element());
                self.call(made, vec![order])
            }
            (Shape::Map, Type::Map { key, .. }) => {
                let made = if self.is_identity(key) { "asMap" } else { "asMapList" };
                let order = self.ordering(key);
                self.call(made, vec![order])
            }
            (Shape::Map, _) => unreachable!("a map's type is a map"),
        }
    }

    /// Whether equal values are the same key of a `Map`. Floats are not: it takes negative zero for zero.
    pub fn is_identity(&self, ty: &Type) -> bool {
        match ty {
            Type::Bool | Type::Char | Type::Int(_) | Type::Timestamp | Type::Uuid | Type::Text(_) => true,
            Type::Named(id) => matches!(self.schema.type_def(*id).kind, TypeKind::Enum(_) | TypeKind::Flags(_)),
            _ => false,
        }
    }

    /// The function that compares keys.
    pub fn ordering(&mut self, ty: &Type) -> Expr {
        match ty {
            Type::Optional(inner) => {
                let inner = self.ordering(inner);
                self.call("orderOptional", vec![inner])
            }
            Type::Text(Encoding::Utf8) | Type::Chars { encoding: Encoding::Utf8, .. } => self.run("orderText"),
            Type::Bytes => self.run("orderBytes"),
            Type::Decimal => self.run("orderDecimals"),
            Type::List(element) | Type::Set(element) | Type::Array { element, .. } => {
                let element = self.ordering(element);
                self.call("orderLists", vec![element])
            }
            Type::Map { key, value, .. } => {
                let both = vec![self.ordering(key), self.ordering(value)];
                self.call("orderMaps", both)
            }
            Type::Named(id) => match &self.schema.type_def(*id).kind {
                TypeKind::Record(_) => self.helper(*id, Helper::Order),
                TypeKind::Enum(_) if !self.enum_numbers => {
                    let number = self.helper(*id, Helper::Number);
                    self.call("orderBy", vec![number])
                }
                _ => self.run("orderValues"),
            },
            _ => self.run("orderValues"),
        }
    }

    /// The function that compares records: `r.orderRecords(() => [["id", r.orderValues]])`.
    pub fn record_ordering(&mut self, id: TypeId) -> Expr {
        let record = self.schema.record(id);
        let fields = record.key_fields().into_iter().map(|index| {
            let field = &record.fields[index];
            let order = self.ordering(&field.ty);
            let order = match field.ty {
                Type::Optional(_) => order,
                _ if field.nullable() => self.call("orderOptional", vec![order]),
                _ => order,
            };
            Expr::List(vec![string(self.names.fields(id)[index].as_str()), order])
        });
        let fields = fields.collect();
        self.call("orderRecords", vec![later(Expr::List(fields))])
    }

    /// A value of the module's as an expression that makes it anew: a null where none may be is no value at all.
    pub fn of(&mut self, literal: &Literal) -> Expr {
        match literal.lacks {
            true => name("undefined"),
            false => self.literal(&literal.value, &literal.ty),
        }
    }

    fn literal(&mut self, value: &Value, ty: &Type) -> Expr {
        let ty = ty.required();
        match (value, ty) {
            (Value::Null, _) => name("null"),
            (Value::Bool(v), _) => truth(*v),
            (Value::Int(v), _) => self.number_literal(i128::from(*v), ty),
            (Value::UInt(v), _) => self.number_literal(i128::from(*v), ty),
            (Value::F32(v), _) => Expr::Double(f64::from(*v)),
            (Value::F64(v), _) => Expr::Double(*v),
            (Value::Decimal(d), _) => {
                let negative = truth(d.negative);
                let coefficient = Expr::Long(i128::try_from(d.coefficient).unwrap_or_default());
                make(format!("{}.Decimal", self.runtime), vec![negative, coefficient, int(d.scale)])
            }
            (Value::Uuid(octets), _) => string(uuid_text(octets)),
            (Value::Bytes(bytes), Type::Bytes) => call("Uint8Array.of", bytes.iter().map(|byte| int(*byte)).collect()),
            (Value::Bytes(bytes), ty) => string(text_of(bytes, ty)),
            (Value::Record(values), Type::Named(id)) => {
                let fields = self.schema.record(*id).fields.iter().zip(values);
                let fields = fields.map(|(field, value)| self.field_literal(value, field)).collect();
                let of = self.helper(*id, Helper::Make);
                apply(of, fields)
            }
            (Value::Map(_), Type::Map { key, .. }) if self.is_identity(key) => make("Map", Vec::new()),
            (Value::Opaque(bytes), _) => {
                let bytes = call("Uint8Array.of", bytes.iter().map(|byte| int(*byte)).collect());
                make(format!("{}.Opaque", self.runtime), vec![bytes])
            }
            (Value::Choice(tag, arm), Type::Named(id)) => {
                let union = self.schema.union(*id);
                let ty = union.arm_of(*tag).map_or(&Type::Void, |index| &union.arms[index].field.ty);
                let arm = self.literal(arm, ty);
                apply(self.helper(*id, Helper::Make), vec![int(*tag), arm])
            }
            (Value::List(values), ty) => self.list_literal(values, ty),
            _ => Expr::List(Vec::new()),
        }
    }

    /// The value of a field that has no bytes: a null where none may be is no value at all.
    fn field_literal(&mut self, value: &Value, field: &aldis_schema::Field) -> Expr {
        match value {
            Value::Null if !field.nullable() => name("undefined"),
            value => self.literal(value, &field.ty),
        }
    }

    fn list_literal(&mut self, values: &[Value], ty: &Type) -> Expr {
        let items: Vec<Expr> = values.iter().map(|value| self.literal(value, ty.element())).collect();
        let zero = |item: &Expr| match item {
            Expr::Double(number) => number.to_bits() == 0,
            item => matches!(item, Expr::Int(0) | Expr::Long(0)),
        };
        let alike = items.len() > 16 && items.windows(2).all(|two| two[0] == two[1]);
        match (ty, self.typed_array(ty.element())) {
            (Type::List(_) | Type::Array { .. }, Some(class)) if !items.is_empty() && items.iter().all(zero) => {
                make(class, vec![int(items.len() as i128)])
            }
            (Type::Array { .. }, None) if alike => {
                let length = Expr::Object(vec![("length".to_owned(), int(items.len() as i128))]);
                call("Array.from", vec![length, later(items[0].clone())])
            }
            (Type::Set(element), _) if self.is_identity(element) => {
                make("Set", if items.is_empty() { items } else { vec![Expr::List(items)] })
            }
            (Type::List(_) | Type::Array { .. }, Some(class)) => call(format!("{class}.of"), items),
            // An empty list may stand for a map too.
            (Type::Map { key, .. }, _) if self.is_identity(key) => make("Map", Vec::new()),
            _ => Expr::List(items),
        }
    }

    fn number_literal(&mut self, number: i128, ty: &Type) -> Expr {
        match ty {
            Type::Int(_) if !self.narrow(ty).is_empty() => Expr::Int(number),
            Type::Int(IntType { bits: 64, .. }) | Type::Timestamp => Expr::Long(number),
            Type::Char => string(char::from(number as u8).to_string()),
            Type::Named(id) => self.named_number(*id, number),
            _ => Expr::Int(number),
        }
    }

    /// An enum's or flags' value as codecs give it.
    fn named_number(&self, id: TypeId, number: i128) -> Expr {
        match &self.schema.type_def(id).kind {
            TypeKind::Enum(e) if !self.enum_numbers => match e.name_of(number) {
                Some(known) => string(known),
                None => self.plain_number(id, number),
            },
            _ => self.plain_number(id, number),
        }
    }

    /// The number of an enum or flags.
    pub fn plain_number(&self, id: TypeId, number: i128) -> Expr {
        if self.is_wide(id) {
            Expr::Long(number)
        } else {
            Expr::Int(number)
        }
    }

    /// Whether numbers of an enum or flags are big.
    pub fn is_wide(&self, id: TypeId) -> bool {
        match &self.schema.type_def(id).kind {
            TypeKind::Enum(e) => matches!(e.repr, Type::Int(IntType { bits: 64, .. })),
            TypeKind::Flags(flags) => flags.repr.bits == 64,
            TypeKind::Record(_) | TypeKind::Union(_) => false,
        }
    }
}

/// The typed array that lists of such elements are.
fn typed_array(element: &Type) -> Option<&'static str> {
    Some(match element {
        Type::Float32 => "Float32Array",
        Type::Float64 => "Float64Array",
        Type::Timestamp => "BigUint64Array",
        Type::Int(IntType { bits, signed }) => match (bits, signed) {
            (8, true) => "Int8Array",
            (8, false) => "Uint8Array",
            (16, true) => "Int16Array",
            (16, false) => "Uint16Array",
            (32, true) => "Int32Array",
            (32, false) => "Uint32Array",
            (_, true) => "BigInt64Array",
            (_, false) => "BigUint64Array",
        },
        _ => return None,
    })
}

/// The name of a number in the methods of `DataView`; nothing for bytes.
pub(crate) fn accessor(repr: Repr) -> Option<&'static str> {
    Some(match repr {
        Repr::I8 => "Int8",
        Repr::I16 => "Int16",
        Repr::U16 => "Uint16",
        Repr::I32 => "Int32",
        Repr::U32 => "Uint32",
        Repr::I64 => "BigInt64",
        Repr::U64 => "BigUint64",
        Repr::F32 => "Float32",
        Repr::F64 => "Float64",
        _ => return None,
    })
}

fn repr_name(repr: Repr) -> &'static str {
    match repr {
        Repr::Bit(_) => "u8",
        repr => repr.name(),
    }
}

/// The number that is stored as these bits.
pub(crate) fn stored(repr: Repr, bits: u64) -> Expr {
    match repr {
        Repr::I64 | Repr::U64 => Expr::Long(integer_of(repr, bits)),
        Repr::F32 => Expr::Double(f64::from(f32::from_bits(bits as u32))),
        Repr::F64 => Expr::Double(f64::from_bits(bits)),
        _ => int(integer_of(repr, bits)),
    }
}

/// A number that a register must have, as [`Values::register`] reads it.
pub(crate) fn wanted(repr: Repr, number: u64) -> Expr {
    match repr {
        Repr::U64 | Repr::I64 => Expr::Long(i128::from(number)),
        _ => int(number),
    }
}

fn uuid_text(octets: &[u8; 16]) -> String {
    let hex: String = octets.iter().map(|octet| format!("{octet:02x}")).collect();
    [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
}
