//! The plain target: values as trees, to compare. And the operations that make values.

use super::load::{is_decimal, is_null, load, sixteen};
use super::{Code, Evaluator, Fault, Scope, Target, Word};
use crate::module::{Cell, Holds, ListType, Module, Row};
use crate::op::What;
use crate::order;
use crate::value::Value;
use aldis_plan::{ByteOrder, Repr, Scalar, Shape};
use aldis_schema::{Decimal, Encoding, TypeId};

impl<T: Target> Evaluator<'_, T> {
    /// The result of an operation that gives a value or a list; `None` for all others.
    pub(super) fn value(&mut self, scope: &mut Scope<T::Value>, what: &What) -> Result<Option<Word<T::Value>>, Fault> {
        let value = match what {
            What::Scalar { place, scalar } => self.scalar(scope.place(*place), scalar),
            What::Decimal { place } => {
                let at = scope.place(*place);
                let bytes = self.slice(at, 16);
                if !is_decimal(bytes) {
                    return Err(Fault::at(Code::BadValue, at));
                }
                let scalar = Scalar::new(Repr::Decimal, aldis_schema::Type::Decimal);
                self.target.wide(&scalar, sixteen(bytes))
            }
            What::Chars { place, width, encoding } => self.chars(scope.place(*place), *width, *encoding),
            What::Bytes { at, size, text } => {
                let bytes = self.slice(scope.number(*at), scope.number(*size));
                self.target.bytes(bytes, *text)
            }
            What::Literal { value } => self.target.literal(&self.module[*value].value),
            What::Make { record, fields } => {
                let fields = fields.iter().map(|field| scope.take((*field).into()).value()).collect();
                self.target.record(*record, fields)
            }
            What::Arm { union, tag, arm } => {
                let (tag, arm) = (scope.number(*tag), scope.take((*arm).into()).value());
                self.target.choice(*union, tag, arm)
            }
            What::Open { .. } => return Ok(Some(Word::List(Vec::new()))),
            What::Push { list, items } => {
                let mut list = scope.take((*list).into()).list();
                list.extend(items.iter().map(|item| scope.take((*item).into()).value()));
                return Ok(Some(Word::List(list)));
            }
            What::Close { list, of } => {
                let elements = scope.take((*list).into()).list();
                self.target.list(&self.module[*of], elements)
            }
            _ => return Ok(None),
        };
        Ok(Some(Word::Value(value)))
    }

    pub(super) fn scalar(&mut self, at: u64, scalar: &Scalar) -> T::Value {
        let bytes = self.slice(at, u64::from(scalar.repr.width()));
        if let Repr::Uuid | Repr::Decimal = scalar.repr {
            return self.target.wide(scalar, sixteen(bytes));
        }
        let bits = load(bytes, self.module.byte_order) ^ scalar.xor;
        match is_null(scalar, bits) {
            true => self.target.null(),
            false => self.target.scalar(scalar, bits),
        }
    }

    pub(super) fn chars(&mut self, at: u64, width: u32, encoding: Encoding) -> T::Value {
        let bytes = self.slice(at, u64::from(width));
        let length = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
        self.target.bytes(&bytes[..length], Some(encoding))
    }

    /// A row of the run at `base`, of which the first bytes and versions are there.
    pub(super) fn row(&mut self, base: u64, row: &Row, cell: &Cell, have: (u64, u64)) -> T::Value {
        if u64::from(row.reach) <= have.0 && u64::from(row.since) <= have.1 {
            return self.cell((base, row.at, row.width), cell, have);
        }
        match row.missing {
            Some(missing) => self.target.literal(&self.module[missing].value),
            None => self.target.null(),
        }
    }

    fn cell(&mut self, (base, at, width): (u64, u32, u32), cell: &Cell, have: (u64, u64)) -> T::Value {
        let from = base + u64::from(at);
        match cell {
            Cell::Scalar(scalar) => self.scalar(from, scalar),
            Cell::Chars(encoding) => self.chars(from, width, *encoding),
            Cell::Row { count, scalar, .. } => {
                let bytes = self.slice(from, u64::from(*count) * u64::from(scalar.repr.width()));
                self.target.row(scalar, bytes, self.module.byte_order)
            }
            Cell::Array { count, stride, element, of } => {
                let places = (0..u64::from(*count)).map(|index| from + index * u64::from(*stride));
                let all = (u64::MAX, u64::MAX);
                let elements = places.map(|place| self.cell((place, 0, *stride), element, all)).collect();
                self.target.list(&self.module[*of], elements)
            }
            Cell::Nest { record, rows } => {
                let fields = rows.iter().filter_map(|row| match &row.holds {
                    Holds::Cell(cell) if row.field.is_some() => Some(self.row(base, row, cell, have)),
                    _ => None,
                });
                let fields = fields.collect();
                self.target.record(*record, fields)
            }
            Cell::Literal(value) => self.target.literal(&self.module[*value].value),
        }
    }
}

