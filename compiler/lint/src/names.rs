//! Names that are written unlike the others.

use crate::{codes, Advice};
use aldis_diagnostics::{Mend, Span};
use aldis_schema::{Role, Schema, TypeKind};

/// Names of a kind are only compared where there are so many.
const ENOUGH: usize = 8;

/// How words become a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    /// `maxOrderId`
    Camel,
    /// `MaxOrderId`
    Pascal,
    /// `max_order_id`
    Snake,
    /// `MAX_ORDER_ID`
    Upper,
}

impl Style {
    const ALL: [Style; 4] = [Style::Camel, Style::Pascal, Style::Snake, Style::Upper];

    fn example(self) -> &'static str {
        match self {
            Style::Camel => "maxOrderId",
            Style::Pascal => "MaxOrderId",
            Style::Snake => "max_order_id",
            Style::Upper => "MAX_ORDER_ID",
        }
    }

    /// The name, written so.
    fn write(self, name: &str) -> String {
        let mut words: Vec<String> = Vec::new();
        let mut before = '_';
        for c in name.chars() {
            // `maxId2` has the words max and id2, `MAX_ID` max and id, `HTTPPort` stays one word until its last capital.
            let begins = before == '_' || (c.is_uppercase() && !before.is_uppercase());
            if c != '_' && begins {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut().filter(|_| c != '_') {
                word.extend(c.to_lowercase());
            }
            before = c;
        }
        let capital = |word: &String| {
            let mut letters = word.chars();
            letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>()).unwrap_or_default()
        };
        match self {
            Style::Snake => words.join("_"),
            Style::Upper => words.join("_").to_uppercase(),
            Style::Pascal => words.iter().map(capital).collect(),
            Style::Camel => words.iter().take(1).cloned().chain(words.iter().skip(1).map(capital)).collect(),
        }
    }

    /// Whether the name can have been written so; a single word mostly fits two styles.
    fn fits(self, name: &str) -> bool {
        let upper = name.starts_with(|c: char| c.is_uppercase());
        let has = |wanted: fn(char) -> bool| name.contains(wanted);
        match self {
            Style::Camel => !upper && !name.contains('_'),
            Style::Pascal => upper && !name.contains('_'),
            Style::Snake => !has(char::is_uppercase),
            Style::Upper => !has(char::is_lowercase),
        }
    }
}

pub(crate) fn advise(schema: &Schema, advice: &mut Advice) {
    let (mut types, mut fields, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for definition in &schema.types {
        let last = definition.name.path.last();
        let named = |name: &str, span: Span| (name.to_owned(), span);
        match &definition.kind {
            TypeKind::Record(record) => {
                // A group's type is named as the field that it is.
                let own = record.role != Role::Group;
                types.extend(last.filter(|_| own).map(|name| named(name, definition.span)));
                // Members of composites are often called as their format's documents say.
                let fields_too = record.fields.iter().filter(|_| record.role != Role::Composite);
                fields.extend(fields_too.map(|field| named(&field.name, field.span)));
            }
            TypeKind::Union(union) => {
                fields.extend(union.arms.iter().map(|arm| named(&arm.field.name, arm.field.span)))
            }
            TypeKind::Enum(kind) => {
                types.extend(last.map(|name| named(name, definition.span)));
                values.extend(kind.values.iter().map(|value| named(&value.name, value.span)));
            }
            TypeKind::Flags(kind) => {
                types.extend(last.map(|name| named(name, definition.span)));
                values.extend(kind.values.iter().map(|value| named(&value.name, value.span)));
            }
        }
    }
    for (kind, names) in [("types", types), ("fields", fields), ("values", values)] {
        compare(kind, names, advice);
    }
}

/// Tells of the names that one in twenty, or fewer, have in another style than the rest.
fn compare(kind: &str, mut names: Vec<(String, Span)>, advice: &mut Advice) {
    names.retain(|(name, span)| !name.is_empty() && span.end > 0);
    names.sort_by_key(|(_, span)| (span.source, span.start));
    names.dedup();
    if names.len() < ENOUGH {
        return;
    }
    let fitting = |style: &Style| names.iter().filter(|(name, _)| style.fits(name)).count();
    let Some(usual) = Style::ALL.into_iter().max_by_key(fitting) else { return };
    let odd: Vec<&(String, Span)> = names.iter().filter(|(name, _)| !usual.fits(name)).collect();
    if odd.len() * 20 > names.len() {
        return;
    }
    for (name, span) in odd {
        let message =
            format!("`{name}` is written unlike the other {kind}, which are written as `{}`", usual.example());
        if let Some(given) = advice.give(codes::STYLE, message, *span, "") {
            given.mends.push(Mend { span: *span, text: usual.write(name), everywhere: true });
        }
    }
}
