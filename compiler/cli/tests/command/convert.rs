//! `convert` and `index`: tables have what `decode` says, in every format of files, in parts, and of damaged input.

use super::captures::{datagram_of, pcap, udp, SCHEMA};
use super::pages::follow_to;
use super::{aldis, good, root, Folder, FBE, SBE};
use serde_json::{json, Value};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

const TIMES: [&str; 2] = ["--times", "integers"];

/// A stream of random messages of the market.
pub(super) fn feed(folder: &Folder, count: &str) -> String {
    let random = ["random", SBE, "--seed", "7", "--count", count, "--to", "bytes", "--framing", "u32le"];
    folder.write("feed.bin", aldis(&random).out)
}

/// The lines of all tables, by the files' names.
fn tables(folder: &str) -> BTreeMap<String, Vec<Value>> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let lines = |path: &Path| {
        let text = fs::read_to_string(path).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    files.map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), lines(&path))).collect()
}

pub(super) fn convert(input: &str, out: &str, more: &[&str]) -> super::Run {
    let how = ["convert", input, "--schema", SBE, "--framing", "u32le", "--out", out];
    aldis(&[&how[..], &TIMES, more].concat())
}

/// A member of an object as a row has it: numbers without a name, of enums and of flags, are their digits.
fn member(name: &str, value: &Value) -> Value {
    match value {
        Value::Number(number) if ["aggressor", "side", "type"].contains(&name) => json!(number.to_string()),
        Value::Array(flags) if name == "conditions" => {
            flags.iter().map(|flag| flag.as_str().map_or_else(|| json!(flag.to_string()), |name| json!(name))).collect()
        }
        // JSON lines of tables have no numbers that are none.
        Value::String(_) if name == "volatility" => Value::Null,
        other => as_row(other),
    }
}

/// A value of `decode` as a row has it: a mantissa and a fixed exponent are a decimal.
fn as_row(value: &Value) -> Value {
    match value {
        Value::Array(elements) => elements.iter().map(as_row).collect(),
        Value::Object(members) => match (members.get("mantissa"), members.get("exponent")) {
            (Some(Value::Null), Some(_)) => Value::Null,
            (Some(mantissa), Some(exponent)) => {
                let (digits, places) = (mantissa.as_i64().unwrap(), exponent.as_i64().unwrap().unsigned_abs() as usize);
                let text = format!("{:0>width$}", digits.unsigned_abs(), width = places + 1);
                let (whole, rest) = text.split_at(text.len() - places);
                json!(format!("{}{whole}.{rest}", if digits < 0 { "-" } else { "" }))
            }
            _ => members.iter().map(|(name, value)| (name.clone(), member(name, value))).collect(),
        },
        other => other.clone(),
    }
}

