//! `<type>`: a primitive, an array of one, or a constant.

use crate::catalog::{Catalog, Lookup};
use crate::codes;
use crate::grammar::count;
use crate::number::{Number, Refused};
use crate::primitive::{self, Primitive};
use crate::report::Report;
use crate::resolved::{presence_of, Handle, Kind, Presence, Simple, MAX_SIZE};
use crate::suggest::closest;
use crate::xml::Element;
use aldis_schema::{Encoding, Literal, Type};

impl Simple {
    pub fn resolve<'a>(
        element: &'a Element,
        catalog: &mut Catalog<'a>,
        depth: usize,
        report: &mut Report,
    ) -> Option<Self> {
        let mut simple = Self::plain(primitive_type(element, report)?);
        simple.length = count(element, "length");
        simple.presence = presence_of(element).unwrap_or(Presence::Required);
        simple.variable = element.value("variableLength") == Some("true");
        simple.set_encoding(element, report);
        simple.set_bounds(element, report);
        if simple.size() > MAX_SIZE {
            let message = format!("`{}` takes {} bytes", element.given_name(), simple.size());
            report
                .error(codes::TOO_LARGE, message, element.place("length"), "too long")
                .help(format!("an array takes at most {MAX_SIZE} bytes; use <data> for what is longer"));
            return None;
        }
        if simple.presence == Presence::Constant {
            simple.constant = Some(match element.attribute("valueRef") {
                Some(_) => simple.referred(element, catalog, depth, report)?,
                None => simple.written(element, report)?,
            });
        }
        Some(simple)
    }

    fn set_encoding(&mut self, element: &Element, report: &mut Report) {
        let Some(attribute) = element.attribute("characterEncoding").filter(|a| !a.value.is_empty()) else { return };
        self.is_text = true;
        let plain: String = attribute.value.chars().filter(char::is_ascii_alphanumeric).collect();
        match plain.to_ascii_lowercase().as_str() {
            "utf8" => self.encoding = Encoding::Utf8,
            "ascii" | "usascii" | "iso88591" | "latin1" => {}
            _ => {
                let message = format!("the character encoding `{}` is not known", attribute.value);
                report
                    .warning(codes::UNKNOWN_ENCODING, message, attribute.span, "read byte by byte, as ISO-8859-1")
                    .help("UTF-8, US-ASCII and ISO-8859-1 are understood; others keep their bytes but show them so");
            }
        }
    }

    fn set_bounds(&mut self, element: &Element, report: &mut Report) {
        self.min = bound(element, "minValue", self.primitive, report);
        self.max = bound(element, "maxValue", self.primitive, report);
        if let Some(null) = bound(element, "nullValue", self.primitive, report) {
            self.null = null.null(self.primitive);
        }
        let crossed = match (self.min, self.max) {
            (Some(Number::Int(min)), Some(Number::Int(max))) => min > max,
            (Some(Number::Float(min)), Some(Number::Float(max))) => min > max,
            _ => false,
        };
        if crossed {
            report
                .error(
                    codes::MIN_ABOVE_MAX,
                    "`minValue` is above `maxValue`",
                    element.place("minValue"),
                    "the least value",
                )
                .label(element.place("maxValue"), "the greatest value")
                .help("no value is between them: exchange the two");
        }
    }

    /// The constant that the element's text spells.
    pub fn written(&self, element: &Element, report: &mut Report) -> Option<(Type, Literal)> {
        let Some(text) = written_text(element, self.primitive, self.length, report) else {
            report
                .error(
                    codes::NO_CONSTANT,
                    format!("the constant `{}` has no value", element.given_name()),
                    element.name_place(),
                    "what is its value?",
                )
                .help("write the value between the tags, or name it: valueRef=\"Enum.Name\"");
            return None;
        };
        if self.primitive == Primitive::Char {
            return self.char_constant(element, text, report);
        }
        if self.length.unwrap_or(1) != 1 {
            report
                .error(
                    codes::CONSTANT_ARRAY,
                    "a constant of numbers cannot be an array",
                    element.place("length"),
                    "more than one value",
                )
                .help("only char constants have a length");
            return None;
        }
        match Number::parse(&text, self.primitive) {
            Ok(number) => Some((self.primitive.ty(), number.literal())),
            Err(refused) => {
                refuse(element, element.text_span, &text, self.primitive, &refused, report);
                None
            }
        }
    }

    fn char_constant(&self, element: &Element, text: String, report: &mut Report) -> Option<(Type, Literal)> {
        let outside = self.encoding == Encoding::Latin1 && text.chars().any(|c| c as u32 > 0xFF);
        if outside {
            refuse(element, element.text_span, &text, self.primitive, &Refused::Range, report);
            return None;
        }
        let bytes = if self.encoding == Encoding::Utf8 { text.len() } else { text.chars().count() } as u64;
        let length = self.length.map_or(bytes, u64::from);
        if bytes > length || bytes > MAX_SIZE {
            report
                .error(
                    codes::CONSTANT_TOO_LONG,
                    format!("the constant takes {bytes} bytes, but its length is {length}"),
                    element.text_span,
                    format!("{bytes} bytes"),
                )
                .label(element.place("length"), format!("{length} bytes"))
                .help("raise the length, or leave it out: a constant is as long as its text");
            return None;
        }
        if length == 1 {
            let byte = text.chars().next().map_or(0, |c| i128::from(c as u32));
            return Some((Type::Char, Literal::Int(byte)));
        }
        Some((Type::Chars { len: length as u32, encoding: self.encoding }, Literal::Text(text)))
    }

    /// The constant that a `valueRef` names; it must be of this type's primitive.
    pub fn referred<'a>(
        &self,
        element: &'a Element,
        catalog: &mut Catalog<'a>,
        depth: usize,
        report: &mut Report,
    ) -> Option<(Type, Literal)> {
        let (handle, value) = value_ref(element, catalog, depth, report)?;
        let Kind::Enum(found) = catalog.kind(handle) else { return None };
        if found.primitive != self.primitive {
            let message = format!(
                "`{}` is {}, but the value is {}",
                element.given_name(),
                self.primitive.with_article(),
                found.primitive.with_article()
            );
            report
                .error(
                    codes::VALUE_REF_TYPE,
                    message,
                    element.place("valueRef"),
                    format!("of type {}", found.primitive.name()),
                )
                .label(found.element.place("encodingType"), "the enum's type")
                .help("both must be of the same primitive type");
            return None;
        }
        Some((self.primitive.ty(), Literal::Int(value)))
    }
}

