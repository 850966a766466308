//! The values of columns while they are gathered: plain vectors, which become Arrow's arrays without being copied.

use crate::names::Names;
use aldis_plan::ByteOrder;
use aldis_schema::{Encoding, Type};
use arrow_array::{make_array, ArrayRef};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer};
use arrow_data::ArrayData;
use arrow_schema::{ArrowError, DataType, Field};
use std::sync::Arc;

/// A column by its number in the store.
pub(crate) type Id = usize;

/// Takes what is put into it and keeps nothing: the exponents of decimals.
pub(crate) const HOLE: Id = 0;

/// The way in which a column understands what is put into it.
#[derive(Debug)]
pub(crate) enum Kind {
    Hole,
    /// The low bits of a number as they are.
    Plain,
    /// Nanoseconds or other units since 1970, which Arrow counts with a sign.
    Time,
    /// A number that is not 0 is true.
    Bool,
    /// True where it is there, since there is nothing else to know: values without bytes, and records without fields.
    Unit,
    /// A character of one byte.
    Char,
    Text(Encoding),
    Bytes,
    /// The 16 bytes of a uuid.
    Uuid,
    /// The text of a decimal, as its scale is its own.
    DecimalText,
    /// A decimal of that scale.
    Decimal(u8),
    /// A record of a mantissa, which is the field of that index, and a constant exponent.
    Scaled {
        mantissa: usize,
        signed: bool,
    },
    /// A number with a name.
    Enum(Names),
    /// A list of the names of bits, in the child.
    Flags {
        bits: Vec<u64>,
        child: Id,
    },
    /// Fields by their index in the record.
    Record {
        fields: Vec<Id>,
    },
    /// A union: its tag, and its arms by their index.
    Choice {
        tag: Id,
        arms: Vec<Id>,
    },
    List(Id),
    /// The keys and the values of a map, which lie in the struct.
    Map {
        entries: Id,
        key: Id,
        value: Id,
    },
    /// JSON, where a type is part of itself.
    Json,
}

/// The values that were put into a column.
#[derive(Debug)]
pub(crate) enum Values {
    Bits(Vec<u8>),
    W1(Vec<u8>),
    W2(Vec<u16>),
    W4(Vec<u32>),
    W8(Vec<u64>),
    W16(Vec<i128>),
    /// The end of each value, behind a zero, and all values in a row.
    Bytes {
        ends: Vec<i32>,
        bytes: Vec<u8>,
    },
    /// The end of each list, behind a zero.
    Lists(Vec<i32>),
    /// How many structs there are.
    Structs(usize),
}

#[derive(Debug)]
pub(crate) struct Column {
    pub name: String,
    /// The names of the fields that lead to it.
    pub path: String,
    pub ty: Type,
    pub kind: Kind,
    pub data: DataType,
    pub values: Values,
    /// The values that are no nulls; empty as long as all are.
    valid: Vec<bool>,
}

/// All columns of a table, those within others too.
#[derive(Debug, Default)]
pub(crate) struct Store(pub Vec<Column>);

impl Values {
    /// For values of a type.
    fn of(data: &DataType) -> Self {
        match data {
            DataType::Boolean => Values::Bits(Vec::new()),
            DataType::Int8 | DataType::UInt8 => Values::W1(Vec::new()),
            DataType::Int16 | DataType::UInt16 => Values::W2(Vec::new()),
            DataType::Int32 | DataType::UInt32 | DataType::Float32 | DataType::Date32 | DataType::Dictionary(..) => {
                Values::W4(Vec::new())
            }
            DataType::Decimal128(..) | DataType::FixedSizeBinary(_) => Values::W16(Vec::new()),
            DataType::Utf8 | DataType::Binary => Values::Bytes { ends: vec![0], bytes: Vec::new() },
            DataType::List(_) | DataType::Map(..) => Values::Lists(vec![0]),
            DataType::Struct(_) => Values::Structs(0),
            _ => Values::W8(Vec::new()),
        }
    }

    fn len(&self) -> usize {
        match self {
            Values::Bits(values) | Values::W1(values) => values.len(),
            Values::W2(values) => values.len(),
            Values::W4(values) => values.len(),
            Values::W8(values) => values.len(),
            Values::W16(values) => values.len(),
            Values::Bytes { ends, .. } | Values::Lists(ends) => ends.len() - 1,
            Values::Structs(count) => *count,
        }
    }

