//! The fixed parts of messages, side by side as they lie on the wire: a table a record, a row a run of bytes. No value is made: whoever
//! knows the places of the fields, as NumPy does, reads them in the rows.

use aldis_interpreter::{Codec, Datum, Fault, Sink, Tables, Taken, Value};
use aldis_plan::{ByteOrder, Extent, Missing, NullValue, Plan, Repr, Run, Slot, SlotKind, Step};
use aldis_schema::{Encoding, Type, TypeId, TypeKind};
use std::ops::Range;

/// A field in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowField {
    /// The names on the way to it, with points between: `price.mantissa`.
    pub name: String,
    pub at: u32,
    /// Its bytes, or those of one of its elements.
    pub width: u32,
    pub kind: RowKind,
    /// How many elements an array has.
    pub count: Option<u32>,
    pub null: Option<NullValue>,
}

/// How the bytes of a field in a row are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKind {
    Signed,
    Unsigned,
    Float,
    /// Text of one octet a character, padded with NUL.
    Chars,
    /// Bytes as they are on the wire.
    Octets,
}

/// The rows of a record.
#[derive(Debug)]
pub struct RowTable {
    /// The fields from the message to the record, with points between; empty for the message itself.
    pub path: String,
    pub fields: Vec<RowField>,
    /// The bytes of a row.
    pub width: usize,
    pub bytes: Vec<u8>,
    /// The number of rows: rows may have no bytes.
    pub rows: usize,
    /// For each row the row that it is part of, in the table of what the record is in.
    pub parents: Vec<u32>,
    runs: Vec<Place>,
    /// The values that lie in the runs themselves.
    slots: Vec<Place>,
    /// The table of each field that is a list of records.
    children: Vec<(usize, usize)>,
    /// A row whose bytes are not there.
    blank: Vec<u8>,
}

/// Where a run, or a value in it, lies in a row.
#[derive(Debug)]
struct Place {
    /// The field that the value is, or the run's first.
    field: u32,
    at: usize,
    size: usize,
}

/// The rows of one message and of the lists of records in it.
#[derive(Debug)]
pub struct Rows {
    message: usize,
    pub tables: Vec<RowTable>,
    open: Vec<Open>,
}

/// A record that is open.
#[derive(Debug)]
struct Open {
    /// Its table; none where it is no row.
    table: Option<usize>,
    /// The field that goes on behind it.
    field: Option<usize>,
}

impl Rows {
    /// Whether a form has rows: not where records are sections behind pointers.
    pub fn are_in(plan: &Plan) -> bool {
        let has_sections =
            |step: &Step| matches!(step, Step::Run(run) if matches!(run.extent, Extent::Sections { .. }));
        !plan.layouts.iter().flatten().any(|layout| layout.steps.iter().any(has_sections))
    }

    /// For a message of the codec's, which is to be given each time. Its form [has rows](Self::are_in).
    pub fn new(codec: &Codec, message: usize) -> Self {
        let mut tables = Vec::new();
        add(codec, codec.plan().messages[message].record, String::new(), &mut Vec::new(), &mut tables);
        Self { message, tables, open: Vec::new() }
    }

    /// Adds the rows of a message, and says how many bytes the message takes.
    ///
    /// # Errors
    /// As [`Codec::decode`] with strict text. There are no new rows then.
    pub fn push(&mut self, codec: &Codec, bytes: &[u8]) -> Result<usize, Fault> {
        let before: Vec<usize> = self.tables.iter().map(|table| table.rows).collect();
        self.open.clear();
        let sink = RowSink { tables: &mut self.tables, open: &mut self.open, bytes, field: None, start: None };
        let (_, result) = codec.walk(self.message, bytes, sink);
        result.map_err(|fault| {
            for (table, rows) in self.tables.iter_mut().zip(before) {
                table.truncate(rows);
            }
            codec.in_input(fault)
        })
    }
}

impl RowTable {
    fn truncate(&mut self, rows: usize) {
        self.rows = rows;
        self.bytes.truncate(rows * self.width);
        self.parents.truncate(rows);
    }

    fn child(&self, field: usize) -> Option<usize> {
        self.children.iter().find(|(own, _)| *own == field).map(|(_, child)| *child)
    }
}

