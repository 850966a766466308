//! What the text front end makes of a schema is what the reference's compiler says of it.

mod support;

use aldis_capnp::model::Model;
use aldis_capnp::{request, text};
use aldis_diagnostics::{render, Style};
use std::path::Path;
use std::process::Command;
use support::same::difference;
use support::{conformance, Disk};

fn read(folder: &Path, name: &str) -> Model {
    let reading = text::read(name, &Disk(folder.to_owned()));
    let problems = reading.diagnostics.iter().map(|d| render(d, &reading.sources, Style::Plain));
    let problems: Vec<String> = problems.collect();
    reading.model.unwrap_or_else(|| panic!("{}", problems.join("\n\n")))
}

#[test]
fn golden_requests_and_their_schemas_give_one_model() {
    let vectors = conformance("vectors/capnp");
    for name in ["edge", "evolve", "layout"] {
        let found = read(&vectors.join("schema"), &format!("{name}.capnp"));
        for version in [".092", ""] {
            let bytes = std::fs::read(vectors.join(format!("cgr/{name}{version}.cgr"))).unwrap();
            let expected = request::read(&bytes).unwrap();
            assert_eq!(difference(&found, &expected), None, "{name}{version}");
        }
    }
}

/// Our own schemas, which hold what is odd, through the `capnp` that is installed.
#[test]
fn odd_schemas_are_read_as_the_installed_compiler_reads_them() {
    let folder = conformance("schemas/capnp");
    let mut names: Vec<String> =
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| name.ends_with(".capnp"));
    assert!(!names.is_empty());
    names.sort();
    for name in names {
        let output = Command::new("capnp")
            .current_dir(&folder)
            .env("CAPNP_IGNORE_ISSUE_344", "1")
            .args(["compile", "-Iimports", "-o-", &name])
            .output()
            .unwrap();
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        let expected = request::read(&output.stdout).unwrap();
        assert_eq!(difference(&read(&folder, &name), &expected), None, "{name}");
    }
}
