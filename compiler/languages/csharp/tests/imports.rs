//! Name spaces of schemas that import one another: each has its own classes, and refers to those of the others.

use aldis_csharp::CSHARP;
use aldis_emit::{Language, Request};
use aldis_testkit::{fresh, has_dotnet, plans, request, root, stem};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const BASE: &str = "java/tests/imports/base.fbe";
const SHOP: &str = "java/tests/imports/shop.fbe";

const OTHERS: [&str; 5] = [
    "java/tests/imports/desk.fbe",
    "java/tests/imports/far.capnp",
    "java/tests/imports/notes.capnp",
    "javascript/tests/schemas/circle/left.capnp",
    "javascript/tests/schemas/circle/right.capnp",
];

fn tool(args: &[&str], files: &[PathBuf]) -> Output {
    Command::new(root().join("scripts/dotnet.sh")).args(args).args(files).output().expect("bash starts")
}

fn said(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned()).concat()
}

fn succeeds(args: &[&str], files: &[PathBuf]) -> String {
    let output = tool(args, files);
    assert!(output.status.success(), "{}", said(&output));
    said(&output)
}

/// Writes the name space of a schema as the command line does, for a schema of the name space `Acme.Own` that imports it.
fn write(folder: &Path, schema: &str, more: &[(&str, &str)]) -> Vec<PathBuf> {
    let path = format!("compiler/languages/{schema}");
    let given = [("namespace", "Acme.Own")];
    let given = given.iter().chain(more).map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let plans = plans(&path);
    let options = CSHARP.options_of_import(&given.collect::<Vec<_>>(), &stem(&path));
    let made = CSHARP.generate(&Request { stem: stem(&path), options, ..request(&plans) });
    assert!(made.diagnostics.is_empty(), "{:?}", made.diagnostics);
    fs::create_dir_all(folder).expect("a folder can be made");
    let write = |file: aldis_emit::OutputFile| {
        let path = folder.join(file.path);
        fs::write(&path, file.text).expect("it can be written");
        path
    };
    made.files.into_iter().map(write).collect()
}

/// Compiles an assembly in the folder, over the others of those names.
fn compile(framework: &str, folder: &Path, out: &str, others: &[&str], files: &[PathBuf]) {
    let path = |name: &str| folder.join(name).display().to_string();
    let others: Vec<String> = ["Aldis.dll"].iter().chain(others).map(|name| format!("-r:{}", path(name))).collect();
    let out = path(out);
    let options = ["compile", framework, &out, "-langversion:9", "-nullable", "-warnaserror"];
    succeeds(&options.into_iter().chain(others.iter().map(String::as_str)).collect::<Vec<_>>(), files);
}

#[test]
fn name_spaces_share_the_classes_of_what_they_import_and_refuse_a_stale_one() {
    if !has_dotnet() {
        return;
    }
    let folder = fresh(env!("CARGO_TARGET_TMPDIR"), "csharp_imports");
    let program = |file: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/imports").join(file);
    let runtime = root().join("runtime/csharp");
    let [base, shop] = [BASE, SHOP].map(|schema| write(&folder.join("sources"), schema, &[]));
    let stale = write(&folder.join("stale"), BASE, &[("strict_text", "")]);
    let others = OTHERS.iter().flat_map(|schema| write(&folder.join("sources"), schema, &[]));
    let all: Vec<PathBuf> = base.iter().chain(&shop).cloned().chain(others).chain([program("Imports.cs")]).collect();
    for framework in ["9", "3.1"] {
        let library = succeeds(&["library", framework, &runtime.to_string_lossy()], &[]);
        fs::copy(library.trim(), folder.join("Aldis.dll")).expect("the library can be copied");
        compile(framework, &folder, "imports.dll", &[], &all);
        let run = |file: &str| tool(&["run", framework], &[folder.join(file)]);
        assert_eq!(said(&run("imports.dll")).trim(), "done");
        // Each in an assembly of its own; then the same name space with another option.
        let library = [PathBuf::from("-target:library")];
        let library = |files: &[PathBuf]| library.iter().chain(files).cloned().collect::<Vec<_>>();
        compile(framework, &folder, "Base.dll", &[], &library(&base));
        compile(framework, &folder, "Shop.dll", &["Base.dll"], &library(&shop));
        compile(framework, &folder, "shared.dll", &["Base.dll", "Shop.dll"], &[program("Shared.cs")]);
        assert_eq!(said(&run("shared.dll")).trim(), "loaded");
        compile(framework, &folder, "Base.dll", &[], &library(&stale));
        let output = run("shared.dll");
        let words = "Acme.Shop was generated for another Acme.Base: generate both again, with the same options";
        assert!(!output.status.success() && said(&output).contains(words), "{}", said(&output));
    }
}
