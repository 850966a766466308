//! Generated code for messages of segments: the reference's golden messages, random values and damaged bytes are answered
//! as the interpreter answers them.

mod common;

use aldis_interpreter::{to_hex, Codec};
use aldis_plan::Plan;
use common::{agree, answers, build, plans, root};
use std::fmt::Write as _;
use std::fs;

const FOLDER: &str = "conformance/vectors/capnp";

/// A golden message: its form, its record's name and its bytes.
struct Vector {
    form: &'static str,
    record: String,
    bytes: Vec<u8>,
}

/// The messages that the index lists for a schema.
fn vectors(schema: &str) -> Vec<Vector> {
    let text = fs::read_to_string(root().join(FOLDER).join("INDEX.md")).expect("there is an index");
    let mut found = Vec::new();
    for row in text.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        if cells[2] != format!("{schema}.capnp") {
            continue;
        }
        for (extension, form) in [("bin", "capnp"), ("packed", "capnp-packed"), ("canon", "capnp-canonical")] {
            let Ok(bytes) = fs::read(root().join(FOLDER).join(format!("{}.{extension}", cells[1]))) else { continue };
            // Bytes that were written as one message are read as another, too.
            for record in cells[3].split(" -> ") {
                found.push(Vector { form, record: record.to_owned(), bytes: bytes.clone() });
            }
        }
    }
    found
}

/// Requests to convert a message to every form.
fn every_way(asked: &mut String, plans: &[Plan], form: &str, record: &str, bytes: &[u8]) {
    for to in plans.iter().map(|plan| plan.form.name.as_str()).chain(["json"]) {
        let _ = writeln!(asked, "v\tconvert\t{record}\t{form}\t{to}\t{}", to_hex(bytes));
    }
}

/// Requests for random values, and for their bytes with some changed and cut short.
fn random(asked: &mut String, plans: &[Plan], seeds: u64) {
    for plan in plans {
        let codec = Codec::new(plan.clone());
        for message in 0..plan.messages.len() {
            for seed in 0..seeds {
                let value = codec.random(message, seed);
                let bytes = codec.encode(message, &value).expect("random values can be encoded");
                let (name, form) = (codec.message_name(message), plan.form.name.as_str());
                let mut json = Vec::new();
                if codec.value_to_json(message, &value, &mut json).is_ok() {
                    let _ = writeln!(asked, "j\tconvert\t{name}\tjson\t{form}\t{}", to_hex(&json));
                }
                every_way(asked, plans, form, &name, &bytes);
                for damage in 0..8 {
                    let bytes = damaged(&bytes, seed * 64 + damage);
                    let _ = writeln!(asked, "d\tconvert\t{name}\t{form}\tjson\t{}", to_hex(&bytes));
                    let _ = writeln!(asked, "d\tconvert\t{name}\t{form}\t{form}\t{}", to_hex(&bytes));
                }
            }
        }
    }
}

/// Bytes with a few of them changed (SplitMix64), or cut short.
fn damaged(bytes: &[u8], seed: u64) -> Vec<u8> {
    let mut state = seed;
    let mut next = |bound: usize| {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % bound.max(1) as u64) as usize
    };
    let mut out = bytes.to_vec();
    if next(8) == 0 {
        out.truncate(next(bytes.len()));
    }
    for _ in 0..1 + next(3) {
        let at = next(out.len());
        if let Some(byte) = out.get_mut(at) {
            *byte = match next(4) {
                0 => byte.wrapping_add(1),
                1 => *byte ^ 1 << next(8),
                2 => 0,
                _ => next(256) as u8,
            };
        }
    }
    out
}

fn check(schema: &str, seeds: u64) {
    let path = format!("{FOLDER}/schema/{schema}.capnp");
    let plans = plans(&path);
    let testee = build(&path, &plans);
    let mut asked = "0\tlist\n0\tconvert\t-\tcapnp\tjson\t00\n".to_owned();
    for vector in vectors(schema) {
        every_way(&mut asked, &plans, vector.form, &vector.record, &vector.bytes);
        // Several segments, far pointers and older writers' sizes, which random values do not have.
        for damage in 0..30 {
            let bytes = damaged(&vector.bytes, damage);
            let (record, form) = (&vector.record, vector.form);
            let _ = writeln!(asked, "d\tconvert\t{record}\t{form}\t{form}\t{}", to_hex(&bytes));
        }
    }
    random(&mut asked, &plans, seeds);
    agree(&path, &plans, &testee, &asked);
}

#[test]
fn corner_values() {
    check("edge", 6);
}

#[test]
fn layouts() {
    check("layout", 4);
}

#[test]
fn evolution() {
    check("evolve", 6);
}

#[test]
fn calls_answer_as_they_should() {
    let schema = "compiler/languages/erlang/tests/schemas/corners.capnp";
    let plans = plans(schema);
    let testee = build(schema, &plans);
    let mut asked = String::new();
    random(&mut asked, &plans, 5);
    agree(schema, &plans, &testee, &asked);
    answers(&testee, "segments_check", 66);
}
