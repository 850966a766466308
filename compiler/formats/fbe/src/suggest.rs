//! The words that may be written at a place of an FBE schema.

use crate::ast::Body;
use crate::lexer::lex;
use crate::load::Loaded;
use crate::resolve::{ATTRIBUTES, BUILTINS};
use aldis_plan::{Suggestion, SuggestionKind};
use aldis_text::TokenKind;

const STATEMENTS: [&str; 8] = ["domain", "package", "version", "import", "enum", "flags", "struct", "message"];

/// The surroundings of the place: the body that it is in, and the last words before it.
#[derive(Default)]
struct Before<'a> {
    /// The keyword of the open body.
    body: Option<&'a str>,
    /// Its own keyword, for a body that may open next.
    keyword: &'a str,
    /// Braces that are open: that of the body, and those around a key.
    depth: usize,
    in_attribute: bool,
    /// The last word or mark, and the one before it.
    last: &'a str,
    second: &'a str,
}

pub(crate) fn suggest(loaded: &Loaded, at: usize) -> Vec<Suggestion> {
    let Some(source) = loaded.sources.iter().next() else { return Vec::new() };
    let Some(before) = before(&source.text, at) else { return Vec::new() };
    let words = |words: &[&str], kind| words.iter().map(|word| Suggestion::new(*word, kind, "")).collect();
    match (before.body, before.last) {
        (_, ".") => types(loaded, Some(before.second)),
        (_, "(") if before.in_attribute => types(loaded, None),
        (_, _) if before.in_attribute => words(&ATTRIBUTES, SuggestionKind::Attribute),
        (None, ":" | "(") => all_types(loaded),
        (None, last) if !STATEMENTS.contains(&last) => words(&STATEMENTS, SuggestionKind::Keyword),
        (Some("struct" | "message"), "{" | ";" | "]" | "<") => all_types(loaded),
        (Some(_), "=") => words(
            &["true", "false", "null", "epoch", "utc", "uuid0", "uuid1", "uuid4", "min", "max"],
            SuggestionKind::Value,
        ),
        _ => Vec::new(),
    }
}

/// `None` within a comment or a text.
fn before(text: &str, at: usize) -> Option<Before<'_>> {
    let mut before = Before::default();
    for token in lex(text) {
        // A word that ends right here is the one being written.
        if token.end > at || (token.end == at && token.kind == TokenKind::Name) || token.kind == TokenKind::End {
            let is_word = matches!(token.kind, TokenKind::Name | TokenKind::Space | TokenKind::Number);
            return (token.start >= at || is_word).then_some(before);
        }
        let to_line_end = matches!(token.kind, TokenKind::OpenComment | TokenKind::LineComment);
        if token.end == at && to_line_end {
            return None;
        }
        if token.is_trivia() {
            continue;
        }
        let word = &text[token.start..token.end];
        match word {
            "{" => {
                before.body = before.body.or(Some(before.keyword));
                before.depth += 1;
            }
            "}" => {
                before.depth = before.depth.saturating_sub(1);
                before.body = before.body.filter(|_| before.depth > 0);
            }
            "[" => before.in_attribute = true,
            "]" => before.in_attribute = false,
            "enum" | "flags" | "struct" | "message" => before.keyword = word,
            _ => {}
        }
        before.second = before.last;
        before.last = word;
    }
    Some(before)
}

fn all_types(loaded: &Loaded) -> Vec<Suggestion> {
    let builtin = BUILTINS.iter().map(|name| Suggestion::new(*name, SuggestionKind::Builtin, "built in"));
    builtin.chain(types(loaded, None)).collect()
}

/// The declared types, all of them or those of one package. Those of other packages go with their package's name.
fn types(loaded: &Loaded, only: Option<&str>) -> Vec<Suggestion> {
    let package = |file: usize| loaded.files[file].ast.package.as_ref().map_or("", |package| package.text.as_str());
    let mut found = Vec::new();
    for (file, of) in loaded.files.iter().enumerate() {
        if only.is_some_and(|only| only != package(file)) {
            continue;
        }
        for declaration in &of.ast.declarations {
            let name = &declaration.name.text;
            let qualified = only.is_none() && package(file) != package(0);
            let text = if qualified { format!("{}.{name}", package(file)) } else { name.clone() };
            let what = match declaration.body {
                Body::Enum(_) => "enum",
                Body::Flags(_) => "flags",
                Body::Struct(_) => "struct",
            };
            found.push(Suggestion::new(text, SuggestionKind::Type, what));
        }
    }
    found
}
