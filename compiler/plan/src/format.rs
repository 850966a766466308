//! What a front end is.

use crate::Plan;
use aldis_diagnostics::{Diagnostic, Files, Sources};

/// A schema language: reads schema files, makes plans. One value a format, listed once by the command line.
pub trait Format: Sync {
    /// `fbe`, `sbe`: the format's folder, and what `--format` takes.
    fn name(&self) -> &'static str;

    /// File name extensions of its schemas, without the dot.
    fn extensions(&self) -> &'static [&'static str];

    /// Reads the schema at `path` and whatever it imports, checks all of it, and lowers it to one plan a wire form.
    fn compile(&self, path: &str, files: &dyn Files) -> Compilation;
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Compilation {
    pub sources: Sources,
    /// In source order; several errors in one run.
    pub diagnostics: Vec<Diagnostic>,
    /// One for each wire form, the main form first, all of the same schema; empty when there was any error.
    pub plans: Vec<Plan>,
}
