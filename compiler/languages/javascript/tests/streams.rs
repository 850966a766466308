//! Generated senders, receivers and requests, used as users would use them in Node.

mod common;

use common::{generate, node_with, request, root, testee_into};
use std::fs;
use std::path::Path;

/// Runs a check beside a schema's modules, with the folder of FBE's golden messages.
fn check(schema: &str, name: &str) {
    let (folder, _) = testee_into(schema, name);
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/js/cut.js");
    fs::copy(shared, folder.join("cut.js")).expect("the script can be copied");
    let golden = root().join("conformance/vectors/fbe");
    node_with(&folder, &format!("{name}.js"), &[&golden.to_string_lossy()]);
}

#[test]
fn messages_of_both_forms_of_fbe_come_whole() {
    check("conformance/vectors/fbe/proto.fbe", "fbe_stream_check");
}

#[test]
fn messages_of_sbe_come_whole_in_every_framing() {
    check("conformance/schemas/market.xml", "sbe_stream_check");
}

#[test]
fn messages_of_segments_come_whole_packed_and_not() {
    check("conformance/schemas/market.capnp", "capnp_stream_check");
}

#[test]
fn requests_meet_their_answers() {
    check("conformance/vectors/fbe/extra.fbe", "requests_check");
}

#[test]
fn requests_whose_answers_have_no_id_are_told() {
    const SCHEMA: &str = "package desk
[request] [response(Fill)] message Order { uuid [id]; }
message Fill { int32 [id]; }
[request] [response(Fill)] message Cancel { int32 [id]; }
[request] message Stop { uuid [id]; }
";
    let plans = aldis_testkit::plans_in("desk.fbe", &aldis_testkit::Text(SCHEMA));
    let generated = generate(&request(&plans));
    let told: Vec<String> = generated.diagnostics.iter().map(|d| format!("{} {}", d.code, d.message)).collect();
    assert_eq!(told, ["javascript/W0001 answers to `desk.Order` cannot be told from one another"]);
    let module = generated.files.iter().find(|file| file.path == "desk_stream.js").expect("there is a module");
    assert!(module.text.contains(r#"answers: { "desk.Cancel": ["desk.Fill"] }"#), "{}", module.text);
}
