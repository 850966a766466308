//! Mends of diagnostics as actions, and words to complete.

use crate::analyses::Analysis;
use crate::names::Named;
use crate::places::{offset, path_of, range_of};
use crate::problems::{all_of, shown};
use crate::session::Session;
use aldis_diagnostics::{Diagnostic, Mend, Sources};
use aldis_plan::{Suggestion, SuggestionKind};
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionParams, CompletionItem, CompletionItemKind, Position, Range, TextEdit,
    WorkspaceEdit,
};
use std::collections::HashMap;

impl Session<'_> {
    /// The changes that mend what is wrong, or could be better, within the range.
    pub(crate) fn actions(&mut self, params: &CodeActionParams) -> Vec<CodeAction> {
        let path = path_of(&params.text_document.uri);
        self.refresh();
        let mut wanted = Vec::new();
        for analysis in self.analyses.current.values() {
            wanted.extend(mends(analysis, &path, params.range));
        }
        let mut actions: Vec<CodeAction> = Vec::new();
        for (problem, mend, told) in wanted {
            let Some(edit) = self.edit(&path, &mend) else { continue };
            let action = CodeAction {
                title: title(&problem, &mend),
                kind: Some(CodeActionKind::QUICKFIX),
                diagnostics: Some(vec![told]),
                edit: Some(edit),
                is_preferred: Some(problem.mends.len() == 1 && problem.is_error()),
                ..CodeAction::default()
            };
            if !actions.contains(&action) {
                actions.push(action);
            }
        }
        actions
    }

    fn edit(&mut self, path: &str, mend: &Mend) -> Option<WorkspaceEdit> {
        if mend.everywhere {
            let Named { index, id, span } = self.named(path, mend.span.start as usize)?;
            return self.renamed(&Named { index, id, span }, &mend.text).ok();
        }
        let source = &self.buffers.open.get(path)?.source;
        let range = crate::places::range(source, mend.span.start as usize, mend.span.end as usize);
        let edit = TextEdit::new(range, mend.text.clone());
        Some(WorkspaceEdit::new(HashMap::from([(self.uri(path), vec![edit])])))
    }

    /// The words that may stand at the place.
    pub(crate) fn complete(&self, path: &str, position: Position) -> Option<Vec<CompletionItem>> {
        let source = &self.buffers.open.get(path)?.source;
        let at = offset(source, position);
        let suggestions = self.setup.format_of(path)?.suggest(path, &self.buffers, at);
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let start = source.text[..at].trim_end_matches(is_word).len();
        let range = crate::places::range(source, start, at);
        Some(suggestions.into_iter().map(|suggestion| item(suggestion, range)).collect())
    }
}

/// The mends of an analysis for a range of the file, with the problems that they mend.
fn mends(analysis: &Analysis, path: &str, range: Range) -> Vec<(Diagnostic, Mend, lsp_types::Diagnostic)> {
    let sources = &analysis.compilation.sources;
    let mut found = Vec::new();
    for (problem, is_advice) in all_of(analysis) {
        for mend in problem.mends.iter().filter(|mend| touches(mend, path, range, sources)) {
            found.push((problem.clone(), mend.clone(), shown(problem, sources, is_advice)));
        }
    }
    found
}

fn touches(mend: &Mend, path: &str, range: Range, sources: &Sources) -> bool {
    let place = range_of(sources, mend.span);
    sources.get(mend.span.source).path == path && place.start <= range.end && range.start <= place.end
}

fn title(problem: &Diagnostic, mend: &Mend) -> String {
    match mend {
        Mend { everywhere: true, text, .. } => format!("rename to `{text}` everywhere"),
        Mend { text, .. } if text.is_empty() => problem.help.first().cloned().unwrap_or_else(|| "remove it".into()),
        Mend { text, .. } => format!("write `{text}`"),
    }
}

fn item(suggestion: Suggestion, range: Range) -> CompletionItem {
    let kind = match suggestion.kind {
        SuggestionKind::Keyword => CompletionItemKind::KEYWORD,
        SuggestionKind::Type => CompletionItemKind::STRUCT,
        SuggestionKind::Builtin => CompletionItemKind::CLASS,
        SuggestionKind::Attribute => CompletionItemKind::PROPERTY,
        SuggestionKind::Element => CompletionItemKind::MODULE,
        SuggestionKind::Value => CompletionItemKind::VALUE,
    };
    CompletionItem {
        label: suggestion.text.clone(),
        kind: Some(kind),
        detail: Some(suggestion.detail).filter(|detail| !detail.is_empty()),
        text_edit: Some(TextEdit::new(range, suggestion.text).into()),
        ..CompletionItem::default()
    }
}
