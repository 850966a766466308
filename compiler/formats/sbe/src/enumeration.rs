//! `<enum>` and `<set>`.

use crate::catalog::Catalog;
use crate::codes;
use crate::number::Number;
use crate::primitive::Primitive;
use crate::report::Report;
use crate::resolved::{presence_of, Choice, Enumeration, Flags, Kind, Presence, Simple, Value};
use crate::simple::{bound, refuse, written_text};
use crate::unique::Unique;
use crate::xml::Element;
use aldis_schema::IntType;

/// The type that an enum or set is stored as.
struct Encoding<'a> {
    simple: Simple,
    /// The declaration of that type, if it is no primitive.
    element: Option<&'a Element>,
}

/// Names and values that an enum has declared so far.
#[derive(Default)]
struct Seen<'a> {
    names: Unique<'a, &'a str>,
    values: Unique<'a, i128>,
}

impl<'a> Enumeration<'a> {
    pub fn resolve(element: &'a Element, catalog: &mut Catalog<'a>, depth: usize, report: &mut Report) -> Option<Self> {
        let encoding = encoding(element, catalog, depth, report)?;
        let primitive = encoding.simple.primitive;
        if primitive.integer().is_none() {
            let message = format!("the enum `{}` is encoded as {}", element.given_name(), primitive.name());
            report
                .error(codes::ENUM_ENCODING, message, element.place("encodingType"), "an integer or char is needed")
                .help("encode enums as char, uint8, uint16 or another integer type");
            return None;
        }
        let own_null = bound(element, "nullValue", primitive, report);
        let null = own_null.map_or(encoding.simple.null, |null| null.null(primitive));
        let presence = presence_of(element).unwrap_or(encoding.simple.presence);
        let mut this = Self { element, primitive, null, optional: presence == Presence::Optional, values: Vec::new() };
        let mut seen = Seen::default();
        for value in element.children_named("validValue") {
            this.add(value, &encoding, &mut seen, report);
        }
        if this.values.is_empty() && element.children_named("validValue").next().is_none() {
            report
                .warning(
                    codes::NO_VALUES,
                    format!("the enum `{}` has no values", element.given_name()),
                    element.name_place(),
                    "no <validValue>",
                )
                .help("add <validValue name=\"…\">…</validValue>");
        }
        Some(this)
    }

    fn add(&mut self, element: &'a Element, encoding: &Encoding<'a>, seen: &mut Seen<'a>, report: &mut Report) {
        let Some(value) = parse_value(element, self.primitive, report) else { return };
        in_range(element, value, encoding, report);
        if Number::Int(value).null(self.primitive) == self.null {
            report
                .warning(
                    codes::VALUE_IS_NULL,
                    format!("`{}` has the value that means null", element.given_name()),
                    element.text_span,
                    "also the null value",
                )
                .help("where the field is optional it reads as null, where it is required as this name");
        }
        seen.names.take_name(codes::DUPLICATE_VALUE, "value", element, report);
        if let Some(same) = seen.values.take(value, element) {
            let message = format!("`{}` and `{}` have the same value", same.given_name(), element.given_name());
            report
                .warning(codes::SAME_VALUE, message, element.text_span, "an alias: it reads as the first")
                .label(same.text_span, "first used here")
                .help("give every name a value of its own");
        }
        self.values.push(Value { element, value });
    }
}

impl<'a> Flags<'a> {
    pub fn resolve(element: &'a Element, catalog: &mut Catalog<'a>, depth: usize, report: &mut Report) -> Option<Self> {
        let encoding = encoding(element, catalog, depth, report)?;
        let Some(repr) = encoding.simple.primitive.unsigned() else {
            let message =
                format!("the set `{}` is encoded as {}", element.given_name(), encoding.simple.primitive.name());
            report
                .error(codes::SET_ENCODING, message, element.place("encodingType"), "an unsigned integer is needed")
                .help("encode sets as uint8, uint16, uint32 or uint64");
            return None;
        };
        let mut this = Self { repr, choices: Vec::new() };
        let mut names = Unique::default();
        for choice in element.children_named("choice") {
            names.take_name(codes::DUPLICATE_VALUE, "choice", choice, report);
            this.add(choice, report);
        }
        Some(this)
    }

