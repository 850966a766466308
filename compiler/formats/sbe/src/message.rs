//! `<message>` and `<group>`: a block, then groups, then data.

use crate::catalog::{Catalog, Lookup};
use crate::codes;
use crate::composite::Packer;
use crate::field::{Constant, Resolved};
use crate::grammar::{count, since_of};
use crate::head::{self, Dimension, VarData};
use crate::record::{deprecated, named_field, stored_field};
use crate::register::Place;
use crate::report::Report;
use crate::resolved::{says_optional, MAX_SIZE};
use crate::types::Numbered;
use crate::unique::Unique;
use crate::value::{constant, Site, Values};
use crate::xml::Element;
use aldis_plan::{
    Blob, Content, Element as Entry, Extent, Layout, Meaning, Missing, Node, Repeat, Run, Shape, Slot, Step,
};
use aldis_schema::{Field, Literal, Name, Record, Role, Type, TypeDef, TypeId, TypeKind};
use std::collections::{HashMap, HashSet};

/// Groups within groups.
pub(crate) const MAX_DEPTH: usize = 31;
/// Values in all blocks of a schema; a few composites used often could otherwise make a plan far larger than its text.
const MAX_LEAVES: u64 = 1 << 17;

/// Makes records and layouts of messages and groups.
pub(crate) struct Lowering<'l, 'a> {
    pub catalog: &'l mut Catalog<'a>,
    pub numbered: &'l Numbered,
    pub report: &'l mut Report,
    pub types: Vec<TypeDef>,
    pub layouts: Vec<Option<Layout>>,
    dimensions: HashMap<String, Option<Dimension>>,
    data_types: HashMap<String, Option<VarData>>,
    leaves: u64,
}

/// A record being made.
struct Body<'a> {
    fields: Vec<Field>,
    steps: Vec<Step>,
    names: Unique<'a, &'a str>,
    ids: Unique<'a, u32>,
    /// The element with the highest version so far, by kind.
    latest: HashMap<&'a str, (u32, &'a Element)>,
    /// The kinds whose version order has been remarked on: once is enough.
    unordered: HashSet<&'a str>,
}

impl<'l, 'a> Lowering<'l, 'a> {
    pub fn new(catalog: &'l mut Catalog<'a>, numbered: &'l Numbered, report: &'l mut Report) -> Self {
        let types = numbered.definitions(catalog);
        let layouts = types.iter().map(|_| None).collect();
        let (dimensions, data_types) = (HashMap::new(), HashMap::new());
        Self { catalog, numbered, report, types, layouts, dimensions, data_types, leaves: 0 }
    }

    /// Adds the record of a message or group, and those of the groups in it after it; gives its number and its block's
    /// length.
    pub fn record(
        &mut self,
        element: &'a Element,
        name: Name,
        register: &Place,
        depth: usize,
    ) -> Option<(TypeId, u32)> {
        if depth > MAX_DEPTH {
            self.report
                .error(
                    codes::TOO_DEEP,
                    format!("groups are nested more than {MAX_DEPTH} deep"),
                    element.name_place(),
                    "one too deep",
                )
                .help("flatten some of them");
            return None;
        }
        let id = TypeId(self.types.len() as u32);
        let kind = TypeKind::Record(Record::default());
        self.types.push(TypeDef {
            name,
            doc: element.doc(),
            span: element.name_place(),
            deprecated: deprecated(element),
            kind,
        });
        self.layouts.push(None);
        let mut body = Body {
            fields: Vec::new(),
            steps: Vec::new(),
            names: Unique::default(),
            ids: Unique::default(),
            latest: HashMap::new(),
            unordered: HashSet::new(),
        };
        let run = self.block(element, register, &mut body);
        let length = run.as_ref().map(|run| run.size);
        body.steps.extend(run.map(Step::Run));
        for child in &element.children {
            match child.name.as_str() {
                "group" => self.group(child, id, depth, &mut body),
                "data" => self.data(child, &mut body),
                _ => {}
            }
        }
        let role = if depth == 0 { Role::Message } else { Role::Group };
        self.types[id.index()].kind = TypeKind::Record(Record { fields: body.fields, role, ..Record::default() });
        self.layouts[id.index()] = Some(Layout { record: id, rebase: false, steps: body.steps });
        Some((id, length?))
    }

