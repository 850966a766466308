//! Tables that a walk looks into: JSON keys, enum names, defaults. They are made once for a plan.

use crate::Value;
use aldis_plan::{
    surcharge_within, ByteOrder, Emptiness, Extent, Lacks, Layout, Missing, Plan, Repeat, Repr, Slot, SlotKind, Step,
};
use aldis_schema::{default_of_field, BytesText, Encoding, Enum, Field, Flags, Schema, Type, TypeId, TypeKind};

/// Look-up tables beside the schema's types.
#[derive(Debug)]
pub struct Tables {
    pub schema: Schema,
    pub order: ByteOrder,
    types: Vec<TypeTable>,
}

#[derive(Debug)]
enum TypeTable {
    Record(RecordTable),
    Union(UnionTable),
    Enum(EnumTable),
    Flags(FlagsTable),
}

/// The facts about a record that JSON writers and defaults need.
#[derive(Debug, Default)]
pub struct RecordTable {
    pub members: Vec<MemberTable>,
    /// The value of each field that lies beyond the end of the bytes.
    pub missing: Vec<Value>,
    /// Fields that equality and order look at.
    pub key_fields: Vec<usize>,
    /// Its JSON has members that are not those of its fields.
    pub shaped: bool,
    /// The charges for fields without bytes, for records that have a layout.
    pub lacks: Lacks,
    /// When it takes no bytes; of the same.
    pub emptiness: Emptiness,
    /// By step of the layout; of the same.
    pub runs: Vec<RunTable>,
    /// Where it is one run, and nothing in its bytes can be wrong; of the same.
    pub passed: Option<Passed>,
}

/// The facts about a run that all of its bytes share.
#[derive(Debug, Default)]
pub struct RunTable {
    pub surcharge: u64,
    /// The slots that are more than bytes of any value: registers, and what can be wrong.
    pub risky: Vec<u32>,
}

/// A record that a walk for faults passes over.
#[derive(Clone, Copy, Debug)]
pub struct Passed {
    /// The size in this schema.
    pub size: u64,
    /// The bytes say how large it is.
    pub acting: bool,
    pub surcharge: u64,
}

/// The same of a union's arms.
#[derive(Debug, Default)]
pub struct UnionTable {
    pub members: Vec<MemberTable>,
    pub missing: Vec<Value>,
    pub discriminator: Option<DiscriminatorTable>,
}

/// A field or arm in JSON.
#[derive(Debug)]
pub struct MemberTable {
    /// `,"name":`; the first in an object is written without its comma.
    pub key: Box<[u8]>,
    pub flatten: Option<Box<str>>,
    pub bytes: Option<BytesText>,
}

/// The JSON member that tells which arm is active.
#[derive(Debug)]
pub struct DiscriminatorTable {
    /// `,"name":`
    pub key: Box<[u8]>,
    /// By arm, a JSON string.
    pub values: Vec<Box<[u8]>>,
    /// `,"name":` of the arm's own member, where it does not go by the arm.
    pub value_key: Option<Box<[u8]>>,
}

impl UnionTable {
    /// Its JSON has members that are not those of its arms.
    pub fn shaped(&self) -> bool {
        self.discriminator.is_some() || self.members.iter().any(|member| member.flatten.is_some())
    }
}

#[derive(Debug)]
pub struct EnumTable {
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
pub struct FlagsTable {
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
                TypeKind::Union(_) => TypeTable::Union(UnionTable::default()),
                TypeKind::Enum(e) => TypeTable::Enum(enum_table(e)),
                TypeKind::Flags(f) => TypeTable::Flags(flags_table(f)),
            })
            .collect();
        let mut tables = Self { schema, order: plan.byte_order, types };
        for (index, places) in plan.places().iter().enumerate() {
            let id = TypeId(index as u32);
            let table = match &tables.types[index] {
                TypeTable::Record(_) => {
                    let mut table = record_table(&tables, id, places);
                    if let Some(layout) = &plan.layouts[index] {
                        (table.lacks, table.emptiness) = (plan.lacks(id), plan.record_emptiness(id));
                        table.runs = layout.steps.iter().map(run_table).collect();
                        table.passed = passed(layout, &table.runs);
                    }
                    TypeTable::Record(table)
                }
                TypeTable::Union(_) => TypeTable::Union(union_table(&tables, id, places)),
                TypeTable::Enum(_) | TypeTable::Flags(_) => continue,
            };
            tables.types[index] = table;
        }
        for index in 0..tables.types.len() {
            if let TypeTable::Record(_) = tables.types[index] {
                let shaped = is_shaped(&tables, TypeId(index as u32));
                if let TypeTable::Record(table) = &mut tables.types[index] {
                    table.shaped = shaped;
                }
            }
        }
        tables
    }

    /// When the elements of a repeat take no bytes.
    pub fn emptiness(&self, repeat: &Repeat) -> Emptiness {
        repeat.emptiness(&|record| self.record(record).emptiness)
    }

    pub fn record(&self, id: TypeId) -> &RecordTable {
        match &self.types[id.index()] {
            TypeTable::Record(table) => table,
            _ => unreachable!("only records are walked as records"),
        }
    }

    pub fn union(&self, id: TypeId) -> &UnionTable {
        match &self.types[id.index()] {
            TypeTable::Union(table) => table,
            _ => unreachable!("only unions are walked as unions"),
        }
    }

    /// The enum or flags behind a type, where it is one.
    pub fn enumeration(&self, ty: &Type) -> Option<Enumeration<'_>> {
        match ty {
            Type::Named(id) => match &self.types[id.index()] {
                TypeTable::Enum(table) => Some(Enumeration::Enum(table)),
                TypeTable::Flags(table) => Some(Enumeration::Flags(table)),
                TypeTable::Record(_) | TypeTable::Union(_) => None,
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
                TypeKind::Record(_) | TypeKind::Union(_) => Repr::U8,
            },
            _ => Repr::U8,
        }
    }

    pub fn field_name(&self, record: TypeId, field: usize) -> &str {
        &self.schema.record(record).fields[field].name
    }
}

