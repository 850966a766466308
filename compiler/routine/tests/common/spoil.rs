//! Changes to values: what a careless or hostile caller may ask to be written.

use aldis_routine::Value;
use proptest::prelude::*;

/// One change of a part of a value, which is taken modulo how many parts there are.
#[derive(Clone, Debug)]
pub enum Spoil {
    Null(usize),
    /// Another value, of whatever type.
    Other(usize, u8),
    Number(usize, i64),
    Large(usize, u64),
    /// More or fewer elements, bytes or fields.
    Length(usize, usize),
    /// An element again, in front.
    Twice(usize),
    Reversed(usize),
}

pub fn spoils() -> impl Strategy<Value = Vec<Spoil>> {
    let place = any::<usize>;
    let one = prop_oneof![
        3 => place().prop_map(Spoil::Null),
        2 => (place(), any::<u8>()).prop_map(|(at, kind)| Spoil::Other(at, kind)),
        3 => (place(), prop_oneof![-3..300i64, any::<i64>()]).prop_map(|(at, number)| Spoil::Number(at, number)),
        2 => (place(), any::<u64>()).prop_map(|(at, number)| Spoil::Large(at, number)),
        4 => (place(), prop_oneof![8 => 0..5usize, 1 => 250..300usize]).prop_map(|(at, to)| Spoil::Length(at, to)),
        2 => place().prop_map(Spoil::Twice),
        1 => place().prop_map(Spoil::Reversed),
    ];
    prop::collection::vec(one, 1..4)
}

pub fn spoil(value: &mut Value, change: &Spoil) {
    let (Spoil::Null(at)
    | Spoil::Other(at, _)
    | Spoil::Number(at, _)
    | Spoil::Large(at, _)
    | Spoil::Length(at, _)
    | Spoil::Twice(at)
    | Spoil::Reversed(at)) = change;
    let mut left = at % count(value);
    nth(value, &mut left, change);
}

fn count(value: &Value) -> usize {
    1 + match value {
        Value::Record(parts) | Value::List(parts) => parts.iter().map(count).sum(),
        Value::Map(entries) => entries.iter().map(|(key, value)| count(key) + count(value)).sum(),
        Value::Choice(_, arm) => count(arm),
        _ => 0,
    }
}

fn nth(value: &mut Value, left: &mut usize, change: &Spoil) -> bool {
    if *left == 0 {
        apply(value, change);
        return true;
    }
    *left -= 1;
    match value {
        Value::Record(parts) | Value::List(parts) => parts.iter_mut().any(|part| nth(part, left, change)),
        Value::Map(entries) => {
            entries.iter_mut().any(|(key, value)| nth(key, left, change) || nth(value, left, change))
        }
        Value::Choice(_, arm) => nth(arm, left, change),
        _ => false,
    }
}

fn apply(value: &mut Value, change: &Spoil) {
    match (change, &mut *value) {
        (Spoil::Null(_), _) => *value = Value::Null,
        (Spoil::Other(_, kind), _) => *value = other(*kind),
        (Spoil::Number(_, number), Value::Int(n)) => *n = *number,
        (Spoil::Number(_, number), Value::UInt(_)) => *value = Value::Int(*number),
        (Spoil::Large(_, number), Value::Int(_) | Value::UInt(_)) => *value = Value::UInt(*number),
        (Spoil::Large(_, number), Value::F64(n)) => *n = f64::from_bits(*number | 0x7FF0_0000_0000_0000),
        (Spoil::Large(_, number), Value::F32(n)) => *n = f32::from_bits(*number as u32 | 0x7F80_0000),
        (Spoil::Length(_, to), Value::Bytes(bytes)) => bytes.resize(*to, b'x'),
        (Spoil::Number(_, number), Value::Choice(tag, _)) => *tag = *number as u64,
        (Spoil::Large(_, number), Value::Choice(tag, _)) => *tag = *number % 4,
        (Spoil::Length(_, to), Value::Record(fields)) => fields.truncate(*to),
        (Spoil::Length(_, to), Value::List(items)) => {
            if let Some(item) = items.last().cloned() {
                items.resize(*to, item);
            }
        }
        (Spoil::Length(_, to), Value::Map(entries)) => {
            if let Some(entry) = entries.last().cloned() {
                entries.resize(*to, entry);
            }
        }
        (Spoil::Twice(_), Value::List(items)) => items.extend(items.first().cloned()),
        (Spoil::Twice(_), Value::Map(entries)) => entries.extend(entries.first().cloned()),
        (Spoil::Reversed(_), Value::List(items)) => items.reverse(),
        (Spoil::Reversed(_), Value::Map(entries)) => entries.reverse(),
        _ => {}
    }
}

fn other(kind: u8) -> Value {
    match kind % 11 {
        0 => Value::Bool(true),
        1 => Value::Int(-1),
        2 => Value::UInt(1),
        3 => Value::F32(0.5),
        4 => Value::F64(0.5),
        5 => Value::Uuid([7; 16]),
        6 => Value::Bytes(b"text".to_vec()),
        7 => Value::Record(Vec::new()),
        8 => Value::Choice(1, Box::new(Value::Null)),
        9 => Value::Opaque([[1, 0, 0, 0, 0x0A, 0, 0, 0], *b"kept\0\0\0\0"].concat()),
        _ => Value::List(vec![Value::UInt(1)]),
    }
}
