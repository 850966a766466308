//! `aldis layout`: where does every field lie?

use crate::args::SchemaArgs;
use crate::compile;
use crate::describe::{node_text, slot_text};
use crate::failure::{Failure, Outcome};
use crate::near;
use crate::output::{count, Output};
use crate::table::Table;
use aldis_plan::{leaves, Extent, Node, Plan, Repr, Run, Scalar, Slot, SlotKind, Step};
use aldis_schema::{Schema, TypeId, TypeKind};
use clap::Args;

/// Show offset, size, field and type of everything that a schema puts on the wire, holes and wasted bytes.
#[derive(Debug, Args)]
#[command(after_help = "\
Offsets count from the first byte of the record's own block, for a message's head from the message's first byte. \
What has no offset has variable size and follows in the order shown.

Examples:
  aldis layout market.xml
  aldis layout market.fbe --form fbe-final --type market.Order")]
pub struct LayoutArgs {
    #[command(flatten)]
    schema: SchemaArgs,

    /// Only this wire form (fbe, fbe-final, sbe, capnp, capnp-packed, capnp-canonical).
    #[arg(long, value_name = "FORM")]
    form: Option<String>,

    /// Only this record or message, with or without its package.
    #[arg(long = "type", value_name = "NAME")]
    type_name: Option<String>,
}

pub fn run(args: &LayoutArgs, output: &Output) -> Outcome {
    let compiled = compile::compile(&args.schema, output)?;
    let plans: Vec<&Plan> = match &args.form {
        Some(form) => vec![compiled.form(Some(form))?],
        None => compiled.plans.iter().collect(),
    };
    let only = args.type_name.as_deref().map(|name| record_named(&plans[0].schema, name)).transpose()?;
    output.print(layouts(&plans, only).trim_start())
}

/// The tables of all forms; forms that have everything in the same places share theirs.
fn layouts(plans: &[&Plan], only: Option<TypeId>) -> String {
    let mut shared: Vec<(String, &Plan, Vec<&str>)> = Vec::new();
    for plan in plans {
        let (text, name) = (layout_of_plan(plan, only, ""), plan.form.name.as_str());
        match shared.iter_mut().find(|(known, ..)| *known == text) {
            Some((.., forms)) => forms.push(name),
            None => shared.push((text, plan, vec![name])),
        }
    }
    shared.iter().map(|(_, plan, forms)| layout_of_plan(plan, only, &forms.join(", "))).collect()
}

/// The record called `name`, with or without the schema's package.
fn record_named(schema: &Schema, name: &str) -> Outcome<TypeId> {
    let records: Vec<(TypeId, String)> = (0..)
        .map(TypeId)
        .zip(&schema.types)
        .filter(|(_, definition)| matches!(definition.kind, TypeKind::Record(_)))
        .map(|(id, definition)| (id, definition.name.full()))
        .collect();
    let full = format!("{}.{name}", schema.package);
    let is = |wanted: &str| records.iter().find(|(_, known)| known == wanted);
    is(name).or_else(|| is(&full)).map(|(id, _)| *id).ok_or_else(|| {
        let names: Vec<&str> = records.iter().map(|(_, name)| name.as_str()).collect();
        let meant = near::meant(name, names.iter().copied());
        Failure::Usage(format!("the schema has no record `{name}`; {meant}it has {}", near::list(&names)))
    })
}

fn layout_of_plan(plan: &Plan, only: Option<TypeId>, forms: &str) -> String {
    let mut text = String::new();
    for (index, definition) in plan.schema.types.iter().enumerate() {
        let id = TypeId(index as u32);
        let name = definition.name.full();
        let TypeKind::Record(_) = definition.kind else { continue };
        if only.is_some_and(|only| only != id) {
            continue;
        }
        text.push_str(&layout_of_record(plan, id, &name, forms));
    }
    text
}

/// The head of a message and the record itself.
fn layout_of_record(plan: &Plan, id: TypeId, name: &str, forms: &str) -> String {
    let mut text = String::new();
    let message = plan.messages.iter().find(|message| message.record == id);
    if let Some(message) = message.filter(|message| !message.envelope.head.slots.is_empty()) {
        let definition = plan.schema.messages.iter().find(|definition| definition.record == id);
        let number = definition.and_then(|definition| definition.id).map(|id| format!(" {id}")).unwrap_or_default();
        let mut rows = Rows::new(&plan.schema);
        rows.run(None, &message.envelope.head);
        text.push_str(&format!("\n{name}: message{number}, {forms}\n{}", rows.finish(Some(&message.envelope.head))));
    }
    let Some(layout) = plan.layouts.get(id.index()).and_then(Option::as_ref) else { return text };
    let mut rows = Rows::new(&plan.schema);
    for step in &layout.steps {
        match step {
            Step::Run(run) => rows.run(Some(id), run),
            Step::Part { field, since, node } => rows.part(id, *field, *since, node),
        }
    }
    let only_run = match layout.steps.as_slice() {
        [Step::Run(run), rest @ ..] if !rest.iter().any(|step| matches!(step, Step::Run(_))) => Some(run),
        _ => None,
    };
    text.push_str(&format!("\n{name}: record, {forms}\n{}", rows.finish(only_run)));
    text
}

