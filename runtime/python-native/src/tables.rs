//! Messages as tables of Arrow, which Python's libraries take over Arrow's C interface, without a copy and without a library of ours.

use crate::{error, guarded, raised, Refused, Schema};
use aldis_columns::{Enums, Groups, Options, Place, Sets, Table as Rows};
use aldis_interpreter::Fault;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchIterator};
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

/// A batch has no more rows, and its columns no more bytes, than about this.
const ROWS: usize = 64 << 10;
const BYTES: usize = 64 << 20;

/// The rows of one message, or of one group of a message.
#[pyclass(frozen)]
pub struct Table {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

#[pymethods]
impl Table {
    fn __len__(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// The names of the columns.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    fn __repr__(&self) -> String {
        format!("<Table of {} rows: {}>", self.__len__(), self.names().join(", "))
    }

    /// The rows as a stream of Arrow's C interface, which pyarrow, polars and duckdb ask for. Another schema than the table's own may be
    /// asked for, and need not be given.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        let batches = self.batches.clone().into_iter().map(Ok::<_, ArrowError>);
        let reader = RecordBatchIterator::new(batches, self.schema.clone());
        let stream = FFI_ArrowArrayStream::new(Box::new(reader));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }
}

/// The wishes of whoever asks for tables: `framing` is the width of the length before each message in bytes, negative where its first byte
/// is the highest; 0 where messages lie side by side.
#[derive(FromPyObject)]
pub struct Wishes {
    pub framing: i8,
    message: Option<String>,
    messages: Option<Vec<String>>,
    columns: Option<Vec<String>>,
    skip: bool,
    /// Further bytes follow, so that a frame at the end may be cut.
    more: bool,
    groups: bool,
    numbers: bool,
    integers: bool,
    times: bool,
    decimals: Option<u8>,
    /// The place of the first byte in its file, and the number of its message.
    begin: u64,
    first: u64,
}

impl Wishes {
    /// What is made of groups.
    fn tables_of(&self) -> Groups {
        if self.groups {
            Groups::Tables
        } else {
            Groups::Lists
        }
    }
}

/// Tables by name, how many messages were skipped, the fault that ended them, where the last whole frame ends, and how many there are.
type Found<'py> = (BTreeMap<String, Table>, u64, Option<Bound<'py, PyAny>>, usize, u64);

/// The tables of the messages in `bytes`, by name: those before a fault, or with `skip` those around faults.
#[pyfunction]
pub fn tables<'py>(py: Python<'py>, schema: &Schema, bytes: &[u8], wishes: Wishes) -> PyResult<Found<'py>> {
    let made = guarded::<_, Stopped>(py, || {
        let mut making = Making::new(schema, &wishes)?;
        let ended = making.all(bytes)?;
        Ok((making.finish()?, ended))
    })?;
    let (tables, Ended { fault, end, count, skipped }) = made.map_err(|stopped| told(py, stopped))?;
    let fault = fault.map(|(fault, start)| error(py, &fault, start)).transpose()?;
    Ok((tables, skipped, fault, end, count))
}

/// The same tables without rows: they have the columns of those that are wanted.
#[pyfunction]
pub fn empty(py: Python<'_>, schema: &Schema, wishes: Wishes) -> PyResult<BTreeMap<String, Table>> {
    let made = guarded::<_, Stopped>(py, || {
        let mut making = Making::new(schema, &wishes)?;
        for message in 0..making.rows.len() {
            if making.chosen.wanted[message] {
                making.begun(message);
            }
        }
        making.finish()
    })?;
    made.map_err(|stopped| told(py, stopped))
}

pub fn told(py: Python<'_>, stopped: Stopped) -> PyErr {
    match stopped {
        Stopped::Refused(refused) => raised(py, refused),
        Stopped::Arrow(error) => PyValueError::new_err(error.to_string()),
    }
}

/// The frames of a file at which parts of about `size` bytes begin, and where the last whole frame ends; lengths are as [`Wishes`] has them.
#[pyfunction]
pub fn cuts(py: Python<'_>, path: PathBuf, framing: i8, size: u64) -> PyResult<Vec<u64>> {
    Ok(guarded(py, || found_cuts(&path, framing, size))??)
}

