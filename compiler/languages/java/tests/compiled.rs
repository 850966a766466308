//! Generated classes in Java itself, with its warnings as errors.

mod common;

use aldis_emit::{Language, Request};
use aldis_java::JAVA;
use aldis_testkit::{fresh, generated, plans_in, request, root, Disk};
use common::{javac, sources, succeeds};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The methods of a class, by how many bytes of bytecode they have at least, but for what runs once.
fn sizes(classes: &Path, class: &str) -> Vec<(usize, String)> {
    let said = succeeds(Command::new("javap").args(["-c", "-p", "-cp"]).arg(classes).arg(class));
    let mut found = Vec::new();
    for line in said.lines() {
        match line.trim().split_once(": ").and_then(|(place, _)| place.parse().ok()) {
            Some(place) => found.last_mut().into_iter().for_each(|(size, _)| *size = place),
            None if line.ends_with(';') && line.contains('(') => found.push((0, line.trim().to_owned())),
            None if line.trim() == "static {};" => found.push((0, String::new())),
            None => {}
        }
    }
    found.into_iter().filter(|(_, head)| !head.is_empty()).collect()
}

#[test]
fn names_that_java_or_the_code_around_them_needs() {
    let folder = fresh(env!("CARGO_TARGET_TMPDIR"), "names");
    let mut files: Vec<PathBuf> = sources(&root().join("runtime/java/src/main/java/aldis"));
    let schemas = ["names.fbe", "ask.fbe", "plenty.fbe", "lists.capnp"]
        .map(|schema| format!("compiler/languages/java/tests/{schema}"));
    let shown = ["addressbook.capnp", "market.xml"].map(|schema| format!("conformance/schemas/{schema}"));
    let schemas = schemas.into_iter().chain(shown);
    for (path, text) in schemas.flat_map(|schema| generated(&JAVA, &schema, None)) {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().expect("files lie in folders")).expect("folders can be made");
        assert!(!path.exists(), "{} is written twice", path.display());
        fs::write(&path, text).expect("it can be written");
        files.push(path);
    }
    let programs = ["Use", "Streams", "Asks", "Plenty", "Views", "Allocates", "Glances", "Quicks", "QuickReads"];
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    files.extend(programs.iter().chain(&["Codecs"]).map(|program| tests.join(format!("{program}.java"))));
    let classes = folder.join("classes");
    javac(&files, &classes, &classes);
    for program in programs {
        let said = succeeds(
            Command::new("java").args(["-Xss512k", "-Xmx256m", "-cp"]).arg(folder.join("classes")).arg(program),
        );
        assert_eq!(said.trim(), "done");
    }
    for class in ["plenty.ManyCodec", "plenty.Many", "lists.SheetCodec"] {
        have_no_long_method(&classes, class);
    }
}

/// The virtual machine's compilers take no method of over 8,000 bytes.
fn have_no_long_method(classes: &Path, class: &str) {
    let mut sizes = sizes(classes, class);
    // The list of a class's fields is made once, by a method that runs no second time.
    sizes.retain(|(_, method)| !method.contains("lambda$"));
    assert!(sizes.len() > 5 && sizes.iter().all(|(size, _)| *size <= 7_000), "{class}: {sizes:?}");
}

const FIELDS: usize = 2_000;

/// A struct of that many fields.
fn wide_struct() -> String {
    let types = ["byte", "int32", "uint16", "double", "int64"];
    let ty = |field: usize| match field % 100 {
        2 => "uint16?",
        24 | 44 => "string",
        _ => types[field % types.len()],
    };
    let fields: String = (0..FIELDS).map(|field| format!("  {} f{field};\n", ty(field))).collect();
    format!("package structs\nstruct Wide(1)\n{{\n{fields}}}\n")
}

/// The members of the largest composite.
const MEMBERS: usize = 400;

/// The composites of half as many in one message.
const HALVES: usize = 8;

/// A message whose block has that many fields, one with a composite of many members, and one with several such.
fn wide_block() -> String {
    let types = ["uint8", "int32", "uint16", "double", "int64"];
    let field = |field: usize| {
        let presence = if field % 5 == 1 { "presence=\"optional\" " } else { "" };
        let id = field + 1;
        format!("<field name=\"f{field}\" id=\"{id}\" {presence}type=\"{}\"/>\n", types[field % types.len()])
    };
    let fields: String = (0..FIELDS).map(field).collect();
    let member = |index: usize| {
        let presence = if index % 5 == 1 { " presence=\"optional\"" } else { "" };
        format!("<type name=\"f{index}\" primitiveType=\"{}\"{presence}/>\n", types[index % types.len()])
    };
    let members: String = (0..MEMBERS).map(member).collect();
    let half: String = (0..MEMBERS / 2).map(member).collect();
    let halves: String =
        (1..=HALVES).map(|id| format!("<field name=\"half{id}\" id=\"{id}\" type=\"Half\"/>\n")).collect();
    let head = ["blockLength", "templateId", "schemaId", "version"];
    let head = head.map(|register| format!("<type name=\"{register}\" primitiveType=\"uint16\"/>")).concat();
    format!(
        "<sbe:messageSchema xmlns:sbe=\"http://fixprotocol.io/2016/sbe\" package=\"blocks\" id=\"1\" version=\"0\">\n\
         <types><composite name=\"messageHeader\">{head}</composite>\n\
         <composite name=\"Big\">\n{members}<type name=\"text\" primitiveType=\"char\" length=\"5\"/></composite>\n\
         <composite name=\"Half\">\n{half}</composite></types>\n\
         <sbe:message name=\"Wide\" id=\"1\">\n{fields}</sbe:message>\n\
         <sbe:message name=\"Nest\" id=\"2\"><field name=\"big\" id=\"1\" type=\"Big\"/></sbe:message>\n\
         <sbe:message name=\"Halves\" id=\"3\">\n{halves}</sbe:message>\n</sbe:messageSchema>\n"
    )
}

#[test]
fn thousands_of_fields_are_methods_that_the_virtual_machine_compiles() {
    let folder = fresh(env!("CARGO_TARGET_TMPDIR"), "wide");
    let mut files = sources(&root().join("runtime/java/src/main/java/aldis"));
    for (schema, text) in [("blocks.xml", wide_block()), ("structs.fbe", wide_struct())] {
        let path = folder.join(schema);
        fs::write(&path, text).expect("it can be written");
        let plans = plans_in(&path.to_string_lossy(), &Disk);
        let stem = schema.split('.').next().unwrap_or_default().to_owned();
        for file in JAVA.generate(&Request { stem, ..request(&plans) }).files {
            let path = folder.join(file.path);
            fs::create_dir_all(path.parent().expect("files lie in folders")).expect("folders can be made");
            fs::write(&path, file.text).expect("it can be written");
            files.push(path);
        }
    }
    files.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/Wide.java"));
    let classes = folder.join("classes");
    javac(&files, &classes, &classes);
    let said = succeeds(Command::new("java").args(["-Xss512k", "-Xmx256m", "-cp"]).arg(&classes).arg("Wide"));
    assert_eq!(said.trim(), "done");
    let both = ["Wide", "WideCodec", "WideView"];
    for class in both.into_iter().flat_map(|class| [format!("blocks.{class}"), format!("structs.{class}")]) {
        have_no_long_method(&classes, &class);
    }
    for class in ["Big", "BigDraft", "HalvesCodec", "NestCodec", "NestDraft", "WideDraft"] {
        have_no_long_method(&classes, &format!("blocks.{class}"));
    }
}
