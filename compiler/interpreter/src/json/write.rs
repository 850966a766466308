//! Values as JSON text.

use super::{keys, number, write_text};
use crate::fault::{Code, Fault};
use crate::scalar;
use crate::tables::{Enumeration, Tables};
use crate::walk::Datum;
use crate::Value;
use aldis_plan::{JsonPolicy, Plan};
use aldis_schema::{Encoding, IntType, Type, TypeId};
use base64::Engine as _;

/// What JSON text depends on beside the value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context<'a> {
    pub tables: &'a Tables,
    pub policy: JsonPolicy,
}

impl<'a> Context<'a> {
    pub fn new(plan: &Plan, tables: &'a Tables) -> Self {
        Self { tables, policy: plan.json }
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
        (Datum::Uuid(octets), _) => out.extend_from_slice(format!("\"{}\"", keys::uuid_text(octets)).as_bytes()),
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
        (Datum::Bytes(bytes), _) => {
            let text = base64::engine::general_purpose::STANDARD.encode(bytes);
            out.extend_from_slice(format!("\"{text}\"").as_bytes());
        }
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

/// Appends any value of type `ty`.
///
/// # Errors
/// As [`write_datum`], with the path of the value at fault.
pub(crate) fn write_value(out: &mut Vec<u8>, context: Context<'_>, ty: &Type, value: &Value) -> Result<(), Fault> {
    let ty = ty.required();
    let datum = match value {
        Value::Null => Datum::Null,
        Value::Bool(v) => Datum::Bool(*v),
        Value::Int(v) => Datum::Int(*v),
        Value::UInt(v) => Datum::UInt(*v),
        Value::F32(v) => Datum::F32(*v),
        Value::F64(v) => Datum::F64(*v),
        Value::Decimal(v) => return write_datum(out, context, ty, Datum::Decimal(&scalar::decimal_bytes(v))),
        Value::Uuid(v) => Datum::Uuid(v),
        Value::Bytes(v) => Datum::Bytes(v),
        Value::Record(fields) => return write_record(out, context, ty, fields),
        Value::List(elements) => return write_list(out, context, ty, elements),
        Value::Packed(bytes) => {
            let elements = scalar::unpack(context.tables, ty.element(), bytes);
            return write_list(out, context, ty, &elements);
        }
        Value::Map(entries) => return keys::write_map(out, context, ty, entries),
        Value::Choice(tag, value) => {
            let Type::Named(id) = ty else { return Err(Fault::new(Code::BadValue, "a union where none belongs")) };
            out.push(b'{');
            write_arm(out, context, *id, *tag, value)?;
            out.push(b'}');
            return Ok(());
        }
        Value::Opaque(bytes) => Datum::Opaque(bytes),
    };
    write_datum(out, context, ty, datum)
}

fn write_record(out: &mut Vec<u8>, context: Context<'_>, ty: &Type, fields: &[Value]) -> Result<(), Fault> {
    let Type::Named(id) = ty else { return Err(Fault::new(Code::BadValue, "a record where none belongs")) };
    let table = context.tables.record(*id);
    out.push(b'{');
    for (index, field) in context.tables.schema.record(*id).fields.iter().enumerate() {
        let value = fields.get(index).unwrap_or(&table.missing[index]);
        let written = match (value, &field.ty) {
            (Value::Choice(tag, value), Type::Named(id)) if context.tables.schema.union(*id).unnamed => {
                write_arm(out, context, *id, *tag, value)
            }
            _ => write_member(out, context, &table.keys[index], &field.ty, value, false),
        };
        written.map_err(|f| f.in_field(&field.name))?;
    }
    out.push(b'}');
    Ok(())
}

/// Appends the member of an object that an arm is; nothing for an unknown one.
fn write_arm(out: &mut Vec<u8>, context: Context<'_>, union: TypeId, tag: u64, value: &Value) -> Result<(), Fault> {
    let definition = context.tables.schema.union(union);
    let Some(index) = definition.arm_of(tag) else { return Ok(()) };
    let field = &definition.arms[index].field;
    let key = &context.tables.union(union).keys[index];
    write_member(out, context, key, &field.ty, value, tag != 0).map_err(|f| f.in_field(&field.name))
}

/// Appends a key and its value; a null only where it is `shown` or the form's JSON has nulls.
fn write_member(
    out: &mut Vec<u8>,
    context: Context<'_>,
    key: &[u8],
    ty: &Type,
    value: &Value,
    shown: bool,
) -> Result<(), Fault> {
    if *value == Value::Null && context.policy.omit_null && !shown && !shows_null(ty) {
        return Ok(());
    }
    write_key(out, key);
    write_value(out, context, ty, value)
}

/// Whether null is a value of the type, not the lack of one.
pub(crate) fn shows_null(ty: &Type) -> bool {
    matches!(ty, Type::Void)
}

/// Appends `,"name":`, without its comma after an object's brace.
pub(crate) fn write_key(out: &mut Vec<u8>, key: &[u8]) {
    let first = out.last() == Some(&b'{');
    out.extend_from_slice(if first { &key[1..] } else { key });
}

fn write_list(out: &mut Vec<u8>, context: Context<'_>, ty: &Type, elements: &[Value]) -> Result<(), Fault> {
    let element = ty.element();
    out.push(b'[');
    for (index, value) in elements.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        write_value(out, context, element, value).map_err(|f| f.in_element(index))?;
    }
    out.push(b']');
    Ok(())
}
