//! The golden vectors that the SBE reference wrote.

mod common;

use aldis_interpreter::{explain, Codec, EntryKind};
use aldis_plan::Format;
use common::{check_round_trips, codecs, hex, json, vectors, Disk};
use serde_json::Value as Json;
use std::fs;
use std::path::Path;

/// Names of the files that end so, without that end.
fn names(suffix: &str) -> Vec<String> {
    let entries = fs::read_dir(vectors("sbe")).unwrap();
    let files = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = files.filter_map(|file| file.strip_suffix(suffix).map(str::to_owned)).collect();
    names.sort();
    names
}

fn codec(schema: &str) -> Codec {
    codecs(&aldis_sbe::SBE, &vectors("sbe").join(schema)).remove(0)
}

fn truth(name: &str) -> Json {
    serde_json::from_str(&fs::read_to_string(vectors("sbe").join(format!("{name}.values.json"))).unwrap()).unwrap()
}

/// Whether our JSON says what the reference encoder was given (INDEX.md: the notation of `.values.json`).
fn agrees(ours: &Json, truth: &Json) -> bool {
    match (ours, truth) {
        (a, Json::Object(b)) if b.len() == 1 && b.contains_key("const") => {
            a == &b["const"] || b["const"].as_str() == Some(&a.to_string())
        }
        (a, Json::Object(b)) if b.len() == 1 && b.contains_key("unknown") => a.is_number(),
        (Json::Object(a), Json::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| agrees(a, b)))
        }
        // The notation names the choices of a set that the reading schema knows, and drops unknown bits.
        (Json::Array(a), Json::Array(b)) if b.iter().all(Json::is_string) && a.last().is_some_and(Json::is_number) => {
            a[..a.len() - 1] == b[..] || agrees_all(a, b)
        }
        (Json::Array(a), Json::Array(b)) => agrees_all(a, b),
        (Json::String(a), Json::Number(b)) => a.chars().map(|c| c as u64).eq(b.as_u64()),
        (a, Json::String(b)) => agrees_with_text(a, b),
        (a, b) => a == b,
    }
}

fn agrees_all(ours: &[Json], truth: &[Json]) -> bool {
    ours.len() == truth.len() && ours.iter().zip(truth).all(|(a, b)| agrees(a, b))
}

fn agrees_with_text(ours: &Json, truth: &str) -> bool {
    let float = |ours: &Json| match ours {
        Json::String(text) if text == "NaN" => Some(f64::NAN),
        other => other.as_f64(),
    };
    if let Some(bits) = truth.strip_prefix("f32:") {
        let wanted = f32::from_bits(u32::from_str_radix(bits, 16).unwrap());
        return float(ours).is_some_and(|v| v as f32 == wanted || (v.is_nan() && wanted.is_nan()));
    }
    if let Some(bits) = truth.strip_prefix("f64:") {
        let wanted = f64::from_bits(u64::from_str_radix(bits, 16).unwrap());
        return float(ours).is_some_and(|v| v == wanted || (v.is_nan() && wanted.is_nan()));
    }
    let text = ours.as_str().unwrap_or_default();
    match truth.strip_prefix("hex:") {
        Some(wanted) => {
            let base64 = decode_base64(text);
            wanted == hex(text.as_bytes()) || base64.is_some_and(|bytes| hex(&bytes) == wanted)
        }
        None => text == truth,
    }
}

/// Enough of base64 for a comparison: the length tells nothing here, so padding is only dropped.
fn decode_base64(text: &str) -> Option<Vec<u8>> {
    const ALPHABET: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bits, mut held, mut bytes) = (0u32, 0, Vec::new());
    for c in text.trim_end_matches('=').chars() {
        bits = bits << 6 | ALPHABET.find(c)? as u32;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
        }
    }
    Some(bytes)
}

#[test]
fn every_vector_goes_every_way() {
    let vectors_found = names(".bin");
    assert!(vectors_found.len() >= 72, "{} vectors", vectors_found.len());
    for name in vectors_found {
        let bytes = fs::read(vectors("sbe").join(format!("{name}.bin"))).unwrap();
        let truth = truth(&name);
        let codec = codec(truth["schema"].as_str().unwrap());
        let message = codec.find(&bytes).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        let local = codec.message_name(message);
        assert!(local.ends_with(&format!(".{}", truth["message"].as_str().unwrap())), "{name} is {local}");
        let text = check_round_trips(&name, &codec, message, &bytes);
        let ours: Json = serde_json::from_str(&text).unwrap();
        assert!(agrees(&ours, &truth["values"]), "{name}:\n{ours}\n{}", truth["values"]);
    }
}

#[test]
fn older_and_newer_peers_read_each_other() {
    let mut checked = 0;
    for name in names(".values.json").into_iter().filter(|name| name.contains(".as-")) {
        let (vector, reader) = name.split_once(".as-").unwrap();
        let bytes = fs::read(vectors("sbe").join(format!("{vector}.bin"))).unwrap();
        let codec = codec(&format!("{reader}.xml"));
        let message = codec.find(&bytes).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        let ours: Json = serde_json::from_str(&json(&codec, message, &bytes)).unwrap();
        let truth = truth(&name);
        assert!(agrees(&ours, &truth["values"]), "{name}:\n{ours}\n{}", truth["values"]);
        checked += 1;
    }
    assert!(checked >= 60, "{checked} views by another version");
}

#[test]
fn the_schemas_need_no_warning() {
    for name in names(".xml") {
        let path = vectors("sbe").join(format!("{name}.xml"));
        let compilation = aldis_sbe::SBE.compile(&path.to_string_lossy(), &Disk);
        assert_eq!(compilation.diagnostics.iter().filter(|d| d.is_error()).count(), 0, "{name}");
    }
}

/// Real writers leave what was in their buffer between fields, and within composites.
#[test]
fn what_lies_in_padding_is_not_read_and_written_as_zero() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/schemas/sbe");
    let codec = codecs(&aldis_sbe::SBE, &folder.join("split/main.xml")).remove(0);
    let message = codec.message_named("lamp.split.TwoWay").unwrap();
    let bytes = codec.encode(message, &codec.random(message, 5)).unwrap();
    let gaps = explain(&codec, message, &bytes).entries.into_iter().filter(|entry| entry.kind == EntryKind::Padding);
    let mut foreign = bytes.clone();
    let gaps: Vec<_> = gaps.map(|entry| entry.range).collect();
    // Between the quote's two prices.
    assert_eq!((gaps.len(), &gaps[0]), (1, &(8 + 9..8 + 12)));
    foreign[gaps[0].clone()].fill(0x34);
    let (value, size) = codec.decode(message, &foreign).unwrap();
    assert_eq!((size, hex(&codec.encode(message, &value).unwrap())), (bytes.len(), hex(&bytes)));
    assert_eq!(json(&codec, message, &foreign), json(&codec, message, &bytes));
}
