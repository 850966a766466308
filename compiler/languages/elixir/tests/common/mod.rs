//! Helpers that the tests share: generated code, and commands.
#![allow(dead_code, unused_imports)] // each test binary uses a part of it

pub use aldis_testkit::{plans, plans_in, request, root, stem, try_plans, Text};

use aldis_elixir::ELIXIR;
use aldis_emit::{Generated, Language, Request};
use std::path::{Path, PathBuf};
use std::process::Command;

pub fn generate(request: &Request<'_>) -> Generated {
    ELIXIR.generate(request)
}

/// A folder of this test's own, empty.
pub fn folder(name: &str) -> PathBuf {
    aldis_testkit::fresh(env!("CARGO_TARGET_TMPDIR"), name)
}

/// Runs a command in a folder and gives what it said; it must succeed.
pub fn run(folder: &Path, command: &str, arguments: &[&str]) -> String {
    let output = Command::new(command).args(arguments).current_dir(folder).output();
    let output = output.unwrap_or_else(|error| panic!("{command} does not start (make setup): {error}"));
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command} {}\n{said}", arguments.join(" "));
    said
}
