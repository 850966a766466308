//! Constructions in the making.

use super::stage::Distance;
use crate::code::{quote, Expr};
use crate::encode::head_parts;
use crate::erl::{binary, bind, binop, call, list_before, tuple, Callee, Clause};
use crate::slots::{unsigned, SMALL};
use aldis_emit::names::Scope;
use aldis_plan::{ByteOrder, Run};

/// Longer text is not copied into iodata.
pub(super) const COPIED: u64 = 256;

/// Segments of a message that is one construction where its lists are short.
const WORTH: usize = 24;

/// A part of a construction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Segment {
    /// An integer within the range of its bytes: an expression that may be an operand.
    Number { value: Expr, bytes: u32, signed: bool },
    /// One or several.
    Other(Expr),
    /// The variable of a list's bytes.
    List(String),
}

/// The result of a construction where lists are in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Lists are binaries that go into it.
    Whole,
    /// Lists are iodata beside it. Those whose elements lie behind links are nothing else.
    Pieces,
    /// It adds to the binary in a variable, and so do the writers of lists.
    Growing,
}

/// A construction with what it takes: the pattern of the value, guards, statements.
#[derive(Clone, Debug)]
pub(super) struct Build {
    pub segments: Vec<Segment>,
    pub guards: Vec<Expr>,
    /// How long texts and lists are, and what sets and maps have in which order: found before anything is written, since a
    /// surprise ends it all.
    sizes: Vec<Expr>,
    /// The variables that are bound, and their values.
    statements: Vec<(Expr, Expr)>,
    pub scope: Scope<()>,
    /// Bytes of the record up to here.
    pub place: Distance,
    /// The first byte of the run that is not written yet.
    pub at: u32,
    /// Text and bytes of more bytes do not go into it.
    pub longest: u64,
    pub way: Way,
    /// The list that comes next has so many elements, each in variables of its own; those behind it have none.
    pub opened: Option<u32>,
    /// Its lists may have as many elements as they have.
    pub possible: bool,
    /// Floats that may be null are written by code that looks, as bits; otherwise they have to be floats.
    pub nulls: bool,
    /// There are floats that may be null.
    pub nullable: bool,
    /// The binary that grows.
    grown: String,
    order: ByteOrder,
}

impl Build {
    pub fn new(way: Way, order: ByteOrder) -> Self {
        let locals =
            ["Value", "Rest", "Acc", "At", "Table", "Blocks", "Block", "Item", "List", "FrameSize", "FrameLength"];
        Self {
            segments: Vec::new(),
            guards: Vec::new(),
            sizes: Vec::new(),
            statements: Vec::new(),
            scope: Scope::new(locals, ()),
            place: Distance::default(),
            at: 0,
            longest: u64::MAX,
            way,
            opened: None,
            possible: true,
            nulls: false,
            nullable: false,
            grown: "Acc".to_owned(),
            order,
        }
    }

    /// As [`Build::new`], for values among which floats may be null.
    pub fn with_nulls(mut self) -> Self {
        self.nulls = true;
        self
    }

    /// An unsigned integer.
    pub fn number(&mut self, value: impl Into<Expr>, bytes: u32) {
        self.segments.push(Segment::Number { value: value.into(), bytes, signed: false });
        self.at += bytes;
    }

    pub fn signed(&mut self, value: impl Into<Expr>, bytes: u32) {
        self.segments.push(Segment::Number { value: value.into(), bytes, signed: true });
        self.at += bytes;
    }

    pub fn other(&mut self, segment: impl Into<Expr>, bytes: u32) {
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
        self.segments.push(Segment::Other(quote(format!("{variable}/binary"))));
        self.counted(variable);
    }

    /// A binary of as many bytes as the variable `size` says.
    pub fn sized(&mut self, variable: &str, size: &str) {
        self.segments.push(Segment::Other(quote(format!("{variable}:{size}/binary"))));
        self.place.add(&Distance::of(0, Some(size)));
    }

    /// The variable of how many bytes there are in `variable`: a binary, of no more than `most` bytes.
    pub fn size_of(&mut self, variable: &str, most: u64) -> String {
        let size = self.size_variable(variable);
        self.sizes.push(bind(size.as_str(), format!("text_size({variable}, {most})")));
        size
    }

