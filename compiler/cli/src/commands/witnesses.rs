//! Proofs of broken verdicts, for people, scripts and the user's own tests.

use crate::failure::{Failure, Outcome};
use aldis_diagnostics::{Diagnostic, Sources};
use aldis_evolution::{Difference, Report, Witness};
use aldis_interpreter::to_hex;
use serde_json::{json, Value};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Bytes in a line of a dump, and lines that are shown before and after those that differ.
const WIDTH: usize = 16;
const AROUND: usize = 1;
/// Characters of JSON that are shown.
const SHOWN: usize = 400;

/// A witness in words: the value that was written, its bytes with those that are read otherwise in brackets, and the value read.
pub fn text(witness: &Witness) -> String {
    let (letter, writer, reader) = if witness.forward { ('F', "new", "old") } else { ('B', "old", "new") };
    let mut out = String::new();
    // Writing to a string cannot fail, here and below.
    let _ = writeln!(out, "  {letter}: {writer} writers of {} write", witness.message);
    let _ = writeln!(out, "      {}", cut(&witness.written));
    out.push_str(&dump(witness));
    let _ = match &witness.read {
        Ok(json) => writeln!(out, "     {reader} readers read{}\n      {}", at(&witness.path), cut(json)),
        Err(fault) => writeln!(out, "     {reader} readers refuse it\n      {fault}"),
    };
    out
}

fn at(path: &str) -> String {
    if path.is_empty() {
        String::new()
    } else {
        format!(" another {path}")
    }
}

fn cut(json: &str) -> String {
    match json.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &json[..end]),
        None => json.to_owned(),
    }
}

fn dump(witness: &Witness) -> String {
    let (bytes, range) = (&witness.shown, &witness.range);
    let lines = bytes.len().div_ceil(WIDTH);
    let first = (range.start / WIDTH).saturating_sub(AROUND);
    let last = ((range.end.max(1) - 1) / WIDTH + AROUND).min(lines.saturating_sub(1));
    let mut out = String::new();
    if first > 0 {
        out.push_str("      …\n");
    }
    for line in first..=last {
        let _ = write!(out, "      {:>4} ", line * WIDTH);
        let end = bytes.len().min((line + 1) * WIDTH);
        for (at, byte) in bytes.iter().enumerate().take(end).skip(line * WIDTH) {
            let open = if at == range.start && !range.is_empty() { '[' } else { ' ' };
            let close = if at + 1 == range.end { "]" } else { "" };
            let _ = write!(out, "{open}{byte:02x}{close}");
        }
        out.push('\n');
    }
    if last + 1 < lines {
        out.push_str("      …\n");
    }
    out.replace("] ", "]")
}

/// A difference as one JSON object: that of a diagnostic, and `broken`, `messages` and `witnesses` besides.
pub fn json(diagnostic: &Diagnostic, sources: &Sources, difference: &Difference) -> Value {
    let text = aldis_diagnostics::to_json(diagnostic, sources);
    let mut object: Value = serde_json::from_str(&text).unwrap_or_default();
    object["broken"] = json!(difference.broken.text());
    object["messages"] = json!(difference.messages);
    object["witnesses"] = difference.witnesses.iter().map(proof).collect();
    object
}

fn proof(witness: &Witness) -> Value {
    let value = |text: &str| serde_json::from_str::<Value>(text).unwrap_or_else(|_| json!(text));
    let mut object = json!({
        "breaks": if witness.forward { "F" } else { "B" },
        "message": witness.message,
        "written": value(&witness.written),
        "bytes": to_hex(&witness.bytes),
        "differs": [witness.range.start, witness.range.end],
        "path": witness.path,
    });
    match &witness.read {
        Ok(json) => object["read"] = value(json),
        Err(fault) => object["fault"] = json!(fault),
    }
    object
}

/// Writes each proof of a report as NUMBER-LETTER-MESSAGE.bin and .json.
pub fn write(report: &Report, folder: &Path) -> Outcome {
    let failed = |path: &Path, error: &std::io::Error| Failure::file(&path.display().to_string(), error);
    fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
    let proofs = report.differences.iter().flat_map(|difference| &difference.witnesses);
    for (number, witness) in proofs.enumerate() {
        let letter = if witness.forward { 'F' } else { 'B' };
        let stem = folder.join(format!("{:03}-{letter}-{}", number + 1, witness.message));
        let path = |extension: &str| {
            let mut name = stem.clone().into_os_string();
            name.push(extension);
            std::path::PathBuf::from(name)
        };
        let object = proof(witness);
        let (bin, json) = (path(".bin"), path(".json"));
        fs::write(&bin, &witness.bytes).map_err(|error| failed(&bin, &error))?;
        fs::write(&json, format!("{object:#}\n")).map_err(|error| failed(&json, &error))?;
    }
    Ok(())
}
