//! Drafts: what they set is what encoding writes.

mod common;

use aldis_emit::names::capital;
use aldis_emit::{Language, Request};
use aldis_interpreter::Codec;
use aldis_java::JAVA;
use aldis_plan::Plan;
use aldis_testkit::{fresh, plans, request, root, two_messages, SCHEMAS_OF_DRAFTS};
use common::{javac, sources, succeeds};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn fields_that_are_set_where_they_lie_are_those_that_are_written() {
    let folder = fresh(env!("CARGO_TARGET_TMPDIR"), "drafts");
    let mut files: Vec<PathBuf> = sources(&root().join("runtime/java/src/main/java/aldis"));
    let mut args = Vec::new();
    for (index, schema) in SCHEMAS_OF_DRAFTS.iter().enumerate() {
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

/// The program's arguments for a message that has drafts: its class, its form, and the files of two messages.
fn messages(folder: &Path, package: &str, plan: &Plan, message: usize) -> Vec<String> {
    let path = &plan.schema.type_def(plan.messages[message].record).name.path;
    let class: String = path.iter().map(|part| capital(part)).collect();
    let suffix = capital(&plan.form.suffix);
    if !folder.join(format!("{package}/{class}Draft{suffix}.java")).exists() {
        return Vec::new();
    }
    let codec = Codec::new(plan.clone());
    let encoded = |seed| codec.encode(message, &codec.random(message, seed)).ok();
    let written = two_messages(folder, &format!("{package}_{class}{suffix}"), encoded).into_iter();
    let written = written.map(|file| folder.join(file).to_string_lossy().into_owned());
    let form = if suffix.is_empty() { "-" } else { &suffix };
    let head = [format!("{package}.{class}"), form.to_owned()];
    head.into_iter().chain(written).chain([";".to_owned()]).collect()
}
