//! Diagnostics of all open schemas, sorted by the file that they are about.

use crate::analyses::Analysis;
use crate::buffers::Buffer;
use crate::places::{location, range_of, uri_of};
use aldis_diagnostics::{Diagnostic, Severity, Sources};
use lsp_types::{DiagnosticRelatedInformation, DiagnosticSeverity, NumberOrString, PublishDiagnosticsParams, Range};
use std::collections::BTreeMap;

/// The diagnostics of each file that the analyses read, files without any included. What two schemas say alike of a file
/// that both import stands there once.
pub(crate) fn by_file<'a>(
    analyses: impl Iterator<Item = (&'a String, &'a Analysis)>,
) -> BTreeMap<String, Vec<lsp_types::Diagnostic>> {
    let mut files: BTreeMap<String, Vec<lsp_types::Diagnostic>> = BTreeMap::new();
    for (root, analysis) in analyses {
        let sources = &analysis.compilation.sources;
        files.entry(root.clone()).or_default();
        for source in sources.iter() {
            files.entry(source.path.clone()).or_default();
        }
        for (problem, is_advice) in all_of(analysis) {
            let file = problem.labels.first().map_or(root, |label| &sources.get(label.span.source).path);
            let told = files.entry(file.clone()).or_default();
            let shown = shown(problem, sources, is_advice);
            if !told.contains(&shown) {
                told.push(shown);
            }
        }
    }
    files
}

/// The errors and warnings, and then the advice.
pub(crate) fn all_of(analysis: &Analysis) -> impl Iterator<Item = (&Diagnostic, bool)> {
    let problems = analysis.compilation.diagnostics.iter().map(|problem| (problem, false));
    problems.chain(analysis.advice.iter().map(|advice| (advice, true)))
}

pub(crate) fn shown(problem: &Diagnostic, sources: &Sources, is_advice: bool) -> lsp_types::Diagnostic {
    let severity = match problem.severity {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning if is_advice => DiagnosticSeverity::INFORMATION,
        Severity::Warning => DiagnosticSeverity::WARNING,
    };
    let mut labels = problem.labels.iter();
    let first = labels.next();
    let mut message = problem.message.clone();
    let here = first.map(|label| &label.text).filter(|text| !text.is_empty());
    for line in here.into_iter().chain(&problem.help) {
        message.push('\n');
        message.push_str(line);
    }
    let related = labels.map(|label| DiagnosticRelatedInformation {
        location: location(sources, label.span),
        message: label.text.clone(),
    });
    lsp_types::Diagnostic {
        range: first.map_or(Range::default(), |label| range_of(sources, label.span)),
        severity: Some(severity),
        code: Some(NumberOrString::String(problem.code.to_owned())),
        source: Some("aldis".into()),
        message,
        related_information: Some(related.collect::<Vec<_>>()).filter(|related| !related.is_empty()),
        ..lsp_types::Diagnostic::default()
    }
}

/// The files with their diagnostics as the editor knows them.
#[derive(Default)]
pub(crate) struct Published {
    files: BTreeMap<String, (Option<i32>, Vec<lsp_types::Diagnostic>)>,
}

impl Published {
    /// The messages that bring the editor from what it knows to `files`.
    pub(crate) fn update(
        &mut self,
        mut files: BTreeMap<String, Vec<lsp_types::Diagnostic>>,
        open: &BTreeMap<String, Buffer>,
    ) -> Vec<PublishDiagnosticsParams> {
        for (path, (_, told)) in &self.files {
            if !told.is_empty() {
                files.entry(path.clone()).or_default();
            }
        }
        let mut messages = Vec::new();
        for (path, diagnostics) in files {
            let buffer = open.get(&path);
            let state = (buffer.map(|buffer| buffer.version), diagnostics);
            let is_known = self.files.get(&path) == Some(&state);
            let is_quiet = state.0.is_none() && state.1.is_empty() && !self.files.contains_key(&path);
            if !is_known && !is_quiet {
                let uri = buffer.map_or_else(|| uri_of(&path), |buffer| buffer.uri.clone());
                messages.push(PublishDiagnosticsParams::new(uri, state.1.clone(), state.0));
                self.files.insert(path, state);
            }
        }
        messages
    }
}
