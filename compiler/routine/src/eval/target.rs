//! The receivers of the values that the evaluator reads.

use crate::module::ListType;
use crate::operand::TableId;
use crate::value::Value;
use aldis_plan::{ByteOrder, Scalar};
use aldis_schema::{Encoding, TypeId};

/// A text, or bytes, that a record has a link to.
#[derive(Clone, Copy, Debug)]
pub enum Text<'b> {
    Bytes(&'b [u8], Option<Encoding>),
    /// The schema's value, where there is no link.
    Literal(&'b Value),
}

/// A maker of values. It is asked for each value once, its parts before it, and gets each back once: as a part of
/// another value, or as the result.
pub trait Target {
    type Value;

    fn null(&mut self) -> Self::Value;

    /// A scalar of up to 64 bits that is not null; `bits` is the number that it means, zero-extended.
    fn scalar(&mut self, scalar: &Scalar, bits: u64) -> Self::Value;

    /// A uuid, or a decimal whose bytes are in bounds.
    fn wide(&mut self, scalar: &Scalar, bytes: [u8; 16]) -> Self::Value;

    /// Text in an encoding, unchecked, or bytes.
    fn bytes(&mut self, bytes: &[u8], text: Option<Encoding>) -> Self::Value;

    /// A value of the module's.
    fn literal(&mut self, value: &Value) -> Self::Value;

    /// Scalars side by side that cannot be null, no decimals.
    fn row(&mut self, scalar: &Scalar, bytes: &[u8], order: ByteOrder) -> Self::Value;

    /// The plain rows of a table, all of which are there, in the bytes: true where it put a value for each on the stack. Targets that make
    /// them at once save being asked for each.
    fn whole(&mut self, _table: TableId, _bytes: &[u8], _stack: &mut Vec<Self::Value>) -> bool {
        false
    }

    /// The record of such rows alone; `None` where they are to be asked for.
    fn run(&mut self, _of: (TableId, TypeId), _bytes: &[u8]) -> Option<Self::Value> {
        None
    }

    /// The record of such rows and texts: `order` has for each field the row's place, or the number of rows and the text's place together. `None`
    /// where they are to be asked for.
    fn run_with(
        &mut self,
        _of: (TableId, TypeId),
        _bytes: &[u8],
        _texts: &[Text<'_>],
        _order: &[u16],
    ) -> Option<Self::Value> {
        None
    }

    /// A list of so many such records, side by side in the bytes; `None` where they are to be asked for.
    fn runs(&mut self, _of: (TableId, TypeId), _bytes: &[u8], _count: usize, _list: &ListType) -> Option<Self::Value> {
        None
    }

    /// A record of all its fields, in order.
    fn record(&mut self, record: TypeId, fields: Vec<Self::Value>) -> Self::Value;

    /// A record of the last `count` values, which are taken from the stack: as they lie there, or of those at the places that `order` has.
    /// Targets that need no list of them save its memory.
    fn record_of_last(
        &mut self,
        record: TypeId,
        stack: &mut Vec<Self::Value>,
        (count, order): (usize, &[u16]),
    ) -> Self::Value {
        let fields = stack.split_off(stack.len() - count);
        if order.is_empty() {
            return self.record(record, fields);
        }
        let mut fields: Vec<Option<Self::Value>> = fields.into_iter().map(Some).collect();
        let fields = order.iter().filter_map(|place| fields[usize::from(*place)].take()).collect();
        self.record(record, fields)
    }

    /// A union's tag, and the value of the arm that it names; null where it names none.
    fn choice(&mut self, union: TypeId, tag: u64, arm: Self::Value) -> Self::Value;

    /// A flat message whose root is a value of a type that the schema leaves open.
    fn opaque(&mut self, message: &[u8]) -> Self::Value;

    /// A list of its elements; a set or map of what the bytes have, in their order: the target sorts it and keeps the
    /// first of equals. The elements of a map are its keys and values by turns.
    fn list(&mut self, list: &ListType, elements: Vec<Self::Value>) -> Self::Value;

    /// As [`Self::list`], of the values from `first` on, which are taken from the stack.
    fn list_of_last(&mut self, list: &ListType, stack: &mut Vec<Self::Value>, first: usize) -> Self::Value {
        let elements = stack.split_off(first);
        self.list(list, elements)
    }
}
