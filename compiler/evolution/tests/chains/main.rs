//! Random schemas of all formats under random edits: every verdict is judged by the interpreters of both versions, which
//! read each other's messages. Verdicts of edits whose effect is known are compared with it.
//!
//! `CHAINS` in the environment says how many chains are tried, `SEED` with which the first begins.

mod edits;
mod model;

use aldis_diagnostics::{any_error, Files};
use aldis_evolution::{codes, compare, Report};
use aldis_interpreter::Codec;
use aldis_plan::{Format as _, Plan};
use edits::Edit;
use model::{Field, Format, Model, Random, Ty};
use serde_json::Value;
use std::collections::HashMap;
use std::io::{self, Write as _};

struct Text(String);

impl Files for Text {
    fn read(&self, _: &str) -> io::Result<Vec<u8>> {
        Ok(self.0.clone().into_bytes())
    }

    fn resolve(&self, _: &str, _: &str) -> Option<String> {
        None
    }
}

/// The plans of a model; `None` where its format refuses what edits made of it.
fn plans(model: &Model) -> Option<Vec<Plan>> {
    let files = Text(model.text());
    let compilation = match model.format {
        Format::Fbe => aldis_fbe::FBE.compile(model.file(), &files),
        Format::Sbe => aldis_sbe::SBE.compile(model.file(), &files),
        Format::Capnp => aldis_capnp::CAPNP.compile(model.file(), &files),
    };
    (!any_error(&compilation.diagnostics)).then_some(compilation.plans)
}

/// One version's interpreter. Enumerations are numbers, so that texts of both can be compared.
fn codec(plan: &Plan) -> Codec {
    let mut plan = plan.clone();
    plan.json.names = false;
    plan.json.non_finite = true;
    plan.json.wide_text = false;
    let mut codec = Codec::new(plan);
    (codec.nulls, codec.strict_text) = (true, true);
    codec
}

/// The subject of a comparison in one direction.
struct Direction<'a> {
    writer: &'a Codec,
    reader: &'a Codec,
    /// The reader's name of each field that it calls otherwise.
    names: HashMap<String, String>,
    /// The reader's schema.
    model: &'a Model,
    /// A record is no cell, and a cell no record, wherever their bytes are the same.
    strict: bool,
}

impl Direction<'_> {
    /// Whether the reader's JSON is the writer's, as far as both know it.
    fn same(&self, meant: &Value, read: &Value) -> bool {
        match (meant, read) {
            (Value::Object(a), Value::Object(b)) => {
                let theirs: HashMap<&str, &Value> = a
                    .iter()
                    .map(|(name, value)| (self.names.get(name).map_or(name.as_str(), String::as_str), value))
                    .collect();
                // An arm of a union that the reader knows is not another one.
                let arm = |name: &str| self.field(name).is_some_and(|field| matches!(field.home, Some((_, true))));
                let lost = theirs.keys().any(|name| arm(name) && !b.contains_key(*name));
                !lost
                    && b.iter().all(|(name, value)| match (theirs.get(name.as_str()), self.field(name)) {
                        (Some(meant), Some(Field { ty: Ty::Map(_), .. })) => *meant == value,
                        (Some(meant), _) => self.same(meant, value),
                        (None, Some(field)) => self.promised(field, value),
                        (None, None) => false,
                    })
            }
            (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.same(a, b)),
            // Null is an empty object of Cap'n Proto, but no record of FBE.
            (Value::Object(_), cell) | (cell, Value::Object(_))
                if self.strict && (!cell.is_null() || self.model.format == Format::Fbe) =>
            {
                false
            }
            // A record in place that has one field is that field, whose name is another then.
            (Value::Object(members), cell) if members.len() == 1 && self.model.format == Format::Fbe => {
                members.values().any(|member| self.same(member, cell))
            }
            (cell, Value::Object(members)) if members.len() == 1 && self.model.format == Format::Fbe => {
                members.values().any(|member| self.same(cell, member))
            }
            // An element may have become a record that begins with it, or have been one.
            (Value::Object(members), cell) if self.model.format == Format::Capnp && !cell.is_null() => {
                members.values().any(|member| self.same(member, cell))
            }
            (cell, Value::Object(members)) if self.model.format == Format::Capnp && !cell.is_null() => {
                let promised = |name| self.field(name).is_some_and(|field| self.promised(field, &members[name]));
                let others: Vec<&String> = members.keys().filter(|name| !promised(name)).collect();
                others.len() <= 1 && members.values().any(|member| self.same(cell, member))
            }
            // Negative zero is another number than zero.
            (a, b) => a == b && is_negative(a) == is_negative(b),
        }
    }

    fn field(&self, name: &str) -> Option<&Field> {
        self.model.structs.iter().flat_map(|structure| &structure.fields).find(|field| field.name == name)
    }

    /// Whether a value is the one that the format promises for a field that the writer does not know.
    fn promised(&self, field: &Field, value: &Value) -> bool {
        let default: f64 = if field.default { 7.0 } else { 0.0 };
        match (field.ty, value) {
            (Ty::Scalar(_) | Ty::Enum, Value::Null) => field.optional || field.since > 0,
            (_, Value::Null) => field.optional || self.model.format == Format::Capnp,
            (Ty::Scalar(_) | Ty::Enum, _) if field.optional || self.model.format == Format::Sbe => false,
            (_, Value::Bool(value)) => !value,
            (_, Value::Number(number)) => number.as_f64().map(f64::to_bits) == Some(default.to_bits()),
            (Ty::Scalar(_), Value::String(text)) => text.parse() == Ok(default),
            (_, Value::String(text)) => text.is_empty(),
            (_, Value::Array(elements)) => elements.is_empty(),
            (Ty::Map(_), Value::Object(members)) => members.is_empty(),
            (_, Value::Object(members)) => {
                members.iter().all(|(name, value)| self.field(name).is_some_and(|field| self.promised(field, value)))
            }
        }
    }
}

