//! Declared types as the Schema's: enums, sets, and the composites that fields use.

use crate::catalog::{Catalog, Lookup};
use crate::grammar::since_of;
use crate::head::{beside, header_name};
use crate::record::{composite_record, deprecated};
use crate::resolved::{Composite, Handle, Kind};
use crate::value::Values;
use crate::xml::Element;
use aldis_schema::{Enum, EnumValue, FlagValue, Flags, Name, Record, TypeDef, TypeId, TypeKind};
use std::collections::{HashMap, HashSet};

/// The declared types that the Schema has, and their numbers there.
pub(crate) struct Numbered {
    pub ids: HashMap<Handle, TypeId>,
    list: Vec<(Handle, Name)>,
}

impl Numbered {
    /// All enums and sets, and the composites that a field of some message or the header uses, in declaration order; what is
    /// declared in a composite comes right after it.
    pub fn new(schema: &Element, catalog: &Catalog<'_>) -> Self {
        let mut used = HashSet::new();
        for message in schema.children_named("message") {
            use_fields(message, catalog, &mut used);
        }
        let header = match catalog.find(header_name(schema)) {
            Lookup::Found(handle) if !used.contains(&handle) => Some(handle),
            _ => None,
        };
        let beside = header.map_or(Vec::new(), |header| beside(catalog, header));
        beside.iter().for_each(|member| use_type(member.target, catalog, &mut used));
        let mut this = Self { ids: HashMap::new(), list: Vec::new() };
        let package = schema.value("package").unwrap_or_default();
        for element in &catalog.order {
            if let Lookup::Found(handle) = catalog.find(element.given_name()) {
                let name = Name::new(package, element.given_name());
                if Some(handle) == header {
                    for member in beside.iter().filter(|member| member.inline) {
                        this.number(member.target, name.child(member.element.given_name()), catalog, &used);
                    }
                }
                this.number(handle, name, catalog, &used);
            }
        }
        this
    }

    fn number(&mut self, handle: Handle, name: Name, catalog: &Catalog<'_>, used: &HashSet<Handle>) {
        let kind = catalog.kind(handle);
        if matches!(kind, Kind::Simple(_)) || (matches!(kind, Kind::Composite(_)) && !used.contains(&handle)) {
            return;
        }
        self.ids.insert(handle, TypeId(self.list.len() as u32));
        self.list.push((handle, name.clone()));
        if let Kind::Composite(composite) = kind {
            for member in composite.members.iter().filter(|m| m.inline) {
                self.number(member.target, name.child(member.element.given_name()), catalog, used);
            }
        }
    }

    /// The definitions, in the order of their numbers.
    pub fn definitions(&self, catalog: &Catalog<'_>) -> Vec<TypeDef> {
        let values = Values { catalog, ids: &self.ids };
        self.list.iter().filter_map(|(handle, name)| definition(*handle, name, &values)).collect()
    }
}

fn use_fields(container: &Element, catalog: &Catalog<'_>, used: &mut HashSet<Handle>) {
    for child in &container.children {
        match child.name.as_str() {
            "field" => {
                if let Lookup::Found(handle) = catalog.find(child.value("type").unwrap_or_default()) {
                    use_type(handle, catalog, used);
                }
            }
            "group" => use_fields(child, catalog, used),
            _ => {}
        }
    }
}

fn use_type(handle: Handle, catalog: &Catalog<'_>, used: &mut HashSet<Handle>) {
    if let Kind::Composite(composite) = catalog.kind(handle) {
        if used.insert(handle) {
            composite.members.iter().for_each(|member| use_type(member.target, catalog, used));
        }
    }
}

fn definition(handle: Handle, name: &Name, values: &Values<'_, '_>) -> Option<TypeDef> {
    let element = values.catalog.entry(handle).element?;
    let kind = match values.catalog.kind(handle) {
        Kind::Simple(_) => return None,
        Kind::Enum(found) => TypeKind::Enum(Enum {
            repr: found.primitive.ty(),
            values: found.values.iter().map(|v| enum_value(v.element, v.value)).collect(),
        }),
        Kind::Set(set) => TypeKind::Flags(Flags {
            repr: set.repr,
            values: set.choices.iter().map(|c| flag_value(c.element, c.bit)).collect(),
        }),
        Kind::Composite(composite) => TypeKind::Record(record(composite, values)),
    };
    Some(TypeDef {
        name: name.clone(),
        doc: element.doc(),
        span: element.name_place(),
        deprecated: deprecated(element),
        kind,
    })
}

fn enum_value(element: &Element, value: i128) -> EnumValue {
    EnumValue {
        json_name: None,
        name: element.given_name().to_string(),
        value,
        doc: element.doc(),
        span: element.name_place(),
        since: since_of(element),
        deprecated: deprecated(element),
    }
}

fn flag_value(element: &Element, bit: u32) -> FlagValue {
    FlagValue {
        name: element.given_name().to_string(),
        mask: 1 << bit,
        doc: element.doc(),
        span: element.name_place(),
        since: since_of(element),
        deprecated: deprecated(element),
    }
}

fn record(composite: &Composite<'_>, values: &Values<'_, '_>) -> Record {
    composite_record(composite.members.iter(), values)
}