    fn size_variable(&mut self, variable: &str) -> String {
        self.scope.fresh(&format!("{}Size", variable.trim_end_matches('_')), ())
    }

    /// The head of text, bytes or a list.
    pub fn head(&mut self, head: &Run, count: &str) {
        for (value, bytes) in head_parts(head, count) {
            self.number(value, bytes);
        }
        self.place.add(&Distance::of(head.size.into(), None));
    }

    /// The head of a list of so many elements.
    pub fn counted_head(&mut self, head: &Run, count: u32) {
        let (least, most) = head.count_bounds().unwrap_or((0, u32::MAX.into()));
        self.possible &= (least..=most).contains(&count.into());
        self.head(head, &count.to_string());
    }

    /// The head of the list in `variable`; gives the variable of its count.
    pub fn list_head(&mut self, head: &Run, variable: &str) -> String {
        let (least, most) = head.count_bounds().unwrap_or((0, u32::MAX.into()));
        let size = self.size_variable(variable);
        self.sizes.push(bind(size.as_str(), format!("list_size({variable}, {most})")));
        self.guards.extend((least > 0).then(|| quote(format!("length({variable}) >= {least}"))));
        self.head(head, &size);
        size
    }

    /// The elements of sets and maps in the order in which they are written, as a list.
    pub fn items(&mut self, variable: &str, value: Expr) {
        self.sizes.push(bind(variable, value));
    }

    /// A list's bytes as one binary, which iodata shares.
    pub fn list(&mut self, variable: &str) {
        self.segments.push(Segment::List(variable.to_owned()));
        self.counted(variable);
    }

    /// Iodata that `value` makes, or what `value` adds to the binary that grows: `writer(List)`, `writer(List, Acc)`.
    pub fn list_by(&mut self, writer: Callee, list: &str) {
        if self.way == Way::Growing {
            let grown = self.scope.fresh("Acc", ());
            let value = call(writer, [quote(list), self.result()]);
            self.let_be(&grown, value);
            self.segments.clear();
            self.grown = grown;
            return;
        }
        self.end_piece();
        let bytes = self.scope.fresh(&format!("{list}Bytes"), ());
        self.let_be(&bytes, call(writer, [list]));
        self.segments.push(Segment::List(bytes));
    }

    /// Makes the piece that is not yet made: values that are in it need not be kept over the calls that follow.
    fn end_piece(&mut self) {
        let start =
            self.segments.iter().rposition(|segment| matches!(segment, Segment::List(_))).map_or(0, |last| last + 1);
        let own = self.segments.split_off(start);
        if !own.is_empty() {
            let piece = self.scope.fresh("Piece", ());
            self.let_be(&piece, binary(packed(&own, self.order)));
            self.segments.push(Segment::List(piece));
        }
    }

    /// Iodata whose end, or size where nothing is `before` it, is bound too.
    pub fn ending(&mut self, variable: &str, end: &str, value: Expr, before: Distance) {
        self.statements.push((tuple([quote(variable), quote(end)]), value));
        self.segments.push(Segment::List(variable.to_owned()));
        self.place = before;
        self.place.add(&Distance::of(0, Some(end)));
    }

    fn counted(&mut self, variable: &str) {
        self.place.add(&Distance::of(0, Some(&format!("byte_size({variable})"))));
    }

    pub fn let_be(&mut self, variable: &str, value: Expr) {
        self.statements.push((quote(variable), value));
    }

    /// A variable of where the construction is: the one that says so by now, or `wanted`.
    pub fn here(&mut self, wanted: &str) -> String {
        if let Some(variable) = self.place.variable() {
            return variable.to_owned();
        }
        let at = self.scope.fresh(wanted, ());
        self.let_be(&at, quote(self.place.to_string()));
        self.place = Distance::of(0, Some(&at));
        at
    }

    /// The variable `at`, which segments mention, is where the construction is.
    pub fn place_at(&mut self, at: &str) {
        if let Some(literal) = self.place.literal() {
            let number =
                |segment: &&mut Segment| matches!(segment, Segment::Number { value, .. } if *value == quote(at));
            if let Some(Segment::Number { value, .. }) = self.segments.iter_mut().find(number) {
                *value = quote(literal);
                return;
            }
        }
        self.let_be(at, quote(self.place.to_string()));
        self.place = Distance::of(0, Some(at));
    }

