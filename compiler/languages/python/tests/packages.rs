//! Generated packages in Python itself, with its warnings as errors.

use aldis_python::PYTHON;
use aldis_testkit::{fresh, generated, root};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// The schemas that a schema imports, whose packages its own refers to.
fn imported(schema: &str) -> &'static [&'static str] {
    match schema {
        "conformance/vectors/fbe/extra.fbe" => &["conformance/vectors/fbe/proto.fbe"],
        LEFT => &["compiler/languages/javascript/tests/schemas/circle/right.capnp"],
        _ => &[],
    }
}

/// A schema that imports another, which imports it.
const LEFT: &str = "compiler/languages/javascript/tests/schemas/circle/left.capnp";

/// The package of a schema in a folder of the test's own, with those of what it imports.
fn package(schema: &str, test: &str) -> PathBuf {
    let folder = fresh(env!("CARGO_TARGET_TMPDIR"), test);
    for schema in imported(schema).iter().chain([&schema]) {
        for (path, text) in generated(&PYTHON, schema, None) {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().expect("files lie in folders")).expect("folders can be made");
            fs::write(path, text).expect("the package can be written");
        }
    }
    folder
}

/// Runs a script of `tests/py` beside a generated package: it gets the folder of vectors, and a folder of its own.
fn run(schema: &str, script: &str) {
    let folder = package(schema, script);
    let source = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/py").join(script);
    let paths = format!("{}:{}", folder.display(), root().join("runtime/python").display());
    let mut python = Command::new("python3");
    let vectors = root().join("conformance/vectors/fbe");
    python.args(["-B", "-W", "error"]).arg(source).arg(vectors).arg(folder.join("own"));
    let output = python.env("PYTHONPATH", paths).output().expect("python3 starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn packages_that_import_one_another_have_their_own_types_and_refuse_a_stale_one() {
    run(LEFT, "imports_check.py");
}

#[test]
fn names_that_python_or_the_code_around_them_needs() {
    run("compiler/languages/javascript/tests/schemas/hostile.fbe", "hostile_check.py");
}

#[test]
fn a_message_is_a_dataclass() {
    run("conformance/schemas/market.xml", "market_check.py");
}

#[test]
fn the_pure_package_says_what_brings_an_engine() {
    run("conformance/schemas/market.xml", "pure_check.py");
}

#[test]
fn older_messages_end_where_they_end() {
    run("conformance/schemas/sbe/market-data.xml", "versions_check.py");
}

#[test]
fn what_writers_write_is_read_by_printed_functions() {
    for schema in
        ["conformance/schemas/market.xml", "conformance/vectors/fbe/proto.fbe", "conformance/schemas/addressbook.capnp"]
    {
        run(schema, "fast_check.py");
    }
}

#[test]
fn messages_come_whole_out_of_streams() {
    for schema in [
        "conformance/schemas/market.xml",
        "conformance/vectors/fbe/proto.fbe",
        "conformance/vectors/fbe/extra.fbe",
        "conformance/schemas/addressbook.capnp",
    ] {
        run(schema, "streams_check.py");
    }
}

#[test]
fn values_are_dicts_copies_and_pickles() {
    run("conformance/vectors/fbe/extra.fbe", "values_check.py");
}

/// `mypy` is no part of the project's tools: `pip install mypy==2.4.1` brings the one that this was written with.
#[test]
#[allow(clippy::print_stderr)]
fn packages_have_strict_types() {
    let mypy = std::env::var("MYPY").unwrap_or_else(|_| "mypy".to_owned());
    if Command::new(&mypy).arg("--version").output().is_err() {
        eprintln!("skipped: there is no `{mypy}` to check types with (pip install mypy==2.4.1, or MYPY=path)");
        return;
    }
    for (schema, name) in [
        ("conformance/schemas/market.xml", "market"),
        ("conformance/vectors/fbe/extra.fbe", "extra"),
        ("conformance/schemas/addressbook.capnp", "addressbook"),
        ("conformance/schemas/market.capnp", "market"),
        (LEFT, "left"),
    ] {
        let folder = package(schema, &format!("types_{}", schema.replace(['/', '.'], "_")));
        let mut check = Command::new(&mypy);
        check.args(["--strict", "--no-incremental", "-p", name, "-p", "aldis"]).current_dir(&folder);
        let paths = format!("{}:{}", folder.display(), root().join("runtime/python").display());
        let output = check.env("MYPYPATH", paths).output().expect("mypy starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
}

#[test]
fn unions_match() {
    run("conformance/schemas/addressbook.capnp", "addressbook_check.py");
}

#[test]
fn hidden_values_are_not_shown() {
    run("compiler/languages/javascript/tests/schemas/secret.fbe", "secret_check.py");
}

#[test]
fn names_of_generated_code_and_values_that_do_not_fit() {
    run("compiler/languages/python/tests/schemas/private.fbe", "private_check.py");
}
