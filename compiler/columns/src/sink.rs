//! The events of a walk, put into columns.

use crate::program::{is_taken, takes, Op, Programs, What};
use crate::store::{load, Id, Kind, Store, HOLE};
use aldis_interpreter::{Code, Codec, Datum, Fault, Sink, Tables, Taken, Value, ValueSink};
use aldis_plan::{ByteOrder, NullValue, Repr, Run, Scalar, Slot};
use aldis_schema::{Decimal, Encoding, Type, TypeId};
use std::ops::Range;

/// Puts one message into columns. What columns cannot hold is a fault at the end of the walk, so that faults of the bytes come
/// first.
pub(crate) struct ColumnSink<'c> {
    pub store: &'c mut Store,
    pub programs: &'c Programs,
    pub codec: &'c Codec,
    /// The columns of the records, unions and lists that are open.
    pub open: &'c mut Vec<Id>,
    /// The column of the value to come.
    pub current: Id,
    /// The value of a column of JSON that is being gathered, and how many of its records, unions and lists are open.
    pub nested: Option<(ValueSink, usize)>,
    pub refused: Option<Fault>,
}

impl ColumnSink<'_> {
    #[cold]
    fn refuse(&mut self, id: Id, code: Code, text: &str) {
        let path = &self.store.0[id].path;
        self.refused.get_or_insert_with(|| Fault::new(code, text).in_field(path));
    }

    /// A number, its sign spread over all bits.
    #[inline(always)]
    fn number(&mut self, id: Id, bits: u64) {
        let column = &mut self.store.0[id];
        match &mut column.kind {
            Kind::Plain => column.push(bits),
            Kind::Bool => column.push(u64::from(bits != 0)),
            Kind::Enum(names) => match names.place(bits as i64) {
                Some(place) => column.push(u64::from(place)),
                None => self.refuse(
                    id,
                    Code::OutOfRange,
                    "too many numbers without a name: say --enums numbers, or --sets integers for flags",
                ),
            },
            _ => self.other_number(id, bits),
        }
    }

    fn other_number(&mut self, id: Id, bits: u64) {
        let column = &mut self.store.0[id];
        match column.kind {
            Kind::Time if bits > i64::MAX as u64 => {
                self.refuse(
                    id,
                    Code::OutOfRange,
                    "a time beyond what 64 bits with a sign can be: say --times integers",
                );
            }
            Kind::Time => column.push(bits),
            Kind::Char => drop(column.push_latin1(&[bits as u8])),
            Kind::Scaled { signed: true, .. } => column.push_wide(i128::from(bits as i64)),
            Kind::Scaled { .. } => column.push_wide(i128::from(bits)),
            Kind::Unit => column.push(1),
            Kind::Flags { .. } => self.flags(id, bits),
            _ => {}
        }
    }

    fn flags(&mut self, id: Id, value: u64) {
        let mut rest = value;
        let Kind::Flags { bits, child } = &self.store.0[id].kind else { return };
        let (count, child) = (bits.len(), *child);
        for index in 0..count {
            let Kind::Flags { bits, .. } = &self.store.0[id].kind else { return };
            let bit = bits[index];
            rest &= !bit;
            if value & bit != 0 {
                self.number(child, bit);
            }
        }
        if rest != 0 {
            self.number(child, rest);
        }
        self.end(id, child);
    }

    fn end(&mut self, id: Id, elements: Id) {
        if !self.store.end_list(id, elements) {
            self.refuse(id, Code::TooLarge, "more elements than a batch of columns can have");
        }
    }

    fn octets(&mut self, id: Id, bytes: &[u8]) {
        let column = &mut self.store.0[id];
        let fits = match column.kind {
            Kind::Text(Encoding::Latin1) => column.push_latin1(bytes),
            Kind::Uuid => {
                column.push_wide(i128::from_ne_bytes(bytes.try_into().unwrap_or_default()));
                true
            }
            Kind::Text(_) if !self.codec.strict_text && std::str::from_utf8(bytes).is_err() => {
                return self.refuse(id, Code::BadText, "the text is not UTF-8");
            }
            _ => column.push_bytes(bytes),
        };
        if !fits {
            self.refuse(id, Code::TooLarge, "more text or bytes than a batch of columns can have");
        }
    }

    fn decimal(&mut self, id: Id, decimal: &Decimal) {
        match self.store.0[id].kind {
            Kind::Decimal(scale) => match rescaled(decimal, scale) {
                Some(number) => self.store.0[id].push_wide(number),
                None => {
                    let text = format!("{decimal} does not fit a decimal of 38 digits, {scale} of them decimals");
                    self.refuse(id, Code::OutOfRange, &text);
                }
            },
            _ => self.octets(id, decimal.to_string().as_bytes()),
        }
    }

    fn null(&mut self, id: Id) {
        match self.store.0[id].kind {
            // A value without bytes is there where it is a null of a type that has no other value.
            Kind::Unit if self.store.0[id].ty == Type::Void => self.store.0[id].push(1),
            _ => self.store.null(id),
        }
    }

    fn datum(&mut self, id: Id, datum: Datum<'_>) {
        match datum {
            Datum::Null => self.null(id),
            Datum::Bool(value) => self.number(id, u64::from(value)),
            Datum::Int(value) => self.number(id, value as u64),
            Datum::UInt(value) => self.number(id, value),
            Datum::F32(value) => self.number(id, u64::from(value.to_bits())),
            Datum::F64(value) => self.number(id, value.to_bits()),
            Datum::Decimal(bytes) => {
                let mut coefficient = [0; 16];
                coefficient[..12].copy_from_slice(&bytes[..12]);
                let coefficient = u128::from_le_bytes(coefficient);
                self.decimal(id, &Decimal { negative: bytes[15] != 0, coefficient, scale: bytes[14] });
            }
            Datum::Uuid(bytes) | Datum::Bytes(bytes) | Datum::Opaque(bytes) => self.octets(id, bytes),
        }
    }

    /// A value that is there as a whole.
    fn put(&mut self, id: Id, value: &Value) {
        if let (Kind::Json, false) = (&self.store.0[id].kind, *value == Value::Null) {
            return self.json(id, value);
        }
        match value {
            Value::Null => self.null(id),
            Value::Bool(value) => self.number(id, u64::from(*value)),
            Value::Int(value) => self.number(id, *value as u64),
            Value::UInt(value) => self.number(id, *value),
            Value::F32(value) => self.number(id, u64::from(value.to_bits())),
            Value::F64(value) => self.number(id, value.to_bits()),
            Value::Decimal(value) => self.decimal(id, value),
            Value::Uuid(bytes) => self.octets(id, bytes),
            Value::Bytes(bytes) | Value::Opaque(bytes) => self.octets(id, bytes),
            Value::Record(fields) => self.put_record(id, fields),
            Value::Choice(tag, arm) => self.put_choice(id, *tag, arm),
            Value::Map(entries) => self.put_map(id, entries),
            Value::List(_) | Value::Packed(_) => {
                let Kind::List(child) = self.store.0[id].kind else { return };
                let element = self.store.0[id].ty.element().clone();
                let codec = self.codec;
                codec.elements(&element, value).iter().for_each(|element| self.put(child, element));
                self.end(id, child);
            }
        }
    }

    fn put_record(&mut self, id: Id, given: &[Value]) {
        let Type::Named(record) = self.store.0[id].ty else { return };
        let codec = self.codec;
        let value = |index: usize| given.get(index).unwrap_or_else(|| codec.missing(record, index));
        match &self.store.0[id].kind {
            Kind::Scaled { mantissa, .. } => self.put(id, value(*mantissa)),
            Kind::Record { fields } => {
                for index in 0..fields.len() {
                    let Kind::Record { fields } = &self.store.0[id].kind else { return };
                    self.put(fields[index], value(index));
                }
                self.store.0[id].push(0);
            }
            _ => self.store.0[id].push(1),
        }
    }

    fn put_choice(&mut self, id: Id, tag: u64, value: &Value) {
        let Type::Named(union) = self.store.0[id].ty else { return };
        let arm = self.codec.plan().schema.union(union).arm_of(tag);
        if let Some(column) = self.choose(id, tag, arm) {
            self.put(column, value);
        }
        self.store.0[id].push(0);
    }

    /// Puts a union's tag, and nulls into all arms but the one; gives its column.
    fn choose(&mut self, id: Id, tag: u64, arm: Option<usize>) -> Option<Id> {
        let Kind::Choice { tag: column, arms } = &self.store.0[id].kind else { return None };
        let (column, count) = (*column, arms.len());
        self.number(column, tag);
        let mut chosen = None;
        for index in 0..count {
            let Kind::Choice { arms, .. } = &self.store.0[id].kind else { break };
            let column = arms[index];
            if arm == Some(index) {
                chosen = Some(column);
            } else {
                self.store.null(column);
            }
        }
        chosen
    }

    fn end_structure(&mut self, id: Id) {
        if id != HOLE {
            self.store.0[id].push(0);
        }
    }

    fn put_map(&mut self, id: Id, pairs: &[(Value, Value)]) {
        let Kind::Map { entries, key, value } = self.store.0[id].kind else { return };
        for (left, right) in pairs {
            self.put(key, left);
            self.put(value, right);
            self.store.0[entries].push(0);
        }
        self.end(id, entries);
    }

    fn json(&mut self, id: Id, value: &Value) {
        let mut text = Vec::new();
        let ty = self.store.0[id].ty.clone();
        match self.codec.json_of(&ty, value, &mut text) {
            Ok(()) => self.octets(id, &text),
            Err(fault) => drop(self.refused.get_or_insert(fault)),
        }
    }

    /// Something with parts begins in a column of JSON, or in one that it lies in.
    fn nest(&mut self) -> Option<&mut ValueSink> {
        if self.nested.is_none() && matches!(self.store.0[self.current].kind, Kind::Json) {
            self.nested = Some((ValueSink::default(), 0));
        }
        let (sink, level) = self.nested.as_mut()?;
        *level += 1;
        Some(sink)
    }

    /// Something with parts has ended in a column of JSON.
    fn unnest(&mut self) {
        let Some((sink, level)) = &mut self.nested else { return };
        *level -= 1;
        if *level == 0 {
            let value = sink.finish();
            self.nested = None;
            self.json(self.current, &value);
        }
    }

    fn close(&mut self) -> Id {
        self.open.pop().unwrap_or(HOLE)
    }

    #[inline(always)]
    fn operate(&mut self, op: &Op, bytes: &[u8], order: ByteOrder) {
        let (id, at) = (op.column as usize, op.at as usize);
        match op.what {
            What::Plain => self.store.0[id].push_stored(&bytes[at..], order),
            What::Nullable { width, null } => {
                let stored = load(&bytes[at..], width, order);
                if stored == null {
                    self.store.0[id].push_null();
                } else {
                    self.store.0[id].push(stored);
                }
            }
            What::Number { width, sign, xor, null } => {
                let stored = load(&bytes[at..], width, order) ^ xor;
                let is_null = match null {
                    None => false,
                    Some(NullValue::Bits(null)) => null == stored,
                    Some(NullValue::Nan(_)) if width == 4 => f32::from_bits(stored as u32).is_nan(),
                    Some(NullValue::Nan(_)) => f64::from_bits(stored).is_nan(),
                };
                if is_null {
                    self.store.null(id);
                } else {
                    self.number(id, ((stored << sign) as i64 >> sign) as u64);
                }
            }
            What::Bit(bit, xor) => self.number(id, (u64::from(bytes[at]) ^ xor) >> bit & 1),
            What::Uuid => self.octets(id, &bytes[at..at + 16]),
            What::Chars(width) => {
                let place = &bytes[at..at + width as usize];
                let length = place.iter().position(|byte| *byte == 0).unwrap_or(place.len());
                self.octets(id, &place[..length]);
            }
            What::Constant(number) => self.number(id, number),
            What::Struct => self.store.0[id].push(0),
        }
    }
}