fn found_cuts(path: &Path, framing: i8, size: u64) -> io::Result<Vec<u64>> {
    let file = File::open(path)?;
    let whole = file.metadata()?.len();
    let mut reader = BufReader::with_capacity(1 << 20, file);
    let mut head = vec![0; usize::from(framing.unsigned_abs())];
    let (mut at, mut cuts) = (0, vec![0]);
    while at + head.len() as u64 <= whole {
        reader.read_exact(&mut head)?;
        let length = length(&head, framing) as u64;
        if length > whole - at - head.len() as u64 {
            break;
        }
        // Within the buffer where it reaches so far.
        reader.seek_relative(length.cast_signed())?;
        at += head.len() as u64 + length;
        if at - cuts[cuts.len() - 1] >= size.max(1) {
            cuts.push(at);
        }
    }
    // A frame that is cut is the last part's, which says so.
    if cuts[cuts.len() - 1] < whole {
        cuts.push(whole);
    }
    Ok(cuts)
}

fn length(head: &[u8], framing: i8) -> usize {
    let add = |sum: usize, octet: &u8| sum << 8 | usize::from(*octet);
    match framing < 0 {
        true => head.iter().fold(0, add),
        false => head.iter().rev().fold(0, add),
    }
}

pub enum Stopped {
    Refused(Refused),
    Arrow(ArrowError),
}

impl From<Refused> for Stopped {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused)
    }
}

impl From<ArrowError> for Stopped {
    fn from(error: ArrowError) -> Self {
        Self::Arrow(error)
    }
}

/// The messages that are asked for.
#[derive(Clone)]
pub struct Chosen {
    /// The message that all bytes are.
    only: Option<usize>,
    /// By message.
    pub wanted: Vec<bool>,
}

impl Chosen {
    pub fn new(schema: &Schema, wishes: &Wishes) -> Result<Self, Refused> {
        let mut wanted = vec![wishes.messages.is_none(); schema.codec.plan().messages.len()];
        for name in wishes.messages.iter().flatten() {
            wanted[schema.message(&[], Some(name))?] = true;
        }
        let only = wishes.message.as_deref().map(|name| schema.message(&[], Some(name))).transpose()?;
        Ok(Self { only, wanted })
    }

    /// Leaves messages out that have none of the columns that are wanted.
    fn limit(&mut self, schema: &Schema, wishes: &Wishes) -> Result<(), Refused> {
        let Some(columns) = &wishes.columns else { return Ok(()) };
        let names = |message| Rows::names(&schema.codec, message, (false, wishes.tables_of()));
        let names: Vec<HashSet<String>> = (0..self.wanted.len()).map(names).collect();
        let is_asked = |message: &usize| self.wanted[*message] && self.only.is_none_or(|only| only == *message);
        let asked = (0..self.wanted.len()).filter(is_asked);
        if let Some(name) = columns.iter().find(|name| !asked.clone().any(|message| names[message].contains(*name))) {
            return Err(Refused::Column(name.clone()));
        }
        let has_some: Vec<bool> = names.iter().map(|own| columns.iter().any(|name| own.contains(name))).collect();
        self.wanted.iter_mut().zip(has_some).for_each(|(wanted, has_some)| *wanted &= has_some);
        Ok(())
    }
}

/// The end of a source of messages.
pub struct Ended {
    /// The fault that ended them, which is in bytes from the offset beside it on.
    pub fault: Option<(Fault, usize)>,
    /// Where the last whole frame ends.
    pub end: usize,
    /// How many frames there are, and how many of them were skipped.
    pub count: u64,
    pub skipped: u64,
}

