//! Routines that write, out of the data that generated packages have of them: steps in which all that is known beforehand is at hand.

use crate::objects::operands::{items, Operands};
use crate::objects::tables::{null_bits, scalar};
use aldis_plan::Scalar;
use aldis_routine::data::Datum;
use aldis_routine::{Arg, Place};
use aldis_schema::Type;

/// A scalar, its bytes, and the bits of its null.
#[derive(Debug)]
pub struct Cell {
    pub scalar: Scalar,
    pub width: usize,
    pub is_char: bool,
    pub null: Option<u64>,
}

/// The things that symbols are set to, each with its symbol.
pub type Moves = Vec<(usize, Arg)>;

/// An operation of `aldis_routine::Write`, or of control. Numbers of symbols come first, as in the data.
#[derive(Debug)]
pub enum Step {
    IsNull(usize, usize),
    OfRecord {
        value: usize,
        record: usize,
    },
    Get {
        to: usize,
        value: usize,
        record: usize,
        field: usize,
    },
    Octets {
        to: usize,
        value: usize,
        is_text: bool,
        is_latin1: bool,
    },
    Sorted {
        to: usize,
        value: usize,
        /// The number of its type.
        of: usize,
    },
    Count(usize, usize),
    Exactly {
        value: usize,
        count: u64,
    },
    Item {
        to: usize,
        value: usize,
        index: usize,
    },
    Pair {
        key: usize,
        to: usize,
        value: usize,
        index: usize,
    },
    SameAs {
        value: usize,
        literal: usize,
    },
    InRange {
        number: Arg,
        min: u64,
        max: u64,
    },
    Choice {
        tag: usize,
        arm: usize,
        value: usize,
        union: usize,
    },
    Element {
        to: usize,
        place: Place,
        index: usize,
        stride: u64,
    },
    Add {
        to: usize,
        place: Place,
        size: Arg,
    },
    Behind {
        to: usize,
        at: usize,
        count: Arg,
        each: u64,
    },
    Equal(usize, Arg, Arg),
    AtLeast(usize, Arg, Arg),
    Here(usize),
    Reserve {
        to: usize,
        times: Arg,
        each: Arg,
    },
    Append {
        value: usize,
    },
    Store {
        place: Place,
        width: usize,
        number: Arg,
    },
    Put {
        place: Place,
        cell: Cell,
        value: usize,
    },
    /// Gets a field, of a value, a record and a number, and puts it.
    PutField {
        to: usize,
        of: (usize, usize, usize),
        place: Place,
        cell: Cell,
    },
    /// Appends a text, or bytes, behind their number, whose place and the number itself symbols have.
    Counted {
        value: usize,
        is_text: bool,
        size: usize,
        at: usize,
        width: usize,
        max: u64,
    },
    PutChars {
        place: Place,
        width: u64,
        is_latin1: bool,
        value: usize,
    },
    Link {
        place: Place,
        base: usize,
    },
    Empty {
        from: usize,
        count: Arg,
    },
    Total(usize),
    Framed {
        to: usize,
        total: Arg,
        plus: i64,
        width: u32,
    },
    Readable,
    Words {
        to: usize,
        count: Arg,
        more: u64,
        bits: u64,
    },
    PointRecord {
        place: Place,
        target: usize,
        upper: u64,
    },
    PointList {
        place: Place,
        target: usize,
        code: u64,
        count: Arg,
        more: u64,
    },
    Tag {
        at: usize,
        count: Arg,
        upper: u64,
    },
    PutBytes {
        at: usize,
        value: usize,
    },
    PutBits {
        at: usize,
        count: Arg,
        value: usize,
    },
    Finish,
    /// An operation that this engine leaves to others.
    Odd,
    Move(Moves),
    If {
        test: usize,
        then: Vec<Step>,
        other: Vec<Step>,
    },
    Down,
    Up,
    Switch {
        on: Arg,
        arms: Vec<(u64, Vec<Step>)>,
        other: Vec<Step>,
    },
    Loop {
        count: Arg,
        index: usize,
        body: Vec<Step>,
        next: Moves,
    },
    Call {
        routine: usize,
        args: Vec<Arg>,
        binds: Vec<usize>,
    },
}

/// A routine: its parameters, how many symbols it has, and what it does and gives.
pub struct Routine {
    pub params: Vec<usize>,
    pub symbols: usize,
    pub body: Vec<Step>,
    pub gives: Vec<Arg>,
}

/// The routine that data say; `None` where it has something unknown.
pub fn routine(datum: &Datum) -> Option<Routine> {
    let mut of = Operands::of(datum)?;
    of.next()?;
    let (params, symbols) = (indices(&mut of)?, of.number()?);
    let mut body = Vec::new();
    let (_, gives) = block(of.next()?, &mut body)?;
    Some(Routine { params, symbols, body, gives })
}

