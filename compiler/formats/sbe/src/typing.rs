//! The words that may be written at a place of an SBE schema. The text is seldom well-formed while somebody types in it, so its
//! tags are looked at one by one.

use crate::grammar::{attributes_of, children_of};
use crate::primitive;
use aldis_plan::{Suggestion, SuggestionKind};

pub(crate) fn suggest(text: &str, at: usize) -> Vec<Suggestion> {
    let head = text.get(..at).unwrap_or(text);
    let Some(open) = head.rfind('<') else { return elements(None) };
    let tag = &head[open + 1..];
    if tag.starts_with(['!', '?', '/']) || closed(tag) {
        return Vec::new();
    }
    let Some((element, rest)) = tag.split_once(char::is_whitespace) else {
        return elements(enclosing(&head[..open]));
    };
    let element = local(element);
    let mut pieces = rest.split('"');
    match rest.matches('"').count() % 2 {
        1 => {
            let name = pieces.nth_back(1).unwrap_or_default().trim_end().trim_end_matches('=').trim_end();
            values(text, element, name.rsplit(char::is_whitespace).next().unwrap_or(name))
        }
        _ => {
            let given = |name: &str| {
                rest.split_whitespace().any(|word| word.split('=').next() == Some(name) && word.contains('='))
            };
            let (required, optional) = attributes_of(element).unwrap_or_default();
            let wanted = |names: &'static [&'static str], detail: &'static str| {
                let free = names.iter().filter(|name| !given(name));
                free.map(move |name| Suggestion::new(*name, SuggestionKind::Attribute, detail)).collect::<Vec<_>>()
            };
            [wanted(required, "required"), wanted(optional, "optional")].concat()
        }
    }
}

/// Whether the tag ends before the place.
fn closed(tag: &str) -> bool {
    tag.split('"').step_by(2).any(|outside| outside.contains('>'))
}

fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

/// The element that is open at the end of the text.
fn enclosing(text: &str) -> Option<&str> {
    let mut open = Vec::new();
    for tag in text.split('<').skip(1) {
        let name = tag.split(|c: char| c.is_whitespace() || c == '>' || c == '/').next().unwrap_or_default();
        if tag.starts_with('/') {
            open.pop();
        } else if !tag.starts_with(['!', '?']) && !tag.trim_end().ends_with("/>") && !tag.contains("/>") {
            open.push(local(name));
        }
    }
    open.pop()
}

fn elements(parent: Option<&str>) -> Vec<Suggestion> {
    let names = parent.and_then(children_of).unwrap_or(&["messageSchema"]);
    names.iter().map(|name| Suggestion::new(*name, SuggestionKind::Element, "")).collect()
}

/// The values of an attribute: types by name, or its own words.
fn values(text: &str, element: &str, attribute: &str) -> Vec<Suggestion> {
    let words = |words: &[&str]| words.iter().map(|word| Suggestion::new(*word, SuggestionKind::Value, "")).collect();
    match (element, attribute) {
        (_, "presence") => words(&["required", "optional", "constant"]),
        (_, "byteOrder") => words(&["littleEndian", "bigEndian"]),
        (_, "variableLength") => words(&["true", "false"]),
        (_, "primitiveType") => builtins(),
        (_, "dimensionType" | "headerType") => declared(text, &["composite"]),
        ("data", "type") => declared(text, &["composite"]),
        (_, "type") => [declared(text, &["type", "composite", "enum", "set"]), builtins()].concat(),
        (_, "encodingType") => [declared(text, &["type"]), builtins()].concat(),
        _ => Vec::new(),
    }
}

fn builtins() -> Vec<Suggestion> {
    primitive::NAMES.iter().map(|name| Suggestion::new(*name, SuggestionKind::Builtin, "built in")).collect()
}

/// The names of the elements of these kinds in the text.
fn declared(text: &str, kinds: &[&str]) -> Vec<Suggestion> {
    let mut found = Vec::new();
    for tag in text.split('<').skip(1) {
        let Some((name, rest)) = tag.split_once(char::is_whitespace) else { continue };
        let Some(kind) = kinds.iter().find(|kind| **kind == local(name)) else { continue };
        let after = rest.split_once("name=\"").and_then(|(_, after)| after.split_once('"'));
        if let Some((name, _)) = after {
            let suggestion = Suggestion::new(name, SuggestionKind::Type, *kind);
            if !found.contains(&suggestion) {
                found.push(suggestion);
            }
        }
    }
    found
}
