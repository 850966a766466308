//! Tables of TOML whose keys are asked for one after the other; what nobody asked for is a mistake.

use crate::{codes, At, Refusal};
use aldis_diagnostics::{similar, Diagnostic, SourceId, Span};
use std::borrow::Cow;
use std::ops::Range;
use toml::de::{DeTable, DeValue};
use toml::Spanned;

/// The problems found so far, in the order in which they were found.
pub struct Problems {
    pub source: SourceId,
    pub found: Vec<Diagnostic>,
}

impl Problems {
    pub fn span(&self, range: &Range<usize>) -> Span {
        Span::new(self.source, range.start, range.end)
    }

    pub fn add(&mut self, problem: Diagnostic) {
        self.found.push(problem);
    }

    /// A value that its key does not take.
    pub fn refuse(&mut self, what: &str, word: &At<String>, refusal: &Refusal) {
        let message = format!("`{}` is no {what}", word.value);
        let meant = similar(&word.value, refusal.known.iter().map(String::as_str));
        let here = meant.map(|meant| format!("did you mean `{meant}`?")).unwrap_or_default();
        let problem = Diagnostic::error(codes::UNKNOWN_WORD, message, word.span, here);
        self.add(if refusal.rule.is_empty() { problem } else { problem.help(refusal.rule.clone()) });
    }
}

/// A table, and the keys that were asked for.
pub struct Table<'t> {
    /// `[breaking]`
    name: String,
    /// The place of the table's head, for what is missing in it.
    pub span: Span,
    held: &'t DeTable<'t>,
    asked: Vec<&'static str>,
}

impl<'t> Table<'t> {
    pub fn new(name: &str, span: Span, held: &'t DeTable<'t>) -> Self {
        Self { name: name.to_owned(), span, held, asked: Vec::new() }
    }

    fn get(&mut self, key: &'static str) -> Option<&'t Spanned<DeValue<'t>>> {
        self.asked.push(key);
        self.held.get(key)
    }

    pub fn text(&mut self, key: &'static str, problems: &mut Problems) -> Option<At<String>> {
        let value = self.get(key)?;
        text(key, value, problems)
    }

    /// The text of a key that must be there.
    pub fn needed(&mut self, key: &'static str, problems: &mut Problems) -> Option<At<String>> {
        if !self.held.contains_key(key) {
            self.asked.push(key);
            let message = format!("{} has no `{key}`", self.name);
            problems.add(Diagnostic::error(codes::MISSING_KEY, message, self.span, format!("add `{key} = \"…\"`")));
            return None;
        }
        self.text(key, problems)
    }

    /// The texts of a list, or the one text that stands in its place.
    pub fn texts(&mut self, key: &'static str, problems: &mut Problems) -> Vec<At<String>> {
        let values = self.list(key);
        values.into_iter().filter_map(|value| text(key, value, problems)).collect()
    }

    /// The elements of a list, or the one value that stands in its place.
    pub fn list(&mut self, key: &'static str) -> Vec<&'t Spanned<DeValue<'t>>> {
        match self.get(key) {
            None => Vec::new(),
            Some(value) => match value.get_ref() {
                DeValue::Array(elements) => elements.iter().collect(),
                _ => vec![value],
            },
        }
    }

    /// The tables of a list of tables.
    pub fn tables(&mut self, key: &'static str, name: &str, problems: &mut Problems) -> Vec<Table<'t>> {
        let values = self.list(key);
        values.into_iter().filter_map(|value| table(name, value, problems)).collect()
    }

    pub fn table(&mut self, key: &'static str, problems: &mut Problems) -> Option<Table<'t>> {
        let value = self.get(key)?;
        table(&format!("[{key}]"), value, problems)
    }

    /// All keys of a table that takes any, with their values, in the order of the text.
    pub fn entries(self, problems: &Problems) -> Vec<(At<String>, &'t Spanned<DeValue<'t>>)> {
        let key =
            |name: &Spanned<Cow<'_, str>>| At { value: name.get_ref().to_string(), span: problems.span(&name.span()) };
        let mut entries: Vec<_> = self.held.iter().map(|(name, value)| (key(name), value)).collect();
        entries.sort_by_key(|(name, _)| name.span.start);
        entries
    }

    /// Tells of the keys that nobody asked for.
    pub fn end(self, problems: &mut Problems) {
        for key in self.held.keys() {
            let name = key.get_ref().as_ref();
            if self.asked.contains(&name) {
                continue;
            }
            let meant = similar(name, self.asked.iter().copied());
            let here = meant.map(|meant| format!("did you mean `{meant}`?")).unwrap_or_default();
            let message = format!("{} has no key `{name}`", self.name);
            let known = format!("there are {}", self.asked.join(", "));
            let span = problems.span(&key.span());
            problems.add(Diagnostic::error(codes::UNKNOWN_KEY, message, span, here).help(known));
        }
    }
}

/// The text that a key's value must be.
pub fn text(key: &str, value: &Spanned<DeValue<'_>>, problems: &mut Problems) -> Option<At<String>> {
    let span = problems.span(&value.span());
    match value.get_ref().as_str() {
        Some(text) => Some(At { value: text.to_owned(), span }),
        None => {
            wrong(&format!("`{key}`"), "text in quotes", value, problems);
            None
        }
    }
}

fn table<'t>(name: &str, value: &'t Spanned<DeValue<'t>>, problems: &mut Problems) -> Option<Table<'t>> {
    match value.get_ref().as_table() {
        Some(held) => Some(Table::new(name, problems.span(&value.span()), held)),
        None => {
            wrong(name, "a table", value, problems);
            None
        }
    }
}

/// Tells of a value of another kind than `wanted`.
pub fn wrong(what: &str, wanted: &str, value: &Spanned<DeValue<'_>>, problems: &mut Problems) {
    let kind = match value.get_ref() {
        DeValue::String(_) => "text",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    };
    let message = format!("{what} takes {wanted}");
    let span = problems.span(&value.span());
    problems.add(Diagnostic::error(codes::WRONG_TYPE, message, span, format!("this is {kind}")));
}
