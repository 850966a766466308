//! The schemas of `conformance`, and code for each of them that can be compiled together.

use crate::{imports, request, root, stem, try_plans};
use aldis_diagnostics::any_error;
use aldis_emit::{Language, Request};
use std::fs;
use std::path::{Path, PathBuf};

/// The schemas in `conformance` that a format accepts, by their full paths.
pub fn conformance() -> Vec<String> {
    let mut paths = below(&root().join("conformance"));
    paths.sort();
    let paths = paths.iter().map(|path| path.to_string_lossy().into_owned());
    paths.filter(|path| !path.contains("/errors/") && try_plans(path).is_some()).collect()
}

fn below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("it can be listed").map(|entry| entry.expect("it can be listed").path());
    let formats = ["fbe", "xml", "capnp"];
    let of_format = |path: &PathBuf| path.extension().is_some_and(|end| formats.iter().any(|known| end == *known));
    entries.flat_map(|path| if path.is_dir() { below(&path) } else { vec![path] }).filter(of_format).collect()
}

/// The files that a language makes of a schema, by its full path, with that option, and of the schemas that it imports: pairs of path
/// and text. Nothing where the language refuses one of them.
pub fn with_imports(language: &dyn Language, path: &str, option: (&str, &str)) -> Vec<(String, String)> {
    let given = vec![(option.0.to_owned(), option.1.to_owned())];
    let mut files = Vec::new();
    let others = imports(path).into_iter().map(|import| (language.options_of_import(&given, &stem(&import)), import));
    for (options, path) in std::iter::once((given.clone(), path.to_owned())).chain(others) {
        let Some(plans) = try_plans(&path) else { continue };
        let made = language.generate(&Request { stem: stem(&path), options, ..request(&plans) });
        if any_error(&made.diagnostics) {
            return Vec::new();
        }
        files.extend(made.files.into_iter().map(|file| (file.path, file.text)));
    }
    files
}
