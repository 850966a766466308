//! Every byte range of a message beside the field that it holds.

mod sink;

use crate::{Codec, Fault};
use aldis_diagnostics::Span;
use sink::ExplainSink;
use std::borrow::Cow;
use std::ops::Range;

/// What a message's bytes are, as far as they could be read.
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
    /// The value as JSON; for containers what they are.
    pub value: String,
    /// Where the schema declares it.
    pub span: Option<Span>,
    /// The byte that a pointer leads to.
    pub target: Option<usize>,
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
    /// Where the value that follows in the order of the schema is to be found.
    Pointer,
    /// A value that the schema names and nobody reads.
    Ignored,
    /// Bytes between and after fields that hold nothing.
    Padding,
    /// Bytes that were not reached because of the fault.
    Unread,
}

/// Explains the bytes of one message. Bytes after its end are not looked at.
pub fn explain(codec: &Codec, message: usize, bytes: &[u8]) -> Explanation {
    let sink = ExplainSink::new(codec);
    let (sink, result) = codec.walk(message, bytes, sink);
    let unpacked = match codec.unpacked(bytes) {
        Ok((Cow::Owned(words), _)) => Some(words),
        _ => None,
    };
    let (size, fault) = match (result, &unpacked) {
        (Ok(_), Some(words)) => (words.len(), None),
        (Ok(size), None) => (size, None),
        (Err(fault), _) => (unpacked.as_ref().map_or(bytes.len(), Vec::len), Some(fault)),
    };
    let (entries, runs) = sink.finish();
    let entries = with_gaps(entries, size, &Runs::new(runs, fault.is_some()));
    Explanation { entries, fault, size, unpacked }
}

/// Adds an entry for each range of bytes that no value and no register covers, before the first entry that lies
/// behind it.
fn with_gaps(entries: Vec<Entry>, size: usize, runs: &Runs) -> Vec<Entry> {
    let is_leaf = |entry: &Entry| !matches!(entry.kind, EntryKind::Record | EntryKind::List);
    let mut covered: Vec<Range<usize>> = entries.iter().filter(|e| is_leaf(e)).map(|e| e.range.clone()).collect();
    covered.push(size..size);
    covered.sort_by_key(|range| range.start);
    let mut gaps = Vec::new();
    let mut at = 0;
    for range in covered {
        if range.start > at {
            gaps.push(at..range.start);
        }
        at = at.max(range.end);
    }
    let mut gaps = gaps.into_iter().peekable();
    let mut all: Vec<Entry> = Vec::with_capacity(entries.len());
    for entry in entries {
        while let Some(gap) = gaps.next_if(|gap| is_leaf(&entry) && gap.end <= entry.range.start) {
            all.push(gap_entry(gap, runs, all.last().map_or(0, |e| e.depth)));
        }
        all.push(entry);
    }
    for gap in gaps {
        all.push(gap_entry(gap, runs, all.last().map_or(0, |e| e.depth)));
    }
    all
}

/// Where runs are, to tell padding from what was not reached.
struct Runs {
    /// By start; `furthest` beside each is the largest end so far.
    by_start: Vec<(Range<usize>, usize)>,
    broken: bool,
}

impl Runs {
    fn new(mut runs: Vec<Range<usize>>, broken: bool) -> Self {
        runs.sort_by_key(|run| run.start);
        let mut furthest = 0;
        let by_start = runs.into_iter().map(|run| {
            furthest = furthest.max(run.end);
            (run, furthest)
        });
        Self { by_start: by_start.collect(), broken }
    }

    /// What a gap is: in a message that was read to its end, and within a run of any, it holds nothing.
    fn kind(&self, gap: &Range<usize>) -> EntryKind {
        let before = self.by_start.partition_point(|(run, _)| run.start <= gap.start);
        let within = before > 0 && self.by_start[before - 1].1 >= gap.end;
        if within || !self.broken {
            EntryKind::Padding
        } else {
            EntryKind::Unread
        }
    }
}

fn gap_entry(range: Range<usize>, runs: &Runs, depth: usize) -> Entry {
    let kind = runs.kind(&range);
    let label = if kind == EntryKind::Padding { "padding" } else { "unread" }.to_owned();
    Entry { range, depth, path: String::new(), label, kind, value: String::new(), span: None, target: None }
}
