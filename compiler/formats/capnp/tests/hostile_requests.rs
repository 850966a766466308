//! Requests that are damaged, hostile or framed in unusual ways.

mod support;

use aldis_capnp::request::read;
use std::fs;
use support::conformance;

/// A request of three segments.
fn golden() -> Vec<u8> {
    fs::read(conformance("vectors/capnp/cgr/names.092.cgr")).unwrap()
}

/// A message of segments of words.
fn message(segments: &[&[u64]]) -> Vec<u8> {
    let mut bytes = (segments.len() as u32 - 1).to_le_bytes().to_vec();
    bytes.extend(segments.iter().flat_map(|segment| (segment.len() as u32).to_le_bytes()));
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    bytes.extend(segments.iter().copied().flatten().flat_map(|word| word.to_le_bytes()));
    bytes
}

fn words(bytes: &[u8]) -> Vec<u64> {
    bytes.chunks(8).map(|word| u64::from_le_bytes(word.try_into().unwrap())).collect()
}

/// The fault of a request that must be refused; the offset must lie in it.
fn refusal(bytes: &[u8]) -> String {
    let fault = read(bytes).expect_err("this request must be refused");
    assert!(fault.offset <= bytes.len(), "{fault}");
    fault.to_string()
}

#[test]
fn far_pointers_and_segments_make_no_difference() {
    let plain = declaration(5, &[1, 0, 0, 0]);
    let body = words(&plain[8..]);
    let expected = read(&plain).unwrap();
    assert_eq!(expected.nodes.len(), 1);
    let root = 1 + (body[0] as u32 >> 2);
    let tag = body[0] >> 32 << 32;
    let far = |segment: u64, word: u64, double: u64| segment << 32 | word << 3 | double << 2 | 2;
    assert_eq!(read(&message(&[&[far(1, 0, 0)], &body])).unwrap(), expected);
    assert_eq!(read(&message(&[&[far(2, 1, 1)], &body, &[0, far(1, root.into(), 0), tag]])).unwrap(), expected);
}

#[test]
fn bytes_behind_the_message_are_left_alone() {
    let mut bytes = golden();
    let expected = read(&bytes).unwrap();
    bytes.extend([0xff; 11]);
    assert_eq!(read(&bytes).unwrap(), expected);
}

#[test]
fn every_shortened_request_is_refused() {
    let bytes = golden();
    for length in 0..bytes.len() {
        refusal(&bytes[..length]);
    }
}

#[test]
fn damaged_requests_are_read_or_refused() {
    let bytes = golden();
    let mut refused = 0;
    for at in (0..bytes.len()).step_by(7) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 7);
        if let Err(fault) = read(&damaged) {
            assert!(fault.offset <= damaged.len(), "{fault}");
            refused += 1;
        }
    }
    // Many bytes are names, and many flips make another valid request.
    assert!(refused > 200, "{refused}");
}

#[test]
fn hostile_messages_are_refused_in_no_time() {
    for folder in ["malicious", "framing"] {
        for entry in fs::read_dir(conformance("vectors/capnp").join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "bin") {
                let _ = read(&fs::read(path).unwrap());
            }
        }
    }
}

/// A list pointer.
fn list(offset: u64, code: u64, count: u64) -> u64 {
    count << 35 | code << 32 | offset << 2 | 1
}

/// A struct pointer, or the tag of a list of so many structs.
fn structure(offset: i32, data_words: u64, pointers: u64) -> u64 {
    pointers << 48 | data_words << 32 | u64::from((offset as u32) << 2)
}

/// A request of one node `x`, a constant (kind 4, null) or annotation (5), whose type stands at the beginning of `types`.
fn declaration(kind: u64, types: &[u64]) -> Vec<u8> {
    let node = [1 << 63, kind << 32, 0, 0, 0, list(5, 2, 2), 0, 0, structure(3, 3, 1), 0, 0, b'x'.into()];
    let head = [structure(0, 0, 4), list(3, 7, 11), 0, 0, 0, structure(1, 5, 6)];
    message(&[&[head.as_slice(), &node, types].concat()])
}

#[test]
fn nodes_without_bytes_are_charged() {
    let request = message(&[&[structure(0, 0, 4), list(3, 7, 0), 0, 0, 0, structure(0x1fff_ffff, 0, 0)]]);
    assert!(refusal(&request).contains("too long"));
}

#[test]
fn a_type_that_is_a_list_of_itself_is_refused() {
    assert!(refusal(&declaration(5, &[14, 0, 0, structure(-4, 3, 1)])).contains("nested too deeply"));
}

#[test]
fn types_that_share_types_are_refused_before_they_are_spelled_out() {
    // Type: struct 7, branded. Its Brand has one scope, which binds two parameters, both to the type behind.
    let ty = [16, 7, 0, structure(0, 0, 1)];
    let brand = [list(0, 7, 3), structure(1, 2, 1), 7, 0, list(0, 7, 4)];
    let bindings = [structure(2, 1, 1), 1, structure(2, 3, 1), 1, structure(0, 3, 1)];
    let level = [ty.as_slice(), &brand, &bindings];
    let mut types = level.concat().repeat(30);
    types.extend([1, 0, 0, 0]);
    assert!(refusal(&declaration(5, &types)).contains("too long"));
    // The same without sharing that much is read as far as it goes: there is no struct 7.
    let mut types = level.concat().repeat(3);
    types.extend([1, 0, 0, 0]);
    assert!(refusal(&declaration(5, &types)).contains("which is not in the request"));
}

#[test]
fn nodes_that_contradict_each_other_are_refused() {
    assert!(refusal(&declaration(5, &[16, 7, 0, 0])).contains("`x`: it uses a struct of id 0x7"));
    let mut request = declaration(4, &[1, 0, 0, 0]);
    assert!(refusal(&request).contains("a value of kind 0 for a type whose values are of kind 1"));
    request = declaration(4, &[0, 0, 0, 0]);
    assert!(read(&request).is_ok());
    let scope = 8 * (1 + 6 + 2);
    request[scope..scope + 8].copy_from_slice(&(1u64 << 63).to_le_bytes());
    assert!(refusal(&request).contains("declared within itself"));
}

#[test]
fn tables_that_promise_too_much_are_refused() {
    assert!(refusal(&[]).contains("table of segments"));
    assert!(refusal(&[0xff; 8]).contains("table of segments"));
    assert!(refusal(&[0, 0, 0, 0, 0, 0, 0, 0]).contains("no root"));
    assert!(refusal(&[0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]).contains("the input has 8"));
    assert!(refusal(&message(&[&[3]])).contains("not a struct"));
    assert!(refusal(&message(&[&[7]])).contains("has not defined"));
    assert!(refusal(&message(&[&[1 << 48]])).contains("does not lie within its segment"));
    assert!(refusal(&message(&[&[9 << 32 | 2]])).contains("segment 9 of a message of 1"));
}
