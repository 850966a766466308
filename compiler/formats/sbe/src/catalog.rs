//! All declared types by name, each resolved once: sizes, member offsets, null values, constants.

use crate::codes;
use crate::primitive::{self, Primitive};
use crate::report::Report;
use crate::resolved::{Entry, Handle, Kind, Simple};
use crate::suggest::closest;
use crate::xml::Element;
use aldis_diagnostics::Span;
use std::collections::HashMap;

/// Names that are being resolved at once. Composites have their own, lower limit, and below them come at most a
/// constant, the enum of its value and that enum's encoding type; only broken schemas ask for more.
const MAX_OPEN: usize = 64;

/// The outcome of looking for a name. A broken type has been reported where it is declared.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Lookup {
    Found(Handle),
    Broken,
    Unknown,
}

enum State {
    /// Being resolved: the place of the reference that led to it.
    Open(Span),
    Done(Lookup),
}

pub(crate) struct Catalog<'a> {
    declared: HashMap<&'a str, &'a Element>,
    /// Top-level declarations in document order, overridden ones left out.
    pub order: Vec<&'a Element>,
    entries: Vec<Entry<'a>>,
    states: HashMap<&'a str, State>,
    /// How many of them are [`State::Open`].
    open: usize,
    primitives: HashMap<&'static str, Handle>,
}

impl<'a> Catalog<'a> {
    /// Finds and resolves all types of a schema.
    pub fn new(schema: &'a Element, report: &mut Report) -> Self {
        let mut found = Vec::new();
        collect(schema, &mut found);
        let mut declared: HashMap<&'a str, &'a Element> = HashMap::new();
        for element in &found {
            if let Some(earlier) = declared.insert(element.given_name(), element) {
                report
                    .warning(
                        codes::DUPLICATE_TYPE,
                        format!("the type `{}` is declared twice", element.given_name()),
                        element.name_place(),
                        "this one counts",
                    )
                    .label(earlier.name_place(), "overridden by the later one")
                    .help("remove or rename one of them");
            }
        }
        let order = found.into_iter().filter(|e| std::ptr::eq(declared[e.given_name()], *e)).collect::<Vec<_>>();
        let mut catalog =
            Self { declared, order, entries: Vec::new(), states: HashMap::new(), open: 0, primitives: HashMap::new() };
        for element in catalog.order.clone() {
            catalog.resolve(element.given_name(), element.name_place(), 0, report);
        }
        catalog
    }

    pub fn entry(&self, handle: Handle) -> &Entry<'a> {
        &self.entries[handle.0]
    }

    pub fn kind(&self, handle: Handle) -> &Kind<'a> {
        &self.entry(handle).kind
    }

    /// The type of that name, without a word where there is none.
    pub fn find(&self, name: &str) -> Lookup {
        if let Some(State::Done(lookup)) = self.states.get(name) {
            return *lookup;
        }
        match self.primitives.get(name) {
            Some(handle) => Lookup::Found(*handle),
            None => Lookup::Unknown,
        }
    }

    /// The type that an attribute names; reports a name that nobody declared.
    pub fn named(&mut self, element: &Element, attribute: &str, depth: usize, report: &mut Report) -> Option<Handle> {
        let name = element.value(attribute).filter(|name| !name.is_empty())?;
        match self.resolve(name, element.place(attribute), depth, report) {
            Lookup::Found(handle) => Some(handle),
            Lookup::Broken => None,
            Lookup::Unknown => {
                let message = format!("there is no type `{name}`");
                let long = report.is_long();
                let added = report.error(codes::UNKNOWN_TYPE, message, element.place(attribute), "not declared");
                let near = if long { None } else { self.near(name) };
                match near {
                    Some(near) => added.mend(format!("did you mean `{near}`?"), element.place(attribute), near),
                    None => added.help("declare it in <types>, or use a primitive type's name"),
                };
                None
            }
        }
    }

    /// The declared name most like `name`, whatever order they are kept in.
    fn near(&self, name: &str) -> Option<&'a str> {
        let mut names: Vec<&'a str> = self.declared.keys().copied().chain(primitive::NAMES).collect();
        names.sort_unstable();
        closest(name, names.into_iter())
    }

    /// Resolves a name at the reference `from`, `depth` composites down.
    pub fn resolve(&mut self, name: &str, from: Span, depth: usize, report: &mut Report) -> Lookup {
        let Some((&name, &element)) = self.declared.get_key_value(name) else { return self.primitive(name) };
        match self.states.get(name) {
            Some(State::Done(lookup)) => return *lookup,
            Some(State::Open(entered)) => {
                report
                    .error(
                        codes::TYPE_CYCLE,
                        format!("the type `{name}` contains itself"),
                        from,
                        "back to it from here",
                    )
                    .label(*entered, "on the way from here")
                    .help("a type has a fixed size, so it cannot hold itself; use a group for what repeats");
                return Lookup::Broken;
            }
            None => {}
        }
        if self.open == MAX_OPEN {
            report
                .error(
                    codes::TOO_DEEP,
                    format!("types refer to types more than {MAX_OPEN} deep"),
                    from,
                    "one reference too many",
                )
                .help("an enum is encoded as a plain type, which needs no other");
            return Lookup::Broken;
        }
        self.states.insert(name, State::Open(from));
        self.open += 1;
        let lookup = match self.declare(element, depth, report) {
            Some(handle) => Lookup::Found(handle),
            None => Lookup::Broken,
        };
        self.open -= 1;
        self.states.insert(name, State::Done(lookup));
        lookup
    }

    fn primitive(&mut self, name: &str) -> Lookup {
        let Some(name) = primitive::NAMES.into_iter().find(|p| *p == name) else { return Lookup::Unknown };
        let Some(primitive) = Primitive::named(name) else { return Lookup::Unknown };
        if let Some(handle) = self.primitives.get(name) {
            return Lookup::Found(*handle);
        }
        let handle = self.add(Entry { element: None, since: 0, kind: Kind::Simple(Simple::plain(primitive)) });
        self.primitives.insert(name, handle);
        Lookup::Found(handle)
    }

    pub fn add(&mut self, entry: Entry<'a>) -> Handle {
        self.entries.push(entry);
        Handle(self.entries.len() - 1)
    }

    /// Bytes that a value of the type takes in a block.
    pub fn width(&self, handle: Handle) -> u64 {
        match self.kind(handle) {
            Kind::Simple(simple) => simple.width(),
            Kind::Enum(e) => u64::from(e.primitive.width()),
            Kind::Set(set) => u64::from(set.repr.bytes()),
            Kind::Composite(composite) => u64::from(composite.size),
        }
    }

    /// How many slots a value of the type comes to.
    pub fn leaves(&self, handle: Handle) -> u64 {
        match self.kind(handle) {
            Kind::Composite(composite) => composite.leaves,
            _ => 1,
        }
    }
}

fn collect<'a>(parent: &'a Element, found: &mut Vec<&'a Element>) {
    for types in parent.children_named("types") {
        for child in &types.children {
            if matches!(child.name.as_str(), "type" | "enum" | "set" | "composite") && !child.given_name().is_empty() {
                found.push(child);
            }
        }
        collect(types, found);
    }
}