fn primitive_type(element: &Element, report: &mut Report) -> Option<Primitive> {
    let attribute = element.attribute("primitiveType").filter(|a| !a.value.is_empty())?;
    let found = Primitive::named(&attribute.value);
    if found.is_none() {
        let message = format!("`{}` is no primitive type", attribute.value);
        let added = report.error(codes::NOT_PRIMITIVE, message, attribute.span, "not a primitive type");
        match closest(&attribute.value, primitive::NAMES.into_iter()) {
            Some(near) => added.mend(format!("did you mean `{near}`?"), attribute.span, near),
            None => added.help(format!("the primitive types are: {}", primitive::NAMES.join(", "))),
        };
    }
    found
}

/// A value in an attribute. A char may also be given by its number where that has more than one digit.
pub(crate) fn bound(element: &Element, name: &str, primitive: Primitive, report: &mut Report) -> Option<Number> {
    let attribute = element.attribute(name).filter(|a| !a.value.is_empty())?;
    match Number::parse(&attribute.value, primitive) {
        Ok(number) => Some(number),
        Err(refused) => {
            let code = attribute.value.parse::<u8>().ok().filter(|_| primitive == Primitive::Char);
            if code.is_none() {
                refuse(element, attribute.span, &attribute.value, primitive, &refused, report);
            }
            code.map(|code| Number::Int(code.into()))
        }
    }
}

