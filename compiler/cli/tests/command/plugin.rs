//! `capnp compile -oaldis-LANG`: the command under the name of a plugin.

use super::{aldis, root, Folder};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const SCHEMA: &str = "conformance/vectors/capnp/schema/edge.capnp";

/// The command under another name.
fn renamed(folder: &Folder, name: &str) -> String {
    let path = folder.path(name);
    fs::hard_link(env!("CARGO_BIN_EXE_aldis"), &path)
        .or_else(|_| fs::copy(env!("CARGO_BIN_EXE_aldis"), &path).map(drop))
        .unwrap();
    path
}

/// Runs it in `folder` with a request.
fn run(plugin: &str, folder: &Folder, request: &[u8]) -> Output {
    run_with(plugin, folder, request, "")
}

/// The same with options.
fn run_with(plugin: &str, folder: &Folder, request: &[u8], options: &str) -> Output {
    let mut command = Command::new(plugin);
    command
        .env("ALDIS_OPTIONS", options)
        .current_dir(&folder.0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // One that fails early does not read its input.
    let _ = child.stdin.take().unwrap().write_all(request);
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// The files of a folder, and of those in it, and what is in them.
fn contents(folder: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for path in fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()) {
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() {
            let inner = contents(path.to_str().unwrap());
            found.extend(inner.into_iter().map(|(file, text)| (format!("{name}/{file}"), text)));
        } else {
            found.insert(name.to_owned(), fs::read_to_string(&path).unwrap());
        }
    }
    found
}

#[test]
fn the_compiler_runs_it_and_it_writes_what_gen_writes() {
    let folder = Folder::new("plugin");
    let plugin = renamed(&folder, "capnpc-aldis-erlang");
    let (by_plugin, by_gen) = (folder.path("plugin"), folder.path("gen"));
    fs::create_dir(&by_plugin).unwrap();
    let compiler = Command::new("capnp")
        .args(["compile", &format!("-o{plugin}:{by_plugin}"), "edge.capnp"])
        .current_dir(root().join(SCHEMA).parent().unwrap())
        .env_remove("PWD")
        .output()
        .unwrap();
    let run = aldis(&["gen", SCHEMA, "--lang", "erlang", "--out", &by_gen]);
    // A language does the same with a schema both ways.
    assert_eq!(compiler.status.success(), run.code == 0, "{}{}", text(&compiler.stderr), run.err);
    assert_eq!(contents(&by_plugin), contents(&by_gen));
    if run.code != 0 {
        let code = run.err.split(']').next().unwrap();
        assert!(text(&compiler.stderr).contains(code), "{}", text(&compiler.stderr));
    }
}

/// The files without empty lines and those that hold the digest of the schema's text: a request has no text.
fn without_guards(files: BTreeMap<String, String>) -> BTreeMap<String, String> {
    let is_guard = |line: &&str| line.starts_with("#ifndef ALDIS_") || line.starts_with("#define ALDIS_");
    let is_kept = |line: &&str| !line.is_empty() && !is_guard(line);
    let kept = |text: String| text.lines().filter(is_kept).collect::<Vec<_>>().join("\n");
    files.into_iter().map(|(name, text)| (name, kept(text))).collect()
}

#[test]
fn its_options_are_those_of_gen() {
    let folder = Folder::new("plugin-options");
    let plugin = renamed(&folder, "capnpc-aldis-cpp");
    let request = fs::read(root().join("conformance/vectors/capnp/cgr/edge.cgr")).unwrap();
    let (by_plugin, by_gen) = (Folder::new("plugin-options-out"), folder.path("gen"));
    let made = run_with(&plugin, &by_plugin, &request, "allocator=pmr, strict_text");
    assert!(made.status.success(), "{}", text(&made.stderr));
    let run = aldis(&[
        "gen",
        SCHEMA,
        "--lang",
        "cpp",
        "--out",
        &by_gen,
        "--option",
        "allocator=pmr",
        "--option",
        "strict_text",
    ]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(without_guards(contents(&by_plugin.path(""))), without_guards(contents(&by_gen)));
    for (options, wanted) in [
        ("allocator=none", "ALDIS_OPTIONS: `allocator=none` is no option of cpp: there are allocator=std"),
        ("allocator=", "ALDIS_OPTIONS: `allocator=`: write it as allocator=pmr"),
    ] {
        let refused = run_with(&plugin, &by_plugin, &request, options);
        assert_eq!(refused.status.code(), Some(2));
        assert!(text(&refused.stderr).contains(wanted), "{}", text(&refused.stderr));
    }
}

#[test]
fn it_says_what_is_wrong() {
    let folder = Folder::new("plugin-wrong");
    let plugin = renamed(&folder, "capnpc-aldis");
    let request = fs::read(root().join("conformance/vectors/capnp/cgr/edge.cgr")).unwrap();
    let damaged = run(&plugin, &folder, &request[..100]);
    assert_eq!(damaged.status.code(), Some(1));
    assert!(text(&damaged.stderr).starts_with("error: code generator request, byte 100:"), "{}", text(&damaged.stderr));
    let empty = run(&plugin, &folder, b"");
    assert_eq!(empty.status.code(), Some(2));
    assert!(text(&empty.stderr).contains("capnp compile -oaldis-erlang"), "{}", text(&empty.stderr));
    let unknown = run(&renamed(&folder, "capnpc-aldis-klingon"), &folder, &request);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(text(&unknown.stderr).contains("there is no language `klingon`"), "{}", text(&unknown.stderr));
    assert!(!Path::new(&folder.path("edge.erl")).exists());
}
