//! The elements and attributes that there are, and the content that each may hold: everything that can be said of an element by
//! itself. Later steps read attributes without looking at their form again.

use crate::codes;
use crate::report::Report;
use crate::suggest::closest;
use crate::xml::{Attribute, Element};
use aldis_diagnostics::invisible;

/// The attributes and children that one element may have.
struct Rule {
    element: &'static str,
    required: &'static [&'static str],
    optional: &'static [&'static str],
    children: &'static [&'static str],
}

const RULES: &[Rule] = &[
    Rule {
        element: "messageSchema",
        required: &["package", "id"],
        optional: &["version", "semanticVersion", "description", "byteOrder", "headerType"],
        children: &["types", "message"],
    },
    Rule {
        element: "types",
        required: &[],
        optional: &["package"],
        children: &["types", "type", "composite", "enum", "set"],
    },
    Rule {
        element: "type",
        required: &["name", "primitiveType"],
        optional: &[
            "length",
            "presence",
            "nullValue",
            "minValue",
            "maxValue",
            "characterEncoding",
            "offset",
            "semanticType",
            "description",
            "sinceVersion",
            "deprecated",
            "valueRef",
            "variableLength",
        ],
        children: &[],
    },
    Rule {
        element: "composite",
        required: &["name"],
        optional: &["offset", "presence", "semanticType", "description", "sinceVersion", "deprecated"],
        children: &["type", "enum", "set", "composite", "ref"],
    },
    Rule {
        element: "ref",
        required: &["name", "type"],
        optional: &["offset", "presence", "semanticType", "description", "sinceVersion", "deprecated"],
        children: &[],
    },
    Rule {
        element: "enum",
        required: &["name", "encodingType"],
        optional: &["nullValue", "presence", "offset", "semanticType", "description", "sinceVersion", "deprecated"],
        children: &["validValue"],
    },
    Rule {
        element: "validValue",
        required: &["name"],
        optional: &["description", "sinceVersion", "deprecated"],
        children: &[],
    },
    Rule {
        element: "set",
        required: &["name", "encodingType"],
        optional: &["presence", "offset", "semanticType", "description", "sinceVersion", "deprecated"],
        children: &["choice"],
    },
    Rule {
        element: "choice",
        required: &["name"],
        optional: &["description", "sinceVersion", "deprecated"],
        children: &[],
    },
    Rule {
        element: "message",
        required: &["name", "id"],
        optional: &["blockLength", "semanticType", "sinceVersion", "deprecated", "description", "alignment"],
        children: &["field", "group", "data"],
    },
    Rule {
        element: "field",
        required: &["name", "id", "type"],
        optional: &[
            "offset",
            "presence",
            "valueRef",
            "semanticType",
            "sinceVersion",
            "deprecated",
            "description",
            "epoch",
            "timeUnit",
        ],
        children: &[],
    },
    Rule {
        element: "group",
        required: &["name", "id"],
        optional: &[
            "dimensionType",
            "blockLength",
            "semanticType",
            "sinceVersion",
            "deprecated",
            "description",
            "alignment",
        ],
        children: &["field", "group", "data"],
    },
    Rule {
        element: "data",
        required: &["name", "id", "type"],
        optional: &["presence", "offset", "semanticType", "sinceVersion", "deprecated", "description"],
        children: &[],
    },
];

/// The attributes that an element must and may have.
pub(crate) fn attributes_of(element: &str) -> Option<(&'static [&'static str], &'static [&'static str])> {
    RULES.iter().find(|rule| rule.element == element).map(|rule| (rule.required, rule.optional))
}

/// The elements that an element may hold.
pub(crate) fn children_of(element: &str) -> Option<&'static [&'static str]> {
    RULES.iter().find(|rule| rule.element == element).map(|rule| rule.children)
}

/// Checks a whole tree, root first.
pub(crate) fn check(root: &Element, report: &mut Report) {
    if root.name != "messageSchema" {
        report
            .error(
                codes::NO_SCHEMA,
                format!("the root element is `{}`", root.name),
                root.span,
                "`messageSchema` is expected here",
            )
            .help("an SBE schema is one <sbe:messageSchema> element; files of types alone are for xi:include");
        return;
    }
    element(root, root, report);
}

fn element(this: &Element, schema: &Element, report: &mut Report) {
    let Some(rule) = RULES.iter().find(|rule| rule.element == this.name) else { return };
    for name in rule.required {
        match this.attribute(name) {
            Some(attribute) if !attribute.value.is_empty() => {}
            Some(attribute) => empty(this, attribute, report),
            None => {
                report
                    .error(
                        codes::MISSING_ATTRIBUTE,
                        format!("`{}` has no `{name}`", this.name),
                        this.span,
                        format!("needs `{name}`"),
                    )
                    .help(format!("add the attribute: {name}=\"…\""));
            }
        }
    }
    for attribute in &this.attributes {
        form(this, attribute, rule, report);
    }
    since(this, schema, report);
    for child in &this.children {
        placed(this, child, rule, report);
        element(child, schema, report);
    }
    if rule.children.contains(&"data") {
        order(this, report);
    }
}

fn empty(this: &Element, attribute: &Attribute, report: &mut Report) {
    report
        .error(
            codes::MISSING_ATTRIBUTE,
            format!("`{}` has an empty `{}`", this.name, attribute.name),
            attribute.span,
            "nothing here",
        )
        .help("give it a value");
}

