//! Columns of any bytes: rows are what decoding says, refusals are its faults, and files take them.

use aldis_columns::{Columns, Enums, File, FileKind, Groups, Options, Place, Sets, Table};
use aldis_interpreter::{Code, Codec, Value};
use same::Sameness;
use std::io;
use std::sync::OnceLock;

#[path = "../compiler/columns/tests/columns/same.rs"]
mod same;

/// A list of records without bytes has a row of nulls for each, as wide as the record: columns take so many bytes for each
/// byte that the interpreter may visit, and no more.
const WIDEST: usize = 256;

/// The codecs of all formats.
fn codecs() -> &'static [Codec] {
    static CODECS: OnceLock<Vec<Codec>> = OnceLock::new();
    CODECS.get_or_init(crate::strict)
}

/// Messages, each with a length of 16 bits in front; the last one may be cut.
fn frames(mut bytes: &[u8]) -> Vec<&[u8]> {
    let mut frames = Vec::new();
    while let [low, high, rest @ ..] = bytes {
        let length = usize::from(u16::from_le_bytes([*low, *high])).min(rest.len());
        let (frame, more) = rest.split_at(length);
        frames.push(frame);
        bytes = more;
    }
    frames
}

fn options(how: u8) -> Options {
    match how % 3 {
        0 => Options { times: false, ..Options::default() },
        1 => Options { enums: Enums::Numbers, sets: Sets::Integers, times: false, decimals: Some(9) },
        _ => Options::default(),
    }
}

/// The first byte picks a codec, the second a message (255: the one that the first frame says), the third the columns and the
/// file; framed messages follow.
pub fn columns(data: &[u8]) {
    let [form, message, how, bytes @ ..] = data else { return };
    let codec = &codecs()[usize::from(*form) % codecs().len()];
    let frames = frames(bytes);
    let message = match message {
        255 => frames.first().and_then(|frame| codec.find(frame).ok()).unwrap_or(0),
        number => usize::from(*number) % codec.plan().messages.len(),
    };
    let options = options(*how);
    let mut columns = Columns::new(codec, message, &options);
    let mut values = Vec::new();
    let mut most = columns.size();
    for frame in &frames {
        match (codec.decode(message, frame), columns.push(codec, frame)) {
            (Ok((value, size)), Ok(taken)) => {
                assert_eq!(taken, size);
                most += WIDEST * (codec.limits.budget_base as usize + 8 * frame.len());
                values.push(value);
            }
            (Err(wanted), Err(found)) => assert_eq!(found, wanted),
            (Ok(_), Err(fault)) => assert!(matches!(fault.code, Code::OutOfRange | Code::BadValue), "{fault}"),
            (Err(fault), Ok(_)) => panic!("no row comes of a message with a fault: {fault}"),
        }
        assert_eq!(columns.rows(), values.len());
        assert!(columns.size() <= most, "{} rows take {} bytes, beyond {most}", columns.rows(), columns.size());
    }
    compare(codec, message, options, columns, &values);
    // Files take a hundred times as long as columns.
    if how & 128 != 0 {
        write(codec, message, options, (how & 127) / 3, &frames);
    }
}

/// Rows hold the values.
fn compare(codec: &Codec, message: usize, options: Options, mut columns: Columns, values: &[Value]) {
    let batch = columns.batch().expect("Arrow takes the columns");
    assert_eq!(batch.num_rows(), values.len());
    let record = codec.plan().messages[message].record;
    let fields = &codec.plan().schema.record(record).fields;
    let sameness = Sameness { codec, options };
    for (row, value) in values.iter().enumerate() {
        let Value::Record(given) = value else { panic!("a message is a record: {value:?}") };
        // A message that is itself a decimal is one column.
        if batch.num_columns() == fields.len() {
            sameness.fields(fields, record, given, batch.columns(), row);
        }
    }
}

/// Writes the same messages into a file, two batches where there are rows for them.
fn write(codec: &Codec, message: usize, options: Options, how: u8, frames: &[&[u8]]) {
    let kind = [FileKind::Parquet, FileKind::Arrow, FileKind::Csv, FileKind::Jsonl][usize::from(how) % 4];
    let groups = if how & 4 == 0 { Groups::Lists } else { Groups::Tables };
    let mut table = Table::new(codec, message, &options, (how & 8 != 0, groups));
    let mut files: Vec<File<io::Sink>> = Vec::new();
    for half in frames.chunks(frames.len().div_ceil(2).max(1)) {
        for (number, frame) in half.iter().enumerate() {
            let place = Place { message: number as u64, offset: 0, packet: None };
            let _ = table.push(codec, frame, &place);
        }
        for (number, part) in table.take().expect("Arrow takes the columns").into_iter().enumerate() {
            if files.len() == number {
                files.push(File::new(kind, io::sink(), &part.batch.schema()).expect("a file begins"));
            }
            files[number].write(&part.batch).expect("a file takes rows");
        }
    }
    files.into_iter().for_each(|file| file.finish().expect("a file ends"));
}