/// Gives each wanted message in `bytes` to `take`, which says how many bytes it takes, up to a fault that ends them.
pub fn each(
    schema: &Schema,
    chosen: &Chosen,
    wishes: &Wishes,
    bytes: &[u8],
    mut take: impl FnMut(usize, &[u8], &Place<'_>) -> Result<usize, Stopped>,
) -> Result<Ended, Stopped> {
    let (mut end, mut count, mut skipped) = (0, 0, 0);
    while end < bytes.len() {
        let (start, frame_end) = match frame(bytes, end, wishes.framing) {
            Ok(found) => found,
            Err(_) if wishes.more => break,
            Err(fault) => return Ok(Ended { fault: Some((fault, end)), end, count, skipped }),
        };
        let place = Place { message: wishes.first + count, offset: wishes.begin + start as u64, packet: None };
        count += 1;
        let message = &bytes[start..frame_end];
        let size = match found(schema, chosen, message) {
            Ok(found) if chosen.wanted[found] => take(found, message, &place),
            Ok(found) if wishes.framing == 0 => {
                schema.codec.verify(found, message).map_err(|fault| Refused::from(fault).into())
            }
            Ok(_) => Ok(message.len()),
            Err(refused) => Err(refused.into()),
        };
        match size {
            Ok(size) => end = if wishes.framing == 0 { start + size.max(1) } else { frame_end },
            // Without a frame nobody knows where the next message begins.
            Err(Stopped::Refused(Refused::Fault(fault))) if !wishes.skip || wishes.framing == 0 => {
                return Ok(Ended { fault: Some((fault, start)), end, count, skipped });
            }
            Err(Stopped::Refused(Refused::Fault(_))) => {
                skipped += 1;
                end = frame_end;
            }
            Err(other) => return Err(other),
        }
    }
    Ok(Ended { fault: None, end, count, skipped })
}

/// The message that the bytes are.
fn found(schema: &Schema, chosen: &Chosen, bytes: &[u8]) -> Result<usize, Refused> {
    match chosen.only {
        Some(only) => Ok(only),
        None => Ok(schema.codec.find(bytes)?),
    }
}

/// Where the message of the frame at `at` begins and ends.
fn frame(bytes: &[u8], at: usize, framing: i8) -> Result<(usize, usize), Fault> {
    let width = usize::from(framing.unsigned_abs());
    let cut = |text: String| Fault::at(aldis_interpreter::Code::Truncated, 0, text);
    if width == 0 {
        return Ok((at, bytes.len()));
    }
    let head = bytes.get(at..at + width).ok_or_else(|| cut("the input ends in a frame's length".to_owned()))?;
    let length = length(head, framing);
    let start = at + width;
    let left = bytes.len() - start;
    if length > left {
        return Err(cut(format!("a frame of {length} bytes, of which {left} are there")));
    }
    Ok((start, start + length))
}

/// Tables in the making.
struct Making<'a> {
    schema: &'a Schema,
    wishes: &'a Wishes,
    options: Options,
    chosen: Chosen,
    /// By message.
    rows: Vec<Option<Rows>>,
    done: BTreeMap<String, Table>,
}

impl<'a> Making<'a> {
    fn new(schema: &'a Schema, wishes: &'a Wishes) -> Result<Self, Stopped> {
        let mut chosen = Chosen::new(schema, wishes)?;
        chosen.limit(schema, wishes)?;
        let options = Options {
            enums: if wishes.numbers { Enums::Numbers } else { Enums::Names },
            sets: if wishes.integers { Sets::Integers } else { Sets::Lists },
            times: wishes.times,
            decimals: wishes.decimals,
        };
        let rows = chosen.wanted.iter().map(|_| None).collect();
        Ok(Self { schema, wishes, options, chosen, rows, done: BTreeMap::new() })
    }

    /// Makes rows of all messages, up to the fault that ends them.
    fn all(&mut self, bytes: &[u8]) -> Result<Ended, Stopped> {
        let (schema, chosen) = (self.schema, self.chosen.clone());
        each(schema, &chosen, self.wishes, bytes, |message, bytes, place| self.message(message, bytes, place))
    }

    fn message(&mut self, message: usize, bytes: &[u8], place: &Place<'_>) -> Result<usize, Stopped> {
        let codec = &self.schema.codec;
        let rows = self.begun(message);
        let size = rows.push(codec, bytes, place).map_err(Refused::from)?;
        if rows.rows() >= ROWS || (rows.rows().is_multiple_of(256) && rows.size() >= BYTES) {
            self.take(message)?;
        }
        Ok(size)
    }

    /// The rows of a message.
    fn begun(&mut self, message: usize) -> &mut Rows {
        let (codec, columns, groups) = (&self.schema.codec, &self.wishes.columns, self.wishes.tables_of());
        let wanted = |name: &str| columns.as_ref().is_none_or(|columns| columns.iter().any(|own| own == name));
        let made = || Rows::chosen(codec, message, &self.options, (false, groups), &wanted);
        self.rows[message].get_or_insert_with(made)
    }

    /// Makes batches of a message's rows.
    fn take(&mut self, message: usize) -> Result<(), Stopped> {
        let Some(rows) = &mut self.rows[message] else { return Ok(()) };
        for part in rows.take()? {
            let own = self.schema.codec.message_name(message);
            let name = if part.path.is_empty() { own } else { format!("{own}.{}", part.path) };
            let schema = part.batch.schema();
            let table = self.done.entry(name).or_insert_with(|| Table { schema, batches: Vec::new() });
            table.batches.push(part.batch);
        }
        Ok(())
    }

    fn finish(mut self) -> Result<BTreeMap<String, Table>, Stopped> {
        (0..self.rows.len()).try_for_each(|message| self.take(message))?;
        Ok(self.done)
    }
}