/// Adds the table of a record, and those of the lists of records in it. A record that is part of itself has no table there.
fn add(codec: &Codec, record: TypeId, path: String, within: &mut Vec<TypeId>, tables: &mut Vec<RowTable>) -> usize {
    let (plan, own) = (codec.plan(), tables.len());
    let (mut fields, mut runs, mut slots, mut width) = (Vec::new(), Vec::new(), Vec::new(), 0);
    let mut blank = Vec::new();
    for step in &plan.layout(record).steps {
        let Step::Run(run) = step else { continue };
        blank.resize(width + run.size as usize, 0);
        let mut naming = Naming { codec, base: width as u32, fields: &mut fields, blank: &mut blank };
        naming.slots(record, &run.slots, "");
        if let Some(field) = run.slots.iter().find_map(|slot| slot.field) {
            runs.push(Place { field, at: width, size: run.size as usize });
        }
        for slot in run.slots.iter().filter(|slot| is_inline(slot)) {
            let place = |field| Place { field, at: width + slot.at as usize, size: slot.width as usize };
            slots.extend(slot.field.map(place));
        }
        width += run.size as usize;
    }
    let (bytes, parents, children) = (Vec::new(), Vec::new(), Vec::new());
    tables.push(RowTable { path: path.clone(), fields, width, bytes, rows: 0, parents, runs, slots, children, blank });
    within.push(record);
    let schema = &plan.schema;
    for (index, field) in schema.record(record).fields.iter().enumerate() {
        let Type::List(element) = field.ty.required() else { continue };
        let Type::Named(inner) = **element else { continue };
        if matches!(schema.type_def(inner).kind, TypeKind::Record(_)) && !within.contains(&inner) {
            let path = if path.is_empty() { field.name.clone() } else { format!("{path}.{}", field.name) };
            let child = add(codec, inner, path, within, tables);
            tables[own].children.push((index, child));
        }
    }
    within.pop();
    own
}

/// Gathers the fields of runs.
struct Naming<'a> {
    codec: &'a Codec,
    base: u32,
    fields: &'a mut Vec<RowField>,
    blank: &'a mut [u8],
}

impl Naming<'_> {
    fn slots(&mut self, record: TypeId, slots: &[Slot], path: &str) {
        for slot in slots {
            let Some(index) = slot.field else { continue };
            let name = format!("{path}{}", self.codec.plan().schema.record(record).fields[index as usize].name);
            match &slot.kind {
                SlotKind::Nest { record: inner, slots } => self.slots(*inner, slots, &format!("{name}.")),
                SlotKind::Array { count, element } => {
                    let (kind, null) = kind(element).unwrap_or((RowKind::Octets, None));
                    let (at, width) = (self.base + slot.at, element.width);
                    self.fields.push(RowField { name, at, width, kind, count: Some(*count), null });
                }
                _ => {
                    if let Some((kind, null)) = kind(slot) {
                        self.blank(record, slot, index as usize);
                        let (at, width) = (self.base + slot.at, slot.width);
                        self.fields.push(RowField { name, at, width, kind, count: None, null });
                    }
                }
            }
        }
    }

    /// Puts the number of a field whose bytes are not there into the blank row: its null, or its default.
    fn blank(&mut self, record: TypeId, slot: &Slot, field: usize) {
        let SlotKind::Scalar(scalar) = &slot.kind else { return };
        let null = scalar.null.or(scalar.absent).map(|null| match null {
            NullValue::Bits(bits) | NullValue::Nan(bits) => bits,
        });
        let default = || match self.codec.missing(record, field) {
            Value::Bool(value) => u64::from(*value),
            Value::Int(value) => *value as u64,
            Value::UInt(value) => *value,
            Value::F32(value) => u64::from(value.to_bits()),
            Value::F64(value) => value.to_bits(),
            _ => 0,
        };
        let number = if slot.missing == Missing::Null { null.unwrap_or(0) } else { default() };
        let (at, width) = ((self.base + slot.at) as usize, slot.width as usize);
        let Some(place) = self.blank.get_mut(at..at + width).filter(|place| place.len() <= 8) else { return };
        match self.codec.plan().byte_order {
            ByteOrder::Little => place.copy_from_slice(&number.to_le_bytes()[..width]),
            ByteOrder::Big => place.copy_from_slice(&number.to_be_bytes()[8 - width..]),
        }
    }
}

/// How a slot's bytes are to be read, where they are a value by themselves.
fn kind(slot: &Slot) -> Option<(RowKind, Option<NullValue>)> {
    match &slot.kind {
        SlotKind::Scalar(scalar) => {
            let kind = match scalar.repr {
                Repr::Bit(_) => return None,
                Repr::I8 | Repr::I16 | Repr::I32 | Repr::I64 => RowKind::Signed,
                Repr::F32 | Repr::F64 => RowKind::Float,
                Repr::Decimal | Repr::Uuid => RowKind::Octets,
                Repr::Bool | Repr::U8 | Repr::U16 | Repr::U32 | Repr::U64 => RowKind::Unsigned,
            };
            Some((kind, scalar.null))
        }
        SlotKind::Chars { .. } => Some((RowKind::Chars, None)),
        _ => None,
    }
}

/// Whether the value is in the slot itself.
fn is_inline(slot: &Slot) -> bool {
    use SlotKind::{Array, Chars, Nest, Scalar};
    match &slot.kind {
        Array { element, .. } => is_inline(element),
        Nest { slots, .. } => {
            slots.iter().all(|slot| is_inline(slot) || matches!(slot.kind, SlotKind::Constant { .. }))
        }
        kind => matches!(kind, Scalar(_) | Chars { .. }),
    }
}