fn index(of: &mut Operands<'_>) -> Option<usize> {
    of.number()
}

fn indices(of: &mut Operands<'_>) -> Option<Vec<usize>> {
    Some(of.syms()?.into_iter().map(|sym| sym.0 as usize).collect())
}

/// Appends the steps of a block; gives what it takes, and what it gives.
fn block(datum: &Datum, steps: &mut Vec<Step>) -> Option<(Vec<usize>, Vec<Arg>)> {
    let mut of = Operands::of(datum)?;
    let takes = indices(&mut of)?;
    items(of.next()?)?.iter().try_for_each(|op| step(op, steps))?;
    Some((takes, of.args()?))
}

/// The steps of a block, and then that what it gives is bound.
fn way(datum: &Datum, binds: &[usize], steps: &mut Vec<Step>) -> Option<()> {
    let (_, gives) = block(datum, steps)?;
    if !binds.is_empty() {
        steps.push(Step::Move(binds.iter().copied().zip(gives).collect()));
    }
    Some(())
}

fn step(datum: &Datum, steps: &mut Vec<Step>) -> Option<()> {
    let mut of = Operands::of(datum)?;
    let Datum::Text(name) = of.next()? else { return None };
    let name = name.as_str();
    if matches!(name, "if" | "within" | "level" | "switch" | "loop" | "call") {
        return control(name, &mut of, steps);
    }
    let step = asked(name, &mut of).or_else(|| counted(name, &mut Operands::of(datum)?));
    let step = step.or_else(|| stored(name, &mut Operands::of(datum)?))?;
    steps.push(step);
    joined(steps);
    Some(())
}

/// Makes the last steps one, where they often stand side by side.
fn joined(steps: &mut Vec<Step>) {
    let (kept, one) = match steps.as_slice() {
        [.., Step::Get { to, value, record, field }, Step::Put { value: put, .. }] if to == put => {
            let (to, of, kept) = (*to, (*value, *record, *field), steps.len() - 2);
            let Some(Step::Put { place, cell, .. }) = steps.pop() else { return };
            (kept, Step::PutField { to, of, place, cell })
        }
        [.., Step::Octets { to: size, value, is_text, is_latin1: false }, Step::Reserve { to, times: Arg::Const(1), each: Arg::Const(each) }, Step::InRange { number, min: 0, max }, Step::Store { place, width, number: stored }, Step::Append { value: own }]
            if [number, stored] == [&of(*size); 2]
                && of(*to) == Arg::Sym(place.base)
                && (place.plus, *each) == (0, *width as u64)
                && value == own =>
        {
            let (value, is_text) = (*value, *is_text);
            (steps.len() - 5, Step::Counted { value, is_text, size: *size, at: *to, width: *width, max: *max })
        }
        _ => return,
    };
    steps.truncate(kept);
    steps.push(one);
}

fn of(symbol: usize) -> Arg {
    Arg::Sym(aldis_routine::Sym(symbol as u32))
}

fn control(name: &str, of: &mut Operands<'_>, steps: &mut Vec<Step>) -> Option<()> {
    let binds = indices(of)?;
    match name {
        "if" => {
            let (test, mut then, mut other) = (index(of)?, Vec::new(), Vec::new());
            way(of.next()?, &binds, &mut then)?;
            way(of.next()?, &binds, &mut other)?;
            steps.push(Step::If { test, then, other });
        }
        // Faults have no path here.
        "within" => {
            of.next()?;
            way(of.next()?, &binds, steps)?;
        }
        "level" => {
            of.next()?;
            steps.push(Step::Down);
            way(of.next()?, &binds, steps)?;
            steps.push(Step::Up);
        }
        "switch" => {
            let on = of.arg()?;
            let arms = items(of.next()?)?.iter().map(|arm| {
                let (mut of, mut steps) = (Operands::of(arm)?, Vec::new());
                let tag = of.number()?;
                way(of.next()?, &binds, &mut steps)?;
                Some((tag, steps))
            });
            let (arms, mut other) = (arms.collect::<Option<_>>()?, Vec::new());
            way(of.next()?, &binds, &mut other)?;
            steps.push(Step::Switch { on, arms, other });
        }
        "call" => steps.push(Step::Call { routine: index(of)?, args: of.args()?, binds }),
        _ => {
            let (count, carry, mut body) = (of.arg()?, of.args()?, Vec::new());
            let (takes, gives) = block(of.next()?, &mut body)?;
            let (index, takes) = takes.split_first()?;
            steps.push(Step::Move(takes.iter().copied().zip(carry).collect()));
            steps.push(Step::Loop { count, index: *index, body, next: takes.iter().copied().zip(gives).collect() });
            let last = takes.iter().map(|sym| Arg::Sym(aldis_routine::Sym(*sym as u32)));
            steps.push(Step::Move(binds.into_iter().zip(last).collect()));
        }
    }
    Some(())
}

