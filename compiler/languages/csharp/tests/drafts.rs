//! Drafts: what they set is what encoding writes.

mod common;

use aldis_csharp::CSHARP;
use aldis_emit::names::{capital, pascal};
use aldis_emit::{Language, Request};
use aldis_interpreter::Codec;
use aldis_plan::Plan;
use aldis_testkit::{fresh, has_dotnet, plans, request, two_messages, SCHEMAS_OF_DRAFTS};
use common::runs_on_both;
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn fields_that_are_set_where_they_lie_are_those_that_are_written() {
    if !has_dotnet() {
        return;
    }
    let folder = fresh(env!("CARGO_TARGET_TMPDIR"), "drafts");
    let mut files: Vec<PathBuf> = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/Drafts.cs")];
    let (mut args, mut readers) = (Vec::new(), String::new());
    for (index, schema) in SCHEMAS_OF_DRAFTS.iter().enumerate() {
        let space = format!("Draft{index}");
        let plans = plans(schema);
        let options = vec![("namespace".to_owned(), space.clone())];
        for file in CSHARP.generate(&Request { options, ..request(&plans) }).files {
            let path = folder.join(file.path);
            fs::write(&path, file.text).expect("it can be written");
            files.push(path);
        }
        for plan in &plans {
            for message in 0..plan.messages.len() {
                args.extend(messages(&folder, &space, (plan, message), &mut readers));
            }
        }
    }
    let path = folder.join("Readers.cs");
    let text = format!("using Aldis.Codec;\n\nstatic class Readers\n{{\n{readers}}}\n");
    fs::write(&path, text).expect("it can be written");
    files.push(path);
    runs_on_both(&folder, &files, &args);
}

/// The program's arguments for a message that has drafts: its class, its form, and the files of two messages. `readers` gets the method
/// that reads such messages.
fn messages(folder: &Path, space: &str, (plan, message): (&Plan, usize), readers: &mut String) -> Vec<String> {
    let path = &plan.schema.type_def(plan.messages[message].record).name.path;
    let class: String = path.iter().map(|part| pascal(part)).collect();
    let suffix = capital(&plan.form.suffix);
    if !folder.join(format!("{space}.{class}Draft{suffix}.cs")).exists() {
        return Vec::new();
    }
    *readers += &format!(
        "    public static Structure {space}{class}{suffix}(byte[] bytes) => {space}.{class}.Decode{suffix}(bytes);\n"
    );
    let codec = Codec::new(plan.clone());
    let encoded = |seed| codec.encode(message, &codec.random(message, seed)).ok();
    let written = two_messages(folder, &format!("{space}_{class}{suffix}"), encoded).into_iter();
    let written = written.map(|file| folder.join(file).to_string_lossy().into_owned());
    let form = if suffix.is_empty() { "-" } else { &suffix };
    let head = [format!("{space}.{class}"), form.to_owned()];
    head.into_iter().chain(written).chain([";".to_owned()]).collect()
}
