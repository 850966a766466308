//! A function in the making: its lines, its variables, and the stretches of bytes that one `struct` call reads.

pub(super) use super::out::Pos;
use super::out::{anything, Out, Region};
use super::{Fast, DEPTH};
use crate::names::identifier;
use crate::py::{apply, binary, def, index, int, name, plus, row, slice, target, Expr, Stmt, Target};
use aldis_emit::names::Scope;
use aldis_routine::{RoutineId, Sym};
use std::collections::HashSet;

/// The expression, or the parts, that stand for a symbol.
#[derive(Clone, Debug, Default)]
pub(super) enum Val {
    #[default]
    Nothing,
    Pos(Pos),
    Is(Expr),
    /// A number that is known.
    Known(u64),
    /// A pointer: where it is, and its two halves.
    Aim {
        at: Pos,
        lower: String,
        upper: String,
    },
    /// Bytes that are written.
    Region(Region),
}

/// Bytes behind a variable that are read at once.
#[derive(Debug)]
pub(super) struct Stretch {
    base: String,
    /// The line that reads them.
    line: usize,
    slots: Vec<Slot>,
}

#[derive(Clone, Debug)]
struct Slot {
    at: i64,
    width: u32,
    code: String,
    name: String,
}

/// Whether there is room for a slot in a stretch.
enum Room {
    None,
    Free,
    /// It is there under that name.
    Same(String),
}

impl Stretch {
    /// Blocks within blocks may only ask for what is read in any case.
    fn room(&self, at: i64, code: &str, width: u32, may_grow: bool) -> Room {
        if let Some(same) = self.slots.iter().find(|slot| slot.at == at && slot.code == code) {
            return Room::Same(same.name.clone());
        }
        let end = |slot: &Slot| slot.at + i64::from(slot.width);
        let to = at + i64::from(width);
        let is_free = self.slots.iter().all(|slot| end(slot) <= at || slot.at >= to);
        let is_within = self.slots.iter().any(|slot| slot.at <= at) && self.slots.iter().any(|slot| end(slot) >= to);
        match is_free && (may_grow || is_within) {
            true => Room::Free,
            false => Room::None,
        }
    }
}

/// Lines of a block, and the stretches that are read in it.
#[derive(Debug, Default)]
pub(super) struct Lines {
    pub lines: Vec<Stmt>,
    stretches: Vec<Stretch>,
    /// Values of which a variable holds each, and tests that were made.
    known: Vec<(Expr, String)>,
}

pub(super) struct Body<'f, 'a> {
    pub fast: &'f mut Fast<'a>,
    locals: Scope<()>,
    open: Vec<Lines>,
    /// Variables with places that lines mention.
    mentioned: HashSet<String>,
    /// The end of the last value, in forms with links.
    pub tail: Option<Pos>,
    /// The end of the message's bytes, where they say it; and whether it is known to be where reading ended.
    pub bound: Option<Expr>,
    /// The variable that says how many levels are left, where records nest without end.
    pub depth: Option<String>,
    pub level: u32,
    /// What is read of a message in segments is charged.
    pub is_priced: bool,
    /// It has no fast function.
    pub is_odd: bool,
    pub out: Out,
}

impl<'f, 'a> Body<'f, 'a> {
    pub fn new(fast: &'f mut Fast<'a>) -> Self {
        let locals = Scope::within(&fast.taken);
        Self {
            fast,
            locals,
            open: vec![Lines::default()],
            mentioned: HashSet::new(),
            tail: None,
            bound: None,
            depth: None,
            level: 0,
            is_priced: false,
            is_odd: false,
            out: Out::default(),
        }
    }

    /// Ends the function, and gives whether it was printed.
    pub fn close(mut self, id: RoutineId, params: Vec<String>, gives: &str) -> bool {
        let (body, _) = self.finish(None);
        let is_there = !self.is_odd;
        if is_there {
            let params = params.into_iter().map(|param| format!("{param}: Any")).collect();
            let own = self.fast.names[id.0 as usize].clone();
            self.fast.functions.push(def(own, params, gives, body));
        }
        self.fast.printed.insert(id, is_there);
        is_there
    }

    /// Adds the parameter for the levels that are left: fewer than are needed are odd.
    pub fn take_depth(&mut self, params: &mut Vec<String>, needed: u32) {
        let depth = self.fresh("depth");
        params.push(depth.clone());
        self.odd_if(binary(name(depth.as_str()), "<", int(needed)));
        self.depth = Some(depth);
    }

