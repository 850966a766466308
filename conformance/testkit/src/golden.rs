//! Generated code for review.
//!
//! The schemas in `conformance/features` show one feature of the Plan each, in one wire form: a file's name begins with the
//! form's. Those of a form differ little from its `base`, and so does what is generated. The golden file of a base is whole;
//! those of the others are [`excerpt`]s, the lines that the base does not have. `digests.txt` holds every line all the same,
//! of features and of large schemas.

use crate::{plans, request, root, stem};
use aldis_diagnostics::any_error;
use aldis_emit::{Language, Request};
use aldis_plan::Plan;
use aldis_schema::digest;
use similar::{capture_diff_slices, Algorithm, DiffOp};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Lines that are shown before and after what the base does not have.
const CONTEXT: usize = 1;

/// The lines that a reviewer reads at one sitting: no golden file has as many, but those of the bases and of `LONG`.
const LONGEST: usize = 300;

/// Features that bring a record of their own with all that records have, and files for it.
const LONG: [&str; 4] = ["fbe_records", "sbe_composite", "sbe_group", "sbe_header"];

const DIGESTS: &str = "digests.txt";

/// The beginnings of the names of schemas in `conformance/features`, and the form that each stands for.
const FORMS: [(&str, &str); 4] = [("capnp", "capnp"), ("fbe", "fbe"), ("final", "fbe-final"), ("sbe", "sbe")];

/// The schemas of features, by their paths in the repository.
pub fn features() -> Vec<String> {
    let entries = fs::read_dir(root().join("conformance/features")).expect("there are features");
    let names = entries.map(|entry| entry.expect("it can be listed").file_name().to_string_lossy().into_owned());
    let mut paths: Vec<String> = names.map(|name| format!("conformance/features/{name}")).collect();
    paths.sort();
    paths
}

/// The files that a language makes of a schema in the repository, under its own name or another: pairs of path and text.
pub fn generated(language: &dyn Language, schema: &str, name: Option<&str>) -> Vec<(String, String)> {
    files(language, schema, name, &plans(schema))
}

fn files(language: &dyn Language, schema: &str, name: Option<&str>, plans: &[Plan]) -> Vec<(String, String)> {
    let name = name.map(str::to_owned);
    let generated = language.generate(&Request { stem: stem(schema), name, ..request(plans) });
    assert!(!any_error(&generated.diagnostics), "{schema}: {:?}", generated.diagnostics);
    generated.files.into_iter().map(|file| (file.path, file.text)).collect()
}

/// A language's generated code for review.
pub struct Golden<'a> {
    pub language: &'a dyn Language,
    /// Where the golden files are.
    pub folder: PathBuf,
    /// Whether a feature, by its schema's name, is shown; of the others there are digests.
    pub shown: fn(&str) -> bool,
    /// Schemas that have most in them, by their paths in the repository: there are digests of what is made of them.
    pub large: &'a [&'a str],
}

impl Golden<'_> {
    /// Compares what the language makes of the schemas with the golden files, and writes those where `UPDATE_GOLDEN` is set.
    ///
    /// # Panics
    /// When anything differs, or a golden file is too long to be read.
    pub fn check(&self) {
        let expected = self.expected();
        if env::var_os("UPDATE_GOLDEN").is_some() {
            let _ = fs::remove_dir_all(&self.folder);
            fs::create_dir_all(&self.folder).expect("the golden folder can be made");
            for (name, text) in &expected {
                fs::write(self.folder.join(name), text).expect("the golden folder can be written");
            }
        }
        let long = |(name, text): &(&String, &String)| {
            let feature = name.split('.').next().unwrap_or_default();
            let may = *name == DIGESTS || feature.ends_with("_base") || LONG.contains(&feature);
            !may && text.lines().count() >= LONGEST
        };
        let long: Vec<&String> = expected.iter().filter(long).map(|(name, _)| name).collect();
        assert!(long.is_empty(), "a feature is to be shown in less than {LONGEST} lines: {long:?}");
        let found = self.found();
        let names = found.keys().chain(expected.keys().filter(|name| !found.contains_key(*name)));
        let differing: Vec<String> = names
            .filter(|name| found.get(*name) != expected.get(*name))
            .map(|name| difference(name, found.get(name), expected.get(name)))
            .collect();
        assert!(
            differing.is_empty(),
            "generated code changed: set UPDATE_GOLDEN=1, and read what `git diff` shows\n{}",
            differing.join("\n")
        );
    }

    fn found(&self) -> BTreeMap<String, String> {
        let entries = fs::read_dir(&self.folder).expect("there is a golden folder");
        let paths = entries.map(|entry| entry.expect("it can be listed").path());
        paths
            .map(|path| (path.file_name().unwrap_or_default().to_string_lossy().into_owned(), path))
            .map(|(name, path)| (name, fs::read_to_string(path).expect("a golden file can be read")))
            .collect()
    }

    /// All files of the golden folder, by name.
    fn expected(&self) -> BTreeMap<String, String> {
        let mut golden = BTreeMap::new();
        let mut digests = String::new();
        let mut hold = |schema: &str, files: &[(String, String)]| {
            for (path, text) in files {
                let _ = writeln!(digests, "{} {:>6} lines  {schema}  {path}", digest(&[text]), text.lines().count());
            }
        };
        for (prefix, form) in FORMS {
            let features: Vec<String> = features().into_iter().filter(|path| stem(path).starts_with(prefix)).collect();
            let base = features.iter().find(|path| stem(path).ends_with("_base")).expect("each form has a base");
            let base = self.feature(base, form);
            for schema in features {
                let files = self.feature(&schema, form);
                hold(&schema, &files);
                let name = stem(&schema);
                if (self.shown)(&name) {
                    let whole = name.ends_with("_base");
                    let extension = files.last().and_then(|(path, _)| path.rsplit('.').next()).unwrap_or_default();
                    golden.insert(format!("{name}.{extension}"), page(&files, if whole { &[] } else { &base }));
                }
            }
        }
        for schema in self.large {
            hold(schema, &generated(self.language, schema, None));
        }
        golden.insert(DIGESTS.to_owned(), digests);
        golden
    }

    /// The files that are generated for a feature in its form.
    fn feature(&self, schema: &str, form: &str) -> Vec<(String, String)> {
        let plans: Vec<Plan> = plans(schema).into_iter().filter(|plan| plan.form.name == form).collect();
        files(self.language, schema, Some("feature"), &plans)
    }
}

