//! The columns that a type of the schema becomes.

use crate::names::Names;
use crate::program::{program, Programs};
use crate::store::{dictionary, list_of, Column, Id, Kind, Store, HOLE};
use crate::{Enums, Options, Sets};
use aldis_plan::{Plan, Step};
use aldis_schema::{Enum, Field, Flags, IntType, Literal, Record, Type, TypeId, TypeKind, Union};
use arrow_schema::{DataType, Field as ArrowField, Fields, TimeUnit};
use std::collections::HashSet;
use std::sync::Arc;

/// Levels of columns within columns, and columns of a table; what would be more is JSON.
const DEEPEST: usize = 24;
const MOST: usize = 4096;

/// The most digits of a decimal.
const DIGITS: u8 = 38;

pub(crate) struct Shaper<'p> {
    pub plan: &'p Plan,
    pub options: &'p Options,
    pub store: Store,
    pub programs: Programs,
    /// The types that are being shaped, each within the one before.
    above: Vec<TypeId>,
    path: Vec<String>,
    /// The surprises that columns have for readers, by path.
    pub remarks: Vec<String>,
}

impl<'p> Shaper<'p> {
    pub fn new(plan: &'p Plan, options: &'p Options) -> Self {
        let mut store = Store::default();
        store.add(Column::new("", Type::Void, Kind::Hole, DataType::Boolean));
        let (above, path, remarks) = (Vec::new(), Vec::new(), Vec::new());
        Self { plan, options, store, programs: Programs::default(), above, path, remarks }
    }

    fn add(&mut self, name: &str, ty: &Type, kind: Kind, data: DataType) -> Id {
        let mut column = Column::new(name, ty.clone(), kind, data);
        column.path = self.path.join(".");
        self.store.add(column)
    }

    fn remark(&mut self, text: &str) {
        let remark = format!("{}: {text}", self.path.join("."));
        self.remarks.push(remark);
    }

    fn data(&self, id: Id) -> DataType {
        self.store.0[id].data.clone()
    }

    /// The column of a field, or of an arm.
    fn field(&mut self, field: &Field) -> Id {
        let name = called(field);
        self.path.push(name.to_owned());
        let id = match (field.ty.required(), time_of(field)) {
            (Type::Int(int), Some(data)) if self.options.times => {
                let kind = if int.signed || int.bits < 64 { Kind::Plain } else { Kind::Time };
                self.add(name, field.ty.required(), kind, data)
            }
            _ => self.column(name, &field.ty),
        };
        self.path.pop();
        id
    }

    fn column(&mut self, name: &str, ty: &Type) -> Id {
        let ty = ty.required();
        match ty {
            Type::Named(id) => self.named(name, *id),
            Type::List(element) | Type::Set(element) | Type::Array { element, .. } => {
                let child = self.column("item", element);
                let data = list_of_column(&self.store.0[child]);
                self.add(name, ty, Kind::List(child), data)
            }
            Type::Map { key, value, .. } => self.map(name, ty, (key, value)),
            Type::Decimal => match self.options.decimals {
                Some(scale) => self.add(name, ty, Kind::Decimal(scale), DataType::Decimal128(DIGITS, scale as i8)),
                None => {
                    self.remark("its decimals have scales of their own, so they are text");
                    self.add(name, ty, Kind::DecimalText, DataType::Utf8)
                }
            },
            _ => {
                let (kind, data) = self.simple(ty);
                self.add(name, ty, kind, data)
            }
        }
    }

    fn simple(&self, ty: &Type) -> (Kind, DataType) {
        match ty {
            Type::Void => (Kind::Unit, DataType::Boolean),
            Type::Bool => (Kind::Bool, DataType::Boolean),
            Type::Char => (Kind::Char, DataType::Utf8),
            Type::Int(int) => (Kind::Plain, integer(*int)),
            Type::Float32 => (Kind::Plain, DataType::Float32),
            Type::Float64 => (Kind::Plain, DataType::Float64),
            Type::Timestamp if self.options.times => (Kind::Time, timestamp(TimeUnit::Nanosecond)),
            Type::Timestamp => (Kind::Plain, DataType::UInt64),
            Type::Uuid => (Kind::Uuid, DataType::FixedSizeBinary(16)),
            Type::Text(encoding) | Type::Chars { encoding, .. } => (Kind::Text(*encoding), DataType::Utf8),
            _ => (Kind::Bytes, DataType::Binary),
        }
    }

