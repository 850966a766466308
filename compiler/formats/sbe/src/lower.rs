//! From a checked tree to the Plan.

use crate::catalog::Catalog;
use crate::codes;
use crate::grammar::count;
use crate::head::Header;
use crate::message::Lowering;
use crate::register::Place;
use crate::report::Report;
use crate::types::Numbered;
use crate::unique::Unique;
use crate::value::Values;
use crate::xml::Element;
use aldis_plan::{
    ByteOrder, Container, Dispatch, Envelope, Extent, Form, JsonPolicy, Meaning, Message, Plan, RootPlace, Run, Slot,
};
use aldis_schema::{MessageDef, Name, Schema, TypeId};

/// The plan of a schema whose elements have passed the grammar; of use only when nothing was reported as an error.
pub(crate) fn lower(root: &Element, hash: String, report: &mut Report) -> Option<Plan> {
    let mut catalog = Catalog::new(root, report);
    let numbered = Numbered::new(root, &catalog);
    let header = Header::resolve(root, &Values { catalog: &catalog, ids: &numbered.ids }, report);
    let id = u64::from(count(root, "id").unwrap_or(0));
    let version = u64::from(count(root, "version").unwrap_or(0));
    // Messages are checked even where the header is broken: their own mistakes are shown in the same run.
    let stand_in = Header::stand_in(root.span);
    let usable = header.as_ref().unwrap_or(&stand_in);
    if let Some(header) = &header {
        check_header(header, root, id, version, report);
    }
    let mut lowering = Lowering::new(&mut catalog, &numbered, report);
    let (defs, messages) = messages(root, usable, id, version, &mut lowering);
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
            defs.push(MessageDef { record, id: Some(template), preferred: true, listed: true });
            messages.push(message(record, length, template, header, id, version));
        }
    }
    (defs, messages)
}

fn message(record: TypeId, length: u32, template: u64, header: &Header, id: u64, version: u64) -> Message {
    let writes = header.version.constant.unwrap_or(version);
    let mut slots: Vec<Slot> = vec![
        header.block_length.slot(Meaning::Extent { writes: length.into() }),
        header.template_id.slot(Meaning::TypeId { expect: template }),
        header.schema_id.slot(Meaning::SchemaId { expect: id }),
        header.version.slot(Meaning::Version { writes }),
    ];
    slots.extend_from_slice(&header.ignored);
    slots.sort_by_key(|slot| slot.at);
    let head = Run { size: header.size, extent: Extent::Exact, slots };
    Message { record, envelope: Envelope { head, root: RootPlace::Follows } }
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

/// An id must be the one that a constant register fixes, or fit into a stored one.
fn check_register(place: &Place, value: u64, what: &str, element: &Element, report: &mut Report) {
    match place.constant {
        Some(fixed) if fixed != value => {
            report
                .error(
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