    pub fn has_lists(&self) -> bool {
        self.segments.iter().any(|segment| matches!(segment, Segment::List(_)))
    }

    /// The variable of how long the text or bytes in `variable` are: as their head can say, and no longer than what is
    /// copied.
    pub fn text_size(&mut self, head: &Run, variable: &str) -> String {
        let (least, most) = head.count_bounds().unwrap_or((0, u32::MAX.into()));
        self.guards.extend((least > 0).then(|| quote(format!("byte_size({variable}) >= {least}"))));
        self.size_of(variable, most.min(self.longest))
    }

    /// How many segments it takes.
    pub fn length(&self) -> usize {
        packed(&self.segments, self.order).len()
    }

    /// Whether it can be, and has no more segments than a clause of its own is worth.
    pub fn is_short(&self) -> bool {
        self.possible && self.length() <= WORTH
    }

    /// The construction, or the binary that grows with it.
    pub fn result(&self) -> Expr {
        let mut segments = packed(&self.segments, self.order);
        if self.way == Way::Growing {
            if segments.is_empty() {
                return quote(self.grown.as_str());
            }
            segments.insert(0, quote(format!("{}/binary", self.grown)));
        }
        binary(segments)
    }

    /// The construction as the elements of a list, lists' bytes apart.
    pub fn pieces(&self) -> Vec<Expr> {
        let mut pieces: Vec<Expr> = Vec::new();
        for part in self.segments.split_inclusive(|segment| matches!(segment, Segment::List(_))) {
            let (own, listed) = match part {
                [own @ .., Segment::List(variable)] => (own, Some(variable)),
                own => (own, None),
            };
            if !own.is_empty() {
                pieces.push(binary(packed(own, self.order)));
            }
            pieces.extend(listed.map(|variable| quote(variable.as_str())));
        }
        pieces
    }

    /// The construction and what follows it.
    pub fn followed_by(&self, rest: Expr) -> Expr {
        let mut pieces = self.pieces();
        let last = pieces.pop().unwrap_or_else(|| quote("<<>>"));
        pieces.push(last);
        list_before(pieces, rest)
    }

    /// The clause `f(Args…) -> Statements…, Result`.
    pub fn clause(&self, args: Vec<Expr>, result: Expr) -> Clause {
        let mut statements = self.statements.clone();
        // A value to which the last statement would only give a name.
        let result = match statements.pop_if(|(variable, _)| *variable == result) {
            Some((_, value)) => value,
            None => result,
        };
        let mut body = self.sizes.clone();
        body.extend(statements.into_iter().map(|(pattern, value)| bind(pattern, value)));
        body.push(result);
        Clause::new(args, body).when_all(self.guards.clone())
    }
}

/// Segments as they are printed, neighbouring numbers as one where that is a small integer: a segment costs more than the
/// sum.
fn packed(segments: &[Segment], order: ByteOrder) -> Vec<Expr> {
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
    matches!(segment, Segment::Number { value: Expr::Number(_), .. })
}

fn printed(segment: &Segment, order: ByteOrder) -> Expr {
    match segment {
        Segment::Number { value, bytes, .. } => unsigned(value.clone(), *bytes, order),
        Segment::Other(segment) => segment.clone(),
        Segment::List(variable) => quote(format!("{variable}/binary")),
    }
}

/// Numbers as one.
fn sum(numbers: &[Segment], order: ByteOrder) -> Expr {
    let width = |segment: &Segment| if let Segment::Number { bytes, .. } = segment { *bytes } else { 0 };
    let total: u32 = numbers.iter().map(width).sum();
    let (mut terms, mut before) = (Vec::new(), 0);
    for segment in numbers {
        let Segment::Number { value, bytes, signed } = segment else { continue };
        let shift = 8 * if order == ByteOrder::Little { before } else { total - before - bytes };
        before += bytes;
        if *value == quote("0") {
            continue;
        }
        let with = |left: Expr, operator, right: u64| binop(left, operator, quote(right.to_string()));
        let value = if *signed { with(value.clone(), "band", (1 << (8 * bytes)) - 1) } else { value.clone() };
        terms.push(if shift == 0 { value } else { with(value, "bsl", shift.into()) });
    }
    let all = terms.into_iter().reduce(|one, other| binop(one, "bor", other));
    unsigned(all.unwrap_or_else(|| quote("0")), total, order)
}
