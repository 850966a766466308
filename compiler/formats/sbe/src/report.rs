//! Collects diagnostics.

use aldis_diagnostics::{any_error, sort, Diagnostic, Mend, Span};

/// The problems of a schema so far.
#[derive(Debug, Default)]
pub(crate) struct Report {
    list: Vec<Diagnostic>,
}

/// The diagnostic just added, for labels and help.
pub(crate) struct Added<'a>(&'a mut Diagnostic);

impl Added<'_> {
    pub fn label(self, span: Span, text: impl Into<String>) -> Self {
        self.0.labels.push(aldis_diagnostics::Label { span, text: text.into() });
        self
    }

    pub fn help(self, text: impl Into<String>) -> Self {
        self.0.help.push(text.into());
        self
    }

    /// As [`Diagnostic::mend`].
    pub fn mend(self, help: impl Into<String>, span: Span, text: impl Into<String>) -> Self {
        self.0.mends.push(Mend { span, text: text.into(), everywhere: false });
        self.help(help)
    }
}

impl Report {
    pub fn push(&mut self, diagnostic: Diagnostic) -> Added<'_> {
        self.list.push(diagnostic);
        Added(self.list.last_mut().expect("one was just added"))
    }

    pub fn error(
        &mut self,
        code: &'static str,
        message: impl Into<String>,
        at: Span,
        here: impl Into<String>,
    ) -> Added<'_> {
        self.push(Diagnostic::error(code, message, at, here))
    }

    pub fn warning(
        &mut self,
        code: &'static str,
        message: impl Into<String>,
        at: Span,
        here: impl Into<String>,
    ) -> Added<'_> {
        self.push(Diagnostic::warning(code, message, at, here))
    }

    /// Whether there is so much to say already that finer advice is not worth the time it takes.
    pub fn is_long(&self) -> bool {
        self.list.len() > 100
    }

    pub fn any_error(&self) -> bool {
        any_error(&self.list)
    }

    /// All diagnostics in source order, each once however many uses led to it.
    pub fn into_diagnostics(mut self) -> Vec<Diagnostic> {
        sort(&mut self.list);
        let mut once: Vec<Diagnostic> = Vec::new();
        for diagnostic in self.list {
            let same_place = once.iter().rev().take_while(|d| d.place() == diagnostic.place());
            if !same_place.into_iter().any(|d| *d == diagnostic) {
                once.push(diagnostic);
            }
        }
        once
    }
}
