//! The value mapping: what a schema's types and values are in Python.

use crate::names::Names;
use crate::py::{call, int, name, string, Expr};
use aldis_emit::text_of;
use aldis_routine::{Literal, Module, Value};
use aldis_schema::{Decimal, Field, Schema, Type, TypeId, TypeKind};

/// A schema's types with their names.
pub(crate) struct Values<'a> {
    pub schema: &'a Schema,
    pub names: &'a Names,
    pub module: &'a Module,
}

impl Values<'_> {
    /// The classes of all types, of a union those of its arms.
    pub fn classes(&self) -> Vec<String> {
        let types = self.schema.types.iter().enumerate();
        let names = types.flat_map(|(index, def)| {
            let id = TypeId(index as u32);
            match def.kind {
                TypeKind::Union(_) => self.names.members(id).to_vec(),
                _ => vec![self.names.of(id).to_owned()],
            }
        });
        names.collect()
    }

    /// Whether a field or arm holds such a type.
    pub fn uses(&self, wanted: fn(&Type) -> bool) -> bool {
        fn within(ty: &Type, wanted: fn(&Type) -> bool) -> bool {
            wanted(ty)
                || match ty {
                    Type::Optional(of) | Type::List(of) | Type::Set(of) => within(of, wanted),
                    Type::Array { element, .. } => within(element, wanted),
                    Type::Map { key, value, .. } => within(key, wanted) || within(value, wanted),
                    _ => false,
                }
        }
        self.schema.types.iter().any(|def| match &def.kind {
            TypeKind::Record(of) => of.fields.iter().any(|field| within(&field.ty, wanted)),
            TypeKind::Union(of) => of.arms.iter().any(|arm| within(&arm.field.ty, wanted)),
            TypeKind::Enum(_) | TypeKind::Flags(_) => false,
        })
    }

    /// Whether a field of a record is a union.
    pub fn is_union(&self, record: TypeId, field: u32) -> bool {
        match self.schema.record(record).fields[field as usize].ty {
            Type::Named(id) => matches!(self.schema.type_def(id).kind, TypeKind::Union(_)),
            _ => false,
        }
    }

    /// The lines that import the bases of enums and flags, where there are some.
    pub fn numbers(&self) -> Vec<String> {
        let own = || self.schema.types.iter().enumerate().filter(|(index, _)| self.names.is_own(TypeId(*index as u32)));
        let any = |wanted: fn(&TypeKind) -> bool| own().any(|(_, def)| wanted(&def.kind));
        let enums = any(|kind| matches!(kind, TypeKind::Enum(_)));
        let flags = any(|kind| matches!(kind, TypeKind::Flags(of) if !of.values.is_empty() && !of.repr.signed));
        let signed = any(|kind| matches!(kind, TypeKind::Flags(of) if !of.values.is_empty() && of.repr.signed));
        let bases: Vec<&str> =
            [("IntEnum", enums), ("IntFlag", flags)].into_iter().filter(|base| base.1).map(|base| base.0).collect();
        let enums = (!bases.is_empty()).then(|| format!("from enum import {}", bases.join(", ")));
        enums.into_iter().chain(signed.then(|| "from aldis.flags import SignedFlag".to_owned())).collect()
    }

    /// The annotation of a field.
    pub fn field(&self, id: TypeId, index: usize, field: &Field) -> String {
        let ty = self.text(&field.ty);
        let missing = self.module.missing[id.index()].get(index).map(|literal| &self.module[*literal].value);
        match field.nullable() && !matches!(field.ty, Type::Optional(_)) && missing == Some(&Value::Null) {
            true => format!("{ty} | None"),
            false => ty,
        }
    }

    /// The annotation of a type.
    pub fn text(&self, ty: &Type) -> String {
        match ty {
            Type::Void => "None".to_owned(),
            Type::Bool => "bool".to_owned(),
            Type::Int(_) | Type::Timestamp => "int".to_owned(),
            Type::Float32 | Type::Float64 => "float".to_owned(),
            Type::Decimal => "Decimal".to_owned(),
            Type::Uuid => "UUID".to_owned(),
            Type::Char | Type::Text(_) | Type::Chars { .. } => "str".to_owned(),
            Type::Bytes => "bytes".to_owned(),
            Type::Opaque(_) => "Opaque".to_owned(),
            Type::Named(id) => match &self.schema.type_def(*id).kind {
                // Numbers that have no name stay numbers.
                TypeKind::Enum(_) => format!("{} | int", self.names.of(*id)),
                _ => self.names.of(*id).to_owned(),
            },
            Type::Optional(inner) => format!("{} | None", self.text(inner)),
            Type::List(element) | Type::Array { element, .. } => format!("list[{}]", self.text(element)),
            Type::Set(element) if self.is_hashable(element) => format!("set[{}]", self.text(element)),
            Type::Set(element) => format!("list[{}]", self.text(element)),
            Type::Map { key, value, .. } if self.is_hashable(key) => {
                format!("dict[{}, {}]", self.text(key), self.text(value))
            }
            Type::Map { key, value, .. } => format!("list[tuple[{}, {}]]", self.text(key), self.text(value)),
        }
    }

    /// Whether equal values are one element of a set; as the runtime says. Floats are none: NaN equals itself on the wire.
    pub fn is_hashable(&self, ty: &Type) -> bool {
        match ty {
            Type::Bool | Type::Char | Type::Int(_) | Type::Timestamp | Type::Uuid | Type::Text(_) => true,
            Type::Bytes | Type::Decimal | Type::Chars { .. } => true,
            Type::Named(id) => matches!(self.schema.type_def(*id).kind, TypeKind::Enum(_) | TypeKind::Flags(_)),
            _ => false,
        }
    }

    /// The default of a field, and whether it is made anew for each value.
    pub fn default(&self, id: TypeId, index: usize) -> (Expr, bool) {
        let Literal { value, ty, .. } = self.module.new_field(id, index);
        let of = self.literal(&value, &ty);
        let anew = match &of {
            Expr::List(_) | Expr::Set(_) | Expr::Dict(_) => true,
            Expr::Call(..) => !matches!(value, Value::Decimal(_) | Value::Uuid(_)) && !self.is_number(&ty),
            _ => false,
        };
        (of, anew)
    }

    fn is_number(&self, ty: &Type) -> bool {
        matches!(ty.required(), Type::Named(id) if matches!(self.schema.type_def(*id).kind, TypeKind::Flags(_)))
    }

    pub fn literal(&self, value: &Value, ty: &Type) -> Expr {
        let ty = ty.required();
        match (value, ty) {
            (Value::Null, _) => name("None"),
            (Value::Bool(v), _) => name(if *v { "True" } else { "False" }),
            (Value::Int(v), ty) => self.number((*v).into(), ty),
            (Value::UInt(v), ty) => self.number((*v).into(), ty),
            (Value::F32(v), _) => Expr::Float(f64::from(*v)),
            (Value::F64(v), _) => Expr::Float(*v),
            (Value::Decimal(v), _) => call("Decimal", vec![string(decimal_text(v))]),
            (Value::Uuid(octets), _) => {
                let hex: String = octets.iter().map(|octet| format!("{octet:02x}")).collect();
                call("UUID", vec![string(hex)])
            }
            (Value::Bytes(bytes), Type::Bytes) => Expr::Bytes(bytes.clone()),
            (Value::Bytes(bytes), ty) => string(text_of(bytes, ty)),
            (Value::Record(values), Type::Named(id)) => {
                let fields = self.schema.record(*id).fields.iter().zip(values);
                call(self.names.of(*id), fields.map(|(field, value)| self.member(field, value)).collect())
            }
            (Value::Opaque(bytes), _) => call("Opaque", vec![Expr::Bytes(bytes.clone())]),
            (Value::Choice(tag, arm), Type::Named(id)) => self.arm(*id, *tag, arm),
            (Value::List(values), ty) => {
                let items = values.iter().map(|value| self.literal(value, ty.element())).collect();
                match ty {
                    Type::Set(element) if self.is_hashable(element) => Expr::Set(items),
                    Type::Map { key, .. } if self.is_hashable(key) => Expr::Dict(Vec::new()),
                    _ => Expr::List(items),
                }
            }
            (Value::Map(_), Type::Map { key, .. }) if self.is_hashable(key) => Expr::Dict(Vec::new()),
            _ => Expr::List(Vec::new()),
        }
    }

    /// A null where none may be is no value at all.
    fn member(&self, field: &Field, value: &Value) -> Expr {
        match value {
            Value::Null if !field.nullable() => name("MISSING"),
            value => self.literal(value, &field.ty),
        }
    }

    fn arm(&self, id: TypeId, tag: u64, value: &Value) -> Expr {
        let union = self.schema.union(id);
        match union.arm_of(tag) {
            None => call("UnknownArm", vec![int(tag)]),
            Some(index) => {
                let value = self.literal(value, &union.arms[index].field.ty);
                call(self.names.members(id)[index].as_str(), vec![value])
            }
        }
    }

    fn number(&self, number: i128, ty: &Type) -> Expr {
        match ty {
            Type::Char => string(char::from(number as u8).to_string()),
            Type::Named(id) => match &self.schema.type_def(*id).kind {
                TypeKind::Enum(of) => match of.values.iter().position(|value| value.value == number) {
                    Some(index) => name(format!("{}.{}", self.names.of(*id), self.names.members(*id)[index])),
                    None => int(number),
                },
                _ => call(self.names.of(*id), vec![int(number)]),
            },
            _ => int(number),
        }
    }
}

fn decimal_text(decimal: &Decimal) -> String {
    format!("{}{}E-{}", if decimal.negative { "-" } else { "" }, decimal.coefficient, decimal.scale)
}
