//! Messages that prove a verdict: what the writer meant, its bytes, and what the reader makes of them.

use crate::agree::{Hit, Outcome, Readers};
use crate::difference::{Difference, Place, Witness};
use crate::pair::{named, Content, Versions};
use aldis_interpreter::{explain, Codec, EntryKind, Value};
use aldis_plan::{NullValue, Plan, SlotKind};
use aldis_schema::{Type, TypeId, TypeKind};
use std::ops::Range;

/// How many random values are tried for each message, and in how many messages.
const TRIES: u64 = 48;
const MESSAGES: usize = 6;
/// After so many, a message that is refused will do: others will be, too.
const ENOUGH: u64 = 8;
/// How many smaller values are tried for a witness.
const SHRINKS: usize = 400;

/// The interpreters of both versions.
pub(crate) struct Prover<'p> {
    old: Codec,
    new: Codec,
    versions: Versions<'p>,
}

/// How well a message proves a difference.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    Nothing,
    /// Something else differs, or there are no bytes left to tell.
    Other,
    Fault,
    Exact,
}

impl<'p> Prover<'p> {
    pub fn new(old: &'p Plan, new: &'p Plan) -> Self {
        let codec = |plan: &Plan| {
            let mut codec = Codec::new(plan.clone());
            codec.strict_text = true;
            codec
        };
        Self { old: codec(old), new: codec(new), versions: Versions::new(old, new) }
    }

    /// Witnesses of a difference, for each direction in which it breaks readers.
    pub fn prove(&mut self, difference: &mut Difference) {
        for forward in [false, true] {
            let broken = if forward { difference.broken.f } else { difference.broken.b };
            if broken {
                difference.witnesses.extend(self.find(difference, forward));
            }
        }
    }

