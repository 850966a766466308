//! Opens the root file and, once each, whatever it imports.

use crate::ast::{File, Word};
use crate::codes;
use crate::parser::parse;
use aldis_diagnostics::{mend_of_reading, utf8_text, Diagnostic, Files, SourceId, Sources};

/// Imports within imports; real schemas have a handful.
const MAX_DEPTH: usize = 64;

/// Every file that could be read.
pub(crate) struct Loaded {
    pub(crate) sources: Sources,
    /// In the order of the sources, the root first; empty when not even that could be read.
    pub(crate) files: Vec<LoadedFile>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// A file and where its imports lead.
pub(crate) struct LoadedFile {
    pub(crate) ast: File,
    /// The imports that were found, in order: the statement, and the index of the file.
    pub(crate) imports: Vec<(Word, usize)>,
}

/// Reads `path` and its imports, depth first.
pub(crate) fn load(path: &str, files: &dyn Files) -> Loaded {
    let loaded = Loaded { sources: Sources::default(), files: Vec::new(), diagnostics: Vec::new() };
    let mut loader = Loader { files, loaded, open: Vec::new() };
    loader.file(path, None);
    loader.loaded
}

struct Loader<'a> {
    files: &'a dyn Files,
    loaded: Loaded,
    /// The files between the root and the one being loaded, each with the import that is being followed.
    open: Vec<(usize, Word)>,
}

impl Loader<'_> {
    /// The index of the file at `path`, read now if it is new. `import` is where it was asked for.
    fn file(&mut self, path: &str, import: Option<&Word>) -> Option<usize> {
        if let Some(known) = self.loaded.sources.find(path) {
            return Some(known.0 as usize);
        }
        let text = self.read(path, import)?;
        let source = self.loaded.sources.add(path, text);
        let text = &self.loaded.sources.get(source).text;
        let ast = parse(source, text, &mut self.loaded.diagnostics);
        let index = self.loaded.files.len();
        let imports = ast.imports.clone();
        self.loaded.files.push(LoadedFile { ast, imports: Vec::new() });
        for import in imports {
            self.open.push((index, import.clone()));
            if let Some(target) = self.import(path, &import) {
                self.loaded.files[index].imports.push((import, target));
            }
            self.open.pop();
        }
        Some(index)
    }

    fn read(&mut self, path: &str, import: Option<&Word>) -> Option<String> {
        let bytes = match self.files.read(path) {
            Ok(bytes) => bytes,
            Err(error) => {
                let message = format!("{path}: {error}");
                let problem = match import {
                    Some(import) => Diagnostic::error(codes::UNREADABLE, message, import.span, "imported here"),
                    None => Diagnostic::placeless(codes::UNREADABLE, message),
                };
                self.loaded.diagnostics.push(problem.help(mend_of_reading(&error)));
                return None;
            }
        };
        let source = SourceId(self.loaded.files.len() as u32);
        let (text, problem) = utf8_text(bytes, source, codes::NOT_UTF8);
        self.loaded.diagnostics.extend(problem);
        Some(text)
    }

    fn import(&mut self, from: &str, import: &Word) -> Option<usize> {
        let name = format!("{}.fbe", import.text);
        let Some(path) = self.files.resolve(from, &name) else {
            let message = format!("there is no `{name}`");
            let problem = Diagnostic::error(codes::NO_IMPORT, message, import.span, "imported here");
            let help = "put it beside this file or into an import directory, or mend the name";
            self.loaded.diagnostics.push(problem.help(help));
            return None;
        };
        if let Some(known) = self.loaded.sources.find(&path) {
            if let Some(first) = self.open.iter().position(|(file, _)| *file == known.0 as usize) {
                self.report_cycle(first);
                return None;
            }
        }
        if self.open.len() > MAX_DEPTH {
            let message = format!("imports are nested deeper than {MAX_DEPTH}");
            let problem = Diagnostic::error(codes::TOO_DEEP, message, import.span, "one more here");
            self.loaded.diagnostics.push(problem.help("import what is needed directly"));
            return None;
        }
        self.file(&path, Some(import))
    }

    /// The import being followed leads back to the file of `open[first]`.
    fn report_cycle(&mut self, first: usize) {
        let Some(((_, closing), rest)) = self.open[first..].split_last() else { return };
        let message = format!("importing `{}` here closes a circle", closing.text);
        let mut problem =
            Diagnostic::error(codes::IMPORT_CYCLE, message, closing.span, "this file is already being read");
        for (_, import) in rest {
            problem = problem.label(import.span, format!("reads `{}`", import.text));
        }
        self.loaded.diagnostics.push(problem.help("move what both files need into a third one that both import"));
    }
}
