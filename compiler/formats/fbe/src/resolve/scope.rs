//! The names that there are, and the meaning of a name in a file.

use super::builtin::{builtin, is_reserved_by_fbec};
use crate::ast::{Body, Declaration, Path, Struct, Word};
use crate::codes;
use crate::load::LoadedFile;
use aldis_diagnostics::{similar, Diagnostic, Span};
use aldis_schema::{Type, TypeId};
use std::collections::{HashMap, HashSet};

/// A declaration and the file that it is in.
#[derive(Clone, Copy)]
pub(super) struct Item<'a> {
    pub(super) file: usize,
    pub(super) declaration: &'a Declaration,
}

impl<'a> Item<'a> {
    pub(super) fn structure(&self) -> Option<&'a Struct> {
        match &self.declaration.body {
            Body::Struct(structure) => Some(structure),
            _ => None,
        }
    }

    pub(super) fn name(&self) -> &'a Word {
        &self.declaration.name
    }
}

/// All declarations of all files; a [`TypeId`] is an index into `items`.
pub(super) struct Scope<'a> {
    pub(super) items: Vec<Item<'a>>,
    pub(super) diagnostics: &'a mut Vec<Diagnostic>,
    files: &'a [LoadedFile],
    /// By package and name.
    names: HashMap<(&'a str, &'a str), TypeId>,
    /// File and package: that it is not imported directly was said once.
    warned: HashSet<(usize, &'a str)>,
    errors: usize,
    warnings: usize,
}

/// Errors, and warnings, that are kept; more are not worth the memory and the search for similar names.
const MAX_KEPT: usize = 1_000;

impl<'a> Scope<'a> {
    pub(super) fn new(files: &'a [LoadedFile], diagnostics: &'a mut Vec<Diagnostic>) -> Self {
        let items = files.iter().enumerate().flat_map(|(file, loaded)| {
            loaded.ast.declarations.iter().map(move |declaration| Item { file, declaration })
        });
        let items: Vec<Item<'a>> = items.collect();
        let mut scope =
            Self { items, diagnostics, files, names: HashMap::new(), warned: HashSet::new(), errors: 0, warnings: 0 };
        for index in 0..scope.items.len() {
            scope.declare(index);
        }
        scope
    }

