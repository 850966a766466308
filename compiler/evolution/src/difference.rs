//! Differences: what changed, whom it breaks, and where both versions say so.

use crate::codes;
use crate::pair::{Content, Member};
use aldis_diagnostics::Span;
use aldis_schema::{type_text, Schema, TypeId};
use std::collections::BTreeSet;
use std::ops::Range;

/// Answers to the four questions: those that are `true` are broken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Letters {
    /// New readers do not read what old writers wrote.
    pub b: bool,
    /// Old readers do not read what new writers write.
    pub f: bool,
    /// JSON is another.
    pub j: bool,
    /// Programs that use generated code do not compile.
    pub s: bool,
}

impl Letters {
    pub fn or(self, other: Self) -> Self {
        Self { b: self.b || other.b, f: self.f || other.f, j: self.j || other.j, s: self.s || other.s }
    }

    pub fn and(self, other: Self) -> Self {
        Self { b: self.b && other.b, f: self.f && other.f, j: self.j && other.j, s: self.s && other.s }
    }

    pub fn any(self) -> bool {
        self != Self::default()
    }

    /// `BF`; letters in that order.
    pub fn text(self) -> String {
        let all = [(self.b, 'B'), (self.f, 'F'), (self.j, 'J'), (self.s, 'S')];
        all.into_iter().filter(|(set, _)| *set).map(|(_, letter)| letter).collect()
    }

    /// Reads what [`Letters::text`] writes, in any order and case.
    pub fn parse(text: &str) -> Option<Self> {
        text.chars().try_fold(Self::default(), |letters, letter| {
            Some(match letter.to_ascii_uppercase() {
                'B' => Self { b: true, ..letters },
                'F' => Self { f: true, ..letters },
                'J' => Self { j: true, ..letters },
                'S' => Self { s: true, ..letters },
                _ => return None,
            })
        })
    }

    pub(crate) fn direction(forward: bool) -> Self {
        Self { b: !forward, f: forward, ..Self::default() }
    }
}

/// One version's side of a difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// `market.Trade.price`
    pub name: String,
    /// Its type and place: `u32, 4 bytes at 8`.
    pub what: String,
    /// None where the version has no texts.
    pub span: Option<Span>,
}

/// Something that changed.
#[derive(Clone, Debug)]
pub struct Difference {
    /// One of [`codes::TABLE`].
    pub code: &'static str,
    pub old: Option<End>,
    pub new: Option<End>,
    pub broken: Letters,
    /// Why B, and why F.
    pub reasons: [Option<String>; 2],
    /// The fields that it moved, by name.
    pub moved: BTreeSet<String>,
    /// The full new names of types that are called otherwise with it.
    pub renamed: BTreeSet<String>,
    /// The full names of the messages that hold it, in the newer version where that has them.
    pub messages: Vec<String>,
    /// Messages that prove B and F, where one was found.
    pub witnesses: Vec<Witness>,
    pub(crate) proof: Proof,
}

/// One message that a reader does not read as its writer meant it.
#[derive(Clone, Debug)]
pub struct Witness {
    /// The new version wrote it.
    pub forward: bool,
    /// The full name of the writer's message.
    pub message: String,
    /// The JSON of what was written.
    pub written: String,
    pub bytes: Vec<u8>,
    /// The bytes that are read otherwise, in `shown`.
    pub range: Range<usize>,
    /// The unpacked bytes, where they are packed; else they themselves.
    pub shown: Vec<u8>,
    /// The reader's path to what differs; empty where the message as a whole does.
    pub path: String,
    /// The JSON of what was read, or why nothing was.
    pub read: Result<String, String>,
}

/// The change that a witness of a difference must show.
#[derive(Clone, Debug, Default)]
pub(crate) struct Proof {
    /// Old and new records that hold it.
    pub records: BTreeSet<(TypeId, TypeId)>,
    /// By direction (forward), records (old, new), and members (writer's, reader's).
    pub places: Vec<Place>,
    /// Old and new messages whose heads hold it; either may be all that there is.
    pub heads: BTreeSet<(Option<usize>, Option<usize>)>,
}

/// A place where a reader goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub forward: bool,
    pub records: (TypeId, TypeId),
    pub writer: Option<usize>,
    pub reader: Option<usize>,
}

impl Difference {
    pub(crate) fn new(code: &'static str, old: Option<End>, new: Option<End>) -> Self {
        Self {
            code,
            old,
            new,
            broken: Letters::default(),
            reasons: [None, None],
            moved: BTreeSet::new(),
            renamed: BTreeSet::new(),
            messages: Vec::new(),
            witnesses: Vec::new(),
            proof: Proof::default(),
        }
    }