/// Reports a text that is no value of its type.
pub(crate) fn refuse(
    element: &Element,
    at: aldis_diagnostics::Span,
    text: &str,
    primitive: Primitive,
    refused: &Refused,
    report: &mut Report,
) {
    let name = primitive.name();
    let help = match primitive {
        Primitive::Char => "a char is one character of one byte, U+0000 to U+00FF".to_string(),
        Primitive::Int(int) => format!("give a decimal number from {} to {}", int.min(), int.max()),
        Primitive::Float | Primitive::Double => "give a decimal number, NaN or INF".to_string(),
    };
    let here = match refused {
        Refused::Form => format!("no {name}"),
        Refused::Range => format!("out of the range of {name}"),
    };
    let text: String = text.chars().take(40).collect();
    report
        .error(
            codes::BAD_VALUE,
            format!("`{text}` is no value of type {name} for `{}`", element.given_name()),
            at,
            here,
        )
        .help(help);
}

/// An element's text as a value: white space around it is removed with a warning, but a char may be a space. `None`
/// when there is nothing.
pub(crate) fn written_text(
    element: &Element,
    primitive: Primitive,
    length: Option<u32>,
    report: &mut Report,
) -> Option<String> {
    let chars = element.text.chars().count();
    if primitive == Primitive::Char && chars > 0 && chars == length.unwrap_or(1) as usize {
        return Some(element.text.clone());
    }
    let text = element.text.trim();
    if text.is_empty() {
        return None;
    }
    if text.len() != element.text.len() {
        report
            .warning(
                codes::STRAY_SPACE,
                format!("white space around the value of `{}`", element.given_name()),
                element.text_span,
                "only this counts",
            )
            .help("write the value without white space between the tags");
    }
    Some(text.to_string())
}

/// The enum and the value that `valueRef="Enum.Name"` names.
pub(crate) fn value_ref<'a>(
    element: &'a Element,
    catalog: &mut Catalog<'a>,
    depth: usize,
    report: &mut Report,
) -> Option<(Handle, i128)> {
    let attribute = element.attribute("valueRef")?;
    let Some((enum_name, value_name)) = attribute.value.split_once('.') else {
        report
            .error(
                codes::VALUE_REF_FORM,
                format!("`{}` is no reference to a value", attribute.value),
                attribute.span,
                "no `.` in it",
            )
            .help("name an enum and one of its values: valueRef=\"Enum.Name\"");
        return None;
    };
    let handle = match catalog.resolve(enum_name, attribute.span, depth, report) {
        Lookup::Found(handle) => handle,
        Lookup::Broken => return None,
        Lookup::Unknown => {
            report
                .error(codes::VALUE_REF_ENUM, format!("there is no enum `{enum_name}`"), attribute.span, "not declared")
                .help("declare the enum in <types>");
            return None;
        }
    };
    let Kind::Enum(found) = catalog.kind(handle) else {
        report
            .error(
                codes::VALUE_REF_ENUM,
                format!("`{enum_name}` is {}, no enum", catalog.kind(handle).noun()),
                attribute.span,
                "an enum is expected here",
            )
            .help("only values of enums can be referred to");
        return None;
    };
    match found.value_named(value_name) {
        Some(value) => Some((handle, value)),
        None => {
            let message = format!("the enum `{enum_name}` has no value `{value_name}`");
            let added = report
                .error(codes::VALUE_REF_NAME, message, attribute.span, "no such value")
                .label(found.element.name_place(), "the enum");
            let names = found.values.iter().map(|v| v.element.given_name());
            match closest(value_name, names) {
                Some(near) => {
                    let full = format!("{enum_name}.{near}");
                    added.mend(format!("did you mean `{full}`?"), attribute.span, full)
                }
                None => added.help("name one of the enum's values"),
            };
            None
        }
    }
}