/// The generated files of a feature on one page, each as an excerpt where the base has a file of that name.
fn page(files: &[(String, String)], base: &[(String, String)]) -> String {
    let mut page = String::new();
    for (path, text) in files {
        let comment = comment(path);
        let of_base = base.iter().find(|(other, _)| other == path);
        let shown = of_base.map_or_else(|| text.clone(), |(_, base)| excerpt(base, text, comment));
        if !shown.is_empty() {
            let _ = write!(page, "{comment} ==== {path}\n{shown}");
        }
    }
    page
}

/// Where a golden file and what is generated differ.
fn difference(name: &str, found: Option<&String>, expected: Option<&String>) -> String {
    let (Some(found), Some(expected)) = (found, expected) else {
        return format!("  {name}: {}", if found.is_some() { "of no schema" } else { "not there" });
    };
    if name == DIGESTS {
        let lines: Vec<&str> = expected.lines().filter(|line| !found.lines().any(|other| other == *line)).collect();
        return format!("  {name}:\n    {}", lines.join("\n    "));
    }
    let line = found.lines().zip(expected.lines()).position(|(a, b)| a != b);
    let line = line.unwrap_or_else(|| found.lines().count().min(expected.lines().count()));
    format!("  {name}: from line {} on", line + 1)
}

/// The beginning of a comment in a file of that name.
fn comment(path: &str) -> &'static str {
    match Path::new(path).extension().and_then(|extension| extension.to_str()) {
        Some("erl" | "hrl") => "%%",
        Some("ex" | "py") => "#",
        _ => "//",
    }
}

/// The lines that `base` does not have, with some around them; a comment stands for what is left out. The first line tells
/// which schema it is, and is left out too.
fn excerpt(base: &str, text: &str, comment: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (base.lines().skip(1).collect(), text.lines().skip(1).collect());
    let mut shown = vec![false; new.len()];
    for operation in capture_diff_slices(Algorithm::Patience, &old, &new) {
        if !matches!(operation, DiffOp::Equal { .. }) {
            let changed = operation.new_range();
            let from = changed.start.saturating_sub(CONTEXT);
            let to = (changed.end + CONTEXT).min(new.len());
            shown[from..to].fill(true);
        }
    }
    let mut out = String::new();
    for (index, line) in new.iter().enumerate().filter(|(index, _)| shown[*index]) {
        if index > 0 && !shown[index - 1] {
            let _ = writeln!(out, "{comment} [as in the base]");
        }
        let _ = writeln!(out, "{line}");
    }
    out
}

/// Compares the files of a golden folder with those that there should be, by name; `UPDATE_GOLDEN=1` writes them.
pub fn agree_with_golden(folder: &Path, golden: BTreeMap<String, String>) {
    if env::var_os("UPDATE_GOLDEN").is_some() {
        // It need not be there.
        let _ = fs::remove_dir_all(folder);
        fs::create_dir(folder).expect("the golden folder can be made");
        for (path, text) in &golden {
            fs::write(folder.join(path), text).expect("the golden folder can be written");
        }
    }
    let entries = fs::read_dir(folder).expect("there is a golden folder");
    let names = entries.map(|entry| entry.expect("it can be listed").file_name().to_string_lossy().into_owned());
    assert_eq!(names.collect::<BTreeSet<_>>(), golden.keys().cloned().collect());
    for (path, text) in golden {
        let found = fs::read_to_string(folder.join(&path)).unwrap_or_default();
        let differs = found.lines().zip(text.lines()).position(|(a, b)| a != b).map(|line| line + 1);
        assert!(
            found == text,
            "{path} differs from line {differs:?} on: look at it, and set UPDATE_GOLDEN=1 if it is right"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::excerpt;

    #[test]
    fn what_the_base_has_too_is_left_out() {
        let base = "first\na\nb\nc\nd\n";
        assert_eq!(excerpt(base, &base.replace("first", "other"), "#"), "");
        assert_eq!(excerpt(base, "first\na\nb\nnew\nc\nd\n", "#"), "# [as in the base]\nb\nnew\nc\n");
        assert_eq!(excerpt("", "first\na\n", "#"), "a\n");
    }

    #[test]
    fn lines_that_are_gone_show_what_stood_around_them() {
        assert_eq!(excerpt("first\na\nb\nc\nd\ne\n", "first\na\nb\nd\ne\n", "#"), "# [as in the base]\nb\nd\n");
    }
}
