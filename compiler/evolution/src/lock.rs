//! Locks: what a schema's bytes were when somebody said that they are right.
//!
//! A lock is JSON with a line for each type, message and layout, without documentation and places in texts, so that a
//! change of it is reviewed like code. It is the same on every machine.

use crate::Letters;
use aldis_plan::Plan;
use serde::{Deserialize, Serialize};
use serde_json::{json, Map, Value};
use std::fmt::Write as _;

/// A lock's content.
#[derive(Clone, Debug)]
pub struct Lock {
    /// The version of the tool that wrote it.
    pub tool: String,
    /// The digest of the schema's texts.
    pub digest: String,
    /// The changes that broke somebody and were made nevertheless, oldest first.
    pub accepted: Vec<Accepted>,
    /// One for each wire form.
    pub plans: Vec<Plan>,
}

/// A change that somebody answered for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Accepted {
    /// The digests of the schema's texts before and after.
    pub from: String,
    pub to: String,
    /// The form in which something broke.
    #[serde(default)]
    pub form: String,
    pub broken: String,
    pub reason: String,
}

impl Accepted {
    pub fn new((from, to): (&str, &str), form: &str, broken: Letters, reason: &str) -> Self {
        Self { from: from.into(), to: to.into(), form: form.into(), broken: broken.text(), reason: reason.into() }
    }
}

/// The members of plans that a lock leaves out, as they do not say what bytes mean.
const LEFT_OUT: [&str; 3] = ["doc", "span", "notes"];

impl Lock {
    /// The text of the lock file.
    ///
    /// # Errors
    /// The JSON library's words on a plan that it cannot write.
    pub fn text(&self) -> Result<String, String> {
        let (schema, plans) = self.parts()?;
        let mut out = String::from("{\n");
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(out, "\"aldis\": {},\n\"digest\": {},", json!(self.tool), json!(self.digest));
        let accepted = serde_json::to_value(&self.accepted).map_err(|error| error.to_string())?;
        let _ = writeln!(out, "\"accepted\": {},", lines(&accepted));
        let _ = writeln!(out, "\"schema\": {},", members(&schema));
        let plans: Vec<String> = plans.iter().map(members).collect();
        let _ = writeln!(out, "\"plans\": [\n{}\n]\n}}", plans.join(",\n"));
        Ok(out)
    }

    /// The locked content, to be compared: the schema and the plans, whatever the texts look like and whichever tool wrote it.
    ///
    /// # Errors
    /// The JSON library's words on a plan that it cannot write.
    pub fn content(&self) -> Result<(Value, Vec<Value>), String> {
        let (mut schema, plans) = self.parts()?;
        if let Some(members) = schema.as_object_mut() {
            for of_texts in ["hash", "modules", "owners"] {
                members.remove(of_texts);
            }
        }
        Ok((schema, plans))
    }

    /// The schema, and the plans without it.
    fn parts(&self) -> Result<(Value, Vec<Value>), String> {
        let text = |error: serde_json::Error| error.to_string();
        let schema = self.plans.first().map(|plan| serde_json::to_value(&plan.schema)).transpose().map_err(text)?;
        let mut plans = Vec::new();
        for plan in &self.plans {
            let mut plan = serde_json::to_value(plan).map_err(text)?;
            plan.as_object_mut().map(|members| members.remove("schema"));
            plans.push(stripped(plan));
        }
        Ok((stripped(schema.unwrap_or_default()), plans))
    }

    /// Reads a lock file.
    ///
    /// # Errors
    /// A sentence that says what is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let broken = |error: serde_json::Error| format!("this is no lock that aldis wrote: {error}");
        let value: Value = serde_json::from_str(text).map_err(broken)?;
        let word = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
        let accepted = Vec::deserialize(&value["accepted"]).map_err(broken)?;
        let mut plans = Vec::new();
        for plan in value["plans"].as_array().into_iter().flatten() {
            let mut plan = plan.clone();
            plan["schema"] = value["schema"].clone();
            plans.push(Plan::deserialize(plan).map_err(broken)?);
        }
        if plans.is_empty() {
            return Err("this is no lock that aldis wrote: it has no plans".into());
        }
        Ok(Self { tool: word("aldis"), digest: word("digest"), accepted, plans })
    }
}

fn stripped(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let kept = members.into_iter().filter(|(name, _)| !LEFT_OUT.contains(&name.as_str()));
            Value::Object(kept.map(|(name, value)| (name, stripped(value))).collect::<Map<_, _>>())
        }
        Value::Array(elements) => Value::Array(elements.into_iter().map(stripped).collect()),
        other => other,
    }
}

/// An object with a line for each member, and for each element of its lists.
fn members(value: &Value) -> String {
    let Some(members) = value.as_object() else { return value.to_string() };
    let rows = members.iter().map(|(name, value)| format!("\"{name}\": {}", lines(value)));
    format!("{{\n{}\n}}", rows.collect::<Vec<_>>().join(",\n"))
}

fn lines(value: &Value) -> String {
    match value.as_array() {
        Some(elements) if !elements.is_empty() => {
            let rows = elements.iter().map(|element| format!("  {element}"));
            format!("[\n{}\n]", rows.collect::<Vec<_>>().join(",\n"))
        }
        _ => value.to_string(),
    }
}
