//! `[request]`, `[response(T)]` and `[reject(T, *U)]`.

use super::attributes::has;
use super::scope::Scope;
use crate::ast::{Attribute, Path};
use crate::codes;
use aldis_diagnostics::Diagnostic;
use aldis_schema::{Request, Schema, TypeId, TypeKind};

/// Fills in what answers each request.
pub(super) fn resolve(scope: &mut Scope<'_>, schema: &mut Schema) {
    for index in 0..scope.items.len() {
        let item = scope.items[index];
        let attributes = &item.declaration.attributes;
        if !item.structure().is_some_and(|s| s.message) {
            continue;
        }
        let mut request = Request::default();
        let mut is_request = false;
        for attribute in attributes {
            let is_response = match attribute.name.text.as_str() {
                "request" => {
                    is_request = true;
                    continue;
                }
                "response" => true,
                "reject" => false,
                _ => continue,
            };
            is_request = true;
            warn_not_request(scope, attributes, attribute);
            for path in &attribute.arguments {
                match answer(scope, item.file, path) {
                    Some(id) if is_response => request.response = Some(id),
                    Some(id) => request.rejects.push(id),
                    None => {}
                }
            }
        }
        if let TypeKind::Record(record) = &mut schema.types[index].kind {
            record.request = is_request.then_some(request);
        }
    }
}

fn warn_not_request(scope: &mut Scope<'_>, all: &[Attribute], attribute: &Attribute) {
    if !has(all, "request") {
        let message = format!("`[{}]` on a message that is no request", attribute.name.text);
        let problem = Diagnostic::warning(codes::NOT_REQUEST, message, attribute.span, "taken as a request");
        scope.report(problem.help("add `[request]`"));
    }
}

fn answer<'a>(scope: &mut Scope<'a>, file: usize, path: &'a Path) -> Option<TypeId> {
    match scope.lookup_struct(file, path) {
        Ok(id) => {
            let item = scope.item(id);
            if !item.structure().is_some_and(|s| s.message) {
                let message = format!("`{}` answers a request but is no message", path.text());
                let problem = Diagnostic::warning(codes::ANSWER_NOT_MESSAGE, message, path.span, "cannot be sent");
                scope.report(problem.label(item.name().span, "declared as a struct").help("declare it with `message`"));
            }
            Some(id)
        }
        Err(None) => None,
        Err(Some(declared)) => {
            let message = format!("`{}` is no struct", path.text());
            let mut problem = Diagnostic::error(codes::BAD_ANSWER, message, path.span, "used as an answer");
            if declared != path.span {
                problem = problem.label(declared, "declared here");
            }
            scope.report(problem.help("name a message"));
            None
        }
    }
}
