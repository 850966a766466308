//! Routines that write plain bytes, as functions: pieces that are joined once, each a `pack` of a stretch or the bytes of a text. What is
//! wrong with a value `struct` mostly finds; all else is asked for, so that nothing is written that the careful writer refuses.

mod loops;

use super::body::{number, Body, Pos, Val};
use super::cells::code;
use super::out::{anything, Filled, Piece, Region, Slot, Spot, Table};
use super::read::Frame;
use super::{Fast, DEPTH};
use crate::py::{apply, binary, call, int, method, name, target, Expr, Stmt};
use aldis_emit::integer_of;
use aldis_plan::Repr;
use aldis_routine::{Arg, Block, Op, RoutineId, Subject, Sym, Ty, What, Write};
use aldis_schema::Encoding;

impl<'a> Fast<'a> {
    /// Prints the function that writes a message, and those that it calls. Whether there is one.
    pub(super) fn write(&mut self, id: RoutineId) -> bool {
        if let Some(known) = self.printed.get(&id) {
            return *known;
        }
        self.printed.insert(id, true);
        let module = self.module;
        let routine = &module[id];
        let is_message = matches!(routine.of, Subject::Message(_));
        let is_linked = self.is_linked;
        let deepest = self.levels[id.0 as usize];
        let mut body = Body::new(self);
        body.is_odd = deepest.is_some_and(|deepest| deepest > DEPTH);
        body.out.pieces.push(Vec::new());
        let mut frame = Frame::new(id, routine);
        let mut params = vec!["v".to_owned()];
        for param in &routine.params {
            match frame.ty(*param) {
                Ty::Given => frame.set(*param, Val::Is(name("v"))),
                Ty::Pos => {
                    let own = body.fresh("base");
                    params.push(own.clone());
                    frame.set(*param, Val::Pos(Pos { base: own, plus: 0 }));
                }
                _ => {}
            }
        }
        if is_linked {
            let base = if is_message { String::new() } else { body.fresh("end") };
            params.extend((!is_message).then(|| base.clone()));
            body.tail = Some(Pos { base, plus: 0 });
        }
        if deepest.is_none() {
            let needed = body.fast.shallow(id);
            body.take_depth(&mut params, needed);
        }
        body.routine(&mut frame);
        let gives = body.written(is_message);
        body.close(id, params, &gives)
    }
}

