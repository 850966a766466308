//! What the tests share: schemas from disk, and their generated code.
#![allow(dead_code)] // each test binary uses a part of it

use aldis_cpp::CPP;
use aldis_diagnostics::{any_error, render, Files, Style};
use aldis_emit::{Generated, Language, Request};
use aldis_plan::{Format, Plan};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

pub struct Disk;

impl Files for Disk {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        fs::read(path)
    }

    fn resolve(&self, from: &str, name: &str) -> Option<String> {
        let path = Path::new(from).parent()?.join(name);
        path.is_file().then(|| path.to_string_lossy().into_owned())
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
    CPP.generate(request)
}

/// Generates a schema's headers into the folder of a test, as tests run at the same time.
pub fn headers(schema: &str, test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder for the headers");
    headers_into(&folder, schema);
    folder
}

/// Generates a schema's headers beside those of others.
pub fn headers_into(folder: &Path, schema: &str) {
    let plans = plans(schema);
    let generated = generate(&Request { stem: stem(schema), ..request(&plans) });
    assert!(!any_error(&generated.diagnostics), "{schema}: {:?}", generated.diagnostics);
    for file in &generated.files {
        fs::write(folder.join(&file.path), &file.text).expect("the headers can be written");
    }
}

/// Compiles a program against headers in a folder, as strictly as the generated code promises to be compiled, and gives
/// where it is. `CXX` chooses the compiler.
pub fn compile(program: &Path, folder: &Path, flags: &[&str]) -> PathBuf {
    let out = folder.join(program.file_stem().unwrap_or_default());
    let compiler = env::var_os("CXX").unwrap_or_else(|| "c++".into());
    let output = Command::new(compiler)
        .args(["-std=c++20", "-fno-exceptions", "-fno-rtti", "-Wall", "-Wextra", "-Wconversion", "-Werror"])
        .args(["-fsanitize=address,undefined", "-fno-sanitize-recover=all"])
        .args(flags)
        .arg("-I")
        .arg(root().join("runtime/cpp/include"))
        .arg("-I")
        .arg(folder)
        .arg(program)
        .arg("-o")
        .arg(&out)
        .output()
        .expect("a C++ compiler is installed (make setup)");
    assert!(output.status.success(), "{}: {}", program.display(), String::from_utf8_lossy(&output.stderr));
    out
}