    fn named(&mut self, name: &str, id: TypeId) -> Id {
        let ty = Type::Named(id);
        let within = self.above.contains(&id);
        match &self.plan.schema.type_def(id).kind {
            TypeKind::Enum(definition) => self.enumeration(name, &ty, definition),
            TypeKind::Flags(definition) => self.flags(name, &ty, definition),
            _ if within || self.above.len() >= DEEPEST || self.store.0.len() >= MOST => {
                self.remark(if within {
                    "it is part of itself, so it is JSON"
                } else {
                    "it is too large, so it is JSON"
                });
                self.add(name, &ty, Kind::Json, DataType::Utf8)
            }
            TypeKind::Record(record) => self.record(name, id, record),
            TypeKind::Union(union) => self.union(name, id, union),
        }
    }

    fn enumeration(&mut self, name: &str, ty: &Type, definition: &Enum) -> Id {
        let (signed, data) = match definition.repr {
            Type::Int(int) => (int.signed, integer(int)),
            _ => (false, DataType::UInt8),
        };
        if self.options.enums == Enums::Numbers {
            return self.add(name, ty, Kind::Plain, data);
        }
        let names = Names::new(definition.values.iter().map(|value| (value.value as i64, value.json_name())), signed);
        self.add(name, ty, Kind::Enum(names), dictionary())
    }

    fn flags(&mut self, name: &str, ty: &Type, definition: &Flags) -> Id {
        if self.options.sets == Sets::Integers {
            return self.add(name, ty, Kind::Plain, integer(definition.repr));
        }
        let bits = definition.single_bits();
        let names = Names::new(bits.iter().map(|(mask, name)| (*mask as i64, *name)), false);
        let child = self.add("item", ty, Kind::Enum(names), dictionary());
        let bits = bits.iter().map(|(mask, _)| *mask).collect();
        self.add(name, ty, Kind::Flags { bits, child }, list_of(&dictionary()))
    }

    /// The column of a record: a struct, or a decimal, or where there are no fields whether it is there.
    fn record(&mut self, name: &str, id: TypeId, record: &'p Record) -> Id {
        self.fields(name, (id, record), &|_| true)
    }

    /// The column of a message's record, whose fields are those that are wanted.
    pub fn message(&mut self, id: TypeId, record: &'p Record, wanted: &dyn Fn(&str) -> bool) -> Id {
        self.fields("", (id, record), wanted)
    }

