//! Drafts: what they set is what encoding writes.

mod common;

use aldis_emit::names::capital;
use aldis_emit::{Language, Request};
use aldis_interpreter::Codec;
use aldis_java::JAVA;
use aldis_plan::Plan;
use aldis_testkit::{fresh, plans, request, root};
use common::{javac, sources, succeeds};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const SCHEMAS: [&str; 13] = [
    "conformance/schemas/market.xml",
    "conformance/schemas/market.fbe",
    "conformance/schemas/market.capnp",
    "conformance/vectors/fbe/proto.fbe",
    "conformance/features/sbe_array.xml",
    "conformance/features/sbe_big_endian.xml",
    "conformance/features/sbe_chars.xml",
    "conformance/features/sbe_null.xml",
    "conformance/features/fbe_decimal.fbe",
    "conformance/features/fbe_uuid.fbe",
    "conformance/features/capnp_bool.capnp",
    "conformance/features/capnp_default.capnp",
    "conformance/features/capnp_group.capnp",
];

#[test]
fn fields_that_are_set_where_they_lie_are_those_that_are_written() {
    let folder = fresh(env!("CARGO_TARGET_TMPDIR"), "drafts");
    let mut files: Vec<PathBuf> = sources(&root().join("runtime/java/src/main/java/aldis"));
    let mut args = Vec::new();
    for (index, schema) in SCHEMAS.iter().enumerate() {
        let package = format!("draft{index}");
        let plans = plans(schema);
        let options = vec![("package".to_owned(), package.clone())];
        for file in JAVA.generate(&Request { options, ..request(&plans) }).files {
            let path = folder.join(file.path);
            fs::create_dir_all(path.parent().expect("files lie in folders")).expect("folders can be made");
            fs::write(&path, file.text).expect("it can be written");
            files.push(path);
        }
        for plan in &plans {
            for message in 0..plan.messages.len() {
                args.extend(messages(&folder, &package, plan, message));
            }
        }
    }
    files.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/Drafts.java"));
    let classes = folder.join("classes");
    javac(&files, &classes, &classes);
    let said = succeeds(Command::new("java").args(["-Xmx256m", "-cp"]).arg(&classes).arg("Drafts").args(args));
    assert_eq!(said.trim(), "done");
}

/// What the program is told of a message that has drafts: its class, its form, and two values, each field of one of which is set in the
/// other.
fn messages(folder: &Path, package: &str, plan: &Plan, message: usize) -> Vec<String> {
    let path = &plan.schema.type_def(plan.messages[message].record).name.path;
    let class: String = path.iter().map(|part| capital(part)).collect();
    let suffix = capital(&plan.form.suffix);
    if !folder.join(format!("{package}/{class}Draft{suffix}.java")).exists() {
        return Vec::new();
    }
    let codec = Codec::new(plan.clone());
    let written = [3, 8].into_iter().filter_map(|seed| {
        let bytes = codec.encode(message, &codec.random(message, seed)).ok()?;
        let file = folder.join(format!("{package}_{class}{suffix}_{seed}.bin"));
        fs::write(&file, bytes).expect("the message can be written");
        Some(file.to_string_lossy().into_owned())
    });
    let form = if suffix.is_empty() { "-" } else { &suffix };
    let head = [format!("{package}.{class}"), form.to_owned()];
    head.into_iter().chain(written).chain([";".to_owned()]).collect()
}
