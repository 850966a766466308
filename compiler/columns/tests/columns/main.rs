//! Columns have what the interpreter decodes: of every schema in conformance/, in every form, of random and damaged messages.

mod same;

use aldis_columns::{Columns, Enums, Groups, Options, Place, Sets, Splitter, Table};
use aldis_interpreter::{Code, Codec, Value};
use aldis_testkit::{plans, plans_in, root, try_plans, Text};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, UInt64Type};
use same::Sameness;
use std::path::{Path, PathBuf};

fn schemas(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            schemas(&path, found);
        } else if matches!(path.extension().and_then(|e| e.to_str()), Some("xml" | "fbe" | "capnp")) {
            found.push(path);
        }
    }
}

fn codecs() -> Vec<Codec> {
    let mut found = Vec::new();
    for folder in ["conformance/schemas", "conformance/vectors", "conformance/features"] {
        schemas(&root().join(folder), &mut found);
    }
    found.sort();
    let plans = found.iter().filter_map(|path| try_plans(&path.to_string_lossy())).flatten();
    plans
        .map(|plan| {
            let mut codec = Codec::new(plan);
            codec.strict_text = true;
            codec
        })
        .collect()
}

/// Numbers that look random, the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }

    fn damaged(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        match self.below(4) {
            0 => bytes.truncate(self.below(bytes.len())),
            1 => (0..bytes.len()).for_each(|at| bytes[at] = self.below(256) as u8),
            _ => {
                for _ in 0..=self.below(3) {
                    let at = self.below(bytes.len());
                    if let Some(byte) = bytes.get_mut(at) {
                        *byte = [0, 1, 0xff, 0x80, self.below(256) as u8][self.below(5)];
                    }
                }
            }
        }
        bytes
    }
}

/// Puts a message into columns where it can be, and its value beside it.
fn push(columns: &mut Columns, codec: &Codec, message: usize, bytes: &[u8], values: &mut Vec<Value>) {
    let rows = columns.rows();
    let pushed = columns.push(codec, bytes);
    match (codec.decode(message, bytes), pushed) {
        (Ok((value, size)), Ok(taken)) => {
            assert_eq!((taken, columns.rows()), (size, rows + 1));
            values.push(value);
        }
        (Err(wanted), Err(found)) => {
            assert_eq!((found, columns.rows()), (wanted, rows));
        }
        // A column cannot hold it.
        (Ok(_), Err(fault)) => {
            assert!(matches!(fault.code, Code::OutOfRange | Code::BadValue), "{fault}");
            assert_eq!(columns.rows(), rows);
        }
        (Err(fault), Ok(_)) => panic!("{fault}"),
    }
}

fn agree(codec: &Codec, options: Options, rounds: u64) -> usize {
    let sameness = Sameness { codec, options };
    let mut rows = 0;
    for (message, definition) in codec.plan().messages.iter().enumerate() {
        let mut columns = Columns::new(codec, message, &options);
        let (mut values, mut numbers) = (Vec::new(), Numbers(message as u64));
        for seed in 0..rounds {
            let Ok(bytes) = codec.encode(message, &codec.random(message, seed)) else { continue };
            push(&mut columns, codec, message, &bytes, &mut values);
            for _ in 0..3 {
                push(&mut columns, codec, message, &numbers.damaged(&bytes), &mut values);
            }
            if seed % 8 != 7 {
                continue;
            }
            let batch = columns.batch().unwrap();
            assert_eq!(batch.num_rows(), values.len());
            let fields = &codec.plan().schema.record(definition.record).fields;
            for (row, value) in values.drain(..).enumerate() {
                rows += 1;
                let Value::Record(given) = &value else { panic!("{value:?}") };
                if batch.num_columns() == fields.len() {
                    sameness.fields(fields, definition.record, given, batch.columns(), row);
                }
            }
        }
    }
    rows
}

