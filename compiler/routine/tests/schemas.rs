//! The schemas of the repository: their messages, damaged too, by routines and by the interpreter.

mod common;

use aldis_interpreter::{Codec, Value as Wanted};
use aldis_plan::{Container, Segments};
use aldis_routine::lower;
use aldis_schema::Type;
use aldis_testkit::{plans, root};
use common::damage::{apply, damage};
use common::{known, limits, Pair, SCHEMAS};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

#[test]
fn messages_of_the_repository_are_read_as_the_interpreter_reads_them() {
    let mut runner = TestRunner::deterministic();
    for schema in SCHEMAS {
        for plan in plans(&format!("conformance/schemas/{schema}")) {
            let mut pair = Pair::new(plan);
            for message in 0..pair.codec.plan().messages.len() {
                for seed in 0..2 {
                    let whole = pair.codec.encode(message, &pair.codec.random(message, seed)).unwrap();
                    for round in 0..4 {
                        let mut bytes = whole.clone();
                        let changes = damage().new_tree(&mut runner).unwrap().current();
                        let changes = if round == 0 { &[][..] } else { &changes };
                        changes.iter().for_each(|one| apply(&mut bytes, pair.codec.plan(), message, one));
                        pair.agrees(message, &bytes, &limits());
                    }
                }
            }
        }
    }
}

/// Schemas of Cap'n Proto with things that random schemas seldom have: generics, open values, unions of all kinds.
#[test]
fn messages_of_segments_are_read_as_the_interpreter_reads_them() {
    let mut runner = TestRunner::deterministic();
    let mut kept = 0;
    for schema in common::SEGMENTS {
        for plan in plans(&format!("conformance/schemas/{schema}")) {
            let mut pair = Pair::new(plan);
            for message in 0..pair.codec.plan().messages.len() {
                let whole = pair.codec.encode(message, &pair.codec.random(message, 1)).unwrap();
                for round in 0..2 {
                    let mut bytes = whole.clone();
                    let changes = damage().new_tree(&mut runner).unwrap().current();
                    let changes = if round == 0 { &[][..] } else { &changes };
                    changes.iter().for_each(|one| apply(&mut bytes, pair.codec.plan(), message, one));
                    pair.agrees(message, &bytes, &limits());
                    if let Some(far) = behind_far_pointers(&pair.codec, &bytes) {
                        pair.agrees(message, &far, &limits());
                        kept += 1;
                    }
                }
            }
        }
    }
    assert!(kept > 50, "{kept} messages of two segments");
}

/// The same message in two segments: its root is behind a far pointer.
fn behind_far_pointers(codec: &Codec, bytes: &[u8]) -> Option<Vec<u8>> {
    let Container::Segments(Segments { table: true, packed: false, .. }) = codec.plan().container else { return None };
    let words = bytes.get(8..)?;
    let number = |number: usize| (number as u32).to_le_bytes();
    let table = [number(1), number(1), number(words.len() / 8), number(0)].concat();
    let far = [number(2), number(1)].concat();
    Some([&table, &far, words].concat())
}

/// A record without any fields stands for one whose fields are all missing: both sides must know the same values.
#[test]
fn missing_fields_are_what_the_interpreter_says() {
    for schema in SCHEMAS {
        for plan in plans(&format!("conformance/schemas/{schema}")) {
            let module = lower(&plan);
            let codec = Codec::new(plan);
            for (message, of) in module.schema.messages.iter().enumerate() {
                let json = |value: &Wanted| {
                    let mut text = Vec::new();
                    let result = codec.value_to_json(message, value, &mut text);
                    (String::from_utf8(text).unwrap(), result.is_ok())
                };
                let ours = known(&module, &Type::Named(of.record), &Wanted::Record(Box::default()));
                assert_eq!(json(&common::wanted(&ours)), json(&Wanted::Record(Box::default())), "{schema}");
            }
        }
    }
}

/// All of the schemas are there.
#[test]
fn every_schema_of_sbe_is_among_them() {
    let folder = root().join("conformance/schemas/sbe");
    for file in std::fs::read_dir(folder).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        let known = SCHEMAS.iter().any(|schema| *schema == format!("sbe/{name}"));
        assert!(
            known || !name.ends_with(".xml") || name == "no-namespace.xml" || name == "default-namespace.xml",
            "{name}"
        );
    }
}
