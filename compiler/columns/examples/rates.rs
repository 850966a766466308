//! Times of a framed stream in memory, by turns in one thread: every message verified and nothing kept, as columns in Arrow's memory,
//! to Parquet, and the part of Parquet that the crates take for batches that are ready.
//!
//! `rates SCHEMA STREAM [ROUNDS]`, the stream with u32 little endian lengths. Prints the bytes and messages of the stream, then a line a
//! run: what, messages, nanoseconds of the processor.

use aldis_columns::{File, FileKind, Groups, Options, Place, Table};
use aldis_interpreter::Codec;
use arrow_array::RecordBatch;
use std::error::Error;
use std::io::{self, Write};
use std::time::Instant;

/// Nanoseconds of the processor that this thread has had, so that others on the machine do not count; the clock's where the
/// system does not say.
fn now(begin: Instant) -> u64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let told = told.and_then(|text| text.split(' ').next()?.parse().ok());
    told.unwrap_or_else(|| begin.elapsed().as_nanos() as u64)
}

/// A batch of `aldis convert`.
const ROWS: usize = 16 << 10;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Calls `take` with each message of a stream: what it is, its bytes, and its place.
fn each<'s>(
    codec: &Codec,
    stream: &'s [u8],
    mut take: impl FnMut(usize, &'s [u8], Place<'static>) -> Outcome<()>,
) -> Outcome<u64> {
    let (mut at, mut messages) = (0, 0);
    while let Some(length) = stream.get(at..at + 4) {
        let length = u32::from_le_bytes(length.try_into()?) as usize;
        let bytes = stream.get(at + 4..at + 4 + length).ok_or("the stream is cut")?;
        let message = codec.find(bytes).map_err(|fault| fault.to_string())?;
        take(message, bytes, Place { message: messages, offset: at as u64 + 4, packet: None })?;
        (at, messages) = (at + 4 + length, messages + 1);
    }
    Ok(messages)
}

/// Looks at every message for damage.
fn verify(codec: &Codec, stream: &[u8]) -> Outcome<u64> {
    each(codec, stream, |message, bytes, _| match codec.verify(message, bytes) {
        Ok(_) => Ok(()),
        Err(fault) => Err(fault.to_string().into()),
    })
}

/// Calls `full` with the batches of the messages of a stream, each with its message's number.
fn batches(codec: &Codec, stream: &[u8], mut full: impl FnMut(usize, RecordBatch) -> Outcome<()>) -> Outcome<u64> {
    let mut tables: Vec<Option<Table>> = codec.plan().messages.iter().map(|_| None).collect();
    // As they are stored: those of random messages may be beyond what a timestamp can be.
    let options = Options { times: false, ..Options::default() };
    let messages = each(codec, stream, |message, bytes, place| {
        let make = || Table::new(codec, message, &options, (false, Groups::Lists));
        let table = tables[message].get_or_insert_with(make);
        table.push(codec, bytes, &place).map_err(|fault| fault.to_string())?;
        if table.rows() >= ROWS {
            full(message, table.take()?.swap_remove(0).batch)?;
        }
        Ok(())
    })?;
    for (message, table) in tables.iter_mut().enumerate() {
        if let Some(table) = table {
            full(message, table.take()?.swap_remove(0).batch)?;
        }
    }
    Ok(messages)
}

/// Files of Parquet that nobody keeps, by message.
struct Files(Vec<Option<File<io::Sink>>>);

impl Files {
    fn new(codec: &Codec) -> Self {
        Self(codec.plan().messages.iter().map(|_| None).collect())
    }

    fn write(&mut self, message: usize, batch: &RecordBatch) -> Outcome<()> {
        if self.0[message].is_none() {
            self.0[message] = Some(File::new(FileKind::Parquet, io::sink(), &batch.schema())?);
        }
        Ok(self.0[message].as_mut().map_or(Ok(()), |file| file.write(batch))?)
    }

    fn finish(self) -> Outcome<()> {
        self.0.into_iter().flatten().try_for_each(|file| Ok(file.finish()?))
    }
}

fn main() -> Outcome<()> {
    let mut args = std::env::args().skip(1);
    let (Some(schema), Some(stream)) = (args.next(), args.next()) else { return Err("rates SCHEMA STREAM".into()) };
    let rounds: usize = args.next().map_or(Ok(5), |rounds| rounds.parse())?;
    let stream = std::fs::read(stream)?;
    let codec = Codec::new(aldis_testkit::plans_in(&schema, &aldis_testkit::Disk).swap_remove(0));
    let mut ready = Vec::new();
    let messages = batches(&codec, &stream, |message, batch| {
        ready.push((message, batch));
        Ok(())
    })?;
    let mut out = io::stdout();
    let start = Instant::now();
    writeln!(out, "{}\t{messages}", stream.len())?;
    for _ in 0..rounds {
        let begin = now(start);
        verify(&codec, &stream)?;
        writeln!(out, "verified in memory\t{messages}\t{}", now(start) - begin)?;
        let begin = now(start);
        batches(&codec, &stream, |_, _| Ok(()))?;
        writeln!(out, "Arrow in memory\t{messages}\t{}", now(start) - begin)?;
        let begin = now(start);
        let mut files = Files::new(&codec);
        batches(&codec, &stream, |message, batch| files.write(message, &batch))?;
        files.finish()?;
        writeln!(out, "Parquet\t{messages}\t{}", now(start) - begin)?;
        let begin = now(start);
        let mut files = Files::new(&codec);
        ready.iter().try_for_each(|(message, batch)| files.write(*message, batch))?;
        files.finish()?;
        writeln!(out, "Parquet of batches that are ready, by the crates\t{messages}\t{}", now(start) - begin)?;
    }
    Ok(())
}
