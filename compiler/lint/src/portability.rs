//! Names and numbers that other languages, or other programs, cannot tell apart.

use crate::{codes, Advice, Keywords};
use aldis_diagnostics::Span;
use aldis_schema::{MessageDef, Schema, TypeKind};
use std::collections::BTreeMap;

pub(crate) fn advise(schema: &Schema, languages: &[Keywords<'_>], advice: &mut Advice) {
    for definition in &schema.types {
        let names: Vec<(&str, Span)> = match &definition.kind {
            TypeKind::Record(record) => record.fields.iter().map(|f| (f.name.as_str(), f.span)).collect(),
            TypeKind::Union(union) => union.arms.iter().map(|a| (a.field.name.as_str(), a.field.span)).collect(),
            TypeKind::Enum(kind) => kind.values.iter().map(|v| (v.name.as_str(), v.span)).collect(),
            TypeKind::Flags(kind) => kind.values.iter().map(|v| (v.name.as_str(), v.span)).collect(),
        };
        clashes(&names, &definition.name.local(), advice);
        for (name, span) in names {
            keyword(name, span, languages.iter().filter(|language| language.words.contains(&name)), advice);
        }
        if let Some(name) = definition.name.path.last().map(String::as_str) {
            let having = languages.iter().filter(|language| language.of_types.contains(&name));
            keyword(name, definition.span, having, advice);
        }
    }
    let types: Vec<(String, Span)> = schema.types.iter().map(|t| (t.name.full(), t.span)).collect();
    let types: Vec<(&str, Span)> = types.iter().map(|(name, span)| (name.as_str(), *span)).collect();
    clashes(&types, "the schema", advice);
    numbers(schema, advice);
}

fn keyword<'k>(name: &str, span: Span, having: impl Iterator<Item = &'k Keywords<'k>>, advice: &mut Advice) {
    let having: Vec<&str> = having.map(|language| language.language).collect();
    if !having.is_empty() {
        let message = format!("`{name}` is a keyword of {}", having.join(", "));
        advice.give(codes::KEYWORD, message, span, "");
    }
}

fn clashes(names: &[(&str, Span)], scope: &str, advice: &mut Advice) {
    let mut known: BTreeMap<String, (&str, Span)> = BTreeMap::new();
    for (name, span) in names.iter().filter(|(name, _)| !name.is_empty()) {
        let plain: String = name.chars().filter(|c| *c != '_').flat_map(char::to_lowercase).collect();
        let Some((first, place)) = known.get(&plain) else {
            known.insert(plain, (name, *span));
            continue;
        };
        if first != name {
            let message = format!("`{name}` and `{first}` of {scope} differ in case or underscores alone");
            let place = *place;
            if let Some(given) = advice.give(codes::CLASH, message, *span, "this one") {
                *given = given.clone().label(place, "and this one");
            }
        }
    }
}

fn numbers(schema: &Schema, advice: &mut Advice) {
    let mut known: BTreeMap<u64, &MessageDef> = BTreeMap::new();
    for message in schema.messages.iter().filter(|message| message.listed) {
        let Some(id) = message.id else { continue };
        let Some(first) = known.get(&id) else {
            known.insert(id, message);
            continue;
        };
        let (one, two) = (schema.type_def(message.record), schema.type_def(first.record));
        let text = format!("`{}` and `{}` both have the number {id}", one.name.local(), two.name.local());
        if let Some(given) = advice.give(codes::SHARED_NUMBER, text, one.span, "this one") {
            *given = given.clone().label(two.span, "and this one");
        }
    }
}
