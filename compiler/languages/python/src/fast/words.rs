//! Routines that write segments, as functions: `out` is the one segment, with the table before it where there is one. The own words of a
//! record and what its pointers lead to are written by one function, so that one `struct` call fills in all words, pointers too; what an arm
//! of a union puts there is stored at once, and those bytes are left alone.

use super::body::{number, Body, Pos, Val};
use super::cells::code;
use super::out::{Piece, Region, Slot, Spot};
use super::read::Frame;
use super::write::{encoded, items};
use super::{Fast, DEPTH, SMALL};
use crate::py::{apply, binary, call, index, int, name, plus, row, Expr, Stmt};
use aldis_plan::{Container, Repr, Segments as Form};
use aldis_routine::{
    visit, Amount, Arg, BlankId, Block, Object, Op, Place, Purpose, RoutineId, Subject, Sym, Ty, What, Write,
};
use aldis_schema::{Encoding, TypeId};

/// The most bytes that functions write; the careful writer says what is wrong with more.
const MOST: u64 = 1 << 31;

impl<'a> Fast<'a> {
    fn form(&self) -> Form {
        match self.module.container {
            Container::Segments(form) => form,
            Container::Plain => Form { table: false, packed: false, canonical: false },
        }
    }

    /// The routine that writes what the pointers of a record lead to.
    fn targets(&self, record: TypeId) -> Option<RoutineId> {
        let of = Subject::Record(record);
        let own = |routine: &aldis_routine::Routine| routine.of == of && routine.purpose == Purpose::Targets;
        self.module.routines.iter().position(own).map(|index| RoutineId(index as u32))
    }

    /// Prints the function that writes a message. Whether there is one.
    pub(super) fn write_message(&mut self, id: RoutineId) -> bool {
        let (module, form) = (self.module, self.form());
        let routine = &module[id];
        let start = if form.table { 8 } else { 0 };
        let deepest = self.levels[id.0 as usize];
        let mut body = Body::new(self);
        body.is_odd = deepest.is_some_and(|deepest| deepest > DEPTH);
        let size = start + reserved(&routine.body);
        body.set("out", call("bytearray", vec![int(size)]));
        body.open_spot(Pos { base: String::new(), plus: 0 });
        body.out.reserved = start;
        let mut frame = Frame::new(id, routine);
        frame.set(routine.params[0], Val::Is(name("v")));
        body.routine(&mut frame);
        body.set("size", call("len", vec![name("out")]));
        body.odd_if(binary(name("size"), ">", int(MOST)));
        if form.table {
            let words = plus(binary(name("size"), ">>", int(3)), -1);
            body.settle(Region::Piece { block: 0, piece: 0, at: 4 }, "I", 4, words);
        }
        body.close_spots();
        let finish = match form {
            Form { packed: true, .. } => body.fast.helper("packed_words"),
            Form { canonical: true, .. } => body.fast.helper("canonical_words"),
            _ => name("bytes"),
        };
        body.push(Stmt::Return(apply(finish, vec![name("out")])));
        body.close(id, vec!["v".to_owned()], "bytes")
    }

    /// Prints the function that writes a record's words and all that they lead to. Whether there is one.
    fn write_record(&mut self, id: RoutineId) -> bool {
        if let Some(known) = self.printed.get(&id) {
            return *known;
        }
        self.printed.insert(id, true);
        let record = self.module[id].of.record(self.module);
        let ends = self.ends(id);
        let needed = self.targets(record).map_or(0, |targets| self.shallow(targets));
        let mut body = Body::new(self);
        let mut params = ["v", "out"].map(str::to_owned).to_vec();
        let at = body.fresh("at");
        params.push(at.clone());
        if !ends {
            body.take_depth(&mut params, needed);
        }
        let region = body.open_spot(Pos { base: at, plus: 0 });
        body.words_of(id, &name("v"), Val::Region(region));
        body.close_spots();
        body.close(id, params, "None")
    }

