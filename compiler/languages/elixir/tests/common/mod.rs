//! What the tests share: schemas from disk, and their generated code.
#![allow(dead_code)] // each test binary uses a part of it

use aldis_diagnostics::{render, Files, Style};
use aldis_elixir::ELIXIR;
use aldis_emit::{Generated, Language, Request};
use aldis_plan::{Format, Plan};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

/// Files of the repository; what is imported may also lie beside the imports of the schemas of Cap'n Proto.
pub struct Disk;

impl Files for Disk {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        fs::read(path)
    }

    fn resolve(&self, from: &str, name: &str) -> Option<String> {
        let beside = Path::new(from).parent()?.join(name);
        let shared = root().join("conformance/schemas/capnp/imports").join(name.trim_start_matches('/'));
        [beside, shared].into_iter().find(|path| path.is_file()).map(|path| path.to_string_lossy().into_owned())
    }
}

/// One schema's text in place of the disk.
pub struct Text(pub &'static str);

impl Files for Text {
    fn read(&self, _: &str) -> io::Result<Vec<u8>> {
        Ok(self.0.as_bytes().to_vec())
    }

    fn resolve(&self, _: &str, _: &str) -> Option<String> {
        None
    }
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

fn format_of(path: &str) -> &'static dyn Format {
    if path.ends_with(".fbe") {
        &aldis_fbe::FBE
    } else if path.ends_with(".capnp") {
        &aldis_capnp::CAPNP
    } else {
        &aldis_sbe::SBE
    }
}

/// The plans of a schema without errors, read through `files`.
pub fn plans_in(path: &str, files: &dyn Files) -> Vec<Plan> {
    let compilation = format_of(path).compile(path, files);
    if let Some(diagnostic) = compilation.diagnostics.iter().find(|d| d.is_error()) {
        panic!("{}", render(diagnostic, &compilation.sources, Style::Plain));
    }
    compilation.plans
}

/// The plans of a schema in the repository.
pub fn plans(path: &str) -> Vec<Plan> {
    plans_in(&root().join(path).to_string_lossy(), &Disk)
}

pub fn request(plans: &[Plan]) -> Request<'_> {
    Request {
        plans,
        name: None,
        prefix: None,
        renames: Vec::new(),
        testee: false,
        stem: "schema".to_owned(),
        runtime: Some(root().join("runtime").to_string_lossy().into_owned()),
        version: "0.0.0",
    }
}

/// What a schema in the repository is called.
pub fn stem(path: &str) -> String {
    Path::new(path).file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

pub fn generate(request: &Request<'_>) -> Generated {
    ELIXIR.generate(request)
}

/// A folder of this test's own, empty.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

/// Runs a command in a folder and gives what it said; it must succeed.
pub fn run(folder: &Path, command: &str, arguments: &[&str]) -> String {
    let output = Command::new(command).args(arguments).current_dir(folder).output();
    let output = output.unwrap_or_else(|error| panic!("{command} does not start (make setup): {error}"));
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command} {}\n{said}", arguments.join(" "));
    said
}

/// The plans of a schema by its full path; `None` for a part of another one that is no schema by itself.
pub fn try_plans(path: &str) -> Option<Vec<Plan>> {
    let compilation = format_of(path).compile(path, &Disk);
    (!aldis_diagnostics::any_error(&compilation.diagnostics) && !compilation.plans.is_empty())
        .then_some(compilation.plans)
}
