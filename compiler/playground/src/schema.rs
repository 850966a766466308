//! A schema's diagnostics, messages and layouts.

use crate::texts::Texts;
use aldis_diagnostics::{any_error, to_json, Diagnostic, Sources};
use aldis_interpreter::Codec;
use aldis_plan::{Compilation, Format, Outline, Plan};
use aldis_schema::{TypeId, TypeKind};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{json, Value};
use std::collections::BTreeMap;

/// The schema of a question.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Given {
    /// Its extension tells the schema language.
    pub name: String,
    pub text: String,
    /// The texts that it may import, by their names.
    #[serde(default)]
    others: BTreeMap<String, String>,
}

impl Given {
    pub fn compile(&self) -> Result<Compilation, String> {
        let (path, texts) = (&self.name, Texts { root: (&self.name, &self.text), others: &self.others });
        // Without `dyn Format` the module has no code of what the page never asks a format.
        match path.rsplit('.').next().unwrap_or_default() {
            #[cfg(feature = "fbe")]
            "fbe" => Ok(aldis_fbe::FBE.compile(path, &texts)),
            #[cfg(feature = "sbe")]
            "xml" => Ok(aldis_sbe::SBE.compile(path, &texts)),
            #[cfg(feature = "capnp")]
            "capnp" => Ok(aldis_capnp::CAPNP.compile(path, &texts)),
            _ => Err(format!("{path}: schemas are called .fbe, .xml or .capnp")),
        }
    }

    /// The plans of a schema without errors.
    pub fn plans(&self) -> Result<Compilation, String> {
        let compilation = self.compile()?;
        match any_error(&compilation.diagnostics) || compilation.plans.is_empty() {
            true => Err(format!("{} has errors", self.name)),
            false => Ok(compilation),
        }
    }

    /// The codec of a form, with the texts that explanations point into.
    pub fn codec(&self, form: &str) -> Result<(Codec, Sources), String> {
        let Compilation { plans, sources, .. } = self.plans()?;
        let plan = plans.into_iter().find(|plan| plan.form.name == form);
        Ok((Codec::new(plan.ok_or_else(|| format!("the schema has no form {form}"))?), sources))
    }

    /// The description of a schema alone.
    pub fn described(&self) -> Value {
        let Compilation { plans, sources, diagnostics, .. } = match self.compile() {
            Ok(compilation) => compilation,
            Err(error) => return json!({ "error": error }),
        };
        let plans = if any_error(&diagnostics) { Vec::new() } else { plans };
        let forms: Vec<Value> = plans.iter().map(|plan| form(plan, &sources)).collect();
        json!({ "diagnostics": told(&diagnostics, &sources), "forms": forms })
    }
}

/// Diagnostics as the command gives them under `--message-format json`.
pub fn told(diagnostics: &[Diagnostic], sources: &Sources) -> Vec<Box<RawValue>> {
    let object = |diagnostic| RawValue::from_string(to_json(diagnostic, sources)).expect("a diagnostic's JSON is JSON");
    diagnostics.iter().map(object).collect()
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