    fn block(&mut self, element: &'a Element, register: &Place, body: &mut Body<'a>) -> Option<Run> {
        let mut packer = Packer::default();
        let mut slots = Vec::new();
        let mut complete = true;
        for child in element.children_named("field") {
            self.enter(child, body);
            match self.field(child, &mut packer, body) {
                Some(slot) => slots.push(slot),
                None => complete = false,
            }
        }
        let size = self.block_length(element, register, &packer)?;
        complete.then_some(Run { size, extent: Extent::Acting, slots })
    }

    fn field(&mut self, element: &'a Element, packer: &mut Packer<'a>, body: &mut Body<'a>) -> Option<Slot> {
        let resolved = Resolved::new(element, self.catalog, self.report)?;
        let width = resolved.width(self.catalog);
        self.spend(element, self.catalog.leaves(resolved.target))?;
        let at = packer.place(element, width, self.report);
        let entry = self.catalog.entry(resolved.target);
        let since = since_of(element).max(entry.since);
        let ty_element = entry.element;
        if width > 0 {
            self.version_order(element, since, body);
        }
        let optional = says_optional(element, ty_element);
        let values = Values { catalog: self.catalog, ids: &self.numbered.ids };
        let value = match resolved.constant {
            Some(Constant::OfEnum(value)) => constant(values.named(resolved.target), Literal::Int(value)),
            Some(Constant::Plain(ty, value)) => constant(ty, value),
            None if packer.end > MAX_SIZE => return None,
            None => values.value(resolved.target, Site { presence: resolved.presence, at, since, optional }),
        };
        let index = body.fields.len() as u32;
        let mut field = stored_field(element, (value.ty, value.constant), ty_element);
        field.id = count(element, "id");
        field.since = since;
        body.fields.push(field);
        Some(Slot { at, width: value.width, field: Some(index), since, missing: Missing::Null, kind: value.kind })
    }

    /// Counts values, so that a small file cannot ask for an endless plan.
    pub fn spend(&mut self, element: &Element, leaves: u64) -> Option<()> {
        let before = self.leaves;
        self.leaves += leaves;
        if self.leaves <= MAX_LEAVES {
            return Some(());
        }
        if before <= MAX_LEAVES {
            self.report
                .error(
                    codes::TOO_LARGE,
                    format!("the schema has more than {MAX_LEAVES} values"),
                    element.name_place(),
                    "one too many",
                )
                .help("split it into several schemas");
        }
        None
    }

    /// The block's length: what its fields take, what `blockLength` says, or what a constant register fixes.
    fn block_length(&mut self, element: &Element, register: &Place, packer: &Packer<'_>) -> Option<u32> {
        let used = packer.end;
        let stated = count(element, "blockLength").map(u64::from);
        let place = element.attribute("blockLength").map_or(element.name_place(), |a| a.span);
        let length = match (register.constant, stated) {
            (Some(fixed), _) => fixed,
            (None, Some(stated)) => stated,
            (None, None) => used,
        };
        let what = format!("the block of `{}`", element.given_name());
        if length < used {
            let added = self.report.error(
                codes::BLOCK_TOO_SHORT,
                format!("{what} is {used} bytes long, not {length}"),
                place,
                format!("its fields take {used} bytes"),
            );
            match register.constant {
                Some(_) => added
                    .label(register.span, format!("fixed to {length} here"))
                    .help(format!("raise the constant to {used} or more, or make `blockLength` required")),
                None => added.help(format!("set blockLength=\"{used}\" or more, or leave it out")),
            };
            return None;
        }
        if length > MAX_SIZE {
            self.report
                .error(codes::TOO_LARGE, format!("{what} is {length} bytes long"), place, "too long")
                .help(format!("a block has at most {MAX_SIZE} bytes; use <data> for what is longer"));
            return None;
        }
        if !register.holds(length) {
            let max = register.int.max();
            self.report
                .error(
                    codes::BLOCK_TOO_LONG,
                    format!("{what} is {length} bytes long"),
                    place,
                    format!("{length} bytes"),
                )
                .label(register.span, format!("holds at most {max}"))
                .help("make `blockLength` wider, or the block shorter");
            return None;
        }
        Some(length as u32)
    }

