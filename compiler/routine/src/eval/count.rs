//! A target that makes nothing and counts.

use super::Target;
use crate::module::ListType;
use crate::value::Value;
use aldis_plan::{ByteOrder, Scalar};
use aldis_schema::{Encoding, TypeId};

/// Counts values: scalars, texts, records, lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counter {
    pub values: u64,
}

impl Counter {
    fn one(&mut self) {
        self.values += 1;
    }
}

impl Target for Counter {
    type Value = ();

    fn null(&mut self) {
        self.one();
    }

    fn scalar(&mut self, _scalar: &Scalar, _bits: u64) {
        self.one();
    }

    fn wide(&mut self, _scalar: &Scalar, _bytes: [u8; 16]) {
        self.one();
    }

    fn bytes(&mut self, _bytes: &[u8], _text: Option<Encoding>) {
        self.one();
    }

    fn literal(&mut self, _value: &Value) {
        self.one();
    }

    fn row(&mut self, scalar: &Scalar, bytes: &[u8], _order: ByteOrder) {
        self.values += 1 + bytes.len() as u64 / u64::from(scalar.repr.width());
    }

    fn record(&mut self, _record: TypeId, _fields: Vec<()>) {
        self.one();
    }

    fn choice(&mut self, _union: TypeId, _tag: u64, _arm: ()) {
        self.one();
    }

    fn opaque(&mut self, _message: &[u8]) {
        self.one();
    }

    fn list(&mut self, _list: &ListType, _elements: Vec<()>) {
        self.one();
    }
}
