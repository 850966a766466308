//! Messages: their bytes, their JSON, and which byte is which field.

use crate::schema::Given;
use aldis_diagnostics::Sources;
use aldis_interpreter::{from_hex, to_hex, Codec, Entry, EntryKind, Explainer, Fault, Value as Read};
use aldis_plan::Compilation;
use serde_json::{json, Value};

/// So many rows are shown at the most: bytes that were made for it have millions.
const MOST_ROWS: usize = 4000;

/// The longest message that a page shows, in bytes: each byte is an element of the page.
const LONGEST: usize = 64 << 10;

type Codecs = (Codec, Sources);

/// The codec of a form, with the texts that explanations point into.
pub fn codec(schema: &Given, form: &str) -> Result<Codecs, String> {
    let Compilation { plans, sources, .. } = schema.plans()?;
    let plan = plans.into_iter().find(|plan| plan.form.name == form);
    Ok((Codec::new(plan.ok_or_else(|| format!("the schema has no form {form}"))?), sources))
}

/// The rows of a message and its JSON.
pub fn explained((codec, sources): &Codecs, message: Option<&str>, hex: &str) -> Result<Value, String> {
    let bytes = from_hex(hex).ok_or("the bytes are no pairs of hex digits")?;
    if bytes.len() > LONGEST {
        return Err(format!(
            "the page shows messages of {} KiB at the most; the command `aldis explain` has no such bound",
            LONGEST >> 10
        ));
    }
    let found = match message {
        Some(name) => named(codec, name)?,
        None => match codec.find(&bytes) {
            Ok(found) => found,
            Err(fault) => return Ok(json!({ "fault": told(&fault), "bytes": hex, "rows": [], "size": 0 })),
        },
    };
    let explainer = Explainer::new(codec, found, &bytes);
    let mut rows = Vec::new();
    explainer.each(MOST_ROWS, &mut |entry| rows.push(row(&entry, sources)));
    let words = codec.unpacked(&bytes).map_or_else(|_| bytes.clone(), |(words, _)| words.into_owned());
    let mut text = Vec::new();
    let read = codec.to_json(found, &bytes, &mut text);
    Ok(json!({
        "message": codec.message_name(found),
        "bytes": to_hex(&words),
        "size": explainer.size,
        "left_out": explainer.count.saturating_sub(rows.len()),
        "rows": rows,
        "fault": read.as_ref().err().or(explainer.fault.as_ref()).map(told),
        "json": read.is_ok().then(|| String::from_utf8_lossy(&text).into_owned()),
    }))
}

/// The bytes of a message that is given as JSON.
pub fn encoded((codec, _): &Codecs, message: &str, text: &str) -> Result<Value, String> {
    let message = named(codec, message)?;
    Ok(match codec.from_json(message, text.as_bytes()).and_then(|value| codec.encode(message, &value)) {
        Ok(bytes) => json!({ "bytes": to_hex(&bytes) }),
        Err(fault) => json!({ "fault": told(&fault) }),
    })
}

/// A random value of a message.
pub fn random((codec, _): &Codecs, message: &str, seed: u64) -> Result<Value, String> {
    let message = named(codec, message)?;
    let value: Read = codec.random(message, seed);
    let mut text = Vec::new();
    let written = codec.encode(message, &value).and_then(|bytes| {
        codec.to_json(message, &bytes, &mut text)?;
        Ok(bytes)
    });
    Ok(match written {
        Ok(bytes) => json!({ "bytes": to_hex(&bytes), "json": String::from_utf8_lossy(&text) }),
        Err(fault) => json!({ "fault": told(&fault) }),
    })
}

fn named(codec: &Codec, name: &str) -> Result<usize, String> {
    codec.message_named(name).ok_or_else(|| format!("the schema has no message {name}"))
}

fn told(fault: &Fault) -> Value {
    json!({ "code": fault.code.to_string(), "offset": fault.offset, "path": fault.path, "text": fault.text })
}

/// `[start, end, depth, kind, label, path, value, line, target]`; the line counts from 1, in the file of that name.
fn row(entry: &Entry, sources: &Sources) -> Value {
    let place = entry.span.map(|span| {
        let source = sources.get(span.source);
        json!([source.path, source.position(span.start as usize).line])
    });
    let Entry { range, depth, label, path, value, target, .. } = entry;
    json!([range.start, range.end, depth, kind(entry.kind), label, path, value, place, target])
}

fn kind(kind: EntryKind) -> &'static str {
    match kind {
        EntryKind::Record | EntryKind::List => "group",
        EntryKind::Field => "field",
        EntryKind::Absent => "absent",
        EntryKind::Register | EntryKind::Choice => "register",
        EntryKind::Pointer => "pointer",
        EntryKind::Header => "header",
        EntryKind::Ignored => "ignored",
        EntryKind::Padding => "padding",
        EntryKind::Unread => "unread",
    }
}
