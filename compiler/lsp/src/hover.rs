//! The meaning of a name, and the place of its bytes.

use aldis_plan::{Index, Line, Outline, Plan};
use aldis_schema::{
    type_text, DeclarationId, EnumValue, Field, FlagValue, NameKind, Schema, TypeDef, TypeId, TypeKind,
};

/// Lines of a layout that are shown.
const MOST_LINES: usize = 60;

/// The meaning of a declared name, in Markdown. The plan may be of an older text.
pub(crate) fn text(index: &Index, id: DeclarationId, plan: Option<&Plan>) -> String {
    let entry = index.names.get(id);
    let path = match entry.kind {
        NameKind::File => entry.name.clone(),
        _ => index.names.path(id).join("."),
    };
    let mut text = format!("**{}** `{path}`", entry.kind.noun());
    let found = plan.and_then(|plan| Some((plan, find(&plan.schema, index, id)?)));
    match found {
        Some((plan, Found::Type(id, definition))) => of_type(plan, id, definition, &mut text),
        Some((plan, Found::Field(record, place, field))) => of_field(plan, record, place, field, &mut text),
        Some((_, Found::Value(value))) => text.push_str(&format!(" = {}{}", value.value, since(value.since))),
        Some((_, Found::Flag(flag))) => text.push_str(&format!(" = {:#x}{}", flag.mask, since(flag.since))),
        None => {}
    }
    if !entry.doc.is_empty() {
        text.push_str("\n\n");
        text.push_str(&plain(&entry.doc));
    }
    text
}

/// Documentation as Markdown that shows the same characters.
fn plain(doc: &str) -> String {
    let mut text = String::with_capacity(doc.len());
    // Blanks, lists, underlines of headings are such by their place in the line.
    let (mut is_start, mut is_number) = (true, false);
    for c in doc.chars() {
        let begins = is_start;
        is_start = c == '\n' || (begins && matches!(c, ' ' | '\t'));
        let behind_number = is_number;
        is_number = c.is_ascii_digit() && (begins || behind_number);
        match c {
            ' ' | '\t' if begins => text.push_str("&nbsp;"),
            '-' | '+' | '=' if begins => text.extend(['\\', c]),
            '.' | ')' if behind_number => text.extend(['\\', c]),
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '&' | '|' | '!' | '~' => text.extend(['\\', c]),
            '\n' => text.push_str("  \n"),
            c => text.push(c),
        }
    }
    text
}

enum Found<'a> {
    Type(TypeId, &'a TypeDef),
    Field(TypeId, u32, &'a Field),
    Value(&'a EnumValue),
    Flag(&'a FlagValue),
}

/// The part of the schema that the declaration became: by its names, since places differ in a plan of an older text.
fn find<'a>(schema: &'a Schema, index: &Index, id: DeclarationId) -> Option<Found<'a>> {
    let path = index.names.path(id);
    let mut types = (0..).map(TypeId).zip(&schema.types);
    if index.names.get(id).kind != NameKind::Field {
        if let Some((id, definition)) = types.clone().find(|entry| entry.1.name.path == path) {
            return Some(Found::Type(id, definition));
        }
    }
    let (last, owner) = path.split_last()?;
    let (record, definition) = types.find(|(_, definition)| definition.name.path == owner)?;
    match &definition.kind {
        TypeKind::Record(of) => {
            let place = of.field_index(last)?;
            Some(Found::Field(record, place as u32, &of.fields[place]))
        }
        TypeKind::Enum(of) => of.values.iter().find(|value| value.name == *last).map(Found::Value),
        TypeKind::Flags(of) => of.values.iter().find(|value| value.name == *last).map(Found::Flag),
        TypeKind::Union(_) => None,
    }
}

fn of_type(plan: &Plan, id: TypeId, definition: &TypeDef, text: &mut String) {
    match &definition.kind {
        TypeKind::Record(_) => {
            let message = plan.schema.messages.iter().find(|message| message.record == id);
            if let Some(number) = message.and_then(|message| message.id) {
                text.push_str(&format!(", number {number}"));
            }
            if let Some(outline) = plan.outline(id) {
                text.push_str(&format!(": {}\n\n{}", outline.summary, table(&outline)));
            }
        }
        TypeKind::Enum(of) => {
            text.push_str(&format!(": {} in {}", count(of.values.len()), type_text(&plan.schema, &of.repr)));
        }
        TypeKind::Flags(of) => text.push_str(&format!(": {} in {} bits", count(of.values.len()), of.repr.bits)),
        TypeKind::Union(_) => {}
    }
}

fn count(values: usize) -> String {
    format!("{values} value{}", if values == 1 { "" } else { "s" })
}

/// The layout in fixed columns.
fn table(outline: &Outline) -> String {
    let mut rows = vec![["offset".to_owned(), "size".into(), "field".into(), "type".into()]];
    let shown = outline.lines.iter().take(MOST_LINES);
    rows.extend(shown.map(|line| [line.offset_text(), line.size_text(), line.name.clone(), line.type_text()]));
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let (offset, size, name) = (width(0), width(1), width(2));
    let mut text = String::from("```text\n");
    for [a, b, c, d] in &rows {
        text.push_str(format!("{a:>offset$}  {b:>size$}  {c:<name$}  {d}").trim_end());
        text.push('\n');
    }
    match outline.lines.len().saturating_sub(MOST_LINES) {
        0 => {}
        more => text.push_str(&format!("… and {more} more\n")),
    }
    text + "```"
}

fn of_field(plan: &Plan, record: TypeId, place: u32, field: &Field, text: &mut String) {
    text.push_str(&format!(": {}", type_text(&plan.schema, &field.ty)));
    let outline = plan.outline(record).unwrap_or_default();
    let lines: Vec<&Line> = outline.lines.iter().filter(|line| line.path.first() == Some(&place)).collect();
    // A field that is a record opens into several lines.
    let begin = lines.iter().filter_map(|line| line.at.map(|at| (at, line))).min_by_key(|(at, _)| *at);
    let end = lines.iter().filter_map(|line| Some(line.at? + line.size.unwrap_or(0))).max();
    match (begin, end, lines.first()) {
        (Some((at, line)), Some(end), _) => match line.bit {
            Some(bit) => text.push_str(&format!("  \nbit {bit} of byte {at}")),
            None => text.push_str(&format!("  \noffset {at}, size {}", end - at)),
        },
        (_, _, Some(line)) if line.size.is_none() => text.push_str("  \nof variable size, behind the fixed part"),
        _ => {}
    }
    if let [line] = lines.as_slice() {
        text.push_str(&format!(": {}", line.ty));
    }
    text.push_str(&since(field.since));
    for (key, value) in &field.notes {
        text.push_str(&format!("  \n{}: {}", plain(key), plain(value)));
    }
    if field.deprecated {
        text.push_str("  \ndeprecated");
    }
}

fn since(version: u32) -> String {
    match version {
        0 => String::new(),
        version => format!(", since version {version}"),
    }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn documentation_makes_no_lists_headings_and_code() {
        for (doc, wanted) in [
            ("- a\n+ b", "\\- a  \n\\+ b"),
            ("1. a\n12) b\nv1.2", "1\\. a  \n12\\) b  \nv1.2"),
            ("a\n---\n===", "a  \n\\---  \n\\==="),
            ("\n    a b", "  \n&nbsp;&nbsp;&nbsp;&nbsp;a b"),
            (" - a-b", "&nbsp;\\- a-b"),
            ("*a*", "\\*a\\*"),
        ] {
            assert_eq!(plain(doc), wanted, "{doc:?}");
        }
    }
}
