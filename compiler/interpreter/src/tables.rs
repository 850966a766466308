//! What a walk looks up: JSON keys, enum names, defaults, made once a plan.

use crate::Value;
use aldis_plan::{ByteOrder, Missing, Plan, Repr, Slot, SlotKind, Step};
use aldis_schema::{default_of_field, Encoding, Enum, Flags, Schema, Type, TypeId, TypeKind};

/// Look-up tables beside the schema's types.
#[derive(Debug)]
pub(crate) struct Tables {
    pub schema: Schema,
    pub order: ByteOrder,
    types: Vec<TypeTable>,
}

#[derive(Debug)]
enum TypeTable {
    Record(RecordTable),
    Enum(EnumTable),
    Flags(FlagsTable),
}

/// What JSON writers and defaulting need of a record.
#[derive(Debug, Default)]
pub(crate) struct RecordTable {
    /// `,"name":` of each field; the first in an object is written without its comma.
    pub keys: Vec<Box<[u8]>>,
    /// What a field is where the bytes end before it.
    pub missing: Vec<Value>,
    /// Fields that equality and order look at.
    pub key_fields: Vec<usize>,
}

#[derive(Debug)]
pub(crate) struct EnumTable {
    pub signed: bool,
    /// By value, ascending: the JSON string of its first name.
    names: Vec<(i128, Box<[u8]>)>,
    /// Positions in `names` by value, for values below 256.
    small: Vec<u16>,
}

impl EnumTable {
    /// The name of a value as a JSON string, with its quotes.
    pub fn quoted(&self, value: i128) -> Option<&[u8]> {
        if let Some(&index) = usize::try_from(value).ok().and_then(|v| self.small.get(v)) {
            return self.names.get(usize::from(index)).map(|(_, name)| &**name);
        }
        let index = self.names.binary_search_by_key(&value, |(v, _)| *v).ok()?;
        Some(&self.names[index].1)
    }
}

#[derive(Debug)]
pub(crate) struct FlagsTable {
    /// Single bits in order, with the JSON string of their name.
    pub bits: Vec<(u64, Box<[u8]>)>,
}

impl Tables {
    pub fn new(plan: &Plan) -> Self {
        let schema = plan.schema.clone();
        let types = schema
            .types
            .iter()
            .map(|def| match &def.kind {
                TypeKind::Record(_) => TypeTable::Record(RecordTable::default()),
                TypeKind::Enum(e) => TypeTable::Enum(enum_table(e)),
                TypeKind::Flags(f) => TypeTable::Flags(flags_table(f)),
            })
            .collect();
        let mut tables = Self { schema, order: plan.byte_order, types };
        for (index, nulls) in null_fields(plan).into_iter().enumerate() {
            if matches!(tables.types[index], TypeTable::Record(_)) {
                let table = record_table(&tables, &nulls, TypeId(index as u32));
                tables.types[index] = TypeTable::Record(table);
            }
        }
        tables
    }

    pub fn record(&self, id: TypeId) -> &RecordTable {
        match &self.types[id.index()] {
            TypeTable::Record(table) => table,
            _ => unreachable!("only records are walked as records"),
        }
    }

