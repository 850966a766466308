//! JSON as tables: a module of what each type's JSON is, which the runtime walks to write and to read it.

use crate::js::{call, int, later, name, string, Expr, Stmt};
use crate::names::Known;
use crate::values::{Helper, Values};
use aldis_plan::{JsonPolicy, Shape};
use aldis_routine::{ListType, Literal, Module, Value};
use aldis_schema::{BytesText, Discriminator, Encoding, Field, IntType, Type, TypeId, TypeKind};

/// The declarations of the JSON module.
pub(crate) struct Json {
    pub tables: Vec<Stmt>,
    /// By message: the function that writes its JSON, and the one that reads it.
    pub functions: Vec<[Known; 2]>,
}

/// The tables of all types, and two functions for each message.
pub(crate) fn module(values: &mut Values<'_>, module: &Module, policy: JsonPolicy) -> Json {
    values.runtime = "t";
    let schema = values.schema;
    let ids = || (0..schema.types.len()).map(|index| TypeId(index as u32));
    let mut exports = Vec::new();
    let table = |id: TypeId| {
        if !values.names.is_own(id) {
            return None;
        }
        let wanted = format!("{}_json", values.names.of(id));
        let own = values.names.fresh(&wanted);
        exports.push((own.clone(), values.names.link(id, "json", "")));
        Some(own)
    };
    let tables: Vec<Option<String>> = ids().map(table).collect();
    let ways = ["ToJson", "FromJson"];
    let functions: Vec<[Known; 2]> =
        schema.messages.iter().map(|message| ways.map(|way| values.names.json(message.record, way))).collect();
    let mut writer = Writer { values, module, policy, tables: &tables };
    let mut found: Vec<Stmt> = ids().filter_map(|id| Some(writer.table(id, tables[id.index()].clone()?))).collect();
    for (message, known) in schema.messages.iter().zip(&functions) {
        let [Known::Own(to), Known::Own(from)] = known else { continue };
        let table = writer.named(message.record);
        for (own, run, given, way) in [(to, "t.toJson", "value", ways[0]), (from, "t.fromJson", "text", ways[1])] {
            exports.push((own.clone(), writer.values.names.link(message.record, way, "")));
            found.push(Stmt::Function {
                export: true,
                name: own.clone(),
                params: vec![given.to_owned()],
                gives: call(run, vec![table.clone(), name(given)]),
            });
        }
    }
    if values.names.modules.root().is_some() {
        found.push(Stmt::Exports(exports));
    }
    values.runtime = "r";
    Json { tables: found, functions }
}

struct Writer<'w, 'a> {
    values: &'w mut Values<'a>,
    module: &'w Module,
    policy: JsonPolicy,
    /// By type.
    tables: &'w [Option<String>],
}

impl Writer<'_, '_> {
    /// The table of a type.
    fn named(&self, id: TypeId) -> Expr {
        let own = self.tables[id.index()].clone();
        name(own.or_else(|| self.values.names.imported_json(id, "json")).unwrap_or_default())
    }