    fn readers(&mut self, forward: bool) -> Readers<'_, 'p, '_> {
        let (writer, reader) = if forward { (&self.new, &self.old) } else { (&self.old, &self.new) };
        Readers { writer, reader, versions: &mut self.versions, forward }
    }

    fn find(&mut self, difference: &Difference, forward: bool) -> Option<Witness> {
        let heads = difference.proof.heads.iter();
        let pairs = heads.map(|&(old, new)| if forward { (new, old) } else { (old, new) });
        let mut best: Option<(Fit, (usize, usize), Value)> = None;
        for messages in pairs.take(MESSAGES) {
            let messages = match messages {
                (Some(writer), Some(reader)) => (writer, reader),
                (Some(writer), None) => return self.unknown(writer, forward),
                _ => continue,
            };
            for seed in 0..TRIES {
                let writer = self.readers(forward).writer;
                let random = writer.random(messages.0, seed);
                let telling = self.telling(difference, forward, messages.0, &random);
                for value in std::iter::once(random).chain(telling) {
                    let fit = self.fit(difference, forward, messages, &value);
                    if fit > best.as_ref().map_or(Fit::Nothing, |best| best.0) {
                        best = Some((fit, messages, value));
                    }
                }
                match best.as_ref().map(|best| best.0) {
                    Some(Fit::Exact) => break,
                    Some(Fit::Fault) if seed >= ENOUGH => break,
                    _ => {}
                }
            }
            if best.as_ref().is_some_and(|best| best.0 >= Fit::Fault) {
                break;
            }
        }
        let (fit, messages, value) = best?;
        let value = self.shrink(difference, forward, messages, value, fit);
        self.show(difference, forward, messages, &value)
    }

    /// The value with what only a corner of a type tells in the place of the difference.
    fn telling(&self, difference: &Difference, forward: bool, message: usize, value: &Value) -> Vec<Value> {
        let writer = if forward { &self.new } else { &self.old };
        let mut found = Vec::new();
        let places = difference.proof.places.iter().filter(|place| place.forward == forward);
        for place in places.take(3) {
            let (old, new) = place.records;
            let owner = if forward { new } else { old };
            let ty = Type::Named(writer.plan().messages[message].record);
            let Some(index) = place.writer else {
                twins(writer, &ty, value, owner, &mut found);
                continue;
            };
            let members = crate::pair::members(writer.plan(), owner);
            let guards: Vec<u64> = members[index].guards.iter().map(|(_, tag)| *tag).collect();
            let way = (&*members[index].path, &*guards);
            for corner in self.corners(place, forward) {
                let mut changed = value.clone();
                put(writer, &ty, &mut changed, owner, way, &corner);
                found.push(changed);
            }
        }
        found
    }

    /// Values that mean null to one of the versions, as the writer's numbers, and null; numbers with all bits set. Those that
    /// are not of the writer's type are refused when they are written.
    fn corners(&self, place: &Place, forward: bool) -> Vec<Value> {
        let (old, new) = place.records;
        let mut corners = vec![Value::Null, Value::Int(-1)];
        corners.extend([8, 16, 32, 64].map(|bits| Value::UInt(u64::MAX >> (64 - bits))));
        let sides = [
            (&self.old, old, if forward { place.reader } else { place.writer }),
            (&self.new, new, if forward { place.writer } else { place.reader }),
        ];
        for (codec, record, index) in sides {
            let members = crate::pair::members(codec.plan(), record);
            let Some(Content::Slot { slot, .. }) = index.map(|index| members[index].content) else { continue };
            if let SlotKind::Scalar(scalar) = &slot.kind {
                if let Some(NullValue::Bits(bits) | NullValue::Nan(bits)) = scalar.null {
                    let shift = 64 - 8 * slot.width.min(8);
                    corners.push(Value::UInt(bits));
                    corners.push(Value::Int(((bits << shift) as i64) >> shift));
                    corners.push(Value::F32(f32::from_bits(bits as u32)));
                    corners.push(Value::F64(f64::from_bits(bits)));
                }
            }
        }
        corners
    }

    fn fit(&mut self, difference: &Difference, forward: bool, messages: (usize, usize), value: &Value) -> Fit {
        let mut readers = self.readers(forward);
        let Ok(bytes) = readers.writer.encode(messages.0, value) else { return Fit::Nothing };
        match readers.read(messages, &bytes) {
            Outcome::Same => Fit::Nothing,
            Outcome::Fault(_) => Fit::Fault,
            Outcome::Differs(hits) if hits.iter().any(|hit| proves(difference, forward, hit)) => Fit::Exact,
            Outcome::Differs(_) => Fit::Other,
        }
    }

    /// A message that the reader does not have.
    fn unknown(&self, writer: usize, forward: bool) -> Option<Witness> {
        let (from, to) = if forward { (&self.new, &self.old) } else { (&self.old, &self.new) };
        let value = from.default_value(&Type::Named(from.plan().messages[writer].record));
        let bytes = from.encode(writer, &value).or_else(|_| from.encode(writer, &from.random(writer, 0))).ok()?;
        let fault = to.find(&bytes).err()?;
        let mut written = Vec::new();
        from.to_json(writer, &bytes, &mut written).ok()?;
        let at = fault.offset.unwrap_or(0);
        let shown = bytes.clone();
        Some(Witness {
            forward,
            message: from.message_name(writer),
            written: String::from_utf8_lossy(&written).into_owned(),
            range: at..(at + 2).min(bytes.len()),
            bytes,
            shown,
            path: String::new(),
            read: Err(fault.to_string()),
        })
    }

    /// The same with as little as possible beside what differs.
    fn shrink(
        &mut self,
        difference: &Difference,
        forward: bool,
        messages: (usize, usize),
        value: Value,
        fit: Fit,
    ) -> Value {
        let mut value = value;
        let mut left = SHRINKS;
        loop {
            let writer = self.readers(forward).writer;
            let ty = Type::Named(writer.plan().messages[messages.0].record);
            let mut smaller = Vec::new();
            smaller_values(writer, &ty, &value, &mut smaller);
            let better = smaller.into_iter().find(|candidate| {
                left = left.saturating_sub(1);
                left > 0 && self.fit(difference, forward, messages, candidate) >= fit
            });
            match better {
                Some(better) => value = better,
                None => return value,
            }
        }
    }

    fn show(
        &mut self,
        difference: &Difference,
        forward: bool,
        messages: (usize, usize),
        value: &Value,
    ) -> Option<Witness> {
        let mut readers = self.readers(forward);
        let bytes = readers.writer.encode(messages.0, value).ok()?;
        let outcome = readers.read(messages, &bytes);
        let (mut written, mut read) = (Vec::new(), Vec::new());
        readers.writer.to_json(messages.0, &bytes, &mut written).ok()?;
        let result = readers.reader.to_json(messages.1, &bytes, &mut read);
        let shown = readers.writer.unpacked(&bytes).ok()?.0.into_owned();
        let (range, path) = match &outcome {
            Outcome::Fault(fault) => {
                let at = fault.offset.unwrap_or(0).min(shown.len());
                (at..(at + 1).min(shown.len()), fault.path.clone())
            }
            Outcome::Differs(hits) => {
                let hit = hits.iter().find(|hit| proves(difference, forward, hit)).or(hits.first())?;
                let theirs = range_of(readers.reader, messages.1, &bytes, &hit.path);
                let own = hit.written.as_ref().and_then(|path| range_of(readers.writer, messages.0, &bytes, path));
                (theirs.or(own).unwrap_or(0..0), hit.path.clone())
            }
            Outcome::Same => return None,
        };
        let read = match (outcome, result) {
            (Outcome::Fault(fault), _) | (_, Err(fault)) => Err(fault.to_string()),
            (_, Ok(_)) => Ok(String::from_utf8_lossy(&read).into_owned()),
        };
        let message = readers.writer.message_name(messages.0);
        let written = String::from_utf8_lossy(&written).into_owned();
        Some(Witness { forward, message, written, bytes, range, shown, path, read })
    }
}

