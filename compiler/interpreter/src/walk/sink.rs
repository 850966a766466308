//! The receivers of a walk's events.

use crate::fault::Fault;
use crate::scalar::Datum;
use crate::segments::{Elements, Target};
use crate::tables::Tables;
use crate::Value;
use aldis_plan::{Run, Scalar, Slot};
use aldis_schema::{Type, TypeId};
use std::ops::Range;

/// The slots of a run that a sink took at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    Nothing,
    /// Those that it [`Sink::takes`].
    Some,
    All,
}

/// A receiver of the events of a walk, in field order. Offsets are into the message.
pub trait Sink {
    /// Sets and maps come sorted and without duplicates, as one [`Sink::tree`]; when false they come as lists of what
    /// is on the wire, a map's keys and values by turns.
    const SORTED: bool = true;

    /// Whether all that is there is wanted: ignored slots, and what can be read beside what is cut or broken.
    const EXPLAINS: bool = false;

    /// Whether nothing but faults is wanted: bytes in which nothing can be wrong are passed over.
    const FAULTS_ALONE: bool = false;

    fn begin_record(&mut self, record: TypeId, at: usize);

    /// The record's bytes in place end at `end`; what its links led to may lie elsewhere.
    fn end_record(&mut self, record: TypeId, end: usize);

    /// The next value is that of a field.
    fn field(&mut self, tables: &Tables, record: TypeId, field: usize);

    /// `count` elements follow, each after [`Sink::element`]. No more memory than `count` elements' bytes justify may
    /// be reserved.
    fn begin_list(&mut self, count: usize, at: usize);

    /// The next value is that of an element.
    fn element(&mut self, index: usize);

    fn end_list(&mut self, end: usize);

    /// The arm of a union with that tag follows, unless it is unknown (`arm` is its index). `at` is where the tag was.
    fn begin_choice(&mut self, tables: &Tables, union: TypeId, tag: u64, arm: Option<usize>, at: Range<usize>);

    fn end_choice(&mut self, tables: &Tables, union: TypeId);

    /// The message is these segments of `bytes`, in front of which a table may stand.
    fn segments(&mut self, _bytes: &[u8], _segments: &[Range<usize>]) {}

    /// The next value is behind the pointer at `at`.
    fn pointer(&mut self, _at: usize, _target: &Target) {}

    /// The word at `at` says what elements the list has whose first byte it is.
    fn tag(&mut self, _at: usize, _elements: &Elements) {}

    /// A value without parts. `ty` is never optional.
    fn value(&mut self, tables: &Tables, ty: &Type, datum: Datum<'_>, at: Range<usize>) -> Result<(), Fault>;

    /// A value that was collected, or that is not in the bytes.
    fn tree(&mut self, tables: &Tables, ty: &Type, value: &Value, at: usize) -> Result<(), Fault>;

    /// A field that the bytes end before; like [`Sink::tree`] with the field's missing value.
    fn missing(&mut self, tables: &Tables, record: TypeId, field: usize, at: usize) -> Result<(), Fault> {
        let ty = &tables.schema.record(record).fields[field].ty;
        self.tree(tables, ty, &tables.record(record).missing[field], at)
    }

    /// Whether lists of such scalars, which cannot be null, come as one [`Sink::packed`].
    fn packs(_scalar: &Scalar) -> bool {
        false
    }

    /// A list of scalars side by side.
    fn packed(&mut self, _scalar: &Scalar, _bytes: &[u8]) {}

    /// Whether [`Sink::fixed`] takes slots like this one. They must be such that nothing in them can be wrong.
    fn takes(_slot: &Slot) -> bool {
        false
    }

    /// The bytes of a run of the record, with all its slots. The slots that the sink did not take follow one by one.
    fn fixed(&mut self, _record: TypeId, _run: &Run, _bytes: &[u8]) -> Taken {
        Taken::Nothing
    }

    /// The elements of a list, each of which is a record of that run and nothing else, in so many bytes. True where the sink took
    /// them all, as if each had come by itself.
    fn records(&mut self, _record: TypeId, _run: &Run, _bytes: &[u8], _stride: usize) -> bool {
        false
    }

    /// The bytes of a run, or of a head, before what is in them.
    fn run(&mut self, _bytes: Range<usize>) {}

    /// A number about the message, not of it.
    fn register(&mut self, _name: &str, _value: u64, _at: Range<usize>) {}

    /// How many records and lists are open, where [`Sink::EXPLAINS`].
    fn level(&self) -> usize {
        0
    }

    /// Ends the records and lists above `level` at `end`, where [`Sink::EXPLAINS`].
    fn close_to(&mut self, _level: usize, _end: usize) {}

    /// Values up to [`Sink::end_ignored`] are those of a [`aldis_plan::SlotKind::Ignored`]; `header` tells whether it is
    /// part of the header value.
    fn begin_ignored(&mut self, _name: &str, _header: bool) {}

    fn end_ignored(&mut self) {}
}