    /// The argument for such a parameter of a routine, where it has one.
    pub fn depth_given(&self, id: RoutineId) -> Option<Expr> {
        self.fast.levels[id.0 as usize].is_none().then(|| self.depth_left())
    }

    /// The number of levels that are left.
    pub fn depth_left(&self) -> Expr {
        match &self.depth {
            Some(depth) => plus(name(depth.as_str()), -i64::from(self.level)),
            None => int(i64::from(DEPTH) - i64::from(self.level)),
        }
    }

    /// The expression for a value that no fast function has.
    pub fn odd(&mut self) -> Expr {
        self.is_odd = true;
        name("None")
    }

    /// Whether the function writes.
    pub fn is_writing(&self) -> bool {
        !self.out.pieces.is_empty()
    }

    /// A new variable.
    pub fn fresh(&mut self, wanted: &str) -> String {
        let clean = identifier(wanted);
        let clean = clean.trim_start_matches('_');
        let clean = if clean.is_empty() || clean.starts_with(|c: char| c.is_ascii_digit()) { "x" } else { clean };
        // Types have names of their own.
        self.locals.fresh(clean, ())
    }

    /// A new variable for a symbol.
    pub fn named(&mut self, id: RoutineId, sym: Sym) -> String {
        let module = self.fast.module;
        self.fresh(module.hint(&module[id], sym))
    }

    /// A variable with a value that does not change, and may be asked for again; of any type where it is open.
    pub fn once(&mut self, wanted: &str, value: Expr, is_open: bool) -> String {
        let known = self.known_values().find(|(known, _)| *known == value);
        if let Some((_, own)) = known {
            return own.clone();
        }
        let own = self.fresh(wanted);
        self.push(match is_open {
            true => anything(&own, Some(value.clone())),
            false => Stmt::Bind(target(own.as_str()), value.clone()),
        });
        self.learn(value, own.clone());
        own
    }

    /// Whether a test was not made by now.
    pub fn is_new(&mut self, test: &Expr) -> bool {
        let is_new = self.known_values().all(|(known, _)| known != test);
        if is_new {
            self.learn(test.clone(), String::new());
        }
        is_new
    }

    fn known_values(&self) -> impl Iterator<Item = &(Expr, String)> {
        self.open.iter().flat_map(|open| &open.known)
    }

    fn learn(&mut self, value: Expr, own: String) {
        if let Some(open) = self.open.last_mut() {
            open.known.push((value, own));
        }
    }

    pub fn push(&mut self, line: Stmt) {
        if let Some(open) = self.open.last_mut() {
            open.lines.push(line);
        }
    }

    /// A variable with a value.
    pub fn set(&mut self, own: &str, value: Expr) {
        self.push(Stmt::Bind(target(own), value));
    }

    pub fn keep(&mut self, wanted: &str, value: Expr) -> String {
        let own = self.fresh(wanted);
        self.set(&own, value);
        own
    }

    /// A message for which the test holds is odd. Tests that follow one another are one.
    pub fn odd_if(&mut self, test: Expr) {
        let odd = || vec![Stmt::Raise("Odd")];
        self.fast.helper("Odd");
        if let Some(Stmt::If(before, then, other)) = self.open.last_mut().and_then(|open| open.lines.last_mut()) {
            if *then == odd() && other.is_empty() {
                let all = std::mem::replace(before, name("False"));
                *before = binary(all, "or", test);
                return;
            }
        }
        self.push(Stmt::If(test, odd(), Vec::new()));
    }

    pub fn begin(&mut self) {
        self.open.push(Lines::default());
    }

    /// Closes a block: its lines, with a `struct` call for each stretch but one of `apart`, which is given too.
    pub fn finish(&mut self, apart: Option<&str>) -> (Vec<Stmt>, Option<Stretch>) {
        let Lines { mut lines, stretches, .. } = self.open.pop().unwrap_or_default();
        let mut first: Option<Stretch> = None;
        for stretch in stretches {
            if apart == Some(stretch.base.as_str()) && first.is_none() {
                first = Some(stretch);
            } else {
                lines[stretch.line] = self.unpack(&stretch);
            }
        }
        first.iter().for_each(|stretch| drop(lines.remove(stretch.line)));
        (lines, first)
    }

    /// A block that is not yet closed, and goes on later.
    pub fn open_lines(&mut self) -> Lines {
        self.open.pop().unwrap_or_default()
    }

    pub fn reopen(&mut self, lines: Lines) {
        self.open.push(lines);
    }

