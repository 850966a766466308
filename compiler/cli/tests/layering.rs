//! The layering that ARCHITECTURE.md describes, as law.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_owned()
}

/// A crate's place in the house, from its folder.
fn layer(folder: &str) -> &str {
    let parts: Vec<&str> = folder.split('/').collect();
    match parts.as_slice() {
        ["compiler", "formats", _] => "format",
        // Codecs of Elixir are the functions of those of Erlang in another syntax.
        ["compiler", "languages", "elixir"] => "language on Erlang",
        ["compiler", "languages", "erlang"] => "Erlang",
        // Their codecs are printed from routines.
        ["compiler", "languages", "csharp" | "java" | "javascript"] => "language of classes",
        ["compiler", "languages", "python"] => "language on routines",
        ["compiler", "languages", _] => "language",
        ["compiler", core] => core,
        ["runtime", "rust"] => "transport",
        ["runtime", "log"] => "log",
        ["runtime", "python-native"] => "engine for Python",
        ["conformance", _] => "conformance",
        ["fuzz"] => "fuzz",
        _ => panic!("the layering knows no folder {folder}: say in this test what may depend on it"),
    }
}

/// The layers that a layer's library may build on.
fn allowed(layer: &str) -> &'static [&'static str] {
    match layer {
        "diagnostics" => &[],
        "template" | "transport" | "log" | "captures" => &[],
        "schema" | "text" | "project" => &["diagnostics"],
        "fmt" => &["diagnostics", "text"],
        "plan" => &["diagnostics", "schema"],
        "interpreter" | "emit" | "lint" | "doc" => &["diagnostics", "schema", "plan"],
        "format" => &["diagnostics", "schema", "plan", "text", "fmt"],
        "routine" => &["schema", "plan"],
        "columns" => &["schema", "plan", "interpreter"],
        "playground" => &[
            "diagnostics",
            "schema",
            "plan",
            "interpreter",
            "evolution",
            "emit",
            "format",
            "language",
            "Erlang",
            "language on Erlang",
            "language on routines",
            "language of classes",
        ],
        "evolution" => &["diagnostics", "schema", "plan", "interpreter"],
        "lsp" => &["diagnostics", "schema", "plan", "lint"],
        "language" | "Erlang" => &["diagnostics", "schema", "plan", "emit", "template"],
        "language on routines" => &["diagnostics", "schema", "plan", "routine", "emit"],
        "classes" => &["schema", "plan", "routine", "emit"],
        "language of classes" => &["diagnostics", "schema", "plan", "routine", "emit", "classes"],
        "language on Erlang" => &["diagnostics", "schema", "plan", "emit", "Erlang"],
        "engine for Python" => &["diagnostics", "schema", "plan", "interpreter", "routine", "columns", "cli"],
        "conformance" => &["diagnostics", "schema", "plan", "interpreter", "emit", "format"],
        "fuzz" => &["diagnostics", "schema", "plan", "interpreter", "format", "transport", "captures", "columns"],
        "cli" => &[
            "diagnostics",
            "schema",
            "plan",
            "interpreter",
            "routine",
            "evolution",
            "captures",
            "columns",
            "lint",
            "project",
            "lsp",
            "doc",
            "fmt",
            "emit",
            "format",
            "language",
            "Erlang",
            "language on Erlang",
            "language on routines",
            "language of classes",
            "transport",
            "log",
        ],
        other => panic!("no rule for {other}"),
    }
}

/// Every crate of the workspace with its folder and the folders of those that its library depends on.
fn crates() -> Vec<(String, Vec<String>)> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let folder = |path: &str| {
        let path = Path::new(path).strip_prefix(root()).unwrap();
        path.to_string_lossy().trim_end_matches("/Cargo.toml").to_owned()
    };
    let packages = metadata["packages"].as_array().unwrap();
    packages
        .iter()
        .map(|package| {
            let dependencies = package["dependencies"].as_array().unwrap();
            let ours =
                dependencies.iter().filter(|d| d["kind"].as_str() != Some("dev")).filter_map(|d| d["path"].as_str());
            (folder(package["manifest_path"].as_str().unwrap()), ours.map(folder).collect())
        })
        .collect()
}

#[test]
fn no_crate_knows_more_than_its_layer_may() {
    let crates = crates();
    assert!(crates.len() >= 9, "{crates:?}");
    for (folder, dependencies) in crates {
        for dependency in dependencies {
            assert!(
                allowed(layer(&folder)).contains(&layer(&dependency)),
                "{folder} ({}) must not depend on {dependency} ({})",
                layer(&folder),
                layer(&dependency)
            );
        }
    }
}

#[test]
fn the_playground_has_every_format_and_language() {
    let crates = crates();
    let (_, known) = crates.iter().find(|(folder, _)| folder == "compiler/playground").unwrap();
    let wanted = crates
        .iter()
        .map(|(folder, _)| folder)
        .filter(|folder| folder.starts_with("compiler/formats/") || folder.starts_with("compiler/languages/"));
    for folder in wanted {
        assert!(known.contains(folder), "compiler/playground does without {folder}");
    }
}

/// Files in a folder and those in it whose names end so.
fn sources(folder: &Path, endings: &[&str], found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, endings, found);
        } else if endings.iter().any(|ending| path.to_string_lossy().ends_with(ending)) {
            found.push(path);
        }
    }
}

#[test]
fn only_the_output_module_prints() {
    let printing = ["println!", "print!(", "io::stdout", "io::stderr", "process::exit"];
    let mut files = Vec::new();
    for (folder, _) in crates().iter().filter(|(folder, _)| folder.starts_with("compiler/")) {
        sources(&root().join(folder).join("src"), &[".rs"], &mut files);
    }
    assert!(files.len() > 50);
    for file in files.iter().filter(|file| !file.ends_with("cli/src/output.rs")) {
        let text = fs::read_to_string(file).unwrap();
        for word in printing {
            assert!(!text.contains(word), "{} has {word}; only cli/src/output.rs prints", file.display());
        }
    }
}

#[test]
fn files_stay_small() {
    let mut files = Vec::new();
    sources(&root().join("compiler"), &[".rs"], &mut files);
    sources(&root().join("runtime/cpp/include"), &[".hpp"], &mut files);
    for package in ["codec", "etf", "transport"] {
        sources(&root().join("runtime/javascript").join(package).join("src"), &[".js", ".ts"], &mut files);
    }
    for file in files {
        let lines = fs::read_to_string(&file).unwrap().lines().count();
        assert!(lines <= 600, "{} has {lines} lines; split it by topic", file.display());
    }
}
