//! The module that is being generated: which functions it has by now, and under which names.

use crate::erl::{atom, WIDTH};
use crate::names::Names;
use crate::nesting::Direct;
use crate::strict_text::StrictText;
use crate::values::Values;
use crate::wire::Wire;
use aldis_emit::doc::Doc;
use aldis_schema::{Schema, TypeId};
use std::collections::{BTreeMap, BTreeSet};

/// Functions are generated when something first calls for them, so no unused one is ever printed.
#[derive(Debug)]
pub(crate) struct Gen<'a> {
    pub schema: &'a Schema,
    pub names: &'a Names,
    pub values: &'static Values,
    /// The main form first.
    pub wires: Vec<Wire<'a>>,
    /// The records that the short way through segments takes.
    pub direct: Direct,
    /// The text that readers check.
    pub strict_text: StrictText,
    /// Functions that are to be inlined, `name/arity`.
    pub inlined: BTreeSet<String>,
    /// Every function name that is in use, whatever its arity.
    taken: BTreeSet<String>,
    /// The functions that were asked for, with the names that they got.
    defined: BTreeMap<String, String>,
    /// The text of each shared function, with its name.
    shared: BTreeMap<String, String>,
    /// In the order in which they were asked for, each with the section it belongs to.
    functions: Vec<(usize, Doc)>,
    section: usize,
    /// The records that fast functions are for, by form: see [`crate::fast`].
    pub fit: BTreeMap<(String, TypeId), Option<u32>>,
    exports: BTreeMap<usize, Vec<String>>,
}

impl<'a> Gen<'a> {
    pub fn new(
        schema: &'a Schema,
        names: &'a Names,
        wires: Vec<Wire<'a>>,
        values: &'static Values,
        strict_text: bool,
    ) -> Self {
        let direct = wires.first().map_or_else(Direct::default, |wire| Direct::of(wire.plan));
        Self {
            schema,
            names,
            values,
            wires,
            direct,
            strict_text: StrictText::of(schema, strict_text),
            inlined: BTreeSet::new(),
            taken: BTreeSet::new(),
            defined: BTreeMap::new(),
            shared: BTreeMap::new(),
            functions: Vec::new(),
            section: usize::MAX,
            fit: BTreeMap::new(),
            exports: BTreeMap::new(),
        }
    }

    /// The section of the module that a type's functions stand in.
    pub fn enter(&mut self, section: usize) -> usize {
        std::mem::replace(&mut self.section, section)
    }

    /// Reserves the name of an exported function, before any private one can take it.
    pub fn reserve(&mut self, name: &str) {
        self.taken.insert(name.to_owned());
    }

    /// Adds an exported function; `name` must be reserved.
    pub fn export(&mut self, name: &str, arity: usize, body: Doc) {
        self.exports.entry(self.section).or_default().push(format!("{}/{arity}", atom(name)));
        self.functions.push((self.section, body));
    }

    /// Adds a function whose name is taken by now.
    pub fn add(&mut self, body: Doc) {
        self.functions.push((self.section, body));
    }

    /// Exports by section, in order.
    pub fn exports(&self) -> &BTreeMap<usize, Vec<String>> {
        &self.exports
    }

    /// The functions of a section.
    pub fn functions_of(&self, section: usize) -> impl Iterator<Item = &Doc> {
        self.functions.iter().filter(move |(s, _)| *s == section).map(|(_, doc)| doc)
    }

    /// The atom of the function for `key`, made by `make` when it is first asked for. `make` gets the name unquoted and
    /// may ask for the same function again, as recursive types do.
    pub fn define(&mut self, key: &str, wanted: &str, make: impl FnOnce(&mut Self, &str) -> Doc) -> String {
        if let Some(name) = self.defined.get(key) {
            return atom(name);
        }
        let name = self.private(wanted);
        self.defined.insert(key.to_owned(), name.clone());
        let place = self.functions.len();
        self.functions.push((self.section, Doc::Nil));
        let doc = make(self, &name);
        self.functions[place].1 = doc;
        atom(&name)
    }

    /// As [`Gen::define`], in the section of a type.
    pub fn define_in(
        &mut self,
        id: TypeId,
        key: &str,
        wanted: &str,
        make: impl FnOnce(&mut Self, &str) -> Doc,
    ) -> String {
        let outer = self.enter(id.index());
        let name = self.define(key, wanted, make);
        self.enter(outer);
        name
    }

    /// The atom of a function that does what `make` prints; one that does just the same under another name serves.
    pub fn share(&mut self, wanted: &str, make: impl Fn(&str) -> Doc) -> String {
        let text = make("shared").print(WIDTH);
        if let Some(name) = self.shared.get(&text) {
            return atom(name);
        }
        let name = self.private(wanted);
        self.shared.insert(text, name.clone());
        self.functions.push((self.section, make(&name)));
        atom(&name)
    }

    /// A name for a function that is not exported, apart from all others.
    pub fn private(&mut self, wanted: &str) -> String {
        let numbered = (2..).map(|n| format!("{wanted}_{n}"));
        let name = std::iter::once(wanted.to_owned()).chain(numbered).find(|name| !self.taken.contains(name));
        let name = name.unwrap_or_else(|| wanted.to_owned());
        self.taken.insert(name.clone());
        name
    }
}
