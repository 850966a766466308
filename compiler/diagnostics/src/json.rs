//! Diagnostics as JSON, one object a line, for editors and scripts.

use crate::{Diagnostic, Label, Sources};
use serde_json::{json, Value};

/// One line of JSON: `code severity message file line column endLine endColumn labels help`. Labels hold the same
/// place members and `text`; the first is the primary one. Members of the place are absent where there is none.
pub fn to_json(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let labels: Vec<Value> = diagnostic.labels.iter().map(|label| place(label, sources)).collect();
    let mut object = labels.first().cloned().unwrap_or_else(|| json!({}));
    object["code"] = json!(diagnostic.code);
    object["severity"] = json!(diagnostic.severity);
    object["message"] = json!(diagnostic.message);
    object["labels"] = json!(labels);
    object["help"] = json!(diagnostic.help);
    if let Some(members) = object.as_object_mut() {
        members.remove("text");
    }
    object.to_string()
}

fn place(label: &Label, sources: &Sources) -> Value {
    let source = sources.get(label.span.source);
    let start = source.position(label.span.start as usize);
    let end = source.position(label.span.end as usize);
    json!({
        "file": source.path, "line": start.line, "column": start.column,
        "endLine": end.line, "endColumn": end.column, "text": label.text,
    })
}
