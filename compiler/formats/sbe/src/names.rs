//! The places where names are declared and used in SBE schemas, right or wrong.

use crate::xml::{Attribute, Element};
use aldis_diagnostics::{Sources, Span};
use aldis_schema::{DeclarationId, NameKind, Names};
use std::collections::HashMap;

/// The attributes that name a type.
const OF_TYPES: [&str; 4] = ["type", "encodingType", "dimensionType", "headerType"];

/// The names of a schema's tree, whose files are the sources.
pub(crate) fn names(root: &Element, sources: &Sources) -> Names {
    let mut index = Index { names: Names::default(), types: HashMap::new(), values: HashMap::new() };
    for (source, number) in sources.iter().zip(0..) {
        let start = Span::new(aldis_diagnostics::SourceId(number), 0, 0);
        index.names.declare(NameKind::File, &source.path, start, None, "");
    }
    index.declare(root, None, true);
    index.uses(root);
    index.names
}

struct Index<'a> {
    names: Names,
    /// The types of the top level. Of two with one name the later one counts.
    types: HashMap<&'a str, DeclarationId>,
    /// By enum or set and name.
    values: HashMap<(DeclarationId, &'a str), DeclarationId>,
}

impl<'a> Index<'a> {
    fn declare(&mut self, element: &'a Element, parent: Option<DeclarationId>, top: bool) {
        let is_type = matches!(element.name.as_str(), "type" | "composite" | "enum" | "set");
        let kind = match element.name.as_str() {
            "message" => Some(NameKind::Message),
            "group" => Some(NameKind::Group),
            "composite" => Some(NameKind::Record),
            "enum" => Some(NameKind::Enum),
            "set" => Some(NameKind::Flags),
            "type" if top => Some(NameKind::Alias),
            "type" | "ref" | "field" | "data" => Some(NameKind::Field),
            "validValue" | "choice" => Some(NameKind::Value),
            _ => None,
        };
        let name = element.attribute("name").filter(|name| !name.value.is_empty());
        let within = match (kind, name) {
            (Some(kind), Some(name)) => {
                let file = DeclarationId(name.span.source.0 as usize);
                let id = self.names.declare(kind, &name.value, name.span, parent.or(Some(file)), element.doc());
                if is_type && top {
                    self.types.insert(&name.value, id);
                }
                if let (NameKind::Value, Some(parent)) = (kind, parent) {
                    self.values.insert((parent, &name.value), id);
                }
                Some(id)
            }
            _ => parent,
        };
        let top = matches!(element.name.as_str(), "messageSchema" | "types");
        for child in &element.children {
            self.declare(child, within, top);
        }
    }

    fn uses(&mut self, element: &'a Element) {
        for attribute in &element.attributes {
            if OF_TYPES.contains(&attribute.name.as_str()) {
                if let Some(id) = self.types.get(attribute.value.as_str()) {
                    self.names.used(attribute.span, *id);
                }
            } else if attribute.name == "valueRef" {
                self.value(attribute);
            }
        }
        for child in &element.children {
            self.uses(child);
        }
    }

    /// `Side.Buy`
    fn value(&mut self, attribute: &'a Attribute) {
        let Some((owner, value)) = attribute.value.split_once('.') else { return };
        // References to characters make the text longer than the value: then the parts have no places.
        if attribute.span.end - attribute.span.start != attribute.value.len() as u32 {
            return;
        }
        let Some(id) = self.types.get(owner).copied() else { return };
        let dot = attribute.span.start + owner.len() as u32;
        self.names.used(Span { end: dot, ..attribute.span }, id);
        if let Some(value) = self.values.get(&(id, value)) {
            self.names.used(Span { start: dot + 1, ..attribute.span }, *value);
        }
    }
}
