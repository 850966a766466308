//! The questions that must be answered with yes when a schema changes, and their exceptions.

use aldis_diagnostics::Diagnostic;
use aldis_evolution::{Difference, Letters, Report};
use aldis_project::{codes, Breaking, Exception};
use clap::Args;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// The questions about a change, and the form that they are asked of.
#[derive(Clone, Debug, Args)]
pub struct QuestionArgs {
    /// The questions, of the four, that must be answered with yes: any of B, F, J and S; BF when not given.
    #[arg(long, value_name = "LETTERS", value_parser = letters)]
    must: Option<Letters>,

    /// The wire form that messages are in; the schema's main form when not given.
    #[arg(long, value_name = "FORM")]
    form: Option<String>,
}

fn letters(text: &str) -> Result<Letters, String> {
    Letters::parse(text).filter(|letters| letters.any()).ok_or_else(|| "take of the letters B, F, J and S".into())
}

/// The questions, with the exceptions of a project.
pub struct Rules<'r> {
    pub must: Letters,
    pub form: Option<&'r str>,
    exceptions: &'r [Exception],
    /// The exceptions that some difference needed, by their index.
    used: RefCell<BTreeSet<usize>>,
}

impl<'r> Rules<'r> {
    pub fn new(question: &'r QuestionArgs) -> Self {
        let usual = Letters { b: true, f: true, ..Letters::default() };
        let must = question.must.unwrap_or(usual);
        Self { must, form: question.form.as_deref(), exceptions: &[], used: RefCell::default() }
    }

    /// Those of the command line, or else of the project.
    pub fn of_project(question: &'r QuestionArgs, breaking: &'r Breaking) -> Self {
        let own = Self::new(question);
        let must = breaking.must.as_deref().and_then(Letters::parse).filter(|_| question.must.is_none());
        Self {
            must: must.unwrap_or(own.must),
            form: own.form.or(breaking.form.as_deref()),
            exceptions: &breaking.exceptions,
            used: own.used,
        }
    }

    /// The exception that lets a difference break what must hold.
    pub fn exception(&self, difference: &Difference) -> Option<&'r Exception> {
        let ends = [&difference.old, &difference.new];
        let is_named = |what: &String| ends.into_iter().flatten().any(|end| end.name == *what);
        let index = self.exceptions.iter().position(|exception| {
            let is_its = exception.code.as_deref().is_none_or(|code| code == difference.code);
            is_its && exception.what.as_ref().is_none_or(is_named)
        })?;
        if !difference.broken.and(self.must).any() {
            return None;
        }
        self.used.borrow_mut().insert(index);
        self.exceptions.get(index)
    }

    /// Whether a difference breaks what must hold, and no exception lets it.
    pub fn breaks(&self, difference: &Difference) -> bool {
        difference.broken.and(self.must).any() && self.exception(difference).is_none()
    }

    /// The letters that must hold and do not.
    pub fn broken(&self, report: &Report) -> Letters {
        let breaking = report.differences.iter().filter(|difference| self.breaks(difference));
        breaking.fold(Letters::default(), |all, one| all.or(one.broken)).and(self.must)
    }

    /// Warnings of exceptions that no difference needed.
    pub fn unused(&self) -> Vec<Diagnostic> {
        let used = self.used.borrow();
        let unused = self.exceptions.iter().enumerate().filter(|(index, _)| !used.contains(index));
        let warning = |exception: &Exception| {
            let message = "the exception is about no change that breaks what must hold";
            Diagnostic::warning(codes::UNUSED_EXCEPTION, message, exception.span, "")
                .help("remove it, or correct its `what` and `code`: aldis breaking shows both")
        };
        unused.map(|(_, exception)| warning(exception)).collect()
    }
}
