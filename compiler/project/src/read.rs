//! From the text of a project's file to a [`Project`].

use crate::table::{text, wrong, Problems, Table};
use crate::{codes, Against, At, Breaking, Exception, Level, Output, Pattern, Patterns, Project, Refusal, Schemas};
use crate::{Vocabulary, Word};
use aldis_diagnostics::{sort, Diagnostic, SourceId, Sources};
use toml::de::{DeTable, DeValue};
use toml::Spanned;

/// The project that the source says, and what is wrong with it, in the order of the text.
pub fn read(sources: &Sources, source: SourceId, words: &dyn Vocabulary) -> (Project, Vec<Diagnostic>) {
    let mut reader = Reader { words, problems: Problems { source, found: Vec::new() } };
    let (root, errors) = DeTable::parse_recoverable(&sources.get(source).text);
    let mut project = Project::default();
    // Later mistakes may come from the first one.
    if let Some(error) = errors.first() {
        let span = reader.problems.span(&error.span().unwrap_or_default());
        reader.problems.add(Diagnostic::error(codes::SYNTAX, error.message(), span, ""));
    }
    // The recovered part of broken text may lack keys that are there.
    if errors.is_empty() {
        let start = reader.problems.span(&(0..0));
        project = reader.project(Table::new("aldis.toml", start, root.get_ref()));
    }
    let mut found = reader.problems.found;
    sort(&mut found);
    (project, found)
}

struct Reader<'w> {
    words: &'w dyn Vocabulary,
    problems: Problems,
}

