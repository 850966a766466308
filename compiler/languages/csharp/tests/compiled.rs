//! Generated classes compiled by Roslyn, with its warnings as errors, and used on both runtimes.

mod common;

use aldis_csharp::CSHARP;
use aldis_testkit::{fresh, generated, has_dotnet};
use common::runs_on_both;
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn names_that_csharp_or_the_code_around_them_needs() {
    if !has_dotnet() {
        return;
    }
    let folder = fresh(env!("CARGO_TARGET_TMPDIR"), "names");
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut files: Vec<PathBuf> = [
        "Use.cs",
        "Streams.cs",
        "Asks.cs",
        "Attempts.cs",
        "Glances.cs",
        "Plenties.cs",
        "Quicks.cs",
        "QuickReads.cs",
        "Unions.cs",
        "Views.cs",
    ]
    .iter()
    .map(|file| tests.join(file))
    .collect();
    let own = ["csharp/tests/arms.capnp", "csharp/tests/names.fbe"];
    let schemas = own.into_iter().chain(["java/tests/ask.fbe", "java/tests/lists.capnp", "java/tests/plenty.fbe"]);
    let schemas = schemas.map(|schema| format!("compiler/languages/{schema}"));
    let shown = ["addressbook.capnp", "market.xml"].map(|schema| format!("conformance/schemas/{schema}"));
    let schemas = schemas.into_iter().chain(shown);
    for (path, text) in schemas.flat_map(|schema| generated(&CSHARP, &schema, None)) {
        let path = folder.join(path);
        fs::write(&path, text).expect("it can be written");
        files.push(path);
    }
    runs_on_both(&folder, &files, &[]);
}
