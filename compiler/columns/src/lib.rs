//! Framed messages as the columns of Arrow: a table a message type, a row a message, and no value between.
//!
//! ```text
//! Plan ─ shape ─► columns (struct, list, dictionary …) and a program for each run of fixed slots
//! bytes ─ the interpreter's walk ─► sink ─► plain vectors ─► Arrow's arrays, without a copy
//! ```
//! Columns are a sink of the interpreter's walk, which is the specification: so the verdict on bytes, with its budget, depth and
//! paths, is the same by construction, for every form. The targets of routines were no choice, since they make values from
//! the inside out and are not told whose they are; columns must know that before the first part comes. Speed is got where
//! most bytes are: the walk hands over a run that is there as a whole, and a program of loads and pushes takes it, without an
//! event for each slot. Messages that are a block and lists of blocks, most of SBE, are not even walked: their blocks are found in a
//! flat loop, their bytes are gathered, and each column takes its values out of many messages at once. Only sets and maps, whose
//! elements are sorted and doubles dropped, are values first; and so are types that are part of themselves, which are columns of
//! JSON, as Arrow's types are finite.
//!
//! A message is a row or nothing: when the walk finds a fault, what it put into the columns is taken away again.
//!
//! | schema | column |
//! |---|---|
//! | null, or missing in an older message | null, or the default, as decoding has it |
//! | enum | dictionary; a number without a name is its digits, as no name is |
//! | flags | list of names, and of the number of the bits without a name; or an integer |
//! | mantissa and constant exponent | `Decimal128` of that scale |
//! | decimal with its own scale | text, or `Decimal128` of a scale that is asked for |
//! | timestamp; 64 bits with a `timeUnit` or the semantic type `UTCTimestamp` | `Timestamp` of that unit, UTC |
//! | days of 16 bits of the semantic type `LocalMktDate` | `Date32` |
//! | group, list, set | list; groups also as tables of their own ([`Splitter`]) |
//! | map | map |
//! | union | struct of `tag` and its arms, of which at most one is not null |
//! | uuid | 16 bytes, of Arrow's extension type `arrow.uuid` |
//! | no value, record without fields | true where it is there |
//! | value of an open type | bytes |
//! | part of itself | JSON |

mod file;
mod gather;
mod many;
mod millis;
mod names;
mod program;
mod rows;
mod shape;
mod sink;
mod source;
mod split;
mod store;
mod table;
mod text;

pub use file::{File, Kind as FileKind};
pub use rows::{RowField, RowKind, RowTable, Rows};
pub use source::{Packet, Place, Source};
pub use split::{Part, Splitter};
pub use table::{Groups, Table};

use aldis_interpreter::{Codec, Fault};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, FieldRef, Schema, SchemaRef};
use gather::Gather;
use program::Programs;
use shape::Shaper;
use sink::ColumnSink;
use std::sync::Arc;
use store::{Id, Kind, Store, HOLE};

/// The column of a message that is one value.
const VALUE: &str = "value";
/// The name of the column of rows' numbers, where lists of records are tables of their own.
const ROW: &str = "_row";

/// The columns of enums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Enums {
    #[default]
    Names,
    Numbers,
}

/// The columns of flags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sets {
    #[default]
    Lists,
    Integers,
}

/// The choices that columns are made by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    pub enums: Enums,
    pub sets: Sets,
    /// Times are Arrow's timestamps and dates; integers when false.
    pub times: bool,
    /// The scale of decimals that have scales of their own; they are text without one.
    pub decimals: Option<u8>,
}

impl Default for Options {
    fn default() -> Self {
        Self { enums: Enums::default(), sets: Sets::default(), times: true, decimals: None }
    }
}

/// The columns of one message.
#[derive(Debug)]
pub struct Columns {
    message: usize,
    root: Id,
    /// The value of a message that is one is wanted.
    has_value: bool,
    store: Store,
    programs: Programs,
    /// Messages that are not in the columns yet, where they come in a shape that is put there many at once.
    gather: Option<Gather>,
    open: Vec<Id>,
    rows: usize,
    remarks: Vec<String>,
}

impl Columns {
    /// For a message of the codec's, which is to be given each time.
    pub fn new(codec: &Codec, message: usize, options: &Options) -> Self {
        Self::chosen(codec, message, options, &|_| true)
    }

