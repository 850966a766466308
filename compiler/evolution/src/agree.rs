//! Whether a reader's value is what the writer meant: by the values that both interpreters give for the same bytes.

use crate::pair::{is_choice, members, named, Content, Member, Versions};
use crate::walk::Pair;
use aldis_interpreter::{Codec, Fault, Value};
use aldis_plan::{Container, SlotKind};
use aldis_schema::{Encoding, Field, Type, TypeId, TypeKind};

/// A place where the reader's value is another than the writer's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    /// The writer's and the reader's record.
    pub records: (TypeId, TypeId),
    pub writer: Option<usize>,
    pub reader: Option<usize>,
    /// The reader's path to it, and the writer's.
    pub path: String,
    pub written: Option<String>,
}

/// The value that a reader makes of bytes, or its fault.
#[derive(Clone, Debug)]
pub(crate) enum Outcome {
    Same,
    Fault(Fault),
    Differs(Vec<Hit>),
}

/// A writer's and a reader's interpreter of one form.
pub(crate) struct Readers<'a, 'p, 'v> {
    pub writer: &'a Codec,
    pub reader: &'a Codec,
    pub versions: &'v mut Versions<'p>,
    pub forward: bool,
}

impl Readers<'_, '_, '_> {
    /// Reads the bytes of a writer's message with the reader, and compares the values.
    pub fn read(&mut self, messages: (usize, usize), bytes: &[u8]) -> Outcome {
        let written = match self.writer.decode(messages.0, bytes) {
            Ok((value, _)) => value,
            // Such bytes prove nothing.
            Err(_) => return Outcome::Same,
        };
        let read = match self.reader.decode(messages.1, bytes) {
            Ok((value, _)) => value,
            Err(fault) => return Outcome::Fault(fault),
        };
        let from = self.writer.plan().messages[messages.0].record;
        let to = self.reader.plan().messages[messages.1].record;
        let mut comparison = Comparison { readers: self, hits: Vec::new() };
        comparison.record((from, &written), (to, &read), ("", ""));
        match comparison.hits {
            hits if hits.is_empty() => Outcome::Same,
            hits => Outcome::Differs(hits),
        }
    }
}

struct Comparison<'r, 'a, 'p, 'v> {
    readers: &'r mut Readers<'a, 'p, 'v>,
    hits: Vec<Hit>,
}

/// A value with its type.
type Typed<'t> = (&'t Type, &'t Value);

impl Comparison<'_, '_, '_, '_> {
    fn record(&mut self, (from, written): (TypeId, &Value), (to, read): (TypeId, &Value), paths: (&str, &str)) {
        let (old, new) = if self.readers.forward { (to, from) } else { (from, to) };
        let pairing = self.readers.versions.pairing(old, new);
        let pair = Pair::new(&pairing, self.readers.forward);
        for (index, member) in pair.reader.iter().enumerate() {
            let mate = pair.mate(index);
            let (writer, reader) = (self.readers.writer, self.readers.reader);
            let value = get(reader, to, read, &member.path);
            let meant = mate.and_then(|mate| get(writer, from, written, &pair.writer[mate].path));
            let path = (
                joined(paths.0, &member.name),
                joined(paths.1, mate.map_or("", |mate| pair.writer[mate].name.as_str())),
            );
            let before = self.hits.len();
            let same = match (meant, value) {
                (None, None) => true,
                (None, Some(value)) => promised(reader, to, member, value),
                (Some(_), None) => false,
                (Some(Value::Choice(a, _)), Some(Value::Choice(b, _))) if is_tag(member) => {
                    let name = mate.and_then(|mate| arm_name(writer, &pair.writer[mate], *a));
                    // The values of the arms are compared by themselves.
                    a == b || (name.is_some() && name == arm_name(reader, member, *b))
                }
                (Some(meant), Some(value)) => {
                    let theirs = mate.map_or(member, |mate| &pair.writer[mate]);
                    self.values((&theirs.field().ty, meant), (&member.field().ty, value), (&path.0, &path.1))
                }
            };
            if !same {
                let written = mate.map(|_| path.1.clone());
                let hit = Hit { records: (from, to), writer: mate, reader: Some(index), path: path.0, written };
                self.hits.insert(before, hit);
            }
        }
    }

    /// Whether two values agree; records within them add hits of their own.
    fn values(&mut self, from: Typed, to: Typed, paths: (&str, &str)) -> bool {
        let (writer, reader) = (self.readers.writer, self.readers.reader);
        let kinds = (named(&writer.plan().schema, from.0), named(&reader.plan().schema, to.0));
        match (kinds, from.1, to.1) {
            ((Some((a, TypeKind::Record(_))), Some((b, TypeKind::Record(_)))), Value::Record(_), Value::Record(_)) => {
                self.record((a, from.1), (b, to.1), paths);
                true
            }
            ((None, Some((id, TypeKind::Record(_)))), cell, Value::Record(_)) if self.grows() => {
                self.first((from.0, cell), (id, to.1))
            }
            ((Some((id, TypeKind::Record(_))), None), Value::Record(_), _) if self.grows() => {
                self.is_first((id, from.1), to)
            }
            ((Some((_, a)), Some((_, b))), Value::Int(_) | Value::UInt(_), _) => {
                number(from.1) == number(to.1) && same_name(a, b, number(from.1))
            }
            (_, Value::Map(a), Value::Map(b)) => self.maps((from.0, a), (to.0, b), paths),
            (_, Value::List(_) | Value::Packed(_), Value::List(_) | Value::Packed(_)) => self.lists(from, to, paths),
            (_, a, b) => equal(from.0, a, to.0, b),
        }
    }