#[test]
fn columns_have_what_is_decoded() {
    let numbers = Options { enums: Enums::Numbers, sets: Sets::Integers, times: false, decimals: Some(9) };
    let mut rows = 0;
    let codecs = codecs();
    assert!(codecs.len() > 60, "{}", codecs.len());
    for codec in &codecs {
        rows += agree(codec, Options { times: false, ..Options::default() }, 16);
        rows += agree(codec, numbers, 8);
        rows += agree(codec, Options::default(), 8);
    }
    assert!(rows > 10_000, "{rows}");
}

/// `Table::names` has each column of a message, also of one that is a single decimal, in every kind of table.
#[test]
fn a_message_has_each_of_its_columns() {
    let (mut values, options) = (0, Options::default());
    for codec in &codecs() {
        for message in 0..codec.plan().messages.len() {
            for kind in [(false, Groups::Lists), (true, Groups::Tables)] {
                let names = Table::names(codec, message, kind);
                let batch = Table::new(codec, message, &options, kind).take().unwrap().swap_remove(0).batch;
                let schema = batch.schema();
                let mut all = schema.fields().iter();
                assert!(all.all(|field| names.contains(field.name())), "{}", codec.message_name(message));
                let record = codec.plan().schema.record(codec.plan().messages[message].record);
                let own = Columns::new(codec, message, &options).schema();
                values += own.fields().iter().filter(|field| record.field_index(field.name()).is_none()).count();
            }
            assert!(Columns::chosen(codec, message, &options, &|_| false).schema().fields().is_empty());
        }
    }
    assert!(values > 0, "no message of conformance/ is one value");
}