/// A type whose values have names.
pub enum Enumeration<'a> {
    Enum(&'a EnumTable),
    Flags(&'a FlagsTable),
}

fn record_table(tables: &Tables, id: TypeId, places: &[Option<&Slot>]) -> RecordTable {
    let record = tables.schema.record(id);
    let missing = record.fields.iter().zip(places).map(|(field, place)| missing(tables, field, *place));
    RecordTable {
        members: record.fields.iter().map(member).collect(),
        missing: missing.collect(),
        key_fields: record.key_fields(),
        ..RecordTable::default()
    }
}

fn run_table(step: &Step) -> RunTable {
    let Step::Run(run) = step else { return RunTable::default() };
    let risky = (0..).zip(&run.slots).filter(|(_, slot)| is_risky(slot)).map(|(index, _)| index).collect();
    RunTable { surcharge: surcharge_within(&run.slots, u64::MAX), risky }
}

/// Whether a slot whose bytes are there says more than its value, or may be no value.
fn is_risky(slot: &Slot) -> bool {
    match &slot.kind {
        SlotKind::Scalar(scalar) => scalar.repr == Repr::Decimal,
        SlotKind::Chars { ty } => matches!(ty, Type::Chars { encoding: Encoding::Utf8, .. }),
        SlotKind::Array { element, .. } => is_risky(element),
        SlotKind::Nest { slots, .. } => slots.iter().any(is_risky),
        SlotKind::Constant { .. } | SlotKind::Ignored { .. } => false,
        SlotKind::Register(_)
        | SlotKind::Link(_)
        | SlotKind::Presence(_)
        | SlotKind::Pointer { .. }
        | SlotKind::Choice { .. } => true,
    }
}

fn passed(layout: &Layout, runs: &[RunTable]) -> Option<Passed> {
    let ([Step::Run(run)], [table]) = (&*layout.steps, runs) else { return None };
    let is_known = table.risky.is_empty() && matches!(run.extent, Extent::Acting | Extent::Exact);
    is_known.then(|| Passed {
        size: run.size.into(),
        acting: matches!(run.extent, Extent::Acting),
        surcharge: table.surcharge,
    })
}

fn union_table(tables: &Tables, id: TypeId, places: &[Option<&Slot>]) -> UnionTable {
    let arms = &tables.schema.union(id).arms;
    UnionTable {
        members: arms.iter().map(|arm| member(&arm.field)).collect(),
        missing: arms.iter().zip(places).map(|(arm, place)| missing(tables, &arm.field, *place)).collect(),
        discriminator: tables.schema.union(id).discriminator.as_ref().map(|discriminator| DiscriminatorTable {
            key: key(&discriminator.name),
            values: arms.iter().map(|arm| quoted(arm.field.json_name())).collect(),
            value_key: discriminator.value_name.as_deref().map(key),
        }),
    }
}

/// Whether reading a record's JSON takes more than finding its fields by their names.
fn is_shaped(tables: &Tables, id: TypeId) -> bool {
    let fields = tables.schema.record(id).fields.iter().zip(&tables.record(id).members);
    fields.into_iter().any(|(field, member)| {
        member.flatten.is_some()
            || match &field.ty {
                Type::Named(union) if field.name.is_empty() => tables.union(*union).shaped(),
                _ => false,
            }
    })
}

fn member(field: &Field) -> MemberTable {
    MemberTable {
        key: key(field.json_name()),
        flatten: field.json.flatten.as_deref().map(Box::from),
        bytes: field.json.bytes,
    }
}

/// `,"name":`
fn key(name: &str) -> Box<[u8]> {
    [b",", &*quoted(name), b":"].concat().into()
}

/// The value of a field that lies beyond the end of the bytes.
fn missing(tables: &Tables, field: &Field, place: Option<&Slot>) -> Value {
    match place.map(|slot| (slot.missing, &slot.kind)) {
        Some((_, SlotKind::Pointer { .. })) => Value::Null,
        Some((Missing::Null, kind)) if !matches!(kind, SlotKind::Constant { .. }) => Value::Null,
        // All of its fields are missing in turn.
        Some((Missing::Default, SlotKind::Nest { .. })) => Value::Record(Box::default()),
        Some((_, SlotKind::Choice { union, arms })) => {
            let first = arms.iter().find(|arm| arm.tag == 0).and_then(|arm| Some((arm, arm.slot.field?)));
            let value = first.map(|(arm, index)| {
                missing(tables, &tables.schema.union(*union).arms[index as usize].field, Some(&arm.slot))
            });
            Value::Choice(0, Box::new(value.unwrap_or(Value::Null)))
        }
        _ => Value::from_literal(&default_of_field(&tables.schema, field), &field.ty, tables),
    }
}

fn enum_table(definition: &Enum) -> EnumTable {
    let mut names: Vec<(i128, Box<[u8]>)> = Vec::new();
    for value in &definition.values {
        if names.iter().all(|(known, _)| *known != value.value) {
            names.push((value.value, quoted(value.json_name())));
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
    let _ = crate::json_text::write_text(&mut out, name.as_bytes(), Encoding::Utf8);
    out.into()
}
