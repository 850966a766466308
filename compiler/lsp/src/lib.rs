//! A language server for schemas: what editors ask, answered by formats and plans.
//!
//! ```text
//! messages ─► server ─► buffers ─► analyses (one for each open schema) ─► diagnostics to the editor
//!                └────► questions: hover, definition … asked of an index of names and of the plans
//! ```
//! Nothing here touches a disk or a stream: files come from a [`Workspace`], messages through the channels of a
//! [`lsp_server::Connection`]. Formats know nothing of editors; they are asked through [`aldis_plan::Format`].

mod actions;
mod analyses;
mod buffers;
mod formatting;
mod hover;
mod names;
mod places;
mod problems;
mod queue;
mod server;
mod session;
mod setup;

pub use server::serve;
pub use setup::Setup;

use aldis_diagnostics::{Diagnostic, Files};
use aldis_plan::Hints;

/// The files that an editor works on, as they are saved.
pub trait Workspace: Files {
    /// The files in the folder and those below it that have one of the extensions, or are schemas of a project.
    fn schemas(&self, folder: &str, extensions: &[&str]) -> Vec<String>;

    /// How the project that a file belongs to says that it is read.
    fn reading(&self, path: &str) -> Reading;

    /// The part of the advice on a schema that is wanted, as severe as it is meant.
    fn wanted(&self, schema: &str, advice: Vec<Diagnostic>) -> Vec<Diagnostic>;
}

/// The facts about a schema that its text does not say.
#[derive(Debug, Default)]
pub struct Reading {
    /// The name of its format; the extension tells it when not given.
    pub format: Option<String>,
    pub hints: Hints,
}
