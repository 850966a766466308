//! Java's compiler, with its warnings as errors.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The Java files below a folder.
pub fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("it can be listed").map(|entry| entry.expect("it can be listed").path());
    let below = |path: PathBuf| if path.is_dir() { sources(&path) } else { vec![path] };
    entries.flat_map(below).filter(|path| path.extension().is_some_and(|end| end == "java")).collect()
}

pub fn succeeds(command: &mut Command) -> String {
    let output = command.output().expect("it starts (make setup)");
    let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    assert!(output.status.success(), "{said}");
    said
}

/// Compiles files over classes that there are already.
pub fn javac(files: &[PathBuf], known: &Path, classes: &Path) {
    let options = ["--release", "17", "-encoding", "UTF-8", "-proc:none", "-Xlint:all,-path", "-Werror", "-cp"];
    succeeds(Command::new("javac").args(options).arg(known).arg("-d").arg(classes).args(files));
}
