//! The FBE front end: `.fbe` schemas in, one plan for each of the two FBE wire forms out.
//!
//! ```text
//! text ─ lexer ─► tokens ─ parser ─► ast ─ load ─► files ─ resolve ─► Schema ─ lower ─► Plan fbe, Plan fbe-final
//! ```
//! Every stage appends to one list of diagnostics and goes on as far as it can, so one run shows many mistakes.

mod ast;
pub mod codes;
pub mod lexer;
mod load;
mod lower;
mod names;
mod parser;
mod resolve;
mod style;
mod suggest;

use aldis_diagnostics::{any_error, sort, Diagnostic, Files, Severity, Sources};
use aldis_plan::{Compilation, Format, Index, Suggestion, Tidied};

/// The schema language of Fast Binary Encoding.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fbe;

/// The one value of the format, for the list of formats.
pub static FBE: Fbe = Fbe;

/// After so many errors, or warnings, the rest is not shown; it is rarely worth reading.
const MAX_PROBLEMS: usize = 200;

impl Format for Fbe {
    fn name(&self) -> &'static str {
        "fbe"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["fbe"]
    }

    fn compile(&self, path: &str, files: &dyn Files) -> Compilation {
        let loaded = load::load(path, files);
        let mut diagnostics = loaded.diagnostics;
        let schema = resolve::resolve(&loaded.files, &loaded.sources, &mut diagnostics);
        tidy(&mut diagnostics);
        let plans = match schema {
            Some(resolved) if !any_error(&diagnostics) => lower::lower(resolved),
            _ => Vec::new(),
        };
        Compilation { sources: loaded.sources, diagnostics, plans }
    }

    fn names(&self, path: &str, files: &dyn Files) -> Index {
        let loaded = load::load(path, files);
        let names = names::names(&loaded);
        Index { names, sources: loaded.sources }
    }

    fn suggest(&self, path: &str, files: &dyn Files, at: usize) -> Vec<Suggestion> {
        suggest::suggest(&load::load(path, files), at)
    }

    fn tidy(&self, path: &str, text: &str) -> Option<Tidied> {
        let (mut sources, mut diagnostics) = (Sources::default(), Vec::new());
        parser::parse(sources.add(path, text), text, &mut diagnostics);
        let tidied = if any_error(&diagnostics) { None } else { aldis_fmt::tidy(&style::FbeStyle, text) };
        Some(Tidied { sources, diagnostics, text: tidied })
    }
}

/// In source order, and no more than anyone reads.
fn tidy(diagnostics: &mut Vec<Diagnostic>) {
    sort(diagnostics);
    let (errors, warnings): (Vec<_>, Vec<_>) = diagnostics.drain(..).partition(Diagnostic::is_error);
    let (errors_left_out, warnings_left_out) =
        (errors.len().saturating_sub(MAX_PROBLEMS), warnings.len().saturating_sub(MAX_PROBLEMS));
    diagnostics.extend(errors.into_iter().take(MAX_PROBLEMS));
    diagnostics.extend(warnings.into_iter().take(MAX_PROBLEMS));
    sort(diagnostics);
    if errors_left_out > 0 {
        let message = format!("at least {errors_left_out} more errors are not shown");
        diagnostics.push(Diagnostic::placeless(codes::TOO_MANY, message));
    }
    if warnings_left_out > 0 {
        let message = format!("at least {warnings_left_out} more warnings are not shown");
        let last = Diagnostic::placeless(codes::TOO_MANY_WARNINGS, message);
        diagnostics.push(Diagnostic { severity: Severity::Warning, ..last });
    }
}
