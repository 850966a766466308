//! Composites that are about the message rather than of it: message header, group dimension, var-data length.

use crate::catalog::{Catalog, Handle, Kind, Lookup};
use crate::codes;
use crate::composite::{Composite, Member};
use crate::number::Number;
use crate::report::Report;
use crate::simple::{Presence, Simple};
use crate::xml::Element;
use aldis_diagnostics::Span;
use aldis_plan::{Content, FixedInt, Meaning, Missing, Register, Repr, Slot, SlotKind};
use aldis_schema::{IntType, Literal};

/// Counts and lengths of 32 bits stay below this, as they do for the reference.
const MAX_COUNT: u64 = i32::MAX as u64;

/// Where one of the numbers lies.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub name: String,
    pub at: u32,
    pub int: IntType,
    /// The schema fixes the value, and it takes no bytes.
    pub constant: Option<u64>,
    /// Where it is declared.
    pub span: Span,
    min: Option<i128>,
    max: Option<i128>,
}

/// The message header.
#[derive(Clone, Debug)]
pub(crate) struct Header {
    pub size: u32,
    pub block_length: Place,
    pub template_id: Place,
    pub schema_id: Place,
    pub version: Place,
}

/// What stands in front of a group's entries.
#[derive(Clone, Debug)]
pub(crate) struct Dimension {
    pub size: u32,
    pub block_length: Place,
    pub num_in_group: Place,
    pub min: u64,
    pub max: u64,
}

/// What stands in front of var data, and what the data is.
#[derive(Clone, Debug)]
pub(crate) struct VarData {
    pub length: Place,
    pub max: u64,
    pub content: Content,
}

impl Place {
    pub fn width(&self) -> u32 {
        if self.constant.is_some() {
            0
        } else {
            self.int.bytes()
        }
    }

    /// Whether the number can be `value`.
    pub fn holds(&self, value: u64) -> bool {
        self.int.holds(value.into())
    }

    pub fn fixed(&self) -> FixedInt {
        FixedInt { at: self.at, bits: self.int.bits }
    }

    pub fn slot(&self, meaning: Meaning) -> Slot {
        let repr = Repr::int(self.int.bits, self.int.signed);
        let register = Register { name: self.name.clone(), repr, meaning, constant: self.constant };
        let kind = SlotKind::Register(register);
        Slot { at: self.at, width: self.width(), field: None, since: 0, missing: Missing::Never, kind }
    }

    /// The bounds that the schema gives a count, else those of its type without the null value.
    fn bounds(&self) -> (u64, u64) {
        let narrow = |value: i128| u64::try_from(value).unwrap_or(0);
        let primitive = if self.int.signed { self.int.max() } else { self.int.max() - 1 };
        (narrow(self.min.unwrap_or(0)), narrow(self.max.unwrap_or(primitive).min(self.int.max())))
    }
}

impl Header {
    /// The schema's header composite.
    pub fn resolve(schema: &Element, catalog: &Catalog<'_>, report: &mut Report) -> Option<Self> {
        let name = schema.value("headerType").filter(|n| !n.is_empty()).unwrap_or("messageHeader");
        let place = schema.place("headerType");
        let composite = composite(name, "message header", place, catalog, report)?.1;
        let mut find = |name| member(composite, name, "message header", place, catalog, report);
        let (block_length, template_id, schema_id, version) =
            (find("blockLength"), find("templateId"), find("schemaId"), find("version"));
        let header = Self {
            size: composite.size,
            block_length: block_length?,
            template_id: template_id?,
            schema_id: schema_id?,
            version: version?,
        };
        header.remark(composite, report);
        Some(header)
    }

    /// A header of the usual form, to check messages with where the schema's own is broken.
    pub fn stand_in(span: Span) -> Self {
        let place = |name: &str, at| Place {
            name: name.to_string(),
            at,
            int: IntType::unsigned(64),
            constant: None,
            span,
            min: None,
            max: None,
        };
        Self {
            size: 32,
            block_length: place("blockLength", 0),
            template_id: place("templateId", 8),
            schema_id: place("schemaId", 16),
            version: place("version", 24),
        }
    }

    fn places(&self) -> [&Place; 4] {
        [&self.block_length, &self.template_id, &self.schema_id, &self.version]
    }

    fn remark(&self, composite: &Composite<'_>, report: &mut Report) {
        for place in self.places() {
            if place.int.bits != 16 {
                unusual(place, "uint16", report);
            }
        }
        let names = ["blockLength", "templateId", "schemaId", "version"];
        let others: Vec<&Member<'_>> =
            composite.members.iter().filter(|m| !names.contains(&m.element.given_name())).collect();
        if let Some(first) = others.first() {
            let list = others.iter().map(|m| format!("`{}`", m.element.given_name())).collect::<Vec<_>>().join(", ");
            report
                .warning(
                    codes::HEADER_EXTRA,
                    format!("the message header has other members: {list}"),
                    first.element.name_place(),
                    "written as zero, never read",
                )
                .help("what they mean is between the peers; codecs leave them alone");
        }
    }
}

