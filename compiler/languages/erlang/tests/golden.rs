//! Generated code for review: in `golden/` what each feature of the Plan looks like, and digests of large schemas.
//! `UPDATE_GOLDEN=1` rewrites them.

mod common;

use aldis_erlang::ERLANG;
use aldis_testkit::{features, generated, Golden};
use common::{generate, plans, request, stem, LARGE};
use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn generated_code_is_as_in_golden() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    Golden { language: &ERLANG, folder, shown: |_| true, large: &LARGE }.check();
}

#[test]
fn generating_again_gives_the_same_bytes() {
    for schema in LARGE {
        let (first, second) = (plans(schema), plans(schema));
        assert_eq!(generate(&request(&first)).files, generate(&request(&second)).files, "{schema}");
    }
}

#[test]
fn lines_end_without_white_space_and_files_with_one_line_end() {
    for schema in features().into_iter().chain(LARGE.map(str::to_owned)) {
        for (path, text) in generated(&ERLANG, &schema, None) {
            assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{schema}: {path}");
            assert!(text.lines().all(|line| line.trim_end() == line), "{schema}: {path}");
        }
    }
}

/// Runs Dialyzer and gives what it said.
fn dialyzer(folder: &Path, arguments: &[&str]) -> (bool, String) {
    let output = Command::new("dialyzer").args(arguments).current_dir(folder).output().expect("dialyzer starts");
    (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn dialyzer_finds_nothing() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("dialyzer");
    let _ = fs::remove_dir_all(folder.join("ebin"));
    fs::create_dir_all(folder.join("ebin")).expect("a folder for the modules");
    let runtime = fs::read_dir(common::root().join("runtime/erlang/src")).expect("there is a runtime");
    let runtime = runtime.map(|entry| entry.expect("it can be listed").path());
    let mut sources: Vec<_> = runtime.filter(|path| path.extension().is_some_and(|e| e == "erl")).collect();
    let features = features().into_iter().map(|schema| (stem(&schema), schema));
    let modules = features.map(|(name, schema)| generated(&ERLANG, &schema, Some(&name)));
    for (path, text) in modules.chain(LARGE.map(|schema| generated(&ERLANG, schema, None))).flatten() {
        let path = folder.join(path);
        fs::write(&path, text).expect("a module can be written");
        sources.extend(path.extension().is_some_and(|e| e == "erl").then_some(path));
    }
    let compiled = Command::new("erlc").args(["+debug_info", "-o", "ebin"]).args(sources).current_dir(&folder).status();
    assert!(compiled.expect("erlc starts").success());
    // Its knowledge of OTP is kept for the next run.
    if !folder.join("otp.plt").is_file() {
        dialyzer(&folder, &["--build_plt", "--output_plt", "otp.plt", "--apps", "erts", "kernel", "stdlib"]);
    }
    let (clean, said) =
        dialyzer(&folder, &["--plt", "otp.plt", "-Wunmatched_returns", "-Werror_handling", "-r", "ebin"]);
    assert!(clean, "{said}");
}
