//! One section for each type.

use crate::html::{element, text, with_text, Html};
use crate::links::{literal_text, Links};
use crate::picture::picture;
use aldis_plan::{Line, Outline, Plan};
use aldis_schema::{type_text, Enum, Field, Flags, Role, Schema, Type, TypeDef, TypeId, TypeKind, Union};

/// The kind of a type, in a word.
pub(crate) fn noun(schema: &Schema, id: TypeId) -> &'static str {
    match &schema.type_def(id).kind {
        TypeKind::Record(record) => match record.role {
            Role::Struct => "struct",
            Role::Message => "message",
            Role::Composite => "composite",
            Role::Group => "group",
        },
        TypeKind::Union(_) => "union",
        TypeKind::Enum(_) => "enum",
        TypeKind::Flags(_) => "flags",
    }
}

pub(crate) fn section(plans: &[Plan], links: &Links<'_>, id: TypeId) -> Html {
    let schema = &plans[0].schema;
    let definition = schema.type_def(id);
    let mut parts = vec![heading(schema, links, id, definition)];
    parts.extend(documentation(&definition.doc));
    match &definition.kind {
        TypeKind::Record(record) => match layouts(plans, links, id) {
            // A composite lies within the records that hold it.
            found if found.is_empty() => parts.push(fields(links, &record.fields)),
            found => parts.extend(found),
        },
        TypeKind::Union(union) => parts.push(arms(links, union)),
        TypeKind::Enum(of) => parts.push(values(schema, of)),
        TypeKind::Flags(of) => parts.push(flags(of)),
    }
    element("section", parts).with("id", links.anchor(id)).with("data-search", search_text(definition))
}

fn heading(schema: &Schema, links: &Links<'_>, id: TypeId, definition: &TypeDef) -> Html {
    let name = with_text("a", crate::links::name(definition)).with("href", format!("#{}", links.anchor(id)));
    let mut parts = vec![name, text(" "), badge(noun(schema, id))];
    let message = schema.messages.iter().find(|message| message.record == id);
    parts.extend(message.and_then(|message| message.id).map(|number| badge(format!("number {number}"))));
    if definition.name.package != schema.package {
        parts.push(badge(format!("package {}", definition.name.package)));
    }
    if definition.deprecated {
        parts.push(badge("deprecated"));
    }
    element("h2", parts)
}

pub(crate) fn badge(words: impl Into<String>) -> Html {
    with_text("span", words).with("class", "badge")
}

/// Paragraphs as the author parted them.
pub(crate) fn documentation(doc: &str) -> Vec<Html> {
    let paragraphs = doc.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty());
    paragraphs.map(|paragraph| with_text("p", paragraph).with("class", "doc")).collect()
}

/// The names that a search looks for.
fn search_text(definition: &TypeDef) -> String {
    let mut words = vec![definition.name.full()];
    match &definition.kind {
        TypeKind::Record(record) => words.extend(record.fields.iter().map(|field| field.name.clone())),
        TypeKind::Union(union) => words.extend(union.arms.iter().map(|arm| arm.field.name.clone())),
        TypeKind::Enum(of) => words.extend(of.values.iter().map(|value| value.name.clone())),
        TypeKind::Flags(of) => words.extend(of.values.iter().map(|value| value.name.clone())),
    }
    words.join(" ").to_lowercase()
}

/// The layouts of the record in all forms; forms with equal ones share theirs.
fn layouts(plans: &[Plan], links: &Links<'_>, id: TypeId) -> Vec<Html> {
    let mut shared: Vec<(Vec<&str>, Html)> = Vec::new();
    let mut known: Vec<String> = Vec::new();
    for plan in plans {
        let mut parts = Vec::new();
        if let Some(head) = plan.outline_of_head(id) {
            parts.push(with_text("h3", "Head of the message"));
            parts.extend(layout(plan, links, id, &head));
            parts.push(with_text("h3", "Fields"));
        }
        if let Some(outline) = plan.outline(id) {
            parts.extend(layout(plan, links, id, &outline));
        }
        if parts.is_empty() {
            continue;
        }
        let block = element("div", parts);
        let mut printed = String::new();
        block.print(&mut printed);
        match known.iter().position(|other| *other == printed) {
            Some(index) => shared[index].0.push(&plan.form.name),
            None => {
                known.push(printed);
                shared.push((vec![&plan.form.name], block));
            }
        }
    }
    let several = shared.len() > 1;
    let form = |(forms, block): (Vec<&str>, Html)| {
        let name = several.then(|| with_text("h3", format!("Form {}", forms.join(", "))));
        element("div", name.into_iter().chain([block]))
    };
    shared.into_iter().map(form).collect()
}

