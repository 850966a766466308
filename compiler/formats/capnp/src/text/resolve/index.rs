//! The places where names are declared and used, right or wrong. Nothing is reported here, and nothing beyond names is looked at.

use super::catalog::{AliasId, Catalog, EntryId, Found, Symbol};
use crate::text::ast::{
    Applied, Declaration, DeclarationKind, Expression, ExpressionKind, Member, MemberKind, Method, Signature, Word,
};
use crate::text::load::{Import, Loaded};
use aldis_diagnostics::Span;
use aldis_schema::{DeclarationId, NameKind, Names};
use std::collections::HashMap;

/// Aliases that are followed one after another.
const MAX_FOLLOWED: usize = 64;

/// The names of all files that could be read.
pub(in crate::text) fn names(loaded: &Loaded) -> Names {
    let catalog = Catalog::new(loaded);
    let mut index = Index {
        loaded,
        names: Names::default(),
        entries: Vec::new(),
        aliases: vec![None; catalog.aliases.len()],
        members: HashMap::new(),
        parameters: HashMap::new(),
        implicit: Vec::new(),
        catalog: &catalog,
    };
    for entry in 0..catalog.entries.len() {
        index.declare(entry);
    }
    for entry in 0..catalog.entries.len() {
        index.uses(entry);
    }
    index.names
}

struct Index<'a, 'c> {
    loaded: &'a Loaded,
    catalog: &'c Catalog<'a>,
    names: Names,
    /// By [`EntryId`].
    entries: Vec<DeclarationId>,
    /// By [`AliasId`]; `None` for a `using` that takes over the name of what it means.
    aliases: Vec<Option<DeclarationId>>,
    /// Fields, groups, enumerants and the parameters of methods, by their owner and name.
    members: HashMap<(DeclarationId, &'a str), (DeclarationId, Meaning<'a>)>,
    /// Generic parameters, by their owner and name.
    parameters: HashMap<(EntryId, u16), DeclarationId>,
    /// The generic parameters of the method that is being looked at.
    implicit: Vec<(&'a str, DeclarationId)>,
}

/// The type of a value, as far as it is known.
#[derive(Clone, Copy)]
enum Meaning<'a> {
    /// A type as the scope understands it.
    Type(&'a Expression, EntryId),
    /// A group or union: the members of that declaration.
    Members(DeclarationId),
    Unknown,
}

impl<'a> Index<'a, '_> {
    fn declare(&mut self, entry: EntryId) {
        let catalog = self.catalog;
        let here = &catalog.entries[entry];
        let parent = here.parent.map(|parent| self.entries[parent]);
        let Some(declaration) = here.declaration else {
            let file = &self.loaded.files[here.file];
            let (path, start) = (&self.loaded.sources.get(file.source).path, Span::new(file.source, 0, 0));
            self.entries.push(self.names.declare(NameKind::File, path, start, None, &file.ast.doc));
            self.declare_aliases(entry);
            return;
        };
        let kind = match declaration.kind {
            DeclarationKind::Using(_) => NameKind::Alias,
            DeclarationKind::Const { .. } => NameKind::Constant,
            DeclarationKind::Annotation { .. } => NameKind::Annotation,
            DeclarationKind::Enum(_) => NameKind::Enum,
            DeclarationKind::Struct { .. } => NameKind::Record,
            DeclarationKind::Interface { .. } => NameKind::Interface,
        };
        let Word { text, span } = &declaration.name;
        let id = self.names.declare(kind, text, *span, parent, &declaration.doc);
        self.entries.push(id);
        for (word, number) in here.parameters.iter().zip(0..) {
            let parameter = self.names.declare(NameKind::Parameter, &word.text, word.span, Some(id), "");
            self.parameters.insert((entry, number), parameter);
        }
        self.declare_aliases(entry);
        match &declaration.kind {
            DeclarationKind::Struct { members, .. } => self.declare_members(members, id, entry),
            DeclarationKind::Enum(values) => {
                for value in values {
                    let Word { text, span } = &value.name;
                    let value = self.names.declare(NameKind::Value, text, *span, Some(id), &value.doc);
                    self.members.entry((id, text)).or_insert((value, Meaning::Unknown));
                }
            }
            DeclarationKind::Interface { methods, .. } => {
                for method in methods {
                    self.declare_method(method, id, entry);
                }
            }
            _ => {}
        }
    }

    fn declare_aliases(&mut self, entry: EntryId) {
        for &alias in &self.catalog.entries[entry].aliases {
            let declaration = self.catalog.aliases[alias].declaration;
            let Word { text, span } = &declaration.name;
            if !takes_over(declaration) {
                let parent = Some(self.entries[entry]);
                self.aliases[alias] = Some(self.names.declare(NameKind::Alias, text, *span, parent, &declaration.doc));
            }
        }
    }

