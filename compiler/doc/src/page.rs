//! The page around the sections.

use crate::html::{element, text, with_text, Html};
use crate::links::Links;
use crate::types::{badge, documentation, noun, section};
use aldis_plan::Plan;
use aldis_schema::{Interface, Schema, TypeId, TypeKind};
use std::collections::BTreeMap;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The reference of a schema in all its forms, of which there is at least one; `name` is what people call it.
pub fn page(plans: &[Plan], name: &str) -> String {
    let schema = &plans[0].schema;
    let links = Links::new(schema);
    let title = if schema.package.is_empty() { name } else { &schema.package };
    let types = || (0..schema.types.len() as u32).map(TypeId);
    let mut main = vec![with_text("h1", title), facts(plans, name)];
    main.extend(documentation(&schema.doc));
    main.extend(versions(schema, &links));
    main.extend(types().map(|id| section(plans, &links, id)));
    main.extend(schema.interfaces.iter().map(|interface| methods(interface, &links)));
    main.push(with_text("p", "Nothing is called so.").with("id", "nothing").with("hidden", ""));
    let body = [contents(schema, &links, types()), element("main", main), element("script", [Html::Own(SCRIPT)])];
    let head = element(
        "head",
        [
            element("meta", []).with("charset", "utf-8"),
            element("meta", []).with("name", "viewport").with("content", "width=device-width, initial-scale=1"),
            with_text("title", title),
            element("style", [Html::Own(STYLE)]),
        ],
    );
    let mut text = String::from("<!DOCTYPE html>\n");
    element("html", [head, element("body", body)]).with("lang", "en").print(&mut text);
    text.push('\n');
    text
}

fn facts(plans: &[Plan], name: &str) -> Html {
    let schema = &plans[0].schema;
    let forms: Vec<&str> = plans.iter().map(|plan| plan.form.name.as_str()).collect();
    let mut parts = vec![with_text("code", name), text(" ")];
    parts.extend(schema.version.as_ref().map(|version| badge(format!("version {version}"))));
    parts.extend(forms.iter().map(|form| badge(*form)));
    element("p", parts)
}

/// The search, and all types by kind.
fn contents(schema: &Schema, links: &Links<'_>, types: impl Iterator<Item = TypeId>) -> Html {
    let mut kinds: BTreeMap<usize, (&str, Vec<Html>)> = BTreeMap::new();
    let titles = ["message", "struct", "composite", "group", "union", "enum", "flags"];
    let plural = ["Messages", "Structs", "Composites", "Groups", "Unions", "Enums", "Flags"];
    for id in types {
        let place = titles.iter().position(|title| *title == noun(schema, id)).unwrap_or(0);
        let entry = element("li", [links.link(id)]).with("data-for", links.anchor(id));
        kinds.entry(place).or_insert_with(|| (plural[place], Vec::new())).1.push(entry);
    }
    let search = element("input", [])
        .with("id", "search")
        .with("type", "search")
        .with("placeholder", "Search types, fields, values")
        .with("aria-label", "Search types, fields and values");
    let lists = kinds.into_values().map(|(title, entries)| {
        let count = with_text("small", format!(" {}", entries.len()));
        let title = element("summary", [text(title), count]);
        element("details", [title, element("ul", entries)]).with("open", "")
    });
    element("nav", std::iter::once(search).chain(lists))
}

/// The additions of each version of the schema.
fn versions(schema: &Schema, links: &Links<'_>) -> Option<Html> {
    let mut added: BTreeMap<u32, Vec<Html>> = BTreeMap::new();
    for (id, definition) in (0..).map(TypeId).zip(&schema.types) {
        let names: Vec<(u32, &str)> = match &definition.kind {
            TypeKind::Record(of) => of.fields.iter().map(|field| (field.since, field.name.as_str())).collect(),
            TypeKind::Union(of) => of.arms.iter().map(|arm| (arm.field.since, arm.field.name.as_str())).collect(),
            TypeKind::Enum(of) => of.values.iter().map(|value| (value.since, value.name.as_str())).collect(),
            TypeKind::Flags(of) => of.values.iter().map(|value| (value.since, value.name.as_str())).collect(),
        };
        for (since, name) in names.into_iter().filter(|(since, _)| *since > 0) {
            added.entry(since).or_default().push(element("li", [links.link(id), text(format!(".{name}"))]));
        }
    }
    if added.is_empty() {
        return None;
    }
    let version = |(number, entries): (u32, Vec<Html>)| {
        [with_text("h3", format!("Version {number} added")), element("ul", entries)]
    };
    let parts = std::iter::once(with_text("h2", "Versions")).chain(added.into_iter().flat_map(version));
    Some(element("section", parts).with("id", "versions"))
}

fn methods(interface: &Interface, links: &Links<'_>) -> Html {
    let mut parts = vec![element("h2", [text(interface.name.local()), text(" "), badge("interface")])];
    parts.extend(documentation(&interface.doc));
    let method = |(number, method): (usize, &aldis_schema::Method)| {
        let name = with_text("code", format!("{number} {}", method.name));
        let signature =
            [name, text(" takes "), links.link(method.params), text(", gives "), links.link(method.results)];
        element("li", signature.into_iter().chain(documentation(&method.doc)))
    };
    parts.push(element("ul", interface.methods.iter().enumerate().map(method)));
    let words = interface.methods.iter().map(|method| method.name.as_str());
    let words = words.fold(interface.name.full(), |all, name| format!("{all} {name}"));
    element("section", parts).with("data-search", words.to_lowercase())
}