    fn add(&mut self, element: &'a Element, report: &mut Report) {
        let primitive = Primitive::Int(IntType::unsigned(8));
        let Some(bit) = parse_value(element, primitive, report) else { return };
        let bits = self.repr.bits;
        if bit >= i128::from(bits) {
            let message = format!("`{}` is bit {bit} of a set of {bits} bits", element.given_name());
            report
                .error(codes::BIT_RANGE, message, element.text_span, "no such bit")
                .help(format!("bits are numbered from 0 to {}; or encode the set in a wider integer", bits - 1));
            return;
        }
        let bit = bit as u32;
        if let Some(same) = self.choices.iter().find(|c| c.bit == bit) {
            let message = format!("`{}` and `{}` are the same bit", same.element.given_name(), element.given_name());
            report
                .warning(codes::SAME_BIT, message, element.text_span, "an alias: it reads as the first")
                .label(same.element.text_span, "first used here")
                .help("give every choice a bit of its own");
        }
        self.choices.push(Choice { element, bit });
    }
}

/// The `<type>` behind `encodingType`: one that is declared, or a primitive.
fn encoding<'a>(
    element: &'a Element,
    catalog: &mut Catalog<'a>,
    depth: usize,
    report: &mut Report,
) -> Option<Encoding<'a>> {
    let handle = catalog.named(element, "encodingType", depth, report)?;
    let place = element.place("encodingType");
    match catalog.kind(handle) {
        Kind::Simple(simple) if simple.is_scalar() && simple.presence != Presence::Constant => {
            Some(Encoding { simple: simple.clone(), element: catalog.entry(handle).element })
        }
        Kind::Simple(_) => {
            report
                .error(
                    codes::ENCODING_TYPE,
                    format!("`{}` cannot be encoded as this type", element.given_name()),
                    place,
                    "an array or a constant",
                )
                .help("use a primitive type, or a <type> of length 1");
            None
        }
        other => {
            report
                .error(
                    codes::ENCODING_TYPE,
                    format!("`{}` cannot be encoded as {}", element.given_name(), other.noun()),
                    place,
                    "a number is needed",
                )
                .help("use a primitive type, or a <type> of length 1");
            None
        }
    }
}

fn parse_value(element: &Element, primitive: Primitive, report: &mut Report) -> Option<i128> {
    let Some(text) = written_text(element, primitive, None, report) else {
        report
            .error(
                codes::NO_CONSTANT,
                format!("`{}` has no value", element.given_name()),
                element.name_place(),
                "what is its value?",
            )
            .help("write the value between the tags");
        return None;
    };
    match Number::parse(&text, primitive) {
        Ok(number) => number.int(),
        Err(refused) => {
            refuse(element, element.text_span, &text, primitive, &refused, report);
            None
        }
    }
}

/// A value must lie between the bounds that its encoding type states.
fn in_range(element: &Element, value: i128, encoding: &Encoding<'_>, report: &mut Report) {
    let below = encoding.simple.min.and_then(Number::int).is_some_and(|min| value < min);
    let above = encoding.simple.max.and_then(Number::int).is_some_and(|max| value > max);
    if below || above {
        let bound = if below { "minValue" } else { "maxValue" };
        let message = format!("`{}` is outside of its encoding type's range", element.given_name());
        let added = report
            .error(codes::ENUM_RANGE, message, element.text_span, format!("beyond the `{bound}`"))
            .help(format!("widen `{bound}` of the encoding type, or change the value"));
        if let Some(declared) = encoding.element {
            added.label(declared.place(bound), "the bound");
        }
    }
}
