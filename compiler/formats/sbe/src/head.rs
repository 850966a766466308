//! The three composites that say how to read what follows them: message header, group dimension, var-data length.

use crate::catalog::Catalog;
use crate::codes;
use crate::composite::Member;
use crate::register::{Members, Place};
use crate::report::Report;
use crate::simple::{Presence, Simple};
use crate::value::Values;
use crate::xml::Element;
use aldis_diagnostics::Span;
use aldis_plan::{Content, Slot};
use aldis_schema::IntType;

/// Counts and lengths of 32 bits stay below this, as they do for the reference.
const MAX_COUNT: u64 = i32::MAX as u64;

/// The members that a message header must have.
const HEADER: [&str; 4] = ["blockLength", "templateId", "schemaId", "version"];

/// The members that a group dimension must have.
const DIMENSION: [&str; 2] = ["blockLength", "numInGroup"];

/// The message header.
#[derive(Clone, Debug)]
pub(crate) struct Header {
    pub size: u32,
    pub block_length: Place,
    pub template_id: Place,
    pub schema_id: Place,
    pub version: Place,
    /// Its further members.
    pub ignored: Vec<Slot>,
}

/// What stands in front of a group's entries.
#[derive(Clone, Debug)]
pub(crate) struct Dimension {
    pub size: u32,
    pub block_length: Place,
    pub num_in_group: Place,
    pub min: u64,
    pub max: u64,
    /// Its further members.
    pub ignored: Vec<Slot>,
}

/// What stands in front of var data, and what the data is.
#[derive(Clone, Debug)]
pub(crate) struct VarData {
    pub length: Place,
    pub max: u64,
    pub content: Content,
}

impl Header {
    /// The schema's header composite.
    pub fn resolve(schema: &Element, values: &Values<'_, '_>, report: &mut Report) -> Option<Self> {
        let name = schema.value("headerType").filter(|n| !n.is_empty()).unwrap_or("messageHeader");
        let members = Members::of(name, "message header", schema.place("headerType"), values.catalog, report)?;
        let [block_length, template_id, schema_id, version] = HEADER.map(|name| members.unsigned(name, report));
        let header = Self {
            size: members.composite.size,
            block_length: block_length?,
            template_id: template_id?,
            schema_id: schema_id?,
            version: version?,
            ignored: values.ignored(members.composite, &HEADER),
        };
        header.remark(&members, report);
        Some(header)
    }

    /// A header that holds anything, to check messages with where the schema's own is broken.
    pub fn stand_in(span: Span) -> Self {
        let place = |name: &str| Place {
            name: name.to_string(),
            at: 0,
            int: IntType::unsigned(64),
            constant: None,
            span,
            min: None,
            max: None,
        };
        let [block_length, template_id, schema_id, version] = HEADER.map(place);
        Self { size: 0, block_length, template_id, schema_id, version, ignored: Vec::new() }
    }

    fn remark(&self, members: &Members<'_, '_>, report: &mut Report) {
        for place in [&self.block_length, &self.template_id, &self.schema_id, &self.version] {
            if place.int.bits != 16 {
                place.remark_unusual("uint16", report);
            }
        }
        let all = members.composite.members.iter().map(|m| m.element);
        let others: Vec<&Element> = all.filter(|e| !HEADER.contains(&e.given_name())).collect();
        if let Some(first) = others.first() {
            let list = others.iter().map(|e| format!("`{}`", e.given_name())).collect::<Vec<_>>().join(", ");
            let message = format!("the message header has other members: {list}");
            report
                .warning(codes::HEADER_EXTRA, message, first.name_place(), "written as zero, never read")
                .help("what they mean is between the peers; codecs leave them alone");
        }
    }
}

impl Dimension {
    /// The dimension composite of that name, which a group asks for at `used`.
    pub fn resolve(name: &str, used: Span, values: &Values<'_, '_>, report: &mut Report) -> Option<Self> {
        let members = Members::of(name, "group dimension", used, values.catalog, report)?;
        let block_length = members.unsigned("blockLength", report);
        let num_in_group = members.count("numInGroup", report);
        let (block_length, num_in_group) = (block_length?, num_in_group?);
        members.stored(&num_in_group, report)?;
        if block_length.int.bits > 16 {
            block_length.remark_unusual("uint8 or uint16", report);
        }
        let (min, max) = Self::bounds(&num_in_group, report);
        if min > max {
            let here = format!("from {min}, but to {max}");
            report
                .error(codes::MIN_ABOVE_MAX, "`numInGroup` has no possible value", num_in_group.span, here)
                .help("lower `minValue` or raise `maxValue`");
            return None;
        }
        let ignored = values.ignored(members.composite, &DIMENSION);
        Some(Self { size: members.composite.size, block_length, num_in_group, min, max, ignored })
    }