impl Dimension {
    pub fn resolve(name: &str, place: Span, catalog: &Catalog<'_>, report: &mut Report) -> Option<Self> {
        let (handle, composite) = composite(name, "group dimension", place, catalog, report)?;
        let block_length = member(composite, "blockLength", "group dimension", place, catalog, report);
        let num_in_group = count_member(composite, place, catalog, report);
        let (block_length, num_in_group) = (block_length?, num_in_group?);
        stored(&num_in_group, catalog.entry(handle).element, report)?;
        if block_length.int.bits != 16 {
            unusual(&block_length, "uint16", report);
        }
        if num_in_group.int.bits > 16 || num_in_group.int.signed {
            unusual(&num_in_group, "uint8 or uint16", report);
        }
        let (min, mut max) = num_in_group.bounds();
        if num_in_group.int.bits >= 32 && (num_in_group.max.is_none() || max > MAX_COUNT) {
            report
                .warning(
                    codes::COUNT_LIMIT,
                    "`numInGroup` is this wide without a `maxValue` below 2^31",
                    num_in_group.span,
                    format!("taken as {MAX_COUNT}"),
                )
                .help(format!("state how many entries there may be: maxValue=\"{MAX_COUNT}\" or less"));
            max = MAX_COUNT;
        }
        if min > max {
            return None;
        }
        Some(Self { size: composite.size, block_length, num_in_group, min, max })
    }
}

impl VarData {
    pub fn resolve(name: &str, place: Span, catalog: &Catalog<'_>, report: &mut Report) -> Option<Self> {
        let (handle, composite) = composite(name, "data type", place, catalog, report)?;
        let length = member(composite, "length", "data type", place, catalog, report);
        let Some(data) = composite.member("varData") else {
            missing(composite, "varData", "data type", place, catalog, handle, report);
            return None;
        };
        let length = length?;
        stored(&length, catalog.entry(handle).element, report)?;
        sole_members(composite, report)?;
        if data.element.attribute("offset").is_some() {
            report
                .error(
                    codes::VAR_DATA_OFFSET,
                    "`varData` has an `offset`",
                    data.element.place("offset"),
                    "tools disagree about what it means",
                )
                .label(place, "used here")
                .help("remove it: data follows its length directly");
            return None;
        }
        let content = content(data, catalog, report)?;
        let (_, max) = length.bounds();
        if length.int.bits >= 32 && (length.max.is_none() || max > MAX_COUNT) {
            report
                .error(
                    codes::LENGTH_LIMIT,
                    "a `length` of 32 or 64 bits needs a `maxValue` below 2^31",
                    length.span,
                    "how long may data be?",
                )
                .label(place, "used here")
                .help(format!("state the longest data in bytes: maxValue=\"{MAX_COUNT}\" or less"));
            return None;
        }
        Some(Self { length, max, content })
    }
}

/// The composite of that name for the use that `what` says.
fn composite<'c, 'a>(
    name: &str,
    what: &str,
    place: Span,
    catalog: &'c Catalog<'a>,
    report: &mut Report,
) -> Option<(Handle, &'c Composite<'a>)> {
    match catalog.find(name) {
        Lookup::Found(handle) => match catalog.kind(handle) {
            Kind::Composite(composite) => Some((handle, composite)),
            other => {
                report
                    .error(
                        codes::NOT_COMPOSITE,
                        format!("the {what} `{name}` is {}", other.noun()),
                        place,
                        "a composite is needed",
                    )
                    .help("name a composite here");
                None
            }
        },
        Lookup::Broken => None,
        Lookup::Unknown => {
            report
                .error(codes::NO_HEAD, format!("there is no composite `{name}` for the {what}"), place, "not declared")
                .help(example(what));
            None
        }
    }
}

fn example(what: &str) -> &'static str {
    match what {
        "message header" => "declare a composite `messageHeader` of blockLength, templateId, schemaId, version, or name another one: headerType=\"…\"",
        "group dimension" => "declare a composite `groupSizeEncoding` of blockLength and numInGroup, or name another one: dimensionType=\"…\"",
        _ => "declare a composite of `length` and `varData`",
    }
}

fn member(
    composite: &Composite<'_>,
    name: &str,
    what: &str,
    place: Span,
    catalog: &Catalog<'_>,
    report: &mut Report,
) -> Option<Place> {
    let (member, simple) = simple_member(composite, name, what, place, catalog, report)?;
    match simple.primitive.unsigned() {
        Some(int) => Some(at(member, simple, int, catalog)),
        None => {
            report
                .error(
                    codes::NOT_UNSIGNED,
                    format!("`{name}` of the {what} is a {}", simple.primitive.name()),
                    member.element.name_place(),
                    "an unsigned integer is needed",
                )
                .label(place, "used here")
                .help("make it uint16, or uint8 or uint32");
            None
        }
    }
}

/// `numInGroup`: unsigned, or signed where the schema says that it is never negative.
fn count_member(composite: &Composite<'_>, place: Span, catalog: &Catalog<'_>, report: &mut Report) -> Option<Place> {
    let (found, simple) = simple_member(composite, "numInGroup", "group dimension", place, catalog, report)?;
    let not_negative = simple.min.and_then(Number::int).is_some_and(|min| min >= 0);
    match simple.primitive {
        crate::primitive::Primitive::Int(int) if int.signed && not_negative => Some(at(found, simple, int, catalog)),
        _ => member(composite, "numInGroup", "group dimension", place, catalog, report),
    }
}

