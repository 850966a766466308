//! Generated classes compiled by Roslyn, with its warnings as errors, and used on both runtimes.

use aldis_csharp::CSHARP;
use aldis_testkit::{fresh, generated, has_dotnet, root};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn tool(args: &[&str], files: &[PathBuf]) -> Output {
    Command::new(root().join("scripts/dotnet.sh")).args(args).args(files).output().expect("bash starts")
}

fn succeeds(args: &[&str], files: &[PathBuf]) -> String {
    let output = tool(args, files);
    let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    assert!(output.status.success(), "{said}");
    said
}

#[test]
fn names_that_csharp_or_the_code_around_them_needs() {
    if !has_dotnet() {
        return;
    }
    let folder = fresh(env!("CARGO_TARGET_TMPDIR"), "names");
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut files: Vec<PathBuf> =
        ["Use.cs", "Streams.cs", "Asks.cs", "Attempts.cs", "Plenties.cs", "Unions.cs", "Views.cs"]
            .iter()
            .map(|file| tests.join(file))
            .collect();
    let schemas = ["csharp/tests/arms.capnp", "csharp/tests/names.fbe", "java/tests/ask.fbe", "java/tests/plenty.fbe"]
        .map(|schema| format!("compiler/languages/{schema}"));
    let shown = ["addressbook.capnp", "market.xml"].map(|schema| format!("conformance/schemas/{schema}"));
    let schemas = schemas.into_iter().chain(shown);
    for (path, text) in schemas.flat_map(|schema| generated(&CSHARP, &schema, None)) {
        let path = folder.join(path);
        fs::write(&path, text).expect("it can be written");
        files.push(path);
    }
    let runtime = root().join("runtime/csharp");
    for framework in ["9", "3.1"] {
        let library = succeeds(&["library", framework, &runtime.to_string_lossy()], &[]);
        let beside = folder.join("Aldis.dll");
        fs::copy(library.trim(), &beside).expect("the library can be copied");
        let program = folder.join("use.dll").to_string_lossy().into_owned();
        let refers = format!("-r:{}", beside.display());
        let options = ["compile", framework, &program, "-langversion:9", "-nullable", "-warnaserror", &refers];
        succeeds(&options, &files);
        assert_eq!(succeeds(&["run", framework, &program], &[]).trim(), "done");
    }
}