fn is_negative(value: &Value) -> bool {
    value.as_f64().is_some_and(f64::is_sign_negative)
}

/// Members of groups and unions are members of the record, wherever they moved: homes are opened.
fn opened(model: &Model, other: &Model, value: &Value) -> Value {
    let homes: Vec<&str> = [model, other]
        .into_iter()
        .flat_map(|model| model.structs.iter().flat_map(|s| &s.fields))
        .filter_map(|field| Some(field.home.as_ref()?.0.as_str()))
        .collect();
    match value {
        Value::Object(members) => {
            let mut flat = serde_json::Map::new();
            for (name, value) in members {
                match (homes.contains(&name.as_str()), opened(model, other, value)) {
                    (true, Value::Object(inner)) => flat.extend(inner),
                    (_, value) => {
                        flat.insert(name.clone(), value);
                    }
                }
            }
            Value::Object(flat)
        }
        Value::Array(elements) => elements.iter().map(|element| opened(model, other, element)).collect(),
        other => other.clone(),
    }
}

/// How many verdicts were judged.
#[derive(Default)]
struct Tally {
    hold: usize,
    broken: usize,
    /// Those that are broken and have no witness.
    by_rule: Vec<String>,
}

/// Judges the verdicts of one step of a chain.
fn judge(before: &Model, after: &Model, edit: &Edit, tally: &mut Tally) -> Result<(), String> {
    let (Some(old), Some(new)) = (plans(before), plans(after)) else { return Ok(()) };
    for (index, (old, new)) in old.iter().zip(&new).enumerate() {
        let report = compare(old, new, true);
        let broken = report.broken();
        if let (Some((b, f)), 0) = (edit.known, index) {
            if (!broken.b, !broken.f) != (b, f) {
                return Err(format!(
                    "{}: known to be {:?}, said to break {}",
                    old.form.name,
                    edit.known,
                    broken.text()
                ));
            }
        }
        for forward in [false, true] {
            one_direction((before, after), (old, new), &report, forward, tally)?;
        }
    }
    Ok(())
}

/// The reader's names of fields that it calls otherwise than the writer.
fn other_names(report: &Report, forward: bool) -> HashMap<String, String> {
    let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
    let renamed = report.differences.iter().filter(|difference| difference.code == codes::FIELD_RENAMED);
    let names = renamed.map(|difference| {
        let (a, b) = (last(&difference.old.as_ref().unwrap().name), last(&difference.new.as_ref().unwrap().name));
        if forward {
            (b, a)
        } else {
            (a, b)
        }
    });
    names.collect()
}

