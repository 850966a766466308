//! The golden vectors that Cap'n Proto's own tool wrote.

mod common;

use aldis_interpreter::Codec;
use aldis_plan::Limits;
use common::vectors;
use serde_json::Value as Json;
use std::fs;
use std::path::PathBuf;

fn folder() -> PathBuf {
    vectors("capnp")
}

/// Rows of the index: vector, schema, root type.
fn index(kind: &str) -> Vec<(String, String, String)> {
    let text = fs::read_to_string(folder().join("INDEX.md")).unwrap();
    let rows = text.lines().filter(|line| line.starts_with(&format!("| {kind}/")));
    let rows = rows.map(|row| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        (cells[1].to_owned(), cells[2].to_owned(), cells[3].to_owned())
    });
    let rows: Vec<_> = rows.collect();
    assert!(!rows.is_empty(), "the index has no {kind}");
    rows
}

/// The codecs of a schema's forms: plain, packed, canonical.
fn forms(schema: &str) -> Vec<Codec> {
    let request = folder().join("cgr").join(schema.replace(".capnp", ".cgr"));
    let plans = aldis_capnp::compile_request(&fs::read(request).unwrap()).unwrap().plans;
    plans.into_iter().map(Codec::new).collect()
}

fn read(name: &str, extension: &str) -> Vec<u8> {
    fs::read(folder().join(format!("{name}.{extension}"))).unwrap()
}

/// Equal as values: the reference widens floats of 32 bits.
fn agrees(ours: &Json, golden: &Json) -> bool {
    match (ours, golden) {
        (Json::Number(a), Json::Number(b)) => {
            let (a, b) = (a.as_f64().unwrap(), b.as_f64().unwrap());
            a == b || a as f32 == b as f32
        }
        (Json::Array(a), Json::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| agrees(a, b)),
        (Json::Object(a), Json::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, value)| b.get(key).is_some_and(|other| agrees(value, other)))
        }
        (a, b) => a == b,
    }
}

fn json(codec: &Codec, message: usize, bytes: &[u8]) -> Json {
    let mut out = Vec::new();
    codec.to_json(message, bytes, &mut out).unwrap();
    serde_json::from_slice(&out).unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&out)))
}

#[test]
fn messages_go_every_way() {
    for (name, schema, record) in index("msg") {
        let forms = forms(&schema);
        let message = forms[0].message_named(&record).unwrap();
        let golden: Json = serde_json::from_slice(&read(&name, "json")).unwrap();
        let bytes = [read(&name, "bin"), read(&name, "packed"), read(&name, "canon")];
        for (from, given) in forms.iter().zip(&bytes) {
            let found = json(from, message, given);
            assert!(agrees(&found, &golden), "{name}: {found} is not {golden}");
            let (value, size) = from.decode(message, given).unwrap();
            assert_eq!(size, given.len(), "{name}");
            let mut text = Vec::new();
            from.value_to_json(message, &value, &mut text).unwrap();
            let read_back = from.from_json(message, &text).unwrap();
            for (to, wanted) in forms.iter().zip(&bytes) {
                // The canonical form has dropped what the others still show.
                if from.plan().form.name != "capnp-canonical" {
                    assert_eq!(to.encode(message, &value).unwrap(), *wanted, "{name} to {}", to.plan().form.name);
                    assert_eq!(to.encode(message, &read_back).unwrap(), *wanted, "{name} from json");
                }
            }
        }
    }
}

#[test]
fn segments_are_found_wherever_pointers_lead() {
    for (name, schema, record) in index("multiseg") {
        let forms = forms(&schema);
        let message = forms[0].message_named(&record).unwrap();
        let golden: Json = serde_json::from_slice(&read(&name, "json")).unwrap();
        for (codec, extension) in forms.iter().zip(["bin", "packed", "canon"]) {
            let found = json(codec, message, &read(&name, extension));
            assert!(agrees(&found, &golden), "{name}.{extension}: {found} is not {golden}");
        }
        let (value, _) = forms[0].decode(message, &read(&name, "bin")).unwrap();
        assert_eq!(forms[2].encode(message, &value).unwrap(), read(&name, "canon"), "{name}");
    }
}

/// The verdict of the reference's reader, with its own limits.
#[test]
fn hostile_bytes_are_refused_where_the_reference_refuses() {
    for (name, schema, record) in index("malicious").into_iter().chain(index("framing")) {
        let mut codec = forms(&schema).swap_remove(0);
        codec.limits = Limits::REFERENCE;
        let message = codec.message_named(&record).unwrap();
        let expected = String::from_utf8(read(&name, "expect")).unwrap();
        // The answer of the newest version that was asked, which stands first.
        let verdict = expected.lines().find(|line| line.contains("\tstream\t")).unwrap();
        let result = codec.decode(message, &read(&name, "bin"));
        let accepted = verdict.split('\t').nth(3) == Some("OK");
        assert_eq!(result.is_ok(), accepted, "{name}: {result:?}, but the reference: {verdict}");
    }
}

/// Bits of wider elements are the list's first; behind a far pointer zeros are a struct of no words.
#[test]
fn what_the_reference_reads_of_odd_bytes_is_read() {
    let rows = index("malicious");
    let cases = [
        ("bytes-as-bits", r#"{"b":[true,false,true,false,true,true,false,false,false,true]}"#),
        ("words-as-bits", r#"{"b":[false,true]}"#),
        ("zero-pad-root", r#"{"n":0}"#),
        ("zero-pad-struct", r#"{"n":7,"next":{"n":0}}"#),
        ("zero-pad-double", r#"{"n":7,"next":{"n":0}}"#),
    ];
    for (name, wanted) in cases {
        let (name, schema, record) = rows.iter().find(|(row, ..)| *row == format!("malicious/{name}")).unwrap();
        let codec = forms(schema).swap_remove(0);
        let message = codec.message_named(record).unwrap();
        let wanted: Json = serde_json::from_str(wanted).unwrap();
        assert_eq!(json(&codec, message, &read(name, "bin")), wanted, "{name}");
    }
}