/// The table of one record.
struct Rows<'a> {
    schema: &'a Schema,
    table: Table,
    wasted: u32,
    runs: usize,
}

impl<'a> Rows<'a> {
    fn new(schema: &'a Schema) -> Self {
        Self { schema, table: Table::new(&[">offset", ">size", "field", "type"]), wasted: 0, runs: 0 }
    }

    fn run(&mut self, record: Option<TypeId>, run: &Run) {
        self.runs += 1;
        let mut end = 0;
        let mut leaves = leaves(run);
        if let Extent::Sections { .. } = run.extent {
            // There the schema's order is not that of the bytes.
            leaves.sort_by_key(|leaf| (leaf.slot.width == 0, leaf.slot.at, bit_of(leaf.slot)));
        }
        for leaf in leaves {
            let slot = leaf.slot;
            if slot.width > 0 {
                self.hole(end, slot.at);
                end = end.max(slot.end());
            }
            let name = match &slot.kind {
                SlotKind::Register(register) => register.name.clone(),
                SlotKind::Ignored { name, .. } => name.clone(),
                _ => record.map(|record| field_path(self.schema, record, &leaf.path)).unwrap_or_default(),
            };
            let (at, size) = match (slot.width, bit_of(slot)) {
                (0, _) => (String::new(), "0".to_owned()),
                (_, Some(bit)) => (format!("{}.{bit}", slot.at), "bit".to_owned()),
                (width, None) => (slot.at.to_string(), width.to_string()),
            };
            let ty = since_text(slot_text(self.schema, &slot.kind), slot.since);
            self.table.row(vec![at, size, name, ty]);
        }
        self.hole(end, run.size);
    }

    fn hole(&mut self, from: u32, to: u32) {
        if let Some(size) = to.checked_sub(from).filter(|&size| size > 0) {
            self.wasted += size;
            self.table.row(vec![from.to_string(), size.to_string(), "(hole)".into(), String::new()]);
        }
    }

    fn part(&mut self, record: TypeId, field: u32, since: u32, node: &Node) {
        let name = field_path(self.schema, record, &[field]);
        let ty = since_text(node_text(self.schema, node), since);
        self.table.row(vec![String::new(), String::new(), name, ty]);
    }

    /// The table and its sum; `run` when the record has a single one.
    fn finish(self, run: Option<&Run>) -> String {
        let size = run.map(|run| count(run.size as usize, "byte"));
        let wasted = format!("{} wasted", count(self.wasted as usize, "byte"));
        let extent = match run.map(|run| run.extent) {
            Some(Extent::Acting | Extent::Stated { .. }) => Some("the message says how many there are".to_owned()),
            Some(Extent::Sections { data }) => {
                let pointers = run.map_or(0, |run| (run.size - data) / 8);
                let sections = [count(data as usize / 8, "word"), count(pointers as usize, "pointer")];
                Some(format!("{} of data and {}, or as many as the message says", sections[0], sections[1]))
            }
            _ => None,
        };
        let sum: Vec<String> = size.into_iter().chain([wasted]).chain(extent).collect();
        format!("{}  {}\n", self.table.render("  "), sum.join(", "))
    }
}

/// The place in its byte of a slot that is a bit.
fn bit_of(slot: &Slot) -> Option<u8> {
    match &slot.kind {
        SlotKind::Scalar(Scalar { repr: Repr::Bit(bit), .. }) => Some(*bit),
        _ => None,
    }
}

fn since_text(text: String, since: u32) -> String {
    if since > 0 {
        format!("{text}, since {since}")
    } else {
        text
    }
}

/// `price.mantissa`: the names along a path of indices of fields and arms.
fn field_path(schema: &Schema, record: TypeId, path: &[u32]) -> String {
    let mut names = Vec::new();
    let mut within = Some(record);
    for &index in path {
        let field = within.and_then(|id| match &schema.type_def(id).kind {
            TypeKind::Record(record) => record.fields.get(index as usize),
            TypeKind::Union(union) => union.arms.get(index as usize).map(|arm| &arm.field),
            TypeKind::Enum(_) | TypeKind::Flags(_) => None,
        });
        let Some(field) = field else { break };
        names.push(if field.name.is_empty() { "(union)" } else { &field.name });
        within = match field.ty.required() {
            aldis_schema::Type::Named(id) => Some(*id),
            _ => None,
        };
    }
    names.join(".")
}