    fn table(&mut self, id: TypeId, own: String) -> Stmt {
        let named = name(if self.policy.names { "true" } else { "false" });
        let value = match &self.values.schema.type_def(id).kind {
            TypeKind::Record(record) => {
                let own = self.values.names.fields(id).to_vec();
                let fields = record.fields.iter().zip(own).enumerate();
                let fields = fields.map(|(index, (field, own))| self.member(id, index, field, own));
                let fields = later(Expr::Array(fields.collect()));
                call(
                    if self.policy.omit_null { "t.shape" } else { "t.record" },
                    vec![self.values.helper(id, Helper::Make), fields],
                )
            }
            TypeKind::Enum(definition) => {
                let names = definition.values.iter();
                let names = names.map(|known| {
                    let mut entry = vec![string(known.name.as_str()), self.values.plain_number(id, known.value)];
                    entry.extend((known.json_name() != known.name).then(|| string(known.json_name())));
                    Expr::Array(entry)
                });
                let names = names.collect();
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
            TypeKind::Union(union) => {
                let arms = union.arms.iter().enumerate().map(|(index, arm)| {
                    let Expr::Array(field) = self.member(id, index, &arm.field, arm.field.name.clone()) else {
                        unreachable!()
                    };
                    Expr::Array([int(arm.tag)].into_iter().chain(field).collect())
                });
                let arms = later(Expr::Array(arms.collect()));
                let mut rules = Vec::new();
                if let Some(Discriminator { name, value_name }) = &union.discriminator {
                    let names = [Some(name), value_name.as_ref()].into_iter().flatten();
                    rules.push(("discriminator", Expr::Array(names.map(string).collect())));
                }
                if union.empty_arms {
                    rules.push(("emptyArms", name("true")));
                }
                let mut args = vec![self.values.helper(id, Helper::Make), arms];
                args.extend((!rules.is_empty()).then(|| ruled(rules)));
                call("t.choice", args)
            }
        };
        Stmt::Const { export: false, name: own, value: Expr::Pure(Box::new(value)) }
    }

    fn entry(&self, id: TypeId, known: &str, value: i128) -> Expr {
        Expr::Array(vec![string(known), self.values.plain_number(id, value)])
    }

    /// A field or arm: its name, its type, and what differs from most.
    fn member(&mut self, id: TypeId, index: usize, field: &Field, own: String) -> Expr {
        let mut rules = Vec::new();
        if field.name.is_empty() {
            rules.push(("unnamed", name("true")));
        } else if own != field.json_name() {
            rules.push(("key", string(field.json_name())));
        }
        let literal = |value: Value| Literal { value, ty: field.ty.clone(), lacks: false };
        if let Some(prefix) = &field.json.flatten {
            rules.push(("flatten", string(prefix)));
        }
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
        // The type of an optional value says already that it may be absent.
        if let Some(absent) = absent.filter(|absent| !(optional && absent.value == Value::Null)) {
            rules.push(("absent", later(self.values.of(&absent))));
        }
        if let Some(fixed) = fixed {
            rules.push(("fixed", later(self.values.of(&fixed))));
        }
        let of = match (field.json.bytes, field.ty.required()) {
            (Some(form), Type::Bytes) => {
                let of = name(if form == BytesText::Hex { "t.hex" } else { "t.base64" });
                if optional {
                    self.optional(of)
                } else {
                    of
                }
            }
            _ => self.of(&field.ty),
        };
        let mut entry = vec![string(own), of];
        entry.extend((!rules.is_empty()).then(|| ruled(rules)));
        Expr::Array(entry)
    }

    /// The description of a type's JSON.
    fn of(&mut self, ty: &Type) -> Expr {
        let finite = if self.policy.non_finite { "" } else { "finite" };
        let plain = match ty {
            Type::Bool => name("t.bool"),
            Type::Int(IntType { bits, signed }) => name(format!("t.{}{bits}", if *signed { "i" } else { "u" })),
            Type::Timestamp => name("t.u64"),
            Type::Void => name("t.nothing"),
            Type::Opaque(_) => name("t.opaque"),
            Type::Float32 => name(format!("t.f32{finite}")),
            Type::Float64 => name(format!("t.f64{finite}")),
            Type::Decimal => name("t.decimal"),
            Type::Uuid => name("t.uuid"),
            Type::Char => name("t.character"),
            Type::Bytes if self.policy.byte_arrays => name("t.byteArray"),
            Type::Bytes => name("t.bytes"),
            Type::Text(Encoding::Latin1) | Type::Chars { encoding: Encoding::Latin1, .. } => name("t.latin1"),
            Type::Text(Encoding::Utf8) | Type::Chars { encoding: Encoding::Utf8, .. } => name("t.utf8"),
            Type::Named(id) => self.named(*id),
            Type::Optional(inner) => {
                let inner = self.of(inner);
                return self.optional(inner);
            }
            Type::List(_) | Type::Set(_) | Type::Array { .. } | Type::Map { .. } => self.collection(ty),
        };
        let rule = match ty {
            Type::Int(IntType { bits: 64, .. }) if self.policy.wide_text => "t.wide",
            Type::Int(_) if self.policy.wide_text => "t.loose",
            Type::Float32 | Type::Float64 if self.policy.omit_null => "t.orNaN",
            Type::Text(_) if self.policy.omit_null => "t.emptyText",
            Type::List(_) if self.policy.omit_null => "t.emptyList",
            _ => return plain,
        };
        call(rule, vec![plain])
    }

    fn optional(&self, inner: Expr) -> Expr {
        call(if self.policy.omit_null { "t.orEmpty" } else { "t.optional" }, vec![inner])
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

fn ruled(rules: Vec<(&str, Expr)>) -> Expr {
    Expr::Object(rules.into_iter().map(|(rule, value)| (rule.to_owned(), value)).collect())
}
