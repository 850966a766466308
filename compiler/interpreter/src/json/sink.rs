//! The sink that writes JSON while bytes are walked: no value tree between.

use super::write::{shows_null, write_datum, write_key, write_value, Context};
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
    /// The key of the member to come, where it is left out if that is null.
    pending: Option<Pending<'t>>,
}

struct Pending<'t> {
    key: &'t [u8],
    /// Another arm than a union's first is shown though it is null, since it says which one is active.
    shown: bool,
}

impl<'o, 't> JsonSink<'o, 't> {
    pub fn new(out: &'o mut Vec<u8>, context: Context<'t>) -> Self {
        Self { out, context, pending: None }
    }

    /// Writes the key of the value to come, unless that is a null which is left out.
    #[inline]
    fn comes(&mut self, ty: &Type, null: bool) -> bool {
        match self.pending.take() {
            Some(pending) if null && !pending.shown && !shows_null(ty) => false,
            Some(pending) => {
                write_key(self.out, pending.key);
                true
            }
            None => true,
        }
    }

    fn opens(&mut self) {
        if let Some(pending) = self.pending.take() {
            write_key(self.out, pending.key);
        }
    }
}

impl Sink for JsonSink<'_, '_> {
    fn begin_record(&mut self, _record: TypeId, _at: usize) {
        self.opens();
        self.out.push(b'{');
    }

    fn end_record(&mut self, _record: TypeId, _end: usize) {
        self.out.push(b'}');
    }

    #[inline]
    fn field(&mut self, tables: &Tables, record: TypeId, field: usize) {
        if self.context.policy.omit_null {
            let key = &self.context.tables.record(record).keys[field];
            self.pending = Some(Pending { key, shown: false });
            return;
        }
        let key = &tables.record(record).keys[field];
        self.out.extend_from_slice(if field == 0 { &key[1..] } else { key });
    }

    fn begin_list(&mut self, _count: usize, _at: usize) {
        self.opens();
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

    fn begin_choice(&mut self, tables: &Tables, union: TypeId, tag: u64, arm: Option<usize>, _at: Range<usize>) {
        if tables.schema.union(union).unnamed {
            self.pending = None;
        } else {
            self.opens();
            self.out.push(b'{');
        }
        if let Some(arm) = arm {
            self.pending = Some(Pending { key: &self.context.tables.union(union).keys[arm], shown: tag != 0 });
        }
    }

    fn end_choice(&mut self, tables: &Tables, union: TypeId) {
        if !tables.schema.union(union).unnamed {
            self.out.push(b'}');
        }
    }

    #[inline]
    fn value(&mut self, _tables: &Tables, ty: &Type, datum: Datum<'_>, at: Range<usize>) -> Result<(), Fault> {
        if self.comes(ty, datum == Datum::Null) {
            write_datum(self.out, self.context, ty, datum).map_err(|f| f.or_at(at.start))?;
        }
        Ok(())
    }

    fn tree(&mut self, tables: &Tables, ty: &Type, value: &Value, at: usize) -> Result<(), Fault> {
        if let (Value::Choice(tag, value), Type::Named(id)) = (value, ty) {
            let arm = tables.schema.union(*id).arm_of(*tag);
            self.begin_choice(tables, *id, *tag, arm, at..at);
            if let Some(index) = arm {
                self.tree(tables, &tables.schema.union(*id).arms[index].field.ty, value, at)?;
            }
            self.end_choice(tables, *id);
            return Ok(());
        }
        if self.comes(ty, *value == Value::Null) {
            write_value(self.out, self.context, ty, value).map_err(|f| f.or_at(at))?;
        }
        Ok(())
    }
}
