//! Maps: objects where keys have a text, arrays of pairs where they have none.

use super::write::{write_datum, write_value, Context};
use crate::fault::{Code, Fault};
use crate::json_text::write_text;
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
                Value::Int(v) => write_datum(out, context, &Type::Int(SIGNED), crate::scalar::Datum::Int(*v))?,
                Value::UInt(v) => write_datum(out, context, &Type::Timestamp, crate::scalar::Datum::UInt(*v))?,
                other => write_value(out, context, ty, other)?,
            }
            out.push(b'"');
            Ok(())
        }
    }
}

const SIGNED: aldis_schema::IntType = aldis_schema::IntType::signed(64);
