//! The places where attributes may stand.

use crate::ast::{Attribute, Body, Declaration, Struct};
use crate::codes;
use aldis_diagnostics::Diagnostic;

pub(crate) const ALL: [&str; 7] = ["key", "id", "hidden", "deprecated", "request", "response", "reject"];

pub(super) fn has(attributes: &[Attribute], name: &str) -> bool {
    attributes.iter().any(|attribute| attribute.name.text == name)
}

/// Attributes of a type, and of its values where it has some.
pub(super) fn check_declaration(declaration: &Declaration, diagnostics: &mut Vec<Diagnostic>) {
    match &declaration.body {
        Body::Struct(Struct { message: true, .. }) => {
            let allowed = ["deprecated", "request", "response", "reject"];
            check(&declaration.attributes, &allowed, "a message", diagnostics);
        }
        Body::Struct(_) => check(&declaration.attributes, &["deprecated"], "a struct", diagnostics),
        Body::Enum(values) | Body::Flags(values) => {
            check(&declaration.attributes, &["deprecated"], "an enum or flags type", diagnostics);
            for value in &values.values {
                check(&value.attributes, &["deprecated"], "a value", diagnostics);
            }
        }
    }
}

pub(super) fn check_field(attributes: &[Attribute], diagnostics: &mut Vec<Diagnostic>) {
    check(attributes, &["key", "id", "hidden", "deprecated"], "a field", diagnostics);
}

fn check(attributes: &[Attribute], allowed: &[&str], what: &str, diagnostics: &mut Vec<Diagnostic>) {
    for (index, attribute) in attributes.iter().enumerate() {
        let name = attribute.name.text.as_str();
        if !ALL.contains(&name) {
            let message = format!("there is no attribute `{name}`");
            let problem = Diagnostic::error(codes::UNKNOWN_ATTRIBUTE, message, attribute.name.span, "");
            diagnostics.push(problem.help(format!("attributes are {}", ALL.join(", "))));
        } else if !allowed.contains(&name) {
            let message = format!("`[{name}]` has no meaning on {what}");
            let problem = Diagnostic::warning(codes::MISPLACED_ATTRIBUTE, message, attribute.span, "ignored");
            let allowed = allowed.iter().map(|name| format!("`[{name}]`")).collect::<Vec<_>>().join(", ");
            diagnostics.push(problem.help(format!("remove it; here may stand {allowed}")));
        } else {
            check_arguments(attribute, diagnostics);
        }
        if let Some(first) = attributes[..index].iter().find(|other| other.name.text == name) {
            let message = format!("`[{name}]` stands there twice");
            let problem = Diagnostic::error(codes::REPEATED_ATTRIBUTE, message, attribute.span, "again here");
            diagnostics.push(problem.label(first.span, "first here").help("remove one of them"));
        }
    }
}

fn check_arguments(attribute: &Attribute, diagnostics: &mut Vec<Diagnostic>) {
    let count = attribute.arguments.len();
    let help = match attribute.name.text.as_str() {
        "response" if count != 1 => "it names one message: `[response(Answer)]`",
        "reject" if count == 0 => "it names messages: `[reject(Failure)]`",
        "response" | "reject" => return,
        _ if count > 0 => "it takes no arguments",
        _ => return,
    };
    let message = format!("`[{}]` has the wrong arguments", attribute.name.text);
    diagnostics.push(Diagnostic::error(codes::ATTRIBUTE_ARGUMENTS, message, attribute.span, "").help(help));
}
