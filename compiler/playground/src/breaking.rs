//! The effects of a schema's change.

use crate::schema::Given;
use aldis_diagnostics::{Sources, Span};
use aldis_evolution::{compare, Difference, End};
use aldis_interpreter::to_hex;
use serde_json::{json, Value};

/// The differences that break something between the old schema and the new one, in one form.
pub fn compared(old: &Given, new: &Given, form: &str) -> Result<Value, String> {
    let (old, new) = (old.plans()?, new.plans()?);
    let plan = |plans: &[aldis_plan::Plan], which| {
        let found = plans.iter().find(|plan| plan.form.name == form).cloned();
        found.ok_or_else(|| format!("the {which} schema has no form {form}"))
    };
    let report = compare(&plan(&old.plans, "older")?, &plan(&new.plans, "newer")?, true);
    let differences = report.differences.iter().map(|one| told(one, &old.sources, &new.sources));
    Ok(json!({ "broken": report.broken().text(), "differences": differences.collect::<Vec<_>>() }))
}

fn told(difference: &Difference, old: &Sources, new: &Sources) -> Value {
    let witnesses = difference.witnesses.iter().map(|witness| {
        let read = match &witness.read {
            Ok(json) => json!({ "json": json }),
            Err(why) => json!({ "fault": why }),
        };
        json!({
            "forward": witness.forward,
            "message": witness.message,
            "written": witness.written,
            "bytes": to_hex(&witness.shown),
            "range": [witness.range.start, witness.range.end],
            "read": read,
        })
    });
    let [old_reads, new_reads] = &difference.reasons;
    json!({
        "code": difference.code,
        "broken": difference.broken.text(),
        "sentence": difference.sentence(),
        "reasons": [old_reads, new_reads],
        "old": difference.old.as_ref().map(|end| placed(end, old)),
        "new": difference.new.as_ref().map(|end| placed(end, new)),
        "witnesses": witnesses.collect::<Vec<_>>(),
    })
}

fn placed(end: &End, sources: &Sources) -> Value {
    let line = |span: Span| sources.get(span.source).position(span.start as usize).line;
    json!({ "name": end.name, "what": end.what, "line": end.span.map(line) })
}
