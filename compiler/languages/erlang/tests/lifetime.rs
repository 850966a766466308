//! How long lives what generated code gives: parts of the input or copies, and records beside a new version of the code.

mod common;

use aldis_testkit::request;
use common::{answers, build, generate, plans_in, Text};
use std::fs;
use std::path::Path;
use std::process::Command;

const OLD: &str = "package life
struct Note { string text; bytes? data; string[] names; int32<string> counts; string! tags; int32 kind = 7; }";

/// The schema grown by a field.
const NEW: &str = "package life
struct Note { string text; bytes? data; string[] names; int32<string> counts; string! tags; int32 kind = 7;
    int32 added = 8; }";

/// The codec of a schema, in `folder`.
fn compile(schema: &'static str, folder: &Path) {
    fs::create_dir_all(folder).expect("a folder can be made");
    let files = generate(&request(&plans_in("life.fbe", &Text(schema)))).files;
    for file in &files {
        fs::write(folder.join(&file.path), &file.text).expect("a file can be written");
    }
    let modules = files.iter().map(|file| &file.path).filter(|path| path.ends_with(".erl"));
    let erlc = Command::new("erlc").args(modules).current_dir(folder).status();
    assert!(erlc.expect("erlc starts").success());
}

#[test]
fn copies_and_new_versions() {
    let folder = build("life.fbe", &plans_in("life.fbe", &Text(OLD)));
    compile(NEW, &folder.join("new"));
    answers(&folder, "lifetime_check", 21);
}
