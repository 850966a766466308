//! Questions about names: where they are declared, where they stand, what they would be called otherwise.

use crate::buffers::Buffers;
use crate::places::{location, range_of, uri_of};
use crate::session::{Refusal, Session};
use aldis_diagnostics::{any_error, Files, SourceId, Span};
use aldis_plan::Index;
use aldis_schema::{DeclarationId, NameKind};
use lsp_server::ErrorCode;
use lsp_types::{DocumentSymbol, Location, PrepareRenameResponse, SymbolKind, TextEdit, Uri, WorkspaceEdit};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The place of a name: the file, and the bytes.
type Place = (String, u32, u32);

/// A name under the cursor.
pub(crate) struct Named {
    pub(crate) index: Rc<Index>,
    pub(crate) id: DeclarationId,
    /// Its place there.
    pub(crate) span: Span,
}

impl Session<'_> {
    /// The names of the schema whose root is the file, as it is in the editor now.
    pub(crate) fn index(&mut self, path: &str) -> Option<Rc<Index>> {
        if let Some(known) = self.indexes.get(path) {
            return Some(Rc::clone(known));
        }
        let index = Rc::new(self.setup.format_of(path)?.names(path, &self.buffers));
        self.indexes.insert(path.to_owned(), Rc::clone(&index));
        Some(index)
    }

    /// The name at a byte of an open document. A file that is only a part of others is looked for in theirs.
    pub(crate) fn named(&mut self, path: &str, at: usize) -> Option<Named> {
        let others: Vec<String> = self.buffers.open.keys().filter(|other| *other != path).cloned().collect();
        for root in std::iter::once(path.to_owned()).chain(others) {
            let Some(index) = self.index(&root) else { continue };
            let Some(source) = index.sources.find(path) else { continue };
            if let Some((id, span)) = index.names.at(Span::new(source, at, at)) {
                return Some(Named { index, id, span });
            }
        }
        None
    }

    /// The declaration of the name; `None` if it is in no file, as for types that a language brings along.
    pub(crate) fn definition(&mut self, path: &str, at: usize) -> Option<Location> {
        let Named { index, id, .. } = self.named(path, at)?;
        let span = index.names.get(id).span;
        let file = &index.sources.get(span.source).path;
        self.buffers.read(file).is_ok().then(|| location(&index.sources, span))
    }

    /// All places where the name stands, in every schema that the editor works on.
    pub(crate) fn references(&mut self, named: &Named, with_declaration: bool) -> BTreeSet<Place> {
        let entry = named.index.names.get(named.id);
        let declared = place(&named.index, entry.span);
        let kind = entry.kind;
        let text = named.index.sources.text(named.span).to_owned();
        let mut places = BTreeSet::new();
        for root in self.roots(&text) {
            let Some(index) = self.index(&root) else { continue };
            let same = |id: &usize| {
                let entry = &index.names.declarations[*id];
                entry.kind == kind && place(&index, entry.span) == declared
            };
            let Some(id) = (0..index.names.declarations.len()).find(same) else { continue };
            let uses = index.names.uses.iter().filter(|name| name.of == DeclarationId(id));
            places.extend(uses.map(|name| place(&index, name.span)));
        }
        if with_declaration && kind != NameKind::File {
            places.insert(declared);
        }
        places
    }

    /// The schemas that are open or lie in the editor's folders and hold the text.
    fn roots(&self, text: &str) -> Vec<String> {
        let extensions: Vec<&str> = self.setup.formats.iter().flat_map(|format| format.extensions()).copied().collect();
        let saved = self.folders.iter().flat_map(|folder| self.setup.workspace.schemas(folder, &extensions));
        let mut roots: BTreeSet<String> = saved.collect();
        roots.extend(self.buffers.open.keys().cloned());
        let holds = |path: &String| {
            let Ok(bytes) = self.buffers.read(path) else { return false };
            let found = String::from_utf8_lossy(&bytes);
            // A part that others include has uses too, but those are found from the others.
            (found.contains(text) || found.contains("include"))
                && self.setup.format_of(path).is_some_and(|format| format.is_schema(&found))
        };
        roots.into_iter().filter(holds).collect()
    }

    pub(crate) fn prepare_rename(&mut self, path: &str, at: usize) -> Result<PrepareRenameResponse, Refusal> {
        let named = self.named(path, at).ok_or_else(|| refused("there is no declared name here"))?;
        self.can_rename(&named)?;
        let range = range_of(&named.index.sources, named.span);
        let placeholder = named.index.names.get(named.id).name.clone();
        Ok(PrepareRenameResponse::RangeWithPlaceholder { range, placeholder })
    }

    fn can_rename(&self, named: &Named) -> Result<(), Refusal> {
        let entry = named.index.names.get(named.id);
        if entry.kind == NameKind::File {
            return Err(refused("an import is renamed by renaming its file"));
        }
        let file = &named.index.sources.get(entry.span.source).path;
        let within = |folder: &String| file.strip_prefix(folder.as_str()).is_some_and(|rest| rest.starts_with('/'));
        if !self.buffers.open.contains_key(file) && !self.folders.iter().any(within) {
            return Err(refused(format!(
                "`{}` is declared in {file}, outside of the folders that are open",
                entry.name
            )));
        }
        Ok(())
    }

    /// The changes that give the name under the cursor another text everywhere.
    pub(crate) fn rename(&mut self, path: &str, at: usize, new: &str) -> Result<WorkspaceEdit, Refusal> {
        let named = self.named(path, at).ok_or_else(|| refused("there is no declared name here"))?;
        self.can_rename(&named)?;
        self.renamed(&named, new)
    }

    pub(crate) fn renamed(&mut self, named: &Named, new: &str) -> Result<WorkspaceEdit, Refusal> {
        let old = named.index.names.get(named.id).name.clone();
        let is_start = |c: char| c.is_ascii_alphabetic() || c == '_';
        if !new.starts_with(is_start) || !new.chars().all(|c| is_start(c) || c.is_ascii_digit()) {
            return Err(refused(format!("`{new}` is no name: names are letters, digits and `_`, no digit first")));
        }
        let places = self.references(named, true);
        let mut texts: BTreeMap<String, String> = BTreeMap::new();
        let mut changes: BTreeMap<String, Vec<TextEdit>> = BTreeMap::new();
        for (file, start, end) in places.iter().rev() {
            let source = self.source(file).ok_or_else(|| refused(format!("{file} cannot be read")))?;
            let (start, end) = (*start as usize, *end as usize);
            if source.text.get(start..end) != Some(old.as_str()) {
                let at = source.position(start);
                let (line, column) = (at.line, at.column);
                return Err(refused(format!("{file}:{line}:{column}: `{old}` is written in another way here")));
            }
            let text = texts.entry(file.clone()).or_insert_with(|| source.text.clone());
            text.replace_range(start..end, new);
            let edit = TextEdit::new(crate::places::range(&source, start, end), new.to_owned());
            changes.entry(file.clone()).or_default().push(edit);
        }
        self.check(&texts, new)?;
        let in_order = |(file, edits): (String, Vec<TextEdit>)| (self.uri(&file), edits.into_iter().rev().collect());
        Ok(WorkspaceEdit::new(changes.into_iter().map(in_order).collect()))
    }

    /// Refuses a change after which a schema has errors that it has not now, or a place means something else.
    fn check(&self, texts: &BTreeMap<String, String>, new: &str) -> Result<(), Refusal> {
        let mut after = Buffers { workspace: self.setup.workspace, open: BTreeMap::new() };
        for (path, buffer) in &self.buffers.open {
            after.put(path, &buffer.source.text);
        }
        for (path, text) in texts {
            after.put(path, text);
        }
        for root in texts.keys().chain(self.buffers.open.keys()) {
            let Some(format) = self.setup.format_of(root) else { continue };
            let is_schema = after.open.get(root).is_some_and(|buffer| format.is_schema(&buffer.source.text));
            if !is_schema || any_error(&self.setup.compile(format, root, &self.buffers).diagnostics) {
                continue;
            }
            let then = self.setup.compile(format, root, &after).diagnostics;
            if let Some(problem) = then.iter().find(|problem| problem.is_error()) {
                return Err(refused(format!("`{new}` cannot be its name: {}", problem.message)));
            }
        }
        // A renamed text has the same names in the same order, so each must mean what it meant.
        for root in texts.keys() {
            let Some(format) = self.setup.format_of(root) else { continue };
            let meanings = |files: &Buffers<'_>| -> Vec<DeclarationId> {
                format.names(root, files).names.uses.iter().map(|name| name.of).collect()
            };
            if meanings(&self.buffers) != meanings(&after) {
                return Err(refused(format!("`{new}` means something else already where it would stand")));
            }
        }
        Ok(())
    }

    /// The file as the indexes count it.
    fn source(&mut self, file: &str) -> Option<aldis_diagnostics::Source> {
        if let Some(buffer) = self.buffers.open.get(file) {
            return Some(buffer.source.clone());
        }
        self.indexes.values().find_map(|index| index.sources.find(file).map(|id| index.sources.get(id).clone()))
    }

    pub(crate) fn uri(&self, file: &str) -> Uri {
        self.buffers.open.get(file).map_or_else(|| uri_of(file), |buffer| buffer.uri.clone())
    }

    /// The places as the protocol writes them.
    pub(crate) fn locations(&mut self, places: &BTreeSet<Place>) -> Vec<Location> {
        let mut found = Vec::new();
        for (file, start, end) in places {
            if let Some(source) = self.source(file) {
                let range = crate::places::range(&source, *start as usize, *end as usize);
                found.push(Location::new(self.uri(file), range));
            }
        }
        found
    }

    /// The declarations of the file, each with those in it.
    pub(crate) fn symbols(&mut self, path: &str) -> Option<Vec<DocumentSymbol>> {
        let index = self.index(path)?;
        let source = index.sources.find(path)?;
        let mut children: BTreeMap<Option<DeclarationId>, Vec<DeclarationId>> = BTreeMap::new();
        for (id, entry) in index.names.declarations.iter().enumerate() {
            let parent = entry.parent.filter(|parent| index.names.get(*parent).kind != NameKind::File);
            if entry.span.source == source && entry.kind != NameKind::File {
                children.entry(parent).or_default().push(DeclarationId(id));
            }
        }
        Some(symbols(&index, source, None, &children))
    }
}

