//! Values as JSON text.

use super::{number, texts, JsonSink};
use crate::fault::{Code, Fault};
use crate::json_text::write_text;
use crate::scalar::{self, Datum};
use crate::tables::{Enumeration, Tables};
use crate::Value;
use aldis_plan::{JsonPolicy, Plan};
use aldis_schema::{BytesText, Encoding, IntType, Type};
use base64::Engine as _;

/// The facts beside the value that JSON text depends on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context<'a> {
    pub tables: &'a Tables,
    pub policy: JsonPolicy,
    /// A null is shown as null, also where the policy would leave it out or show an empty value.
    pub nulls: bool,
}

impl<'a> Context<'a> {
    pub fn new(plan: &Plan, tables: &'a Tables) -> Self {
        Self { tables, policy: plan.json, nulls: false }
    }
}

/// Appends a value without parts.
///
/// # Errors
/// `bad-text` for text not in its encoding, `bad-value` for NaN and infinities where the form's JSON has none.
#[inline]
pub(crate) fn write_datum(out: &mut Vec<u8>, context: Context<'_>, ty: &Type, datum: Datum<'_>) -> Result<(), Fault> {
    match (datum, ty) {
        (Datum::UInt(_) | Datum::Int(_), Type::Int(IntType { bits: 64, .. })) if context.policy.wide_text => {
            let narrow = Context { policy: JsonPolicy { wide_text: false, ..context.policy }, ..context };
            out.push(b'"');
            write_datum(out, narrow, ty, datum)?;
            out.push(b'"');
        }
        (Datum::UInt(v), Type::Int(_) | Type::Timestamp) => number::write_unsigned(out, v),
        (Datum::Int(v), Type::Int(_)) => number::write_signed(out, v),
        (Datum::Null, _) => out.extend_from_slice(b"null"),
        (Datum::UInt(v), Type::Char) => write_text(out, &[v as u8], Encoding::Latin1)?,
        (Datum::UInt(v), _) => write_named(out, context, ty, i128::from(v)),
        (Datum::Int(v), _) => write_named(out, context, ty, i128::from(v)),
        (Datum::Bool(v), _) => out.extend_from_slice(if v { b"true" } else { b"false" }),
        (Datum::F32(v), _) if v.is_finite() => number::write_f32(out, v),
        (Datum::F32(v), _) => write_non_finite(out, context, f64::from(v))?,
        (Datum::F64(v), _) if v.is_finite() => number::write_f64(out, v),
        (Datum::F64(v), _) => write_non_finite(out, context, v)?,
        (Datum::Decimal(bytes), _) => {
            let text = scalar::decimal(bytes).map(|d| d.to_string()).unwrap_or_default();
            out.extend_from_slice(format!("\"{text}\"").as_bytes());
        }
        (Datum::Uuid(octets), _) => out.extend_from_slice(format!("\"{}\"", texts::uuid_text(octets)).as_bytes()),
        (Datum::Bytes(bytes), Type::Text(encoding) | Type::Chars { encoding, .. }) => {
            write_text(out, bytes, *encoding)?
        }
        (Datum::Bytes(bytes), _) if context.policy.byte_arrays => {
            out.push(b'[');
            for (index, byte) in bytes.iter().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                number::write_unsigned(out, u64::from(*byte));
            }
            out.push(b']');
        }
        (Datum::Opaque(_), _) => {
            return Err(Fault::new(Code::BadValue, "JSON cannot say a value whose type the schema leaves open"));
        }
        (Datum::Bytes(bytes), _) => write_bytes_text(out, BytesText::Base64, bytes),
    }
    Ok(())
}

/// An enum by name (unknown: its number) or flags by names (unknown bits: a number at the end), or both as numbers.
fn write_named(out: &mut Vec<u8>, context: Context<'_>, ty: &Type, value: i128) {
    match context.tables.enumeration(ty).filter(|_| context.policy.names) {
        Some(Enumeration::Enum(table)) => match table.quoted(value) {
            Some(name) => out.extend_from_slice(name),
            None => out.extend_from_slice(value.to_string().as_bytes()),
        },
        Some(Enumeration::Flags(table)) => {
            out.push(b'[');
            let mut rest = value as u64;
            let mut comma = false;
            for (_, name) in table.bits.iter().filter(|(bit, _)| value as u64 & bit != 0) {
                if comma {
                    out.push(b',');
                }
                out.extend_from_slice(name);
                comma = true;
            }
            table.bits.iter().for_each(|(bit, _)| rest &= !bit);
            if rest != 0 {
                if comma {
                    out.push(b',');
                }
                number::write_unsigned(out, rest);
            }
            out.push(b']');
        }
        None => out.extend_from_slice(value.to_string().as_bytes()),
    }
}

fn write_non_finite(out: &mut Vec<u8>, context: Context<'_>, value: f64) -> Result<(), Fault> {
    let text: &[u8] = match (value.is_nan(), value > 0.0) {
        (true, _) => b"\"NaN\"",
        (false, true) => b"\"Infinity\"",
        (false, false) => b"\"-Infinity\"",
    };
    if !context.policy.non_finite {
        return Err(Fault::new(Code::BadValue, "JSON has no number for NaN and infinities"));
    }
    out.extend_from_slice(text);
    Ok(())
}

/// Appends bytes as text.
pub(crate) fn write_bytes_text(out: &mut Vec<u8>, form: BytesText, bytes: &[u8]) {
    out.push(b'"');
    match form {
        BytesText::Base64 => {
            out.extend_from_slice(base64::engine::general_purpose::STANDARD.encode(bytes).as_bytes());
        }
        BytesText::Hex => {
            let digit = |nibble: u8| char::from_digit(u32::from(nibble), 16).unwrap_or('0') as u8;
            out.extend(bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]));
        }
    }
    out.push(b'"');
}

/// Appends any value of type `ty`.
///
/// # Errors
/// As [`write_datum`], with the path of the value at fault.
pub(crate) fn write_value(out: &mut Vec<u8>, context: Context<'_>, ty: &Type, value: &Value) -> Result<(), Fault> {
    JsonSink::new(out, context).emit(ty, value, 0)
}
