//! JSON as tables: a module of what each type's JSON is, which the runtime walks.

use crate::js::{call, later, name, string, Expr, Stmt};
use crate::types::first_names;
use crate::values::Values;
use aldis_plan::JsonPolicy;
use aldis_schema::{Encoding, Type, TypeId, TypeKind};

/// What the JSON module declares.
pub(crate) struct Json {
    pub tables: Vec<Stmt>,
    /// By message: the function that writes its JSON.
    pub writers: Vec<String>,
}

/// The tables of all types, and a writer for each message.
pub(crate) fn module(values: &mut Values<'_>, policy: JsonPolicy) -> Json {
    let schema = values.schema;
    let ids = || (0..schema.types.len()).map(|index| TypeId(index as u32));
    let tables: Vec<String> = ids()
        .map(|id| {
            let wanted = format!("{}_json", values.names.of(id));
            values.names.fresh(&wanted)
        })
        .collect();
    let writer = Writer { values, policy, tables: &tables };
    let mut found: Vec<Stmt> = ids().filter_map(|id| writer.table(id)).collect();
    let writers: Vec<String> = schema.messages.iter().map(|message| values.names.json_writer(message.record)).collect();
    for (message, own) in schema.messages.iter().zip(&writers) {
        let table = name(tables[message.record.index()].as_str());
        found.push(Stmt::Function {
            export: true,
            doc: String::new(),
            name: own.clone(),
            params: vec!["value".to_owned()],
            gives: call("t.toJson", vec![table, name("value")]),
        });
    }
    Json { tables: found, writers }
}

struct Writer<'w, 'a> {
    values: &'w Values<'a>,
    policy: JsonPolicy,
    /// By type.
    tables: &'w [String],
}

impl Writer<'_, '_> {
    fn table(&self, id: TypeId) -> Option<Stmt> {
        let value = match &self.values.schema.type_def(id).kind {
            TypeKind::Record(record) => {
                let fields = record.fields.iter().zip(self.values.names.fields(id)).map(|(field, own)| {
                    let mut entry = vec![string(own.as_str()), self.of(&field.ty)];
                    if *own != field.name {
                        entry.push(string(field.json_name()));
                    }
                    Expr::Array(entry)
                });
                call("t.record", vec![later(Expr::Array(fields.collect()))])
            }
            TypeKind::Enum(definition) => {
                let names = first_names(definition).into_iter();
                let names = names.map(|(known, value)| self.entry(id, known, value)).collect();
                let named = name(if self.policy.names { "true" } else { "false" });
                call("t.enumeration", vec![named, later(Expr::Array(names))])
            }
            TypeKind::Flags(_) if !self.policy.names => return None,
            TypeKind::Flags(definition) => {
                let bits = definition.single_bits().into_iter();
                let bits = bits.map(|(bit, known)| self.entry(id, known, i128::from(bit))).collect();
                call("t.flags", vec![later(Expr::Array(bits))])
            }
            TypeKind::Union(_) => return None,
        };
        let own = self.tables[id.index()].clone();
        Some(Stmt::Const { export: false, doc: String::new(), name: own, value: Expr::Pure(Box::new(value)) })
    }

    fn entry(&self, id: TypeId, known: &str, value: i128) -> Expr {
        Expr::Array(vec![string(known), self.values.plain_number(id, value)])
    }

    /// What a type's JSON is.
    fn of(&self, ty: &Type) -> Expr {
        let finite = if self.policy.non_finite { "" } else { "finite" };
        name(match ty {
            Type::Bool => "t.bool".to_owned(),
            Type::Int(_) | Type::Timestamp | Type::Void => "t.int".to_owned(),
            Type::Float32 => format!("t.f32{finite}"),
            Type::Float64 => format!("t.f64{finite}"),
            Type::Decimal => "t.decimal".to_owned(),
            Type::Uuid => "t.uuid".to_owned(),
            Type::Char => "t.character".to_owned(),
            Type::Bytes | Type::Opaque(_) => "t.bytes".to_owned(),
            Type::Text(Encoding::Latin1) | Type::Chars { encoding: Encoding::Latin1, .. } => "t.latin1".to_owned(),
            Type::Text(Encoding::Utf8) | Type::Chars { encoding: Encoding::Utf8, .. } => "t.utf8".to_owned(),
            Type::Named(id) => match &self.values.schema.type_def(*id).kind {
                TypeKind::Flags(_) if !self.policy.names => "t.int".to_owned(),
                _ => self.tables[id.index()].clone(),
            },
            Type::Optional(inner) => return call("t.optional", vec![self.of(inner)]),
            Type::List(element) | Type::Set(element) | Type::Array { element, .. } => {
                return call("t.list", vec![self.of(element)]);
            }
            Type::Map { key, value, .. } => {
                let entries = if self.is_member_name(key) { "t.map" } else { "t.pairs" };
                return call(entries, vec![self.of(key), self.of(value)]);
            }
        })
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
