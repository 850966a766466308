//! The rows of one message with all that stands beside them.

use crate::shape::{names_of, scaled, told_apart};
use crate::{Columns, Options, Part, Place, Source, Splitter, ROW, VALUE};
use aldis_interpreter::{Codec, Fault};
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions, StructArray};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Fields, Schema, SchemaRef};
use std::collections::{HashMap, HashSet};
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

    /// The same with the columns alone whose names are `wanted`, as they are in the table of all: see [`Columns::chosen`]. Tables of groups go
    /// by the group's name, and have all columns.
    pub fn chosen(
        codec: &Codec,
        message: usize,
        options: &Options,
        (packets, groups): (bool, Groups),
        wanted: &dyn Fn(&str) -> bool,
    ) -> Self {
        let source = Source::new(packets);
        let names = Names::new(codec, message, &source, groups);
        let columns = Columns::chosen(codec, message, options, &|own| wanted(names.of(own)));
        let header = names.header.as_deref().filter(|name| wanted(name)).and(codec.header_message());
        let header = header.map(|header| Columns::new(codec, header, options));
        let places: Vec<bool> = names.places.iter().map(|name| wanted(name)).collect();
        let named = |(field, name): (FieldRef, &String)| Arc::new(field.as_ref().clone().with_name(name));
        let mut fields: Vec<FieldRef> = source.fields().into_iter().zip(&names.places).map(named).collect();
        let mut is_wanted = places.iter();
        fields.retain(|_| is_wanted.next().copied().unwrap_or(true));
        if let (Some(header), Some(name)) = (&header, &names.header) {
            let data = DataType::Struct(header.schema().fields().clone());
            fields.push(Arc::new(Field::new(name, data, false)));
        }
        let own = columns.schema();
        fields.extend(own.fields().iter().map(|field| {
            let name = names.of(field.name());
            Arc::new(field.as_ref().clone().with_name(name))
        }));
        let schema = Arc::new(Schema::new(fields));
        let splitter = (groups == Groups::Tables).then(Splitter::default);
        Self { source, places, header, columns, schema, splitter }
    }

    /// The names of all columns that a message has in a table, those among them that say where a row comes from.
    pub fn names(codec: &Codec, message: usize, (packets, groups): (bool, Groups)) -> HashSet<String> {
        let Names { places, header, own } = Names::new(codec, message, &Source::new(packets), groups);
        let row = (groups == Groups::Tables).then(|| ROW.to_owned());
        row.into_iter().chain(places).chain(header).chain(own.into_values()).collect()
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

/// The names of all columns that a message has in a table. They are told apart before any is left out, so that a column has the same name
/// whichever others are wanted.
struct Names {
    places: Vec<String>,
    header: Option<String>,
    /// By the names of the message's own columns: what each is called beside the others.
    own: HashMap<String, String>,
}

impl Names {
    fn new(codec: &Codec, message: usize, source: &Source, groups: Groups) -> Self {
        let record = codec.plan().schema.record(codec.plan().messages[message].record);
        let own = if scaled(record).is_some() { vec![VALUE.to_owned()] } else { names_of(record) };
        // The columns that [`Splitter`] puts before all.
        let row = (groups == Groups::Tables).then(|| ROW.to_owned());
        let places: Vec<String> = source.fields().iter().map(|field| field.name().clone()).collect();
        let header = codec.header_message().filter(|header| *header != message).map(|_| HEADER.to_owned());
        let (before, count, has_header) = (row.iter().len(), places.len(), header.is_some());
        let mut names = told_apart(row.into_iter().chain(places).chain(header).chain(own.iter().cloned())).into_iter();
        let places = names.by_ref().skip(before).take(count).collect();
        let header = if has_header { names.next() } else { None };
        Self { places, header, own: own.into_iter().zip(names).collect() }
    }

    /// The name of a column of the message's own, beside those of the others.
    fn of<'n>(&'n self, own: &'n str) -> &'n str {
        self.own.get(own).map_or(own, String::as_str)
    }
}

/// The fields, with a line below behind the name of each that another one has before it.
pub(crate) fn unique(fields: Vec<FieldRef>) -> Vec<FieldRef> {
    let names = told_apart(fields.iter().map(|field| field.name().clone()));
    let renamed = fields.into_iter().zip(names).map(|(field, name)| match name == *field.name() {
        true => field,
        false => Arc::new(field.as_ref().clone().with_name(name)),
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
