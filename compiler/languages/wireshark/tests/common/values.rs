//! Values that were decoded, and the items that show them.

use super::Item;
use aldis_interpreter::{to_hex, Codec, Value};
use aldis_schema::{Field, Type, TypeId, TypeKind};

/// Compares a message with the items that show it.
///
/// # Errors
/// The first difference.
pub fn message(codec: &Codec, record: TypeId, value: &Value, shown: &Item) -> Result<(), String> {
    let name = codec.plan().schema.type_def(record).name.local();
    let root = shown.children.iter().find(|item| is_value(item) && label(item) == name);
    value_of(codec, &Type::Named(record), value, root.ok_or("the root record is not shown")?)
}

/// Whether an item is a value, rather than a number in a head or words about where a value is.
fn is_value(item: &Item) -> bool {
    let words = [": null", ": absent", ": empty"];
    let is_words =
        item.name == "_ws.lua.text" && !words.iter().any(|word| item.text.ends_with(word)) && item.children.is_empty();
    !is_words && !item.name.contains(".head.") && item.name != "_ws.expert"
}

/// The name in an item's line, without its index.
fn label(item: &Item) -> &str {
    let text = unindexed(&item.text);
    // Names hold no colon in these schemas. Wireshark cuts long lines.
    text.split(':').next().unwrap_or_default().trim_end_matches(" [truncated]")
}

fn unindexed(text: &str) -> &str {
    match text.strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
        Some((index, rest)) if index.bytes().all(|byte| byte.is_ascii_digit()) => rest,
        _ => text,
    }
}

fn fields<'v>(
    codec: &'v Codec,
    owner: TypeId,
    fields: &[Field],
    values: &'v [Value],
    shown: &Item,
) -> Result<(), String> {
    let mut items = shown.children.iter().filter(|item| is_value(item));
    for (index, field) in fields.iter().enumerate() {
        // A union without a name.
        let name = if field.name.is_empty() { "choice" } else { &field.name };
        let item = items.find(|item| label(item) == name);
        let item = item.ok_or_else(|| format!("`{}` is not shown in {:?}", field.name, shown.text))?;
        let value = values.get(index).unwrap_or_else(|| codec.missing(owner, index));
        value_of(codec, &field.ty, value, item).map_err(|error| format!("{}.{error}", field.name))?;
    }
    Ok(())
}

/// Whether a line without a value of its own says the value.
fn in_words(value: &Value, text: &str) -> bool {
    let is_empty = match value {
        Value::Bytes(bytes) | Value::Packed(bytes) => bytes.is_empty(),
        Value::List(values) => values.is_empty(),
        Value::Map(entries) => entries.is_empty(),
        _ => false,
    };
    match text.rsplit(": ").next() {
        Some("null") => matches!(value, Value::Null),
        Some("empty") => is_empty,
        // A field without a line of its own has a default in the schema.
        Some("absent") => {
            matches!(value, Value::Null | Value::Record(_) | Value::Choice(..) | Value::Uuid(_)) || is_empty
        }
        _ => false,
    }
}

