//! The file of a project, `aldis.toml`: its schemas, what is generated from them, what must hold when they change, and
//! the advice that it wants.
//!
//! This crate reads text and touches no disk. The names in it (languages, options, rules) belong to others, so whoever
//! reads a project brings a [`Vocabulary`].

pub mod codes;
mod pattern;
mod read;
mod table;

pub use pattern::{Pattern, Patterns};
pub use read::read;

use aldis_diagnostics::Span;

/// The name of a project's file.
pub const FILE: &str = "aldis.toml";

/// A value and its place in the project's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct At<T> {
    pub value: T,
    pub span: Span,
}

/// The content of a project's file. Paths are relative to its folder.
#[derive(Clone, Debug, Default)]
pub struct Project {
    pub schemas: Vec<Schemas>,
    /// The folders that imported files are looked for in.
    pub imports: Vec<At<String>>,
    pub outputs: Vec<Output>,
    pub breaking: Breaking,
    /// Levels by a rule's name, a set's name or `all`.
    pub lint: Vec<(String, Level)>,
}

impl Project {
    /// The first entry that has the file, which says how it is read.
    pub fn entry(&self, path: &str) -> Option<&Schemas> {
        self.schemas.iter().find(|entry| entry.files.has(path))
    }
}

/// Schema files and how they are read.
#[derive(Clone, Debug, Default)]
pub struct Schemas {
    pub files: Patterns,
    pub format: Option<String>,
    pub frame_length: Option<String>,
}

/// Code that is generated from schemas.
#[derive(Clone, Debug)]
pub struct Output {
    pub span: Span,
    pub language: String,
    pub folder: String,
    /// The project's schemas that it is generated from; all when there are no patterns.
    pub schemas: Patterns,
    pub name: Option<String>,
    pub prefix: Option<String>,
    /// Full names in the schema, and names in the code.
    pub renames: Vec<(At<String>, String)>,
    pub options: Vec<(String, String)>,
}

/// The questions that must be answered with yes when schemas change.
#[derive(Clone, Debug, Default)]
pub struct Breaking {
    pub against: Option<At<Against>>,
    /// Letters of the questions.
    pub must: Option<String>,
    pub form: Option<String>,
    pub exceptions: Vec<Exception>,
}

/// The older version of each schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Against {
    /// The lock beside the schema.
    Lock,
    /// A commit, branch or tag of git.
    Git(String),
    /// The same path below another folder.
    Folder(String),
}

/// A change that may break what it breaks.
#[derive(Clone, Debug)]
pub struct Exception {
    pub span: Span,
    /// The full name of the thing that changed, in either version.
    pub what: Option<String>,
    /// The code of the difference.
    pub code: Option<String>,
    pub reason: String,
}

/// How much the advice of a rule matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    Off,
    Advise,
    Deny,
}

impl Level {
    /// The names of levels in a project's file.
    pub const NAMES: [(&'static str, Level); 3] =
        [("off", Level::Off), ("advise", Level::Advise), ("deny", Level::Deny)];
}

/// A word that is known elsewhere, by what it must be.
#[derive(Clone, Copy, Debug)]
pub enum Word<'a> {
    Format,
    Language,
    ModuleName { language: &'a str },
    Option { language: &'a str, value: &'a str },
    FrameLength,
    Letters,
    Difference,
    Rule,
}

/// Why a word is none: what there is, in words and as a list.
#[derive(Clone, Debug, Default)]
pub struct Refusal {
    pub rule: String,
    pub known: Vec<String>,
}

/// The one who knows which words there are.
pub trait Vocabulary {
    /// Whether `text` is such a word.
    ///
    /// # Errors
    /// Checks a word; a refusal names what there is in its place.
    fn check(&self, word: Word<'_>, text: &str) -> Result<(), Refusal>;
}
