//! Programs in C#, compiled by Roslyn with its warnings as errors, and run on both runtimes.

use aldis_testkit::root;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compiles a program of these files, and runs it with these arguments: it says that it is done.
#[allow(dead_code, reason = "a test that only compiles runs nothing")]
pub fn runs_on_both(folder: &Path, files: &[PathBuf], args: &[String]) {
    for framework in ["9", "3.1"] {
        let program = compiles(framework, folder, "exe", files);
        assert_eq!(succeeds(&["run", framework, &program], args).trim(), "done");
    }
}

/// Compiles a program or a library of these files for a runtime; gives its path.
pub fn compiles(framework: &str, folder: &Path, target: &str, files: &[PathBuf]) -> String {
    let runtime = root().join("runtime/csharp");
    let library = succeeds(&["library", framework, &runtime.to_string_lossy()], NOTHING);
    let beside = folder.join("Aldis.dll");
    fs::copy(library.trim(), &beside).expect("the library can be copied");
    let program = folder.join("program.dll").to_string_lossy().into_owned();
    let refers = format!("-r:{}", beside.display());
    let target = format!("-target:{target}");
    let options = ["compile", framework, &program, &target, "-langversion:9", "-nullable", "-warnaserror", &refers];
    succeeds(&options, files);
    program
}

const NOTHING: &[String] = &[];

fn succeeds(args: &[&str], others: &[impl AsRef<OsStr>]) -> String {
    let tool = root().join("scripts/dotnet.sh");
    let output = Command::new(tool).args(args).args(others).output().expect("bash starts");
    let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    assert!(output.status.success(), "{said}");
    said
}
