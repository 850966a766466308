//! Packages of schemas that import one another: each has its own classes, and refers to those of the others.

mod common;

use aldis_emit::{Language, Request};
use aldis_java::JAVA;
use aldis_testkit::{fresh, plans, request, root, stem};
use common::{javac, sources};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const SHARED: [&str; 7] = [
    "java/tests/imports/base.fbe",
    "java/tests/imports/shop.fbe",
    "java/tests/imports/desk.fbe",
    "java/tests/imports/far.capnp",
    "java/tests/imports/notes.capnp",
    "javascript/tests/schemas/circle/left.capnp",
    "javascript/tests/schemas/circle/right.capnp",
];

/// Writes the package of a schema as the command line does, for a schema of the package `com.acme.own` that imports it.
fn write(folder: &Path, schema: &str, more: &[(&str, &str)]) -> Vec<PathBuf> {
    let path = format!("compiler/languages/{schema}");
    let given: Vec<(String, String)> = [("package", "com.acme.own")]
        .iter()
        .chain(more)
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    let plans = plans(&path);
    let options = JAVA.options_of_import(&given, &stem(&path));
    let made = JAVA.generate(&Request { stem: stem(&path), options, ..request(&plans) });
    assert!(made.diagnostics.is_empty(), "{:?}", made.diagnostics);
    let write = |file: aldis_emit::OutputFile| {
        let path = folder.join(file.path);
        fs::create_dir_all(path.parent().expect("files lie in folders")).expect("folders can be made");
        fs::write(&path, file.text).expect("it can be written");
        path
    };
    made.files.into_iter().map(write).collect()
}

fn java(path: &[PathBuf], program: &str) -> Output {
    let path: Vec<String> = path.iter().map(|folder| folder.display().to_string()).collect();
    Command::new("java").args(["-Xss512k", "-Xmx256m", "-cp", &path.join(":"), program]).output().expect("java starts")
}

#[test]
fn packages_share_the_classes_of_what_they_import_and_refuse_a_stale_one() {
    let folder = fresh(env!("CARGO_TARGET_TMPDIR"), "java_imports");
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/imports");
    let programs = ["Imports.java", "Stale.java"].map(|file| tests.join(file));
    let files: Vec<PathBuf> = SHARED.iter().flat_map(|schema| write(&folder.join("sources"), schema, &[])).collect();
    assert!(files.iter().any(|file| file.ends_with("com/acme/base/Money.java")), "{files:?}");
    let runtime = sources(&root().join("runtime/java/src/main/java/aldis"));
    let classes = folder.join("classes");
    javac(&files.into_iter().chain(programs).chain(runtime).collect::<Vec<_>>(), &classes, &classes);
    for (program, word) in [("Imports", "done"), ("Stale", "loaded")] {
        let output = java(std::slice::from_ref(&classes), program);
        let said = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned()).concat();
        assert_eq!(said.trim(), word);
    }
    // The same package with another option.
    javac(&write(&folder.join("others"), SHARED[0], &[("strict_text", "")]), &classes, &folder.join("stale"));
    let output = java(&[folder.join("stale"), classes], "Stale");
    let said = String::from_utf8_lossy(&output.stderr);
    let words = "com.acme.shop was generated for another com.acme.base: generate both again, with the same options";
    assert!(!output.status.success() && said.contains(words), "{said}");
}

#[test]
fn a_package_is_the_same_whoever_imports_it() {
    let folder = fresh(env!("CARGO_TARGET_TMPDIR"), "java_imported");
    let own = write(&folder, SHARED[0], &[]);
    let shop = write(&folder, SHARED[1], &[]);
    assert!(shop.iter().all(|file| !own.contains(file)), "{shop:?}");
    let text = |file: &str| fs::read_to_string(folder.join(file)).expect("it was written");
    let schema = text("com/acme/base/BaseSchema.java");
    let digest = schema.split('"').find(|part| part.len() == 16).expect("it has a digest").to_owned();
    assert!(
        text("com/acme/shop/Item.java").contains(&format!("\"{digest}\", com.acme.base.BaseSchema.digest()")),
        "{digest}"
    );
}
