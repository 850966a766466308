//! The sink that builds values.

use super::Sink;
use crate::fault::Fault;
use crate::scalar::{self, Datum};
use crate::tables::Tables;
use crate::Value;
use aldis_plan::{Repr, Scalar};
use aldis_schema::{Type, TypeId};
use std::ops::Range;

/// Builds the value of one walk.
#[derive(Debug, Default)]
pub struct ValueSink {
    open: Vec<Vec<Value>>,
    /// The tags of the choices that are open.
    tags: Vec<u64>,
    done: Vec<Value>,
    /// Fields missing since the last one that was there: written out only if one follows.
    missing: Vec<Vec<Value>>,
}

impl ValueSink {
    /// The value that was built; the sink is empty again.
    pub fn finish(&mut self) -> Value {
        self.done.pop().unwrap_or(Value::Null)
    }

    /// The two values that were built side by side.
    pub fn finish_pair(&mut self) -> (Value, Value) {
        let value = self.finish();
        (self.finish(), value)
    }

    fn push(&mut self, value: Value) {
        match (self.open.last_mut(), self.missing.last_mut()) {
            (Some(open), Some(missing)) => {
                open.append(missing);
                open.push(value);
            }
            _ => self.done.push(value),
        }
    }

    fn begin(&mut self, capacity: usize) {
        self.open.push(Vec::with_capacity(capacity));
        self.missing.push(Vec::new());
    }

    fn end(&mut self) -> Box<[Value]> {
        self.missing.pop();
        self.open.pop().unwrap_or_default().into()
    }
}

impl Sink for ValueSink {
    fn begin_record(&mut self, _record: TypeId, _at: usize) {
        self.begin(0);
    }

    fn end_record(&mut self, _record: TypeId, _end: usize) {
        let fields = self.end();
        self.push(Value::Record(fields));
    }

    fn field(&mut self, _tables: &Tables, _record: TypeId, _field: usize) {}

    fn begin_list(&mut self, count: usize, _at: usize) {
        self.begin(count.min(1024));
    }

    fn element(&mut self, _index: usize) {}

    fn end_list(&mut self, _end: usize) {
        let elements = self.end();
        self.push(Value::List(elements));
    }

    fn begin_choice(&mut self, _tables: &Tables, _union: TypeId, tag: u64, _arm: Option<usize>, _at: Range<usize>) {
        self.tags.push(tag);
        self.begin(0);
    }

    fn end_choice(&mut self, _tables: &Tables, _union: TypeId) {
        let arm = self.end().into_vec().pop();
        let tag = self.tags.pop().unwrap_or_default();
        self.push(Value::Choice(tag, Box::new(arm.unwrap_or(Value::Null))));
    }

    fn value(&mut self, _tables: &Tables, _ty: &Type, datum: Datum<'_>, _at: Range<usize>) -> Result<(), Fault> {
        self.push(match datum {
            Datum::Null => Value::Null,
            Datum::Bool(v) => Value::Bool(v),
            Datum::Int(v) => Value::Int(v),
            Datum::UInt(v) => Value::UInt(v),
            Datum::F32(v) => Value::F32(v),
            Datum::F64(v) => Value::F64(v),
            Datum::Decimal(bytes) => scalar::decimal(bytes).map_or(Value::Null, |d| Value::Decimal(Box::new(d))),
            Datum::Uuid(bytes) => Value::Uuid(bytes.try_into().unwrap_or_default()),
            Datum::Bytes(bytes) => Value::Bytes(bytes.into()),
            Datum::Opaque(bytes) => Value::Opaque(bytes.into()),
        });
        Ok(())
    }

    fn tree(&mut self, _tables: &Tables, _ty: &Type, value: &Value, _at: usize) -> Result<(), Fault> {
        self.push(value.clone());
        Ok(())
    }

    fn missing(&mut self, tables: &Tables, record: TypeId, field: usize, _at: usize) -> Result<(), Fault> {
        if let Some(missing) = self.missing.last_mut() {
            missing.push(tables.record(record).missing[field].clone());
        }
        Ok(())
    }

    fn packs(scalar: &Scalar) -> bool {
        scalar.repr != Repr::Decimal
    }

    fn packed(&mut self, scalar: &Scalar, bytes: &[u8]) {
        self.push(match scalar.repr {
            Repr::Bool => Value::Packed(bytes.iter().map(|&b| u8::from(b != 0)).collect()),
            _ => Value::Packed(bytes.into()),
        });
    }
}
