//! Rows hold the numbers that decoding gives, for random values, older blocks and damaged bytes.

use aldis_columns::{RowField, RowKind, RowTable, Rows};
use aldis_interpreter::{Codec, Value};
use aldis_plan::{ByteOrder, NullValue};
use aldis_schema::{Schema, Type, TypeId};
use aldis_testkit::plans;

const SCHEMAS: [&str; 4] = [
    "conformance/schemas/market.xml",
    "conformance/schemas/sbe/market-data.xml",
    "conformance/vectors/fbe/extra.fbe",
    "conformance/features/fbe_base.fbe",
];

fn codecs() -> impl Iterator<Item = Codec> {
    SCHEMAS.iter().flat_map(|schema| plans(schema)).map(Codec::new).filter(|codec| Rows::are_in(codec.plan()))
}

/// The value of a field by its name in a row.
fn named<'v>(codec: &'v Codec, record: TypeId, value: &'v Value, name: &str) -> &'v Value {
    let schema = &codec.plan().schema;
    let (first, rest) = name.split_once('.').map_or((name, None), |(first, rest)| (first, Some(rest)));
    let fields = &schema.record(record).fields;
    let index = fields.iter().position(|field| field.name == first).expect("a field of that name");
    let Value::Record(values) = value else { return &Value::Null };
    let own = values.get(index).unwrap_or_else(|| codec.missing(record, index));
    match (rest, fields[index].ty.required()) {
        (Some(rest), Type::Named(inner)) => named(codec, *inner, own, rest),
        _ => own,
    }
}

/// The number of a field in a row; none where it is null.
fn read(table: &RowTable, row: usize, field: &RowField, order: ByteOrder) -> Option<i128> {
    let begin = row * table.width + field.at as usize;
    let bytes = &table.bytes[begin..begin + field.width as usize];
    let add = |sum: u64, octet: &u8| sum << 8 | u64::from(*octet);
    let bits = match order {
        ByteOrder::Big => bytes.iter().fold(0, add),
        ByteOrder::Little => bytes.iter().rev().fold(0, add),
    };
    if field.null == Some(NullValue::Bits(bits)) {
        return None;
    }
    let unused = 64 - 8 * field.width;
    Some(match field.kind {
        RowKind::Signed => i128::from((bits << unused).cast_signed() >> unused),
        _ => i128::from(bits),
    })
}

fn number(value: &Value) -> Option<i128> {
    match value {
        Value::Bool(value) => Some(i128::from(*value)),
        Value::Int(value) => Some(i128::from(*value)),
        Value::UInt(value) => Some(i128::from(*value)),
        _ => None,
    }
}

/// Compares the rows from `first` on with the value; says how many numbers were compared.
fn agree(codec: &Codec, rows: &Rows, (table, row): (usize, usize), record: TypeId, value: &Value) -> usize {
    let (own, order) = (&rows.tables[table], codec.plan().byte_order);
    let wholes = own.fields.iter().filter(|field| field.count.is_none());
    let mut count = 0;
    for field in wholes.filter(|field| matches!(field.kind, RowKind::Signed | RowKind::Unsigned)) {
        let found = read(own, row, field, order);
        let (of, form) = (codec.plan().schema.type_def(record).name.full(), &codec.plan().form.name);
        let wanted = number(named(codec, record, value, &field.name));
        // Any number but 0 is true.
        let is_truth = matches!(named(codec, record, value, &field.name), Value::Bool(_));
        let found = if is_truth { found.map(|found| i128::from(found != 0)) } else { found };
        assert_eq!(found, wanted, "{} of {of} in {form}", field.name);
        count += 1;
    }
    let schema: &Schema = &codec.plan().schema;
    for (child, inner) in rows.tables.iter().enumerate() {
        let prefix = if own.path.is_empty() { String::new() } else { format!("{}.", own.path) };
        let Some(name) = inner.path.strip_prefix(&prefix).filter(|name| !name.is_empty() && !name.contains('.')) else {
            continue;
        };
        let field = schema.record(record).fields.iter().find(|field| field.name == name).expect("the list");
        let Type::List(element) = field.ty.required() else { panic!("{name} is a list") };
        let Type::Named(of) = **element else { panic!("{name} is a list of records") };
        let elements = codec.elements(element, named(codec, record, value, name));
        let places: Vec<usize> = (0..inner.rows).filter(|at| inner.parents[*at] as usize == row).collect();
        assert_eq!(places.len(), elements.len(), "{name}");
        for (place, element) in places.into_iter().zip(elements.iter()) {
            count += agree(codec, rows, (child, place), of, element);
        }
    }
    count
}

#[test]
fn rows_hold_the_numbers_of_values() {
    let mut compared = 0;
    for codec in codecs() {
        for message in 0..codec.plan().messages.len() {
            let mut rows = Rows::new(&codec, message);
            for seed in 0..60 {
                let value = codec.random(message, seed);
                let Ok(bytes) = codec.encode(message, &value) else { continue };
                let (value, size) = codec.decode(message, &bytes).expect("what was encoded");
                assert_eq!(rows.push(&codec, &bytes), Ok(size));
                let record = codec.plan().messages[message].record;
                compared += agree(&codec, &rows, (0, rows.tables[0].rows - 1), record, &value);
            }
        }
    }
    assert!(compared > 10_000, "{compared} numbers");
}

/// Damaged and cut bytes have the verdict of decoding, and rows only where they are a value: the value's own.
#[test]
fn damage_has_the_verdict_of_decoding() {
    let (mut good, mut bad) = (0, 0);
    for mut codec in codecs() {
        codec.strict_text = true;
        for message in 0..codec.plan().messages.len() {
            let mut rows = Rows::new(&codec, message);
            let Ok(bytes) = codec.encode(message, &codec.random(message, 3)) else { continue };
            for at in 0..bytes.len().min(200) {
                for (flip, end) in [(1, bytes.len()), (0x80, bytes.len()), (0, at)] {
                    let mut damaged = bytes[..end].to_vec();
                    damaged.iter_mut().skip(at).take(1).for_each(|octet| *octet ^= flip);
                    let before: Vec<usize> = rows.tables.iter().map(|table| table.rows).collect();
                    let verdict = codec.decode(message, &damaged);
                    assert_eq!(
                        rows.push(&codec, &damaged),
                        verdict.as_ref().map(|found| found.1).map_err(Clone::clone)
                    );
                    let Ok((value, _)) = verdict else {
                        let after: Vec<usize> = rows.tables.iter().map(|table| table.rows).collect();
                        assert_eq!(before, after);
                        bad += 1;
                        continue;
                    };
                    let record = codec.plan().messages[message].record;
                    if end == bytes.len() && flip == 0x80 {
                        agree(&codec, &rows, (0, before[0]), record, &value);
                    }
                    good += 1;
                }
            }
        }
    }
    assert!(good > 500 && bad > 500, "{good} are values, {bad} are not");
}