impl Reader<'_> {
    fn project(&mut self, mut root: Table<'_>) -> Project {
        let project = Project {
            schemas: self.schemas(&mut root),
            imports: root.texts("imports", &mut self.problems),
            outputs: self.outputs(&mut root),
            breaking: self.breaking(&mut root),
            lint: self.lint(&mut root),
        };
        root.end(&mut self.problems);
        project
    }

    fn schemas(&mut self, root: &mut Table<'_>) -> Vec<Schemas> {
        let values = root.list("schemas");
        if values.is_empty() {
            // An empty list is as good as none.
            let message = "the project has no schemas";
            let here = "add `schemas = [\"**/*.fbe\"]`";
            self.problems.add(Diagnostic::error(codes::MISSING_KEY, message, root.span, here));
        }
        let (mut plain, mut all) = (Schemas::default(), Vec::new());
        for value in values {
            match value.get_ref() {
                DeValue::Table(held) => {
                    let span = self.problems.span(&value.span());
                    all.push(self.files(Table::new("an entry of `schemas`", span, held)));
                }
                _ => {
                    let text = text("schemas", value, &mut self.problems);
                    self.pattern(text, &mut plain.files);
                }
            }
        }
        // Patterns that stand alone leave files out of all entries.
        for entry in &mut all {
            entry.files.left_out.extend(plain.files.left_out.iter().cloned());
        }
        if !plain.files.taken.is_empty() {
            all.push(plain);
        } else if all.is_empty() {
            self.takes_none(&plain.files);
        }
        all
    }

    fn files(&mut self, mut table: Table<'_>) -> Schemas {
        let texts = table.texts("files", &mut self.problems);
        if texts.is_empty() {
            table.needed("files", &mut self.problems);
        }
        let files = self.patterns(texts);
        if files.taken.is_empty() {
            self.takes_none(&files);
        }
        let format = table.text("format", &mut self.problems);
        let frame_length = table.text("frame-length", &mut self.problems);
        table.end(&mut self.problems);
        Schemas {
            files,
            format: self.word(Word::Format, "format of schemas", format),
            frame_length: self.word(Word::FrameLength, "frame length", frame_length),
        }
    }

    /// Tells of patterns of which none takes a file.
    fn takes_none(&mut self, files: &Patterns) {
        let Some(first) = files.left_out.first() else { return };
        let message = "these patterns leave schemas out, and none takes any";
        let here = "add a pattern without `!`";
        self.problems.add(Diagnostic::error(codes::MISSING_KEY, message, first.text.span, here));
    }

    fn patterns(&mut self, texts: Vec<At<String>>) -> Patterns {
        let mut patterns = Patterns::default();
        texts.into_iter().for_each(|text| self.pattern(Some(text), &mut patterns));
        patterns
    }

    fn pattern(&mut self, text: Option<At<String>>, patterns: &mut Patterns) {
        let Some(text) = text else { return };
        let (span, left_out) = (text.span, text.value.starts_with('!'));
        match Pattern::new(text) {
            Ok(pattern) if left_out => patterns.left_out.push(pattern),
            Ok(pattern) => patterns.taken.push(pattern),
            Err(error) => {
                let message = "this pattern of paths is not well formed";
                self.problems.add(Diagnostic::error(codes::BAD_PATTERN, message, span, error));
            }
        }
    }

    /// The text where it is such a word.
    fn word(&mut self, word: Word<'_>, what: &str, text: Option<At<String>>) -> Option<String> {
        let text = text?;
        match self.words.check(word, &text.value) {
            Ok(()) => Some(text.value),
            Err(refusal) => {
                self.problems.refuse(what, &text, &refusal);
                None
            }
        }
    }

    fn outputs(&mut self, root: &mut Table<'_>) -> Vec<Output> {
        let tables = root.tables("outputs", "[[outputs]]", &mut self.problems);
        tables.into_iter().filter_map(|table| self.output(table)).collect()
    }

    fn output(&mut self, mut table: Table<'_>) -> Option<Output> {
        let span = table.span;
        let language = table.needed("language", &mut self.problems);
        let language = self.word(Word::Language, "language", language);
        let folder = table.needed("folder", &mut self.problems);
        let schemas = table.texts("schemas", &mut self.problems);
        let schemas = self.patterns(schemas);
        let name = table.text("name", &mut self.problems);
        let prefix = table.text("prefix", &mut self.problems).map(|prefix| prefix.value);
        let renames = self.renames(&mut table);
        let options = table.table("options", &mut self.problems);
        table.end(&mut self.problems);
        let language = language?;
        let word = Word::ModuleName { language: &language };
        let name = self.word(word, &format!("module name of {language}"), name);
        let options = options.map(|options| self.options(&language, options)).unwrap_or_default();
        Some(Output { span, language, folder: folder?.value, schemas, name, prefix, renames, options })
    }

    fn renames(&mut self, table: &mut Table<'_>) -> Vec<(At<String>, String)> {
        let Some(renames) = table.table("rename", &mut self.problems) else { return Vec::new() };
        let entries = renames.entries(&self.problems).into_iter();
        entries.filter_map(|(from, value)| Some((from, text("rename", value, &mut self.problems)?.value))).collect()
    }

    /// Options: `true` for those without a value, and `false` for those that are not wanted.
    fn options(&mut self, language: &str, options: Table<'_>) -> Vec<(String, String)> {
        let mut all = Vec::new();
        for (name, value) in options.entries(&self.problems) {
            let given = match value.get_ref() {
                DeValue::Boolean(false) => continue,
                DeValue::Boolean(true) => String::new(),
                DeValue::String(text) => text.to_string(),
                _ => {
                    wrong(&format!("`{}`", name.value), "text, true or false", value, &mut self.problems);
                    continue;
                }
            };
            let word = Word::Option { language, value: &given };
            let name = self.word(word, &format!("option of {language}, or takes another value"), Some(name));
            all.extend(name.map(|name| (name, given)));
        }
        all
    }

    fn breaking(&mut self, root: &mut Table<'_>) -> Breaking {
        let Some(mut table) = root.table("breaking", &mut self.problems) else { return Breaking::default() };
        let against = table.text("against", &mut self.problems);
        let must = table.text("must", &mut self.problems);
        let form = table.text("form", &mut self.problems).map(|form| form.value);
        let exceptions = table.tables("exceptions", "[[breaking.exceptions]]", &mut self.problems);
        let exceptions = exceptions.into_iter().filter_map(|table| self.exception(table)).collect();
        table.end(&mut self.problems);
        let must = self.word(Word::Letters, "choice of questions", must);
        Breaking { against: against.map(against_of), must, form, exceptions }
    }

    fn exception(&mut self, mut table: Table<'_>) -> Option<Exception> {
        let span = table.span;
        let what = table.text("what", &mut self.problems).map(|what| what.value);
        let code = table.text("code", &mut self.problems);
        let is_any = what.is_none() && code.is_none();
        let reason = table.needed("reason", &mut self.problems);
        table.end(&mut self.problems);
        if is_any {
            let message = "[[breaking.exceptions]] says of no change that it may break";
            let here = "add `what = \"the full name of what changed\"`, `code = \"…\"`, or both";
            self.problems.add(Diagnostic::error(codes::MISSING_KEY, message, span, here));
        }
        let code = self.word(Word::Difference, "code of a change", code);
        let reason = reason?;
        if reason.value.trim().is_empty() {
            let message = "the exception has no reason";
            self.problems.add(Diagnostic::error(codes::NO_REASON, message, reason.span, "say why"));
        }
        Some(Exception { span, what, code, reason: reason.value })
    }

    fn lint(&mut self, root: &mut Table<'_>) -> Vec<(String, Level)> {
        let Some(table) = root.table("lint", &mut self.problems) else { return Vec::new() };
        let mut levels = Vec::new();
        for (name, value) in table.entries(&self.problems) {
            let known = name.value == "all";
            let rule = if known { Some(name.value) } else { self.word(Word::Rule, "rule or set of rules", Some(name)) };
            let level = self.level(value);
            levels.extend(rule.zip(level));
        }
        levels
    }

    fn level(&mut self, value: &Spanned<DeValue<'_>>) -> Option<Level> {
        let word = text("a level", value, &mut self.problems)?;
        let found = Level::NAMES.iter().find(|(name, _)| *name == word.value);
        if found.is_none() {
            let known: Vec<String> = Level::NAMES.iter().map(|(name, _)| (*name).to_owned()).collect();
            let rule = format!("there are {}", known.join(", "));
            self.problems.refuse("level", &word, &Refusal { rule, known });
        }
        found.map(|(_, level)| *level)
    }
}

fn against_of(text: At<String>) -> At<Against> {
    let value = match text.value.strip_prefix("git:") {
        Some(reference) => Against::Git(reference.to_owned()),
        None if text.value == "lock" => Against::Lock,
        None => Against::Folder(text.value),
    };
    At { value, span: text.span }
}
