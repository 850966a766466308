//! Helpers that the tests share: generated modules in a folder, and Node on them.
#![allow(dead_code, unused_imports)] // each test binary uses a part of it

pub use aldis_testkit::{plans, request, root, stem};

use aldis_emit::{Generated, Language, Request};
use aldis_javascript::JAVASCRIPT;
use aldis_plan::Plan;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

pub fn generate(request: &Request<'_>) -> Generated {
    JAVASCRIPT.generate(request)
}

/// A schema's testee in a folder of the test's own, built.
pub fn testee_into(schema: &str, test: &str) -> (PathBuf, Vec<Plan>) {
    testee_with(schema, test, &[])
}

/// The same with options.
pub fn testee_with(schema: &str, test: &str, options: &[(&str, &str)]) -> (PathBuf, Vec<Plan>) {
    let folder = aldis_testkit::fresh(env!("CARGO_TARGET_TMPDIR"), test);
    let plans = plans(schema);
    let options = options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let generated = generate(&Request { stem: stem(schema), testee: true, options, ..request(&plans) });
    assert_eq!(generated.diagnostics, []);
    for path in aldis_testkit::imports(schema) {
        let plans = aldis_testkit::try_plans(&path).expect("what is imported is a schema");
        for file in generate(&Request { stem: stem(&path), ..request(&plans) }).files {
            fs::write(folder.join(&file.path), &file.text).expect("the modules can be written");
        }
    }
    for file in &generated.files {
        let path = folder.join(&file.path);
        fs::write(&path, &file.text).expect("the modules can be written");
        if file.executable {
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("scripts can be run");
        }
    }
    let built = Command::new(folder.join("build")).status().expect("the script starts");
    assert!(built.success());
    (folder, plans)
}

/// Runs a script of `tests/js` beside generated modules.
pub fn node(folder: &Path, script: &str) {
    node_with(folder, script, &[]);
}

/// The file of the codecs in a testee's folder.
pub fn module_of(folder: &Path) -> String {
    let names = fs::read_dir(folder).expect("the folder can be listed");
    let names = names.map(|entry| entry.expect("it can be listed").file_name().to_string_lossy().into_owned());
    let ends = |name: &String| name.strip_suffix("_testee.js").map(|stem| format!("{stem}.js"));
    names.filter_map(|name| ends(&name)).next().expect("there is a testee")
}

/// The same with arguments.
pub fn node_with(folder: &Path, script: &str, args: &[&str]) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/js").join(script);
    fs::copy(source, folder.join(script)).expect("the script can be copied");
    let output = Command::new("node").arg(folder.join(script)).args(args).output().expect("node starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
