//! Generated classes in Java itself, with its warnings as errors.

use aldis_java::JAVA;
use aldis_testkit::{fresh, generated, root};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The Java files below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("it can be listed").map(|entry| entry.expect("it can be listed").path());
    let below = |path: PathBuf| if path.is_dir() { sources(&path) } else { vec![path] };
    entries.flat_map(below).filter(|path| path.extension().is_some_and(|end| end == "java")).collect()
}

fn succeeds(command: &mut Command) -> String {
    let output = command.output().expect("it starts (make setup)");
    let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    assert!(output.status.success(), "{said}");
    said
}

#[test]
fn names_that_java_or_the_code_around_them_needs() {
    let folder = fresh(env!("CARGO_TARGET_TMPDIR"), "names");
    let mut files: Vec<PathBuf> = sources(&root().join("runtime/java/src/main/java/aldis"));
    let schemas = ["names.fbe", "ask.fbe"].map(|schema| format!("compiler/languages/java/tests/{schema}"));
    let schemas = schemas.into_iter().chain(["conformance/schemas/addressbook.capnp".to_owned()]);
    for (path, text) in schemas.flat_map(|schema| generated(&JAVA, &schema, None)) {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().expect("files lie in folders")).expect("folders can be made");
        assert!(!path.exists(), "{} is written twice", path.display());
        fs::write(&path, text).expect("it can be written");
        files.push(path);
    }
    let programs = ["Use", "Streams", "Asks"];
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    files.extend(programs.iter().map(|program| tests.join(format!("{program}.java"))));
    let options = ["--release", "17", "-encoding", "UTF-8", "-proc:none", "-Xlint:all", "-Werror", "-d"];
    succeeds(Command::new("javac").args(options).arg(folder.join("classes")).args(files));
    for program in programs {
        let said = succeeds(Command::new("java").args(["-Xss512k", "-cp"]).arg(folder.join("classes")).arg(program));
        assert_eq!(said.trim(), "done");
    }
}
