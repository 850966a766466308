//! Every byte range of a message beside the field that it holds.

mod coverage;
mod sink;

use crate::{Codec, Fault};
use aldis_diagnostics::Span;
use coverage::Coverage;
use sink::{ExplainSink, Out};
use std::borrow::Cow;
use std::iter::Peekable;
use std::ops::Range;

/// The meaning of a message's bytes, as far as they could be read.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// In the order of the schema; a container comes before what it contains.
    pub entries: Vec<Entry>,
    /// Why reading stopped, where it did.
    pub fault: Option<Fault>,
    /// How many bytes the message takes; what was given where reading stopped.
    pub size: usize,
    /// The bytes that all of this is about, where they are not those that were given but what they unpack to.
    pub unpacked: Option<Vec<u8>>,
}

/// A range of bytes and its meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// In the message; empty for what takes no bytes.
    pub range: Range<usize>,
    /// How many records and lists it is within.
    pub depth: usize,
    /// `orders[2].price`; that of the enclosing record for registers and padding.
    pub path: String,
    /// The field's name, the element's index in brackets, or the register's name.
    pub label: String,
    pub kind: EntryKind,
    /// The value as JSON, cut where it is long ([`Entry::LONGEST`]); for containers what they are.
    pub value: String,
    /// The place of its declaration in the schema.
    pub span: Option<Span>,
    /// The byte that a pointer leads to.
    pub target: Option<usize>,
}

impl Entry {
    /// So many bytes of a value are told, and how many more there are.
    pub const LONGEST: usize = 2048;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A record; its range is from its first to its last byte in place.
    Record,
    /// A list, array, set or map.
    List,
    /// A value.
    Field,
    /// A field without bytes: constant, or ended before by an older or shorter message.
    Absent,
    /// A number about the message.
    Register,
    /// The number that tells which arm of a union is active.
    Choice,
    /// The pointer or link to the value that follows in the order of the schema.
    Pointer,
    /// A part of the header value, which is beside the message.
    Header,
    /// A value that the schema names and nobody reads.
    Ignored,
    /// Bytes between and after fields that hold nothing.
    Padding,
    /// Bytes that were not reached because of the fault.
    Unread,
}

/// Explains the bytes of one message. Bytes after its end are not looked at.
pub fn explain(codec: &Codec, message: usize, bytes: &[u8]) -> Explanation {
    let explainer = Explainer::new(codec, message, bytes);
    let mut entries = Vec::new();
    explainer.each(usize::MAX, &mut |entry| entries.push(entry));
    let Explainer { fault, size, .. } = explainer;
    let unpacked = match codec.unpacked(bytes) {
        Ok((Cow::Owned(words), _)) => Some(words),
        _ => None,
    };
    Explanation { entries, fault, size, unpacked }
}

/// An explanation whose entries are told one after another, so that hostile bytes, which may have very many, take no
/// more memory than a few bytes for each of theirs.
#[derive(Debug)]
pub struct Explainer<'a> {
    codec: &'a Codec,
    message: usize,
    bytes: &'a [u8],
    /// Why reading stopped, where it did.
    pub fault: Option<Fault>,
    /// How many bytes the message takes; what was given, or what that unpacks to, where reading stopped.
    pub size: usize,
    /// How many entries there are.
    pub count: usize,
    /// How many of them, at the end, are [`EntryKind::Unread`].
    pub unread: usize,
    survey: Survey,
}

impl<'a> Explainer<'a> {
    /// Reads the message once, to know where its containers end and which bytes mean nothing.
    pub fn new(codec: &'a Codec, message: usize, bytes: &'a [u8]) -> Self {
        let length = match codec.unpacked(bytes) {
            Ok((words, _)) => words.len(),
            Err(_) => bytes.len(),
        };
        let packed = codec.is_packed();
        let (sink, result) = codec.walk(message, bytes, ExplainSink::new(codec, Surveying(Survey::new(length))));
        let survey = sink.out.0;
        let (size, fault) = match result {
            Ok(size) => (if packed { length } else { size }, None),
            Err(fault) => (length, Some(fault)),
        };
        let mut explainer = Self { codec, message, bytes, fault, size, count: 0, unread: 0, survey };
        let broken = explainer.fault.is_some();
        for gap in explainer.survey.coverage.gaps(size) {
            let behind = gap.end > explainer.survey.last_leaf;
            let unread = behind && explainer.survey.coverage.kind(&gap, broken) == EntryKind::Unread;
            explainer.unread = if unread { explainer.unread + 1 } else { 0 };
            explainer.count += 1;
        }
        explainer.count += explainer.survey.entries;
        explainer
    }