    /// The enum or flags behind a type, where it is one.
    pub fn enumeration(&self, ty: &Type) -> Option<Enumeration<'_>> {
        match ty {
            Type::Named(id) => match &self.types[id.index()] {
                TypeTable::Enum(table) => Some(Enumeration::Enum(table)),
                TypeTable::Flags(table) => Some(Enumeration::Flags(table)),
                TypeTable::Record(_) => None,
            },
            _ => None,
        }
    }

    /// Whether numbers of this type are kept as [`Value::Int`].
    pub fn is_signed(&self, ty: &Type) -> bool {
        match ty {
            Type::Int(int) => int.signed,
            Type::Named(id) => matches!(&self.types[id.index()], TypeTable::Enum(table) if table.signed),
            _ => false,
        }
    }

    /// How a scalar type is stored.
    pub fn repr_of(&self, ty: &Type) -> Repr {
        match ty {
            Type::Bool => Repr::Bool,
            Type::Int(int) => Repr::int(int.bits, int.signed),
            Type::Timestamp => Repr::U64,
            Type::Float32 => Repr::F32,
            Type::Float64 => Repr::F64,
            Type::Uuid => Repr::Uuid,
            Type::Decimal => Repr::Decimal,
            Type::Named(id) => match &self.schema.type_def(*id).kind {
                TypeKind::Enum(e) => self.repr_of(&e.repr),
                TypeKind::Flags(f) => Repr::int(f.repr.bits, f.repr.signed),
                TypeKind::Record(_) => Repr::U8,
            },
            _ => Repr::U8,
        }
    }

    pub fn field_name(&self, record: TypeId, field: usize) -> &str {
        &self.schema.record(record).fields[field].name
    }
}

/// A type whose values have names.
pub(crate) enum Enumeration<'a> {
    Enum(&'a EnumTable),
    Flags(&'a FlagsTable),
}

fn record_table(tables: &Tables, nulls: &[bool], id: TypeId) -> RecordTable {
    let record = tables.schema.record(id);
    let missing = record.fields.iter().enumerate().map(|(index, field)| {
        if nulls.get(index).copied().unwrap_or(false) {
            Value::Null
        } else {
            Value::from_literal(&default_of_field(&tables.schema, field), &field.ty, tables)
        }
    });
    RecordTable {
        keys: record.fields.iter().map(|field| [b",", &*quoted(&field.name), b":"].concat().into()).collect(),
        missing: missing.collect(),
        key_fields: record.key_fields(),
    }
}

/// For each type, which fields of a record are null when missing, going by the slots that any run has for them.
fn null_fields(plan: &Plan) -> Vec<Vec<bool>> {
    let fields = plan.schema.types.iter().map(|def| match &def.kind {
        TypeKind::Record(record) => vec![false; record.fields.len()],
        _ => Vec::new(),
    });
    let mut nulls: Vec<Vec<bool>> = fields.collect();
    for layout in plan.layouts.iter().flatten() {
        for step in &layout.steps {
            if let Step::Run(run) = step {
                mark_nulls(layout.record, &run.slots, &mut nulls);
            }
        }
    }
    nulls
}

fn mark_nulls(record: TypeId, slots: &[Slot], nulls: &mut [Vec<bool>]) {
    for slot in slots {
        if let (Some(field), Missing::Null) = (slot.field, slot.missing) {
            nulls[record.index()][field as usize] = !matches!(slot.kind, SlotKind::Constant { .. });
        }
        if let SlotKind::Nest { record, slots } = &slot.kind {
            mark_nulls(*record, slots, nulls);
        }
    }
}

fn enum_table(definition: &Enum) -> EnumTable {
    let mut names: Vec<(i128, Box<[u8]>)> = Vec::new();
    for value in &definition.values {
        if names.iter().all(|(known, _)| *known != value.value) {
            names.push((value.value, quoted(&value.name)));
        }
    }
    names.sort_by_key(|(value, _)| *value);
    let mut small = Vec::new();
    for (index, (value, _)) in names.iter().enumerate() {
        if let Ok(value @ 0..=255) = usize::try_from(*value) {
            small.resize(small.len().max(value + 1), u16::MAX);
            small[value] = index as u16;
        }
    }
    EnumTable { signed: matches!(definition.repr, Type::Int(int) if int.signed), names, small }
}

fn flags_table(definition: &Flags) -> FlagsTable {
    FlagsTable { bits: definition.single_bits().into_iter().map(|(bit, name)| (bit, quoted(name))).collect() }
}

fn quoted(name: &str) -> Box<[u8]> {
    let mut out = Vec::with_capacity(name.len() + 2);
    // Schema names are valid Unicode, so this cannot fail.
    let _ = crate::json::write_text(&mut out, name.as_bytes(), Encoding::Utf8);
    out.into()
}
