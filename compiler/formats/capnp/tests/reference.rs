//! The text front end makes of a schema the request that the reference's compiler makes of it.

mod support;

use aldis_capnp::model::{Model, NodeKind};
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
        let found = read(&folder, &name);
        assert_eq!(difference(&found, &expected), None, "{name}");
        assert_eq!(docs(&found), docs(&expected), "{name}");
    }
}

/// The documentation of everything but the standard files, whose words are our own.
fn docs(model: &Model) -> Vec<(&str, &str)> {
    let mut docs = Vec::new();
    for node in model.nodes.values().filter(|node| !node.display_name.starts_with("capnp/")) {
        docs.push((node.display_name.as_str(), node.doc.as_str()));
        match &node.kind {
            NodeKind::Struct(inner) => docs.extend(inner.fields.iter().map(|f| (f.name.as_str(), f.doc.as_str()))),
            NodeKind::Enum(list) => docs.extend(list.iter().map(|e| (e.name.as_str(), e.doc.as_str()))),
            NodeKind::Interface(inner) => docs.extend(inner.methods.iter().map(|m| (m.name.as_str(), m.doc.as_str()))),
            _ => {}
        }
    }
    docs
}
