//! Generated classes in Java itself, with its warnings as errors.

mod common;

use aldis_java::JAVA;
use aldis_testkit::{fresh, generated, root};
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
    let schemas =
        ["names.fbe", "ask.fbe", "plenty.fbe"].map(|schema| format!("compiler/languages/java/tests/{schema}"));
    let shown = ["addressbook.capnp", "market.xml"].map(|schema| format!("conformance/schemas/{schema}"));
    let schemas = schemas.into_iter().chain(shown);
    for (path, text) in schemas.flat_map(|schema| generated(&JAVA, &schema, None)) {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().expect("files lie in folders")).expect("folders can be made");
        assert!(!path.exists(), "{} is written twice", path.display());
        fs::write(&path, text).expect("it can be written");
        files.push(path);
    }
    let programs = ["Use", "Streams", "Asks", "Plenty", "Views", "Allocates"];
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    files.extend(programs.iter().map(|program| tests.join(format!("{program}.java"))));
    let classes = folder.join("classes");
    javac(&files, &classes, &classes);
    for program in programs {
        let said = succeeds(
            Command::new("java").args(["-Xss512k", "-Xmx256m", "-cp"]).arg(folder.join("classes")).arg(program),
        );
        assert_eq!(said.trim(), "done");
    }
    // The virtual machine's compilers take no method of over 8,000 bytes.
    for class in ["plenty.ManyCodec", "plenty.Many"] {
        let mut sizes = sizes(&folder.join("classes"), class);
        // The list of a class's fields is made once, by a method that runs no second time.
        sizes.retain(|(_, method)| !method.contains("lambda$"));
        assert!(sizes.len() > 12 && sizes.iter().all(|(size, _)| *size <= 7_000), "{sizes:?}");
    }
}
