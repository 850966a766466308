//! JSON as tables: a module of what each type's JSON is, which the runtime walks to write and to read it.

use crate::js::{call, int, later, name, string, Expr, Stmt};
use crate::values::{Helper, Values};
use aldis_plan::{JsonPolicy, Shape};
use aldis_routine::{ListType, Literal, Module, Value};
use aldis_schema::{Encoding, Field, IntType, Type, TypeId, TypeKind};

/// What the JSON module declares.
pub(crate) struct Json {
    pub tables: Vec<Stmt>,
    /// By message: the function that writes its JSON, and the one that reads it.
    pub functions: Vec<[String; 2]>,
}

/// The tables of all types, and two functions for each message.
pub(crate) fn module(values: &mut Values<'_>, module: &Module, policy: JsonPolicy) -> Json {
    values.runtime = "t";
    let schema = values.schema;
    let ids = || (0..schema.types.len()).map(|index| TypeId(index as u32));
    let tables: Vec<String> = ids()
        .map(|id| {
            let wanted = format!("{}_json", values.names.of(id));
            values.names.fresh(&wanted)
        })
        .collect();
    let ways = ["ToJson", "FromJson"];
    let functions: Vec<[String; 2]> =
        schema.messages.iter().map(|message| ways.map(|way| values.names.json(message.record, way))).collect();
    let mut writer = Writer { values, module, policy, tables: &tables };
    let mut found: Vec<Stmt> = ids().filter_map(|id| writer.table(id)).collect();
    for (message, [to, from]) in schema.messages.iter().zip(&functions) {
        let table = name(tables[message.record.index()].as_str());
        for (own, run, given) in [(to, "t.toJson", "value"), (from, "t.fromJson", "text")] {
            found.push(Stmt::Function {
                export: true,
                doc: String::new(),
                name: own.clone(),
                params: vec![given.to_owned()],
                gives: call(run, vec![table.clone(), name(given)]),
            });
        }
    }
    values.runtime = "r";
    Json { tables: found, functions }
}

struct Writer<'w, 'a> {
    values: &'w mut Values<'a>,
    module: &'w Module,
    policy: JsonPolicy,
    /// By type.
    tables: &'w [String],
}

impl Writer<'_, '_> {
    fn table(&mut self, id: TypeId) -> Option<Stmt> {
        let named = name(if self.policy.names { "true" } else { "false" });
        let value = match &self.values.schema.type_def(id).kind {
            TypeKind::Record(record) => {
                let fields = record.fields.iter().enumerate().map(|(index, field)| self.field(id, index, field));
                let fields = later(Expr::Array(fields.collect()));
                call("t.record", vec![self.values.helper(id, Helper::Make), fields])
            }
            TypeKind::Enum(definition) => {
                let names = definition.values.iter();
                let names = names.map(|known| self.entry(id, known.json_name(), known.value)).collect();
                // Those of characters are numbers in JSON too.
                let repr = if definition.repr == Type::Char { name("t.u8") } else { self.of(&definition.repr) };
                call("t.enumeration", vec![named, repr, later(Expr::Array(names))])
            }
            TypeKind::Flags(definition) => {
                let single = definition.single_bits();
                let bits = single.iter().map(|(bit, known)| self.entry(id, known, i128::from(*bit))).collect();
                let others =
                    definition.values.iter().filter(|flag| single.iter().all(|(_, known)| *known != flag.name));
                let masks = others.map(|flag| self.entry(id, &flag.name, i128::from(flag.mask))).collect();
                let repr = self.of(&Type::Int(IntType::unsigned(definition.repr.bits)));
                call("t.flags", vec![named, repr, later(Expr::Array(bits)), later(Expr::Array(masks))])
            }
            TypeKind::Union(_) => return None,
        };
        let own = self.tables[id.index()].clone();
        Some(Stmt::Const { export: false, doc: String::new(), name: own, value: Expr::Pure(Box::new(value)) })
    }

    fn entry(&self, id: TypeId, known: &str, value: i128) -> Expr {
        Expr::Array(vec![string(known), self.values.plain_number(id, value)])
    }