    fn group(&mut self, element: &'a Element, parent: TypeId, depth: usize, body: &mut Body<'a>) {
        self.enter(element, body);
        let since = since_of(element);
        self.version_order(element, since, body);
        let name = self.types[parent.index()].name.child(element.given_name());
        let Some(dimension) = self.dimension(element) else { return };
        let Some((record, length)) = self.record(element, name, &dimension.block_length, depth + 1) else { return };
        let Some(()) = self.spend(element, dimension.ignored.len() as u64) else { return };
        let mut field = named_field(element, Type::List(Box::new(Type::Named(record))), None);
        field.id = count(element, "id");
        field.since = since;
        let mut slots = vec![
            dimension.block_length.slot(Meaning::Extent { writes: length.into() }),
            dimension.num_in_group.slot(Meaning::Count { min: dimension.min, max: dimension.max }),
        ];
        slots.extend(dimension.ignored);
        let head = head::run(dimension.size, slots);
        let element = Entry::One(Node::Call { record });
        let node = Node::Repeat(Box::new(Repeat { head, element, shape: Shape::List, element_min: 0 }));
        body.part(field, since, node);
    }

    fn data(&mut self, element: &'a Element, body: &mut Body<'a>) {
        self.enter(element, body);
        if let Some(presence) = element.attribute("presence").filter(|a| a.value != "required") {
            self.report
                .error(
                    codes::DATA_PRESENCE,
                    format!("the data `{}` cannot be {}", element.given_name(), presence.value),
                    presence.span,
                    "data is always there, if empty",
                )
                .help("remove `presence`: data without bytes has length 0");
        }
        let Some(found) = self.data_type(element) else { return };
        let type_since = match self.catalog.find(element.value("type").unwrap_or_default()) {
            Lookup::Found(handle) => self.catalog.entry(handle).since,
            _ => 0,
        };
        let since = since_of(element).max(type_since);
        self.version_order(element, since, body);
        let ty = match found.content {
            Content::Bytes => Type::Bytes,
            Content::Text(encoding) => Type::Text(encoding),
        };
        let mut field = named_field(element, ty, None);
        field.id = count(element, "id");
        field.since = since;
        let slots = vec![found.length.slot(Meaning::Count { min: 0, max: found.max })];
        let head = Run { size: found.length.at + found.length.width(), extent: Extent::Exact, slots };
        body.part(field, since, Node::Blob(Blob { head, content: found.content }));
    }

    fn dimension(&mut self, group: &Element) -> Option<Dimension> {
        let name = group.value("dimensionType").filter(|n| !n.is_empty()).unwrap_or("groupSizeEncoding");
        if let Some(known) = self.dimensions.get(name) {
            return known.clone();
        }
        let values = Values { catalog: self.catalog, ids: &self.numbered.ids };
        let found = Dimension::resolve(name, group.place("dimensionType"), &values, self.report);
        self.dimensions.insert(name.to_string(), found.clone());
        found
    }

    fn data_type(&mut self, data: &Element) -> Option<VarData> {
        let name = data.value("type").filter(|n| !n.is_empty())?;
        if let Some(known) = self.data_types.get(name) {
            return known.clone();
        }
        let found = VarData::resolve(name, data.place("type"), self.catalog, self.report);
        self.data_types.insert(name.to_string(), found.clone());
        found
    }

    /// Names and ids are each used once among the members of a message or group.
    fn enter(&mut self, element: &'a Element, body: &mut Body<'a>) {
        body.names.take_name(codes::DUPLICATE_FIELD, &element.name, element, self.report);
        let Some(id) = count(element, "id") else { return };
        if let Some(first) = body.ids.take(id, element) {
            self.report
                .error(codes::DUPLICATE_ID, format!("the id {id} is used twice"), element.place("id"), "again")
                .label(first.place("id"), "first used here")
                .help("give every member of a message or group an id of its own");
        }
    }

    /// Newer members come last, so that older readers find what they know where they expect it.
    fn version_order(&mut self, element: &'a Element, since: u32, body: &mut Body<'a>) {
        match body.latest.get(element.name.as_str()) {
            Some((latest, newer)) if *latest > since => {
                if !body.unordered.insert(&element.name) {
                    return;
                }
                let message = format!("`{}` comes after a {} of a later version", element.given_name(), element.name);
                self.report
                    .warning(codes::VERSION_ORDER, message, element.name_place(), format!("since version {since}"))
                    .label(newer.name_place(), format!("since version {latest}"))
                    .help("add what is new at the end, or older readers find other bytes than they expect");
            }
            _ => {
                body.latest.insert(&element.name, (since, element));
            }
        }
    }
}

impl Body<'_> {
    fn part(&mut self, field: Field, since: u32, node: Node) {
        self.steps.push(Step::Part { field: self.fields.len() as u32, since, node });
        self.fields.push(field);
    }
}