impl<'a> Body<'_, 'a> {
    /// Ends a function: what it gives, and of which type.
    fn written(&mut self, is_message: bool) -> String {
        let mut pieces = self.out.pieces.pop().unwrap_or_default();
        let has_size = |slot: &Slot| slot.value == name("size");
        let in_head = matches!(pieces.first(), Some(Piece::Fixed(_, slots)) if slots.iter().any(has_size));
        if is_message && in_head && pieces.len() > 1 {
            let head = pieces.remove(0);
            self.is_odd |= !matches!(head, Piece::Fixed(..));
            let own = if let Piece::Fixed(size, _) = head { size } else { 0 };
            let rest = self.joined(pieces);
            self.set("rest", rest);
            self.set("size", binary(int(own), "+", call("len", vec![name("rest")])));
            let head = self.piece(head);
            self.push(Stmt::Return(binary(head, "+", name("rest"))));
            return "bytes".to_owned();
        }
        if let (true, [Piece::Fixed(size, _)]) = (in_head, pieces.as_slice()) {
            self.set("size", int(*size));
        }
        let is_bounded = !self.out.has_total || in_head || matches!(pieces.as_slice(), [Piece::Fixed(..)]);
        let mut all = self.joined(pieces);
        if !is_bounded {
            all = name(self.keep("whole", all));
            self.odd_if(binary(call("len", vec![all.clone()]), ">=", int(1_u64 << 32)));
        }
        match (&self.tail, is_message) {
            (Some(end), false) => {
                let end = end.clone();
                let end = self.place(&end);
                self.push(Stmt::Return(Expr::Tuple(vec![all, end])));
                "tuple[bytes, int]".to_owned()
            }
            _ => {
                self.push(Stmt::Return(all));
                "bytes".to_owned()
            }
        }
    }

    fn joined(&mut self, pieces: Vec<Piece>) -> Expr {
        match pieces.len() {
            1 if !matches!(pieces[0], Piece::Many(_)) => {
                let only = pieces.into_iter().next();
                only.map_or(Expr::Bytes(Vec::new()), |piece| self.piece(piece))
            }
            _ => {
                let all = self.row_of(pieces);
                method(Expr::Bytes(Vec::new()), "join", vec![all])
            }
        }
    }

    /// Pieces as a tuple, or the one list of them.
    fn row_of(&mut self, pieces: Vec<Piece>) -> Expr {
        match pieces.as_slice() {
            [Piece::Many(list)] => name(list.as_str()),
            _ => {
                let items = pieces.into_iter().map(|piece| match piece {
                    Piece::Many(list) => name(format!("*{list}")),
                    piece => self.piece(piece),
                });
                Expr::Tuple(items.collect())
            }
        }
    }

    fn piece(&mut self, piece: Piece) -> Expr {
        match piece {
            Piece::Fixed(size, slots) => self.pack(size, slots),
            Piece::Bytes(value) => value,
            Piece::Many(list) => method(Expr::Bytes(Vec::new()), "join", vec![name(list)]),
            Piece::Spot(_) => self.odd(),
            Piece::Table(table) => {
                let Table { slots, size, cells, .. } = &self.out.tables[table];
                let (Some(cells), alone) = (cells.clone(), is_alone(slots, *size)) else { return self.odd() };
                match alone {
                    Some(code) => {
                        let form = format!("{}%d{code}", self.fast.order());
                        self.fast.helped("packed", vec![Expr::Text(form), name(cells)])
                    }
                    None => method(Expr::Bytes(Vec::new()), "join", vec![name(cells)]),
                }
            }
        }
    }

    /// A `struct` call that packs a stretch.
    fn pack(&mut self, size: u32, mut slots: Vec<Slot>) -> Expr {
        slots.sort_by_key(|slot| slot.at);
        self.is_odd |= slots.windows(2).any(|two| two[1].at < two[0].at + two[0].width);
        if slots.is_empty() {
            return Expr::Bytes(vec![0; size as usize]);
        }
        let pack = self.fast.format(&codes(0, &slots, Some(size)), "pack");
        apply(pack, slots.into_iter().map(|slot| slot.value).collect())
    }

    pub(super) fn write_op(&mut self, frame: &mut Frame<'a>, op: &'a Op, write: &'a Write) {
        let first = op.binds.first().copied().unwrap_or(Sym(0));
        if self.fast.has_segments() && self.words_op(frame, op, write) {
            return;
        }
        match write {
            Write::Reserve { size, .. } => self.reserved(frame, first, (size.times, size.each)),
            Write::Append { value, size, .. } => {
                self.piece_of(Piece::Bytes(number(&frame.val(*value))));
                self.grow(number(&frame.arg(*size)));
            }
            Write::Store { place, repr, number: stored, .. } => {
                let value = number(&frame.arg(*stored));
                self.store(frame, (place.base, place.plus), code(*repr), repr.width(), value);
            }
            Write::Link { place, base, .. } => match self.tail.clone() {
                Some(end) => {
                    let distance = self.distance(&end, &frame.pos(*base));
                    self.store(frame, (place.base, place.plus), "I", 4, distance);
                }
                None => self.is_odd = true,
            },
            Write::Here { .. } => frame.set(first, self.tail.clone().map_or(Val::Nothing, Val::Pos)),
            Write::Total { .. } => {
                let total = match self.tail.clone() {
                    Some(end) => self.place(&end),
                    None => {
                        self.out.has_total = true;
                        name("size")
                    }
                };
                frame.set(first, Val::Is(total));
            }
            Write::Framed { total, plus, .. } => {
                let size = crate::py::plus(number(&frame.arg(*total)), *plus);
                // A head says its own.
                self.is_odd |= self.tail.is_none() && *plus != 0;
                frame.set(first, Val::Is(size));
            }
            Write::Begin { blank, count, .. } => self.begun(frame, op, *blank, *count),
            Write::Fill { blank, first, count, at, value, .. } => {
                let Val::Region(region) = frame.val(*at) else { return self.is_odd = true };
                let given = number(&frame.val(*value));
                self.fill(*blank, (*first, *count), region, &given);
            }
            Write::Cell { blank, entry, at, value, .. } => {
                let Val::Region(region) = frame.val(*at) else { return self.is_odd = true };
                let given = self.kept("x", number(&frame.val(*value)));
                self.put(*blank, *entry, region, given);
            }
            Write::Cells { blank, at, value, .. } => {
                let Val::Region(Region::Cell { table, .. }) = frame.val(*at) else { return self.is_odd = true };
                let items = number(&frame.val(*value));
                self.cells(*blank, table, items);
            }
            Write::Readable { .. } => {}
            Write::Empty { .. } | Write::Null { .. } => self.is_odd = true,
            _ => self.asked(frame, op, write),
        }
    }

    fn reserved(&mut self, frame: &mut Frame<'a>, first: Sym, (times, each): (Arg, Arg)) {
        match (frame.arg(times), frame.arg(each)) {
            (Val::Known(times), Val::Known(each)) => {
                let region = self.reserve((times * each) as u32);
                frame.set(first, Val::Region(region));
            }
            (times, Val::Known(each)) => {
                let times = number(&times);
                self.grow(binary(times.clone(), "*", int(each)));
                let table = self.out.tables.len();
                let ways = self.out.filled.len();
                self.out.tables.push(Table { size: each as u32, slots: Vec::new(), cells: None, ways });
                self.piece_of(Piece::Table(table));
                frame.set(first, Val::Region(Region::Cell { table, at: 0 }));
            }
            _ => self.is_odd = true,
        }
    }

    /// Prints a question that is asked of a value.
    fn asked(&mut self, frame: &mut Frame<'a>, op: &'a Op, write: &'a Write) {
        let first = op.binds.first().copied().unwrap_or(Sym(0));
        match write {
            Write::OfRecord { value, record } => {
                let given = self.kept("value", number(&frame.val(*value)));
                frame.set(*value, Val::Is(given.clone()));
                self.of_class(&given, self.fast.values.names.of(*record));
            }
            Write::Get { value, record, field } => {
                let own = &self.fast.values.names.members(*record)[*field as usize];
                let from = attribute(&number(&frame.val(*value)), own);
                // Not every class of a union has the value of an arm.
                let is_open = self.fast.values.is_union(*record, *field);
                let got = self.once(own, from, is_open);
                frame.set(first, Val::Is(name(got)));
            }
            Write::IsNull { value } => {
                frame.set(first, Val::Is(binary(number(&frame.val(*value)), "is", name("None"))));
            }
            Write::Octets { value, text } => self.octets_of(frame, *value, *text, first),
            Write::Sorted { value, of } => {
                let given = number(&frame.val(*value));
                let sorted = self.fast.of_form("_form.elements", vec![int(of.0), given]);
                frame.set(first, Val::Is(name(self.keep("sorted", sorted))));
            }
            Write::Count { value, .. } => {
                let given = number(&frame.val(*value));
                self.of_class(&given, "list");
                frame.set(first, Val::Is(name(self.keep("count", call("len", vec![given])))));
            }
            Write::Exactly { value, count, .. } => {
                let given = number(&frame.val(*value));
                self.of_class(&given, "list");
                self.odd_if(binary(call("len", vec![given]), "!=", int(*count)));
            }
            // Loops go over the elements.
            Write::Item { .. } | Write::Pair { .. } => {}
            Write::SameAs { value, literal } => {
                let literal = &self.fast.module[*literal];
                let fixed = self.fast.values.literal(&literal.value, &literal.ty);
                self.odd_if(binary(number(&frame.val(*value)), "!=", fixed));
            }
            Write::InRange { number: of, min, max } => {
                let of = number(&frame.arg(*of));
                self.within(&of, *min, *max);
            }
            _ => self.is_odd = true,
        }
    }

    /// The bytes of a text or a byte string, which stand for it from here on, and how many there are.
    fn octets_of(&mut self, frame: &mut Frame<'a>, value: Sym, text: Option<Encoding>, size: Sym) {
        let given = number(&frame.val(value));
        let octets = match text {
            None => {
                self.of_class(&given, "bytes");
                given
            }
            Some(encoding) => name(self.keep("octets", encoded(given, encoding))),
        };
        let own = self.keep("size", call("len", vec![octets.clone()]));
        frame.set(value, Val::Is(octets));
        frame.set(size, Val::Is(name(own)));
    }

    pub(super) fn within(&mut self, of: &Expr, min: u64, max: u64) {
        if min > 0 {
            self.odd_if(binary(of.clone(), "<", int(min)));
        }
        self.odd_if(binary(of.clone(), ">", int(max)));
    }

    /// Values of other classes are left to the careful writer.
    pub(super) fn of_class(&mut self, given: &Expr, class: &str) {
        let test = binary(attribute(given, "__class__"), "is not", name(class));
        if self.is_new(&test) {
            self.odd_if(test);
        }
    }

    /// A value as a variable.
    pub(super) fn kept(&mut self, wanted: &str, value: Expr) -> Expr {
        match &value {
            Expr::Name(own) if !own.contains('.') => value,
            Expr::Name(_) => name(self.once(wanted, value, false)),
            _ => name(self.keep(wanted, value)),
        }
    }

    fn piece_of(&mut self, piece: Piece) {
        if let Some(pieces) = self.out.pieces.last_mut() {
            pieces.push(piece);
        }
    }

    pub(super) fn reserve(&mut self, size: u32) -> Region {
        self.tail = self.tail.as_ref().map(|end| end.behind(size.into()));
        let block = self.out.pieces.len() - 1;
        let pieces = &mut self.out.pieces[block];
        let at = match pieces.last_mut() {
            Some(Piece::Fixed(own, _)) => {
                *own += size;
                *own - size
            }
            _ => {
                pieces.push(Piece::Fixed(size, Vec::new()));
                0
            }
        };
        Region::Piece { block, piece: pieces.len() - 1, at }
    }

    fn grow(&mut self, bytes: Expr) {
        if let Some(end) = self.tail.clone() {
            self.tail = Some(self.moved(&end, bytes));
        }
    }

    fn store(&mut self, frame: &Frame<'a>, (base, plus): (Sym, u32), code: &str, width: u32, value: Expr) {
        match frame.val(base) {
            Val::Region(region) => self.slot_at(region.behind(plus), code, width, value),
            _ => self.is_odd = true,
        }
    }

    /// Puts a value into bytes.
    pub(super) fn slot_at(&mut self, region: Region, code: &str, width: u32, value: Expr) {
        match region {
            Region::Piece { block, at, .. } if self.fast.has_segments() && block + 1 < self.out.pieces.len() => {
                self.store_now(region, Slot { at, code: code.to_owned(), width, value });
            }
            _ => self.settle(region, code, width, value),
        }
    }

    /// Puts a value into bytes; one way of several into bytes outside of it by a variable. Of bits several may lie in a byte.
    pub(super) fn settle(&mut self, region: Region, code: &str, width: u32, value: Expr) {
        let slot = |at, value| Slot { at, code: code.to_owned(), width, value };
        let (Region::Cell { at, .. } | Region::Piece { at, .. }) = region;
        if self.out.is_outside(region) {
            let known = self.out.filled.last().into_iter().flatten().find(|(known, ..)| *known == region);
            if let Some((_, own, _)) = known.cloned() {
                return self.push(Stmt::Change(own, "|=", value));
            }
            let own = self.fresh(match code {
                "i" => "lower",
                "I" if self.fast.has_segments() => "upper",
                _ => "slot",
            });
            self.set(&own, value);
            let filled = slot(at, name(own.as_str()));
            return match self.out.filled.last_mut() {
                Some(way) => way.push((region, own, filled)),
                None => self.is_odd = true,
            };
        }
        match region {
            Region::Cell { table, .. } => self.out.tables[table].slots.push(slot(at, value)),
            Region::Piece { block, piece, .. } => match self.out.pieces[block].get_mut(piece) {
                Some(Piece::Fixed(_, slots)) => slots.push(slot(at, value)),
                Some(Piece::Spot(Spot { slots, .. })) => match slots.iter_mut().find(|own| own.at == at) {
                    Some(own) => own.value = binary(own.value.clone(), "|", value),
                    None => slots.push(slot(at, value)),
                },
                _ => {}
            },
        }
    }

    /// Ends one way: what it gives to the bytes that are written, as a tuple.
    pub(super) fn end_way(&mut self) -> Option<Expr> {
        if self.fast.has_segments() {
            self.close_spots();
            return None;
        }
        let pieces = self.out.pieces.pop().unwrap_or_default();
        (!pieces.is_empty()).then(|| self.row_of(pieces))
    }

    /// The ends of ways that write, so that all of them set the same variables: the name of the pieces that they add, where any does,
    /// and the last lines of each.
    pub(super) fn agreed(&mut self, ways: Vec<(Option<Expr>, Vec<Filled>)>) -> (Option<String>, Vec<Vec<Stmt>>) {
        let more = ways.iter().any(|(added, _)| added.is_some()).then(|| self.fresh("more"));
        if let Some(more) = &more {
            self.push(anything(more, None));
        }
        let mut all: Vec<Filled> = Vec::new();
        for filled in ways.iter().flat_map(|(_, filled)| filled) {
            if !all.iter().any(|(region, ..)| *region == filled.0) {
                all.push(filled.clone());
            }
        }
        let set = |own: &str, value| Stmt::Bind(target(own), value);
        let lines = ways.into_iter().map(|(added, filled)| {
            let added = more.as_ref().map(|more| set(more, added.unwrap_or(Expr::Tuple(Vec::new()))));
            let slots = all.iter().filter_map(|(region, own, _)| {
                match filled.iter().find(|(known, ..)| known == region) {
                    Some((_, known, _)) if known == own => None,
                    Some((_, known, _)) => Some(set(own, name(known.as_str()))),
                    // Bytes that nobody fills in are zero.
                    None => Some(set(own, int(0))),
                }
            });
            added.into_iter().chain(slots).collect()
        });
        let lines = lines.collect();
        for (region, own, slot) in all {
            let is_outside = self.out.is_outside(region);
            match self.out.filled.last_mut() {
                // It is a variable of a way that holds these.
                Some(way) if is_outside => {
                    self.is_odd |= way.iter().any(|(known, ..)| *known == region);
                    way.push((region, own, slot));
                }
                _ => self.settle(region, &slot.code, slot.width, name(own)),
            }
        }
        (more, lines)
    }

    pub(super) fn add_many(&mut self, own: String) {
        self.piece_of(Piece::Many(own));
    }
}

