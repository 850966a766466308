//! Bases: found, free of circles, and their fields in front of the struct's own.

use super::scope::{Item, Scope};
use crate::codes;
use aldis_diagnostics::Diagnostic;
use aldis_schema::{Field, Record, Schema, TypeId, TypeKind};
use std::collections::{HashMap, HashSet};

/// Fields that all structs together may inherit: each is a copy, so a long base with many heirs would grow without bound.
const MAX_INHERITED: usize = 100_000;

/// Structs below structs; no hand-written schema comes near.
const MAX_DEPTH: usize = 64;

/// Parallel to the items: the base of each struct that has a sound one, never in a circle.
pub(super) fn bases(scope: &mut Scope<'_>) -> Vec<Option<TypeId>> {
    let mut bases: Vec<Option<TypeId>> = (0..scope.items.len()).map(|index| base(scope, index)).collect();
    for index in 0..bases.len() {
        let chain = chain(&bases, index);
        match chain.last().and_then(|last| bases[*last].map(|base| (last, base.index()))) {
            // Circles elsewhere up the chain are found from their own members.
            Some((last, base)) if base == index => {
                report_circle(scope, &chain);
                bases[*last] = None;
            }
            Some(_) if chain.len() > MAX_DEPTH => {
                report_depth(scope, index);
                bases[index] = None;
            }
            _ => {}
        }
    }
    bases
}

/// `index`, its base, the base's base …, up to the root, the first repetition or the depth limit.
fn chain(bases: &[Option<TypeId>], index: usize) -> Vec<usize> {
    let mut chain = vec![index];
    let mut seen = HashSet::from([index]);
    while let Some(base) = chain.last().and_then(|last| bases[*last]) {
        if chain.len() > MAX_DEPTH || !seen.insert(base.index()) {
            break;
        }
        chain.push(base.index());
    }
    chain
}

fn base(scope: &mut Scope<'_>, index: usize) -> Option<TypeId> {
    let path = scope.items[index].structure()?.base.as_ref()?;
    let file = scope.items[index].file;
    match scope.lookup_struct(file, path) {
        Ok(id) => Some(id),
        Err(None) => None,
        Err(Some(declared)) => {
            let message = format!("`{}` is no struct", path.text());
            let mut problem = Diagnostic::error(codes::BASE_NOT_STRUCT, message, path.span, "used as a base");
            if declared != path.span {
                problem = problem.label(declared, "declared here");
            }
            scope.report(problem.help("a struct inherits from a struct or message"));
            None
        }
    }
}

fn report_circle(scope: &mut Scope<'_>, chain: &[usize]) {
    let names: Vec<&str> = chain.iter().chain(&chain[..1]).map(|i| scope.items[*i].name().text.as_str()).collect();
    let message = format!("`{}` inherits from itself", names[0]);
    let bases = chain.iter().filter_map(|i| scope.items[*i].structure()?.base.as_ref());
    let labels: Vec<_> = bases
        .zip(names.windows(2))
        .map(|(base, pair)| (base.span, format!("{}'s base is {}", pair[0], pair[1])))
        .collect();
    let Some(((first, text), rest)) = labels.split_first() else { return };
    let mut problem = Diagnostic::error(codes::INHERITANCE_CYCLE, message, *first, text);
    for (span, text) in rest {
        problem = problem.label(*span, text);
    }
    scope.report(problem.help("remove one of these bases"));
}

fn report_depth(scope: &mut Scope<'_>, index: usize) {
    let name = scope.items[index].name();
    let message = format!("`{}` has more than {MAX_DEPTH} bases above it", name.text);
    let problem = Diagnostic::error(codes::TOO_DEEP, message, name.span, "");
    scope.report(problem.help("put the fields into fewer structs"));
}

/// Gives each struct its inherited fields, the most distant base's first, and its keys among all of them.
pub(super) fn flatten(scope: &mut Scope<'_>, bases: &[Option<TypeId>], schema: &mut Schema) {
    let own: Vec<Record> = schema.types.iter().map(|t| own_record(&t.kind)).collect();
    let mut inherited = 0;
    for index in 0..own.len() {
        let levels = chain(bases, index);
        inherited += levels[1..].iter().map(|level| own[*level].fields.len()).sum::<usize>();
        if inherited > MAX_INHERITED {
            report_inherited(scope, index);
            return;
        }
        let mut fields: Vec<Field> = Vec::new();
        let mut keys = Vec::new();
        for level in levels.into_iter().rev() {
            let before = fields.len() as u32;
            keys.extend(own[level].keys.iter().map(|key| before + key));
            fields.extend(own[level].fields.iter().cloned());
        }
        check_unique(scope, &own[index], &fields, scope.items[index]);
        if let TypeKind::Record(record) = &mut schema.types[index].kind {
            record.fields = fields;
            record.keys = keys;
        }
    }
}

fn report_inherited(scope: &mut Scope<'_>, index: usize) {
    let name = scope.items[index].name();
    let message = format!("structs inherit more than {MAX_INHERITED} fields in all");
    let problem = Diagnostic::error(codes::INHERITED_FIELDS, message, name.span, "too many with this one");
    scope.report(problem.help("put the fields into a struct and hold that in a field"));
}

fn own_record(kind: &TypeKind) -> Record {
    match kind {
        TypeKind::Record(record) => record.clone(),
        _ => Record::default(),
    }
}

/// Reports own fields that share a name, or the `[id]` mark, with a field before them.
fn check_unique(scope: &mut Scope<'_>, own: &Record, fields: &[Field], item: Item<'_>) {
    let inherited = fields.len() - own.fields.len();
    let mut names: HashMap<&str, usize> = HashMap::new();
    let mut id: Option<&Field> = None;
    for (index, field) in fields.iter().enumerate() {
        let first = *names.entry(&field.name).or_insert(index);
        if first < index && index >= inherited {
            let message = format!("`{}` has two fields called `{}`", item.name().text, field.name);
            let problem =
                Diagnostic::error(codes::DUPLICATE_FIELD, message, field.span, origin(fields, index, "again here"));
            let text = if first < inherited { "inherited from here" } else { "first declared here" };
            let problem = problem.label(fields[first].span, origin(fields, first, text));
            scope.report(problem.help("rename one of them"));
        }
        if !field.correlation {
            continue;
        }
        if let Some(first) = id.filter(|_| index >= inherited) {
            let message = format!("`{}` has two `[id]` fields", item.name().text);
            let problem = Diagnostic::error(codes::SECOND_ID, message, field.span, "again here");
            scope.report(
                problem.label(first.span, "first here").help("requests are correlated by one field; remove one mark"),
            );
        }
        id = id.or(Some(field));
    }
}

/// `text`, unless the field is the one that stands behind a resettable field.
fn origin(fields: &[Field], index: usize, text: &str) -> String {
    match index.checked_sub(1).map(|before| &fields[before]) {
        Some(owner) if owner.span == fields[index].span => format!("`~` adds `{}`", fields[index].name),
        _ => text.to_owned(),
    }
}
