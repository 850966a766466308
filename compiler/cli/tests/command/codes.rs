//! The page of all codes, `aldis explain-code`, completions and manual pages.

use super::{aldis, good, root, Folder};
use aldis_diagnostics::Code;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const TABLES: [&[Code]; 15] = [
    aldis_fbe::codes::TABLE,
    aldis_sbe::CODES,
    aldis_capnp::codes::TABLE,
    aldis_evolution::codes::TABLE,
    aldis_lint::codes::TABLE,
    aldis_fmt::codes::TABLE,
    aldis_project::codes::TABLE,
    aldis_erlang::codes::TABLE,
    aldis_elixir::codes::TABLE,
    aldis_cpp::codes::TABLE,
    aldis_csharp::codes::TABLE,
    aldis_java::codes::TABLE,
    aldis_javascript::codes::TABLE,
    aldis_python::codes::TABLE,
    aldis_wireshark::codes::TABLE,
];

/// The diagnostics of the mistakes in the corpus.
fn corpus() -> Vec<String> {
    let folders = ["errors/fbe", "errors/sbe", "errors/capnp", "errors/project", "lint"]
        .map(|name| root().join("conformance").join(name));
    let mut files: Vec<PathBuf> = Vec::new();
    for folder in folders {
        files.extend(fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()));
    }
    files.retain(|path| path.extension().is_some_and(|extension| extension == "stderr" || extension == "stdout"));
    files.sort();
    files.into_iter().map(|path| fs::read_to_string(path).unwrap()).collect()
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().collect::<String>()).unwrap_or_default() + letters.as_str() + "."
}

fn page() -> String {
    let corpus = corpus();
    let mut page = "# Codes\nEach problem that Aldis reports has a code; `aldis explain-code CODE` shows its section. The tests write this page\nfrom the code and from the corpus of mistakes in `conformance/errors` and `conformance/lint`.\n".to_owned();
    for code in TABLES.into_iter().flatten() {
        let head = format!("[{}]", code.code);
        let examples = corpus.iter().filter(|text| text.lines().next().is_some_and(|line| line.contains(&head)));
        let example = examples.min_by_key(|text| (text.matches(&head).count(), text.len()));
        page += &format!("\n## {}\n{}\n\n{}\n", code.code, sentence(code.meaning), sentence(code.mend));
        if let Some(example) = example {
            page += &format!("\n```\n{}\n```\n", example.trim_end());
        }
    }
    page
}

#[test]
fn the_page_of_codes_is_up_to_date() {
    let (path, page) = (root().join("docs/CODES.md"), page());
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, &page).unwrap();
    }
    let known = fs::read_to_string(&path).unwrap_or_default();
    assert!(known == page, "docs/CODES.md is not what the code says; UPDATE_GOLDEN=1 writes it");
}

#[test]
fn codes_ascend_and_the_readme_of_a_format_has_a_row_for_each() {
    for (format, table) in ["fbe", "sbe", "capnp"].into_iter().zip(TABLES) {
        assert!(table.windows(2).all(|pair| pair[0].code < pair[1].code), "{format}");
        let readme = fs::read_to_string(root().join("compiler/formats").join(format).join("README.md")).unwrap();
        for row in table {
            let line = format!("| {} | {} | {} |", row.code, row.meaning, row.mend);
            assert!(readme.contains(&line), "{format}: README.md lacks the line\n{line}");
        }
    }
}

fn sources(folder: &Path, found: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => sources(&path, found),
            false => *found += &fs::read_to_string(&path).unwrap_or_default(),
        }
    }
}

/// A code that is only written where it is reported would have no page.
#[test]
fn every_code_of_a_language_is_in_its_table() {
    for name in ["erlang", "elixir", "cpp", "csharp", "java", "javascript", "python", "wireshark"] {
        let mut text = String::new();
        sources(&root().join("compiler/languages").join(name).join("src"), &mut text);
        let begin = format!("\"{name}/");
        let pieces = text.split(begin.as_str()).skip(1);
        let found: Vec<&str> =
            pieces.filter_map(|rest| rest.split('"').next()).filter(|code| code.len() == 5).collect();
        let unique: BTreeSet<&&str> = found.iter().collect();
        assert!(!found.is_empty() && unique.len() == found.len(), "{name}: {found:?}");
    }
}

#[test]
fn a_code_is_explained() {
    let text = String::from_utf8(good(&["explain-code", "fbe/E0027"], b"")).unwrap();
    assert!(text.starts_with("fbe/E0027: ") && text.contains("error[fbe/E0027]") && text.contains("help"), "{text}");
    assert_eq!(good(&["explain-code", "error[FBE/e0027]"], b""), text.as_bytes());
    let all = String::from_utf8(good(&["explain-code"], b"")).unwrap();
    assert!(all.lines().count() > 150 && all.contains("evolution/E0001  A field was added.\n"), "{all}");
    let wrong = aldis(&["explain-code", "fbe/E9027"]);
    assert!(wrong.code == 2 && wrong.err.contains("did you mean fbe/E"), "{}", wrong.err);
}

#[test]
fn shells_and_man_know_the_subcommands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = String::from_utf8(good(&["completions", shell], b"")).unwrap();
        assert!(script.contains("breaking") && script.contains("against"), "{shell}");
    }
    let folder = Folder::new("man");
    good(&["man", "--out", &folder.path("man1")], b"");
    let page = fs::read_to_string(folder.path("man1/aldis-breaking.1")).unwrap();
    assert!(page.contains("against") && page.contains("Examples"), "{page}");
    assert!(fs::read_to_string(folder.path("man1/aldis.1")).unwrap().contains("aldis\\-breaking"));
}
