//! Syntax trees to the model: names looked up, ids and slots given, values computed, every rule checked.
//!
//! A node is translated when something needs it. First come types and places, then values, since a value of a struct
//! needs the struct's fields. A file that is imported is checked only as far as the root needs it.

mod annotations;
mod brand;
mod builtins;
mod catalog;
mod chain;
mod checks;
mod closure;
mod coerce;
mod constants;
mod embed;
mod index;
mod interfaces;
mod literals;
mod names;
mod nodes;
mod ordinals;
mod structs;
mod targets;
mod types;
mod values;

pub(super) use builtins::BUILTINS;
pub(super) use index::names;

use super::load::Loaded;
use crate::model::{Brand, Model, Node, NodeId, Type};
use aldis_diagnostics::{Diagnostic, Files};
use annotations::Pending;
use catalog::{Catalog, EntryId};
use chain::Chain;
use constants::ConstantState;
use names::AliasState;
use std::collections::{BTreeMap, HashMap, HashSet};
use values::DefaultState;

/// More errors than this are not kept.
const MAX_KEPT: usize = 1_000;

/// The place of an expression.
#[derive(Clone, Copy, Debug)]
struct Context {
    scope: EntryId,
    /// An index into [`Resolver::implicits`] within a method's signature.
    implicit: Option<usize>,
}

impl Context {
    fn of(scope: EntryId) -> Self {
        Self { scope, implicit: None }
    }
}

/// The generic parameters that a method declares.
struct Implicit<'a> {
    /// The struct whose parameters they are; none where they stay the method's.
    owner: Option<NodeId>,
    names: HashMap<&'a str, u16>,
}

struct Resolver<'a> {
    loaded: &'a Loaded,
    files: &'a dyn Files,
    catalog: Catalog<'a>,
    /// The entry of each id.
    by_id: HashMap<NodeId, EntryId>,
    diagnostics: Vec<Diagnostic>,
    /// The files that something was looked up in.
    reached: Vec<bool>,
    /// Imports whose failure was reported: the file they stand in, and their text.
    told_imports: HashSet<(usize, &'a str)>,
    aliases: Vec<AliasState>,
    /// The names that are being followed, and the constants.
    names: Chain,
    followed: Chain,
    /// Types made so far.
    types: usize,
    implicits: Vec<Implicit<'a>>,
    nodes: BTreeMap<NodeId, Node>,
    /// The groups of a struct and the structs of an interface's methods, which have no entries.
    parts: HashMap<NodeId, Vec<NodeId>>,
    /// The needs of a translated entry: the entries of its types and annotations.
    dependencies: HashMap<EntryId, Vec<EntryId>>,
    /// The same for the one being translated.
    needed: Vec<EntryId>,
    pending: Vec<Pending<'a>>,
    defaults: HashMap<(NodeId, usize), DefaultState<'a>>,
    /// Index by name of a struct's fields or an enum's enumerants.
    member_names: HashMap<NodeId, HashMap<String, usize>>,
    constants: HashMap<EntryId, ConstantState>,
    /// How many values are being computed, one within the other.
    nesting: usize,
    /// Structs whose embedded messages can be read.
    embedded: HashSet<NodeId>,
    /// Values made so far from constants and embedded files.
    values: usize,
}

/// The model of the root file, if nothing in it is wrong that keeps it from being made.
pub(super) fn resolve(loaded: &Loaded, files: &dyn Files) -> (Option<Model>, Vec<Diagnostic>) {
    let mut resolver = Resolver::new(loaded, files);
    let root = resolver.catalog.files[0];
    resolver.reach(root);
    let needed = resolver.close(root, true);
    resolver.evaluate_all(&needed);
    resolver.report_superclass_cycles(&needed);
    let broken: Vec<Diagnostic> = resolver.syntax_problems();
    if !broken.is_empty() {
        return (None, broken);
    }
    let requested = vec![resolver.catalog.entries[root].id];
    let nodes = resolver.nodes_of(&needed);
    (Some(Model { nodes, requested }), resolver.diagnostics)
}

impl<'a> Resolver<'a> {
    fn new(loaded: &'a Loaded, files: &'a dyn Files) -> Self {
        let catalog = Catalog::new(loaded);
        let mut by_id = HashMap::new();
        for (index, entry) in catalog.entries.iter().enumerate() {
            by_id.entry(entry.id).or_insert(index);
        }
        Self {
            loaded,
            files,
            by_id,
            diagnostics: Vec::new(),
            reached: vec![false; loaded.files.len()],
            told_imports: HashSet::new(),
            aliases: vec![AliasState::Unknown; catalog.aliases.len()],
            catalog,
            names: Chain::default(),
            followed: Chain::default(),
            types: 0,
            implicits: Vec::new(),
            nodes: BTreeMap::new(),
            parts: HashMap::new(),
            dependencies: HashMap::new(),
            needed: Vec::new(),
            pending: Vec::new(),
            defaults: HashMap::new(),
            member_names: HashMap::new(),
            constants: HashMap::new(),
            nesting: 0,
            embedded: HashSet::new(),
            values: 0,
        }
    }

    fn report(&mut self, problem: Diagnostic) {
        if self.diagnostics.len() < MAX_KEPT {
            self.diagnostics.push(problem);
        }
    }

    /// The file of the entry is used: now its own rules count.
    fn reach(&mut self, entry: EntryId) {
        let file = self.catalog.entries[entry].file;
        if !self.reached[file] {
            self.reached[file] = true;
            self.check_file(file);
        }
    }

    /// The problems of the texts that were used; where there are any, nothing else is worth saying.
    fn syntax_problems(&self) -> Vec<Diagnostic> {
        let used = self.loaded.files.iter().zip(&self.reached).filter(|(_, reached)| **reached);
        used.flat_map(|(file, _)| file.problems.iter().cloned()).collect()
    }

    /// Remembers that the node being translated needs what the type names.
    fn need_type(&mut self, ty: &Type) {
        match ty {
            Type::List(element) => self.need_type(element),
            Type::Enum(id, brand) | Type::Struct(id, brand) | Type::Interface(id, brand) => self.need(*id, brand),
            _ => {}
        }
    }

    fn need(&mut self, id: NodeId, brand: &Brand) {
        self.needed.extend(self.by_id.get(&id));
        for scope in &brand.scopes {
            if let crate::model::Bindings::Bind(types) = &scope.binding {
                for ty in types.iter().flatten() {
                    self.need_type(ty);
                }
            }
        }
    }
}