/// Builds [`Value`]s.
#[derive(Debug)]
pub struct Values<'m> {
    module: &'m Module,
}

impl<'m> Values<'m> {
    pub fn new(module: &'m Module) -> Self {
        Self { module }
    }
}

impl Target for Values<'_> {
    type Value = Value;

    fn null(&mut self) -> Value {
        Value::Null
    }

    fn scalar(&mut self, scalar: &Scalar, bits: u64) -> Value {
        match scalar.repr {
            Repr::Bool => Value::Bool(bits != 0),
            Repr::Bit(bit) => Value::Bool(bits >> bit & 1 == 1),
            Repr::I8 => Value::Int(i64::from(bits as u8 as i8)),
            Repr::I16 => Value::Int(i64::from(bits as u16 as i16)),
            Repr::I32 => Value::Int(i64::from(bits as u32 as i32)),
            Repr::I64 => Value::Int(bits as i64),
            Repr::F32 => Value::F32(f32::from_bits(bits as u32)),
            Repr::F64 => Value::F64(f64::from_bits(bits)),
            Repr::U8 | Repr::U16 | Repr::U32 | Repr::U64 | Repr::Decimal | Repr::Uuid => Value::UInt(bits),
        }
    }

    fn wide(&mut self, scalar: &Scalar, bytes: [u8; 16]) -> Value {
        match scalar.repr {
            Repr::Decimal => {
                let mut coefficient = bytes;
                coefficient[12..].fill(0);
                let coefficient = u128::from_le_bytes(coefficient);
                Value::Decimal(Decimal { negative: bytes[15] != 0, coefficient, scale: bytes[14] })
            }
            _ => Value::Uuid(bytes),
        }
    }

    fn bytes(&mut self, bytes: &[u8], _text: Option<Encoding>) -> Value {
        Value::Bytes(bytes.to_vec())
    }

    fn literal(&mut self, value: &Value) -> Value {
        value.clone()
    }

    fn row(&mut self, scalar: &Scalar, bytes: &[u8], order: ByteOrder) -> Value {
        let elements = bytes.chunks_exact(scalar.repr.width() as usize).map(|bytes| match scalar.repr {
            Repr::Uuid => self.wide(scalar, sixteen(bytes)),
            _ => self.scalar(scalar, load(bytes, order) ^ scalar.xor),
        });
        Value::List(elements.collect())
    }

    fn record(&mut self, _record: TypeId, fields: Vec<Value>) -> Value {
        Value::Record(fields)
    }

    fn choice(&mut self, _union: TypeId, tag: u64, arm: Value) -> Value {
        Value::Choice(tag, Box::new(arm))
    }

    fn opaque(&mut self, message: &[u8]) -> Value {
        Value::Opaque(message.to_vec())
    }

    fn list(&mut self, list: &ListType, elements: Vec<Value>) -> Value {
        match list.shape {
            Shape::List => Value::List(elements),
            Shape::Set => Value::List(order::set(self.module, &list.ty, elements)),
            Shape::Map => {
                let mut elements = elements.into_iter();
                let mut entries = Vec::new();
                while let (Some(key), Some(value)) = (elements.next(), elements.next()) {
                    entries.push((key, value));
                }
                Value::Map(order::map(self.module, &list.ty, entries))
            }
        }
    }
}
