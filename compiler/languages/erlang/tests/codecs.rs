//! Generated code at work: every schema is compiled without a warning, and its testee answers as the interpreter does.

mod common;

use aldis_interpreter::{to_hex, Codec, Testee};
use aldis_plan::Plan;
use common::{answers, ask, build, comparable, plans, root};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Golden messages of a schema: form and bytes.
fn vectors(plans: &[Plan], folder: &str, prefix: &str) -> Vec<(String, Vec<u8>)> {
    let mut paths: Vec<PathBuf> = fs::read_dir(root().join(folder))
        .expect("there are vectors")
        .map(|entry| entry.expect("they can be listed").path())
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with(prefix) && name.ends_with(".bin") && !name.contains(".stream.")
        })
        .collect();
    paths.sort();
    let form = |path: &Path| {
        let name = path.to_string_lossy();
        let of = if name.ends_with(".final.bin") { "fbe-final" } else { &plans[0].form.name };
        of.to_owned()
    };
    paths.iter().map(|path| (form(path), fs::read(path).expect("a vector can be read"))).collect()
}

/// Requests for random values and golden messages, with the interpreter's answers.
fn requests(plans: &[Plan], vectors: &[(String, Vec<u8>)], seeds: u64) -> (String, String) {
    let reference = Testee::new(plans.iter().cloned().map(Codec::new).collect());
    let (mut asked, mut expected) = (String::new(), String::new());
    let mut add = |line: String| {
        let _ = writeln!(expected, "{}", reference.answer(line.as_bytes()));
        let _ = writeln!(asked, "{line}");
    };
    add("0\tlist".to_owned());
    add("0\tconvert\t-\tjson\tjson\t".to_owned());
    add("not a request".to_owned());
    for (form, bytes) in vectors {
        for to in [form.as_str(), "json"] {
            add(format!("v\tconvert\t-\t{form}\t{to}\t{}", to_hex(bytes)));
        }
    }
    for plan in plans {
        let codec = Codec::new(plan.clone());
        for message in 0..plan.messages.len() {
            for seed in 0..seeds {
                let value = codec.random(message, seed);
                let bytes = to_hex(&codec.encode(message, &value).expect("random values can be encoded"));
                let (name, form) = (codec.message_name(message), &plan.form.name);
                let mut json = Vec::new();
                codec.value_to_json(message, &value, &mut json).expect("random values have JSON");
                add(format!("r\tconvert\t{name}\tjson\t{form}\t{}", to_hex(&json)));
                for to in plans.iter().map(|p| p.form.name.as_str()).chain(["json"]) {
                    add(format!("r\tview\t{name}\t{form}\t{to}\t{bytes}"));
                }
            }
        }
    }
    (asked, expected)
}

fn check(schema: &str, folder: &str, prefix: &str, seeds: u64) {
    let plans = plans(schema);
    let testee = compare(schema, &plans, folder, prefix, seeds);
    check_calls(schema, &plans, &testee, seeds);
}

/// Compares the testee's answers with the interpreter's, and gives its folder.
fn compare(schema: &str, plans: &[Plan], folder: &str, prefix: &str, seeds: u64) -> PathBuf {
    let testee = build(schema, plans);
    let vectors = if prefix.is_empty() { Vec::new() } else { vectors(plans, folder, prefix) };
    assert!(prefix.is_empty() || !vectors.is_empty(), "{schema} has vectors");
    let (asked, expected) = requests(plans, &vectors, seeds);
    let answers = ask(&testee, &asked);
    assert_eq!(answers.lines().count(), expected.lines().count(), "{schema}");
    for ((request, answer), wanted) in asked.lines().zip(answers.lines()).zip(expected.lines()) {
        assert_eq!(comparable(answer), comparable(wanted), "{schema}: {request}");
    }
    testee
}

/// Reads every single field of random messages, whole and damaged, and writes records with wrong values.
fn check_calls(schema: &str, plans: &[Plan], testee: &Path, seeds: u64) {
    let plan = &plans[0];
    let suffixes: Vec<&str> = plans.iter().map(|p| if p.form.suffix.is_empty() { "''" } else { "'_final'" }).collect();
    let suffixes = suffixes.join(", ").replace('\'', "\"");
    let codec = Codec::new(plan.clone());
    let quoted = |path: &[String]| format!("'{}'", path.join("_"));
    let (mut records, mut messages) = (Vec::new(), Vec::new());
    for (index, message) in plan.messages.iter().enumerate() {
        let name = quoted(&plan.schema.type_def(message.record).name.path);
        let fields = &plan.schema.record(message.record).fields;
        let fields: Vec<String> = fields.iter().map(|f| quoted(std::slice::from_ref(&f.name))).collect();
        records.push(format!("{{{name}, [{}]}}", fields.join(",")));
        for seed in 0..seeds {
            let bytes = codec.encode(index, &codec.random(index, seed)).expect("random values can be encoded");
            let bytes: Vec<String> = bytes.iter().map(u8::to_string).collect();
            messages.push(format!("{{{name}, <<{}>>}}", bytes.join(",")));
        }
    }
    let module = plan.schema.package.to_lowercase().replace('.', "_");
    let terms = format!("{{{module}, [{suffixes}], [{}], [{}]}}.\n", records.join(",\n"), messages.join(",\n"));
    fs::write(testee.join("calls.terms"), terms).expect("the terms can be written");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/erlang/codec_check.erl");
    let compiled = Command::new("erlc").args(["-Wall", "-Werror", "-o"]).arg(testee.join("ebin")).arg(source).status();
    assert!(compiled.expect("erlc starts").success());
    let output = Command::new("erl")
        .args(["-noinput", "-pa", "ebin", "-eval", "codec_check:main(\"calls.terms\")."])
        .current_dir(testee)
        .output()
        .expect("erl starts");
    let said = String::from_utf8_lossy(&output.stdout);
    let agreed: u64 = said.trim().parse().unwrap_or(0);
    assert!(output.status.success() && agreed > 0, "{schema}: {said}{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn fbe_vectors() {
    check("conformance/vectors/fbe/proto.fbe", "conformance/vectors/fbe", "proto_", 3);
    check("conformance/vectors/fbe/extra.fbe", "conformance/vectors/fbe", "extra_", 2);
}

#[test]
fn sbe_vectors() {
    for name in ["be-all", "le-all", "dims", "evo-v1", "evo-v2", "evo-v3"] {
        check(&format!("conformance/vectors/sbe/{name}.xml"), "conformance/vectors/sbe", &format!("{name}."), 4);
    }
}

#[test]
fn schemas_of_corners() {
    for name in ["names.fbe", "recursive.fbe", "nulls.xml"] {
        check(&format!("compiler/languages/erlang/tests/schemas/{name}"), "", "", 6);
    }
}

#[test]
fn more_fields_than_arguments() {
    let schema = "compiler/languages/erlang/tests/schemas/wide.fbe";
    compare(schema, &plans(schema), "", "", 3);
}

#[test]
fn calls_answer_as_they_should() {
    let schema = "compiler/languages/erlang/tests/schemas/answers.fbe";
    let testee = compare(schema, &plans(schema), "", "", 3);
    answers(&testee, "answers_check", 59);
}