/// Whether a place that is read otherwise is one of the difference.
fn proves(difference: &Difference, forward: bool, hit: &Hit) -> bool {
    let records = if forward { (hit.records.1, hit.records.0) } else { hit.records };
    let mut places = difference.proof.places.iter().filter(|place| place.forward == forward);
    let places: Vec<&Place> = places.by_ref().collect();
    if places.is_empty() {
        return difference.proof.records.is_empty() || difference.proof.records.contains(&records);
    }
    places.iter().any(|place| {
        let whole = place.writer.is_none() && place.reader.is_none();
        let reader = place.reader.is_some() && place.reader == hit.reader;
        let writer = place.writer.is_some() && place.writer == hit.writer;
        place.records == records && (whole || reader || writer) || whole
    })
}

/// The bytes of the value at a path.
fn range_of(codec: &Codec, message: usize, bytes: &[u8], path: &str) -> Option<Range<usize>> {
    let entries = explain(codec, message, bytes).entries;
    let there = |kind: &EntryKind| !matches!(kind, EntryKind::Padding | EntryKind::Unread | EntryKind::Absent);
    let mut own = entries.iter().filter(|entry| entry.path == path && there(&entry.kind) && !entry.range.is_empty());
    own.next_back().map(|entry| entry.range.clone())
}

/// The path to a member of a record, and the tags of the unions on it.
type Route<'r> = (&'r [u32], &'r [u64]);

/// Puts a value where the way leads in every record of a type.
fn put(codec: &Codec, ty: &Type, value: &mut Value, owner: TypeId, way: Route<'_>, corner: &Value) {
    let schema = &codec.plan().schema;
    match value {
        Value::Record(fields) => {
            let Some((id, TypeKind::Record(record))) = named(schema, ty) else { return };
            for (field, value) in record.fields.iter().zip(fields.iter_mut()) {
                put(codec, &field.ty, value, owner, way, corner);
            }
            if id == owner {
                set(value, way, corner);
            }
        }
        Value::List(elements) => elements.iter_mut().for_each(|one| put(codec, ty.element(), one, owner, way, corner)),
        Value::Choice(tag, arm) => {
            let Some((_, TypeKind::Union(union))) = named(schema, ty) else { return };
            if let Some(index) = union.arm_of(*tag) {
                put(codec, &union.arms[index].field.ty, arm, owner, way, corner);
            }
        }
        _ => {}
    }
}