    /// The package of a file; empty where it has none, which is an error already.
    pub(super) fn package(&self, file: usize) -> &'a str {
        self.files[file].ast.package.as_ref().map_or("", |package| &package.text)
    }

    /// The number that a file's implicit struct numbers count from, as written.
    pub(super) fn offset(&self, file: usize) -> Option<&'a Word> {
        self.files[file].ast.offset.as_ref()
    }

    /// `package.Name`
    pub(super) fn full_name(&self, item: Item<'_>) -> String {
        format!("{}.{}", self.package(item.file), item.name().text)
    }

    pub(super) fn item(&self, id: TypeId) -> Item<'a> {
        self.items[id.index()]
    }

    /// Keeps the problem, unless there are too many of its severity already.
    pub(super) fn report(&mut self, problem: Diagnostic) {
        let count = if problem.is_error() { &mut self.errors } else { &mut self.warnings };
        *count += 1;
        if *count <= MAX_KEPT {
            self.diagnostics.push(problem);
        }
    }

    fn declare(&mut self, index: usize) {
        let Item { file, declaration } = self.items[index];
        let name = &declaration.name;
        if builtin(&name.text).is_some() {
            let message = format!("`{}` is a built-in type", name.text);
            self.report(Diagnostic::error(codes::BUILTIN_NAME, message, name.span, "").help("choose another name"));
            return;
        }
        self.warn_keyword(name, "a type");
        let key = (self.package(file), name.text.as_str());
        if let Some(first) = self.names.get(&key) {
            let first = self.item(*first).name().span;
            let message = format!("`{}` is declared twice in package `{}`", name.text, key.0);
            let problem = Diagnostic::error(codes::DUPLICATE_TYPE, message, name.span, "again here");
            self.report(problem.label(first, "first declared here").help("rename one of them"));
            return;
        }
        self.names.insert(key, TypeId(index as u32));
    }

    /// Warns where fbec takes the name for a keyword.
    pub(super) fn warn_keyword(&mut self, name: &Word, what: &str) {
        if is_reserved_by_fbec(&name.text) {
            let message = format!("`{}` is a keyword of fbec's and cannot be {what} there", name.text);
            let problem = Diagnostic::warning(codes::KEYWORD_NAME, message, name.span, "");
            self.report(problem.help("rename it if fbec must read this schema"));
        }
    }

    /// The built-in or declared type that `path` names in `file`; reported and `None` when there is none.
    pub(super) fn lookup(&mut self, file: usize, path: &'a Path) -> Option<Type> {
        match path.words.as_slice() {
            [name] => match builtin(&name.text) {
                Some(ty) => Some(ty),
                None => self.declared(self.package(file), name),
            },
            [package, name] => {
                self.visible(file, package)?;
                self.declared(&package.text, name)
            }
            _ => {
                let message = format!("`{}` is no type", path.text());
                let problem = Diagnostic::error(codes::UNKNOWN_TYPE, message, path.span, "too many dots");
                let short =
                    path.words[path.words.len() - 2..].iter().map(|w| w.text.as_str()).collect::<Vec<_>>().join(".");
                self.report(problem.help(format!("write the package's name and the type's: `{short}`")));
                None
            }
        }
    }

    /// As [`Scope::lookup`], but without a word: what `words` name, where they name a declared type.
    pub(super) fn find(&self, file: usize, words: &[Word]) -> Option<TypeId> {
        let key = match words {
            [name] => (self.package(file), name.text.as_str()),
            [package, name] => (package.text.as_str(), name.text.as_str()),
            _ => return None,
        };
        self.names.get(&key).copied()
    }

    fn declared(&mut self, package: &str, name: &Word) -> Option<Type> {
        if let Some(id) = self.names.get(&(package, name.text.as_str())) {
            return Some(Type::Named(*id));
        }
        if self.errors >= MAX_KEPT {
            return None;
        }
        let message = format!("there is no type `{}` in package `{package}`", name.text);
        let mut problem = Diagnostic::error(codes::UNKNOWN_TYPE, message, name.span, "not declared");
        let known = self.items.iter().filter(|item| self.package(item.file) == package);
        let declared = known.map(|item| item.name().text.as_str());
        let elsewhere =
            self.items.iter().find(|item| item.name().text == name.text).map(|item| self.package(item.file));
        problem = match (similar(&name.text, declared.chain(BUILTINS)), elsewhere) {
            (Some(close), _) => problem.mend(format!("did you mean `{close}`?"), name.span, close),
            (None, Some(other)) if other != package => {
                let full = format!("{other}.{}", name.text);
                problem.mend(format!("did you mean `{full}`?"), name.span, full)
            }
            _ => problem.help("declare it, or import the package that does"),
        };
        self.report(problem);
        None
    }

    /// Whether `file` may name types of `package`. An import that could not be read, or has no package, was reported
    /// already.
    fn visible(&mut self, file: usize, package: &'a Word) -> Option<()> {
        let name = package.text.as_str();
        let own = self.package(file) == name;
        if own || self.files[file].imports.iter().any(|(_, target)| self.package(*target) == name) {
            return Some(());
        }
        let found = self.files[file].imports.iter().find(|(import, _)| import.text == name);
        if let Some((_, target)) = found.filter(|(_, target)| !self.package(*target).is_empty()) {
            self.report_other_name(package, self.package(*target));
            return None;
        }
        if self.files[file].ast.imports.iter().any(|import| import.text == name) {
            return None;
        }
        if !(0..self.files.len()).any(|other| self.package(other) == name) {
            self.report_unknown_package(file, package);
            return None;
        }
        if self.warned.insert((file, name)) {
            let message = format!("package `{name}` is only imported by an imported file");
            let problem = Diagnostic::warning(codes::INDIRECT_IMPORT, message, package.span, "used here");
            self.report(problem.help(format!("add `import {name}` to this file")));
        }
        Some(())
    }

    fn report_other_name(&mut self, import: &Word, package: &str) {
        let message = format!("the package that {}.fbe holds is called `{package}`", import.text);
        let problem = Diagnostic::error(codes::UNKNOWN_PACKAGE, message, import.span, "the file's name");
        self.report(problem.mend(format!("write `{package}.…`"), import.span, package));
    }

    fn report_unknown_package(&mut self, file: usize, package: &Word) {
        let message = format!("there is no package `{}`", package.text);
        let problem = Diagnostic::error(codes::UNKNOWN_PACKAGE, message, package.span, "not imported");
        let imported = self.files[file].ast.imports.iter().map(|import| import.text.as_str());
        self.report(match similar(&package.text, imported) {
            Some(close) => problem.mend(format!("did you mean `{close}`?"), package.span, close),
            None => problem.help(format!("add `import {}` to this file", package.text)),
        });
    }

    /// The struct that `path` names in `file`. When it names another type, the error is that type's place (the path's
    /// own for built-in types) and nothing was reported; when it names nothing, that was reported.
    pub(super) fn lookup_struct(&mut self, file: usize, path: &'a Path) -> Result<TypeId, Option<Span>> {
        match self.lookup(file, path) {
            None => Err(None),
            Some(Type::Named(id)) if self.item(id).structure().is_some() => Ok(id),
            Some(Type::Named(id)) => Err(Some(self.item(id).name().span)),
            Some(_) => Err(Some(path.span)),
        }
    }
}

pub(crate) const BUILTINS: [&str; 19] = [
    "bool",
    "byte",
    "bytes",
    "char",
    "wchar",
    "int8",
    "uint8",
    "int16",
    "uint16",
    "int32",
    "uint32",
    "int64",
    "uint64",
    "float",
    "double",
    "decimal",
    "string",
    "timestamp",
    "uuid",
];
