//! Constructions in the making.

use super::stage::Distance;
use crate::encode::{bounds, head_parts};
use crate::erl::{binary, bind, list, texts, tuple, Clause};
use crate::slots::unsigned;
use aldis_emit::doc::{concat, text, Doc};
use aldis_emit::names::Scope;
use aldis_plan::{ByteOrder, Run};

/// Longer text is not copied into iodata.
pub(super) const COPIED: u64 = 256;

/// Integers of so many bytes are small ones for the VM, whatever their sign: sums of them take no memory.
const SMALL: u32 = 7;

/// Numbers of up to so many segments go into the construction of the list that follows them.
const LED: usize = 3;

/// A part of a construction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Segment {
    /// An integer within the range of its bytes: an expression that may be an operand.
    Number { value: String, bytes: u32, signed: bool },
    /// As it is printed.
    Other(String),
    /// The variable of a list's bytes.
    List(String),
}

/// The longest text and bytes that go into a construction.
#[derive(Clone, Copy, Debug)]
pub(super) enum Longest {
    /// As long as their heads can say.
    Any,
    /// So many bytes.
    Bytes(u64),
    /// What a variable says, which the function is called with.
    Told(&'static str),
}

/// A construction with what it takes: the pattern of the value, guards, statements.
#[derive(Clone, Debug)]
pub(super) struct Build {
    pub segments: Vec<Segment>,
    pub guards: Vec<String>,
    statements: Vec<Doc>,
    pub scope: Scope<()>,
    /// Bytes of the record up to here.
    pub place: Distance,
    /// The first byte of the run that is not written yet.
    pub at: u32,
    pub longest: Longest,
    /// The longest that text and bytes may be at all.
    pub most: u64,
    /// How long the bytes are is said before them: each list's count, so none takes what comes before it with it.
    pub sized: bool,
    order: ByteOrder,
}

impl Build {
    pub fn new(order: ByteOrder) -> Self {
        let locals = ["Value", "Rest", "Acc", "At", "Table", "Blocks", "Block", "Item", "List", "FrameSize", "Copied"];
        Self {
            segments: Vec::new(),
            guards: Vec::new(),
            statements: Vec::new(),
            scope: Scope::new(locals, ()),
            place: Distance::default(),
            at: 0,
            longest: Longest::Any,
            most: 0,
            sized: false,
            order,
        }
    }

    /// An unsigned integer.
    pub fn number(&mut self, value: impl Into<String>, bytes: u32) {
        self.segments.push(Segment::Number { value: value.into(), bytes, signed: false });
        self.at += bytes;
    }

    pub fn signed(&mut self, value: impl Into<String>, bytes: u32) {
        self.segments.push(Segment::Number { value: value.into(), bytes, signed: true });
        self.at += bytes;
    }

    pub fn other(&mut self, segment: impl Into<String>, bytes: u32) {
        self.segments.push(Segment::Other(segment.into()));
        self.at += bytes;
    }

    /// Zeros up to a place in the run.
    pub fn gap_to(&mut self, at: u32) {
        if at > self.at {
            self.other(format!("0:{}", (at - self.at) * 8), at - self.at);
        }
    }

    /// A binary of any length.
    pub fn bytes(&mut self, variable: &str) {
        self.segments.push(Segment::Other(format!("{variable}/binary")));
        self.counted(variable);
    }

    /// The head of text, bytes or a list.
    pub fn head(&mut self, head: &Run, count: &str) {
        for (value, bytes) in head_parts(head, count) {
            self.number(value, bytes);
        }
        self.place.add(&Distance::of(head.size.into(), None));
    }

    /// What a list is written as: iodata.
    pub fn list_of(&mut self, variable: &str, value: Doc) {
        self.let_be(variable, value);
        self.segments.push(Segment::List(variable.to_owned()));
        self.place.add(&Distance::of(0, Some(&format!("iolist_size({variable})"))));
    }

    /// A list's bytes as one binary, which iodata shares.
    pub fn list(&mut self, variable: &str) {
        self.segments.push(Segment::List(variable.to_owned()));
        self.counted(variable);
    }

    /// Iodata whose end, or size where nothing is `before` it, is bound too.
    pub fn ending(&mut self, variable: &str, end: &str, value: Doc, before: Distance) {
        self.statements.push(bind(tuple([text(variable), text(end)]), value));
        self.segments.push(Segment::List(variable.to_owned()));
        self.place = before;
        self.place.add(&Distance::of(0, Some(end)));
    }

    fn counted(&mut self, variable: &str) {
        self.place.add(&Distance::of(0, Some(&format!("byte_size({variable})"))));
    }

    pub fn let_be(&mut self, variable: &str, value: Doc) {
        self.statements.push(bind(text(variable), value));
    }

    /// A variable of where the construction is: the one that says so by now, or `wanted`.
    pub fn here(&mut self, wanted: &str) -> String {
        if let Some(variable) = self.place.variable() {
            return variable.to_owned();
        }
        let at = self.scope.fresh(wanted, ());
        self.let_be(&at, text(self.place.to_string()));
        self.place = Distance::of(0, Some(&at));
        at
    }

    /// The variable `at`, which segments mention, is where the construction is.
    pub fn place_at(&mut self, at: &str) {
        if let Some(literal) = self.place.literal() {
            let number = |segment: &&mut Segment| matches!(segment, Segment::Number { value, .. } if value == at);
            if let Some(Segment::Number { value, .. }) = self.segments.iter_mut().find(number) {
                *value = literal;
                return;
            }
        }
        self.let_be(at, text(self.place.to_string()));
        self.place = Distance::of(0, Some(at));
    }

