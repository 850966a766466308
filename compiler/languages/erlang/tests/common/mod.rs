//! Helpers that the tests share: generated code, built and asked.
#![allow(dead_code, unused_imports)] // each test binary uses a part of it

pub use aldis_testkit::{plans, plans_in, request, root, stem, Text};

use aldis_diagnostics::any_error;
use aldis_emit::{Generated, Language, Request};
use aldis_erlang::ERLANG;
use aldis_interpreter::{Codec, Testee};
use aldis_plan::Plan;
use aldis_testkit::fresh;
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Schemas that have most in them: their modules are held by digests, read by Dialyzer, and their testees asked.
pub const LARGE: [&str; 8] = [
    "conformance/vectors/fbe/proto.fbe",
    "conformance/vectors/sbe/dims.xml",
    "compiler/languages/erlang/tests/schemas/names.fbe",
    "compiler/languages/erlang/tests/schemas/nulls.xml",
    "compiler/languages/erlang/tests/schemas/corners.capnp",
    "conformance/vectors/capnp/schema/edge.capnp",
    "conformance/vectors/capnp/schema/layout.capnp",
    "conformance/vectors/capnp/schema/shaped.capnp",
];

pub fn generate(request: &Request<'_>) -> Generated {
    ERLANG.generate(request)
}

/// Generates and builds the testee of a schema in a folder of its own.
pub fn build(schema: &str, plans: &[Plan]) -> PathBuf {
    build_with(schema, plans, Vec::new())
}

/// The same with options.
pub fn build_with(schema: &str, plans: &[Plan], options: Vec<(String, String)>) -> PathBuf {
    let folder = fresh(env!("CARGO_TARGET_TMPDIR"), schema);
    let mut request = Request { options, ..request(plans) };
    request.testee = true;
    request.stem = stem(schema);
    let generated = generate(&request);
    assert!(!any_error(&generated.diagnostics), "{schema}: {:?}", generated.diagnostics);
    for file in &generated.files {
        let path = folder.join(&file.path);
        fs::write(&path, &file.text).expect("the testee's files can be written");
        if file.executable {
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("scripts can be made executable");
        }
    }
    let output = Command::new(folder.join("build")).env("ALDIS_STRICT", "1").output().expect("the build script starts");
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{schema}: is Erlang installed (make setup)?\n{said}");
    assert_eq!(said, "", "{schema}: the compiler has nothing to say");
    folder
}

/// The answers of a testee to all requests, one a line.
pub fn ask(folder: &Path, requests: &str) -> String {
    let mut child = Command::new(folder.join("run"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the testee starts");
    let mut stdin = child.stdin.take().expect("it reads");
    let requests = requests.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(requests.as_bytes()));
    let output = child.wait_with_output().expect("the testee ends");
    writer.join().expect("no panic").expect("the testee reads to the end");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("answers are UTF-8")
}

/// Only `ok` answers must be equal to the letter; of errors the code counts.
pub fn comparable(answer: &str) -> String {
    let fields: Vec<&str> = answer.split('\t').collect();
    match fields.as_slice() {
        [id, "error", code, ..] => format!("{id}\terror\t{code}"),
        [id, "unsupported", ..] => format!("{id}\tunsupported"),
        _ => answer.to_owned(),
    }
}

/// Asks a testee and the interpreter, and compares what they answer.
pub fn agree(schema: &str, plans: &[Plan], testee: &Path, asked: &str) {
    let reference = Testee::new(plans.iter().cloned().map(Codec::new).collect());
    let answers = ask(testee, asked);
    assert_eq!(answers.lines().count(), asked.lines().count(), "{schema}: every request is answered");
    for (request, answer) in asked.lines().zip(answers.lines()) {
        let wanted = reference.answer(request.as_bytes());
        assert_eq!(comparable(answer), comparable(&wanted), "{schema}: {request}");
    }
}

/// Compiles a module of `tests/erlang` for a testee and runs its `main/0`, which prints how many calls answered as they
/// should: more than `least`.
pub fn answers(testee: &Path, module: &str, least: u64) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/erlang/{module}.erl"));
    let mut erlc = Command::new("erlc");
    erlc.args(["-Wall", "-Werror", "-I"]).arg(testee).arg("-o").arg(testee.join("ebin")).arg(source);
    assert!(erlc.status().expect("erlc starts").success());
    let output = Command::new("erl")
        .args(["-noinput", "-pa", "ebin", "-eval", &format!("{module}:main().")])
        .current_dir(testee)
        .output()
        .expect("erl starts");
    let said = String::from_utf8_lossy(&output.stdout);
    let answered: u64 = said.trim().parse().unwrap_or(0);
    assert!(output.status.success() && answered > least, "{said}{}", String::from_utf8_lossy(&output.stderr));
}
