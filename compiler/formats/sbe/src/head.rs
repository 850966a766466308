//! The three composites that say how to read what follows them: message header, group dimension, var-data length.

use crate::catalog::Catalog;
use crate::codes;
use crate::record::composite_record;
use crate::register::{Members, Place};
use crate::report::Report;
use crate::resolved::{Handle, Kind, Member, Presence, Simple};
use crate::value::Values;
use crate::xml::Element;
use aldis_diagnostics::Span;
use aldis_plan::{Content, Extent, FrameLength, Run, Slot};
use aldis_schema::{IntType, Record};

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
    /// The length of the frame, and what it says beyond the message's size.
    pub frame_length: Option<(Place, i64)>,
    /// Its further members.
    pub ignored: Vec<Slot>,
    /// Their record and its slots, which lie among those of the four and of the frame's length.
    pub value: Option<(Record, Vec<Slot>)>,
}

/// The head in front of a group's entries.
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

/// The head in front of var data, and the kind of the data.
#[derive(Clone, Debug)]
pub(crate) struct VarData {
    pub length: Place,
    pub max: u64,
    pub content: Content,
}

impl Header {
    /// The schema's header composite.
    pub fn resolve(
        schema: &Element,
        values: &Values<'_, '_>,
        wanted: &FrameLength,
        report: &mut Report,
    ) -> Option<Self> {
        let name = header_name(schema);
        let members = Members::of(name, "message header", schema.place("headerType"), values.catalog, report)?;
        let [block_length, template_id, schema_id, version] = HEADER.map(|name| members.unsigned(name, report));
        let frame_length = frame_length(&members, wanted, report);
        let length_name = frame_length.as_ref().map_or("", |(place, _)| place.name.as_str());
        let known: Vec<&str> = HEADER.into_iter().chain([length_name]).collect();
        let others: Vec<&Member<'_>> =
            members.composite.members.iter().filter(|m| !known.contains(&m.element.given_name())).collect();
        let value = (!others.is_empty()).then(|| {
            let record = composite_record(others.iter().copied(), values);
            (record, values.header_slots(others.iter().copied()))
        });
        let ignored = values.ignored(members.composite, &known, true);
        let header = Self {
            size: members.composite.size,
            block_length: block_length?,
            template_id: template_id?,
            schema_id: schema_id?,
            version: version?,
            frame_length,
            ignored,
            value,
        };
        header.remark(report);
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
        let (frame_length, ignored, value) = (None, Vec::new(), None);
        Self { size: 0, block_length, template_id, schema_id, version, frame_length, ignored, value }
    }

    /// The bytes of the header that no register takes.
    pub fn given(&self) -> Vec<aldis_plan::Span> {
        let four = [&self.block_length, &self.template_id, &self.schema_id, &self.version];
        let length = self.frame_length.iter().map(|(place, _)| place);
        let mut taken: Vec<&Place> = four.into_iter().chain(length).filter(|place| place.width() > 0).collect();
        taken.sort_by_key(|place| place.at);
        let mut given = Vec::new();
        let mut at = 0;
        for (from, to) in taken.iter().map(|p| (p.at, p.at + p.width())).chain([(self.size, self.size)]) {
            if from > at {
                given.push(aldis_plan::Span { at, size: from - at });
            }
            at = to;
        }
        given
    }

    fn remark(&self, report: &mut Report) {
        for place in [&self.block_length, &self.template_id, &self.schema_id, &self.version] {
            if place.int.bits != 16 {
                place.remark_unusual("uint16", report);
            }
        }
    }
}

/// The name of the composite that messages begin with.
pub(crate) fn header_name(schema: &Element) -> &str {
    schema.value("headerType").filter(|n| !n.is_empty()).unwrap_or("messageHeader")
}

/// The members of a header composite beside the four.
pub(crate) fn beside<'c, 'a>(catalog: &'c Catalog<'a>, header: Handle) -> Vec<&'c Member<'a>> {
    match catalog.kind(header) {
        Kind::Composite(composite) => {
            composite.members.iter().filter(|m| !HEADER.contains(&m.element.given_name())).collect()
        }
        _ => Vec::new(),
    }
}

/// Names of members that are the length of the frame, `_` left out.
const FRAME_LENGTHS: [&str; 8] =
    ["framelength", "framesize", "messagelength", "messagesize", "msglength", "msgsize", "packetlength", "packetsize"];

/// The member that says how long the frame is: the one that the user names, or one whose name says so.
fn frame_length(members: &Members<'_, '_>, wanted: &FrameLength, report: &mut Report) -> Option<(Place, i64)> {
    match wanted {
        FrameLength::None => None,
        FrameLength::Member { name, plus } => named_frame_length(members, name, *plus, report),
        FrameLength::Guessed => {
            let plain = |m: &Member<'_>| m.element.given_name().replace('_', "").to_lowercase();
            let all = members.composite.members.iter();
            let found = all.into_iter().find(|m| FRAME_LENGTHS.contains(&plain(m).as_str()))?;
            let simple = members.simple_of(found).filter(|simple| simple.is_scalar())?;
            simple.primitive.unsigned().filter(|_| simple.constant.is_none())?;
            let name = found.element.given_name();
            let place = members.unsigned(name, report)?;
            let message = format!("`{name}` of the message header is taken for the length of the frame");
            report
                .warning(codes::FRAME_LENGTH_GUESSED, message, found.element.name_place(), "by its name")
                .help(format!("encoders write the message's size there; say --frame-length {name} if that is so"))
                .help(format!(
                    "--frame-length {name}+N or {name}-N if it counts otherwise, --frame-length none if not"
                ));
            Some((place, 0))
        }
    }
}

fn named_frame_length(members: &Members<'_, '_>, name: &str, plus: i64, report: &mut Report) -> Option<(Place, i64)> {
    if HEADER.contains(&name) || members.composite.member(name).is_none() {
        let all = members.composite.members.iter().map(|m| m.element.given_name());
        let others: Vec<String> = all.filter(|m| !HEADER.contains(m)).map(|m| format!("`{m}`")).collect();
        let has = if others.is_empty() { "none".to_string() } else { others.join(", ") };
        report
            .error(
                codes::FRAME_LENGTH,
                format!("`{name}` is no member of the message header that can be the length of the frame"),
                members.used,
                "the header that messages begin with",
            )
            .help(format!("beside the four that every header has there are: {has}"));
        return None;
    }
    let place = members.unsigned(name, report)?;
    members.stored(&place, report)?;
    // No message is shorter than the header that it begins with, and none could be written whose length has no room.
    let shortest = i128::from(members.composite.size) + i128::from(plus);
    let most = place.int.max();
    if shortest > most {
        report
            .error(
                codes::FRAME_LENGTH,
                format!("`{name}` cannot hold the size of any message and {plus}"),
                place.span,
                format!("at most {most}, and the header alone would be {shortest}"),
            )
            .help("a length counts the whole message, or what follows some of the header");
        return None;
    }
    if shortest < 0 {
        report
            .error(
                codes::FRAME_LENGTH,
                format!("a length of the frame cannot be the message's size and {plus}"),
                place.span,
                format!("the header alone has {} bytes", members.composite.size),
            )
            .help("a length counts the whole message, or what follows some of the header");
        return None;
    }
    Some((place, plus))
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
        let ignored = values.ignored(members.composite, &DIMENSION, false);
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

/// The bytes before a block, whose members are given in any order.
pub(crate) fn run(size: u32, mut slots: Vec<Slot>) -> Run {
    slots.sort_by_key(|slot| slot.at);
    Run { size, extent: Extent::Exact, slots }
}
