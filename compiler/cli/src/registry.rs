//! Every format and every language, one explicit line each.

use crate::failure::{Failure, Outcome};
use aldis_emit::Language;
use aldis_lint::{Keywords, OTHERS};
use aldis_plan::Format;

/// Schema languages, one folder each in `compiler/formats`.
pub const FORMATS: &[&dyn Format] = &[
    &aldis_fbe::FBE, //
    &aldis_sbe::SBE,
    &aldis_capnp::CAPNP,
];

/// Target languages, one folder each in `compiler/languages`.
pub const LANGUAGES: &[&dyn Language] = &[
    &aldis_erlang::ERLANG, //
    &aldis_cpp::CPP,
    &aldis_elixir::ELIXIR,
    &aldis_javascript::JAVASCRIPT,
    &aldis_csharp::CSHARP,
    &aldis_java::JAVA,
    &aldis_python::PYTHON,
    &aldis_wireshark::WIRESHARK,
];

/// The words that a schema had better not use, by language.
pub fn keywords() -> Vec<Keywords<'static>> {
    let of = |language: &&'static dyn Language| Keywords {
        language: language.name(),
        words: language.keywords(),
        of_types: language.type_keywords(),
    };
    let mut keywords: Vec<Keywords<'_>> = LANGUAGES.iter().map(of).collect();
    let is_known = |name| LANGUAGES.iter().any(|language| language.name() == name && !language.keywords().is_empty());
    keywords.extend(OTHERS.into_iter().filter(|other| !is_known(other.language)));
    keywords
}

/// The format that `--format NAME` means.
pub fn format(name: &str) -> Option<&'static dyn Format> {
    FORMATS.iter().copied().find(|format| format.name() == name)
}

/// The language that `--lang NAME` means.
pub fn language(name: &str) -> Option<&'static dyn Language> {
    LANGUAGES.iter().copied().find(|language| language.name() == name)
}

/// As [`language`], with what there is where there is no such language.
pub fn language_or_usage(name: &str) -> Outcome<&'static dyn Language> {
    language(name).ok_or_else(|| {
        let known: Vec<&str> = LANGUAGES.iter().map(|language| language.name()).collect();
        Failure::Usage(format!("there is no language `{name}`; there are {}, interpreter", known.join(", ")))
    })
}

#[cfg(test)]
mod tests {
    use super::{FORMATS, LANGUAGES};
    use crate::files::DiskFiles;
    use aldis_emit::{Operations, Request};
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::{Path, PathBuf};

    fn root() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_owned()
    }

    fn folders(path: &str) -> BTreeSet<String> {
        let entries = fs::read_dir(root().join(path)).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    /// Whether there is a golden message in the folder or in one within it.
    fn has_messages(folder: &Path) -> bool {
        let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        paths.into_iter().any(|path| {
            path.extension().is_some_and(|extension| extension == "bin") || path.is_dir() && has_messages(&path)
        })
    }

    #[test]
    fn every_format_folder_is_listed_and_complete() {
        let listed: BTreeSet<String> = FORMATS.iter().map(|format| format.name().to_owned()).collect();
        assert_eq!(listed, folders("compiler/formats"));
        for name in listed {
            assert!(root().join("compiler/formats").join(&name).join("README.md").is_file(), "{name}: no README.md");
            let vectors = root().join("conformance/vectors").join(&name);
            assert!(has_messages(&vectors), "{name}: no vectors");
            assert!(!folders(&format!("conformance/errors/{name}")).is_empty(), "{name}: no error corpus");
        }
    }

    #[test]
    fn every_language_folder_is_listed_and_complete() {
        let listed: BTreeSet<String> = LANGUAGES.iter().map(|language| language.name().to_owned()).collect();
        assert_eq!(listed, folders("compiler/languages"));
        let schema = root().join("conformance/schemas/market.fbe");
        let files = DiskFiles::default();
        let plans = super::format("fbe").unwrap().compile(schema.to_str().unwrap(), &files).plans;
        for language in LANGUAGES {
            let name = language.name();
            for folder in ["compiler/languages", "runtime"] {
                let page = root().join(folder).join(name).join("README.md");
                assert!(page.is_file(), "{} is missing", page.display());
            }
            let generated = language.generate(&Request {
                plans: &plans,
                name: None,
                prefix: None,
                renames: Vec::new(),
                options: Vec::new(),
                testee: true,
                stem: "market".into(),
                runtime: None,
                version: "0",
            });
            let scripts: &[&str] = if language.operations() == Operations::Showing { &[] } else { &["build", "run"] };
            for &script in scripts {
                let found = generated.files.iter().find(|file| file.path == script);
                assert!(found.is_some_and(|file| file.executable), "{name}: its testee has no `{script}`");
            }
        }
    }
}
