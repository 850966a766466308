//! Every declaration of every file, with its id and its names, before anything in it is looked at.

use crate::ids;
use crate::model::NodeId;
use crate::text::ast::{Declaration, DeclarationKind, Word};
use crate::text::load::{Loaded, LoadedFile};
use aldis_diagnostics::Span;
use std::collections::HashMap;

/// Index of an [`Entry`].
pub(super) type EntryId = usize;

/// Index of an [`Alias`].
pub(super) type AliasId = usize;

/// A declaration that becomes a node: a file, or a declaration other than `using`.
pub(super) struct Entry<'a> {
    pub(super) file: usize,
    pub(super) parent: Option<EntryId>,
    /// None for files.
    pub(super) declaration: Option<&'a Declaration>,
    pub(super) id: NodeId,
    pub(super) display_name: String,
    pub(super) parameters: &'a [Word],
    /// It or a scope around it has parameters.
    pub(super) generic: bool,
    /// The names that can be looked up in it.
    pub(super) names: HashMap<&'a str, Symbol>,
    parameter_names: HashMap<&'a str, u16>,
    /// In source order, without aliases.
    pub(super) nested: Vec<EntryId>,
    pub(super) aliases: Vec<AliasId>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Symbol {
    Entry(EntryId),
    Alias(AliasId),
}

/// A `using`.
#[derive(Clone, Copy)]
pub(super) struct Alias<'a> {
    pub(super) scope: EntryId,
    pub(super) declaration: &'a Declaration,
}

/// The meaning of a name in a scope.
pub(super) enum Found {
    Symbol(Symbol),
    /// A generic parameter of the entry.
    Parameter(EntryId, u16),
}

#[derive(Default)]
pub(super) struct Catalog<'a> {
    pub(super) entries: Vec<Entry<'a>>,
    pub(super) aliases: Vec<Alias<'a>>,
    /// The entry of each file, by its index.
    pub(super) files: Vec<EntryId>,
}

impl<'a> Catalog<'a> {
    pub(super) fn new(loaded: &'a Loaded) -> Self {
        let mut catalog = Self::default();
        for (index, file) in loaded.files.iter().enumerate() {
            let text = &loaded.sources.get(file.source).text;
            catalog.add_file(index, file, text);
        }
        catalog
    }

    fn add_file(&mut self, index: usize, file: &'a LoadedFile, text: &str) {
        let id = file.ast.id.map_or_else(|| ids::suggested(&file.name, text), |id| id.value);
        let entry = self.entries.len();
        self.files.push(entry);
        self.entries.push(Entry {
            file: index,
            parent: None,
            declaration: None,
            id,
            display_name: file.name.clone(),
            parameters: &[],
            generic: false,
            names: HashMap::new(),
            parameter_names: HashMap::new(),
            nested: Vec::new(),
            aliases: Vec::new(),
        });
        self.add_nested(entry, &file.ast.declarations);
    }

    /// The depth of this recursion is the parser's.
    fn add_nested(&mut self, scope: EntryId, declarations: &'a [Declaration]) {
        for declaration in declarations {
            let symbol = match declaration.kind {
                DeclarationKind::Using(_) => Symbol::Alias(self.add_alias(scope, declaration)),
                _ => Symbol::Entry(self.add(scope, declaration)),
            };
            // The first of two with one name is meant; that there are two is reported elsewhere.
            self.entries[scope].names.entry(&declaration.name.text).or_insert(symbol);
        }
    }

    fn add_alias(&mut self, scope: EntryId, declaration: &'a Declaration) -> AliasId {
        let alias = self.aliases.len();
        self.aliases.push(Alias { scope, declaration });
        self.entries[scope].aliases.push(alias);
        alias
    }

    fn add(&mut self, scope: EntryId, declaration: &'a Declaration) -> EntryId {
        let around = &self.entries[scope];
        let name = &declaration.name.text;
        let joint = if around.declaration.is_some() { '.' } else { ':' };
        let parameters = declaration.parameters.as_slice();
        let parameter_names =
            parameters.iter().enumerate().rev().map(|(index, word)| (word.text.as_str(), index as u16)).collect();
        let entry = Entry {
            file: around.file,
            parent: Some(scope),
            declaration: Some(declaration),
            id: declaration.id.map_or_else(|| ids::child(around.id, name), |id| id.value),
            display_name: format!("{}{joint}{name}", around.display_name),
            parameters,
            generic: around.generic || !parameters.is_empty(),
            names: HashMap::new(),
            parameter_names,
            nested: Vec::new(),
            aliases: Vec::new(),
        };
        let id = self.entries.len();
        self.entries.push(entry);
        self.entries[scope].nested.push(id);
        self.add_nested(id, declaration.nested());
        id
    }

    /// The meaning of `name` in the scope or in those around it.
    pub(super) fn look_up(&self, scope: EntryId, name: &str) -> Option<Found> {
        let mut next = Some(scope);
        while let Some(scope) = next {
            let entry = &self.entries[scope];
            if let Some(symbol) = entry.names.get(name) {
                return Some(Found::Symbol(*symbol));
            }
            if let Some(index) = entry.parameter_names.get(name) {
                return Some(Found::Parameter(scope, *index));
            }
            next = entry.parent;
        }
        None
    }

    /// The entry of the file that the scope is in.
    pub(super) fn file_of(&self, scope: EntryId) -> EntryId {
        self.files[self.entries[scope].file]
    }
}

impl Entry<'_> {
    /// The place of its declaration; files have no name in their text.
    pub(super) fn span(&self) -> Option<Span> {
        self.declaration.map(|declaration| declaration.name.span)
    }

    /// Its own name; a file's is its path.
    pub(super) fn name(&self) -> &str {
        self.declaration.map_or(&self.display_name, |declaration| &declaration.name.text)
    }
}

/// The length of what stands before the own name in a display name, as the reference counts it: a file's own name
/// begins behind its last dot.
pub(super) fn prefix_length(display_name: &str) -> usize {
    let dot = display_name.rfind('.').map_or(0, |at| at + 1);
    match display_name.rfind(':') {
        Some(colon) if colon > dot => colon + 1,
        _ => dot,
    }
}