fn value_of(codec: &Codec, ty: &Type, value: &Value, item: &Item) -> Result<(), String> {
    let ty = ty.required();
    let differ = || Err(format!(" {value:?} is shown as {:?} {:?} {:?}", item.text, item.show, item.bytes));
    if item.name == "_ws.lua.text" && !matches!(ty, Type::Map { .. }) {
        return if in_words(value, &item.text) { Ok(()) } else { differ() };
    }
    let schema = &codec.plan().schema;
    match (ty, value) {
        (Type::Named(id), Value::Record(values)) => {
            return fields(codec, *id, &schema.record(*id).fields, values, item);
        }
        (Type::Named(id), Value::Choice(tag, value)) if matches!(schema.type_def(*id).kind, TypeKind::Union(_)) => {
            let arm = schema.union(*id).arms.iter().find(|arm| arm.tag == *tag);
            let Some(arm) = arm else {
                return if item.text.ends_with(&format!("unknown ({tag})")) { Ok(()) } else { differ() };
            };
            let inner = item.children.iter().find(|item| is_value(item) && label(item) == arm.field.name);
            return value_of(codec, &arm.field.ty, value, inner.ok_or("the arm is not shown")?);
        }
        (Type::Set(element), _) => {
            let items: Vec<&Item> = item.children.iter().filter(|item| is_value(item)).collect();
            let is_there = |value: &Value| items.iter().any(|item| value_of(codec, element, value, item).is_ok());
            return if codec.elements(element, value).iter().all(is_there) { Ok(()) } else { differ() };
        }
        (Type::Map { key, value: to, .. }, Value::Map(entries)) => {
            let is_entry = |item: &Item, entry: &(Value, Value)| {
                let parts: Vec<&Item> = item.children.iter().filter(|item| is_value(item)).collect();
                parts.len() == 2
                    && value_of(codec, key, &entry.0, parts[0]).is_ok()
                    && value_of(codec, to, &entry.1, parts[1]).is_ok()
            };
            let is_there = |entry: &(Value, Value)| item.children.iter().any(|item| is_entry(item, entry));
            return if entries.iter().all(is_there) { Ok(()) } else { differ() };
        }
        (Type::List(element) | Type::Array { element, .. }, Value::List(_) | Value::Packed(_)) => {
            let items: Vec<&Item> = item.children.iter().filter(|item| is_value(item)).collect();
            let values = codec.elements(element, value);
            if items.len() != values.len() {
                return Err(format!(" {} elements, but {} are shown", values.len(), items.len()));
            }
            return values.iter().zip(items).try_for_each(|(value, item)| value_of(codec, element, value, item));
        }
        // The target of an open pointer is not shown; a value without bytes is there.
        (_, Value::Opaque(_)) | (Type::Void, Value::Null) => return Ok(()),
        _ => {}
    }
    if leaf(ty, value, item) {
        Ok(())
    } else {
        differ()
    }
}

/// Whether an item shows a value without parts. Floats are shown rounded.
fn leaf(ty: &Type, value: &Value, item: &Item) -> bool {
    let close = |wanted: f64, digits: f64| {
        let found: f64 = item.show.parse().unwrap_or(f64::NAN);
        let rounded_up = found.is_infinite() && wanted.abs() > f64::MAX * (1.0 - digits);
        wanted.is_nan() && item.show.contains("nan")
            || found == wanted
            || rounded_up
            || (found - wanted).abs() <= wanted.abs() * digits
    };
    match (ty, value) {
        (_, Value::Bool(value)) => item.show == if *value { "1" } else { "0" },
        (Type::Char, Value::UInt(code)) => {
            item.bytes == format!("{code:02x}") || item.show == char::from(*code as u8).to_string() || *code == 0
        }
        (Type::Timestamp, Value::UInt(count)) => {
            let fraction = format!(".{:09} UTC", count % 1_000_000_000);
            let seconds = format!(
                "{:02}:{:02}:{:02}",
                count / 3_600_000_000_000 % 24,
                count / 60_000_000_000 % 60,
                count / 1_000_000_000 % 60
            );
            item.show.contains(&seconds) && item.show.contains(&fraction)
        }
        (_, Value::UInt(number)) => match item.show.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16) == Ok(*number),
            None => item.show == number.to_string(),
        },
        (_, Value::Int(number)) => match item.show.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16) == Ok(*number as u64),
            None => item.show == number.to_string(),
        },
        (_, Value::F32(number)) => close(f64::from(*number), 1e-5),
        (_, Value::F64(number)) => close(*number, 1e-14),
        (_, Value::Decimal(decimal)) => item.show == decimal.to_string(),
        (_, Value::Uuid(bytes)) => item.show.replace('-', "") == to_hex(bytes),
        // A value that is generated from a default has no bytes.
        (_, Value::Bytes(bytes)) => {
            item.bytes == to_hex(bytes) || item.bytes.is_empty() && item.show.as_bytes() == &**bytes
        }
        _ => false,
    }
}
