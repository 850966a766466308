//! The messages that `bench/beam` measures are read and written the short way, whatever values they have.

mod common;

use aldis_diagnostics::any_error;
use common::{generate, plans, request, root, stem};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The files with an extension in a folder of the repository.
fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join(folder)).unwrap_or_else(|error| panic!("{folder}: {error}"));
    let paths = entries.map(|entry| entry.expect("it can be listed").path());
    let mut found: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|ext| ext == extension)).collect();
    found.sort();
    found
}

/// The codecs of all schemas that are measured, the peers, and what lists them, compiled.
fn compiled() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("short-way");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder for the codecs");
    let mut schemas = vec![
        root().join("conformance/vectors/fbe/proto.fbe"),
        root().join("conformance/schemas/addressbook.capnp"),
        root().join("compiler/languages/erlang/tests/schemas/short_way.capnp"),
        root().join("compiler/languages/erlang/tests/schemas/null_floats.xml"),
    ];
    ["xml", "fbe", "capnp"].iter().for_each(|extension| schemas.extend(files("bench/beam/schemas", extension)));
    let mut sources = Vec::new();
    for schema in schemas {
        let path = schema.to_string_lossy();
        let plans = plans(&path);
        let mut request = request(&plans);
        request.stem = stem(&path);
        let generated = generate(&request);
        assert!(!any_error(&generated.diagnostics), "{path}: {:?}", generated.diagnostics);
        for file in &generated.files {
            fs::write(folder.join(&file.path), &file.text).expect("generated files can be written");
            sources.extend(file.path.ends_with(".erl").then(|| folder.join(&file.path)));
            if path.ends_with(".capnp") && file.path.ends_with(".erl") {
                let careful = folder.join(file.path.replacen(&request.stem, &format!("{}_careful", request.stem), 1));
                fs::write(&careful, careful_text(&request.stem, &file.text)).expect("generated files can be written");
                sources.push(careful);
            }
        }
    }
    sources.extend(files("runtime/erlang/src", "erl"));
    sources.extend(files("bench/peers/beam", "erl").into_iter().filter(|peer| !peer.ends_with("mktdata_peer.erl")));
    sources.extend(["beam_messages", "untuned_values"].map(|name| root().join(format!("bench/beam/{name}.erl"))));
    sources.push(root().join("compiler/languages/erlang/tests/erlang/short_way_check.erl"));
    let status = Command::new("erlc").arg("-I").arg(&folder).arg("-o").arg(&folder).args(sources).status();
    assert!(status.expect("erlc starts").success());
    folder
}

/// A codec of Cap'n Proto with the long way alone: the short one matches no message of less than 2^32 segments.
fn careful_text(stem: &str, text: &str) -> String {
    let text = text
        .replace(&format!("-module({stem}"), &format!("-compile(nowarn_unused_function).\n-module({stem}_careful"))
        .replace(&format!("{stem}:"), &format!("{stem}_careful:"))
        .replace(&format!("{stem}_view:"), &format!("{stem}_careful_view:"))
        .replace(&format!("{stem}_json:"), &format!("{stem}_careful_json:"));
    let text = text.replace("0:32, ", "16#ffffffff:32, ");
    let mut parts = text.split("aldis_direct:decode(");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        let (_, long) = part.split_once(", ").expect("the long way's reader");
        format!("{text}aldis_message:decode(framed, {}", long)
    })
}

/// The output of `short_way_check`.
fn counted(function: &str, folder: &Path) -> u64 {
    let output = Command::new("erl")
        .args(["-noinput", "-eval", &format!("short_way_check:{function}().")])
        .current_dir(folder)
        .output()
        .expect("erl starts");
    let said = String::from_utf8_lossy(&output.stdout);
    let calls = said.trim().parse().ok().filter(|_| output.status.success());
    calls.unwrap_or_else(|| panic!("{said}{}", String::from_utf8_lossy(&output.stderr)))
}

/// The messages that are measured take the short way, and both ways answer the same for messages that are damaged.
#[test]
fn the_short_way_is_taken_and_right() {
    let folder = compiled();
    assert!(counted("main", &folder) > 2000);
    assert!(counted("damaged", &folder) > 100_000);
}
