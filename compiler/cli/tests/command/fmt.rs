//! `fmt`.

use super::{aldis, aldis_with, Folder, SBE};
use serde_json::Value;
use std::fs;

const IRREGULAR: &str = "package p\n// One.\nstruct S {\n  int32   a = -  1 ; // first\n\n\n  [key]string b;\n}\n";
const REGULAR: &str = "package p\n\n// One.\nstruct S\n{\n    int32 a = -1; // first\n\n    [key] string b;\n}\n";
const BROKEN: &str = "package p\nstruct S {\n  int32 a\n}\n";

#[test]
fn files_are_written_anew_and_then_left_alone() {
    let folder = Folder::new("fmt");
    let (one, two) = (folder.write("one.fbe", IRREGULAR), folder.write("two.capnp", "@0xd4f12b9e6a7c3581 ;\n"));
    let run = aldis(&["fmt", &one, &two]);
    assert_eq!((run.code, run.text(), run.err.as_str()), (0, "", ""));
    assert_eq!(fs::read_to_string(&one).unwrap(), REGULAR);
    assert_eq!(fs::read_to_string(&two).unwrap(), "@0xd4f12b9e6a7c3581;\n");
    let written = fs::metadata(&one).unwrap().modified().unwrap();
    assert_eq!(aldis(&["fmt", "--check", &one, &two]).code, 0);
    assert_eq!(aldis(&["fmt", &one, &two]).code, 0);
    assert_eq!(fs::metadata(&one).unwrap().modified().unwrap(), written);
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 2, "nothing is left beside them");
}

#[test]
fn a_check_names_files_and_first_lines_and_writes_nothing() {
    let folder = Folder::new("fmt-check");
    let (path, good) = (folder.write("one.fbe", IRREGULAR), folder.write("good.fbe", REGULAR));
    let run = aldis(&["fmt", "--check", &path, &good]);
    assert_eq!(run.code, 1);
    assert!(run.text().contains("one.fbe:2:1") && !run.text().contains("good.fbe"), "{}", run.text());
    assert!(run.text().contains("a blank line comes here"), "{}", run.text());
    assert_eq!(fs::read_to_string(&path).unwrap(), IRREGULAR);
    let run = aldis(&["fmt", "--check", "--message-format", "json", &path]);
    let problem: Value = serde_json::from_str(run.text().trim()).unwrap();
    assert_eq!((&problem["code"], &problem["line"]), (&"fmt/E0001".into(), &2.into()));
}

#[test]
fn standard_input_goes_to_standard_output() {
    let run = aldis_with(&["fmt", "-", "--format", "fbe"], IRREGULAR.as_bytes());
    assert_eq!((run.code, run.text()), (0, REGULAR));
    assert_eq!(aldis_with(&["fmt", "-"], IRREGULAR.as_bytes()).code, 2);
    let windows = IRREGULAR.replace('\n', "\r\n");
    let run = aldis_with(&["fmt", "-", "--format", "fbe"], windows.as_bytes());
    assert_eq!(run.text(), REGULAR.replace('\n', "\r\n"));
}

#[test]
fn broken_schemas_and_xml_stay_as_they_are() {
    let folder = Folder::new("fmt-broken");
    let (broken, good) = (folder.write("broken.fbe", BROKEN), folder.write("good.fbe", IRREGULAR));
    let run = aldis(&["fmt", &broken, &good]);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("broken.fbe:3:10"), "{}", run.err);
    assert_eq!(fs::read_to_string(&broken).unwrap(), BROKEN);
    assert_eq!(fs::read_to_string(&good).unwrap(), REGULAR, "the other file is written all the same");
    let run = aldis(&["fmt", SBE]);
    assert_eq!(run.code, 0);
    assert!(run.err.contains("left as it is"), "{}", run.err);
}
