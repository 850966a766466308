//! Opens the root file and, once each, whatever it imports. What goes wrong with an import is told where the import is
//! used: a file that nothing needs may be missing.

use super::ast::File;
use super::builtin;
use super::parser::parse;
use crate::codes;
use aldis_diagnostics::{mend_of_reading, utf8_text, Diagnostic, Files, SourceId, Sources};
use std::collections::HashMap;

/// Beside these paths, operating systems' packages put what standard imports name.
const STANDARD_PLACES: [&str; 2] = ["/usr/local/include/capnp", "/usr/include/capnp"];

/// Every file that could be read.
pub(super) struct Loaded {
    pub(super) sources: Sources,
    /// In the order of the sources, the root first; empty when not even that could be read.
    pub(super) files: Vec<LoadedFile>,
    /// Why the root could not be read.
    pub(super) problem: Option<Diagnostic>,
}

pub(super) struct LoadedFile {
    pub(super) ast: File,
    pub(super) source: SourceId,
    /// The beginning of display names: the path from where the compiler was called or from an import directory.
    pub(super) name: String,
    /// The file that each import of the text leads to.
    pub(super) imports: HashMap<String, Import>,
    /// The problems of the text alone.
    pub(super) problems: Vec<Diagnostic>,
}

impl LoadedFile {
    /// The files that it imports, in order.
    pub(super) fn targets(&self) -> Vec<usize> {
        let imports = self.ast.imports.iter().filter_map(|word| self.imports.get(&word.text));
        let file = |import: &Import| match import {
            Import::File(index) => Some(*index),
            Import::Missing | Import::Unreadable(_) => None,
        };
        imports.filter_map(file).collect()
    }
}

#[derive(Clone, Debug)]
pub(super) enum Import {
    /// An index into [`Loaded::files`].
    File(usize),
    Missing,
    Unreadable(String),
}

/// Reads `path` and all that it imports, directly or not.
pub(super) fn load(path: &str, files: &dyn Files) -> Loaded {
    let loaded = Loaded { sources: Sources::default(), files: Vec::new(), problem: None };
    let mut loader = Loader { files, loaded, known: HashMap::new() };
    match files.read(path) {
        Err(error) => {
            let problem = Diagnostic::placeless(codes::UNREADABLE, format!("{path}: {error}"));
            loader.loaded.problem = Some(problem.help(mend_of_reading(&error)));
        }
        Ok(bytes) => {
            loader.add(path, path.strip_prefix("./").unwrap_or(path).to_owned(), bytes);
        }
    }
    let mut next = 0;
    while next < loader.loaded.files.len() {
        loader.follow(next);
        next += 1;
    }
    loader.loaded
}

struct Loader<'a> {
    files: &'a dyn Files,
    loaded: Loaded,
    /// The index of each file that was read, by its path.
    known: HashMap<String, usize>,
}

impl Loader<'_> {
    /// Parses the text and gives it the next index.
    fn add(&mut self, path: &str, name: String, bytes: Vec<u8>) -> usize {
        let index = self.loaded.files.len();
        let (text, problem) = utf8_text(bytes, SourceId(index as u32), codes::NOT_UTF8);
        let mut problems = Vec::from_iter(problem);
        let source = self.loaded.sources.add(path, text);
        let (ast, mut syntax) = parse(source, &self.loaded.sources.get(source).text);
        problems.append(&mut syntax);
        self.loaded.files.push(LoadedFile { ast, source, name, imports: HashMap::new(), problems });
        self.known.insert(path.to_owned(), index);
        index
    }

    /// Opens what the file imports.
    fn follow(&mut self, index: usize) {
        let names: Vec<String> = self.loaded.files[index].ast.imports.iter().map(|word| word.text.clone()).collect();
        for name in names {
            if !self.loaded.files[index].imports.contains_key(&name) {
                let import = self.import(index, &name);
                self.loaded.files[index].imports.insert(name, import);
            }
        }
    }

    fn import(&mut self, from: usize, name: &str) -> Import {
        let Some((path, shown)) = self.find(from, name) else {
            return match builtin::text(name) {
                Some(text) => Import::File(self.standard(name, text)),
                None => Import::Missing,
            };
        };
        if let Some(&known) = self.known.get(&path) {
            return Import::File(known);
        }
        match self.files.read(&path) {
            Ok(bytes) => Import::File(self.add(&path, shown, bytes)),
            Err(error) => Import::Unreadable(error.to_string()),
        }
    }

    fn standard(&mut self, name: &str, text: &str) -> usize {
        match self.known.get(name) {
            Some(&known) => known,
            None => self.add(name, name.trim_start_matches('/').to_owned(), text.as_bytes().to_vec()),
        }
    }

    /// The path and the display name of an import. What is built in is looked for in the import directories, but not
    /// in the operating system's, so that it is the same everywhere.
    fn find(&self, from: usize, name: &str) -> Option<(String, String)> {
        let importing = &self.loaded.sources.get(self.loaded.files[from].source).path;
        let Some(rooted) = name.strip_prefix('/') else {
            let path = self.files.resolve(importing, name)?;
            return Some((path, beside(&self.loaded.files[from].name, name)));
        };
        let standard = || {
            let places = STANDARD_PLACES.iter().filter(|_| builtin::text(name).is_none());
            places.into_iter().find_map(|place| self.files.resolve(place, rooted))
        };
        let path = self.files.resolve_in_directories(importing, rooted).or_else(standard)?;
        Some((path, rooted.to_owned()))
    }
}

/// `name` as seen from the folder of the file `from`, without `.` and `..`.
fn beside(from: &str, name: &str) -> String {
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(name.split('/')) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::beside;

    #[test]
    fn display_names_are_paths_without_detours() {
        let cases = [
            ("b/a.capnp", "sub/b.capnp", "b/sub/b.capnp"),
            ("b/sub/b.capnp", "../c.capnp", "b/c.capnp"),
            ("a.capnp", "./b.capnp", "b.capnp"),
            ("a.capnp", "../b.capnp", "../b.capnp"),
        ];
        for (from, name, wanted) in cases {
            assert_eq!(beside(from, name), wanted);
        }
    }
}
