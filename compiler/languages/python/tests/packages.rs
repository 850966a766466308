//! Generated packages in Python itself, with its warnings as errors.

use aldis_python::PYTHON;
use aldis_testkit::{fresh, generated, root};
use std::fs;
use std::path::{Path, PathBuf};
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
        write(&folder, generated(&PYTHON, schema, None));
    }
    folder
}

fn write(folder: &Path, files: impl IntoIterator<Item = (String, String)>) {
    for (path, text) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().expect("files lie in folders")).expect("folders can be made");
        fs::write(path, text).expect("the package can be written");
    }
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
    for schema in [
        "conformance/schemas/market.xml",
        "conformance/vectors/fbe/proto.fbe",
        "conformance/vectors/fbe/extra.fbe",
        "conformance/schemas/addressbook.capnp",
    ] {
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
fn a_view_is_a_message_that_does_not_change() {
    run("conformance/vectors/fbe/extra.fbe", "views_check.py");
}

#[test]
fn values_are_dicts_copies_and_pickles() {
    run("conformance/vectors/fbe/extra.fbe", "values_check.py");
}

/// Schemas and their packages, whose types are checked.
const TYPED: [(&str, &str); 5] = [
    ("conformance/schemas/market.xml", "market"),
    ("conformance/vectors/fbe/extra.fbe", "extra"),
    ("conformance/schemas/addressbook.capnp", "addressbook"),
    ("conformance/schemas/market.capnp", "market"),
    (LEFT, "left"),
];

/// The program that the environment or the path has; none where there is none.
#[allow(clippy::print_stderr)]
fn checker(variable: &str, program: &str, install: &str) -> Option<String> {
    let found = std::env::var(variable).unwrap_or_else(|_| program.to_owned());
    let is_there = Command::new(&found).arg("--version").output().is_ok();
    if !is_there {
        eprintln!("skipped: there is no `{found}` to check types with ({install}, or {variable}=path)");
    }
    is_there.then_some(found)
}

/// `pyright` is no part of the project's tools either.
#[test]
fn packages_have_strict_types_for_pyright() {
    let Some(pyright) = checker("PYRIGHT", "pyright", "npm install pyright@1.1.414") else { return };
    for (schema, name) in TYPED {
        let folder = package(schema, &format!("pyright_{}", schema.replace(['/', '.'], "_")));
        let runtime = root().join("runtime/python").display().to_string();
        let settings = format!(
            r#"{{"include": ["{name}"], "strict": ["{name}"], "pythonVersion": "3.10", "extraPaths": [".", "{runtime}"]}}"#
        );
        fs::write(folder.join("pyrightconfig.json"), settings).expect("settings can be written");
        let output = Command::new(&pyright).arg("-p").arg(&folder).output().expect("pyright starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
}

/// `mypy` is no part of the project's tools: `pip install mypy==2.4.1` brings the one that this was written with.
#[test]
fn packages_have_strict_types() {
    let Some(mypy) = checker("MYPY", "mypy", "pip install mypy==2.4.1") else { return };
    for (schema, name) in TYPED {
        let folder = package(schema, &format!("types_{}", schema.replace(['/', '.'], "_")));
        let mut check = Command::new(&mypy);
        check.args(["--strict", "--no-incremental", "-p", name, "-p", "aldis"]).current_dir(&folder);
        let paths = format!("{}:{}", folder.display(), root().join("runtime/python").display());
        let output = check.env("MYPYPATH", paths).output().expect("mypy starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
}

/// A schema with a message of each name, and of each kind of field.
fn schema_of(names: &[&str]) -> String {
    let mut out = String::from(
        r#"<sbe:messageSchema xmlns:sbe="http://fixprotocol.io/2016/sbe" package="shadow" id="1" version="0" byteOrder="bigEndian"><types>
<composite name="messageHeader"><type name="blockLength" primitiveType="uint16"/><type name="templateId" primitiveType="uint16"/>
<type name="schemaId" primitiveType="uint16"/><type name="version" primitiveType="uint16"/></composite>
<composite name="groupSizeEncoding"><type name="blockLength" primitiveType="uint16"/><type name="numInGroup" primitiveType="uint16"/></composite>
<composite name="varData"><type name="length" primitiveType="uint16"/><type name="varData" primitiveType="uint8" length="0"/></composite>
<composite name="varText"><type name="length" primitiveType="uint16"/>
<type name="varData" primitiveType="uint8" length="0" characterEncoding="UTF-8"/></composite>
<enum name="Side" encodingType="uint8"><validValue name="buy">1</validValue></enum>
<set name="Marks" encodingType="uint8"><choice name="late">0</choice></set>
<type name="Row" primitiveType="int16" length="3"/><type name="Name" primitiveType="char" length="4"/></types>"#,
    );
    for (id, name) in names.iter().enumerate() {
        out.push_str(&format!(
            r#"<sbe:message name="{name}" id="{id}"><field name="{name}" id="1" type="int32"/><field name="b" id="2" type="Side"/>
<field name="c" id="3" type="Marks"/><field name="d" id="4" type="Name"/><field name="e" id="5" type="Row"/>
<group name="entries{id}" id="6"><field name="{name}" id="7" type="int64"/></group>
<data name="f" id="8" type="varText"/><data name="g" id="9" type="varData"/></sbe:message>"#
        ));
    }
    out + "</sbe:messageSchema>"
}

#[test]
fn names_that_generated_code_uses_are_names_of_types_too() {
    let folder = fresh(env!("CARGO_TARGET_TMPDIR"), "used_names");
    for schema in
        ["conformance/schemas/market.xml", "conformance/vectors/fbe/extra.fbe", "conformance/schemas/market.capnp"]
    {
        write(&folder, generated(&PYTHON, schema, None));
    }
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/py/used_names.py");
    let output = Command::new("python3").arg(script).arg(&folder).output().expect("python3 starts");
    let said = String::from_utf8(output.stdout).expect("names are text");
    // The first one of names that differ by a number or a type tells of all.
    let is_one_of_many =
        |name: &str| name.strip_prefix("_s").is_some_and(|number| number.parse::<u32>().is_ok_and(|number| number > 0));
    let is_a_function = |name: &str| ["read_", "write_", "_of_"].iter().any(|verb| name.starts_with(verb));
    let names: Vec<&str> = said.lines().filter(|name| !is_one_of_many(name) && !is_a_function(name)).collect();
    assert!(["Struct", "Odd", "range", "_form", "_s0"].iter().all(|name| names.contains(name)), "{said}");
    let path = folder.join("shadow.xml");
    fs::write(&path, schema_of(&names)).expect("a schema can be written");
    run(&path.to_string_lossy(), "shadow_check.py");
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