fn one_direction(
    models: (&Model, &Model),
    plans: (&Plan, &Plan),
    report: &Report,
    forward: bool,
    tally: &mut Tally,
) -> Result<(), String> {
    let (old, new) = (codec(plans.0), codec(plans.1));
    let (writer, reader) = if forward { (&new, &old) } else { (&old, &new) };
    let model = if forward { models.0 } else { models.1 };
    let direction = Direction { writer, reader, names: other_names(report, forward), model, strict: false };
    let strictly = Direction { names: direction.names.clone(), strict: true, ..direction };

    // A name that is another's in one record may be in use in the next.
    let as_they_are = Direction { names: HashMap::new(), writer, reader, model, strict: false };
    for (message, verdict) in &report.verdicts {
        let says_broken = if forward { verdict.f } else { verdict.b };
        let (Some(index), Some(theirs)) = (writer.message_named(message), reader.message_named(message)) else {
            continue;
        };
        let letter = if forward { 'F' } else { 'B' };
        let witnesses =
            report.differences.iter().filter(|one| one.messages.contains(message)).flat_map(|one| &one.witnesses);
        let own: Vec<_> = witnesses.filter(|witness| witness.forward == forward).collect();
        let tries = if !says_broken || own.is_empty() { 60 } else { 0 };
        let differs = (0..tries).find_map(|seed| {
            let value = writer.random(index, seed);
            let bytes = writer.encode(index, &value).ok()?;
            let agrees = |direction| agrees_opened(models, direction, (index, theirs), &bytes);
            (!agrees(&direction) && !agrees(&as_they_are)).then_some(bytes)
        });
        *if says_broken { &mut tally.broken } else { &mut tally.hold } += 1;
        match (says_broken, differs) {
            (false, Some(bytes)) => {
                let (mut meant, mut read) = (Vec::new(), Vec::new());
                let _ = writer.to_json(index, &bytes, &mut meant);
                let fault = reader.to_json(theirs, &bytes, &mut read).err();
                return Err(format!(
                    "{} {letter} of {message} is said to hold, but {}\nreads {}\n{fault:?}",
                    plans.0.form.name,
                    String::from_utf8_lossy(&meant),
                    String::from_utf8_lossy(&read)
                ));
            }
            (true, differs) if own.is_empty() => {
                let what = if differs.is_some() { "bytes prove it" } else { "bytes do not" };
                tally.by_rule.push(format!("{} {letter} of {message}, {what}", plans.0.form.name));
            }
            (true, _) | (false, None) => {}
        }
        for witness in own.iter().filter(|witness| witness.message == *message) {
            if agrees_opened(models, &strictly, (index, theirs), &witness.bytes) && !is_enum_swap(report) {
                return Err(format!(
                    "{} {letter} of {message}: the witness reads the same: {witness:?}",
                    plans.0.form.name
                ));
            }
        }
    }
    Ok(())
}

/// Numbers that mean other names are shown as numbers here.
fn is_enum_swap(report: &Report) -> bool {
    report.differences.iter().any(|difference| difference.code == codes::VALUE_RENUMBERED)
}

fn agrees_opened(models: (&Model, &Model), direction: &Direction, messages: (usize, usize), bytes: &[u8]) -> bool {
    let (mut meant, mut read) = (Vec::new(), Vec::new());
    direction.writer.to_json(messages.0, bytes, &mut meant).unwrap();
    if direction.reader.to_json(messages.1, bytes, &mut read).is_err() {
        return false;
    }
    let open = |text: &[u8]| opened(models.0, models.1, &serde_json::from_slice(text).unwrap());
    direction.same(&open(&meant), &open(&read))
}

#[test]
fn verdicts_are_what_bytes_say() {
    let number = |name: &str, other: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(other);
    let (chains, first) = (number("CHAINS", 500), number("SEED", 0));
    let (mut tally, mut failed) = (Tally::default(), Vec::new());
    for seed in first..first + chains {
        let mut random = Random(seed);
        let format = [Format::Fbe, Format::Sbe, Format::Capnp][random.below(3)];
        let mut model = Model::new(format, &mut random);
        for _ in 0..4 {
            let before = model.clone();
            let Some(edit) = edits::edit_once(&mut model, &mut random) else { continue };
            let known = tally.by_rule.len();
            let judged = judge(&before, &model, &edit, &mut tally);
            tally.by_rule[known..].iter_mut().for_each(|what| {
                *what += &format!(": seed {seed}, {}\n{}\n{}", edit.what, before.text(), model.text())
            });
            if let Err(wrong) = judged {
                failed.push(format!("seed {seed}, {}: {wrong}\n{}\n{}", edit.what, before.text(), model.text()));
            }
        }
    }
    let Tally { hold, broken, by_rule } = tally;
    let few = by_rule.len();
    let text = format!("{chains} chains: {hold} verdicts hold, {broken} are broken, {few} of them by rule alone");
    assert!(failed.is_empty(), "{text}, {} are wrong\n{}", failed.len(), failed.join("\n"));
    let _ = writeln!(io::stderr(), "{text}\n{}", by_rule.join("\n"));
    assert!(few * 1000 <= broken, "{text}");
}
