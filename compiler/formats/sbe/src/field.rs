//! `<field>`: one value in a block.

use crate::catalog::Catalog;
use crate::codes;
use crate::report::Report;
use crate::resolved::{presence_of, Handle, Kind, Presence};
use crate::simple::value_ref;
use crate::xml::Element;
use aldis_schema::{Literal, Type};

/// A field whose type is known.
pub(crate) struct Resolved {
    pub target: Handle,
    /// The field's own presence, where that counts.
    pub presence: Option<Presence>,
    pub constant: Option<Constant>,
}

/// A constant that the field rather than its type fixes.
pub(crate) enum Constant {
    /// A value of the field's own enum.
    OfEnum(i128),
    Plain(Type, Literal),
}

impl Resolved {
    pub fn new<'a>(field: &'a Element, catalog: &mut Catalog<'a>, report: &mut Report) -> Option<Self> {
        let target = catalog.named(field, "type", 0, report)?;
        semantic_types(field, target, catalog, report);
        variable(field, target, catalog, report)?;
        let type_constant = matches!(catalog.kind(target), Kind::Simple(s) if s.presence == Presence::Constant);
        let presence = presence_of(field);
        if presence != Some(Presence::Constant) {
            remark(field, target, presence, type_constant, catalog, report);
            return Some(Self { target, presence, constant: None });
        }
        let own_value = field.attribute("valueRef").is_some() || !field.text.trim().is_empty();
        if type_constant && !own_value {
            return Some(Self { target, presence: None, constant: None });
        }
        let constant = Some(constant(field, target, catalog, report)?);
        Some(Self { target, presence: None, constant })
    }

    /// Bytes in the block.
    pub fn width(&self, catalog: &Catalog<'_>) -> u64 {
        if self.constant.is_some() {
            0
        } else {
            catalog.width(self.target)
        }
    }
}

fn constant<'a>(
    field: &'a Element,
    target: Handle,
    catalog: &mut Catalog<'a>,
    report: &mut Report,
) -> Option<Constant> {
    match catalog.kind(target) {
        Kind::Simple(simple) => {
            let simple = simple.clone();
            let (ty, value) = match field.attribute("valueRef") {
                Some(_) => simple.referred(field, catalog, 0, report)?,
                None => simple.written(field, report)?,
            };
            Some(Constant::Plain(ty, value))
        }
        Kind::Enum(_) if field.attribute("valueRef").is_none() => {
            report
                .error(
                    codes::NO_CONSTANT,
                    format!("the constant `{}` has no value", field.given_name()),
                    field.name_place(),
                    "what is its value?",
                )
                .help(format!("name it: valueRef=\"{}.…\"", field.value("type").unwrap_or_default()));
            None
        }
        Kind::Enum(_) => enum_constant(field, target, catalog, report),
        other => {
            report
                .error(
                    codes::CONSTANT_KIND,
                    format!("`{}` is {} and cannot be constant", field.given_name(), other.noun()),
                    field.place("presence"),
                    "only numbers, chars and enums can",
                )
                .help("remove presence=\"constant\"");
            None
        }
    }
}

fn enum_constant<'a>(
    field: &'a Element,
    target: Handle,
    catalog: &mut Catalog<'a>,
    report: &mut Report,
) -> Option<Constant> {
    let (of, value) = value_ref(field, catalog, 0, report)?;
    if of != target {
        let message = format!(
            "`{}` is of enum `{}`, but its value is of another",
            field.given_name(),
            field.value("type").unwrap_or_default()
        );
        report
            .error(codes::VALUE_REF_TYPE, message, field.place("valueRef"), "a value of this enum")
            .label(field.place("type"), "the field's own type")
            .help("refer to a value of the field's type");
        return None;
    }
    Some(Constant::OfEnum(value))
}

fn remark(
    field: &Element,
    target: Handle,
    presence: Option<Presence>,
    type_constant: bool,
    catalog: &Catalog<'_>,
    report: &mut Report,
) {
    if presence.is_some() && type_constant {
        let added = report
            .warning(
                codes::TYPE_CONSTANT,
                format!("`{}` is of a constant type", field.given_name()),
                field.place("presence"),
                "ignored: it takes no bytes",
            )
            .help("write presence=\"constant\", or leave it out");
        if let Some(element) = catalog.entry(target).element {
            added.label(element.place("presence"), "constant here");
        }
    }
    if let Some(attribute) = field.attribute("valueRef") {
        report
            .warning(
                codes::VALUE_REF_UNUSED,
                format!("`{}` is not constant, but has a `valueRef`", field.given_name()),
                attribute.span,
                "ignored",
            )
            .help("add presence=\"constant\", or remove the reference");
    }
}

/// A field and its type may both state a semantic type, but not two.
fn semantic_types(field: &Element, target: Handle, catalog: &Catalog<'_>, report: &mut Report) {
    let Some(element) = catalog.entry(target).element else { return };
    let (Some(own), Some(of_type)) = (field.attribute("semanticType"), element.attribute("semanticType")) else {
        return;
    };
    if own.value != of_type.value {
        let message = format!("the semantic types of `{}` and its type differ", field.given_name());
        report
            .error(codes::SEMANTIC_TYPE, message, own.span, format!("`{}` here", own.value))
            .label(of_type.span, format!("`{}` here", of_type.value))
            .help("leave it to one of the two");
    }
}

/// Types without a fixed size cannot lie in a block.
fn variable(field: &Element, target: Handle, catalog: &Catalog<'_>, report: &mut Report) -> Option<()> {
    let place = match catalog.kind(target) {
        Kind::Simple(simple) if simple.variable => catalog.entry(target).element?.place("variableLength"),
        Kind::Composite(composite) => {
            let data = composite.member("varData");
            let empty = |h| matches!(catalog.kind(h), Kind::Simple(s) if s.variable || s.length == Some(0));
            match data.filter(|m| empty(m.target)) {
                Some(data) => data.element.name_place(),
                None => return Some(()),
            }
        }
        _ => return Some(()),
    };
    report
        .error(
            codes::VARIABLE_FIELD,
            format!("the field `{}` has no fixed size", field.given_name()),
            field.place("type"),
            "of variable length",
        )
        .label(place, "because of this")
        .help("make it <data>, after all fields and groups");
    None
}