    /// Whether records within a record nest with an end.
    fn ends(&self, id: RoutineId) -> bool {
        let targets = self.targets(self.module[id].of.record(self.module));
        targets.is_none_or(|targets| self.levels[targets.0 as usize].is_some())
    }
}

impl<'a> Body<'_, 'a> {
    /// Bytes that are there, and are filled in when the block ends.
    fn open_spot(&mut self, at: Pos) -> Region {
        if self.out.pieces.is_empty() {
            self.out.pieces.push(Vec::new());
        }
        let block = self.out.pieces.len() - 1;
        let pieces = &mut self.out.pieces[block];
        pieces.push(Piece::Spot(Spot { at, slots: Vec::new(), stored: Vec::new() }));
        Region::Piece { block, piece: pieces.len() - 1, at: 0 }
    }

    /// Ends a block: a call for each stretch of bytes in it.
    pub(super) fn close_spots(&mut self) {
        for piece in self.out.pieces.pop().unwrap_or_default() {
            let Piece::Spot(Spot { at, mut slots, stored }) = piece else { continue };
            slots.sort_by_key(|slot| slot.at);
            let ends = |slot: &Slot| slot.at + slot.width;
            let mut calls: Vec<Vec<Slot>> = Vec::new();
            for slot in slots {
                let end = calls.last().and_then(|call| call.last()).map(ends);
                let is_apart = |end: u32| stored.iter().any(|own| (end..slot.at).contains(own));
                self.is_odd |= end.is_some_and(|end| end > slot.at);
                self.is_odd |= stored.iter().any(|own| (slot.at..ends(&slot)).contains(own));
                match calls.last_mut() {
                    Some(call) if !end.is_some_and(is_apart) => call.push(slot),
                    _ => calls.push(vec![slot]),
                }
            }
            for slots in calls {
                self.fill_in(&at, slots);
            }
        }
    }

    fn fill_in(&mut self, at: &Pos, slots: Vec<Slot>) {
        let first = slots.first().map_or(0, |slot| slot.at);
        let place = self.place(&at.behind(first.into()));
        let codes = super::write::codes(first, &slots, None);
        let pack = self.fast.format(&codes, "pack_into");
        let given = [name("out"), place].into_iter().chain(slots.into_iter().map(|slot| slot.value));
        self.push(Stmt::Run(apply(pack, given.collect())));
    }

    /// Stores what an arm of a union has at once: other arms have other slots there.
    pub(super) fn store_now(&mut self, region: Region, slot: Slot) {
        let Region::Piece { block, piece, at } = region else { return self.is_odd = true };
        let Some(Piece::Spot(spot)) = self.out.pieces[block].get_mut(piece) else { return self.is_odd = true };
        spot.stored.extend(at..at + slot.width);
        let start = spot.at.clone();
        self.fill_in(&start, vec![slot]);
    }

    /// The place of bytes that are filled in.
    fn spot(&self, val: &Val) -> Option<Pos> {
        match val {
            Val::Region(Region::Piece { block, piece, at }) => match self.out.pieces.get(*block)?.get(*piece)? {
                Piece::Spot(spot) => Some(spot.at.behind((*at).into())),
                _ => None,
            },
            Val::Pos(at) => Some(at.clone()),
            _ => None,
        }
    }

    /// The place of what comes next.
    fn here(&mut self) -> Pos {
        Pos { base: self.keep("start", call("len", vec![name("out")])), plus: 0 }
    }

    fn add(&mut self, octets: Expr) {
        self.push(Stmt::Change("out".to_owned(), "+=", octets));
    }

    /// The pointer at a place.
    fn point(&mut self, frame: &Frame<'a>, place: Place, to: &Pos, (kind, upper): (i64, Expr)) {
        let region = frame.val(place.base);
        let (Val::Region(own), Some(at)) = (&region, self.spot(&region)) else { return self.is_odd = true };
        let own = own.behind(place.plus);
        // Twice the distance in words, less the pointer's own.
        let lower = match self.distance(to, &at.behind(u64::from(place.plus) + 8)) {
            Expr::Int(bytes) => int(bytes / 2 + i128::from(kind)),
            bytes => match (binary(bytes, ">>", int(1)), kind) {
                (words, 0) => words,
                (words, kind) => binary(words, "|", int(kind)),
            },
        };
        self.settle(own, "i", 4, lower);
        self.settle(own.behind(4), "I", 4, upper);
    }

    /// A record that lies at a place, and what its pointers lead to.
    fn words_of(&mut self, id: RoutineId, value: &Expr, at: Val) {
        let module = self.fast.module;
        let targets = self.fast.targets(module[id].of.record(module));
        for id in [Some(id), targets].into_iter().flatten() {
            let routine = &module[id];
            let mut inner = Frame::new(id, routine);
            for param in &routine.params {
                match inner.ty(*param) {
                    Ty::Given => inner.set(*param, Val::Is(value.clone())),
                    Ty::Pos => inner.set(*param, at.clone()),
                    _ => {}
                }
            }
            self.routine(&mut inner);
        }
    }

    /// A call of a routine that writes a record. What it writes and what its pointers lead to is written by the latter's.
    pub(super) fn words_call(&mut self, frame: &mut Frame<'a>, id: RoutineId, args: &'a [Arg]) {
        let fast = &*self.fast;
        let (module, record) = (fast.module, fast.module[id].of.record(fast.module));
        let targets = fast.targets(record);
        if module[id].purpose == Purpose::Write && targets.is_some() {
            return;
        }
        let of = |own: &aldis_routine::Routine| own.of == module[id].of && own.purpose == Purpose::Write;
        let Some(write) = module.routines.iter().position(of) else { return self.is_odd = true };
        let weight = |id: RoutineId| fast.facts[id.0 as usize].weight;
        let weight = weight(RoutineId(write as u32)) + targets.map_or(0, weight);
        let write = RoutineId(write as u32);
        let (mut value, mut at) = (name("None"), Val::Nothing);
        for (param, arg) in module[id].params.iter().zip(args) {
            match module[id].symbols[param.0 as usize].ty {
                Ty::Given => value = number(&frame.arg(*arg)),
                Ty::Pos => at = frame.arg(*arg),
                _ => {}
            }
        }
        let ends = fast.ends(write);
        if ends && weight <= SMALL {
            return self.words_of(write, &value, at);
        }
        self.is_odd |= !self.fast.write_record(write);
        let place = self.spot(&at).map_or(int(0), |at| self.place(&at));
        let mut given = vec![value, name("out"), place];
        given.extend((!ends).then(|| self.depth_left()));
        self.push(Stmt::Run(apply(self.fast.function(write), given)));
    }

    /// A loop over the elements of a list, whose bytes are there.
    pub(super) fn words_loop(&mut self, frame: &mut Frame<'a>, block: &'a Block) {
        let (Some((value, binds)), Some((first, stride))) = (items(block, block.takes[0]), seat(block)) else {
            // Elements without bytes: there are none, or it is odd.
            return;
        };
        let Some(start) = self.spot(&frame.val(first)) else { return self.is_odd = true };
        let all = number(&frame.val(value));
        let item = self.named(frame.id, binds[0]);
        frame.set(binds[0], Val::Is(name(item.as_str())));
        let at = self.fresh("at");
        let (from, stop) = (self.place(&start), call("len", vec![name("out")]));
        self.begin();
        self.out.pieces.push(Vec::new());
        let before = self.out.seat.replace(at.clone());
        self.block(frame, block);
        self.out.seat = before;
        self.close_spots();
        let (body, _) = self.finish(None);
        let all = call("zip", vec![call("range", vec![from, stop, int(stride)]), all]);
        self.push(Stmt::For { target: row(vec![at, item]), all, body });
    }

    /// The bytes of an element.
    pub(super) fn seated(&mut self) -> Val {
        match self.out.seat.clone() {
            Some(base) => Val::Region(self.open_spot(Pos { base, plus: 0 })),
            None => Val::Nothing,
        }
    }

    /// Prints operations that only forms of words have; says whether it was one.
    pub(super) fn words_op(&mut self, frame: &mut Frame<'a>, op: &'a Op, write: &'a Write) -> bool {
        let first = op.binds.first().copied().unwrap_or(Sym(0));
        match write {
            Write::Reserve { size, .. } => self.reserve_words(frame, first, size),
            Write::Here { .. } => {
                let here = self.here();
                frame.set(first, Val::Pos(here));
            }
            // Readers charge for them.
            Write::Empty { count, .. } => {
                let count = number(&frame.arg(*count));
                self.odd_if(count);
            }
            Write::Plant { .. } => self.odd_if(name("True")),
            Write::Finish { .. } | Write::Readable { .. } => {}
            Write::Point { at, to, object, .. } => {
                let Some(to) = self.spot(&frame.val(*to)) else { return self.refused() };
                let object = object_of(frame, *object);
                self.point(frame, *at, &to, object);
            }
            // The pointer to a record without words.
            Write::Store { place, repr: Repr::U64, number: Arg::Const(word), .. } => {
                let Val::Region(region) = frame.val(place.base) else { return self.refused() };
                let region = region.behind(place.plus);
                self.settle(region, "i", 4, int(*word as i32));
                self.settle(region.behind(4), "I", 4, int(*word >> 32));
            }
            _ => return self.listed(frame, op, write),
        }
        true
    }

    /// Lists, and the tags of unions. Whether it was one.
    fn listed(&mut self, frame: &mut Frame<'a>, op: &'a Op, write: &'a Write) -> bool {
        let first = op.binds.first().copied().unwrap_or(Sym(0));
        match write {
            Write::Blob { at, value, text, .. } => self.blob(frame, *at, &number(&frame.val(*value)), *text),
            Write::List { at, count, more, code, .. } => {
                let start = self.here();
                let (_, upper) = object_of(frame, Object::List { code: *code, count: *count, more: *more });
                self.point(frame, *at, &start, (1, upper));
                if *code == 6 {
                    let size = binary(number(&frame.arg(*count)), "*", int(8));
                    self.add(call("bytes", vec![size]));
                }
                frame.set(first, Val::Pos(start));
            }
            Write::Records { at, count, data, pointers, .. } => {
                let words = i64::from(*data) + i64::from(*pointers);
                let count = number(&frame.arg(*count));
                let start = self.here();
                let of = |each: i64| binary(count.clone(), "*", int(each));
                self.add(call("bytes", vec![plus(of(8 * words), 8)]));
                let tag = |at, value| Slot { at, code: "I".to_owned(), width: 4, value };
                let shape = int(u32::from(*data) | u32::from(*pointers) << 16);
                self.fill_in(&start, vec![tag(0, binary(count.clone(), "<<", int(2))), tag(4, shape)]);
                self.point(frame, *at, &start, (1, plus(of(8 * words), 7)));
                frame.set(first, Val::Pos(start.behind(8)));
            }
            Write::Cells { blank, value, stride, .. } => self.numbers(*blank, *stride, &number(&frame.val(*value))),
            Write::StoreBits { value, scalar, .. } => {
                self.is_odd |= scalar.xor != 0;
                let octets = self.fast.helped("bit_octets", vec![number(&frame.val(*value))]);
                self.add(octets);
            }
            Write::Choice { value, union } => {
                let given = self.kept("value", number(&frame.val(*value)));
                let tags = self.fast.tags(*union);
                let class = super::write::attribute(&given, "__class__");
                let tag = self.once("tag", index(tags, class), false);
                let arm = self.once("arm", super::write::attribute(&given, "value"), false);
                frame.set(op.binds[0], Val::Is(name(tag)));
                frame.set(op.binds[1], Val::Is(name(arm)));
            }
            // The range of tags, which the schema's unions have.
            Write::InRange { min: 0, max: 0xFFFF, .. } => {}
            _ => return false,
        }
        true
    }

    fn refused(&mut self) -> bool {
        self.is_odd = true;
        true
    }

    fn reserve_words(&mut self, frame: &mut Frame<'a>, first: Sym, size: &Amount) {
        let (Val::Known(times), Val::Known(each)) = (frame.arg(size.times), frame.arg(size.each)) else {
            return self.is_odd = true;
        };
        let size = (times * each) as u32;
        if matches!(frame.routine.of, Subject::Message(_)) {
            let region = Region::Piece { block: 0, piece: 0, at: self.out.reserved };
            self.out.reserved += size;
            return frame.set(first, Val::Region(region));
        }
        let start = self.here();
        self.add(call("bytes", vec![int(size)]));
        let region = self.open_spot(start);
        frame.set(first, Val::Region(region));
    }

    /// A text or byte string, with zeros up to a whole word.
    fn blob(&mut self, frame: &Frame<'a>, at: Place, given: &Expr, text: Option<Encoding>) {
        let octets = match text {
            None => {
                self.of_class(given, "bytes");
                given.clone()
            }
            Some(encoding) => name(self.keep("octets", encoded(given.clone(), encoding))),
        };
        let size = name(self.keep("size", call("len", vec![octets.clone()])));
        let start = self.here();
        let ends = self.fast.helper(if text.is_some() { "TEXT_ENDS" } else { "DATA_ENDS" });
        let end = index(ends, binary(size.clone(), "&", int(7)));
        self.add(binary(octets, "+", end));
        let code = if text.is_some() { 10 } else { 2 };
        self.point(frame, at, &start, (1, plus(binary(size, "*", int(8)), code)));
    }

    /// The numbers of a list, side by side.
    fn numbers(&mut self, blank: BlankId, stride: u32, given: &Expr) {
        let module = self.fast.module;
        let [one] = module[blank].entries.as_slice() else { return self.is_odd = true };
        let aldis_routine::Put::Scalar(scalar) = &one.put else { return self.is_odd = true };
        if !self.all_fit(scalar, given) {
            return self.is_odd = true;
        }
        let form = Expr::Text(format!("<%d{}", code(scalar.repr)));
        let octets = self.fast.helped("packed", vec![form, given.clone()]);
        self.add(octets);
        if stride < 8 {
            let ends = self.fast.helper("DATA_ENDS");
            let size = binary(call("len", vec![given.clone()]), "*", int(stride));
            self.add(index(ends, binary(size, "&", int(7))));
        }
    }
}

/// The lowest bits of a pointer, and its upper half.
fn object_of(frame: &Frame<'_>, object: Object) -> (i64, Expr) {
    match object {
        Object::Record { data, pointers } => (0, int(u32::from(data) | u32::from(pointers) << 16)),
        Object::List { code, count, more } => {
            let count = plus(number(&frame.arg(count)), more.into());
            (1, plus(binary(count, "*", int(8)), code.into()))
        }
    }
}

/// The bytes that a message's own routine reserves.
fn reserved(block: &Block) -> u32 {
    let of = |op: &Op| match &op.what {
        What::Write(Write::Reserve { size: Amount { times: Arg::Const(times), each: Arg::Const(each) }, .. }) => {
            (times * each) as u32
        }
        what => visit::blocks(what).into_iter().map(reserved).sum(),
    };
    block.ops.iter().map(of).sum()
}

/// The first element of the list that a loop goes over, and how far the elements are from one another.
fn seat(block: &Block) -> Option<(Sym, u32)> {
    block.ops.iter().find_map(|op| match &op.what {
        What::Element { place, stride, .. } if *stride > 0 => Some((place.base, *stride)),
        What::Within { body, .. } => seat(body),
        _ => None,
    })
}