/// Whether nothing can be wrong in a slot.
fn is_safe(slot: &Slot) -> bool {
    match &slot.kind {
        SlotKind::Scalar(scalar) => scalar.repr != Repr::Decimal,
        SlotKind::Chars { ty } => matches!(ty, Type::Chars { encoding: Encoding::Latin1, .. }),
        SlotKind::Array { element, .. } => is_safe(element),
        SlotKind::Nest { slots, .. } => slots.iter().all(is_safe),
        SlotKind::Constant { .. } | SlotKind::Ignored { .. } => true,
        _ => false,
    }
}

struct RowSink<'r> {
    tables: &'r mut [RowTable],
    open: &'r mut Vec<Open>,
    bytes: &'r [u8],
    /// The field of the row that is open.
    field: Option<usize>,
    /// Where the field begins in the message, once something came of it.
    start: Option<usize>,
}

impl RowSink<'_> {
    /// The table that a record goes into which comes now, and the row that it is part of.
    fn next(&self) -> Option<(usize, usize)> {
        let Some(top) = self.open.last() else { return Some((0, 0)) };
        let table = &self.tables[top.table?];
        Some((table.child(self.field?)?, table.rows - 1))
    }
}

impl Sink for RowSink<'_> {
    const SORTED: bool = false;

    fn begin_record(&mut self, _record: TypeId, at: usize) {
        let next = self.next();
        self.open.push(Open { table: next.map(|(own, _)| own), field: self.field });
        if let Some((own, parent)) = next {
            let table = &mut self.tables[own];
            table.bytes.extend_from_slice(&table.blank);
            table.parents.push(parent as u32);
            table.rows += 1;
            self.field = None;
        } else {
            self.start.get_or_insert(at);
        }
    }

    fn end_record(&mut self, _record: TypeId, _end: usize) {
        if let Some(Open { field, .. }) = self.open.pop() {
            self.field = field;
        }
    }

    fn field(&mut self, _tables: &Tables, _record: TypeId, field: usize) {
        if let Some(Open { table: Some(_), .. }) = self.open.last() {
            (self.field, self.start) = (Some(field), None);
        }
    }

    fn begin_list(&mut self, _count: usize, at: usize) {
        self.start.get_or_insert(at);
    }

    fn element(&mut self, _index: usize) {}

    fn end_list(&mut self, _end: usize) {}

    fn begin_choice(&mut self, _: &Tables, _: TypeId, _: u64, _: Option<usize>, _: Range<usize>) {}

    fn end_choice(&mut self, _tables: &Tables, _union: TypeId) {}

    /// Puts the bytes of one value into the row, where the run is not there as a whole.
    fn value(&mut self, _: &Tables, _ty: &Type, _datum: Datum<'_>, at: Range<usize>) -> Result<(), Fault> {
        let start = *self.start.get_or_insert(at.start);
        let row = self.open.iter().rev().find_map(|open| open.table);
        let (Some(row), Some(field), Some(offset)) = (row, self.field, at.start.checked_sub(start)) else {
            return Ok(());
        };
        let table = &mut self.tables[row];
        let Some(place) = table.slots.iter().find(|place| place.field == field as u32) else { return Ok(()) };
        if let Some(found) = self.bytes.get(at).filter(|found| offset + found.len() <= place.size) {
            let begin = (table.rows - 1) * table.width + place.at + offset;
            table.bytes[begin..begin + found.len()].copy_from_slice(found);
        }
        Ok(())
    }

    fn tree(&mut self, _: &Tables, _ty: &Type, _value: &Value, _at: usize) -> Result<(), Fault> {
        Ok(())
    }

    fn missing(&mut self, _: &Tables, _record: TypeId, _field: usize, _at: usize) -> Result<(), Fault> {
        Ok(())
    }

    fn takes(slot: &Slot) -> bool {
        is_safe(slot)
    }

    fn fixed(&mut self, _record: TypeId, run: &Run, bytes: &[u8]) -> Taken {
        let Some(Open { table: Some(top), .. }) = self.open.last() else { return Taken::Nothing };
        let table = &mut self.tables[*top];
        let first = run.slots.iter().find_map(|slot| slot.field);
        let Some(place) = first.and_then(|first| table.runs.iter().find(|run| run.field == first)) else {
            return Taken::Nothing;
        };
        let begin = (table.rows - 1) * table.width + place.at;
        let size = place.size;
        table.bytes[begin..begin + size].copy_from_slice(&bytes[..size]);
        if run.slots.iter().all(is_safe) {
            Taken::All
        } else {
            Taken::Some
        }
    }

    fn records(&mut self, _record: TypeId, run: &Run, bytes: &[u8], stride: usize) -> bool {
        let Some((own, parent)) = self.next().filter(|_| !self.open.is_empty()) else { return false };
        let table = &mut self.tables[own];
        if table.width != run.size as usize || stride < table.width || !run.slots.iter().all(is_safe) {
            return false;
        }
        for element in bytes.chunks_exact(stride) {
            table.bytes.extend_from_slice(&element[..table.width]);
        }
        let count = bytes.len() / stride;
        table.rows += count;
        table.parents.resize(table.rows, parent as u32);
        true
    }
}
