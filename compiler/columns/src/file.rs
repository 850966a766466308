//! Batches into files.

use crate::{millis, text};
use arrow_array::RecordBatch;
use arrow_ipc::writer::{DictionaryHandling, FileWriter, IpcWriteOptions};
use arrow_schema::SchemaRef;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use std::io::{self, Write};

/// The formats of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Row groups of 128 Ki rows, zstd, statistics of each page. Times of seconds are milliseconds, as Parquet has no seconds.
    Parquet,
    /// Arrow's file format.
    Arrow,
    /// A value that has parts is JSON in its cell.
    Csv,
    Jsonl,
}

impl Kind {
    /// The ending of the names of such files.
    pub fn extension(self) -> &'static str {
        match self {
            Kind::Parquet => "parquet",
            Kind::Arrow => "arrow",
            Kind::Csv => "csv",
            Kind::Jsonl => "jsonl",
        }
    }
}

/// The most rows of a row group.
const GROUP: usize = 128 << 10;

/// A file of one table that is being written.
pub struct File<W: Write + Send>(Inner<W>);

enum Inner<W: Write + Send> {
    /// The schema is that of what is written.
    Parquet(Box<ArrowWriter<W>>, SchemaRef),
    Arrow(Box<FileWriter<W>>),
    Text {
        out: W,
        csv: bool,
        line: Vec<u8>,
    },
}

fn other(error: impl std::error::Error + Send + Sync + 'static) -> io::Error {
    io::Error::other(error)
}

impl<W: Write + Send> File<W> {
    /// Begins a file.
    ///
    /// # Errors
    /// Those of writing.
    pub fn new(kind: Kind, mut out: W, schema: &SchemaRef) -> io::Result<Self> {
        Ok(Self(match kind {
            Kind::Parquet => {
                let properties = WriterProperties::builder()
                    .set_compression(Compression::ZSTD(ZstdLevel::default()))
                    .set_statistics_enabled(EnabledStatistics::Page)
                    .set_max_row_group_row_count(Some(GROUP))
                    .build();
                let schema = millis::schema(schema);
                let writer = ArrowWriter::try_new(out, schema.clone(), Some(properties)).map_err(other)?;
                Inner::Parquet(Box::new(writer), schema)
            }
            Kind::Arrow => {
                // Names that are met later are added to dictionaries that are in the file already.
                let options = IpcWriteOptions::default().with_dictionary_handling(DictionaryHandling::Delta);
                Inner::Arrow(Box::new(FileWriter::try_new_with_options(out, schema, options).map_err(other)?))
            }
            Kind::Csv => {
                let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
                let mut line = Vec::new();
                text::csv_head(&names, &mut line);
                out.write_all(&line)?;
                Inner::Text { out, csv: true, line }
            }
            Kind::Jsonl => Inner::Text { out, csv: false, line: Vec::new() },
        }))
    }

    /// Writes further rows.
    ///
    /// # Errors
    /// Those of writing.
    pub fn write(&mut self, batch: &RecordBatch) -> io::Result<()> {
        match &mut self.0 {
            Inner::Parquet(writer, schema) if batch.schema_ref() == schema => writer.write(batch).map_err(other),
            Inner::Parquet(writer, schema) => {
                writer.write(&millis::batch(batch, schema).map_err(other)?).map_err(other)
            }
            Inner::Arrow(writer) => writer.write(batch).map_err(other),
            Inner::Text { out, csv, line } => {
                line.clear();
                if *csv {
                    text::csv(batch, line);
                } else {
                    text::jsonl(batch, line);
                }
                out.write_all(line)
            }
        }
    }

    /// How many bytes of memory the file takes.
    pub fn memory(&self) -> usize {
        match &self.0 {
            Inner::Parquet(writer, _) => writer.memory_size(),
            _ => 0,
        }
    }

    /// Writes what is in memory, so that it takes none: an early end of a row group.
    ///
    /// # Errors
    /// Those of writing.
    pub fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Inner::Parquet(writer, _) => writer.flush().map_err(other),
            _ => Ok(()),
        }
    }

    /// Ends the file.
    ///
    /// # Errors
    /// Those of writing.
    pub fn finish(self) -> io::Result<()> {
        match self.0 {
            Inner::Parquet(writer, _) => writer.close().map(drop).map_err(other),
            Inner::Arrow(mut writer) => writer.finish().map_err(other),
            Inner::Text { mut out, .. } => out.flush(),
        }
    }
}