    fn fields(&mut self, name: &str, (id, record): (TypeId, &'p Record), wanted: &dyn Fn(&str) -> bool) -> Id {
        let ty = Type::Named(id);
        if let Some((kind, data)) = scaled(record) {
            return self.add(name, &ty, kind, data);
        }
        if record.fields.is_empty() {
            return self.add(name, &ty, Kind::Unit, DataType::Boolean);
        }
        self.above.push(id);
        let column = |(field, name): (&Field, String)| {
            if !wanted(&name) {
                return HOLE;
            }
            let id = self.field(field);
            self.store.0[id].name = name;
            id
        };
        let fields: Vec<Id> = record.fields.iter().zip(names_of(record)).map(column).collect();
        self.above.pop();
        let kept: Vec<Id> = fields.iter().copied().filter(|id| *id != HOLE).collect();
        let data = self.structure(&kept);
        let column = self.add(name, &ty, Kind::Record { fields }, data);
        for step in self.plan.layouts[id.index()].iter().flat_map(|layout| &layout.steps) {
            if let Step::Run(run) = step {
                if let Some(operations) = program(&self.store, column, &run.slots) {
                    self.programs.add(column, run, operations);
                }
            }
        }
        column
    }

    fn union(&mut self, name: &str, id: TypeId, union: &'p Union) -> Id {
        self.above.push(id);
        let names = Names::new(union.arms.iter().map(|arm| (arm.tag as i64, arm.field.name.as_str())), false);
        let called = if union.arms.iter().any(|arm| arm.field.name == "tag") { "tag_" } else { "tag" };
        let tag = self.add(called, &Type::Int(IntType::unsigned(64)), Kind::Enum(names), dictionary());
        let arms: Vec<Id> = union.arms.iter().map(|arm| self.field(&arm.field)).collect();
        self.above.pop();
        let all: Vec<Id> = [tag].into_iter().chain(arms.iter().copied()).collect();
        let data = self.structure(&all);
        self.add(name, &Type::Named(id), Kind::Choice { tag, arms }, data)
    }

    /// The struct of columns, whose names are told apart first.
    fn structure(&mut self, columns: &[Id]) -> DataType {
        let mut seen = HashSet::new();
        for id in columns {
            let name = &mut self.store.0[*id].name;
            while !seen.insert(name.clone()) {
                name.push('_');
            }
        }
        DataType::Struct(columns.iter().map(|id| Arc::new(self.store.0[*id].field())).collect::<Fields>())
    }

    fn map(&mut self, name: &str, ty: &Type, (key, value): (&Type, &Type)) -> Id {
        let (keys, values) = (self.column("key", key), self.column("value", value));
        // Arrow's maps have no keys that are null.
        let is_map = !matches!(key, Type::Optional(_));
        let fields = Fields::from(vec![
            ArrowField::new("key", self.data(keys), !is_map),
            ArrowField::new("value", self.data(values), true),
        ]);
        let inner = DataType::Struct(fields);
        let entries = self.add("entries", ty, Kind::Record { fields: vec![keys, values] }, inner.clone());
        let data = match is_map {
            true => DataType::Map(Arc::new(ArrowField::new("entries", inner, false)), false),
            false => list_of(&inner),
        };
        self.add(name, ty, Kind::Map { entries, key: keys, value: values }, data)
    }
}

/// The names of the columns of a record's fields, whichever of them are wanted.
pub(crate) fn names_of(record: &Record) -> Vec<String> {
    told_apart(record.fields.iter().map(|field| called(field).to_owned()))
}

/// The names, with a line below behind each that another one has before it.
pub(crate) fn told_apart(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = HashSet::new();
    let apart = names.map(|mut name| {
        while !seen.insert(name.clone()) {
            name.push('_');
        }
        name
    });
    apart.collect()
}

/// The name of a field's column.
fn called(field: &Field) -> &str {
    if field.name.is_empty() {
        "which"
    } else {
        &field.name
    }
}

fn list_of_column(item: &Column) -> DataType {
    DataType::List(Arc::new(item.field()))
}

fn integer(int: IntType) -> DataType {
    match (int.bits, int.signed) {
        (8, true) => DataType::Int8,
        (8, false) => DataType::UInt8,
        (16, true) => DataType::Int16,
        (16, false) => DataType::UInt16,
        (32, true) => DataType::Int32,
        (32, false) => DataType::UInt32,
        (_, true) => DataType::Int64,
        (_, false) => DataType::UInt64,
    }
}

pub(crate) fn timestamp(unit: TimeUnit) -> DataType {
    DataType::Timestamp(unit, Some("UTC".into()))
}

/// The type of times that an integer is, where the schema says that it is one: 64 bits since 1970 in a unit, or 16 bits
/// of days.
fn time_of(field: &Field) -> Option<DataType> {
    let Type::Int(int) = field.ty.required() else { return None };
    let note = |name: &str| field.notes.get(name).map(String::as_str);
    let of_day = note("semanticType").is_some_and(|what| what.ends_with("TimeOnly"));
    let is_time = note("semanticType") == Some("UTCTimestamp") || note("timeUnit").is_some() && !of_day;
    match (int.bits, note("semanticType"), note("timeUnit")) {
        (16, Some("LocalMktDate"), _) if !int.signed => Some(DataType::Date32),
        (64, _, unit) if is_time && note("epoch").is_none_or(|epoch| epoch == "unix") => match unit {
            None | Some("nanosecond") => Some(timestamp(TimeUnit::Nanosecond)),
            Some("microsecond") => Some(timestamp(TimeUnit::Microsecond)),
            Some("millisecond") => Some(timestamp(TimeUnit::Millisecond)),
            Some("second") => Some(timestamp(TimeUnit::Second)),
            Some(_) => None,
        },
        _ => None,
    }
}

/// A record of a mantissa and an exponent that the schema fixes.
pub(crate) fn scaled(record: &Record) -> Option<(Kind, DataType)> {
    let [mantissa, exponent] = [record.field_index("mantissa")?, record.field_index("exponent")?];
    let Some(Literal::Int(exponent)) = record.fields[exponent].constant else { return None };
    let Type::Int(int) = record.fields[mantissa].ty.required() else { return None };
    let scale = u8::try_from(-exponent).ok().filter(|scale| *scale <= DIGITS)?;
    let usual = record.fields.len() == 2 && record.fields[mantissa].constant.is_none();
    let data = DataType::Decimal128(scale.max(20), scale as i8);
    usual.then_some((Kind::Scaled { mantissa, signed: int.signed }, data))
}
