//! A schema's diagnostics, messages and layouts.

use crate::schema::{told, Given};
use aldis_diagnostics::{any_error, Sources};
use aldis_plan::{Compilation, Outline, Plan};
use aldis_schema::{TypeId, TypeKind};
use serde_json::{json, Value};

/// The description of a schema alone.
pub fn described(schema: &Given) -> Value {
    let Compilation { plans, sources, diagnostics, .. } = match schema.compile() {
        Ok(compilation) => compilation,
        Err(error) => return json!({ "error": error }),
    };
    let plans = if any_error(&diagnostics) { Vec::new() } else { plans };
    let forms: Vec<Value> = plans.iter().map(|plan| form(plan, &sources)).collect();
    json!({ "diagnostics": told(&diagnostics, &sources), "forms": forms })
}

fn form(plan: &Plan, sources: &Sources) -> Value {
    let header = plan.header.as_ref().map(|header| header.record);
    let messages: Vec<Value> = plan
        .schema
        .messages
        .iter()
        .filter(|message| Some(message.record) != header)
        .map(|message| json!({ "name": plan.schema.type_def(message.record).name.full(), "id": message.id }))
        .collect();
    let mut layouts = Vec::new();
    for (definition, id) in plan.schema.types.iter().zip(0..).map(|(definition, index)| (definition, TypeId(index))) {
        if !matches!(definition.kind, TypeKind::Record(_)) {
            continue;
        }
        let name = definition.name.full();
        let line = sources.get(definition.span.source).position(definition.span.start as usize).line;
        let head = plan.outline_of_head(id).map(|outline| layout(&format!("{name}: head"), line, &outline));
        layouts.extend(head);
        layouts.extend(plan.outline(id).map(|outline| layout(&name, line, &outline)));
    }
    json!({ "name": plan.form.name, "messages": messages, "layouts": layouts })
}

fn layout(title: &str, line: usize, outline: &Outline) -> Value {
    let lines: Vec<Value> = outline
        .lines
        .iter()
        .map(|line| json!([line.offset_text(), line.size_text(), line.name, line.type_text(), line.is_hole]))
        .collect();
    json!({ "title": title, "line": line, "lines": lines, "summary": outline.summary })
}
