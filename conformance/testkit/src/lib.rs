//! Helpers that the tests of several crates share: schemas from the repository or from a text, their plans, and requests for
//! code. They panic where something is not as a test needs it.

mod conformance;
mod drafts;
mod golden;

pub use conformance::{conformance, with_imports};
pub use drafts::{two_messages, SCHEMAS_OF_DRAFTS};
pub use golden::{agree_with_golden, features, generated, Golden};

use aldis_diagnostics::{any_error, render, Files, Style};
use aldis_emit::Request;
use aldis_plan::{Format, Plan};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

/// Files of the repository. What is imported lies beside who imports it, or among the imports of Cap'n Proto's schemas.
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

/// The repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Whether there are tools that compile C#. They say themselves why there are none, and tests are skipped then.
pub fn has_dotnet() -> bool {
    let ready = Command::new(root().join("scripts/dotnet.sh")).arg("ready").status().expect("bash starts");
    assert!(ready.success() || ready.code() == Some(3), "scripts/dotnet.sh is broken");
    ready.success()
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

/// The plans of a schema without errors in its format, read through `files`.
pub fn compile(format: &dyn Format, path: &str, files: &dyn Files) -> Vec<Plan> {
    let compilation = format.compile(path, files);
    if let Some(diagnostic) = compilation.diagnostics.iter().find(|d| d.is_error()) {
        panic!("{}", render(diagnostic, &compilation.sources, Style::Plain));
    }
    compilation.plans
}

/// The same, in the format that its name tells.
pub fn plans_in(path: &str, files: &dyn Files) -> Vec<Plan> {
    compile(format_of(path), path, files)
}

/// The plans of a schema in the repository.
pub fn plans(path: &str) -> Vec<Plan> {
    plans_in(&root().join(path).to_string_lossy(), &Disk)
}

/// The files that a schema in the repository imports, directly or not, by their full paths.
pub fn imports(path: &str) -> Vec<String> {
    let path = root().join(path).to_string_lossy().into_owned();
    let sources = format_of(&path).compile(&path, &Disk).sources;
    // An import that is built into the compiler is no file.
    sources.iter().skip(1).map(|source| source.path.clone()).filter(|path| Path::new(path).exists()).collect()
}

/// The plans of a schema by its full path; `None` for a part of another one that is no schema by itself.
pub fn try_plans(path: &str) -> Option<Vec<Plan>> {
    try_plans_in(path, &Disk)
}

/// The plans of a schema in `files`; `None` where the format refuses it.
pub fn try_plans_in(path: &str, files: &dyn Files) -> Option<Vec<Plan>> {
    let compilation = format_of(path).compile(path, files);
    (!any_error(&compilation.diagnostics) && !compilation.plans.is_empty()).then_some(compilation.plans)
}

/// A request for code that finds the runtimes in the repository.
pub fn request(plans: &[Plan]) -> Request<'_> {
    Request {
        plans,
        name: None,
        prefix: None,
        renames: Vec::new(),
        options: Vec::new(),
        testee: false,
        stem: "schema".to_owned(),
        runtime: Some(root().join("runtime").to_string_lossy().into_owned()),
        version: "0.0.0",
    }
}

/// The name of a schema in the repository.
pub fn stem(path: &str) -> String {
    Path::new(path).file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// A folder of a test's own, empty, in that of its crate (`CARGO_TARGET_TMPDIR`).
pub fn fresh(within: &str, name: &str) -> PathBuf {
    let folder = Path::new(within).join(name.replace(['/', '.'], "_"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}
