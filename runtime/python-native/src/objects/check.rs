//! The target of programs that check: it makes nothing.

use super::maker::Kit;
use aldis_plan::{ByteOrder, Scalar};
use aldis_routine::eval::{Target, Text};
use aldis_routine::{ListType, TableId, Value};
use aldis_schema::{Encoding, TypeId};

/// Takes all values for the same.
pub struct Checker<'k>(pub &'k Kit);

impl Target for Checker<'_> {
    type Value = ();

    fn null(&mut self) {}

    fn scalar(&mut self, _scalar: &Scalar, _bits: u64) {}

    fn wide(&mut self, _scalar: &Scalar, _bytes: [u8; 16]) {}

    fn bytes(&mut self, _bytes: &[u8], _text: Option<Encoding>) {}

    fn literal(&mut self, _value: &Value) {}

    fn row(&mut self, _scalar: &Scalar, _bytes: &[u8], _order: ByteOrder) {}

    fn whole(&mut self, table: TableId, _bytes: &[u8], stack: &mut Vec<()>) -> bool {
        let whole = self.0.wholes[table.0 as usize].as_ref();
        stack.extend(whole.into_iter().flat_map(|whole| (0..whole.count()).map(|_| ())));
        whole.is_some()
    }

    fn run(&mut self, _of: (TableId, TypeId), _bytes: &[u8]) -> Option<()> {
        Some(())
    }

    fn run_with(&mut self, _of: (TableId, TypeId), _bytes: &[u8], _texts: &[Text<'_>], _order: &[u16]) -> Option<()> {
        Some(())
    }

    fn runs(&mut self, _of: (TableId, TypeId), _bytes: &[u8], _count: usize, _list: &ListType) -> Option<()> {
        Some(())
    }

    fn record(&mut self, _record: TypeId, _fields: Vec<()>) {}

    fn record_of_last(&mut self, _record: TypeId, stack: &mut Vec<()>, (count, _): (usize, &[u16])) {
        stack.truncate(stack.len() - count);
    }

    fn choice(&mut self, _union: TypeId, _tag: u64, _arm: ()) {}

    fn opaque(&mut self, _message: &[u8]) {}

    fn list(&mut self, _list: &ListType, _elements: Vec<()>) {}

    fn list_of_last(&mut self, _list: &ListType, stack: &mut Vec<()>, first: usize) {
        stack.truncate(first);
    }
}