    /// Whether the block reads that many stretches behind a variable, all within so many bytes.
    pub fn reads_once(&self, base: &str, size: i64) -> bool {
        let Some(open) = self.open.last() else { return false };
        let own: Vec<&Stretch> = open.stretches.iter().filter(|stretch| stretch.base == base).collect();
        let fits = |slot: &Slot| slot.at >= 0 && slot.at + i64::from(slot.width) <= size;
        matches!(own.as_slice(), [one] if one.slots.iter().all(fits))
    }

    pub fn is_mentioned(&self, base: &str) -> bool {
        self.mentioned.contains(base)
    }

    /// The lines of the innermost block so far.
    pub fn has_stretch(&self) -> bool {
        self.open.last().is_some_and(|open| !open.stretches.is_empty())
    }

    /// The variable with what lies at a place, as `struct` says it.
    pub fn slot(&mut self, at: &Pos, code: &str, width: u32, wanted: &str) -> String {
        let own_block = self.open.len() - 1;
        let found = (0..=own_block).rev().find_map(|block| {
            let stretches = self.open[block].stretches.iter().enumerate();
            let own = stretches.filter(|(_, stretch)| stretch.base == at.base);
            own.rev().find_map(|(index, stretch)| match stretch.room(at.plus, code, width, block == own_block) {
                Room::Same(name) => Some(Err(name)),
                Room::Free => Some(Ok((block, index))),
                Room::None => None,
            })
        });
        if let Some(Err(known)) = found {
            return known;
        }
        let own = self.fresh(wanted);
        let slot = Slot { at: at.plus, width, code: code.to_owned(), name: own.clone() };
        match found {
            Some(Ok((block, index))) => self.open[block].stretches[index].slots.push(slot),
            _ => {
                let open = &mut self.open[own_block];
                open.stretches.push(Stretch { base: at.base.clone(), line: open.lines.len(), slots: vec![slot] });
                open.lines.push(Stmt::Raise("Odd"));
            }
        }
        own
    }

    pub fn place(&mut self, at: &Pos) -> Expr {
        if at.base.is_empty() {
            return int(at.plus);
        }
        self.mentioned.insert(at.base.clone());
        plus(name(at.base.as_str()), at.plus)
    }

    fn unpack(&mut self, stretch: &Stretch) -> Stmt {
        let (names, codes, first) = layout(stretch, None);
        let at = self.place(&Pos { base: stretch.base.clone(), plus: first });
        if codes == "B" {
            return Stmt::Bind(Target { names, is_row: false }, index(name("d"), at));
        }
        let read = self.fast.format(&codes, "unpack_from");
        Stmt::Bind(row(names), apply(read, vec![name("d"), at]))
    }

    /// Names, and what reads them, of a stretch that repeats every so many bytes from one place to another.
    pub fn repeated(&mut self, stretch: &Stretch, size: i64, from: Expr, to: Expr) -> (Target, Expr) {
        let (names, codes, _) = layout(stretch, Some(size));
        let read = self.fast.format(&codes, "iter_unpack");
        (row(names), apply(read, vec![slice(name("d"), from, to)]))
    }
}

/// Names, format and first byte of a stretch; with a size it is as long as that from its base on.
fn layout(stretch: &Stretch, size: Option<i64>) -> (Vec<String>, String, i64) {
    let mut slots = stretch.slots.clone();
    slots.sort_by_key(|slot| slot.at);
    let first = if size.is_some() { 0 } else { slots.first().map_or(0, |slot| slot.at) };
    let codes = codes(first, slots.iter().map(|slot| (slot.at, slot.width, slot.code.as_str())), size);
    (slots.into_iter().map(|slot| slot.name).collect(), codes, first)
}

/// The format of slots in order, and of the gaps between them, and up to `end`: place, bytes and code of each.
pub(super) fn codes<'c>(mut at: i64, slots: impl Iterator<Item = (i64, u32, &'c str)>, end: Option<i64>) -> String {
    let mut codes: Vec<(i64, &str)> = Vec::new();
    let gap = |bytes: i64| (bytes > 0).then_some((bytes, "x"));
    for (place, width, code) in slots {
        codes.extend(gap(place - at));
        match codes.last_mut() {
            Some((times, own)) if *own == code && code.len() == 1 => *times += 1,
            _ => codes.push((1, code)),
        }
        at = place + i64::from(width);
    }
    codes.extend(end.and_then(|end| gap(end - at)));
    let text = |(times, code): (i64, &str)| if times == 1 { code.to_owned() } else { format!("{times}{code}") };
    codes.into_iter().map(text).collect()
}

/// The expression of a number.
pub(super) fn number(val: &Val) -> Expr {
    match val {
        Val::Is(value) => value.clone(),
        Val::Known(number) => int(*number),
        _ => int(0),
    }
}