    fn declare_members(&mut self, members: &'a [Member], owner: DeclarationId, scope: EntryId) {
        for member in members {
            let kind = match member.kind {
                MemberKind::Field { .. } => NameKind::Field,
                MemberKind::Group(_) => NameKind::Group,
                MemberKind::Union(_) => NameKind::Union,
            };
            let id = match &member.name {
                Some(Word { text, span }) => self.names.declare(kind, text, *span, Some(owner), &member.doc),
                None => owner,
            };
            let meaning = match &member.kind {
                MemberKind::Field { ty, .. } => Meaning::Type(ty, scope),
                MemberKind::Group(_) | MemberKind::Union(_) => Meaning::Members(id),
            };
            if let Some(name) = &member.name {
                self.members.entry((owner, &name.text)).or_insert((id, meaning));
            }
            if let MemberKind::Group(members) | MemberKind::Union(members) = &member.kind {
                self.declare_members(members, id, scope);
            }
        }
    }

    fn declare_method(&mut self, method: &'a Method, owner: DeclarationId, scope: EntryId) {
        let Word { text, span } = &method.name;
        let id = self.names.declare(NameKind::Method, text, *span, Some(owner), &method.doc);
        self.members.entry((owner, text)).or_insert((id, Meaning::Unknown));
        for signature in [&method.params, &method.results] {
            if let Signature::Fields(members) = signature {
                self.declare_members(members, id, scope);
            }
        }
    }

    fn uses(&mut self, entry: EntryId) {
        let here = &self.catalog.entries[entry];
        for &alias in &here.aliases {
            if let DeclarationKind::Using(target) = &self.catalog.aliases[alias].declaration.kind {
                self.name(target, entry);
            }
        }
        let Some(declaration) = here.declaration else {
            let loaded = self.loaded;
            return self.annotations(&loaded.files[here.file].ast.annotations, entry);
        };
        self.annotations(&declaration.annotations, entry);
        match &declaration.kind {
            DeclarationKind::Using(_) => {}
            DeclarationKind::Const { ty, value } => {
                self.name(ty, entry);
                self.value(value, Meaning::Type(ty, entry), entry);
            }
            DeclarationKind::Annotation { ty, .. } => {
                self.name(ty, entry);
            }
            DeclarationKind::Enum(values) => {
                values.iter().for_each(|value| self.annotations(&value.annotations, entry));
            }
            DeclarationKind::Struct { members, .. } => self.used_by_members(members, entry),
            DeclarationKind::Interface { superclasses, methods, .. } => {
                for base in superclasses {
                    self.name(base, entry);
                }
                methods.iter().for_each(|method| self.used_by_method(method, entry));
            }
        }
    }

    fn used_by_members(&mut self, members: &'a [Member], scope: EntryId) {
        for member in members {
            self.annotations(&member.annotations, scope);
            match &member.kind {
                MemberKind::Field { ty, default } => {
                    self.name(ty, scope);
                    if let Some(default) = default {
                        self.value(default, Meaning::Type(ty, scope), scope);
                    }
                }
                MemberKind::Group(members) | MemberKind::Union(members) => self.used_by_members(members, scope),
            }
        }
    }

    fn used_by_method(&mut self, method: &'a Method, scope: EntryId) {
        self.annotations(&method.annotations, scope);
        for Word { text, span } in &method.parameters {
            let id = self.names.declare(NameKind::Parameter, text, *span, Some(self.entries[scope]), "");
            self.implicit.push((text, id));
        }
        for signature in [&method.params, &method.results] {
            match signature {
                Signature::Fields(members) => self.used_by_members(members, scope),
                Signature::Type(ty) => {
                    self.name(ty, scope);
                }
                Signature::Stream(_) => {}
            }
        }
        self.implicit.clear();
    }

    fn annotations(&mut self, annotations: &'a [Applied], scope: EntryId) {
        for Applied { name, value } in annotations {
            let annotation = self.name(name, scope);
            let kind = annotation.and_then(|entry| self.catalog.entries[entry].declaration).map(|d| &d.kind);
            if let Some(value) = value {
                let meaning = match (annotation, kind) {
                    (Some(entry), Some(DeclarationKind::Annotation { ty, .. })) => Meaning::Type(ty, entry),
                    _ => Meaning::Unknown,
                };
                self.value(value, meaning, scope);
            }
        }
    }

    /// The names in a value: constants, enumerants of its type, and the fields of structs.
    fn value(&mut self, value: &'a Expression, meaning: Meaning<'a>, scope: EntryId) {
        match &value.kind {
            ExpressionKind::List(elements) => {
                let element = match meaning {
                    Meaning::Type(Expression { kind: ExpressionKind::Apply(_, arguments), .. }, scope) => {
                        arguments.first().map_or(Meaning::Unknown, |first| Meaning::Type(&first.value, scope))
                    }
                    _ => Meaning::Unknown,
                };
                elements.iter().for_each(|value| self.value(value, element, scope));
            }
            ExpressionKind::Tuple(fields) => {
                let owner = self.owner(meaning);
                for field in fields {
                    let name = field.name.as_ref();
                    let known = name.zip(owner).and_then(|(name, owner)| self.members.get(&(owner, &name.text)));
                    let known = known.copied();
                    if let (Some(name), Some((id, _))) = (name, known) {
                        self.names.used(name.span, id);
                    }
                    self.value(&field.value, known.map_or(Meaning::Unknown, |(_, meaning)| meaning), scope);
                }
            }
            ExpressionKind::Name(name) => {
                let owner = self.owner(meaning).filter(|id| self.names.get(*id).kind == NameKind::Enum);
                match owner.and_then(|owner| self.members.get(&(owner, name.as_str()))) {
                    Some((id, _)) => self.names.used(value.span, *id),
                    None => {
                        self.name(value, scope);
                    }
                }
            }
            _ => {
                self.name(value, scope);
            }
        }
    }

