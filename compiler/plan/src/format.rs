//! The interface of front ends.

use crate::Plan;
use aldis_diagnostics::{Diagnostic, Files, Sources};
use aldis_schema::Names;

/// A schema language: reads schema files, makes plans. One value a format, listed once by the command line.
pub trait Format: Sync {
    /// `fbe`, `sbe`: the format's folder, and what `--format` takes.
    fn name(&self) -> &'static str;

    /// File name extensions of its schemas, without the dot.
    fn extensions(&self) -> &'static [&'static str];

    /// Whether the text is a schema, rather than a part that schemas include or something else with the same extension.
    /// For tools that meet files that nobody named; says nothing of mistakes.
    fn is_schema(&self, _text: &str) -> bool {
        true
    }

    /// Reads the schema at `path` and whatever it imports, checks all of it, and lowers it to one plan a wire form.
    fn compile(&self, path: &str, files: &dyn Files) -> Compilation;

    /// The text of one file with regular white space; `None` for a language whose texts are left as they are. The path is
    /// for diagnostics alone: nothing is read.
    fn tidy(&self, _path: &str, _text: &str) -> Option<Tidied> {
        None
    }

    /// The places where names are declared and used in the schema at `path` and in its imports, whether it is right or not.
    fn names(&self, path: &str, files: &dyn Files) -> Index;

    /// The words that may be written at byte `at` of the schema at `path`.
    fn suggest(&self, path: &str, files: &dyn Files, at: usize) -> Vec<Suggestion>;

    /// Whether messages have heads in which [`Hints::frame_length`] can be.
    fn takes_frame_length(&self) -> bool {
        false
    }

    /// As [`Format::compile`], with what the user knows about the messages beside the schema.
    fn compile_with(&self, path: &str, files: &dyn Files, _hints: &Hints) -> Compilation {
        self.compile(path, files)
    }
}

/// Facts about a schema's messages that the schema itself does not say.
#[derive(Clone, Debug, Default)]
pub struct Hints {
    pub frame_length: FrameLength,
}

/// The member of the messages' head that says how long a frame is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum FrameLength {
    /// The one with a name that is used for nothing else, if there is one.
    #[default]
    Guessed,
    None,
    /// The member of that name; it says the message's size and `plus`.
    Member {
        name: String,
        plus: i64,
    },
}

/// The names of a schema and the texts that they stand in.
#[derive(Debug, Default)]
pub struct Index {
    pub sources: Sources,
    pub names: Names,
}

/// A word that may stand at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    pub text: String,
    pub kind: SuggestionKind,
    /// A few words on it; may be empty.
    pub detail: String,
}

impl Suggestion {
    pub fn new(text: impl Into<String>, kind: SuggestionKind, detail: impl Into<String>) -> Self {
        Self { text: text.into(), kind, detail: detail.into() }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuggestionKind {
    Keyword,
    /// A type that the schema declares.
    Type,
    /// A type of the language.
    Builtin,
    Attribute,
    Element,
    Value,
}

/// The result of making a file's white space regular.
#[derive(Debug, Default)]
pub struct Tidied {
    pub sources: Sources,
    /// The problems of the file's grammar.
    pub diagnostics: Vec<Diagnostic>,
    /// `None` when there was any error, so the file should stay as it is.
    pub text: Option<String>,
}

/// The result of reading a schema.
#[derive(Debug, Default)]
pub struct Compilation {
    pub sources: Sources,
    /// In source order; several errors in one run.
    pub diagnostics: Vec<Diagnostic>,
    /// One for each wire form, the main form first, all of the same schema; empty when there was any error.
    pub plans: Vec<Plan>,
}