    pub fn statement(&mut self, statement: Doc) {
        self.statements.push(statement);
    }

    /// The numbers since the last list, no longer part of this construction, where they are few and nothing else is there.
    pub fn take_lead(&mut self) -> Vec<Segment> {
        if self.sized {
            return Vec::new();
        }
        let last = self.segments.iter().rposition(|segment| matches!(segment, Segment::List(_)));
        let start = last.map_or(0, |last| last + 1);
        let lead = &self.segments[start..];
        let numbers = lead.iter().all(|segment| matches!(segment, Segment::Number { .. }));
        if numbers && packed(lead, self.order).len() <= LED {
            self.segments.split_off(start)
        } else {
            Vec::new()
        }
    }

    pub fn has_lists(&self) -> bool {
        self.segments.iter().any(|segment| matches!(segment, Segment::List(_)))
    }

    /// Text or bytes in `variable` must have a length that their head can say, and be no longer than what is copied.
    pub fn text_bounds(&mut self, head: &Run, variable: &str) {
        let count = format!("byte_size({variable})");
        let (_, most) = bounds(head);
        self.most = self.most.max(most);
        let limit = if let Longest::Bytes(limit) = self.longest { limit } else { u64::MAX };
        self.guards.extend(within_bounds(head, &count, limit));
        if let (Longest::Told(variable), true) = (self.longest, most > COPIED) {
            self.guards.push(format!("{count} =< {variable}"));
        }
    }

    /// How many segments it takes.
    pub fn length(&self) -> usize {
        packed(&self.segments, self.order).len()
    }

    pub fn construction(&self) -> Doc {
        binary(texts(&packed(&self.segments, self.order)))
    }

    /// The construction as the elements of a list, lists' bytes apart.
    pub fn pieces(&self) -> Vec<Doc> {
        let mut pieces: Vec<Doc> = Vec::new();
        for part in self.segments.split_inclusive(|segment| matches!(segment, Segment::List(_))) {
            let (own, listed) = match part {
                [own @ .., Segment::List(variable)] => (own, Some(variable)),
                own => (own, None),
            };
            if !own.is_empty() {
                pieces.push(binary(texts(&packed(own, self.order))));
            }
            pieces.extend(listed.map(|variable| text(variable.as_str())));
        }
        pieces
    }

    /// The construction and what follows it.
    pub fn followed_by(&self, rest: Doc) -> Doc {
        let mut pieces = self.pieces();
        let last = pieces.pop().unwrap_or_else(|| binary([]));
        pieces.push(concat([last, text(" | "), rest]));
        list(pieces)
    }

    /// The clause `f(Args…) -> Statements…, Result`.
    pub fn clause(&self, args: Vec<Doc>, result: Doc) -> Clause {
        let mut body = self.statements.clone();
        body.push(result);
        Clause { args, guards: self.guards.clone(), body }
    }
}

/// What must hold of a count for writers to put it into a head, and to be no more than `limit`.
pub(super) fn within_bounds(head: &Run, count: &str, limit: u64) -> Vec<String> {
    let (least, most) = bounds(head);
    let mut out = vec![format!("{count} =< {}", most.min(limit))];
    out.extend((least > 0).then(|| format!("{count} >= {least}")));
    out
}

/// Segments as they are printed, neighbouring numbers as one where that is a small integer: a segment costs more than the
/// sum.
fn packed(segments: &[Segment], order: ByteOrder) -> Vec<String> {
    let mut out = Vec::new();
    let mut left = segments;
    while let Some((first, rest)) = left.split_first() {
        let together = small(left);
        if together < 2 {
            out.push(printed(first, order));
            left = rest;
        } else {
            out.push(sum(&left[..together], order));
            left = &left[together..];
        }
    }
    out
}

/// How many numbers from the first on are a small integer together; literals only between others, since the compiler joins
/// them where they stand apart.
fn small(segments: &[Segment]) -> usize {
    if segments.first().is_none_or(is_literal) {
        return 0;
    }
    let mut width = 0;
    let fits = |segment: &&Segment| {
        let Segment::Number { bytes, .. } = segment else { return false };
        width += bytes;
        width <= SMALL
    };
    let fitting = segments.iter().take_while(fits).count();
    segments[..fitting].iter().rposition(|segment| !is_literal(segment)).map_or(0, |last| last + 1)
}

fn is_literal(segment: &Segment) -> bool {
    matches!(segment, Segment::Number { value, .. } if value.parse::<u64>().is_ok())
}

fn printed(segment: &Segment, order: ByteOrder) -> String {
    match segment {
        Segment::Number { value, bytes, .. } => unsigned(value, *bytes, order),
        Segment::Other(text) => text.clone(),
        Segment::List(variable) => format!("{variable}/binary"),
    }
}

/// Numbers as one.
fn sum(numbers: &[Segment], order: ByteOrder) -> String {
    let width = |segment: &Segment| if let Segment::Number { bytes, .. } = segment { *bytes } else { 0 };
    let total: u32 = numbers.iter().map(width).sum();
    let (mut terms, mut before) = (Vec::new(), 0);
    for segment in numbers {
        let Segment::Number { value, bytes, signed } = segment else { continue };
        let shift = 8 * if order == ByteOrder::Little { before } else { total - before - bytes };
        before += bytes;
        if value == "0" {
            continue;
        }
        let value = if *signed { format!("({value} band {})", (1u64 << (8 * bytes)) - 1) } else { value.clone() };
        terms.push(if shift == 0 { value } else { format!("({value} bsl {shift})") });
    }
    unsigned(&format!("({})", terms.join(" bor ")), total, order)
}
