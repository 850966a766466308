//! The words that may be written at a place of a Cap'n Proto schema.

use super::lexer::lex;
use super::resolve::BUILTINS;
use aldis_plan::{Index, Suggestion, SuggestionKind};
use aldis_schema::{DeclarationId, NameKind};
use aldis_text::TokenKind;

const STATEMENTS: [&str; 8] = ["struct", "enum", "interface", "const", "annotation", "using", "union", "group"];

pub(super) fn suggest(index: &Index, at: usize) -> Vec<Suggestion> {
    let Some(source) = index.sources.iter().next() else { return Vec::new() };
    let Some((second, last)) = before(&source.text, at) else { return Vec::new() };
    match last {
        "." => members(index, second),
        "$" => declared(index, |kind| kind == NameKind::Annotation),
        "" | "{" | "}" | ";" => words(&STATEMENTS),
        "=" => [words(&["import", "embed", "true", "false", "void"]), declared(index, is_named)].concat(),
        ":" if ["union", "group"].contains(&second) => Vec::new(),
        ":" | "(" | "," => {
            let builtin = BUILTINS.iter().map(|(name, _)| Suggestion::new(*name, SuggestionKind::Builtin, "built in"));
            let more = if last == ":" { words(&["union", "group"]) } else { Vec::new() };
            builtin.chain(declared(index, NameKind::is_type)).chain(more).collect()
        }
        _ => Vec::new(),
    }
}

fn words(words: &[&str]) -> Vec<Suggestion> {
    words.iter().map(|word| Suggestion::new(*word, SuggestionKind::Keyword, "")).collect()
}

fn is_named(kind: NameKind) -> bool {
    kind.is_type() || kind == NameKind::Constant
}

/// The last two words or marks before the place; `None` within a comment or a text.
fn before(text: &str, at: usize) -> Option<(&str, &str)> {
    let (mut second, mut last) = ("", "");
    for token in lex(text) {
        let is_word = token.kind == TokenKind::Name;
        if token.end > at || (token.end == at && is_word) || token.kind == TokenKind::End {
            let is_closed = token.start >= at || is_word || token.kind == TokenKind::Space;
            return is_closed.then_some((second, last));
        }
        if token.is_comment() && token.end == at {
            return None;
        }
        if token.kind != TokenKind::Space && !token.is_comment() {
            second = last;
            last = &text[token.start..token.end];
        }
    }
    Some((second, last))
}

/// The declarations of the file itself, with the names around theirs.
fn declared(index: &Index, wanted: impl Fn(NameKind) -> bool) -> Vec<Suggestion> {
    let own = index.names.declarations.iter().enumerate();
    let own = own.filter(|(_, entry)| entry.span.source.0 == 0 && wanted(entry.kind));
    own.map(|(id, entry)| {
        Suggestion::new(index.names.path(DeclarationId(id)).join("."), SuggestionKind::Type, entry.kind.noun())
    })
    .collect()
}

/// The declarations in whatever is called so, be it an alias of a file.
fn members(index: &Index, name: &str) -> Vec<Suggestion> {
    let names = &index.names;
    let called = names.declarations.iter().enumerate().filter(|(_, entry)| entry.name == name);
    let mut found = Vec::new();
    for (id, entry) in called {
        let of = match entry.kind {
            // The first name behind the alias's own is what it means, or leads there.
            NameKind::Alias => {
                let behind = names.uses.iter().filter(|other| other.span.source == entry.span.source);
                behind
                    .filter(|other| other.span.start > entry.span.end)
                    .min_by_key(|other| other.span.start)
                    .map(|other| other.of)
            }
            _ => Some(DeclarationId(id)),
        };
        for child in of.into_iter().flat_map(|of| names.children(of)) {
            let child = names.get(child);
            if is_named(child.kind) || child.kind == NameKind::Annotation {
                found.push(Suggestion::new(&child.name, SuggestionKind::Type, child.kind.noun()));
            }
        }
    }
    found
}
