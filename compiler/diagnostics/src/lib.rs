//! A front end's words about a schema: problems with their places and their mend.
//!
//! Nothing here prints. [`render`] and [`to_json`] return text; the command line decides where it goes.

mod codes;
mod json;
mod render;
mod source;
mod wording;

pub use codes::Code;
pub use json::to_json;
pub use render::{render, Style};
pub use source::{Files, Position, Source, SourceId, Sources, Span};
pub use wording::{foreign, invisible, mend_of_reading, quoted, similar, utf8_text};

use serde::Serialize;

/// How much a diagnostic matters: an error stops code generation, a warning does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Error,
    Warning,
}

/// A place in a source with what is to be seen there. The first label of a diagnostic is its primary one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    pub span: Span,
    pub text: String,
}

/// A change of the text that mends a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mend {
    /// The bytes that go.
    pub span: Span,
    /// The text that comes in their place.
    pub text: String,
    /// The bytes are a declared name, which changes in all places where it stands.
    pub everywhere: bool,
}

/// One problem: its code (`fbe/E0012`), its sentence, its places (primary first) and how to mend it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub code: &'static str,
    pub severity: Severity,
    pub message: String,
    pub labels: Vec<Label>,
    pub help: Vec<String>,
    /// The changes of which each alone mends it; none where a person must decide.
    pub mends: Vec<Mend>,
}

impl Diagnostic {
    /// An error at `span`; `here` says what is wrong at that very place and may be empty.
    pub fn error(code: &'static str, message: impl Into<String>, span: Span, here: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, message.into()).label(span, here)
    }

    /// A warning at `span`; `here` says what is to be seen at that very place and may be empty.
    pub fn warning(code: &'static str, message: impl Into<String>, span: Span, here: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, message.into()).label(span, here)
    }

    /// An error that has no place in any source, such as a file that cannot be read.
    pub fn placeless(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, message.into())
    }

    /// A warning that has no place in any source, such as of the name that a file gives.
    pub fn placeless_warning(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, message.into())
    }

    fn new(severity: Severity, code: &'static str, message: String) -> Self {
        Self { code, severity, message, labels: Vec::new(), help: Vec::new(), mends: Vec::new() }
    }

    /// Adds a secondary place, for instance "first declared here".
    #[must_use]
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// Adds a sentence that tells how to mend the problem.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }

    /// Adds a sentence that tells how to mend the problem, and the change that does so: `text` in the place of `span`.
    #[must_use]
    pub fn mend(mut self, help: impl Into<String>, span: Span, text: impl Into<String>) -> Self {
        self.mends.push(Mend { span, text: text.into(), everywhere: false });
        self.help(help)
    }

    /// The source and the byte where its primary place begins.
    pub fn place(&self) -> Option<(SourceId, u32)> {
        self.labels.first().map(|label| (label.span.source, label.span.start))
    }

    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// Puts diagnostics into the order of their places; those without a place come first.
pub fn sort(diagnostics: &mut [Diagnostic]) {
    diagnostics.sort_by_key(Diagnostic::place);
}

/// Whether any of `diagnostics` is an error.
pub fn any_error(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(Diagnostic::is_error)
}