    /// The same of those fields alone whose names are `wanted`. The bytes of the others are checked, but nothing is kept of them, and
    /// nobody asks whether a column could hold them.
    pub fn chosen(codec: &Codec, message: usize, options: &Options, wanted: &dyn Fn(&str) -> bool) -> Self {
        let plan = codec.plan();
        let record = plan.messages[message].record;
        let mut shaper = Shaper::new(plan, options);
        let root = shaper.message(record, plan.schema.record(record), wanted);
        let Shaper { store, programs, remarks, .. } = shaper;
        let gather = Gather::of(codec, message, (&store, &programs), root);
        Self { message, root, has_value: wanted(VALUE), store, programs, gather, open: Vec::new(), rows: 0, remarks }
    }

    /// The surprises that some columns have for readers, a sentence each.
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// About how many bytes the rows take.
    pub fn size(&self) -> usize {
        self.store.size() + self.gather.as_ref().map_or(0, Gather::size)
    }

    /// Makes a row of the message that begins at `bytes`, and gives how many bytes it takes. Text must be in its encoding,
    /// whatever the codec says, as Arrow's text is.
    ///
    /// # Errors
    /// As [`Codec::decode`] with strict text, and `out-of-range` and `too-large` for what columns cannot hold. There is no new row then.
    pub fn push(&mut self, codec: &Codec, bytes: &[u8]) -> Result<usize, Fault> {
        if let (Some(gather), Some(blocks)) = (&mut self.gather, codec.blocks(self.message)) {
            if let Some(size) = gather.push(codec, blocks, &self.store, bytes) {
                self.rows += 1;
                if gather.is_full() {
                    gather.flush(&mut self.store);
                }
                return Ok(size);
            }
            gather.flush(&mut self.store);
        }
        self.walk(codec, bytes)
    }

    /// Makes a row by the walk over the message.
    fn walk(&mut self, codec: &Codec, bytes: &[u8]) -> Result<usize, Fault> {
        self.open.clear();
        let sink = ColumnSink {
            store: &mut self.store,
            programs: &self.programs,
            codec,
            open: &mut self.open,
            current: self.root,
            nested: None,
            refused: None,
        };
        let (sink, result) = codec.walk(self.message, bytes, sink);
        let result = match (result, sink.refused) {
            (Ok(_), Some(fault)) => Err(fault),
            (result, _) => result,
        };
        match result {
            Ok(size) => {
                self.rows += 1;
                Ok(size)
            }
            Err(fault) => {
                self.store.truncate(self.root, self.rows);
                Err(codec.in_input(fault))
            }
        }
    }

    /// Takes the last row away.
    pub fn pop(&mut self) {
        self.flush();
        self.rows = self.rows.saturating_sub(1);
        self.store.truncate(self.root, self.rows);
    }

    fn flush(&mut self) {
        if let Some(gather) = &mut self.gather {
            gather.flush(&mut self.store);
        }
    }

    fn fields(&self) -> Vec<Id> {
        match &self.store.0[self.root].kind {
            Kind::Record { fields } => fields.iter().copied().filter(|id| *id != HOLE).collect(),
            // A message that is itself a decimal, or has no fields.
            Kind::Unit => Vec::new(),
            _ if !self.has_value => Vec::new(),
            _ => vec![self.root],
        }
    }

    /// The columns' names and types.
    pub fn schema(&self) -> SchemaRef {
        let fields = self.fields().into_iter().map(|id| {
            let field = self.store.0[id].field();
            Arc::new(if field.name().is_empty() { field.with_name(VALUE) } else { field })
        });
        Arc::new(Schema::new(fields.collect::<Vec<FieldRef>>()))
    }

    /// The columns; there are no rows then.
    ///
    /// # Errors
    /// Those of Arrow, whose checks the columns pass.
    pub fn take(&mut self) -> Result<Vec<ArrayRef>, ArrowError> {
        self.flush();
        let arrays = self.fields().into_iter().map(|id| self.store.take(id)).collect::<Result<_, _>>()?;
        self.store.truncate(self.root, 0);
        self.rows = 0;
        Ok(arrays)
    }

    /// The rows as a batch; there are none then.
    ///
    /// # Errors
    /// As [`Columns::take`].
    pub fn batch(&mut self) -> Result<RecordBatch, ArrowError> {
        let options = arrow_array::RecordBatchOptions::new().with_row_count(Some(self.rows));
        let schema = self.schema();
        RecordBatch::try_new_with_options(schema, self.take()?, &options)
    }
}
