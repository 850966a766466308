//! From a checked tree to the Plan.

use crate::catalog::Catalog;
use crate::codes;
use crate::grammar::count;
use crate::head::{self, header_name, Header};
use crate::message::Lowering;
use crate::register::Place;
use crate::report::Report;
use crate::types::Numbered;
use crate::unique::Unique;
use crate::value::Values;
use crate::xml::Element;
use aldis_plan::{
    ByteOrder, Container, Dispatch, Envelope, Extent, Form, HeaderValue, Hints, JsonPolicy, Layout, Meaning, Message,
    Plan, RootPlace, Run, Slot, Step,
};
use aldis_schema::{MessageDef, Name, Schema, TypeDef, TypeId, TypeKind};

/// The plan of a schema whose elements have passed the grammar; of use only when nothing was reported as an error.
pub(crate) fn lower(root: &Element, hash: String, hints: &Hints, report: &mut Report) -> Option<Plan> {
    let mut catalog = Catalog::new(root, report);
    let numbered = Numbered::new(root, &catalog);
    let header = Header::resolve(root, &Values { catalog: &catalog, ids: &numbered.ids }, &hints.frame_length, report);
    let id = u64::from(count(root, "id").unwrap_or(0));
    let version = u64::from(count(root, "version").unwrap_or(0));
    // Messages are checked even where the header is broken: their own mistakes are shown in the same run.
    let stand_in = Header::stand_in(root.span);
    let usable = header.as_ref().unwrap_or(&stand_in);
    if let Some(header) = &header {
        check_header(header, root, id, version, report);
    }
    let mut lowering = Lowering::new(&mut catalog, &numbered, report);
    let (mut defs, mut messages) = messages(root, usable, id, version, &mut lowering);
    let beside = header_value(root, usable, &mut lowering).filter(|_| !messages.is_empty());
    if let Some(value) = &beside {
        defs.push(MessageDef { record: value.record, id: None, rank: 0, listed: false });
        let envelope = Envelope { head: Run::default(), root: RootPlace::Follows };
        messages.push(Message { record: value.record, envelope });
    }
    let schema = Schema {
        package: root.value("package").unwrap_or_default().to_string(),
        doc: root.value("description").unwrap_or_default().to_string(),
        version: root.value("version").map(str::to_string),
        hash,
        types: lowering.types,
        messages: defs,
        ..Schema::default()
    };
    let big = root.value("byteOrder") == Some("bigEndian");
    let header = header?;
    Some(Plan {
        form: Form { name: "sbe".to_string(), suffix: String::new(), framing: None },
        schema,
        container: Container::Plain,
        byte_order: if big { ByteOrder::Big } else { ByteOrder::Little },
        layouts: lowering.layouts,
        messages,
        header: beside,
        dispatch: dispatch(&header, id),
        json: JsonPolicy { names: true, non_finite: true, ..JsonPolicy::default() },
    })
}

fn messages<'a>(
    root: &'a Element,
    header: &Header,
    id: u64,
    version: u64,
    lowering: &mut Lowering<'_, 'a>,
) -> (Vec<MessageDef>, Vec<Message>) {
    let package = root.value("package").unwrap_or_default();
    let mut names = Unique::default();
    let mut ids = Unique::default();
    let (mut defs, mut messages) = (Vec::new(), Vec::new());
    for element in root.children_named("message") {
        names.take_name(codes::DUPLICATE_MESSAGE, "message", element, lowering.report);
        let template = count(element, "id");
        if let Some(first) = template.and_then(|id| ids.take(id, element)) {
            lowering
                .report
                .error(
                    codes::DUPLICATE_TEMPLATE,
                    format!("the message id {} is used twice", template.unwrap_or(0)),
                    element.place("id"),
                    "again",
                )
                .label(first.place("id"), "first used here")
                .help("give every message an id of its own");
        }
        let template = u64::from(template.unwrap_or(0));
        check_register(&header.template_id, template, "message id", element, lowering.report);
        let name = Name::new(package, element.given_name());
        let extra = header.ignored.len() as u64;
        let found = lowering.record(element, name, &header.block_length, 0);
        if let (Some((record, length)), Some(())) = (found, lowering.spend(element, extra)) {
            defs.push(MessageDef { record, id: Some(template), rank: 0, listed: true });
            messages.push(message(record, length, template, header, id, version));
        }
    }
    (defs, messages)
}

