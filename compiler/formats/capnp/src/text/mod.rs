//! The text front end: `.capnp` files in, a [`Model`] out.
//!
//! ```text
//! text ─ lexer ─► tokens ─ parser ─► ast ─ load ─► files ─ resolve ─► Model
//! ```
//! Every stage appends to one list of diagnostics and goes on as far as it can, so one run shows many mistakes.

mod ast;
mod builtin;
pub mod lexer;
mod load;
mod parser;
mod resolve;
mod style;
mod suggest;

use crate::codes;
use crate::model::Model;
use aldis_diagnostics::{sort, Diagnostic, Files, Sources};
use aldis_plan::{Index, Suggestion, Tidied};
use aldis_schema::{module_hashes, SchemaModule};
use std::path::Path;

/// After so many errors the rest is not shown; it is rarely worth reading.
const MAX_PROBLEMS: usize = 200;

/// The outcome of reading a schema.
#[derive(Debug)]
pub struct Reading {
    pub sources: Sources,
    /// In source order.
    pub diagnostics: Vec<Diagnostic>,
    /// `None` when there was any error.
    pub model: Option<Model>,
    /// The files in the order of the sources, each with the beginning of display names in it. What is built in is no module.
    pub modules: Vec<(Option<String>, SchemaModule)>,
}

/// Reads the schema at `path` and what it imports, and checks all that it needs.
pub fn read(path: &str, files: &dyn Files) -> Reading {
    let loaded = load::load(path, files);
    let (model, mut diagnostics) = match (&loaded.problem, loaded.files.first()) {
        (Some(problem), _) => (None, vec![problem.clone()]),
        (None, Some(root)) if !root.problems.is_empty() => (None, root.problems.clone()),
        _ => resolve::resolve(&loaded, files),
    };
    tidy(&mut diagnostics);
    let model = model.filter(|_| diagnostics.is_empty());
    Reading { modules: modules(&loaded), sources: loaded.sources, diagnostics, model }
}

fn modules(loaded: &load::Loaded) -> Vec<(Option<String>, SchemaModule)> {
    let texts: Vec<&str> = loaded.sources.iter().map(|source| source.text.as_str()).collect();
    let hashes = module_hashes(&texts, &loaded.files.iter().map(load::LoadedFile::targets).collect::<Vec<_>>());
    let module = |((file, hash), source): ((&load::LoadedFile, String), &aldis_diagnostics::Source)| {
        let stem = Path::new(&source.path).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let shown = builtin::text(&source.path).is_none().then(|| file.name.clone());
        (shown, SchemaModule { name: stem, hash })
    };
    loaded.files.iter().zip(hashes).zip(loaded.sources.iter()).map(module).collect()
}

/// The names of the schema at `path` and of what it imports.
pub(crate) fn names(path: &str, files: &dyn Files) -> Index {
    let loaded = load::load(path, files);
    let names = resolve::names(&loaded);
    Index { sources: loaded.sources, names }
}

/// The words that may be written at byte `at`.
pub(crate) fn suggest(path: &str, files: &dyn Files, at: usize) -> Vec<Suggestion> {
    suggest::suggest(&names(path, files), at)
}

/// The text of one file with regular white space; the path is for diagnostics alone.
pub(crate) fn tidied(path: &str, text: &str) -> Tidied {
    let mut sources = Sources::default();
    let (_, diagnostics) = parser::parse(sources.add(path, text), text);
    let tidied = if diagnostics.is_empty() { aldis_fmt::tidy(&style::CapnpStyle, text) } else { None };
    Tidied { sources, diagnostics, text: tidied }
}

/// In source order, and no more than anyone reads.
fn tidy(diagnostics: &mut Vec<Diagnostic>) {
    sort(diagnostics);
    if diagnostics.len() > MAX_PROBLEMS {
        let message = format!("at least {} more errors are not shown", diagnostics.len() - MAX_PROBLEMS);
        diagnostics.truncate(MAX_PROBLEMS);
        diagnostics.push(Diagnostic::placeless(codes::TOO_MANY, message));
    }
}