/// The value with one more element in each set of the record: its last, but for one field.
fn twins(codec: &Codec, ty: &Type, value: &Value, owner: TypeId, out: &mut Vec<Value>) {
    let schema = &codec.plan().schema;
    match (value, named(schema, ty)) {
        (Value::Record(fields), Some((_, TypeKind::Record(record)))) => {
            for (index, field) in record.fields.iter().enumerate().take(fields.len()) {
                let mut inner = Vec::new();
                twins(codec, &field.ty, &fields[index], owner, &mut inner);
                out.extend(inner.into_iter().map(|value| {
                    let mut fields = fields.clone();
                    fields[index] = value;
                    Value::Record(fields)
                }));
            }
        }
        (Value::List(elements), None) => {
            let Some(Value::Record(last)) = elements.last() else { return };
            if !matches!(ty.required(), Type::Set(_)) || named(schema, ty.element()).map(|(id, _)| id) != Some(owner) {
                return;
            }
            for (index, other) in last.iter().enumerate().filter_map(|(index, value)| Some((index, altered(value)?))) {
                let mut twin = last.clone();
                twin[index] = other;
                out.push(Value::List(elements.iter().cloned().chain([Value::Record(twin)]).collect()));
            }
        }
        _ => {}
    }
}

/// Another value of the same type.
fn altered(value: &Value) -> Option<Value> {
    Some(match value {
        Value::Bool(value) => Value::Bool(!value),
        Value::Int(number) => Value::Int(number ^ 1),
        Value::UInt(number) => Value::UInt(number ^ 1),
        Value::F32(number) => Value::F32(if *number == 1.0 { 2.0 } else { 1.0 }),
        Value::F64(number) => Value::F64(if *number == 1.0 { 2.0 } else { 1.0 }),
        Value::Bytes(bytes) => Value::Bytes(bytes.iter().copied().chain([b'x']).collect()),
        _ => return None,
    })
}

/// A union on the way becomes the arm that the way goes by.
fn set(value: &mut Value, (path, tags): Route<'_>, corner: &Value) {
    let Some((&index, rest)) = path.split_first() else {
        *value = corner.clone();
        return;
    };
    match (value, tags.split_first()) {
        (Value::Record(fields), _) if fields.len() > index as usize => {
            set(&mut fields[index as usize], (rest, tags), corner);
        }
        (Value::Choice(tag, arm), Some((wanted, tags))) if tag == wanted => set(arm, (rest, tags), corner),
        (Value::Choice(tag, arm), Some((wanted, _))) if rest.is_empty() => {
            *tag = *wanted;
            **arm = corner.clone();
        }
        _ => {}
    }
}

/// Values with one part less, or with one part that is the default of its type.
fn smaller_values(codec: &Codec, ty: &Type, value: &Value, out: &mut Vec<Value>) {
    let schema = &codec.plan().schema;
    match (value, named(schema, ty)) {
        (Value::Record(fields), Some((_, TypeKind::Record(record)))) => {
            for (index, field) in record.fields.iter().enumerate().take(fields.len()) {
                let mut inner = Vec::new();
                let default = if field.constant.is_some() { None } else { Some(codec.default_value(&field.ty)) };
                inner.extend(default.filter(|default| *default != fields[index] && !is_union(codec, &field.ty)));
                smaller_values(codec, &field.ty, &fields[index], &mut inner);
                out.extend(inner.into_iter().map(|smaller| {
                    let mut fields = fields.clone();
                    fields[index] = smaller;
                    Value::Record(fields)
                }));
            }
        }
        (Value::List(elements), None) if !matches!(ty.required(), Type::Array { .. }) => {
            for index in 0..elements.len() {
                let mut fewer = elements.to_vec();
                fewer.remove(index);
                out.push(Value::List(fewer.into()));
                let mut inner = Vec::new();
                smaller_values(codec, ty.element(), &elements[index], &mut inner);
                out.extend(inner.into_iter().map(|smaller| {
                    let mut all = elements.clone();
                    all[index] = smaller;
                    Value::List(all)
                }));
            }
        }
        (Value::Choice(tag, arm), Some((_, TypeKind::Union(union)))) => {
            let Some(index) = union.arm_of(*tag) else { return };
            let mut inner = Vec::new();
            smaller_values(codec, &union.arms[index].field.ty, arm, &mut inner);
            out.extend(inner.into_iter().map(|smaller| Value::Choice(*tag, Box::new(smaller))));
        }
        (Value::Bytes(bytes), _) if bytes.len() > 1 => out.push(Value::Bytes(bytes[..bytes.len() / 2].into())),
        (Value::Map(entries), _) if !entries.is_empty() => out.push(Value::Map(entries[1..].into())),
        _ => {}
    }
}

fn is_union(codec: &Codec, ty: &Type) -> bool {
    matches!(named(&codec.plan().schema, ty), Some((_, TypeKind::Union(_))))
}