/// The coefficient of a decimal at another scale, where it has one of 38 digits.
fn rescaled(decimal: &Decimal, scale: u8) -> Option<i128> {
    let number = i128::try_from(decimal.coefficient).ok()?;
    let number = match scale.checked_sub(decimal.scale) {
        Some(up) => number.checked_mul(10i128.checked_pow(up.into())?)?,
        None => {
            let down = 10i128.checked_pow((decimal.scale - scale).into())?;
            (number % down == 0).then_some(number / down)?
        }
    };
    (number < 10i128.pow(38)).then_some(if decimal.negative { -number } else { number })
}

impl Sink for ColumnSink<'_> {
    fn begin_record(&mut self, record: TypeId, at: usize) {
        match self.nest() {
            Some(sink) => sink.begin_record(record, at),
            None => self.open.push(self.current),
        }
    }

    fn end_record(&mut self, record: TypeId, end: usize) {
        if let Some((sink, _)) = &mut self.nested {
            sink.end_record(record, end);
            return self.unnest();
        }
        let id = self.close();
        let column = &mut self.store.0[id];
        match column.kind {
            Kind::Record { .. } => column.push(0),
            Kind::Unit => column.push(1),
            _ => {}
        }
    }

    #[inline(always)]
    fn field(&mut self, _tables: &Tables, _record: TypeId, field: usize) {
        if self.nested.is_some() {
            return;
        }
        let id = self.open.last().copied().unwrap_or(HOLE);
        self.current = match &self.store.0[id].kind {
            Kind::Record { fields } => fields[field],
            Kind::Scaled { mantissa, .. } if *mantissa == field => id,
            _ => HOLE,
        };
    }

    fn begin_list(&mut self, count: usize, at: usize) {
        match self.nest() {
            Some(sink) => sink.begin_list(count, at),
            None => self.open.push(self.current),
        }
    }

    fn element(&mut self, _index: usize) {
        if self.nested.is_none() {
            let id = self.open.last().copied().unwrap_or(HOLE);
            self.current = match self.store.0[id].kind {
                Kind::List(child) => child,
                _ => HOLE,
            };
        }
    }

    fn end_list(&mut self, end: usize) {
        if let Some((sink, _)) = &mut self.nested {
            sink.end_list(end);
            return self.unnest();
        }
        let id = self.close();
        if let Kind::List(child) = self.store.0[id].kind {
            self.current = id;
            self.end(id, child);
        }
    }

    fn begin_choice(&mut self, tables: &Tables, union: TypeId, tag: u64, arm: Option<usize>, at: Range<usize>) {
        if let Some(sink) = self.nest() {
            return sink.begin_choice(tables, union, tag, arm, at);
        }
        self.open.push(self.current);
        self.current = self.choose(self.current, tag, arm).unwrap_or(HOLE);
    }

    fn end_choice(&mut self, tables: &Tables, union: TypeId) {
        if let Some((sink, _)) = &mut self.nested {
            sink.end_choice(tables, union);
            return self.unnest();
        }
        let id = self.close();
        self.end_structure(id);
    }

    #[inline(always)]
    fn value(&mut self, tables: &Tables, ty: &Type, datum: Datum<'_>, at: Range<usize>) -> Result<(), Fault> {
        match &mut self.nested {
            Some((sink, _)) => sink.value(tables, ty, datum, at),
            None => {
                self.datum(self.current, datum);
                Ok(())
            }
        }
    }

    fn tree(&mut self, tables: &Tables, ty: &Type, value: &Value, at: usize) -> Result<(), Fault> {
        match &mut self.nested {
            Some((sink, _)) => sink.tree(tables, ty, value, at),
            None => {
                self.put(self.current, value);
                Ok(())
            }
        }
    }

    fn packs(scalar: &Scalar) -> bool {
        scalar.repr != Repr::Decimal
    }

    fn packed(&mut self, scalar: &Scalar, bytes: &[u8]) {
        if let Some((sink, _)) = &mut self.nested {
            return sink.packed(scalar, bytes);
        }
        let id = self.current;
        let Kind::List(child) = self.store.0[id].kind else { return };
        let order = self.codec.plan().byte_order;
        let width = scalar.repr.width();
        let signed = matches!(scalar.repr, Repr::I8 | Repr::I16 | Repr::I32);
        let sign = if signed { 64 - 8 * width as u8 } else { 0 };
        let what = match scalar.repr {
            Repr::Uuid => What::Uuid,
            _ => What::Number { width: width as u8, sign, xor: scalar.xor, null: None },
        };
        let op = Op { column: child as u32, at: 0, what };
        bytes.chunks_exact(width as usize).for_each(|element| self.operate(&op, element, order));
        self.end(id, child);
    }

    fn takes(slot: &Slot) -> bool {
        takes(slot)
    }

    fn fixed(&mut self, _record: TypeId, run: &Run, bytes: &[u8]) -> Taken {
        let programs = self.programs;
        let id = self.open.last().copied().unwrap_or(HOLE);
        if self.nested.is_some() {
            return Taken::Nothing;
        }
        let Some(program) = programs.of(id, run) else { return Taken::Nothing };
        let order = self.codec.plan().byte_order;
        program.operations.iter().for_each(|op| self.operate(op, bytes, order));
        program.taken
    }

    fn records(&mut self, _record: TypeId, run: &Run, bytes: &[u8], stride: usize) -> bool {
        if self.current == HOLE && self.nested.is_none() {
            return is_taken(run);
        }
        let Kind::List(child) = self.store.0[self.current].kind else { return false };
        let programs = self.programs;
        let is_record = matches!(self.store.0[child].kind, Kind::Record { .. });
        let program = programs.of(child, run).filter(|program| program.taken == Taken::All);
        let (None, true, Some(program)) = (&self.nested, is_record, program) else { return false };
        let order = self.codec.plan().byte_order;
        for op in &program.operations {
            bytes.chunks_exact(stride).for_each(|element| self.operate(op, element, order));
        }
        self.store.0[child].push_structs(bytes.len() / stride);
        self.end(self.current, child);
        true
    }
}
