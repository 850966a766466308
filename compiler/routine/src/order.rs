//! The order of keys: sets and maps are kept in it, and duplicates are what it calls equal.

use crate::module::Module;
use crate::value::Value;
use aldis_schema::{Decimal, Type};
use std::cmp::Ordering;

/// The elements of a set of type `ty`, sorted; of equals the first.
pub(crate) fn set(module: &Module, ty: &Type, elements: Vec<Value>) -> Vec<Value> {
    let element = ty.element();
    first_of_equals(elements, |a, b| compare(module, element, a, b))
}

/// The entries of a map of type `ty`, sorted by key; of equals the first.
pub(crate) fn map(module: &Module, ty: &Type, entries: Vec<(Value, Value)>) -> Vec<(Value, Value)> {
    let Type::Map { key, .. } = ty.required() else { return entries };
    first_of_equals(entries, |a, b| compare(module, key, &a.0, &b.0))
}

/// The given elements, sorted; the first of equal ones stays.
pub(crate) fn first_of_equals<T>(mut all: Vec<T>, compare: impl Fn(&T, &T) -> Ordering) -> Vec<T> {
    all.sort_by(&compare);
    all.dedup_by(|later, first| compare(first, later) == Ordering::Equal);
    all
}

/// Numbers by value, text, bytes and uuids by bytes, records by their key fields, lists and maps element by element and
/// then by length, null first. Negative zero equals zero; NaN equals itself and comes last.
pub(crate) fn compare(module: &Module, ty: &Type, a: &Value, b: &Value) -> Ordering {
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
        (Value::Record(a), Value::Record(b)) => records(module, ty, a, b),
        (Value::List(a), Value::List(b)) => {
            let element = ty.element();
            let orders = a.iter().zip(b).map(|(a, b)| compare(module, element, a, b));
            first(orders).then(a.len().cmp(&b.len()))
        }
        (Value::Map(a), Value::Map(b)) => {
            let Type::Map { key, value, .. } = ty.required() else { return Ordering::Equal };
            let entry = |a: &(Value, Value), b: &(Value, Value)| {
                compare(module, key, &a.0, &b.0).then_with(|| compare(module, value, &a.1, &b.1))
            };
            first(a.iter().zip(b).map(|(a, b)| entry(a, b))).then(a.len().cmp(&b.len()))
        }
        _ => number(a).cmp(&number(b)),
    }
}

fn number(value: &Value) -> Option<i128> {
    match value {
        Value::Int(v) => Some(i128::from(*v)),
        Value::UInt(v) => Some(i128::from(*v)),
        _ => None,
    }
}

fn first(mut orders: impl Iterator<Item = Ordering>) -> Ordering {
    orders.find(|order| *order != Ordering::Equal).unwrap_or(Ordering::Equal)
}

fn floats(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}

/// By value: 1.10 equals 1.1, and zero has no sign.
fn decimals(a: &Decimal, b: &Decimal) -> Ordering {
    let side = |d: &Decimal| if d.coefficient == 0 { 0 } else { 1 - 2 * i8::from(d.negative) };
    let unit = |d: &Decimal| 10u128.pow(u32::from(d.scale));
    let rest = |d: &Decimal| (d.coefficient % unit(d)) * 10u128.pow(u32::from(Decimal::MAX_SCALE - d.scale));
    let size = |d: &Decimal| (d.coefficient / unit(d), rest(d));
    let by_size = || if side(a) < 0 { size(b).cmp(&size(a)) } else { size(a).cmp(&size(b)) };
    side(a).cmp(&side(b)).then_with(by_size)
}

fn records(module: &Module, ty: &Type, a: &[Value], b: &[Value]) -> Ordering {
    let Type::Named(id) = ty.required() else { return Ordering::Equal };
    let record = module.schema.record(*id);
    let keys = record.key_fields().into_iter();
    first(keys.map(|index| {
        let missing = &module[module.missing[id.index()][index]].value;
        let (a, b) = (a.get(index).unwrap_or(missing), b.get(index).unwrap_or(missing));
        compare(module, &record.fields[index].ty, a, b)
    }))
}
