//! Syntax trees to a [`Schema`]: names are looked up, numbers given, values computed, rules checked. One rule a file.

mod answers;
mod attributes;
mod builtin;
mod defaults;
mod fields;
mod headers;
mod inherit;
mod number_text;
mod numbers;
mod scope;
mod size;
mod values;

use crate::ast::{Body, Struct};
use crate::load::LoadedFile;
use aldis_diagnostics::{Diagnostic, Sources};
use aldis_schema::{module_hashes, MessageDef, Name, Record, Role, Schema, SchemaModule, TypeDef, TypeId, TypeKind};
use scope::{Item, Scope};

pub(crate) use attributes::ALL as ATTRIBUTES;
pub(crate) use scope::BUILTINS;

/// A schema with what FBE knows beyond it.
pub(crate) struct Resolved {
    pub(crate) schema: Schema,
    /// Parallel to the schema's types: the number of each struct, 0 for enums and flags.
    pub(crate) numbers: Vec<u32>,
}

/// Resolves `files`, the root first. What is wrong is reported and left out; the result is of use only when there was
/// no error. `None` when there is no file at all.
pub(crate) fn resolve(files: &[LoadedFile], sources: &Sources, diagnostics: &mut Vec<Diagnostic>) -> Option<Resolved> {
    let root = files.first()?;
    headers::check(files, diagnostics);
    let mut scope = Scope::new(files, diagnostics);
    let texts: Vec<&str> = sources.iter().map(|source| source.text.as_str()).collect();
    let imports: Vec<Vec<usize>> =
        files.iter().map(|file| file.imports.iter().map(|(_, file)| *file).collect()).collect();
    let hashes = module_hashes(&texts, &imports);
    let mut schema = Schema {
        package: scope.package(0).to_owned(),
        doc: root.ast.doc.clone(),
        version: root.ast.version.as_ref().map(|v| v.text.clone()),
        hash: hashes[0].clone(),
        types: Vec::with_capacity(scope.items.len()),
        messages: Vec::new(),
        ..Schema::default()
    };
    for index in 0..scope.items.len() {
        let kind = values::kind(&mut scope, index);
        schema.types.push(type_def(&mut scope, index, kind));
    }
    fields::resolve(&mut scope, &mut schema);
    answers::resolve(&mut scope, &mut schema);
    let bases = inherit::bases(&mut scope);
    let numbers = numbers::assign(&mut scope, &bases);
    inherit::flatten(&mut scope, &bases, &mut schema);
    size::check(&scope.items, &schema, scope.diagnostics);
    size::check_chains(&scope.items, &schema, scope.diagnostics);
    schema.messages = messages(&scope.items, &numbers);
    schema.owners = scope.items.iter().map(|item| item.file as u32).collect();
    let names = (0..files.len()).map(|file| scope.package(file).to_owned());
    schema.modules = names.zip(hashes).map(|(name, hash)| SchemaModule { name, hash }).collect();
    Some(Resolved { schema, numbers })
}

/// The declaration without its fields, which may name types that come later.
fn type_def(scope: &mut Scope<'_>, index: usize, kind: Option<TypeKind>) -> TypeDef {
    let Item { file, declaration } = scope.items[index];
    attributes::check_declaration(declaration, scope.diagnostics);
    TypeDef {
        name: Name::new(scope.package(file), &declaration.name.text),
        doc: declaration.doc.clone(),
        span: declaration.name.span,
        deprecated: attributes::has(&declaration.attributes, "deprecated"),
        kind: kind.unwrap_or_else(|| TypeKind::Record(Record { role: role(&declaration.body), ..Record::default() })),
    }
}

fn role(body: &Body) -> Role {
    match body {
        Body::Struct(Struct { message: true, .. }) => Role::Message,
        _ => Role::Struct,
    }
}

/// Every struct can be a message of its own; `message` only says that it is meant to be one.
fn messages(items: &[Item<'_>], numbers: &[u32]) -> Vec<MessageDef> {
    let mut messages = Vec::new();
    for (index, item) in items.iter().enumerate() {
        if let Body::Struct(Struct { message, .. }) = item.declaration.body {
            messages.push(MessageDef {
                record: TypeId(index as u32),
                id: Some(u64::from(numbers[index])),
                rank: rank(message, item.file),
                listed: item.file == 0,
            });
        }
    }
    messages
}

/// As the reference's receivers look for a number: among the messages of their own package, then among those of the
/// imported packages in the order of the imports, which is the order in which files are read. Plain structs, which
/// receivers never look for, come after all messages, those of the root file first.
fn rank(message: bool, file: usize) -> u32 {
    match (message, file) {
        (true, file) => u32::try_from(file).unwrap_or(u32::MAX).min(STRUCT_RANK - 1),
        (false, 0) => STRUCT_RANK,
        (false, _) => STRUCT_RANK + 1,
    }
}

/// The rank of a plain struct of the root file.
const STRUCT_RANK: u32 = u32::MAX - 1;
