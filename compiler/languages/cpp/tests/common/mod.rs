//! Helpers that the tests share: generated code, compiled.
#![allow(dead_code, unused_imports)] // each test binary uses a part of it

pub use aldis_testkit::{plans, plans_in, request, root, stem, Text};

use aldis_cpp::CPP;
use aldis_diagnostics::any_error;
use aldis_emit::{Generated, Language, Request};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

pub fn generate(request: &Request<'_>) -> Generated {
    CPP.generate(request)
}

/// Generates a schema's headers into the folder of a test, as tests run at the same time.
pub fn headers(schema: &str, test: &str) -> PathBuf {
    let folder = aldis_testkit::fresh(env!("CARGO_TARGET_TMPDIR"), test);
    headers_into(&folder, schema);
    folder
}

/// Generates a schema's headers beside those of others.
pub fn headers_into(folder: &Path, schema: &str) {
    headers_with(folder, schema, Vec::new());
}

/// The same whose values take memory from an allocator.
pub fn pmr_headers_into(folder: &Path, schema: &str) {
    headers_with(folder, schema, vec![("allocator".to_owned(), "pmr".to_owned())]);
}

/// The same of that name.
pub fn named_headers_into(folder: &Path, schema: &str, name: &str) {
    let plans = plans(schema);
    let request = Request { stem: stem(schema), name: Some(name.to_owned()), ..request(&plans) };
    write_headers(folder, schema, &request);
}

/// Headers of that name, in a folder of their own.
pub fn named_headers(schema: &str, name: &str, allocator: &str) -> PathBuf {
    let folder = aldis_testkit::fresh(
        env!("CARGO_TARGET_TMPDIR"),
        &format!("{}_{name}_{allocator}", schema.replace(['/', '.'], "_")),
    );
    let options = vec![("allocator".to_owned(), allocator.to_owned())];
    let plans = plans(schema);
    write_headers(
        &folder,
        schema,
        &Request { stem: stem(schema), name: Some(name.to_owned()), options, ..request(&plans) },
    );
    folder
}

fn headers_with(folder: &Path, schema: &str, options: Vec<(String, String)>) {
    let plans = plans(schema);
    write_headers(folder, schema, &Request { stem: stem(schema), options, testee: true, ..request(&plans) });
}

fn write_headers(folder: &Path, schema: &str, request: &Request<'_>) {
    let generated = generate(request);
    assert!(!any_error(&generated.diagnostics), "{schema}: {:?}", generated.diagnostics);
    for file in &generated.files {
        write(&folder.join(&file.path), &file.text);
    }
}

/// Writes a header, whose folder may be new.
pub fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap_or(path)).expect("the folder can be made");
    fs::write(path, text).expect("the headers can be written");
}

/// Where the runtime and the headers in a folder are found.
pub fn include_flags(folder: &Path) -> [PathBuf; 4] {
    ["-I".into(), root().join("runtime/cpp/include"), "-I".into(), folder.to_owned()]
}

/// Compiles a program against headers in a folder, as strictly as the generated code promises to be compiled, and gives
/// where it is. `CXX` chooses the compiler.
pub fn compile(program: &Path, folder: &Path, flags: &[&str]) -> PathBuf {
    let out = folder.join(program.file_stem().unwrap_or_default());
    let compiler = env::var_os("CXX").unwrap_or_else(|| "c++".into());
    let output = Command::new(compiler)
        .args(["-std=c++20", "-fno-exceptions", "-fno-rtti", "-Wall", "-Wextra", "-Wconversion", "-Werror"])
        .arg("-Wsign-conversion")
        .args(["-fsanitize=address,undefined", "-fno-sanitize-recover=all"])
        .args(flags)
        .args(include_flags(folder))
        .arg(program)
        .arg("-o")
        .arg(&out)
        .output()
        .expect("a C++ compiler is installed (make setup)");
    assert!(output.status.success(), "{}: {}", program.display(), String::from_utf8_lossy(&output.stderr));
    out
}