    /// The first `most` entries.
    pub fn each(&self, most: usize, visit: &mut dyn FnMut(Entry)) {
        let gaps: Box<dyn Iterator<Item = Range<usize>> + '_> = Box::new(self.survey.coverage.gaps(self.size));
        let telling = Telling { explainer: self, gaps: gaps.peekable(), depth: 0, containers: 0, left: most, visit };
        let mut telling = self.codec.walk(self.message, self.bytes, ExplainSink::new(self.codec, telling)).0.out;
        while let Some(gap) = telling.gaps.next() {
            telling.gap(gap);
        }
    }
}

/// The result of a first reading.
#[derive(Debug)]
struct Survey {
    coverage: Coverage,
    /// The end of each container, in the order of their begins.
    ends: Vec<usize>,
    /// All but the gaps.
    entries: usize,
    /// The largest start of an entry without parts: gaps that end behind it come last.
    last_leaf: usize,
}

impl Survey {
    fn new(length: usize) -> Self {
        Self { coverage: Coverage::new(length), ends: Vec::new(), entries: 0, last_leaf: 0 }
    }
}

/// The first reading, which makes no entries.
struct Surveying(Survey);

impl Out for Surveying {
    fn wants(&self) -> bool {
        false
    }

    fn entry(&mut self, range: &Range<usize>, is_leaf: bool, _make: &mut dyn FnMut() -> Entry) {
        self.0.entries += 1;
        if is_leaf {
            self.0.coverage.leaf(range);
            self.0.last_leaf = self.0.last_leaf.max(range.start);
        } else {
            self.0.ends.push(range.end);
        }
    }

    fn containers(&self) -> usize {
        self.0.ends.len()
    }

    fn end(&mut self, container: usize, end: usize) {
        self.0.ends[container] = end;
    }

    fn run(&mut self, bytes: Range<usize>) {
        self.0.coverage.run(&bytes);
    }
}

/// The second reading, which tells the entries, each gap before the first entry without parts that lies behind it.
struct Telling<'e, 'v> {
    explainer: &'e Explainer<'e>,
    gaps: Peekable<Box<dyn Iterator<Item = Range<usize>> + 'e>>,
    /// The depth of the entry that was told last.
    depth: usize,
    containers: usize,
    /// How many entries may still be told.
    left: usize,
    visit: &'v mut dyn FnMut(Entry),
}

impl Telling<'_, '_> {
    fn tell(&mut self, make: &mut dyn FnMut() -> Entry) {
        if self.left > 0 {
            self.left -= 1;
            (self.visit)(make());
        }
    }

    fn gap(&mut self, range: Range<usize>) {
        let kind = self.explainer.survey.coverage.kind(&range, self.explainer.fault.is_some());
        let depth = self.depth;
        self.tell(&mut || {
            let label = if kind == EntryKind::Padding { "padding" } else { "unread" }.to_owned();
            let range = range.clone();
            Entry { range, depth, path: String::new(), label, kind, value: String::new(), span: None, target: None }
        });
    }
}

impl Out for Telling<'_, '_> {
    fn wants(&self) -> bool {
        self.left > 0
    }

    fn entry(&mut self, range: &Range<usize>, is_leaf: bool, make: &mut dyn FnMut() -> Entry) {
        if self.left == 0 {
            return;
        }
        while let Some(gap) = self.gaps.next_if(|gap| is_leaf && gap.end <= range.start) {
            self.gap(gap);
        }
        let end = if is_leaf { range.end } else { self.explainer.survey.ends[self.containers] };
        self.containers += usize::from(!is_leaf);
        let mut depth = 0;
        self.tell(&mut || {
            let mut entry = make();
            entry.range.end = end;
            depth = entry.depth;
            entry
        });
        self.depth = depth;
    }

    fn containers(&self) -> usize {
        self.containers
    }

    fn end(&mut self, _container: usize, _end: usize) {}

    fn run(&mut self, _bytes: Range<usize>) {}
}