#[test]
fn rows_are_what_decode_says() {
    let folder = Folder::new("convert-rows");
    let (feed, out) = (feed(&folder, "200"), folder.path("out"));
    let run = convert(&feed, &out, &["--to", "jsonl"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let mut tables = tables(&out);
    assert_eq!(run.text().lines().count(), tables.len());
    tables.values_mut().for_each(|rows| rows.reverse());
    let decoded = aldis(&["decode", SBE, &feed, "--framing", "u32le"]);
    for (index, line) in decoded.text().lines().enumerate() {
        let line: Value = serde_json::from_str(line).unwrap();
        let name = format!("{}.jsonl", line["message"].as_str().unwrap());
        let mut row = tables.get_mut(&name).unwrap().pop().unwrap();
        let row = row.as_object_mut().unwrap();
        assert_eq!(row.remove("_message"), Some(json!(index)));
        assert!(row.remove("_offset").unwrap().as_u64().unwrap() >= 4);
        assert_eq!(Value::Object(row.clone()), as_row(&line["value"]));
    }
    assert!(tables.values().all(Vec::is_empty));
}

#[test]
fn all_parts_are_the_whole() {
    let folder = Folder::new("convert-parts");
    let (feed, out) = (feed(&folder, "300"), folder.path("whole"));
    assert_eq!(convert(&feed, &out, &["--to", "jsonl"]).code, 0);
    let whole = tables(&out);
    for with_index in [false, true] {
        if with_index {
            let run = aldis(&["index", &feed, "--framing", "u32le", "--every", "500"]);
            assert!(run.text().contains("feed.bin.index  300 messages"), "{}{}", run.text(), run.err);
        }
        for count in [1, 2, 5, 64] {
            let out = folder.path(&format!("parts-{with_index}-{count}"));
            let mut joined: BTreeMap<String, Vec<Value>> = BTreeMap::new();
            for number in 1..=count {
                let part = format!("{number}/{count}");
                let run = convert(&feed, &out, &["--to", "jsonl", "--part", &part]);
                assert_eq!(run.code, 0, "{}", run.err);
            }
            let of_parts = tables(&out);
            for number in 1..=count {
                for (name, rows) in &of_parts {
                    if let Some(stem) = name.strip_suffix(&format!(".{number}-of-{count}.jsonl")) {
                        joined.entry(format!("{stem}.jsonl")).or_default().extend(rows.iter().cloned());
                    }
                }
            }
            assert_eq!(joined, whole, "{count} parts, with index: {with_index}");
        }
    }
    fs::write(folder.path("feed.bin"), b"shorter").unwrap();
    let run = convert(&feed, &out, &["--part", "1/2"]);
    assert!(run.code == 1 && run.err.contains("make it again with aldis index"), "{}", run.err);
}

#[test]
fn damaged_input_gives_what_comes_before() {
    let folder = Folder::new("convert-damage");
    let trades = ["random", SBE, "Trade", "--seed", "3", "--count", "10", "--to", "bytes", "--framing", "u32le"];
    let bytes = aldis(&trades).out;
    let each = bytes.len() / 10;
    let mut broken = bytes.clone();
    // The template of the seventh.
    broken[6 * each + 4 + 2] = 0xee;
    let input = folder.write("broken.bin", &broken);
    let out = folder.path("stop");
    let run = convert(&input, &out, &["--to", "jsonl"]);
    let place = format!("message 6, stream byte {}", 6 * each + 4);
    assert!(run.code == 1 && run.err.contains(&place) && run.err.contains("unknown-message"), "{}", run.err);
    assert_eq!(tables(&out)["market.Trade.jsonl"].len(), 6);
    let out = folder.path("skip");
    let run = convert(&input, &out, &["--to", "jsonl", "--errors", "skip"]);
    assert!(run.code == 0 && run.err.contains("1 message left out"), "{} {}", run.code, run.err);
    assert_eq!(tables(&out)["market.Trade.jsonl"].len(), 9);
    let input = folder.write("cut.bin", &bytes[..9 * each + 20]);
    for to in ["parquet", "arrow", "csv", "jsonl"] {
        let out = folder.path(to);
        let run = convert(&input, &out, &["--to", to, "--errors", "skip"]);
        assert!(run.code == 1 && run.err.contains("ends within a frame"), "{}", run.err);
        assert!(run.text().contains("9 rows"), "{}", run.text());
    }
    let lines = fs::read_to_string(folder.path("csv/market.Trade.csv")).unwrap();
    assert_eq!(lines.lines().count(), 10);
    assert!(lines.starts_with("_message,_offset,sequence,time,instrument,price,"), "{lines}");
}

#[test]
fn text_that_is_not_utf8_is_a_damaged_message() {
    let folder = Folder::new("convert-text");
    let line = r#"{"message":"market.Balance","value":{"currency":"XLON","amount":"1"}}"#;
    let mut bytes = good(&["encode", FBE, "--framing", "fbe"], format!("{line}\n{line}\n{line}\n").as_bytes());
    let second = bytes.len() / 3;
    let at = second + bytes[second..].windows(4).position(|window| window == b"XLON").unwrap();
    bytes[at] = 0xff;
    let feed = folder.write("feed.bin", bytes);
    for (errors, rows) in [("stop", 1), ("skip", 2)] {
        let out = folder.path(errors);
        let how =
            ["convert", &feed, "--schema", FBE, "--framing", "fbe", "--to", "jsonl", "--errors", errors, "--out", &out];
        let run = aldis(&how);
        assert_eq!((run.code, run.err.contains("bad-text")), (i32::from(rows == 1), true), "{}", run.err);
        assert_eq!(tables(&out)["market.Balance.jsonl"].len(), rows);
    }
    let stats = aldis(&["stats", &feed, "--schema", FBE, "--framing", "fbe", "--verify"]);
    assert_eq!(stats.code, 1);
}

#[test]
fn rows_of_captures_have_their_packets() {
    let folder = Folder::new("convert-packets");
    let schema = folder.write("feed.xml", SCHEMA);
    let capture =
        folder.write("feed.pcap", pcap(&[udp(5000, &datagram_of(7, &[10, 11])), udp(5001, &datagram_of(1, &[90]))]));
    let out = folder.path("out");
    let how = ["--input", "pcap", "--framing", "u16le-whole", "--packet-header", "PacketHeader", "--to", "jsonl"];
    good(&[&["convert", &capture, "--schema", &schema, "--out", &out][..], &how].concat(), b"");
    let rows = tables(&out).remove("feed.Tick.jsonl").unwrap();
    assert_eq!(rows.len(), 3);
    let wanted = json!({
        "_message": 1, "_offset": 26 + 2, "_packet": 1, "_time": "2026-11-23T14:30:00.000000000Z",
        "_channel": "udp 10.0.0.1:4000 > 224.0.31.1:5000", "_sequence": 7, "price": 11,
    });
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&rows[1]), keys(&wanted));
    for name in ["_message", "_packet", "_time", "_channel", "_sequence", "price"] {
        assert_eq!(rows[1][name], wanted[name], "{name}");
    }
    assert_eq!(rows[2]["_packet"], 2);
}

