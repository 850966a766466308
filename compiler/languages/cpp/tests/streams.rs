//! Generated senders, receivers and requests, used as users would use them.

mod common;

use common::{compile, headers, root};
use std::path::Path;
use std::process::Command;

/// Compiles a check with a schema's headers and runs it with the folder of FBE's golden messages.
fn check(schema: &str, name: &str) {
    let folder = headers(schema, "streams");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cpp").join(name);
    let check = compile(&source, &folder, &["-O0"]);
    let output = Command::new(check).arg(root().join("conformance/vectors/fbe")).output().expect("the check starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn messages_of_both_forms_of_fbe_come_whole() {
    check("conformance/vectors/fbe/proto.fbe", "fbe_stream_check.cpp");
}

#[test]
fn messages_of_sbe_come_whole_in_every_framing() {
    check("conformance/schemas/market.xml", "sbe_stream_check.cpp");
}

#[test]
fn requests_meet_their_answers() {
    check("conformance/vectors/fbe/extra.fbe", "requests_check.cpp");
}