    #[inline(always)]
    fn push(&mut self, bits: u64) {
        match self {
            Values::Bits(values) | Values::W1(values) => values.push(bits as u8),
            Values::W2(values) => values.push(bits as u16),
            Values::W4(values) => values.push(bits as u32),
            Values::W8(values) => values.push(bits),
            Values::W16(values) => values.push(i128::from(bits as i64)),
            Values::Bytes { ends, .. } | Values::Lists(ends) => ends.push(last(ends)),
            Values::Structs(count) => *count += 1,
        }
    }

    /// The width of numbers.
    pub fn width(&self) -> Option<u8> {
        match self {
            Values::W1(_) => Some(1),
            Values::W2(_) => Some(2),
            Values::W4(_) => Some(4),
            Values::W8(_) => Some(8),
            _ => None,
        }
    }

    /// Empty ones, with room for as many, as batches are alike.
    fn emptied(&self) -> Self {
        match self {
            Values::Bits(values) => Values::Bits(Vec::with_capacity(values.len())),
            Values::W1(values) => Values::W1(Vec::with_capacity(values.len())),
            Values::W2(values) => Values::W2(Vec::with_capacity(values.len())),
            Values::W4(values) => Values::W4(Vec::with_capacity(values.len())),
            Values::W8(values) => Values::W8(Vec::with_capacity(values.len())),
            Values::W16(values) => Values::W16(Vec::with_capacity(values.len())),
            Values::Bytes { ends, bytes } => {
                Values::Bytes { ends: emptied_ends(ends), bytes: Vec::with_capacity(bytes.len()) }
            }
            Values::Lists(ends) => Values::Lists(emptied_ends(ends)),
            Values::Structs(_) => Values::Structs(0),
        }
    }

    fn truncate(&mut self, len: usize) {
        match self {
            Values::Bits(values) | Values::W1(values) => values.truncate(len),
            Values::W2(values) => values.truncate(len),
            Values::W4(values) => values.truncate(len),
            Values::W8(values) => values.truncate(len),
            Values::W16(values) => values.truncate(len),
            Values::Bytes { ends, bytes } => {
                ends.truncate(len + 1);
                bytes.truncate(last(ends) as usize);
            }
            Values::Lists(ends) => ends.truncate(len + 1),
            Values::Structs(count) => *count = len.min(*count),
        }
    }

    /// How many bytes the values take.
    pub fn size(&self) -> usize {
        match self {
            Values::Bits(values) | Values::W1(values) => values.len(),
            Values::W2(values) => 2 * values.len(),
            Values::W4(values) => 4 * values.len(),
            Values::W8(values) => 8 * values.len(),
            Values::W16(values) => 16 * values.len(),
            Values::Bytes { ends, bytes } => 4 * ends.len() + bytes.len(),
            Values::Lists(ends) => 4 * ends.len(),
            Values::Structs(_) => 0,
        }
    }
}

fn emptied_ends(ends: &[i32]) -> Vec<i32> {
    let mut emptied = Vec::with_capacity(ends.len());
    emptied.push(0);
    emptied
}

/// The number in the first bytes.
#[inline(always)]
pub(crate) fn load(bytes: &[u8], width: u8, order: ByteOrder) -> u64 {
    let little = order == ByteOrder::Little;
    match (width, bytes) {
        (1, [a, ..]) => u64::from(*a),
        (2, [a, b, ..]) if little => u64::from(u16::from_le_bytes([*a, *b])),
        (2, [a, b, ..]) => u64::from(u16::from_be_bytes([*a, *b])),
        (4, [a, b, c, d, ..]) if little => u64::from(u32::from_le_bytes([*a, *b, *c, *d])),
        (4, [a, b, c, d, ..]) => u64::from(u32::from_be_bytes([*a, *b, *c, *d])),
        (_, [a, b, c, d, e, f, g, h, ..]) if little => u64::from_le_bytes([*a, *b, *c, *d, *e, *f, *g, *h]),
        (_, [a, b, c, d, e, f, g, h, ..]) => u64::from_be_bytes([*a, *b, *c, *d, *e, *f, *g, *h]),
        _ => 0,
    }
}

