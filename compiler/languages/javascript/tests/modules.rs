//! Generated modules in Node: what they read is what the interpreter reads, whatever things are called.

mod common;

use aldis_interpreter::{to_hex, Codec, Testee};
use aldis_plan::Plan;
use common::{node, node_with, testee_into, testee_with};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The answers of a testee in `folder`, a line each.
fn answers(folder: &Path, requests: &str) -> Vec<String> {
    let mut child = Command::new(folder.join("run"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the testee starts");
    child.stdin.take().expect("it has an input").write_all(requests.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("answers are text").lines().map(str::to_owned).collect()
}

/// Random values of a schema, from every form to bytes and JSON and back, are what the interpreter makes of them.
fn agrees_with_the_interpreter(schema: &str, folder: &str) -> PathBuf {
    agrees(testee_into(schema, folder))
}

fn agrees((folder, plans): (PathBuf, Vec<Plan>)) -> PathBuf {
    let reference = Testee::new(plans.iter().cloned().map(Codec::new).collect());
    let mut requests = String::new();
    for plan in &plans {
        let codec = Codec::new(plan.clone());
        for (message, seed) in (0..plan.messages.len()).flat_map(|message| (0..20).map(move |seed| (message, seed))) {
            let bytes = codec.encode(message, &codec.random(message, seed)).expect("a random value is a message");
            let name = codec.message_name(message);
            let mut json = Vec::new();
            codec.to_json(message, &bytes, &mut json).expect("a random value has a JSON");
            let form = &plan.form.name;
            for (from, to, input) in [(form.as_str(), "json", &bytes), (form, form, &bytes), ("json", form, &json)] {
                requests += &format!("1\tconvert\t{name}\t{from}\t{to}\t{}\n", to_hex(input));
            }
            requests += &format!("1\tview\t{name}\t{form}\tjson\t{}\n", to_hex(&bytes));
        }
    }
    let found = answers(&folder, &requests);
    assert_eq!(found.len(), requests.lines().count());
    for (request, answer) in requests.lines().zip(found) {
        assert_eq!(answer, reference.answer(request.as_bytes()), "{request}");
    }
    folder
}

#[test]
fn names_of_prototypes_and_of_the_language_are_names_like_others() {
    let schema = "compiler/languages/javascript/tests/schemas/hostile.fbe";
    node(&agrees_with_the_interpreter(schema, "hostile"), "hostile_check.js");
}

#[test]
fn hidden_values_are_not_shown() {
    let schema = "compiler/languages/javascript/tests/schemas/secret.fbe";
    node(&agrees_with_the_interpreter(schema, "secret"), "secret_check.js");
}

#[test]
fn enums_may_be_numbers_and_bytes_lie_in_the_message() {
    let options = [("enums", "numbers"), ("bytes", "share")];
    node(&agrees(testee_with("conformance/schemas/market.xml", "options", &options)), "options_check.js");
    agrees(testee_with("conformance/schemas/market.fbe", "options_fbe", &options));
    agrees(testee_with("conformance/vectors/capnp/schema/shaped.capnp", "options_capnp", &options));
}

#[test]
fn messages_may_have_memory_of_their_own() {
    node(&agrees(testee_with("conformance/schemas/market.xml", "alone", &[("slab", "off")])), "alone_check.js");
}

/// What the generated files of a schema import from one another, with these options.
fn imported(options: &[(&str, &str)]) -> BTreeSet<String> {
    let plans = common::plans("conformance/schemas/fbe/desk.fbe");
    let options = options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let generated =
        common::generate(&aldis_emit::Request { options, stem: "desk".to_owned(), ..common::request(&plans) });
    let lines = generated.files.iter().flat_map(|file| file.text.lines()).filter(|line| line.starts_with("import "));
    let from = lines.filter_map(|line| line.split('"').nth(1)).filter(|from| from.starts_with("./"));
    from.map(|from| {
        from.trim_start_matches("./").trim_start_matches(|c: char| c.is_ascii_lowercase() || c == '_').to_owned()
    })
    .collect()
}

#[test]
fn imports_end_as_the_option_says() {
    let ends =
        |options: &[(&str, &str)], ending: &str| assert_eq!(imported(options), BTreeSet::from([ending.to_owned()]));
    ends(&[], ".js");
    ends(&[("output", "ts")], ".ts");
    ends(&[("imports", "none")], "");
    ends(&[("output", "ts"), ("imports", "none")], "");
    ends(&[("output", "ts"), ("imports", "js")], ".js");
}

#[test]
fn integers_of_64_bits_may_be_numbers() {
    for mode in ["safe", "number"] {
        let options = [("int64", mode)];
        let (folder, _) = testee_with("conformance/schemas/market.xml", &format!("int64_{mode}"), &options);
        node_with(&folder, "int64_check.js", &[mode]);
        let wide = "compiler/languages/javascript/tests/schemas/wide.capnp";
        node(&testee_with(wide, &format!("int64_kinds_{mode}"), &options).0, "int64_kinds_check.js");
    }
}

#[test]
fn a_default_that_numbers_do_not_tell_apart_is_refused_where_integers_must_be_safe() {
    let plans = common::plans("compiler/languages/javascript/tests/schemas/beyond.capnp");
    let generated = |mode: &str| {
        let options = vec![("int64".to_owned(), mode.to_owned())];
        common::generate(&aldis_emit::Request { options, ..common::request(&plans) })
    };
    let refused = generated("safe");
    assert!(refused.files.is_empty());
    assert_eq!(refused.diagnostics.len(), 1, "{:?}", refused.diagnostics);
    assert!(refused.diagnostics[0].message.contains("Beyond.far"), "{:?}", refused.diagnostics);
    assert_eq!(generated("number").diagnostics, []);
}

#[test]
fn segments_are_read_and_written_packed_and_canonical_and_their_json_has_other_shapes() {
    agrees_with_the_interpreter("conformance/schemas/addressbook.capnp", "addressbook");
    agrees_with_the_interpreter("conformance/vectors/capnp/schema/shaped.capnp", "shaped");
}

#[test]
fn bytes_may_lie_anywhere_what_is_wrong_throws_one_kind_of_error_and_usual_bytes_need_no_tables() {
    let (folder, plans) = testee_into("conformance/schemas/market.xml", "anywhere");
    let codec = Codec::new(plans[0].clone());
    let book = codec.message_named("market.OrderBook").expect("the market has order books");
    let bytes = codec.encode(book, &codec.random(book, 5)).expect("a random value is a message");
    std::fs::write(folder.join("book.bin"), bytes).expect("the message can be written");
    node(&folder, "anywhere_check.js");
    node(&folder, "usual_check.js");
    node(&folder, "encode_check.js");
    node(&folder, "life_check.js");
    node(&folder, "view_check.js");
}

#[test]
fn usual_messages_cost_what_the_tables_charge() {
    let (folder, _) = testee_into("conformance/vectors/fbe/proto.fbe", "limits");
    for (decode, form) in [("decodeAccount", "std"), ("decodeAccountFinal", "final")] {
        let file = common::root().join(format!("conformance/vectors/fbe/proto_account_readme.{form}.bin"));
        node_with(&folder, "limits_check.js", &["proto.js", decode, &file.to_string_lossy()]);
    }
    let (folder, plans) = testee_into("conformance/vectors/sbe/evo-v3.xml", "limits_sbe");
    for message in ["Bk", "Grp", "M"] {
        let codec = Codec::new(plans[0].clone());
        let name = format!("{}.{message}", plans[0].schema.package);
        let index = codec.message_named(&name).expect("the schema has the message");
        let file = folder.join("message.bin");
        let bytes = codec.encode(index, &codec.random(index, 3)).expect("a random value is a message");
        std::fs::write(&file, bytes).expect("the message can be written");
        let module = common::module_of(&folder);
        node_with(&folder, "limits_check.js", &[&module, &format!("decode{message}"), &file.to_string_lossy()]);
    }
}