fn placed(parent: &Element, child: &Element, rule: &Rule, report: &mut Report) {
    if rule.children.contains(&child.name.as_str()) {
        return;
    }
    let may = match rule.children {
        [] => format!("`{}` holds no elements", parent.name),
        names => format!("`{}` holds {}", parent.name, names.join(", ")),
    };
    if RULES.iter().any(|rule| rule.element == child.name) {
        let message = format!("`{}` cannot stand in `{}`", child.name, parent.name);
        report.error(codes::MISPLACED, message, child.span, "not here").help(may);
    } else {
        let message = format!("unknown element `{}`", child.name);
        let added = report.warning(codes::UNKNOWN_ELEMENT, message, child.span, "ignored").help(may);
        if let Some(name) = closest(&child.name, rule.children.iter().copied()) {
            added.help(format!("did you mean `{name}`?"));
        }
    }
}

/// Fields, then groups, then data: what follows a variable part has no fixed place.
fn order(parent: &Element, report: &mut Report) {
    let rank = |element: &Element| ["field", "group", "data"].iter().position(|name| *name == element.name);
    let mut latest: Option<(usize, &Element)> = None;
    for child in &parent.children {
        let Some(rank) = rank(child) else { continue };
        match latest {
            Some((before, element)) if before > rank => {
                let message = format!(
                    "{} `{}` comes after {} `{}`",
                    child.name,
                    child.given_name(),
                    element.name,
                    element.given_name()
                );
                report
                    .error(codes::ORDER, message, child.name_place(), format!("move this {} up", child.name))
                    .label(element.name_place(), format!("before this {}", element.name))
                    .help("the order within a message or group is: fields, then groups, then data");
            }
            _ => latest = Some((rank, child)),
        }
    }
}

fn form(this: &Element, attribute: &Attribute, rule: &Rule, report: &mut Report) {
    let name = attribute.name.as_str();
    if !rule.required.contains(&name) && !rule.optional.contains(&name) {
        let message = format!("`{}` has no attribute `{name}`", this.name);
        let added = report.warning(codes::UNKNOWN_ATTRIBUTE, message, attribute.span, "ignored");
        if let Some(meant) = closest(name, rule.required.iter().chain(rule.optional).copied()) {
            added.help(format!("did you mean `{meant}`?"));
        } else {
            added.help("remove it, or check its spelling");
        }
        return;
    }
    if attribute.value.is_empty() {
        return;
    }
    match name {
        "name" => symbolic(attribute, report),
        "id" | "version" | "length" | "offset" | "blockLength" | "sinceVersion" | "deprecated" => {
            number(attribute, report)
        }
        "presence" => one_of(attribute, &["required", "optional", "constant"], report),
        "byteOrder" => one_of(attribute, &["littleEndian", "bigEndian"], report),
        "variableLength" => one_of(attribute, &["true", "false"], report),
        "alignment" => {
            report
                .warning(
                    codes::ALIGNMENT,
                    "`alignment` belongs to SBE 2.0",
                    attribute.span,
                    "ignored: nothing is aligned",
                )
                .help("give fields an `offset` and blocks a `blockLength` where they shall be aligned");
        }
        "package" if this.name == "types" => {
            report
                .warning(codes::TYPES_PACKAGE, "`package` of `types` belongs to SBE 2.0", attribute.span, "ignored")
                .help("all types are of the schema's own package");
        }
        _ => {}
    }
}

fn symbolic(attribute: &Attribute, report: &mut Report) {
    let first = attribute.value.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if !first || !attribute.value.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        let message = match invisible(&attribute.value) {
            Some(character) => format!("a name holds the {character}"),
            None => format!("`{}` is no name", attribute.value),
        };
        report
            .error(codes::BAD_NAME, message, attribute.span, "not a symbolic name")
            .help("names are letters, digits and `_`, and do not begin with a digit");
    }
}

fn number(attribute: &Attribute, report: &mut Report) {
    if attribute.value.parse::<u32>().is_err() {
        let message = format!("`{}` is no number for `{}`", attribute.value, attribute.name);
        report
            .error(codes::BAD_NUMBER, message, attribute.span, "a whole number is expected here")
            .help(format!("give a decimal number from 0 to {}", u32::MAX));
    }
}

fn one_of(attribute: &Attribute, values: &[&str], report: &mut Report) {
    if !values.contains(&attribute.value.as_str()) {
        let message = format!("`{}` is no value of `{}`", attribute.value, attribute.name);
        report.error(codes::BAD_KEYWORD, message, attribute.span, "not one of its values").help(format!(
            "`{}` is one of: {}",
            attribute.name,
            values.join(", ")
        ));
    }
}

fn since(this: &Element, schema: &Element, report: &mut Report) {
    let (Some(attribute), Some(since)) = (this.attribute("sinceVersion"), count(this, "sinceVersion")) else { return };
    let version = count(schema, "version").unwrap_or(0);
    if since > version {
        let message =
            format!("`{}` is since version {since}, but the schema is of version {version}", this.given_name());
        report
            .error(codes::FUTURE, message, attribute.span, "later than the schema itself")
            .label(schema.place("version"), format!("the schema is of version {version}"))
            .help("raise the schema's `version`, or lower `sinceVersion`");
    }
}

/// The number in an attribute; `None` when there is none or it is no number, which [`check`] has then reported.
pub(crate) fn count(element: &Element, attribute: &str) -> Option<u32> {
    element.value(attribute)?.parse().ok()
}

/// `sinceVersion`, 0 where it is not given.
pub(crate) fn since_of(element: &Element) -> u32 {
    count(element, "sinceVersion").unwrap_or(0)
}
