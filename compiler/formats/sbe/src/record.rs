//! Members and fields as fields of the schema.

use crate::resolved::{presence_of, says_optional, Member};
use crate::value::Values;
use crate::xml::Element;
use aldis_schema::{Field, Literal, Record, Role, Type};
use std::collections::BTreeMap;

/// The record of some members of a composite.
pub(crate) fn composite_record<'m>(members: impl Iterator<Item = &'m Member<'m>>, values: &Values<'_, '_>) -> Record {
    let field = |member: &Member<'_>| {
        let presence = if member.inline { None } else { presence_of(member.element) };
        let meaning = values.meaning(member.target, presence);
        let ty_element = values.catalog.entry(member.target).element;
        Field { since: member.since, ..stored_field(member.element, meaning, ty_element) }
    };
    Record { fields: members.map(field).collect(), role: Role::Composite, ..Record::default() }
}

/// A field of a block or composite, with its type and constant.
pub(crate) fn stored_field(
    element: &Element,
    (ty, constant): (Type, Option<Literal>),
    ty_element: Option<&Element>,
) -> Field {
    let has_null = matches!(ty, Type::Optional(_));
    let optional = says_optional(element, ty_element) && !has_null && constant.is_none();
    Field { constant, optional, ..named_field(element, ty, ty_element) }
}

/// A field with what its element, and in its absence its type's element, says about it.
pub(crate) fn named_field(element: &Element, ty: Type, ty_element: Option<&Element>) -> Field {
    let mut field = Field::new(element.given_name(), ty, element.name_place());
    field.doc = element.doc();
    field.deprecated = deprecated(element);
    field.notes = notes(element, ty_element);
    field
}

fn notes(element: &Element, ty_element: Option<&Element>) -> BTreeMap<String, String> {
    let names = ["semanticType", "epoch", "timeUnit", "minValue", "maxValue", "characterEncoding"];
    let stated = |name: &str| element.value(name).or_else(|| ty_element?.value(name)).filter(|v| !v.is_empty());
    names.iter().filter_map(|name| Some(((*name).to_string(), stated(name)?.to_string()))).collect()
}

pub(crate) fn deprecated(element: &Element) -> bool {
    element.attribute("deprecated").is_some()
}