fn place(index: &Index, span: Span) -> Place {
    (index.sources.get(span.source).path.clone(), span.start, span.end)
}

fn refused(text: impl Into<String>) -> Refusal {
    Refusal { code: ErrorCode::RequestFailed, text: text.into() }
}

/// The depth of this recursion is that of declarations, which parsers bound.
#[allow(deprecated)]
fn symbols(
    index: &Index,
    source: SourceId,
    parent: Option<DeclarationId>,
    children: &BTreeMap<Option<DeclarationId>, Vec<DeclarationId>>,
) -> Vec<DocumentSymbol> {
    let text = index.sources.get(source);
    let of = |id: &DeclarationId| {
        let entry = index.names.get(*id);
        let inner = symbols(index, source, Some(*id), children);
        let selection_range = range_of(&index.sources, entry.span);
        let end = inner.iter().map(|symbol| symbol.range.end).fold(selection_range.end, Ord::max);
        let start = text.units(entry.span.start as usize).0;
        let start = lsp_types::Position::new(start as u32, 0);
        DocumentSymbol {
            name: entry.name.clone(),
            detail: Some(entry.kind.noun().to_owned()),
            kind: symbol_kind(entry.kind),
            tags: None,
            deprecated: None,
            range: lsp_types::Range::new(start, end),
            selection_range,
            children: Some(inner).filter(|inner| !inner.is_empty()),
        }
    };
    children.get(&parent).into_iter().flatten().map(of).collect()
}

fn symbol_kind(kind: NameKind) -> SymbolKind {
    match kind {
        NameKind::File => SymbolKind::FILE,
        NameKind::Record | NameKind::Message | NameKind::Group | NameKind::Union => SymbolKind::STRUCT,
        NameKind::Enum | NameKind::Flags => SymbolKind::ENUM,
        NameKind::Alias => SymbolKind::CLASS,
        NameKind::Interface => SymbolKind::INTERFACE,
        NameKind::Method => SymbolKind::METHOD,
        NameKind::Field => SymbolKind::FIELD,
        NameKind::Value => SymbolKind::ENUM_MEMBER,
        NameKind::Constant => SymbolKind::CONSTANT,
        NameKind::Annotation => SymbolKind::PROPERTY,
        NameKind::Parameter => SymbolKind::TYPE_PARAMETER,
    }
}