    fn bounds(count: &Place, report: &mut Report) -> (u64, u64) {
        let (min, max) = count.bounds();
        if count.int.bits >= 32 && (count.max.is_none() || max > MAX_COUNT) {
            let message = "`numInGroup` is this wide without a `maxValue` below 2^31";
            report
                .warning(codes::COUNT_LIMIT, message, count.span, format!("taken as {MAX_COUNT}"))
                .help(format!("state how many entries there may be: maxValue=\"{MAX_COUNT}\" or less"));
            return (min, MAX_COUNT);
        }
        if count.int.bits >= 32 || count.int.signed {
            count.remark_unusual("uint8 or uint16", report);
        }
        (min, max)
    }
}

impl VarData {
    /// The data composite of that name, which a `<data>` asks for at `used`.
    pub fn resolve(name: &str, used: Span, catalog: &Catalog<'_>, report: &mut Report) -> Option<Self> {
        let members = Members::of(name, "data type", used, catalog, report)?;
        let length = members.unsigned("length", report);
        let data = members.member("varData", report)?;
        let length = length?;
        members.stored(&length, report)?;
        sole_members(&members, report)?;
        if data.element.attribute("offset").is_some() {
            let place = data.element.place("offset");
            report
                .error(codes::VAR_DATA_OFFSET, "`varData` has an `offset`", place, "tools disagree about what it means")
                .label(used, "used here")
                .help("remove it: data follows its length directly");
            return None;
        }
        let content = content(&members, data, report)?;
        let (_, max) = length.bounds();
        if length.int.bits >= 32 && (length.max.is_none() || max > MAX_COUNT) {
            let message = "a `length` of 32 or 64 bits needs a `maxValue` below 2^31";
            report
                .error(codes::LENGTH_LIMIT, message, length.span, "how long may data be?")
                .label(used, "used here")
                .help(format!("state the longest data in bytes: maxValue=\"{MAX_COUNT}\" or less"));
            return None;
        }
        Some(Self { length, max, content })
    }
}

/// Anything beside the two members would have no place: the data follows its length.
fn sole_members(members: &Members<'_, '_>, report: &mut Report) -> Option<()> {
    let all = &members.composite.members;
    if let Some(other) = all.iter().find(|m| !["length", "varData"].contains(&m.element.given_name())) {
        let message = format!("`{}` cannot be a member of a data type", other.element.given_name());
        report
            .error(codes::VAR_DATA_MEMBERS, message, other.element.name_place(), "only `length` and `varData`")
            .label(members.used, "used here")
            .help("remove it, or make it a field of the message");
        return None;
    }
    match all.first().filter(|first| first.element.given_name() == "varData") {
        None => Some(()),
        Some(data) => {
            let place = data.element.name_place();
            report
                .error(codes::VAR_DATA_MEMBERS, "`varData` stands before its `length`", place, "move it down")
                .label(members.used, "used here")
                .help("the length comes first");
            None
        }
    }
}

fn content<'a>(members: &Members<'_, 'a>, data: &Member<'a>, report: &mut Report) -> Option<Content> {
    let is_bytes = |simple: &&Simple| simple.presence != Presence::Constant && simple.primitive.width() == 1;
    let Some(simple) = members.simple_of(data).filter(is_bytes) else {
        report
            .error(
                codes::VAR_DATA_TYPE,
                "`varData` is not of bytes",
                data.element.name_place(),
                "char or uint8 is needed",
            )
            .label(members.used, "used here")
            .help("<type name=\"varData\" primitiveType=\"uint8\" length=\"0\"/>");
        return None;
    };
    if simple.length.is_some_and(|length| length != 0) {
        let place = members.declaration(data).place("length");
        let here = "ignored: its size is in `length`";
        report
            .warning(codes::VAR_DATA_LENGTH, "`varData` has a length of its own", place, here)
            .help("write length=\"0\"");
    }
    Some(if simple.is_text { Content::Text(simple.encoding) } else { Content::Bytes })
}