/// The last of ends, of which there is always one.
fn last(ends: &[i32]) -> i32 {
    ends.last().copied().unwrap_or(0)
}

impl Column {
    pub fn new(name: impl Into<String>, ty: Type, kind: Kind, data: DataType) -> Self {
        let values = Values::of(&data);
        Self { name: name.into(), path: String::new(), ty, kind, data, values, valid: Vec::new() }
    }

    pub fn field(&self) -> Field {
        let field = Field::new(&self.name, self.data.clone(), true);
        match self.data {
            DataType::FixedSizeBinary(16) => {
                field.with_metadata([("ARROW:extension:name".to_owned(), "arrow.uuid".to_owned())])
            }
            _ => field,
        }
    }

    /// A number of the column's width, or an empty list, text or struct.
    #[inline(always)]
    pub fn push(&mut self, bits: u64) {
        self.values.push(bits);
        if !self.valid.is_empty() {
            self.valid.push(true);
        }
    }

    /// The number of the column's width in the first bytes.
    #[inline(always)]
    pub fn push_stored(&mut self, bytes: &[u8], order: ByteOrder) {
        match &mut self.values {
            Values::W1(values) => values.push(load(bytes, 1, order) as u8),
            Values::W2(values) => values.push(load(bytes, 2, order) as u16),
            Values::W4(values) => values.push(load(bytes, 4, order) as u32),
            Values::W8(values) => values.push(load(bytes, 8, order)),
            _ => {}
        }
        if !self.valid.is_empty() {
            self.valid.push(true);
        }
    }

    /// So many structs.
    pub fn push_structs(&mut self, count: usize) {
        if let Values::Structs(structs) = &mut self.values {
            *structs += count;
            if !self.valid.is_empty() {
                self.valid.resize(*structs, true);
            }
        }
    }

    /// The ends of lists.
    pub fn push_ends(&mut self, lists: impl ExactSizeIterator<Item = usize>) {
        // They are no more than the columns in the list have values, which is far below what 32 bits can be.
        if let Values::Lists(ends) = &mut self.values {
            ends.extend(lists.map(|end| end as i32));
        }
    }

    /// Says of the last values whether they are no nulls.
    pub fn mark(&mut self, valid: impl ExactSizeIterator<Item = bool> + Clone) {
        if self.valid.is_empty() {
            if valid.clone().all(|valid| valid) {
                return;
            }
            self.valid.resize(self.values.len() - valid.len(), true);
        }
        self.valid.extend(valid);
    }

    pub fn push_wide(&mut self, number: i128) {
        if let Values::W16(values) = &mut self.values {
            values.push(number);
            if !self.valid.is_empty() {
                self.valid.push(true);
            }
        }
    }

    /// Text or bytes. False where they are more than a batch can have.
    #[inline]
    pub fn push_bytes(&mut self, value: &[u8]) -> bool {
        let Values::Bytes { ends, bytes } = &mut self.values else { return true };
        let Ok(end) = i32::try_from(bytes.len() + value.len()) else { return false };
        bytes.extend_from_slice(value);
        ends.push(end);
        if !self.valid.is_empty() {
            self.valid.push(true);
        }
        true
    }

    /// Text of characters of one byte, in UTF-8.
    pub fn push_latin1(&mut self, value: &[u8]) -> bool {
        if value.is_ascii() {
            return self.push_bytes(value);
        }
        let text: String = value.iter().map(|byte| char::from(*byte)).collect();
        self.push_bytes(text.as_bytes())
    }

    #[inline(always)]
    pub fn push_null(&mut self) {
        if self.valid.is_empty() {
            self.first_null();
        }
        self.values.push(0);
        self.valid.push(false);
    }

    #[cold]
    fn first_null(&mut self) {
        self.valid.resize(self.values.len(), true);
    }

    fn nulls(&mut self) -> Option<NullBuffer> {
        let nulls = (!self.valid.is_empty()).then(|| NullBuffer::from(BooleanBuffer::from(&*self.valid)));
        self.valid.clear();
        nulls
    }
}