    /// Whether elements of lists may become records: lists say how large their elements are.
    fn grows(&self) -> bool {
        self.readers.reader.plan().container != Container::Plain
    }

    fn lists(&mut self, from: Typed, to: Typed, paths: (&str, &str)) -> bool {
        let (a, b) = (from.0.element(), to.0.element());
        let written = self.readers.writer.elements(a, from.1).into_owned();
        let read = self.readers.reader.elements(b, to.1).into_owned();
        written.len() == read.len()
            && written.iter().zip(&read).enumerate().all(|(index, (x, y))| {
                let paths = (format!("{}[{index}]", paths.0), format!("{}[{index}]", paths.1));
                self.values((a, x), (b, y), (&paths.0, &paths.1))
            })
    }

    fn maps(&mut self, from: (&Type, &[(Value, Value)]), to: (&Type, &[(Value, Value)]), paths: (&str, &str)) -> bool {
        let (Type::Map { key: a, value: x, .. }, Type::Map { key: b, value: y, .. }) =
            (from.0.required(), to.0.required())
        else {
            return false;
        };
        from.1.len() == to.1.len()
            && from.1.iter().zip(to.1).enumerate().all(|(index, (one, two))| {
                let inner = (format!("{}[{index}]", paths.0), format!("{}[{index}]", paths.1));
                let paths = (inner.0.as_str(), inner.1.as_str());
                self.values((a, &one.0), (b, &two.0), paths) && self.values((x, &one.1), (y, &two.1), paths)
            })
    }

    /// Whether a record is what a cell becomes: its first member, and nothing else.
    fn first(&mut self, cell: Typed, record: (TypeId, &Value)) -> bool {
        let reader = self.readers.reader;
        let all = members(reader.plan(), record.0);
        let first = all.iter().position(is_first);
        (0..all.len()).all(|index| match (get(reader, record.0, record.1, &all[index].path), first == Some(index)) {
            (Some(value), true) => self.values(cell, (&all[index].field().ty, value), ("", "")),
            (Some(value), false) => promised(reader, record.0, &all[index], value),
            (None, _) => true,
        })
    }

    /// Whether a cell is what a record begins with.
    fn is_first(&mut self, record: (TypeId, &Value), cell: Typed) -> bool {
        let writer = self.readers.writer;
        let all = members(writer.plan(), record.0);
        let first = all.iter().find(|member| is_first(member));
        let value = first.and_then(|member| Some((&member.field().ty, get(writer, record.0, record.1, &member.path)?)));
        value.is_some_and(|(ty, value)| self.values((ty, value), cell, ("", "")))
    }
}

/// Whether a list's element is this member where its record was a mere value before.
fn is_first(member: &Member) -> bool {
    matches!(member.content, Content::Slot { at: 0, slot, .. } if !is_choice(slot))
        && member.guards.iter().all(|(_, arm)| *arm == 0)
}

fn is_tag(member: &Member) -> bool {
    matches!(member.content, Content::Slot { slot, .. } if is_choice(slot))
}

/// The name of a union's arm.
fn arm_name<'c>(codec: &'c Codec, tag: &Member, number: u64) -> Option<&'c str> {
    let Content::Slot { slot, .. } = tag.content else { return None };
    let SlotKind::Choice { union, .. } = &slot.kind else { return None };
    let union = codec.plan().schema.union(*union);
    union.arm_of(number).map(|index| union.arms[index].field.name.as_str())
}

fn joined(path: &str, name: &str) -> String {
    match (path, name) {
        ("", name) => name.to_owned(),
        (path, "") => path.to_owned(),
        (path, name) => format!("{path}.{name}"),
    }
}

/// The value at a path of fields and arms; `None` within what is null or not chosen.
pub(crate) fn get<'v>(codec: &'v Codec, record: TypeId, value: &'v Value, path: &[u32]) -> Option<&'v Value> {
    let (mut owner, mut value) = (record, value);
    for (depth, &index) in path.iter().enumerate() {
        let index = index as usize;
        let (field, inner): (&Field, &Value) = match (value, &codec.plan().schema.type_def(owner).kind) {
            (Value::Record(fields), TypeKind::Record(record)) => {
                (&record.fields[index], fields.get(index).unwrap_or_else(|| codec.missing(owner, index)))
            }
            (Value::Choice(tag, arm), TypeKind::Union(union)) if union.arms[index].tag == *tag => {
                (&union.arms[index].field, arm)
            }
            _ => return None,
        };
        value = inner;
        if depth + 1 < path.len() {
            owner = named(&codec.plan().schema, &field.ty)?.0;
        }
    }
    Some(value)
}

