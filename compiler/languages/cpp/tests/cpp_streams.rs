//! Generated senders, receivers and requests, used as users would use them.

mod common;

use common::{compile, generate, headers, headers_into, plans_in, request, root, Text};
use std::path::Path;
use std::process::Command;

/// Compiles a check with a schema's headers and runs it with the folder of FBE's golden messages.
fn check(schema: &str, name: &str) {
    check_in(&headers(schema, name), name);
}

fn check_in(folder: &Path, name: &str) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cpp").join(name).with_extension("cpp");
    let check = compile(&source, folder, &["-O0"]);
    let output = Command::new(check).arg(root().join("conformance/vectors/fbe")).output().expect("the check starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
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
    let folder = headers("conformance/vectors/fbe/extra.fbe", "requests_check");
    headers_into(&folder, "conformance/vectors/fbe/proto.fbe");
    check_in(&folder, "requests_check");
}

#[test]
fn names_that_the_headers_have_themselves_compile() {
    check("compiler/languages/cpp/tests/schemas/stream_names.fbe", "stream_names_check");
}

#[test]
fn requests_whose_answers_have_no_id_are_told() {
    const SCHEMA: &str = "package desk
[request] [response(Fill)] message Order { uuid [id]; }
message Fill { int32 [id]; }
[request] [response(Fill)] message Cancel { int32 [id]; }
[request] message Stop { uuid [id]; }
";
    let plans = plans_in("desk.fbe", &Text(SCHEMA));
    let generated = generate(&request(&plans));
    let told: Vec<String> = generated.diagnostics.iter().map(|d| format!("{} {}", d.code, d.message)).collect();
    assert_eq!(told, ["cpp/W0001 answers to `desk.Order` cannot be told from one another"]);
    let header = generated.files.iter().find(|file| file.path == "desk_stream.hpp").expect("there is a header");
    assert!(header.text.contains("using requests = aldis::requests<std::int32_t, Fill>;"), "{}", header.text);
    assert!(!header.text.contains("answers_of(const Order&)"), "{}", header.text);
}
