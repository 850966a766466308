//! Drafts: what they set is what encoding writes.

use aldis_csharp::CSHARP;
use aldis_emit::names::{capital, pascal};
use aldis_emit::{Language, Request};
use aldis_interpreter::Codec;
use aldis_plan::Plan;
use aldis_testkit::{fresh, has_dotnet, plans, request, root};
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

fn succeeds(args: &[&str], others: &[String]) -> String {
    let tool = root().join("scripts/dotnet.sh");
    let output = Command::new(tool).args(args).args(others).output().expect("bash starts");
    let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    assert!(output.status.success(), "{said}");
    said
}

#[test]
fn fields_that_are_set_where_they_lie_are_those_that_are_written() {
    if !has_dotnet() {
        return;
    }
    let folder = fresh(env!("CARGO_TARGET_TMPDIR"), "drafts");
    let mut files: Vec<PathBuf> = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/Drafts.cs")];
    let (mut args, mut readers) = (Vec::new(), String::new());
    for (index, schema) in SCHEMAS.iter().enumerate() {
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
    let files: Vec<String> = files.iter().map(|path| path.to_string_lossy().into_owned()).collect();
    let runtime = root().join("runtime/csharp");
    for framework in ["9", "3.1"] {
        let library = succeeds(&["library", framework, &runtime.to_string_lossy()], &[]);
        let beside = folder.join("Aldis.dll");
        fs::copy(library.trim(), &beside).expect("the library can be copied");
        let program = folder.join("drafts.dll").to_string_lossy().into_owned();
        let refers = format!("-r:{}", beside.display());
        succeeds(&["compile", framework, &program, "-langversion:9", "-nullable", "-warnaserror", &refers], &files);
        assert_eq!(succeeds(&["run", framework, &program], &args).trim(), "done");
    }
}

/// What the program is told of a message that has drafts: its class, its form, and two values, each field of one of which is set in the
/// other. What reads it is a method of the program's.
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
    let written = [3, 8].into_iter().filter_map(|seed| {
        let bytes = codec.encode(message, &codec.random(message, seed)).ok()?;
        let file = folder.join(format!("{space}_{class}{suffix}_{seed}.bin"));
        fs::write(&file, bytes).expect("the message can be written");
        Some(file.to_string_lossy().into_owned())
    });
    let form = if suffix.is_empty() { "-" } else { &suffix };
    let head = [format!("{space}.{class}"), form.to_owned()];
    head.into_iter().chain(written).chain([";".to_owned()]).collect()
}
