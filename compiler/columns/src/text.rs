//! Batches as text: JSON lines and CSV.

use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, TimeUnit};
use base64::engine::general_purpose::STANDARD;
use base64::Engine;
use std::io::Write;

/// A line of JSON for each row. Integers of 64 bits are numbers, times text of RFC 3339, decimals text, bytes base64,
/// numbers that are none null.
pub(crate) fn jsonl(batch: &RecordBatch, out: &mut Vec<u8>) {
    let keys: Vec<Vec<u8>> = batch.schema().fields().iter().map(|field| key(field.name())).collect();
    for row in 0..batch.num_rows() {
        object(keys.iter().zip(batch.columns()), row, out);
        out.push(b'\n');
    }
}

/// The names of the columns.
pub(crate) fn csv_head(names: &[&str], out: &mut Vec<u8>) {
    for (index, name) in names.iter().enumerate() {
        comma(index, out);
        cell(name.as_bytes(), out);
    }
    out.push(b'\n');
}

/// A line for each row: null is empty, and empty text is in quotes.
pub(crate) fn csv(batch: &RecordBatch, out: &mut Vec<u8>) {
    let mut text = Vec::new();
    for row in 0..batch.num_rows() {
        for (index, column) in batch.columns().iter().enumerate() {
            comma(index, out);
            if column.is_null(row) {
                continue;
            }
            text.clear();
            match plain_text(column, row) {
                Some(plain) => cell(plain.as_bytes(), out),
                None => {
                    json(column, row, &mut text);
                    cell(text.strip_prefix(b"\"").and_then(|text| text.strip_suffix(b"\"")).unwrap_or(&text), out);
                }
            }
        }
        out.push(b'\n');
    }
}

fn comma(index: usize, out: &mut Vec<u8>) {
    if index > 0 {
        out.push(b',');
    }
}

/// Text as it is.
fn plain_text(array: &ArrayRef, row: usize) -> Option<&str> {
    match array.data_type() {
        DataType::Utf8 => Some(array.as_string::<i32>().value(row)),
        DataType::Dictionary(..) => {
            let dictionary = array.as_dictionary::<Int32Type>();
            let place = dictionary.keys().value(row) as usize;
            Some(dictionary.values().as_string::<i32>().value(place))
        }
        _ => None,
    }
}

fn cell(text: &[u8], out: &mut Vec<u8>) {
    if !text.is_empty() && !text.iter().any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r')) {
        return out.extend_from_slice(text);
    }
    out.push(b'"');
    for byte in text {
        if *byte == b'"' {
            out.push(b'"');
        }
        out.push(*byte);
    }
    out.push(b'"');
}

fn key(name: &str) -> Vec<u8> {
    let mut key = Vec::new();
    quoted(name, &mut key);
    key.push(b':');
    key
}

fn quoted(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend_from_slice(&[b'\\', c as u8]),
            '\u{0}'..='\u{1f}' => put(out, format_args!("\\u{:04x}", u32::from(c))),
            _ => put(out, format_args!("{c}")),
        }
    }
    out.push(b'"');
}

fn put(out: &mut Vec<u8>, text: std::fmt::Arguments<'_>) {
    // Memory takes all that is written.
    let _ = out.write_fmt(text);
}

fn object<'a>(members: impl Iterator<Item = (&'a Vec<u8>, &'a ArrayRef)>, row: usize, out: &mut Vec<u8>) {
    out.push(b'{');
    for (index, (key, column)) in members.enumerate() {
        comma(index, out);
        out.extend_from_slice(key);
        json(column, row, out);
    }
    out.push(b'}');
}

