//! The exported functions of a generated module: who they belong to, and which of them fall together.

use crate::modules::Parts;
use crate::names::Names;
use crate::reserved::BUILT_IN_FUNCTIONS;
use aldis_diagnostics::{Diagnostic, Span};
use aldis_emit::Request;
use aldis_schema::{Schema, Type, TypeId, TypeKind};
use std::collections::BTreeMap;

/// An exported function.
#[derive(Clone, Debug)]
pub(crate) struct Export {
    pub name: String,
    arity: usize,
    /// The full name of the type or field that it is for, and where that is declared; `None` for the schema's own.
    owner: Option<(String, Span)>,
}

impl Export {
    fn new(name: impl Into<String>, arity: usize, owner: Option<&(String, Span)>) -> Self {
        Self { name: name.into(), arity, owner: owner.cloned() }
    }
}

/// Every function that the module exports. `suffixes` has one for each form: nothing, `_final`.
/// `header` tells whether messages have a header value.
pub(crate) fn exports(names: &Names, schema: &Schema, suffixes: &[String], header: bool, parts: Parts) -> Vec<Export> {
    let mut found = vec![Export::new("messages", 0, None)];
    found.extend(crate::reasons::FUNCTIONS.map(|(name, arity)| Export::new(name, arity, None)));
    if header {
        found.extend(crate::header::FUNCTIONS.map(|(name, arity)| Export::new(name, arity, None)));
    }
    for suffix in suffixes {
        found.extend(["encode", "decode", "identify"].map(|verb| Export::new(format!("{verb}{suffix}"), 1, None)));
        found.push(Export::new(format!("decode{suffix}"), 2, None));
    }
    for (index, def) in schema.types.iter().enumerate() {
        if matches!(def.kind, TypeKind::Record(_)) {
            let owner = (def.name.full(), def.span);
            found.push(Export::new(format!("new_{}", names.of(TypeId(index as u32))), 0, Some(&owner)));
        }
    }
    for message in &schema.messages {
        found.extend(of_message(names, schema, message.record, suffixes, parts));
    }
    found
}

fn of_message(names: &Names, schema: &Schema, id: TypeId, suffixes: &[String], parts: Parts) -> Vec<Export> {
    let def = schema.type_def(id);
    let owner = (def.name.full(), def.span);
    let name = names.of(id);
    let mut found = Vec::new();
    for suffix in suffixes {
        let (encode, decode) = (format!("encode_{name}{suffix}"), format!("decode_{name}{suffix}"));
        found.push(Export::new(format!("{encode}_iolist"), 1, Some(&owner)));
        found.push(Export::new(encode, 1, Some(&owner)));
        found.extend([1, 2].map(|arity| Export::new(decode.as_str(), arity, Some(&owner))));
    }
    if parts.json {
        found.extend(["to_json", "from_json"].map(|verb| Export::new(format!("{verb}_{name}"), 1, Some(&owner))));
    }
    if has_open_values(schema) {
        found.extend(["decode_as", "encode_as"].map(|verb| Export::new(format!("{verb}_{name}"), 1, Some(&owner))));
        found.push(Export::new(format!("decode_as_{name}"), 2, Some(&owner)));
    }
    if !parts.views {
        return found;
    }
    found.extend([2, 3].map(|arity| Export::new(format!("{name}_get"), arity, Some(&owner))));
    for (index, field) in schema.record(id).fields.iter().enumerate() {
        let owner = (format!("{}.{}", def.name.full(), field.name), field.span);
        found.push(Export::new(names.view(id, index), 1, Some(&owner)));
    }
    found
}

/// Whether the schema leaves the type of any value open.
pub(crate) fn has_open_values(schema: &Schema) -> bool {
    let fields = schema.types.iter().flat_map(|definition| match &definition.kind {
        TypeKind::Record(record) => record.fields.iter().collect(),
        TypeKind::Union(union) => union.arms.iter().map(|arm| &arm.field).collect(),
        TypeKind::Enum(_) | TypeKind::Flags(_) => Vec::new(),
    });
    fields.into_iter().any(|field| is_open(&field.ty))
}

fn is_open(ty: &Type) -> bool {
    match ty.required() {
        Type::Opaque(_) => true,
        Type::List(element) => is_open(element),
        _ => false,
    }
}

/// The names of a schema's module, and what is wrong with them and with the functions that are called after them.
pub(crate) fn named(request: &Request<'_>, schema: &Schema, suffixes: &[String]) -> (Names, Vec<Diagnostic>) {
    let (names, mut diagnostics) = Names::new(request, schema);
    let header = request.plans.iter().any(|plan| plan.header.is_some());
    diagnostics.extend(clashes(&exports(&names, schema, suffixes, header, Parts::of(request))));
    (names, diagnostics)
}

/// A diagnostic for each function that has the name and arity of an earlier one, or of one that Erlang has itself.
fn clashes(exports: &[Export]) -> Vec<Diagnostic> {
    let mut taken: BTreeMap<(&str, usize), &Export> = BTreeMap::new();
    let mut found = Vec::new();
    for export in exports {
        let Export { name, arity, owner } = export;
        let builtin = *arity == 1 && BUILT_IN_FUNCTIONS.contains(&name.as_str());
        if builtin || (name == "module_info" && *arity < 2) {
            found.extend(owner.as_ref().map(|owner| fixed(export, owner, "which Erlang has itself")));
        } else if let Some(first) = taken.insert((name, *arity), export) {
            found.extend(owner.as_ref().map(|owner| match &first.owner {
                None => fixed(export, owner, "which every module has for the schema as a whole"),
                Some(first) => twice(export, first, owner),
            }));
        }
    }
    found
}

/// A function that no name of a schema can have.
fn fixed(export: &Export, (full, span): &(String, Span), whose: &str) -> Diagnostic {
    let problem = format!("the function for `{full}` would be `{}/{}`, {whose}", export.name, export.arity);
    Diagnostic::error(crate::codes::NAME, problem, *span, "this name gives it")
        .help(format!("give it another name: --rename {full}=OTHER"))
}

fn twice(export: &Export, first: &(String, Span), second: &(String, Span)) -> Diagnostic {
    let call = format!("{}/{}", export.name, export.arity);
    let problem = format!("`{}` and `{}` both have a function `{call}` in Erlang", first.0, second.0);
    Diagnostic::error(crate::codes::NAME, problem, second.1, "this name gives one")
        .label(first.1, "and this one the other")
        .help(format!("give one of them another name: --rename {}=OTHER", second.0))
}
