//! The sink that writes JSON while bytes are walked: no value tree between. Values that are there take the same way.

use super::keys;
use super::write::{write_bytes_text, write_datum, Context};
use crate::fault::{Code, Fault};
use crate::json_text::write_text;
use crate::scalar::{self, Datum};
use crate::tables::{MemberTable, Tables};
use crate::walk::Sink;
use crate::Value;
use aldis_schema::{Encoding, Type, TypeId};
use std::ops::Range;

/// Appends one message's JSON to a buffer, which callers reuse.
pub(crate) struct JsonSink<'o, 't> {
    out: &'o mut Vec<u8>,
    context: Context<'t>,
    /// The member to come, where it depends on its value whether and how it is written.
    pending: Option<Pending<'t>>,
    /// The records and unions that are open; only kept where members are pending.
    scopes: Vec<Scope>,
}

#[derive(Clone, Copy)]
struct Pending<'t> {
    member: &'t MemberTable,
    /// Called this instead.
    key: Option<&'t [u8]>,
    null: Null,
}

/// When a null is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Null {
    /// If it is a value of its type, not the lack of one.
    OfVoid,
    /// Always, since the member tells which arm is active.
    Always,
    /// As an empty value of its type.
    Empty,
    /// As an empty value too, but for one of [`Type::Void`]: another member tells which arm is active.
    Told,
}

/// A record or union whose members are being written.
#[derive(Default)]
struct Scope {
    /// In front of the members' names.
    prefix: String,
    /// It is an object of its own.
    braces: bool,
}

impl<'o, 't> JsonSink<'o, 't> {
    pub fn new(out: &'o mut Vec<u8>, context: Context<'t>) -> Self {
        Self { out, context, pending: None, scopes: Vec::new() }
    }

    /// Writes the key of the value to come, where it is pending.
    #[inline]
    fn comes(&mut self) {
        if let Some(pending) = self.pending.take() {
            self.key(pending.key.unwrap_or(&pending.member.key));
        }
    }

    /// Writes a null of a form that leaves such out: not at all, as null, or as an empty value.
    fn null(&mut self, ty: &Type) {
        let member = self.pending.map(|pending| pending.member);
        let empty = self.context.policy.empty(ty, member.and_then(|member| member.bytes));
        let shown = if self.context.nulls { "null" } else { empty.unwrap_or("null") };
        let text = match self.pending.map(|pending| (pending.null, pending.key)) {
            None => Some(shown),
            Some((Null::Told, _)) if *ty == Type::Void => None,
            Some((Null::OfVoid, _)) => (*ty == Type::Void || self.context.nulls).then_some("null"),
            Some((Null::Always, _)) => Some("null"),
            // An empty record has no members.
            Some((_, None)) if member.is_some_and(|m| m.flatten.is_some()) && !self.context.nulls => None,
            Some((Null::Empty | Null::Told, _)) => Some(shown),
        };
        match text {
            None => self.pending = None,
            Some(text) => {
                self.comes();
                self.out.extend_from_slice(text.as_bytes());
            }
        }
    }

    /// Appends `,"name":` with the scope's prefix, without its comma after an object's brace.
    fn key(&mut self, key: &[u8]) {
        let first = self.out.last() == Some(&b'{');
        match self.scopes.last().map_or("", |scope| &scope.prefix) {
            "" => self.out.extend_from_slice(if first { &key[1..] } else { key }),
            prefix => {
                self.out.extend_from_slice(if first { b"\"" } else { b",\"" });
                // Prefixes are valid Unicode, so this cannot fail; its own quotes are taken off.
                let mut quoted = Vec::with_capacity(prefix.len() + 2);
                let _ = write_text(&mut quoted, prefix.as_bytes(), Encoding::Utf8);
                self.out.extend_from_slice(&quoted[1..quoted.len() - 1]);
                self.out.extend_from_slice(&key[2..]);
            }
        }
    }

    /// Opens the pending record or union: an object, or, where it is flattened, none.
    fn open(&mut self) {
        let pending = self.pending.take();
        let outer = self.scopes.last().map_or("", |scope| &scope.prefix);
        let flatten = pending.filter(|p| p.key.is_none()).and_then(|pending| pending.member.flatten.as_deref());
        if let Some(inner) = flatten {
            let prefix = format!("{outer}{inner}");
            self.scopes.push(Scope { prefix, braces: false });
            return;
        }
        self.pending = pending;
        self.comes();
        self.out.push(b'{');
        self.scopes.push(Scope { prefix: String::new(), braces: true });
    }

    fn close(&mut self) {
        if self.scopes.pop().is_none_or(|scope| scope.braces) {
            self.out.push(b'}');
        }
    }

    /// Writes a value that is there.
    ///
    /// # Errors
    /// As [`write_datum`], with the path of the value at fault.
    pub fn emit(&mut self, ty: &Type, value: &Value, at: usize) -> Result<(), Fault> {
        let ty = ty.required();
        let datum = match value {
            Value::Null => Datum::Null,
            Value::Bool(v) => Datum::Bool(*v),
            Value::Int(v) => Datum::Int(*v),
            Value::UInt(v) => Datum::UInt(*v),
            Value::F32(v) => Datum::F32(*v),
            Value::F64(v) => Datum::F64(*v),
            Value::Decimal(v) => return self.datum(ty, Datum::Decimal(&scalar::decimal_bytes(v))),
            Value::Uuid(v) => Datum::Uuid(v),
            Value::Bytes(v) => Datum::Bytes(v),
            Value::Opaque(v) => Datum::Opaque(v),
            Value::Record(fields) => return self.emit_record(ty, fields, at),
            Value::Choice(tag, value) => return self.emit_choice(ty, *tag, value, at),
            Value::List(elements) => return self.emit_list(ty, elements, at),
            Value::Packed(bytes) => {
                let elements = scalar::unpack(self.context.tables, ty.element(), bytes);
                return self.emit_list(ty, &elements, at);
            }
            Value::Map(entries) => {
                self.comes();
                return keys::write_map(self.out, self.context, ty, entries);
            }
        };
        self.datum(ty, datum)
    }

