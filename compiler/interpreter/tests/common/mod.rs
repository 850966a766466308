//! Helpers that the tests of the interpreter share: schemas from disk and golden files.
#![allow(dead_code, unused_imports)] // each test binary uses a part of it

pub use aldis_testkit::Disk;

use aldis_interpreter::{Codec, Value};
use aldis_plan::Format;
use aldis_testkit::{compile, root};
use std::path::{Path, PathBuf};

pub fn vectors(format: &str) -> PathBuf {
    root().join("conformance/vectors").join(format)
}

/// One codec for each wire form of a schema, which must be without errors.
pub fn codecs(format: &dyn Format, path: &Path) -> Vec<Codec> {
    let plans = compile(format, &path.to_string_lossy(), &Disk);
    assert!(!plans.is_empty(), "{} has no plan", path.display());
    plans.into_iter().map(Codec::new).collect()
}

pub fn json(codec: &Codec, message: usize, bytes: &[u8]) -> String {
    let mut out = Vec::new();
    codec.to_json(message, bytes, &mut out).unwrap_or_else(|fault| panic!("{fault}"));
    String::from_utf8(out).expect("JSON is UTF-8")
}

pub fn value_json(codec: &Codec, message: usize, value: &Value) -> String {
    let mut out = Vec::new();
    codec.value_to_json(message, value, &mut out).unwrap_or_else(|fault| panic!("{fault}"));
    String::from_utf8(out).expect("JSON is UTF-8")
}

/// Everything that must hold for bytes that a reference wrote: they decode, to the same value by both ways, re-encode
/// to themselves, and survive JSON. Gives the JSON.
pub fn check_round_trips(name: &str, codec: &Codec, message: usize, bytes: &[u8]) -> String {
    let (value, size) = codec.decode(message, bytes).unwrap_or_else(|fault| panic!("{name}: {fault}"));
    assert_eq!(size, bytes.len(), "{name}: size");
    assert_eq!(hex(&codec.encode(message, &value).unwrap()), hex(bytes), "{name}: bytes to bytes");
    let text = json(codec, message, bytes);
    assert_eq!(text, value_json(codec, message, &value), "{name}: JSON with and without a value between");
    let read = codec.from_json(message, text.as_bytes()).unwrap_or_else(|fault| panic!("{name}: {fault}\n{text}"));
    assert_eq!(hex(&codec.encode(message, &read).unwrap()), hex(bytes), "{name}: JSON to bytes\n{text}");
    text
}

pub fn hex(bytes: &[u8]) -> String {
    aldis_interpreter::to_hex(bytes)
}
