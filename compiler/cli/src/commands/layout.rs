//! `aldis layout`: where does every field lie?

use crate::args::SchemaArgs;
use crate::compile;
use crate::failure::{Failure, Outcome};
use crate::near;
use crate::output::Output;
use crate::table::Table;
use aldis_plan::{Outline, Plan};
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
    if let Some(head) = plan.outline_of_head(id) {
        let definition = plan.schema.messages.iter().find(|definition| definition.record == id);
        let number = definition.and_then(|definition| definition.id).map(|id| format!(" {id}")).unwrap_or_default();
        text.push_str(&format!("\n{name}: message{number}, {forms}\n{}", table(head)));
    }
    if let Some(outline) = plan.outline(id) {
        text.push_str(&format!("\n{name}: record, {forms}\n{}", table(outline)));
    }
    text
}

fn table(outline: Outline) -> String {
    let mut table = Table::new(&[">offset", ">size", "field", "type"]);
    for line in outline.lines {
        table.row(vec![line.offset_text(), line.size_text(), line.name.clone(), line.type_text()]);
    }
    format!("{}  {}\n", table.render("  "), outline.summary)
}