/// The format of slots in order from a place on, and up to `end`.
pub(super) fn codes(at: u32, slots: &[Slot], end: Option<u32>) -> String {
    let slots = slots.iter().map(|slot| (slot.at.into(), slot.width, slot.code.as_str()));
    super::body::codes(at.into(), slots, end.map(i64::from))
}

/// The code of the only number in each cell.
fn is_alone(slots: &[Slot], size: u32) -> Option<String> {
    match slots {
        [one] if one.at == 0 && one.width == size && one.code.len() == 1 => Some(one.code.clone()),
        _ => None,
    }
}

/// The collection whose elements a loop looks at, and what an element binds.
pub(super) fn items(block: &Block, index: Sym) -> Option<(Sym, Vec<Sym>)> {
    block.ops.iter().find_map(|op| match &op.what {
        What::Write(Write::Item { value, index: own } | Write::Pair { value, index: own }) if *own == index => {
            Some((*value, op.binds.clone()))
        }
        what => aldis_routine::visit::blocks(what).into_iter().find_map(|block| items(block, index)),
    })
}

pub(super) fn attribute(of: &Expr, own: &str) -> Expr {
    match of {
        Expr::Name(of) => name(format!("{of}.{own}")),
        _ => name(own),
    }
}

/// The bytes of a text; characters that the encoding lacks are an error of Python's.
pub(super) fn encoded(given: Expr, encoding: Encoding) -> Expr {
    let more = (encoding == Encoding::Latin1).then(|| Expr::Text("latin-1".to_owned()));
    // Not the value's own method: records have one of that name.
    call("str.encode", [given].into_iter().chain(more).collect())
}

/// The bits of a number as that of a `struct` code.
pub(super) fn stored(repr: Repr, bits: u64) -> Expr {
    match repr {
        Repr::F32 => Expr::Float(f64::from(f32::from_bits(bits as u32))),
        Repr::F64 => Expr::Float(f64::from_bits(bits)),
        _ => int(integer_of(repr, bits)),
    }
}
