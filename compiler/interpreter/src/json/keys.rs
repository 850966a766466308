//! Maps: objects where keys have a text, arrays of pairs where they have none.

use super::write::{write_datum, write_value, Context};
use super::write_text;
use crate::fault::{Code, Fault};
use crate::Value;
use aldis_schema::{Encoding, Type, TypeKind};

/// Whether maps with such keys are objects. Records, floats and bytes as keys make an array of `[key,value]` pairs.
pub(super) fn has_text(context: Context<'_>, key: &Type) -> bool {
    match key {
        Type::Float32 | Type::Float64 | Type::Bytes => false,
        Type::Named(id) => !matches!(context.tables.schema.type_def(*id).kind, TypeKind::Record(_)),
        _ => true,
    }
}

pub(super) fn write_map(
    out: &mut Vec<u8>,
    context: Context<'_>,
    ty: &Type,
    entries: &[(Value, Value)],
) -> Result<(), Fault> {
    let Type::Map { key: key_type, value: value_type, .. } = ty else {
        return Err(Fault::new(Code::BadValue, "a map where none belongs"));
    };
    let object = has_text(context, key_type);
    out.push(if object { b'{' } else { b'[' });
    for (index, (key, value)) in entries.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        if object {
            write_key(out, context, key_type, key).map_err(|f| f.in_element(index))?;
            out.push(b':');
        } else {
            out.push(b'[');
            write_value(out, context, key_type, key).map_err(|f| f.in_element(index))?;
            out.push(b',');
        }
        write_value(out, context, value_type, value).map_err(|f| f.in_element(index))?;
        if !object {
            out.push(b']');
        }
    }
    out.push(if object { b'}' } else { b']' });
    Ok(())
}

fn write_key(out: &mut Vec<u8>, context: Context<'_>, ty: &Type, key: &Value) -> Result<(), Fault> {
    match key {
        Value::Bytes(text) => write_text(out, text, Encoding::Utf8),
        Value::Uuid(_) | Value::Decimal(_) => write_value(out, context, ty, key),
        _ => {
            out.push(b'"');
            match key {
                Value::Int(v) => write_datum(out, context, &Type::Int(SIGNED), crate::walk::Datum::Int(*v))?,
                Value::UInt(v) => write_datum(out, context, &Type::Timestamp, crate::walk::Datum::UInt(*v))?,
                other => write_value(out, context, ty, other)?,
            }
            out.push(b'"');
            Ok(())
        }
    }
}

const SIGNED: aldis_schema::IntType = aldis_schema::IntType::signed(64);

/// The 36 characters of a uuid, lower case.
pub(super) fn uuid_text(octets: &[u8]) -> String {
    let mut text = String::with_capacity(36);
    for (index, octet) in octets.iter().enumerate() {
        if matches!(index, 4 | 6 | 8 | 10) {
            text.push('-');
        }
        text.push_str(&format!("{octet:02x}"));
    }
    text
}

/// The octets of a uuid's text, in either case.
pub(super) fn uuid_octets(text: &str) -> Option<[u8; 16]> {
    let bytes = text.as_bytes();
    if bytes.len() != 36 {
        return None;
    }
    let mut octets = [0; 16];
    let mut at = 0;
    for (index, octet) in octets.iter_mut().enumerate() {
        if matches!(index, 4 | 6 | 8 | 10) {
            if bytes[at] != b'-' {
                return None;
            }
            at += 1;
        }
        let digit = |b: u8| char::from(b).to_digit(16);
        *octet = (digit(bytes[at])? << 4 | digit(bytes[at + 1])?) as u8;
        at += 2;
    }
    Some(octets)
}
