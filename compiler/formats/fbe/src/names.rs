//! The places where names are declared and used in FBE schemas, right or wrong.

use crate::ast::{Attribute, Body, Declaration, FieldDecl, Path, Shape, Term, TermKind, Value, Values, Word};
use crate::load::{Loaded, LoadedFile};
use aldis_diagnostics::{SourceId, Span};
use aldis_schema::{DeclarationId, NameKind, Names};
use std::collections::HashMap;

/// The names of all files that could be read.
pub(crate) fn names(loaded: &Loaded) -> Names {
    let mut index =
        Index { files: &loaded.files, names: Names::default(), types: HashMap::new(), values: HashMap::new() };
    let files: Vec<DeclarationId> = (0..loaded.files.len()).map(|file| index.file(file, loaded)).collect();
    let mut declared = Vec::new();
    for (file, id) in files.iter().enumerate() {
        for declaration in &loaded.files[file].ast.declarations {
            declared.push((file, declaration, index.declaration(file, *id, declaration)));
        }
    }
    for (file, loaded) in loaded.files.iter().enumerate() {
        for (import, target) in &loaded.imports {
            index.names.used(import.span, files[*target]);
        }
        for (at, declaration, id) in &declared {
            if *at == file {
                index.uses(file, declaration, *id);
            }
        }
    }
    index.names
}

struct Index<'a> {
    files: &'a [LoadedFile],
    names: Names,
    /// By package and name.
    types: HashMap<(&'a str, &'a str), DeclarationId>,
    /// By enum or flags and name.
    values: HashMap<(DeclarationId, &'a str), DeclarationId>,
}

impl<'a> Index<'a> {
    fn package(&self, file: usize) -> &'a str {
        self.files[file].ast.package.as_ref().map_or("", |package| &package.text)
    }

    fn file(&mut self, file: usize, loaded: &'a Loaded) -> DeclarationId {
        let source = SourceId(file as u32);
        let path = loaded.sources.get(source).path.clone();
        self.names.declare(NameKind::File, path, Span::new(source, 0, 0), None, &loaded.files[file].ast.doc)
    }

    fn declaration(&mut self, file: usize, parent: DeclarationId, declaration: &'a Declaration) -> DeclarationId {
        let kind = match &declaration.body {
            Body::Enum(_) => NameKind::Enum,
            Body::Flags(_) => NameKind::Flags,
            Body::Struct(structure) if structure.message => NameKind::Message,
            Body::Struct(_) => NameKind::Record,
        };
        let Word { text, span } = &declaration.name;
        let id = self.names.declare(kind, text, *span, Some(parent), &declaration.doc);
        self.types.entry((self.package(file), text)).or_insert(id);
        match &declaration.body {
            Body::Enum(Values { values, .. }) | Body::Flags(Values { values, .. }) => {
                for value in values {
                    let Word { text, span } = &value.name;
                    let value = self.names.declare(NameKind::Value, text, *span, Some(id), &value.doc);
                    self.values.entry((id, text)).or_insert(value);
                }
            }
            Body::Struct(structure) => {
                for FieldDecl { name, doc, .. } in &structure.fields {
                    self.names.declare(NameKind::Field, &name.text, name.span, Some(id), doc);
                }
            }
        }
        id
    }

    fn uses(&mut self, file: usize, declaration: &'a Declaration, id: DeclarationId) {
        self.attributes(file, &declaration.attributes);
        match &declaration.body {
            Body::Enum(values) | Body::Flags(values) => {
                for value in values.values.iter().filter_map(|value| value.value.as_ref()) {
                    self.value(id, value);
                }
            }
            Body::Struct(structure) => {
                if let Some(base) = &structure.base {
                    self.path(file, base);
                }
                for field in &structure.fields {
                    self.attributes(file, &field.attributes);
                    let ty = self.path(file, &field.ty.base);
                    if let Shape::Map(key) | Shape::Hash(key) = &field.ty.shape {
                        self.path(file, key);
                    }
                    if let (Some(ty), Some(default)) = (ty, &field.default) {
                        self.value(ty, default);
                    }
                }
            }
        }
    }

    fn attributes(&mut self, file: usize, attributes: &'a [Attribute]) {
        for path in attributes.iter().flat_map(|attribute| &attribute.arguments) {
            self.path(file, path);
        }
    }

    /// The type that the path names, where one is declared.
    fn path(&mut self, file: usize, path: &'a Path) -> Option<DeclarationId> {
        let (package, name) = match path.words.as_slice() {
            [name] => (self.package(file), name),
            [package, name] => {
                self.package_used(package);
                (package.text.as_str(), name)
            }
            _ => return None,
        };
        let id = *self.types.get(&(package, name.text.as_str()))?;
        self.names.used(name.span, id);
        Some(id)
    }

    /// A package's name stands for the first file that has it; files are the first declarations.
    fn package_used(&mut self, package: &Word) {
        if let Some(target) = (0..self.files.len()).find(|file| self.package(*file) == package.text) {
            self.names.used(package.span, DeclarationId(target));
        }
    }

    /// The values of the enum or flags in a default or in another value: `buy`, or `Side.buy`.
    fn value(&mut self, ty: DeclarationId, value: &'a Value) {
        for Term { kind, .. } in &value.terms {
            let TermKind::Name(Path { words, .. }) = kind else { continue };
            let Some((last, before)) = words.split_last() else { continue };
            let Some(id) = self.values.get(&(ty, last.text.as_str())).copied() else { continue };
            self.names.used(last.span, id);
            if let Some((owner, package)) = before.split_last() {
                self.names.used(owner.span, ty);
                package.iter().for_each(|package| self.package_used(package));
            }
        }
    }
}