impl Store {
    pub fn add(&mut self, column: Column) -> Id {
        self.0.push(column);
        self.0.len() - 1
    }

    pub fn len(&self, id: Id) -> usize {
        self.0[id].values.len()
    }

    /// A null in the column, and in those of which its values are made.
    pub fn null(&mut self, id: Id) {
        if let Kind::Hole = self.0[id].kind {
            return;
        }
        self.0[id].push_null();
        match &self.0[id].kind {
            Kind::Record { fields } => {
                for index in 0..fields.len() {
                    let Kind::Record { fields } = &self.0[id].kind else { return };
                    self.null(fields[index]);
                }
            }
            Kind::Choice { tag, arms } => {
                let all: Vec<Id> = arms.iter().copied().chain([*tag]).collect();
                all.into_iter().for_each(|child| self.null(child));
            }
            _ => {}
        }
    }

    /// The list's elements up to here are its last value. False where there are more than a batch can have.
    pub fn end_list(&mut self, id: Id, elements: Id) -> bool {
        let Ok(end) = i32::try_from(self.len(elements)) else { return false };
        let column = &mut self.0[id];
        if let Values::Lists(ends) = &mut column.values {
            ends.push(end);
            if !column.valid.is_empty() {
                column.valid.push(true);
            }
        }
        true
    }

    /// The columns directly in a column.
    fn children(&self, id: Id) -> Vec<Id> {
        match &self.0[id].kind {
            Kind::Record { fields } => fields.clone(),
            Kind::Choice { tag, arms } => [*tag].into_iter().chain(arms.iter().copied()).collect(),
            Kind::List(child) | Kind::Flags { child, .. } => vec![*child],
            Kind::Map { entries, .. } => vec![*entries],
            _ => Vec::new(),
        }
    }

    /// Takes away all values from the one of that number on.
    pub fn truncate(&mut self, id: Id, len: usize) {
        let column = &mut self.0[id];
        column.values.truncate(len);
        column.valid.truncate(len);
        let inner = match &column.values {
            Values::Lists(ends) => last(ends) as usize,
            _ => len,
        };
        for child in self.children(id) {
            self.truncate(child, inner);
        }
    }

    /// About how many bytes the values take.
    pub fn size(&self) -> usize {
        self.0.iter().map(|column| column.values.size() + column.valid.len()).sum()
    }

    /// The values as an array; the column is empty then.
    ///
    /// # Errors
    /// Those of Arrow, whose checks the values pass.
    pub fn take(&mut self, id: Id) -> Result<ArrayRef, ArrowError> {
        let children = self.children(id);
        let children: Vec<ArrayData> =
            children.into_iter().map(|child| Ok(self.take(child)?.to_data())).collect::<Result<_, ArrowError>>()?;
        let column = &mut self.0[id];
        let len = column.values.len();
        let nulls = column.nulls();
        let empty = column.values.emptied();
        let buffers = match std::mem::replace(&mut column.values, empty) {
            Values::Bits(values) => {
                vec![BooleanBuffer::collect_bool(len, |index| values[index] != 0).into_inner()]
            }
            Values::W1(values) => vec![Buffer::from_vec(values)],
            Values::W2(values) => vec![Buffer::from_vec(values)],
            Values::W4(values) => vec![Buffer::from_vec(values)],
            Values::W8(values) => vec![Buffer::from_vec(values)],
            Values::W16(values) => vec![Buffer::from_vec(values)],
            Values::Bytes { ends, bytes } => vec![Buffer::from_vec(ends), Buffer::from_vec(bytes)],
            Values::Lists(ends) => vec![Buffer::from_vec(ends)],
            Values::Structs(_) => Vec::new(),
        };
        let children = match &mut column.kind {
            Kind::Enum(names) => vec![names.array().to_data()],
            _ => children,
        };
        let data = ArrayData::builder(column.data.clone()).len(len).nulls(nulls).buffers(buffers);
        Ok(make_array(data.child_data(children).build()?))
    }
}

/// The type of dictionaries of names.
pub(crate) fn dictionary() -> DataType {
    DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
}

/// A list of values of a column.
pub(crate) fn list_of(item: &DataType) -> DataType {
    DataType::List(Arc::new(Field::new("item", item.clone(), true)))
}