    /// A field: its name, its type, and what differs from most.
    fn field(&mut self, id: TypeId, index: usize, field: &Field) -> Expr {
        let own = self.values.names.fields(id)[index].clone();
        let mut rules = Vec::new();
        if own != field.json_name() {
            rules.push(("key", string(field.json_name())));
        }
        let literal = |value: Value| Literal { value, ty: field.ty.clone(), lacks: false };
        let fixed = field.constant.as_ref().map(|_| self.module.new_field(id, index));
        let optional = matches!(field.ty, Type::Optional(_));
        let empty = match &field.ty {
            Type::List(_) => Some(literal(Value::List(Vec::new()))),
            Type::Text(_) | Type::Bytes => Some(literal(Value::Bytes(Vec::new()))),
            _ => None,
        };
        if field.nullable() && (!optional || fixed.is_some()) {
            let none = fixed.clone().or_else(|| empty.clone()).unwrap_or_else(|| literal(Value::Null));
            rules.push(("none", later(self.values.of(&none))));
        }
        let absent = match &fixed {
            Some(fixed) => Some(fixed.clone()),
            None if self.policy.defaults => Some(self.module[self.module.missing[id.index()][index]].clone()),
            None if field.optional => Some(literal(Value::Null)),
            None => empty,
        };
        // What is optional knows that it may be absent.
        if let Some(absent) = absent.filter(|absent| !(optional && absent.value == Value::Null)) {
            rules.push(("absent", later(self.values.of(&absent))));
        }
        if let Some(fixed) = fixed {
            rules.push(("fixed", later(self.values.of(&fixed))));
        }
        let mut entry = vec![string(own), self.of(&field.ty)];
        if !rules.is_empty() {
            entry.push(Expr::Object(rules.into_iter().map(|(rule, value)| (rule.to_owned(), value)).collect()));
        }
        Expr::Array(entry)
    }

    /// What a type's JSON is.
    fn of(&mut self, ty: &Type) -> Expr {
        let finite = if self.policy.non_finite { "" } else { "finite" };
        name(match ty {
            Type::Bool => "t.bool".to_owned(),
            Type::Int(IntType { bits, signed }) => format!("t.{}{bits}", if *signed { "i" } else { "u" }),
            Type::Timestamp | Type::Void => "t.u64".to_owned(),
            Type::Float32 => format!("t.f32{finite}"),
            Type::Float64 => format!("t.f64{finite}"),
            Type::Decimal => "t.decimal".to_owned(),
            Type::Uuid => "t.uuid".to_owned(),
            Type::Char => "t.character".to_owned(),
            Type::Bytes | Type::Opaque(_) => "t.bytes".to_owned(),
            Type::Text(Encoding::Latin1) | Type::Chars { encoding: Encoding::Latin1, .. } => "t.latin1".to_owned(),
            Type::Text(Encoding::Utf8) | Type::Chars { encoding: Encoding::Utf8, .. } => "t.utf8".to_owned(),
            Type::Named(id) => self.tables[id.index()].clone(),
            Type::Optional(inner) => return call("t.optional", vec![self.of(inner)]),
            Type::List(_) | Type::Set(_) | Type::Array { .. } | Type::Map { .. } => return self.collection(ty),
        })
    }

    fn collection(&mut self, ty: &Type) -> Expr {
        let (shape, run, parts) = match ty {
            Type::Map { key, value, .. } => {
                let entries = if self.is_member_name(key) { "t.map" } else { "t.pairs" };
                (Shape::Map, entries, vec![self.of(key), self.of(value)])
            }
            Type::Set(element) => (Shape::Set, "t.set", vec![self.of(element)]),
            ty => (Shape::List, "t.list", vec![self.of(ty.element())]),
        };
        let made = self.values.list(&ListType { shape, ty: ty.clone() });
        let length = match ty {
            Type::Array { len, .. } => Some(int(*len)),
            _ => None,
        };
        call(run, parts.into_iter().chain([made]).chain(length).collect())
    }

    /// Whether maps with such keys are objects.
    fn is_member_name(&self, key: &Type) -> bool {
        match key {
            Type::Float32 | Type::Float64 | Type::Bytes => false,
            Type::Named(id) => !matches!(self.values.schema.type_def(*id).kind, TypeKind::Record(_)),
            _ => true,
        }
    }
}
