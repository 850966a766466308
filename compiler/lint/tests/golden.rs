//! For each rule a schema that it speaks about, with its words, and one that no rule speaks about. `UPDATE_GOLDEN=1` writes
//! the words anew.

use aldis_diagnostics::{render, Style};
use aldis_lint::{codes, lint, Keywords};
use aldis_testkit::plans;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

const WORDS: Keywords<'static> = Keywords { language: "cpp", words: &["class", "namespace"], of_types: &["class"] };

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/lint")
}

/// The schemas of the folder.
fn schemas(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "fbe" || extension == "xml"));
    paths.sort();
    paths
}

/// The rules that speak about the schema, and their words.
fn said(path: &Path) -> (BTreeSet<&'static str>, String) {
    let plans = plans(path.to_str().unwrap());
    let mut sources = aldis_diagnostics::Sources::default();
    sources.add(path.file_name().unwrap().to_string_lossy(), fs::read_to_string(path).unwrap());
    let advice = lint(&plans[0], &[WORDS]);
    let words: Vec<String> = advice.iter().map(|given| render(given, &sources, Style::Plain) + "\n").collect();
    (advice.iter().map(|given| given.code).collect(), words.join("\n"))
}

#[test]
fn every_rule_has_its_words() {
    let mut seen = BTreeSet::new();
    for path in schemas(&folder()) {
        let (rules, words) = said(&path);
        let name = path.file_stem().unwrap().to_string_lossy().replacen('-', "/", 1);
        assert_eq!(rules.iter().copied().collect::<Vec<_>>(), [name.as_str()], "{words}");
        seen.extend(rules);
        let golden = path.with_extension("stdout");
        if env::var_os("UPDATE_GOLDEN").is_some() {
            fs::write(&golden, &words).unwrap();
        }
        assert_eq!(words, fs::read_to_string(&golden).unwrap_or_default(), "{}", path.display());
    }
    assert_eq!(seen, codes::TABLE.iter().map(|rule| rule.code).collect());
}

#[test]
fn no_rule_speaks_about_good_schemas() {
    let good = schemas(&folder().join("good"));
    assert_eq!(good.len(), codes::TABLE.len());
    for path in good {
        assert_eq!(said(&path).1, "", "{}", path.display());
    }
}