fn simple_member<'c, 'a>(
    composite: &'c Composite<'a>,
    name: &str,
    what: &str,
    place: Span,
    catalog: &'c Catalog<'a>,
    report: &mut Report,
) -> Option<(&'c Member<'a>, &'c Simple)> {
    let Some(member) = composite.member(name) else {
        report
            .error(
                codes::MISSING_MEMBER,
                format!("the {what} has no member `{name}`"),
                place,
                format!("its composite needs `{name}`"),
            )
            .help(example(what));
        return None;
    };
    match catalog.kind(member.target) {
        Kind::Simple(simple) if simple.is_scalar() => Some((member, simple)),
        _ => {
            report
                .error(
                    codes::NOT_UNSIGNED,
                    format!("`{name}` of the {what} is no single number"),
                    member.element.name_place(),
                    "an unsigned integer is needed",
                )
                .label(place, "used here")
                .help("make it uint16, or uint8 or uint32");
            None
        }
    }
}

fn at(member: &Member<'_>, simple: &Simple, int: IntType, catalog: &Catalog<'_>) -> Place {
    let declared = catalog.entry(member.target).element.unwrap_or(member.element);
    let constant = match &simple.constant {
        Some((_, Literal::Int(value))) if simple.presence == Presence::Constant => u64::try_from(*value).ok(),
        _ => None,
    };
    Place {
        name: member.element.given_name().to_string(),
        at: member.at,
        int,
        constant,
        span: declared.place("primitiveType"),
        min: simple.min.and_then(Number::int),
        max: simple.max.and_then(Number::int),
    }
}

fn missing(
    composite: &Composite<'_>,
    name: &str,
    what: &str,
    place: Span,
    catalog: &Catalog<'_>,
    handle: Handle,
    report: &mut Report,
) {
    let added = report
        .error(
            codes::MISSING_MEMBER,
            format!("the {what} has no member `{name}`"),
            place,
            format!("its composite needs `{name}`"),
        )
        .help(example(what));
    if let Some(element) = catalog.entry(handle).element.filter(|_| !composite.members.is_empty()) {
        added.label(element.name_place(), "the composite");
    }
}

/// A count or length must be on the wire.
fn stored(place: &Place, composite: Option<&Element>, report: &mut Report) -> Option<()> {
    if place.constant.is_none() {
        return Some(());
    }
    let added = report
        .error(codes::CONSTANT_COUNT, format!("`{}` is constant", place.name), place.span, "it says how much follows")
        .help("make it required");
    if let Some(element) = composite {
        added.label(element.name_place(), "in this composite");
    }
    None
}

/// Anything beside the two members would have no place: the data follows its length.
fn sole_members(composite: &Composite<'_>, report: &mut Report) -> Option<()> {
    let position = |name: &str| composite.members.iter().position(|m| m.element.given_name() == name);
    let other = composite.members.iter().find(|m| !["length", "varData"].contains(&m.element.given_name()));
    if let Some(other) = other {
        report
            .error(
                codes::VAR_DATA_MEMBERS,
                format!("`{}` cannot be a member of a data type", other.element.given_name()),
                other.element.name_place(),
                "only `length` and `varData`",
            )
            .help("remove it, or make it a field of the message");
        return None;
    }
    if position("varData") < position("length") {
        let data = &composite.members[0];
        report
            .error(
                codes::VAR_DATA_MEMBERS,
                "`varData` stands before its `length`",
                data.element.name_place(),
                "move it down",
            )
            .help("the length comes first");
        return None;
    }
    Some(())
}

fn content(data: &Member<'_>, catalog: &Catalog<'_>, report: &mut Report) -> Option<Content> {
    let place = data.element.name_place();
    let simple = match catalog.kind(data.target) {
        Kind::Simple(simple) if simple.presence != Presence::Constant && simple.primitive.width() == 1 => simple,
        _ => {
            report
                .error(codes::VAR_DATA_TYPE, "`varData` is not of bytes", place, "char or uint8 is needed")
                .help("<type name=\"varData\" primitiveType=\"uint8\" length=\"0\"/>");
            return None;
        }
    };
    if simple.length.is_some_and(|length| length != 0) {
        let declared = catalog.entry(data.target).element.unwrap_or(data.element);
        report
            .warning(
                codes::VAR_DATA_LENGTH,
                "`varData` has a length of its own",
                declared.place("length"),
                "ignored: its size is in `length`",
            )
            .help("write length=\"0\"");
    }
    Some(if simple.is_text { Content::Text(simple.encoding) } else { Content::Bytes })
}

fn unusual(place: &Place, usual: &str, report: &mut Report) {
    let name = crate::primitive::Primitive::Int(place.int).name();
    report
        .warning(codes::UNUSUAL_WIDTH, format!("`{}` is a {name}", place.name), place.span, format!("{usual} is usual"))
        .help("other implementations may refuse it");
}