/// A field with the name of a column before it is asked for by the name that its column has among all.
#[test]
fn a_column_that_is_renamed_is_wanted_by_its_own_name() {
    let fields = ["_offset", "_offset_", "_row", "_row_", "_header"].iter().enumerate();
    let fields = fields.map(|(at, name)| format!(r#"<field name="{name}" id="{at}" type="int32"/>"#));
    let schema = SETS.replace(r#"<field name="bits" id="1" type="Bits"/>"#, &fields.collect::<String>());
    let codec = Codec::new(plans_in("bits.xml", &Text(schema.leak())).swap_remove(0));
    let bytes = codec.encode(0, &codec.random(0, 1)).unwrap();
    let place = Place { message: 7, offset: 8, packet: None };
    for groups in [Groups::Lists, Groups::Tables] {
        let batch = |wanted: &dyn Fn(&str) -> bool| {
            let mut table = Table::chosen(&codec, 0, &Options::default(), (false, groups), wanted);
            table.push(&codec, &bytes, &place).unwrap();
            table.take().unwrap().swap_remove(0).batch
        };
        let all = batch(&|_| true);
        let own = all.schema();
        assert_eq!(own.fields().len(), if groups == Groups::Lists { 7 } else { 8 });
        for name in
            own.fields().iter().map(|field| field.name()).filter(|name| *name != "_row" || groups == Groups::Lists)
        {
            assert!(Table::names(&codec, 0, (false, groups)).contains(name), "{name}");
            let one = batch(&|own| own == name);
            assert_eq!(one.column_by_name(name), all.column_by_name(name), "{name}");
            assert_eq!(one.num_columns(), if groups == Groups::Lists { 1 } else { 2 }, "{name}");
        }
    }
}

/// Columns that are wanted alone are as they are among all.
#[test]
fn wanted_columns_are_those_of_all() {
    let (mut rows, mut fewer) = (0, 0);
    for codec in &codecs() {
        for message in 0..codec.plan().messages.len() {
            let mut all = Columns::new(codec, message, &Options::default());
            let names: Vec<String> = all.schema().fields().iter().map(|field| field.name().clone()).collect();
            for turn in 0..3.min(names.len()) {
                let wanted = |name: &str| names.iter().position(|own| own == name).is_some_and(|at| at % 3 == turn);
                let mut some = Columns::chosen(codec, message, &Options::default(), &wanted);
                assert!(some.schema().fields().iter().all(|field| wanted(field.name())));
                let mut numbers = Numbers(message as u64);
                for seed in 0..8 {
                    let Ok(bytes) = codec.encode(message, &codec.random(message, seed)) else { continue };
                    for bytes in [numbers.damaged(&bytes), bytes] {
                        match (all.push(codec, &bytes), some.push(codec, &bytes)) {
                            (Ok(size), taken) => assert_eq!(taken, Ok(size)),
                            // A column that is not wanted could not hold it.
                            (Err(_), Ok(_)) => some.pop(),
                            (Err(_), Err(_)) => {}
                        }
                    }
                }
                let (all, some) = (all.batch().unwrap(), some.batch().unwrap());
                assert_eq!(all.num_rows(), some.num_rows());
                for (field, column) in some.schema().fields().iter().zip(some.columns()) {
                    assert_eq!(all.column_by_name(field.name()), Some(column), "{}", field.name());
                }
                rows += some.num_rows();
                fewer += usize::from(some.num_columns() < all.num_columns());
            }
        }
    }
    assert!(rows > 1_000 && fewer > 100, "{rows} {fewer}");
}

fn codec(schema: &str, form: usize) -> Codec {
    Codec::new(plans(schema).swap_remove(form))
}

#[test]
fn types_are_those_of_arrow() {
    let codec = codec("conformance/schemas/market.xml", 0);
    let message = codec.message_named("market.Trade").unwrap();
    let columns = Columns::new(&codec, message, &Options::default());
    let schema = columns.schema();
    let shown: Vec<String> = schema.fields().iter().map(|f| format!("{}: {}", f.name(), f.data_type())).collect();
    assert_eq!(
        shown,
        [
            "sequence: UInt64",
            "time: Timestamp(ns, \"UTC\")",
            "instrument: UInt32",
            "price: Decimal128(20, 8)",
            "size: UInt32",
            "aggressor: Dictionary(Int32, Utf8)",
            "conditions: List(Dictionary(Int32, Utf8))",
            "buyOrder: UInt64",
            "sellOrder: UInt64",
            "venue: Utf8",
        ]
    );
}

#[test]
fn lists_of_records_become_tables_that_name_their_parents() {
    let codec = codec("conformance/schemas/market.xml", 0);
    let message = codec.message_named("market.OrderBook").unwrap();
    let options = Options { times: false, ..Options::default() };
    let mut columns = Columns::new(&codec, message, &options);
    let mut splitter = Splitter::default();
    let (mut seen, mut books) = (0, 0);
    for round in 0..3 {
        let mut bids = Vec::new();
        for seed in 0..5 {
            let value = codec.random(message, round * 5 + seed);
            let Value::Record(fields) = &value else { panic!() };
            let Value::List(list) = &fields[5] else { panic!() };
            bids.push(list.len());
            columns.push(&codec, &codec.encode(message, &value).unwrap()).unwrap();
        }
        let parts = splitter.split(&columns.batch().unwrap()).unwrap();
        let mut paths: Vec<&str> = parts.iter().map(|part| part.path.as_str()).collect();
        paths.sort_unstable();
        assert_eq!(paths, ["", "asks", "asks.orders", "bids", "bids.orders"]);
        let bid = &parts.iter().find(|part| part.path == "bids").unwrap().batch;
        let numbers = |name: &str| bid.column_by_name(name).unwrap().as_primitive::<UInt64Type>().values().to_vec();
        let parents: Vec<u64> =
            bids.iter().zip(books..).flat_map(|(count, book)| std::iter::repeat_n(book, *count)).collect();
        assert_eq!(numbers("_parent"), parents);
        assert_eq!(numbers("_row"), (seen..seen + parents.len() as u64).collect::<Vec<_>>());
        assert!(bid.column_by_name("orders").is_none());
        seen += parents.len() as u64;
        books += 5;
    }
    assert!(seen > 0);
}

#[test]
fn numbers_without_a_name_are_kept() {
    let codec = codec("conformance/schemas/market.xml", 0);
    let message = codec.message_named("market.Trade").unwrap();
    let mut columns = Columns::new(&codec, message, &Options::default());
    let bytes = codec.encode(message, &codec.random(message, 1)).unwrap();
    for byte in [b'S', 7, b'B', 250, 7] {
        let mut bytes = bytes.clone();
        // The aggressor's.
        bytes[8 + 32] = byte;
        columns.push(&codec, &bytes).unwrap();
    }
    let batch = columns.batch().unwrap();
    let column = batch.column_by_name("aggressor").unwrap().as_dictionary::<Int32Type>();
    let names = column.values().as_string::<i32>();
    let found: Vec<&str> = column.keys().values().iter().map(|key| names.value(*key as usize)).collect();
    assert_eq!(found, ["sell", "7", "buy", "250", "7"]);
}

#[test]
fn text_is_text_whatever_the_codec_says() {
    let mut codec = codec("conformance/schemas/market.fbe", 0);
    let message = codec.message_named("market.Balance").unwrap();
    let Value::Record(mut fields) = codec.random(message, 1) else { panic!() };
    fields[0] = Value::Bytes(Box::from(*b"XLON"));
    let bytes = codec.encode(message, &Value::Record(fields)).unwrap();
    let at = bytes.windows(4).position(|window| window == b"XLON").unwrap();
    for is_strict in [false, true] {
        codec.strict_text = is_strict;
        let mut columns = Columns::new(&codec, message, &Options::default());
        let mut bad = bytes.clone();
        bad[at + 1] = 0xff;
        columns.push(&codec, &bytes).unwrap();
        assert_eq!(columns.push(&codec, &bad).unwrap_err().code, Code::BadText);
        columns.push(&codec, &bytes).unwrap();
        assert_eq!(columns.batch().unwrap().num_rows(), 2);
    }
}

const SETS: &str = r#"<sbe:messageSchema xmlns:sbe="http://fixprotocol.io/2016/sbe" package="bits" id="5" version="0" byteOrder="littleEndian">
<types><composite name="messageHeader"><type name="blockLength" primitiveType="uint16"/><type name="templateId" primitiveType="uint16"/><type name="schemaId" primitiveType="uint16"/><type name="version" primitiveType="uint16"/></composite>
<set name="Bits" encodingType="uint64"><choice name="first">0</choice></set></types>
<sbe:message name="Flags" id="1"><field name="bits" id="1" type="Bits"/></sbe:message>
</sbe:messageSchema>
"#;

/// Messages that are put into columns many at once are refused one by one, as dictionaries have no room for more names.
#[test]
fn numbers_without_a_name_are_refused_where_there_are_too_many() {
    let codec = Codec::new(plans_in("bits.xml", &Text(SETS)).swap_remove(0));
    assert!(codec.blocks(0).is_some());
    let mut columns = Columns::new(&codec, 0, &Options::default());
    let most = 1 << 16;
    for number in 0..most + 1000 {
        let bytes = [&[8, 0, 1, 0, 5, 0, 0, 0][..], &(number << 1 | 1_u64).to_le_bytes()].concat();
        let pushed = columns.push(&codec, &bytes);
        assert_eq!(pushed.is_ok(), number <= most, "{number}: {pushed:?}");
    }
    let batch = columns.batch().unwrap();
    let sets = batch.column(0).as_list::<i32>();
    let lengths: Vec<i32> = sets.offsets().windows(2).map(|ends| ends[1] - ends[0]).collect();
    assert_eq!(lengths, [vec![1], vec![2; most as usize]].concat());
    let names = sets.values().as_dictionary::<Int32Type>();
    let last = names.keys().values().last().map(|key| names.values().as_string::<i32>().value(*key as usize));
    assert_eq!(last, Some((most << 1).to_string().as_str()));
}
