//! The error corpus: one mistake a file in `conformance/errors/sbe`, the exact diagnostic beside it.
//! `UPDATE_GOLDEN=1` rewrites the expectations.

mod common;

use aldis_plan::{Compilation, Format};
use aldis_sbe::{CODES, SBE};
use common::{compile_file, conformance, rendered, Memory};
use std::collections::BTreeSet;

const FOLDER: &str = "errors/sbe";

fn corpus() -> Vec<String> {
    let entries = std::fs::read_dir(conformance(FOLDER)).expect("the corpus is there");
    let names = entries.map(|e| e.expect("a readable folder").file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|n| n.ends_with(".xml")).collect();
    names.sort();
    names
}

fn compiled() -> Vec<(String, Compilation)> {
    corpus().into_iter().map(|name| (name.clone(), compile_file(FOLDER, &name))).collect()
}

#[test]
fn every_mistake_is_shown_as_expected() {
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    let mut wrong = Vec::new();
    let all = compiled();
    assert!(all.len() >= 85, "the corpus has {} files", all.len());
    for (name, compilation) in all {
        let shown = rendered(&compilation.diagnostics, &compilation.sources) + "\n";
        let golden = conformance(FOLDER).join(name.replace(".xml", ".stderr"));
        if update {
            std::fs::write(&golden, shown).expect("a writable golden");
        } else if std::fs::read_to_string(&golden).unwrap_or_default() != shown {
            wrong.push(format!("{name}:\n{shown}"));
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn one_mistake_is_one_diagnostic_with_its_mend() {
    for (name, compilation) in compiled() {
        let [diagnostic] = compilation.diagnostics.as_slice() else {
            panic!("{name} has {} diagnostics", compilation.diagnostics.len());
        };
        assert!(!diagnostic.help.is_empty(), "{name} tells no mend");
        assert!(!diagnostic.labels.is_empty(), "{name} shows no place");
        assert_eq!(compilation.plans.is_empty(), diagnostic.is_error(), "{name}");
    }
}

#[test]
fn every_code_has_a_file() {
    let shown: BTreeSet<&str> = compiled().iter().flat_map(|(_, c)| c.diagnostics.iter().map(|d| d.code)).collect();
    let silent: Vec<&str> = CODES.iter().map(|c| c.code).filter(|code| !shown.contains(code)).collect();
    let without_file = ["sbe/E0001", "sbe/E0060"];
    assert_eq!(silent, without_file, "a file that cannot be read has none, nor has a wrong hint");
}

/// Codes that no diagnostic has any more; their numbers stay free.
const RETIRED: [&str; 2] = ["E0052", "W0016"];

#[test]
fn codes_are_numbered_without_gaps() {
    for kind in ["E", "W"] {
        let numbers: Vec<&str> = CODES.iter().filter_map(|c| c.code.strip_prefix("sbe/")?.strip_prefix(kind)).collect();
        let retired: Vec<&str> = RETIRED.iter().filter_map(|code| code.strip_prefix(kind)).collect();
        let all = (1..=numbers.len() + retired.len()).map(|n| format!("{n:04}"));
        let expected: Vec<String> = all.filter(|number| !retired.contains(&number.as_str())).collect();
        assert_eq!(numbers, expected);
    }
}

#[test]
fn a_file_that_cannot_be_read_is_an_error() {
    let compilation = SBE.compile("nowhere.xml", &Memory::default());
    assert_eq!(compilation.diagnostics.len(), 1);
    assert_eq!(compilation.diagnostics[0].code, "sbe/E0001");
    assert!(compilation.plans.is_empty());
}
