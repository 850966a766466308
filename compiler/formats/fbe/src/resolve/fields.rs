//! The fields that each struct declares itself.

use super::attributes::{check_field, has};
use super::defaults::Defaults;
use super::number_text::{read, NumberText};
use super::scope::Scope;
use super::size::MAX_FIXED;
use crate::ast::{FieldDecl, Shape, TypeRef, Word};
use crate::codes;
use aldis_diagnostics::{any_error, Diagnostic};
use aldis_schema::{Field, Schema, Type, TypeKind};

/// Fills in the own fields of all structs; inherited ones are not there yet.
pub(super) fn resolve(scope: &mut Scope<'_>, schema: &mut Schema) {
    for index in 0..scope.items.len() {
        let file = scope.items[index].file;
        let Some(structure) = scope.items[index].structure() else { continue };
        let mut fields = Vec::with_capacity(structure.fields.len());
        let mut keys = Vec::new();
        for declared in &structure.fields {
            check_field(&declared.attributes, scope.diagnostics);
            scope.warn_keyword(&declared.name, "a field");
            let Some(field) = field(scope, schema, file, declared) else {
                // A field that is lost without a word would make wrong plans.
                debug_assert!(any_error(scope.diagnostics), "{} is lost", declared.name.text);
                continue;
            };
            if declared.key {
                keys.push(fields.len() as u32);
            }
            let reset = matches!(declared.ty.shape, Shape::Resettable).then(|| reset(&field));
            fields.push(field);
            fields.extend(reset);
        }
        if let TypeKind::Record(record) = &mut schema.types[index].kind {
            record.fields = fields;
            record.keys = keys;
        }
    }
}

fn field<'a>(scope: &mut Scope<'a>, schema: &Schema, file: usize, declared: &'a FieldDecl) -> Option<Field> {
    let ty = field_type(scope, file, &declared.ty)?;
    let mut field = Field::new(&declared.name.text, ty, declared.name.span);
    field.doc.clone_from(&declared.doc);
    field.correlation = declared.id.is_some();
    field.hidden = has(&declared.attributes, "hidden");
    field.deprecated = has(&declared.attributes, "deprecated");
    let written = declared.ty.base.text();
    if matches!(written.as_str(), "byte" | "char" | "wchar") {
        field.notes.insert("type".to_owned(), written);
    }
    if let Some(value) = &declared.default {
        let defaults = Defaults { schema, file, field: declared };
        field.default = defaults.literal(scope, &field.ty, value);
    }
    Some(field)
}

/// The `bool` that stands behind a resettable field.
fn reset(field: &Field) -> Field {
    let mut reset = Field::new(format!("{}Reset", field.name), Type::Bool, field.span);
    reset.doc = format!("Whether `{}` is to be reset.", field.name);
    reset
}

fn field_type<'a>(scope: &mut Scope<'a>, file: usize, written: &'a TypeRef) -> Option<Type> {
    // All parts are looked up even when the first is unknown, so that one run shows all that is.
    let base = scope.lookup(file, &written.base);
    let key = match &written.shape {
        Shape::Map(key) | Shape::Hash(key) => Some(scope.lookup(file, key)),
        _ => None,
    };
    let length = match &written.shape {
        Shape::Array(length) => Some(array_length(scope, length)),
        _ => None,
    };
    let base = match written.optional {
        true => base?.optional(),
        false => base?,
    };
    Some(match written.shape {
        Shape::One => base,
        Shape::Resettable => base.optional(),
        Shape::Array(_) => Type::Array { element: Box::new(base), len: length?? },
        Shape::Vector | Shape::List => Type::List(Box::new(base)),
        Shape::Set => Type::Set(Box::new(base)),
        Shape::Map(_) => Type::Map { key: Box::new(key??), value: Box::new(base), hashed: false },
        Shape::Hash(_) => Type::Map { key: Box::new(key??), value: Box::new(base), hashed: true },
    })
}

fn array_length(scope: &mut Scope<'_>, length: &Word) -> Option<u32> {
    let here = match read(&length.text) {
        NumberText::Integer(n) if (1..=i128::from(MAX_FIXED)).contains(&n) => return u32::try_from(n).ok(),
        NumberText::Integer(n) if n > 0 => "too many elements",
        NumberText::Integer(_) => "an array has at least one element",
        NumberText::Huge => "too many elements",
        NumberText::Fraction => "not a whole number",
        NumberText::Malformed => return scope.report_malformed(&length.text, length.span),
    };
    let message = format!("an array cannot have {} elements", length.text);
    let problem = Diagnostic::error(codes::BAD_LENGTH, message, length.span, here);
    scope.report(problem.help(format!("write 1 to {MAX_FIXED}, or use a vector: `type[]`")));
    None
}