    fn emit_record(&mut self, ty: &Type, fields: &[Value], at: usize) -> Result<(), Fault> {
        let Type::Named(id) = ty else { return Err(Fault::new(Code::BadValue, "a record where none belongs")) };
        let tables = self.context.tables;
        self.begin_record(*id, at);
        for (index, field) in tables.schema.record(*id).fields.iter().enumerate() {
            self.field(tables, *id, index);
            let value = fields.get(index).unwrap_or(&tables.record(*id).missing[index]);
            self.emit(&field.ty, value, at).map_err(|f| f.in_field(&field.name))?;
        }
        self.end_record(*id, at);
        Ok(())
    }

    fn emit_choice(&mut self, ty: &Type, tag: u64, value: &Value, at: usize) -> Result<(), Fault> {
        let Type::Named(id) = ty else { return Err(Fault::new(Code::BadValue, "a union where none belongs")) };
        let tables = self.context.tables;
        let union = tables.schema.union(*id);
        let arm = union.arm_of(tag);
        self.begin_choice(tables, *id, tag, arm, at..at);
        if let Some(index) = arm {
            let field = &union.arms[index].field;
            self.emit(&field.ty, value, at).map_err(|f| f.in_field(&field.name))?;
        }
        self.end_choice(tables, *id);
        Ok(())
    }

    fn emit_list(&mut self, ty: &Type, elements: &[Value], at: usize) -> Result<(), Fault> {
        self.begin_list(elements.len(), at);
        for (index, value) in elements.iter().enumerate() {
            self.element(index);
            self.emit(ty.element(), value, at).map_err(|f| f.in_element(index))?;
        }
        self.end_list(at);
        Ok(())
    }

    #[inline]
    fn datum(&mut self, ty: &Type, datum: Datum<'_>) -> Result<(), Fault> {
        if datum == Datum::Null && self.context.policy.omit_null {
            self.null(ty);
            return Ok(());
        }
        let form = self.pending.and_then(|pending| pending.member.bytes);
        self.comes();
        match (form, datum) {
            (Some(form), Datum::Bytes(bytes)) => {
                write_bytes_text(self.out, form, bytes);
                Ok(())
            }
            _ => write_datum(self.out, self.context, ty, datum),
        }
    }
}

impl Sink for JsonSink<'_, '_> {
    #[inline]
    fn begin_record(&mut self, _record: TypeId, _at: usize) {
        if self.context.policy.omit_null {
            self.open();
        } else {
            self.out.push(b'{');
        }
    }

    #[inline]
    fn end_record(&mut self, _record: TypeId, _end: usize) {
        if self.context.policy.omit_null {
            self.close();
        } else {
            self.out.push(b'}');
        }
    }

    #[inline]
    fn field(&mut self, _tables: &Tables, record: TypeId, field: usize) {
        let member = &self.context.tables.record(record).members[field];
        if self.context.policy.omit_null {
            self.pending = Some(Pending { member, key: None, null: Null::OfVoid });
            return;
        }
        self.out.extend_from_slice(if field == 0 { &member.key[1..] } else { &member.key });
    }

    fn begin_list(&mut self, _count: usize, _at: usize) {
        self.comes();
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

    fn begin_choice(&mut self, _tables: &Tables, union: TypeId, tag: u64, arm: Option<usize>, _at: Range<usize>) {
        let tables = self.context.tables;
        let table = tables.union(union);
        if tables.schema.union(union).unnamed {
            self.pending = None;
            let prefix = self.scopes.last().map_or_else(String::new, |scope| scope.prefix.clone());
            self.scopes.push(Scope { prefix, braces: false });
        } else {
            self.open();
        }
        let Some(arm) = arm else { return };
        let mut pending = Pending { member: &table.members[arm], key: None, null: Null::OfVoid };
        if let Some(discriminator) = &table.discriminator {
            self.key(&discriminator.key);
            self.out.extend_from_slice(&discriminator.values[arm]);
            pending.key = discriminator.value_key.as_deref();
            pending.null = Null::Told;
        } else if tables.schema.union(union).empty_arms {
            pending.null = Null::Empty;
        } else if tag != 0 {
            pending.null = Null::Always;
        }
        self.pending = Some(pending);
    }

    fn end_choice(&mut self, _tables: &Tables, _union: TypeId) {
        self.pending = None;
        self.close();
    }

    #[inline]
    fn value(&mut self, _tables: &Tables, ty: &Type, datum: Datum<'_>, at: Range<usize>) -> Result<(), Fault> {
        self.datum(ty, datum).map_err(|f| f.or_at(at.start))
    }

    fn tree(&mut self, _tables: &Tables, ty: &Type, value: &Value, at: usize) -> Result<(), Fault> {
        self.emit(ty, value, at).map_err(|f| f.or_at(at))
    }
}
