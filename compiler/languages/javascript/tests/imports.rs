//! Schemas that import one another: their modules refer to each other's types.

mod common;

use aldis_emit::Request;
use common::{generate, node_with, plans, request, testee_into};
use std::fs;

const LEFT: &str = "compiler/languages/javascript/tests/schemas/circle/left.capnp";
const RIGHT: &str = "compiler/languages/javascript/tests/schemas/circle/right.capnp";

#[test]
fn modules_in_a_circle_have_their_own_types_and_refuse_a_stale_one() {
    let (folder, _) = testee_into(LEFT, "circle");
    let stale = folder.join("stale");
    fs::create_dir_all(&stale).expect("a folder for stale modules");
    node_with(&folder, "imports_check.js", &[&stale.to_string_lossy()]);
}

#[test]
fn a_module_is_the_same_whoever_is_generated_with_it_and_has_no_declaration_of_another() {
    let own = |path: &str, stem: &str| {
        let plans = plans(path);
        let files = generate(&Request { stem: stem.to_owned(), ..request(&plans) }).files;
        files.into_iter().map(|file| (file.path, file.text)).collect::<Vec<_>>()
    };
    let left = own(LEFT, "left");
    let (path, types) = left.iter().find(|(path, _)| path == "left.d.ts").expect("there are types");
    assert!(types.contains("history: right$.Price[]"), "{path}: {types}");
    assert!(!types.contains("interface Price"), "{path}: {types}");
    // The instances of generic types are those of who binds their parameters.
    assert!(types.contains("interface Box_Text_") && types.contains("interface Pair_Account_"), "{types}");
    let right = own(RIGHT, "right");
    let (_, types) = right.iter().find(|(path, _)| path == "right.d.ts").expect("there are types");
    assert!(types.contains("interface Box_Data_") && !types.contains("interface Pair_"), "{types}");
}

#[test]
fn levels_are_counted_through_the_records_of_other_schemas() {
    let (folder, _) = testee_into("compiler/languages/javascript/tests/schemas/levels/tree.capnp", "levels");
    node_with(&folder, "levels_check.js", &[]);
}

#[test]
fn types_of_one_name_in_two_files_have_their_own_declarations() {
    let (folder, _) = testee_into("compiler/languages/javascript/tests/schemas/twins/outer.capnp", "twins");
    node_with(&folder, "twins_check.js", &[]);
}