fn layout(plan: &Plan, links: &Links<'_>, id: TypeId, outline: &Outline) -> Vec<Html> {
    let mut parts = Vec::from_iter(picture(outline));
    parts.push(with_text("p", &*outline.summary).with("class", "summary"));
    let rows = outline.lines.iter().map(|line| row(plan, links, id, line));
    parts.push(table(&["offset", "size", "field", "type"], rows));
    parts
}

fn table(titles: &[&str], rows: impl Iterator<Item = Html>) -> Html {
    let titles = element("tr", titles.iter().map(|title| with_text("th", *title)));
    let table = element("table", [element("thead", [titles]), element("tbody", rows)]);
    element("div", [table]).with("class", "wide")
}

fn row(plan: &Plan, links: &Links<'_>, id: TypeId, line: &Line) -> Html {
    let field = plan.schema.field_at(id, &line.path);
    let mut name = vec![with_text("code", &*line.name)];
    let mut ty = vec![text(&*line.ty)];
    if let Some(field) = field {
        if line.since > 0 {
            name.push(badge(format!("since {}", line.since)));
        }
        if field.deprecated {
            name.push(badge("deprecated"));
        }
        name.extend(documentation(&field.doc));
        ty = links.ty(&field.ty);
        let plain = type_text(&plan.schema, &field.ty);
        if line.ty != plain {
            ty.push(with_text("div", &*line.ty).with("class", "wire"));
        }
        ty.extend(facts(field).map(|fact| with_text("div", fact).with("class", "wire")));
    }
    let class = if line.is_hole { "hole" } else { "" };
    let cells = [
        element("td", [text(line.offset_text())]).with("class", "number"),
        element("td", [text(line.size_text())]).with("class", "number"),
        element("td", name),
        element("td", ty),
    ];
    element("tr", cells).with("class", class)
}

/// Its id, its default or constant, and what else the schema says of the field.
fn facts(field: &Field) -> impl Iterator<Item = String> + '_ {
    let id = field.id.map(|id| format!("id {id}"));
    let constant = field.constant.as_ref().and_then(literal_text).map(|value| format!("always {value}"));
    let default = field.default.as_ref().and_then(literal_text).map(|value| format!("default {value}"));
    let notes = field.notes.iter().map(|(key, value)| format!("{key}: {value}"));
    id.into_iter().chain(constant).chain(default).chain(notes)
}

/// A name with its version, and its documentation.
fn named(name: &str, since: u32, deprecated: bool, doc: &str) -> Html {
    let mut parts = vec![with_text("code", name)];
    if since > 0 {
        parts.push(badge(format!("since {since}")));
    }
    if deprecated {
        parts.push(badge("deprecated"));
    }
    parts.extend(documentation(doc));
    element("td", parts)
}

fn values(schema: &Schema, of: &Enum) -> Html {
    let is_char = of.repr == Type::Char;
    let shown = |value: i128| match u8::try_from(value) {
        Ok(byte) if is_char && byte.is_ascii_graphic() => format!("'{}'", char::from(byte)),
        _ => value.to_string(),
    };
    let rows = of.values.iter().map(|value| {
        let number = with_text("td", shown(value.value)).with("class", "number");
        element("tr", [number, named(&value.name, value.since, value.deprecated, &value.doc)])
    });
    table(&[&type_text(schema, &of.repr), "name"], rows)
}

fn flags(of: &Flags) -> Html {
    let rows = of.values.iter().map(|flag| {
        let bit = match flag.mask.is_power_of_two() {
            true => flag.mask.trailing_zeros().to_string(),
            false => format!("{:#x}", flag.mask),
        };
        let number = with_text("td", bit).with("class", "number");
        element("tr", [number, named(&flag.name, flag.since, flag.deprecated, &flag.doc)])
    });
    table(&["bit", "name"], rows)
}

fn fields(links: &Links<'_>, fields: &[Field]) -> Html {
    let rows = fields.iter().map(|field| {
        let facts = facts(field).map(|fact| with_text("div", fact).with("class", "wire"));
        let ty = links.ty(&field.ty).into_iter().chain(facts);
        element("tr", [named(&field.name, field.since, field.deprecated, &field.doc), element("td", ty)])
    });
    table(&["field", "type"], rows)
}

fn arms(links: &Links<'_>, union: &Union) -> Html {
    let rows = union.arms.iter().map(|arm| {
        let field = &arm.field;
        let number = with_text("td", arm.tag.to_string()).with("class", "number");
        let name = named(&field.name, field.since, field.deprecated, &field.doc);
        element("tr", [number, name, element("td", links.ty(&field.ty))])
    });
    table(&["tag", "name", "type"], rows)
}
