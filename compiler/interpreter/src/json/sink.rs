//! The sink that writes JSON while bytes are walked: no value tree between.

use super::write::{write_datum, write_value, Context};
use crate::fault::Fault;
use crate::tables::Tables;
use crate::walk::{Datum, Sink};
use crate::Value;
use aldis_schema::{Type, TypeId};
use std::ops::Range;

/// Appends one message's JSON to a buffer, which callers reuse.
pub(crate) struct JsonSink<'o, 't> {
    out: &'o mut Vec<u8>,
    context: Context<'t>,
}

impl<'o, 't> JsonSink<'o, 't> {
    pub fn new(out: &'o mut Vec<u8>, context: Context<'t>) -> Self {
        Self { out, context }
    }
}

impl Sink for JsonSink<'_, '_> {
    fn begin_record(&mut self, _record: TypeId, _at: usize) {
        self.out.push(b'{');
    }

    fn end_record(&mut self, _record: TypeId, _end: usize) {
        self.out.push(b'}');
    }

    #[inline]
    fn field(&mut self, tables: &Tables, record: TypeId, field: usize) {
        let key = &tables.record(record).keys[field];
        self.out.extend_from_slice(if field == 0 { &key[1..] } else { key });
    }

    fn begin_list(&mut self, _count: usize, _at: usize) {
        self.out.push(b'[');
    }

    fn element(&mut self, index: usize) {
        if index > 0 {
            self.out.push(b',');
        }
    }

    fn end_list(&mut self, _end: usize) {
        self.out.push(b']');
    }

    #[inline]
    fn value(&mut self, _tables: &Tables, ty: &Type, datum: Datum<'_>, at: Range<usize>) -> Result<(), Fault> {
        write_datum(self.out, self.context, ty, datum).map_err(|f| f.or_at(at.start))
    }

    fn tree(&mut self, _tables: &Tables, ty: &Type, value: &Value, at: usize) -> Result<(), Fault> {
        write_value(self.out, self.context, ty, value).map_err(|f| f.or_at(at))
    }
}