fn json(array: &ArrayRef, row: usize, out: &mut Vec<u8>) {
    if array.is_null(row) {
        return out.extend_from_slice(b"null");
    }
    if let Some(text) = plain_text(array, row) {
        return quoted(text, out);
    }
    match array.data_type() {
        DataType::Boolean => put(out, format_args!("{}", array.as_boolean().value(row))),
        DataType::Int8 => put(out, format_args!("{}", array.as_primitive::<Int8Type>().value(row))),
        DataType::Int16 => put(out, format_args!("{}", array.as_primitive::<Int16Type>().value(row))),
        DataType::Int32 => put(out, format_args!("{}", array.as_primitive::<Int32Type>().value(row))),
        DataType::Int64 => put(out, format_args!("{}", array.as_primitive::<Int64Type>().value(row))),
        DataType::UInt8 => put(out, format_args!("{}", array.as_primitive::<UInt8Type>().value(row))),
        DataType::UInt16 => put(out, format_args!("{}", array.as_primitive::<UInt16Type>().value(row))),
        DataType::UInt32 => put(out, format_args!("{}", array.as_primitive::<UInt32Type>().value(row))),
        DataType::UInt64 => put(out, format_args!("{}", array.as_primitive::<UInt64Type>().value(row))),
        DataType::Float32 => float(f64::from(array.as_primitive::<Float32Type>().value(row)), true, out),
        DataType::Float64 => float(array.as_primitive::<Float64Type>().value(row), false, out),
        DataType::Decimal128(..) => {
            put(out, format_args!("\"{}\"", array.as_primitive::<Decimal128Type>().value_as_string(row)));
        }
        DataType::Date32 => time(i128::from(array.as_primitive::<Date32Type>().value(row)) * DAY, false, out),
        DataType::Timestamp(unit, _) => timestamp(array, *unit, row, out),
        DataType::Binary => encoded(array.as_binary::<i32>().value(row), out),
        DataType::FixedSizeBinary(_) => uuid(array.as_fixed_size_binary().value(row), out),
        _ => nested(array, row, out),
    }
}

fn nested(array: &ArrayRef, row: usize, out: &mut Vec<u8>) {
    match array.data_type() {
        DataType::Struct(fields) => {
            let keys: Vec<Vec<u8>> = fields.iter().map(|field| key(field.name())).collect();
            object(keys.iter().zip(array.as_struct().columns()), row, out);
        }
        DataType::List(_) => {
            let list = array.as_list::<i32>();
            elements(list.values(), list.offsets()[row] as usize..list.offsets()[row + 1] as usize, out);
        }
        _ => {
            let map = array.as_map();
            let entries: ArrayRef = std::sync::Arc::new(map.entries().clone());
            elements(&entries, map.offsets()[row] as usize..map.offsets()[row + 1] as usize, out);
        }
    }
}

fn elements(values: &ArrayRef, range: std::ops::Range<usize>, out: &mut Vec<u8>) {
    out.push(b'[');
    for (index, element) in range.enumerate() {
        comma(index, out);
        json(values, element, out);
    }
    out.push(b']');
}

/// The shortest digits that mean the number; `short` is one of 32 bits.
fn float(number: f64, short: bool, out: &mut Vec<u8>) {
    if !number.is_finite() {
        return out.extend_from_slice(b"null");
    }
    if short {
        put(out, format_args!("{:?}", number as f32));
    } else {
        put(out, format_args!("{number:?}"));
    }
}

fn encoded(bytes: &[u8], out: &mut Vec<u8>) {
    put(out, format_args!("\"{}\"", STANDARD.encode(bytes)));
}

fn uuid(bytes: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    for (index, byte) in bytes.iter().enumerate() {
        if matches!(index, 4 | 6 | 8 | 10) {
            out.push(b'-');
        }
        put(out, format_args!("{byte:02x}"));
    }
    out.push(b'"');
}

const SECOND: i128 = 1_000_000_000;
const DAY: i128 = 86_400 * SECOND;

fn timestamp(array: &ArrayRef, unit: TimeUnit, row: usize, out: &mut Vec<u8>) {
    let (number, each) = match unit {
        TimeUnit::Second => (array.as_primitive::<TimestampSecondType>().value(row), SECOND),
        TimeUnit::Millisecond => (array.as_primitive::<TimestampMillisecondType>().value(row), 1_000_000),
        TimeUnit::Microsecond => (array.as_primitive::<TimestampMicrosecondType>().value(row), 1000),
        TimeUnit::Nanosecond => (array.as_primitive::<TimestampNanosecondType>().value(row), 1),
    };
    time(i128::from(number) * each, true, out);
}

/// Nanoseconds since 1970 as a date of the Gregorian calendar, and the time of day in UTC.
fn time(nanos: i128, clock: bool, out: &mut Vec<u8>) {
    let (days, rest) = (nanos.div_euclid(DAY), nanos.rem_euclid(DAY));
    // Years begin in March here, so that a leap day is the last of its year, and eras have 400 years.
    let shifted = days + 719_468;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * march + 2) / 5 + 1;
    let month = if march < 10 { march + 3 } else { march - 9 };
    let year = year_of_era + era * 400 + i128::from(month <= 2);
    put(out, format_args!("\"{year:04}-{month:02}-{day:02}"));
    if clock {
        let (seconds, fraction) = (rest / SECOND, rest % SECOND);
        let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        put(out, format_args!("T{hour:02}:{minute:02}:{second:02}.{fraction:09}Z"));
    }
    out.push(b'"');
}