    /// Takes in what another record or direction says of the same difference.
    pub(crate) fn merge(&mut self, other: Difference) {
        self.broken = self.broken.or(other.broken);
        for (mine, theirs) in self.reasons.iter_mut().zip(other.reasons) {
            *mine = mine.take().or(theirs);
        }
        self.moved.extend(other.moved);
        self.proof.records.extend(other.proof.records);
        self.proof.places.extend(other.proof.places);
        self.proof.heads.extend(other.proof.heads);
    }

    pub(crate) fn broken_by(&mut self, forward: bool, reason: &str) {
        self.broken = self.broken.or(Letters::direction(forward));
        self.reasons[usize::from(forward)].get_or_insert_with(|| reason.to_owned());
    }

    /// `market.Trade.price was removed`
    pub fn sentence(&self) -> String {
        let name = |end: &Option<End>| end.as_ref().map(|end| end.name.clone()).unwrap_or_default();
        let (old, new) = (name(&self.old), name(&self.new));
        let what = match self.code {
            codes::FIELD_ADDED => format!("the field `{new}` was added"),
            codes::FIELD_REMOVED => format!("the field `{old}` was removed"),
            codes::FIELD_MOVED => {
                let others = self.moved.len().saturating_sub(1);
                return match others {
                    0 => format!("the field `{new}` changed its place"),
                    others => format!("the field `{new}` and {others} more of its record changed their places"),
                };
            }
            codes::FIELD_CHANGED => self.changed(&new),
            codes::FIELD_RENAMED => format!("the field `{old}` is called `{new}` now"),
            codes::RECORD_CHANGED => match (&self.old, &self.new) {
                (Some(was), Some(is)) if was.what != is.what => {
                    let was = was.what.trim_start_matches("id ");
                    format!("`{new}` has {} now, was {was}", is.what)
                }
                _ => format!("`{new}` lies otherwise in bytes"),
            },
            codes::HEAD_CHANGED => match self.messages.as_slice() {
                [one] => format!("the head of the message `{one}` changed"),
                _ => "the head of messages changed".to_owned(),
            },
            codes::MESSAGE_REMOVED => format!("the message `{old}` was removed"),
            codes::MESSAGE_ADDED => format!("the message `{new}` was added"),
            codes::NAME_CHANGED => {
                let kind = self.new.as_ref().map_or("type", |end| &end.what);
                format!("the {kind} `{old}` is called `{new}` now")
            }
            codes::VALUE_ADDED => format!("the value `{new}` was added"),
            codes::VALUE_REMOVED => format!("the value `{old}` was removed"),
            codes::VALUE_RENAMED => format!("the value `{old}` is called `{new}` now"),
            codes::VALUE_RENUMBERED => format!("the value `{new}` has another number"),
            _ => format!("the enumeration `{new}` is stored as another type"),
        };
        let what = match self.renamed.len() {
            0 => what,
            1 => format!("{what}, and a type is called after it"),
            renamed => format!("{what}, and {renamed} types are called after it"),
        };
        match self.moved.len() {
            0 => what,
            1 => format!("{what}, which moves another"),
            moved => format!("{what}, which moves {moved} others"),
        }
    }

    fn changed(&self, name: &str) -> String {
        let what = |end: &Option<End>| end.as_ref().map(|end| end.what.clone()).unwrap_or_default();
        let (before, after) = (what(&self.old), what(&self.new));
        if before == after {
            format!("the field `{name}` is stored otherwise")
        } else {
            format!("the field `{name}` is {after} now, not {before}")
        }
    }
}

/// The side of a member, or of the record that holds it: the first `depth` fields of its path.
pub(crate) fn end_of(schema: &Schema, record: TypeId, member: &Member, depth: usize) -> End {
    let fields = &member.fields[..depth];
    let field = fields[depth - 1];
    let names = fields.iter().map(|field| field.name.as_str()).filter(|name| !name.is_empty());
    let path: Vec<&str> = names.collect();
    let mut what = type_text(schema, &field.ty);
    if let (Content::Slot { at, pointer, slot }, true) = (member.content, depth == member.fields.len()) {
        let kind = if pointer {
            "pointer ".to_owned()
        } else {
            format!("{} byte{} at ", slot.width, if slot.width == 1 { "" } else { "s" })
        };
        let at = if pointer { at / 8 } else { at };
        what = format!("{what}, {kind}{at}");
    }
    let name = format!("{}.{}", schema.type_def(record).name.full(), path.join("."));
    End { name: name.trim_end_matches('.').to_owned(), what, span: known(field.span) }
}

/// The side of a type.
pub(crate) fn end_of_type(schema: &Schema, id: TypeId, what: impl Into<String>) -> End {
    let definition = schema.type_def(id);
    End { name: definition.name.full(), what: what.into(), span: known(definition.span) }
}

/// A span that leads to a text. Locks hold none.
pub(crate) fn known(span: Span) -> Option<Span> {
    (span != Span::default()).then_some(span)
}