fn message(record: TypeId, length: u32, template: u64, header: &Header, id: u64, version: u64) -> Message {
    let writes = header.version.constant.unwrap_or(version);
    let mut slots: Vec<Slot> = vec![
        header.block_length.slot(Meaning::Extent { writes: length.into() }),
        header.template_id.slot(Meaning::TypeId { expect: header.template_id.constant.unwrap_or(template) }),
        header.schema_id.slot(Meaning::SchemaId { expect: header.schema_id.constant.unwrap_or(id) }),
        header.version.slot(Meaning::Version { writes }),
    ];
    slots.extend(header.frame_length.as_ref().map(|(place, plus)| place.slot(Meaning::FrameLength { plus: *plus })));
    slots.extend_from_slice(&header.ignored);
    Message { record, envelope: Envelope { head: head::run(header.size, slots), root: RootPlace::Follows } }
}

/// Adds the record of the header's further members, and says where they lie.
fn header_value(root: &Element, header: &Header, lowering: &mut Lowering<'_, '_>) -> Option<HeaderValue> {
    let (record, slots) = header.value.clone()?;
    let id = TypeId(lowering.types.len() as u32);
    let package = root.value("package").unwrap_or_default();
    let mut name = header_name(root).to_string();
    while lowering.types.iter().any(|ty| ty.name.path == [name.as_str()]) {
        name.push_str("Value");
    }
    let element = lowering.catalog.order.iter().find(|element| element.given_name() == header_name(root));
    let (doc, span) = element.map_or((String::new(), root.span), |element| (element.doc(), element.name_place()));
    let kind = TypeKind::Record(record);
    lowering.types.push(TypeDef { name: Name::new(package, name), doc, span, deprecated: false, kind });
    let run = Run { size: header.size, extent: Extent::Exact, slots };
    lowering.layouts.push(Some(Layout { record: id, rebase: false, steps: vec![Step::Run(run)] }));
    Some(HeaderValue { record: id, size: header.size, given: header.given() })
}

fn dispatch(header: &Header, id: u64) -> Option<Dispatch> {
    if header.template_id.constant.is_some() {
        return None;
    }
    let stored = header.schema_id.constant.is_none();
    let expect = stored.then(|| (header.schema_id.fixed(), id)).into_iter().collect();
    Some(Dispatch { via: None, id: header.template_id.fixed(), expect })
}

fn check_header(header: &Header, root: &Element, id: u64, version: u64, report: &mut Report) {
    check_register(&header.schema_id, id, "schema id", root, report);
    let place = &header.version;
    match place.constant {
        Some(fixed) if fixed != version => {
            report
                .warning(
                    codes::HEADER_VERSION,
                    format!("the header's version is always {fixed}, but the schema is of version {version}"),
                    place.span,
                    format!("fixed to {fixed}"),
                )
                .label(root.place("version"), format!("{version} here"))
                .help("give both the same version");
        }
        None if !place.holds(version) => too_wide(place, version, "schema version", root.place("version"), report),
        _ => {}
    }
}

/// An id should be the one that a constant register fixes, which is not on the wire to be compared, and must fit into
/// a stored one.
fn check_register(place: &Place, value: u64, what: &str, element: &Element, report: &mut Report) {
    match place.constant {
        Some(fixed) if fixed != value => {
            report
                .warning(
                    codes::HEADER_CONSTANT,
                    format!("the {what} is {value}, but the header fixes it to {fixed}"),
                    element.place("id"),
                    format!("{value} here"),
                )
                .label(place.span, format!("{fixed} here"))
                .help("make both the same, or the header's member required");
        }
        None if !place.holds(value) => too_wide(place, value, what, element.place("id"), report),
        _ => {}
    }
}

fn too_wide(place: &Place, value: u64, what: &str, at: aldis_diagnostics::Span, report: &mut Report) {
    report
        .error(codes::HEADER_RANGE, format!("the {what} {value} does not fit into the header"), at, "too large")
        .label(place.span, format!("holds at most {}", place.int.max()))
        .help("choose a smaller number, or make the header's member wider");
}
