//! The error corpus: one mistake a file, the exact words beside it. `UPDATE_GOLDEN=1` writes them anew.

mod support;

use aldis_fbe::{codes, FBE};
use aldis_plan::Format;
use std::collections::BTreeSet;
use support::{conformance, rendered, Folder};

/// Codes that no file of the corpus can have; see `limits.rs`.
const ELSEWHERE: [&str; 5] =
    [codes::UNREADABLE, codes::TOO_MANY, codes::TOO_MANY_WARNINGS, codes::INHERITED_FIELDS, codes::LONG_CHAIN];

fn corpus() -> Vec<String> {
    let names = std::fs::read_dir(conformance("errors/fbe")).unwrap().map(|e| e.unwrap().file_name());
    let mut names: Vec<String> = names.filter_map(|name| name.into_string().ok()).collect();
    names.retain(|name| name.ends_with(".fbe"));
    names.sort();
    names
}

#[test]
fn every_mistake_has_its_words() {
    let folder = conformance("errors/fbe");
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    let mut wrong = Vec::new();
    for name in corpus() {
        let compilation = FBE.compile(&name, &Folder(folder.clone()));
        let found = rendered(&compilation) + "\n";
        let golden = folder.join(&name).with_extension("stderr");
        if update {
            std::fs::write(&golden, &found).unwrap();
        }
        let expected = std::fs::read_to_string(&golden).unwrap_or_default();
        if found != expected {
            wrong.push(format!("{name}\n--- expected\n{expected}--- found\n{found}"));
        }
        let is_warning = name.starts_with("warning_");
        assert_eq!(compilation.plans.is_empty(), !is_warning, "{name}: plans come with warnings, not with errors");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A mistake that drags others behind it hides the one that matters.
#[test]
fn one_mistake_is_one_diagnostic() {
    let folder = conformance("errors/fbe");
    assert!(corpus().len() >= 65);
    let mut wrong = Vec::new();
    for name in corpus() {
        let compilation = FBE.compile(&name, &Folder(folder.clone()));
        match compilation.diagnostics.as_slice() {
            [problem] if !problem.labels.is_empty() && !problem.help.is_empty() => {}
            _ => wrong.push(format!("{name}:\n{}", rendered(&compilation))),
        }
    }
    assert!(wrong.is_empty(), "not one, or without place or help:\n{}", wrong.join("\n\n"));
}

#[test]
fn every_code_is_in_the_corpus() {
    let folder = conformance("errors/fbe");
    let compilations = corpus().into_iter().map(|name| FBE.compile(&name, &Folder(folder.clone())));
    let seen: BTreeSet<&str> = compilations.flat_map(|c| support::codes(&c)).chain(ELSEWHERE).collect();
    let known: BTreeSet<&str> = codes::TABLE.iter().map(|row| row.code).collect();
    assert_eq!(seen, known);
}
