//! The error corpus: one mistake a file, the exact words beside it. `UPDATE_GOLDEN=1` writes them anew.

mod support;

use aldis_capnp::{codes, text, CAPNP};
use aldis_plan::{Compilation, Format};
use std::collections::BTreeSet;
use support::{codes_of, conformance, rendered, Disk};

/// Codes that no file of the corpus can have; see `limits.rs`.
const ELSEWHERE: [&str; 5] =
    [codes::UNREADABLE, codes::STRUCT_TOO_LARGE, codes::VALUES_TOO_LARGE, codes::TOO_MANY, codes::STRUCT_CHAIN];

fn corpus() -> Vec<String> {
    let names = std::fs::read_dir(conformance("errors/capnp")).unwrap().map(|e| e.unwrap().file_name());
    let mut names: Vec<String> = names.filter_map(|name| name.into_string().ok()).collect();
    names.retain(|name| name.ends_with(".capnp"));
    names.sort();
    names
}

/// The problems of a file on its way to plans; there is no model where it has any.
fn read(name: &str) -> text::Reading {
    let files = Disk(conformance("errors/capnp"));
    let Compilation { sources, diagnostics, plans } = CAPNP.compile(name, &files);
    let model = text::read(name, &files).model.filter(|_| !plans.is_empty());
    text::Reading { sources, diagnostics, model, modules: Vec::new() }
}

#[test]
fn every_mistake_has_its_words() {
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    let mut wrong = Vec::new();
    for name in corpus() {
        let reading = read(&name);
        let found = rendered(&reading) + "\n";
        let golden = conformance("errors/capnp").join(&name).with_extension("stderr");
        if update {
            std::fs::write(&golden, &found).unwrap();
        }
        let expected = std::fs::read_to_string(&golden).unwrap_or_default();
        if found != expected {
            wrong.push(format!("{name}\n--- expected\n{expected}--- found\n{found}"));
        }
        assert!(reading.model.is_none(), "{name}: a model in spite of an error");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A mistake that drags others behind it hides the one that matters.
#[test]
fn one_mistake_is_one_diagnostic() {
    assert!(corpus().len() >= 120);
    let mut wrong = Vec::new();
    for name in corpus() {
        let reading = read(&name);
        match reading.diagnostics.as_slice() {
            [problem] if !problem.labels.is_empty() && !problem.help.is_empty() => {}
            _ => wrong.push(format!("{name}:\n{}", rendered(&reading))),
        }
    }
    assert!(wrong.is_empty(), "not one, or without place or help:\n{}", wrong.join("\n\n"));
}

#[test]
fn every_code_is_in_the_corpus() {
    let readings: Vec<text::Reading> = corpus().iter().map(|name| read(name)).collect();
    let seen: BTreeSet<&str> = readings.iter().flat_map(codes_of).chain(ELSEWHERE).collect();
    let known: BTreeSet<&str> = codes::TABLE.iter().map(|row| row.code).collect();
    assert_eq!(seen, known);
}