    /// The declaration whose members a value of the type has.
    fn owner(&mut self, meaning: Meaning<'a>) -> Option<DeclarationId> {
        match meaning {
            Meaning::Type(ty, scope) => Some(self.entries[self.quietly(ty, scope, 0)?]),
            Meaning::Members(id) => Some(id),
            Meaning::Unknown => None,
        }
    }

    /// The entry that the expression names; its names are noted as uses.
    fn name(&mut self, expression: &'a Expression, scope: EntryId) -> Option<EntryId> {
        match &expression.kind {
            ExpressionKind::Name(name) => {
                if let Some((_, id)) = self.implicit.iter().find(|(implicit, _)| implicit == name) {
                    self.names.used(expression.span, *id);
                    return None;
                }
                match self.catalog.look_up(scope, name)? {
                    Found::Symbol(symbol) => self.symbol(symbol, expression.span),
                    Found::Parameter(entry, index) => {
                        if let Some(id) = self.parameters.get(&(entry, index)) {
                            self.names.used(expression.span, *id);
                        }
                        None
                    }
                }
            }
            ExpressionKind::Absolute(word) => {
                let file = self.catalog.file_of(scope);
                let symbol = *self.catalog.entries[file].names.get(word.text.as_str())?;
                self.symbol(symbol, word.span)
            }
            ExpressionKind::Import(word) => {
                let entry = self.imported(word, scope)?;
                self.names.used(word.span, self.entries[entry]);
                Some(entry)
            }
            ExpressionKind::Member(base, word) => {
                let base = self.name(base, scope)?;
                let symbol = *self.catalog.entries[base].names.get(word.text.as_str())?;
                self.symbol(symbol, word.span)
            }
            ExpressionKind::Apply(base, arguments) => {
                for argument in arguments {
                    self.name(&argument.value, scope);
                }
                self.name(base, scope)
            }
            _ => None,
        }
    }

    fn symbol(&mut self, symbol: Symbol, span: Span) -> Option<EntryId> {
        let entry = self.meant(symbol, 0);
        let id = match symbol {
            Symbol::Alias(alias) => self.aliases[alias].or_else(|| entry.map(|entry| self.entries[entry])),
            Symbol::Entry(entry) => Some(self.entries[entry]),
        };
        if let Some(id) = id {
            self.names.used(span, id);
        }
        entry
    }

    fn meant(&self, symbol: Symbol, followed: usize) -> Option<EntryId> {
        match symbol {
            Symbol::Entry(entry) => Some(entry),
            Symbol::Alias(alias) => self.target(alias, followed + 1),
        }
    }

    fn target(&self, alias: AliasId, followed: usize) -> Option<EntryId> {
        let alias = self.catalog.aliases[alias];
        match &alias.declaration.kind {
            DeclarationKind::Using(target) if followed < MAX_FOLLOWED => self.quietly(target, alias.scope, followed),
            _ => None,
        }
    }

    /// As [`Index::name`], without noting uses.
    fn quietly(&self, expression: &Expression, scope: EntryId, followed: usize) -> Option<EntryId> {
        let entries = &self.catalog.entries;
        let symbol = match &expression.kind {
            ExpressionKind::Name(name) => match self.catalog.look_up(scope, name)? {
                Found::Symbol(symbol) => symbol,
                Found::Parameter(..) => return None,
            },
            ExpressionKind::Absolute(word) => *entries[self.catalog.file_of(scope)].names.get(word.text.as_str())?,
            ExpressionKind::Import(word) => return self.imported(word, scope),
            ExpressionKind::Member(base, word) => {
                *entries[self.quietly(base, scope, followed)?].names.get(word.text.as_str())?
            }
            ExpressionKind::Apply(base, _) => return self.quietly(base, scope, followed),
            _ => return None,
        };
        self.meant(symbol, followed)
    }

    fn imported(&self, word: &Word, scope: EntryId) -> Option<EntryId> {
        match self.loaded.files[self.catalog.entries[scope].file].imports.get(&word.text)? {
            Import::File(file) => self.catalog.files.get(*file).copied(),
            Import::Missing | Import::Unreadable(_) => None,
        }
    }
}

/// Whether a `using` has no name of its own: `using Other.Name;`.
fn takes_over(declaration: &Declaration) -> bool {
    let DeclarationKind::Using(target) = &declaration.kind else { return false };
    target.span.start <= declaration.name.span.start && declaration.name.span.end <= target.span.end
}
