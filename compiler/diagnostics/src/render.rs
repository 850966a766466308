//! Diagnostics for people, drawn by annotate-snippets.

use crate::{Diagnostic, Label, Severity, SourceId, Sources};
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

/// Whether terminal colours are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Plain,
    Coloured,
}

/// The text of one diagnostic: message, places with their source lines, help. Ends without a newline.
pub fn render(diagnostic: &Diagnostic, sources: &Sources, style: Style) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut group = Group::with_title(level.primary_title(diagnostic.message.as_str()).id(diagnostic.code));
    for (index, source) in sources_of(diagnostic).into_iter().enumerate() {
        group = group.element(snippet(diagnostic, source, sources, index == 0));
    }
    for help in &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Coloured => Renderer::styled(),
    };
    renderer.render(&[group])
}

/// Every source that a label lies in, the primary label's first.
fn sources_of(diagnostic: &Diagnostic) -> Vec<SourceId> {
    let mut seen = Vec::new();
    for label in &diagnostic.labels {
        if !seen.contains(&label.span.source) {
            seen.push(label.span.source);
        }
    }
    seen
}

fn snippet<'a>(
    diagnostic: &'a Diagnostic,
    id: SourceId,
    sources: &'a Sources,
    holds_primary: bool,
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let source = sources.get(id);
    let mut snippet = Snippet::source(source.text.as_str()).path(source.path.as_str()).fold(true);
    for (index, label) in diagnostic.labels.iter().enumerate() {
        if label.span.source != id {
            continue;
        }
        let kind = if holds_primary && index == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
        snippet = snippet.annotation(kind.span(range(label, source.text.len())).label(label.text.as_str()));
    }
    snippet
}

fn range(label: &Label, length: usize) -> std::ops::Range<usize> {
    let start = (label.span.start as usize).min(length);
    start..(label.span.end as usize).clamp(start, length)
}