#[test]
fn what_cannot_be_in_parts_is_told() {
    for (more, text) in [
        (&["--part", "1/2", "--groups", "tables"][..], "leave groups in their rows"),
        (&["--part", "1/2", "--input", "pcap"], "split the capture by time"),
        (&["--part", "3/2"], "the third of eight"),
    ] {
        let run = convert("nothing.bin", "/nonexistent", more);
        assert!(run.code == 2 && run.err.contains(text), "{}", run.err);
    }
}

/// A Python that has these libraries.
pub(super) fn python_with(libraries: &str) -> Option<String> {
    let named = std::env::var("ALDIS_COLUMNS_PYTHON").ok();
    let found = named.into_iter().chain(["python3".to_owned()]).find(|python| {
        let import = Command::new(python).args(["-c", &format!("import {libraries}")]).output();
        import.is_ok_and(|import| import.status.success())
    });
    if found.is_none() {
        let text = format!("skipped: no python3 with {libraries} (ALDIS_COLUMNS_PYTHON names one)");
        let _ = writeln!(std::io::stderr(), "{text}");
    }
    found
}

#[test]
fn pyarrow_and_duckdb_read_the_same() {
    let Some(python) = python_with("pyarrow, duckdb") else { return };
    let folder = Folder::new("convert-read-back");
    let schemas = [
        (SBE, None),
        (super::FBE, None),
        (super::CAPNP, Some("AddressBook")),
        ("conformance/schemas/market.capnp", Some("Event")),
        ("conformance/schemas/sbe/market-data.xml", None),
        ("conformance/schemas/sbe/corners.xml", None),
        ("conformance/schemas/sbe/header-session.xml", None),
        ("conformance/schemas/fbe/trades.fbe", None),
        ("conformance/vectors/fbe/extra.fbe", None),
    ];
    for (number, (schema, message)) in schemas.iter().enumerate() {
        let random = ["random", schema, "--seed", "5", "--count", "64", "--to", "bytes", "--framing", "u32le"];
        let bytes = aldis(&[&random[..], message.as_slice()].concat());
        assert_eq!(bytes.code, 0, "{schema}: {}", bytes.err);
        let input = folder.write(&format!("{number}.bin"), bytes.out);
        let named: Vec<&str> = message.iter().flat_map(|name| ["--message", name]).collect();
        for to in ["parquet", "arrow", "jsonl"] {
            let out = folder.path(&format!("{number}"));
            let how = ["convert", &input, "--schema", schema, "--framing", "u32le", "--out", &out, "--to", to];
            let run = aldis(&[&how[..], &TIMES, &named].concat());
            assert_eq!(run.code, 0, "{schema}: {}", run.err);
        }
    }
    let script = root().join("compiler/cli/tests/command/read_back.py");
    let run = Command::new(python).arg(script).arg(&folder.0).output().unwrap();
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success() && said.contains("tables agree"), "{said}{}", String::from_utf8_lossy(&run.stderr));
}

#[test]
fn queries_give_the_answers_that_the_book_shows() {
    let Some(python) = python_with("duckdb") else { return };
    let page = "docs/book/columns.md";
    let folder = follow_to(page, Some("$ sed 's/ version")).0;
    let text = fs::read_to_string(root().join(page)).unwrap();
    let blocks: Vec<&str> = text.split("```\n").filter(|block| block.starts_with("duckdb -c")).collect();
    assert_eq!(blocks.len(), 2);
    for (query, answer) in blocks.into_iter().filter_map(|block| block.split_once('\n')) {
        let script = format!("import duckdb\nprint(duckdb.sql(\"\"\"{}\"\"\"))", query.split('"').nth(1).unwrap());
        let mut asked = Command::new(&python);
        asked.args(["-c", &script]).current_dir(folder.0.join("here")).env("TZ", "UTC");
        let run = asked.output().unwrap();
        assert!(run.status.success(), "{query}: {}", String::from_utf8_lossy(&run.stderr));
        assert_eq!(String::from_utf8_lossy(&run.stdout).trim(), answer.trim(), "{query}");
    }
}