/// Operations that ask a value.
fn asked(name: &str, of: &mut Operands<'_>) -> Option<Step> {
    Some(match name {
        "is_null" => Step::IsNull(index(of)?, index(of)?),
        "of_record" => Step::OfRecord { value: index(of)?, record: index(of)? },
        "get" => Step::Get { to: index(of)?, value: index(of)?, record: index(of)?, field: index(of)? },
        "octets" => {
            let (to, value, text) = (index(of)?, index(of)?, of.text()?);
            Step::Octets { to, value, is_text: text.is_some(), is_latin1: text == Some(aldis_schema::Encoding::Latin1) }
        }
        "sorted" => Step::Sorted { to: index(of)?, value: index(of)?, of: index(of)? },
        "count" => Step::Count(index(of)?, index(of)?),
        "exactly" => Step::Exactly { value: index(of)?, count: of.number()? },
        "item" => Step::Item { to: index(of)?, value: index(of)?, index: index(of)? },
        "same_as" => Step::SameAs { value: index(of)?, literal: index(of)? },
        "in_range" => Step::InRange { number: of.arg()?, min: of.number()?, max: of.number()? },
        "choice" => {
            let [tag, arm] = *indices(of)?.as_slice() else { return None };
            Step::Choice { tag, arm, value: index(of)?, union: index(of)? }
        }
        "pair" => {
            let [key, to] = *indices(of)?.as_slice() else { return None };
            Step::Pair { key, to, value: index(of)?, index: index(of)? }
        }
        "wrong" | "plant" => Step::Odd,
        _ => return None,
    })
}

/// Operations that count. The first operand is the name.
fn counted(name: &str, of: &mut Operands<'_>) -> Option<Step> {
    of.next()?;
    Some(match name {
        "element" => {
            let (to, place) = (index(of)?, of.place()?);
            Step::Element { to, place, index: index(of)?, stride: of.number()? }
        }
        "add" => Step::Add { to: index(of)?, place: of.place()?, size: of.arg()? },
        "behind" => Step::Behind { to: index(of)?, at: index(of)?, count: of.arg()?, each: of.number()? },
        "equal" => Step::Equal(index(of)?, of.arg()?, of.arg()?),
        "at_least" => Step::AtLeast(index(of)?, of.arg()?, of.arg()?),
        "here" => Step::Here(index(of)?),
        "total" => Step::Total(index(of)?),
        "framed" => Step::Framed { to: index(of)?, total: of.arg()?, plus: of.number()?, width: of.number()? },
        "words" => Step::Words { to: index(of)?, count: of.arg()?, more: of.number()?, bits: of.number()? },
        "readable" => Step::Readable,
        "finish" => Step::Finish,
        _ => return None,
    })
}

fn cell(data: &Datum) -> Option<Cell> {
    let scalar = scalar(data)?;
    let (width, is_char) = (scalar.repr.width() as usize, scalar.ty == Type::Char);
    Some(Cell { scalar, width, is_char, null: null_bits(data)? })
}

/// Operations on what is written. The first operand is the name.
fn stored(name: &str, of: &mut Operands<'_>) -> Option<Step> {
    of.next()?;
    Some(match name {
        "reserve" => Step::Reserve { to: index(of)?, times: of.arg()?, each: of.arg()? },
        "append" => Step::Append { value: index(of)? },
        "store" => Step::Store { place: of.place()?, width: index(of)?, number: of.arg()? },
        "put" => {
            let (place, data) = (of.place()?, of.next()?);
            Step::Put { place, cell: cell(data)?, value: index(of)? }
        }
        "put_chars" => {
            let (place, width, text) = (of.place()?, of.number()?, of.text()??);
            Step::PutChars { place, width, is_latin1: text == aldis_schema::Encoding::Latin1, value: index(of)? }
        }
        "link" => Step::Link { place: of.place()?, base: index(of)? },
        "empty" => Step::Empty { from: index(of)?, count: of.arg()? },
        "point" => {
            let (place, target) = (of.place()?, index(of)?);
            let object = of.next()?;
            let (count, mut of) = (items(object)?.len(), Operands::of(object)?);
            let first = of.number::<u64>()?;
            match count {
                2 => Step::PointRecord { place, target, upper: first | of.number::<u64>()? << 16 },
                _ => Step::PointList { place, target, code: first, count: of.arg()?, more: of.number()? },
            }
        }
        "tag" => {
            let (at, count) = (index(of)?, of.arg()?);
            Step::Tag { at, count, upper: of.number::<u64>()? | of.number::<u64>()? << 16 }
        }
        "put_bytes" => Step::PutBytes { at: index(of)?, value: index(of)? },
        "put_bits" => Step::PutBits { at: index(of)?, count: of.arg()?, value: index(of)? },
        _ => return None,
    })
}
