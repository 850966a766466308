//! The order of keys: sets, maps and hashes are written in it, and duplicates are what it calls equal.

use crate::scalar;
use crate::tables::Tables;
use crate::Value;
use aldis_schema::{Decimal, Type};
use std::borrow::Cow;
use std::cmp::Ordering;

/// Numbers by value, text, bytes and uuids bytewise, records by their key fields, lists and maps element by element and
/// then by length, null first. Negative zero equals zero; NaN equals itself and comes last.
pub(crate) fn compare(tables: &Tables, ty: &Type, a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Null, Value::Null) => Ordering::Equal,
        (Value::Null, _) => Ordering::Less,
        (_, Value::Null) => Ordering::Greater,
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::F32(a), Value::F32(b)) => floats(f64::from(*a), f64::from(*b)),
        (Value::F64(a), Value::F64(b)) => floats(*a, *b),
        (Value::Decimal(a), Value::Decimal(b)) => decimals(a, b),
        (Value::Uuid(a), Value::Uuid(b)) => a.cmp(b),
        (Value::Bytes(a), Value::Bytes(b)) => a.cmp(b),
        (Value::Record(_), Value::Record(_)) => records(tables, ty, a, b),
        (Value::List(_) | Value::Packed(_), Value::List(_) | Value::Packed(_)) => {
            let element = ty.element();
            lists(tables, element, &elements(tables, element, a), &elements(tables, element, b))
        }
        (Value::Map(a), Value::Map(b)) => maps(tables, ty, a, b),
        _ => a.as_number().cmp(&b.as_number()),
    }
}

fn floats(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}

/// By value: 1.10 equals 1.1.
fn decimals(a: &Decimal, b: &Decimal) -> Ordering {
    let sign = |d: &Decimal| if d.coefficient == 0 { 0 } else { 1 - 2 * i8::from(d.negative) };
    let by_sign = sign(a).cmp(&sign(b));
    if by_sign != Ordering::Equal || a.coefficient == 0 {
        return by_sign;
    }
    let by_size = magnitudes(a, b);
    if a.negative {
        by_size.reverse()
    } else {
        by_size
    }
}

/// Compares `a.coefficient / 10^a.scale` with the same of `b`: whole parts first, then fractions digit by digit.
fn magnitudes(a: &Decimal, b: &Decimal) -> Ordering {
    let split = |d: &Decimal| {
        let unit = 10u128.pow(u32::from(d.scale));
        (d.coefficient / unit, (d.coefficient % unit) * 10u128.pow(u32::from(Decimal::MAX_SCALE - d.scale)))
    };
    split(a).cmp(&split(b))
}

fn records(tables: &Tables, ty: &Type, a: &Value, b: &Value) -> Ordering {
    let (Type::Named(id), Value::Record(a), Value::Record(b)) = (ty.required(), a, b) else { return Ordering::Equal };
    let (table, fields) = (tables.record(*id), &tables.schema.record(*id).fields);
    for &index in &table.key_fields {
        let missing = &table.missing[index];
        let (a, b) = (a.get(index).unwrap_or(missing), b.get(index).unwrap_or(missing));
        let order = compare(tables, &fields[index].ty, a, b);
        if order != Ordering::Equal {
            return order;
        }
    }
    Ordering::Equal
}

/// The elements of a list, whether it is packed or not.
pub(crate) fn elements<'v>(tables: &Tables, element: &Type, value: &'v Value) -> Cow<'v, [Value]> {
    match value {
        Value::List(elements) => Cow::Borrowed(elements),
        Value::Packed(bytes) => Cow::Owned(scalar::unpack(tables, element, bytes)),
        _ => Cow::Borrowed(&[]),
    }
}

fn maps(tables: &Tables, ty: &Type, a: &[(Value, Value)], b: &[(Value, Value)]) -> Ordering {
    let Type::Map { key, value, .. } = ty.required() else { return Ordering::Equal };
    let orders =
        a.iter().zip(b).map(|(a, b)| compare(tables, key, &a.0, &b.0).then_with(|| compare(tables, value, &a.1, &b.1)));
    orders.into_iter().find(|o| *o != Ordering::Equal).unwrap_or_else(|| a.len().cmp(&b.len()))
}

fn lists(tables: &Tables, element: &Type, a: &[Value], b: &[Value]) -> Ordering {
    let orders = a.iter().zip(b).map(|(a, b)| compare(tables, element, a, b));
    orders.into_iter().find(|o| *o != Ordering::Equal).unwrap_or_else(|| a.len().cmp(&b.len()))
}

/// Sorts a set and drops duplicates; of equals the first stays.
pub(crate) fn sort_set(tables: &Tables, element: &Type, elements: &mut Vec<Value>) {
    elements.sort_by(|a, b| compare(tables, element, a, b));
    elements.dedup_by(|later, first| compare(tables, element, first, later) == Ordering::Equal);
}

/// Sorts a map by key and drops duplicates; of equals the first stays.
pub(crate) fn sort_map(tables: &Tables, key: &Type, entries: &mut Vec<(Value, Value)>) {
    entries.sort_by(|a, b| compare(tables, key, &a.0, &b.0));
    entries.dedup_by(|later, first| compare(tables, key, &first.0, &later.0) == Ordering::Equal);
}
