//! The rows of one message with all that stands beside them.

use crate::shape::{called, scaled};
use crate::{Columns, Options, Part, Place, Source, Splitter, VALUE};
use aldis_interpreter::{Codec, Fault};
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions, StructArray};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Fields, Schema, SchemaRef};
use std::collections::HashSet;
use std::sync::Arc;

/// The name of the column of header values.
const HEADER: &str = "_header";

/// The columns of lists of records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Groups {
    #[default]
    Lists,
    /// Tables of their own: see [`Splitter`].
    Tables,
}

/// A table of a message: the places of its rows, the header values as the struct `_header` where messages have one, and its columns.
#[derive(Debug)]
pub struct Table {
    source: Source,
    /// Which of the source's columns are wanted.
    places: Vec<bool>,
    header: Option<Columns>,
    columns: Columns,
    schema: SchemaRef,
    splitter: Option<Splitter>,
}

impl Table {
    /// For a message of the codec's. Whether the input has `packets`, and what is made of groups.
    pub fn new(codec: &Codec, message: usize, options: &Options, (packets, groups): (bool, Groups)) -> Self {
        Self::chosen(codec, message, options, (packets, groups), &|_| true)
    }

    /// The same with the columns alone whose names are `wanted`; see [`Columns::chosen`]. Tables of groups go by the group's name, and have
    /// all columns.
    pub fn chosen(
        codec: &Codec,
        message: usize,
        options: &Options,
        (packets, groups): (bool, Groups),
        wanted: &dyn Fn(&str) -> bool,
    ) -> Self {
        let source = Source::new(packets);
        let columns = Columns::chosen(codec, message, options, wanted);
        let header = codec.header_message().filter(|header| *header != message && wanted(HEADER));
        let header = header.map(|header| Columns::new(codec, header, options));
        let mut fields = source.fields();
        let places: Vec<bool> = fields.iter().map(|field| wanted(field.name())).collect();
        let mut is_wanted = places.iter();
        fields.retain(|_| is_wanted.next().copied().unwrap_or(true));
        if let Some(header) = &header {
            let data = DataType::Struct(header.schema().fields().clone());
            fields.push(Arc::new(Field::new(HEADER, data, false)));
        }
        fields.extend(columns.schema().fields().iter().cloned());
        let schema = Arc::new(Schema::new(unique(fields)));
        let splitter = (groups == Groups::Tables).then(Splitter::default);
        Self { source, places, header, columns, schema, splitter }
    }

    /// Whether a message has a column of that name, which may be one of those that say where a row comes from.
    pub fn has(codec: &Codec, message: usize, packets: bool, name: &str) -> bool {
        let record = codec.plan().schema.record(codec.plan().messages[message].record);
        let is_header = || name == HEADER && codec.header_message().is_some_and(|header| header != message);
        let is_place = || Source::new(packets).fields().iter().any(|field| field.name() == name);
        let is_own = || match scaled(record) {
            Some(_) => name == VALUE,
            None => record.fields.iter().any(|field| called(field) == name),
        };
        is_own() || is_header() || is_place()
    }

    /// See [`Columns::remarks`].
    pub fn remarks(&self) -> &[String] {
        self.columns.remarks()
    }

    /// Whether each column of the other table is here too, with its type.
    pub fn has_all_of(&self, other: &Table) -> bool {
        has_fields(self.schema.fields(), other.schema.fields())
    }

    pub fn rows(&self) -> usize {
        self.columns.rows()
    }

    /// About how many bytes the rows take.
    pub fn size(&self) -> usize {
        self.columns.size() + self.source.size() + self.header.as_ref().map_or(0, Columns::size)
    }

    /// Makes a row; see [`Columns::push`].
    ///
    /// # Errors
    /// As [`Columns::push`]. There is no new row then.
    pub fn push(&mut self, codec: &Codec, bytes: &[u8], place: &Place<'_>) -> Result<usize, Fault> {
        if let Some(header) = &mut self.header {
            header.push(codec, bytes)?;
        }
        match self.columns.push(codec, bytes) {
            Ok(size) => {
                self.source.push(place);
                Ok(size)
            }
            Err(fault) => {
                self.header.iter_mut().for_each(Columns::pop);
                Err(fault)
            }
        }
    }

    /// All rows as batches, the message's own first; there are none then.
    ///
    /// # Errors
    /// Those of Arrow, whose checks the columns pass.
    pub fn take(&mut self) -> Result<Vec<Part>, ArrowError> {
        let options = RecordBatchOptions::new().with_row_count(Some(self.rows()));
        let mut arrays = self.source.take()?;
        let mut is_wanted = self.places.iter();
        arrays.retain(|_| is_wanted.next().copied().unwrap_or(true));
        if let Some(header) = &mut self.header {
            let fields = header.schema().fields().clone();
            let rows = header.rows();
            let members: Vec<ArrayRef> = header.take()?;
            arrays.push(Arc::new(StructArray::try_new_with_length(fields, members, None, rows)?));
        }
        arrays.extend(self.columns.take()?);
        let batch = RecordBatch::try_new_with_options(self.schema.clone(), arrays, &options)?;
        match &mut self.splitter {
            Some(splitter) => splitter.split(&batch),
            None => Ok(vec![Part { path: String::new(), batch }]),
        }
    }
}

/// The fields, with a line below behind the name of each that another one has before it.
pub(crate) fn unique(fields: Vec<FieldRef>) -> Vec<FieldRef> {
    let mut seen = HashSet::new();
    let renamed = fields.into_iter().map(|field| {
        let mut name = field.name().clone();
        while !seen.insert(name.clone()) {
            name.push('_');
        }
        if name == *field.name() {
            field
        } else {
            Arc::new(field.as_ref().clone().with_name(name))
        }
    });
    renamed.collect()
}

fn has_fields(all: &Fields, some: &Fields) -> bool {
    some.iter().all(|field| all.find(field.name()).is_some_and(|(_, own)| has_type(own.data_type(), field.data_type())))
}

/// Whether values of the other type are values of this one: records may have more fields, and all may be null.
fn has_type(own: &DataType, other: &DataType) -> bool {
    match (own, other) {
        (DataType::Struct(own), DataType::Struct(other)) => has_fields(own, other),
        (DataType::List(own), DataType::List(other)) | (DataType::Map(own, _), DataType::Map(other, _)) => {
            has_type(own.data_type(), other.data_type())
        }
        (DataType::FixedSizeList(own, size), DataType::FixedSizeList(other, length)) => {
            size == length && has_type(own.data_type(), other.data_type())
        }
        _ => own == other,
    }
}