/// Whether a value is what the format promises for one that the writer does not know.
fn promised(codec: &Codec, record: TypeId, member: &Member, value: &Value) -> bool {
    if is_tag(member) {
        return matches!(value, Value::Choice(0, _));
    }
    let schema = &codec.plan().schema;
    let owner = member.fields[..member.fields.len() - 1]
        .iter()
        .try_fold(record, |_, field| named(schema, &field.ty).map(|(id, _)| id));
    let Some(owner) = owner else { return false };
    let missing = codec.missing(owner, member.path[member.path.len() - 1] as usize);
    let pointer = matches!(member.content, Content::Slot { pointer: true, .. });
    let field = member.field();
    if *value == Value::Null {
        return pointer || field.nullable() || *missing == Value::Null && field.ty == Type::Void;
    }
    let empty = matches!(value, Value::List(list) if list.is_empty())
        || matches!(value, Value::Packed(list) | Value::Bytes(list) if list.is_empty())
        || matches!(value, Value::Map(map) if map.is_empty());
    let part = matches!(member.content, Content::Part);
    same_value(missing, value) || (empty && (part || pointer || emptyish(missing))) || defaults(codec, &field.ty, value)
}

/// A record of which every field is what stands for a missing one.
fn defaults(codec: &Codec, ty: &Type, value: &Value) -> bool {
    let schema = &codec.plan().schema;
    match (named(schema, ty), value) {
        (Some((id, TypeKind::Record(_))), Value::Record(_)) => members(codec.plan(), id)
            .iter()
            .all(|member| get(codec, id, value, &member.path).is_none_or(|value| promised(codec, id, member, value))),
        (None, Value::List(elements)) => elements.iter().all(|element| {
            same_value(&codec.default_value(ty.element()), element) || defaults(codec, ty.element(), element)
        }),
        (None, Value::Packed(_)) => codec
            .elements(ty.element(), value)
            .iter()
            .all(|element| same_value(&codec.default_value(ty.element()), element)),
        _ => false,
    }
}

fn emptyish(value: &Value) -> bool {
    match value {
        Value::List(list) => list.is_empty(),
        Value::Packed(list) | Value::Bytes(list) => list.is_empty(),
        Value::Map(map) => map.is_empty(),
        _ => false,
    }
}

/// Values of one type; NaN is NaN.
fn same_value(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::F32(a), Value::F32(b)) => a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()),
        (Value::F64(a), Value::F64(b)) => a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()),
        _ if number(a).is_some() && number(b).is_some() => number(a) == number(b),
        _ => match (float(a), float(b)) {
            (Some(a), Some(b)) => a == b || (a.is_nan() && b.is_nan()),
            _ => a == b,
        },
    }
}

fn equal(from: &Type, a: &Value, to: &Type, b: &Value) -> bool {
    let encoding = |ty: &Type| match ty.required() {
        Type::Text(encoding) | Type::Chars { encoding, .. } => Some(*encoding),
        _ => None,
    };
    match (a, b) {
        (Value::Bytes(a), Value::Bytes(b)) => {
            a == b
                && match (encoding(from), encoding(to)) {
                    (Some(x), Some(y)) if x != y => a.iter().all(u8::is_ascii),
                    (None, Some(Encoding::Utf8)) => std::str::from_utf8(b).is_ok(),
                    _ => true,
                }
        }
        (Value::Bytes(a), Value::Packed(b)) | (Value::Packed(a), Value::Bytes(b)) => a == b,
        // An empty list keeps no width.
        (Value::Bytes(a), Value::List(b)) | (Value::List(b), Value::Bytes(a)) => a.is_empty() && b.is_empty(),
        _ => same_value(a, b),
    }
}

fn number(value: &Value) -> Option<i128> {
    match value {
        Value::Int(number) => Some(i128::from(*number)),
        Value::UInt(number) => Some(i128::from(*number)),
        _ => None,
    }
}

/// A number as a float: what is a number in both versions tells more where it is another one.
fn float(value: &Value) -> Option<f64> {
    match value {
        Value::F32(number) => Some(f64::from(*number)),
        Value::F64(number) => Some(*number),
        _ => number(value).map(|number| number as f64),
    }
}

/// Whether a number does not mean one name to the writer and another, known to both, to the reader.
fn same_name(from: &TypeKind, to: &TypeKind, number: Option<i128>) -> bool {
    let flags = matches!(from, TypeKind::Flags(_));
    let (from, to) = (crate::names::numbers(from), crate::names::numbers(to));
    let meant = from.iter().filter(|(_, value)| Some(*value) == number || (flags && flagged(*value, number)));
    meant.into_iter().all(|(name, value)| to.iter().find(|(known, _)| known == name).is_none_or(|(_, v)| v == value))
}

/// Whether the bits of a name are among those of a number.
fn flagged(mask: i128, number: Option<i128>) -> bool {
    number.is_some_and(|number| mask > 0 && number & mask == mask)
}
