//! Routines that read, as functions.

use super::body::{number, Body, Pos, Val};
use super::cells::{code, decoded};
use super::out::Region;
use super::{Fast, DEPTH};
use crate::py::{apply, binary, call, int, name, row, slice, Expr, Stmt};
use aldis_plan::Container;
use aldis_routine::{Arg, Block, Op, Routine, RoutineId, Subject, Sym, TableId, Ty, What};
use std::collections::HashMap;

/// One run of a routine, in a function of its own or in that of who calls it.
pub(super) struct Frame<'a> {
    pub id: RoutineId,
    pub routine: &'a Routine,
    pub vals: Vec<Val>,
    /// By count: the least bytes of an element.
    pub least: HashMap<Sym, u64>,
}

impl<'a> Frame<'a> {
    pub fn new(id: RoutineId, routine: &'a Routine) -> Self {
        Self { id, routine, vals: vec![Val::Nothing; routine.symbols.len()], least: HashMap::new() }
    }

    pub fn val(&self, sym: Sym) -> Val {
        self.vals[sym.0 as usize].clone()
    }

    pub fn arg(&self, arg: Arg) -> Val {
        match arg {
            Arg::Sym(sym) => self.val(sym),
            Arg::Const(number) => Val::Known(number),
        }
    }

    pub fn set(&mut self, sym: Sym, val: Val) {
        self.vals[sym.0 as usize] = val;
    }

    pub fn pos(&self, sym: Sym) -> Pos {
        match self.val(sym) {
            Val::Pos(pos) => pos,
            _ => Pos { base: "at".to_owned(), plus: 0 },
        }
    }

    pub fn ty(&self, sym: Sym) -> Ty {
        self.routine.symbols[sym.0 as usize].ty
    }
}

impl<'a> Fast<'a> {
    pub(super) fn has_segments(&self) -> bool {
        matches!(self.module.container, Container::Segments(_))
    }

    /// Prints the function that reads a record or message, and those that it calls. Whether there is one.
    pub(super) fn read(&mut self, id: RoutineId) -> bool {
        if let Some(known) = self.printed.get(&id) {
            return *known;
        }
        // A record that holds itself calls what is being printed.
        self.printed.insert(id, true);
        let module = self.module;
        let routine = &module[id];
        let is_message = matches!(routine.of, Subject::Message(_));
        let has_segments = self.has_segments();
        let deepest = self.levels[id.0 as usize];
        let is_linked = self.is_linked;
        let mut body = Body::new(self);
        body.is_odd = deepest.is_some_and(|deepest| deepest > DEPTH);
        let mut frame = Frame::new(id, routine);
        let mut params = vec!["d".to_owned()];
        for param in &routine.params {
            // The place of pointers follows from that of data.
            if frame.ty(*param) == Ty::Pos && !body.fast.is_role(id, *param, "pointers") {
                let own = body.fresh(if is_message { "at" } else { "start" });
                params.push(own.clone());
                frame.set(*param, Val::Pos(Pos { base: own, plus: 0 }));
            }
        }
        if is_message {
            let start = frame.pos(routine.params[0]);
            body.tail = is_linked.then_some(start);
        } else {
            body.enter(&mut frame, &mut params, deepest.is_none());
        }
        let given = body.routine(&mut frame);
        let mut result: Vec<Expr> = given.first().map(|val| body.value(val)).into_iter().collect();
        result.push(match (body.tail.clone(), given.get(1)) {
            (_, end) if is_message => body.behind(end),
            _ if has_segments => name("left"),
            (Some(tail), _) => body.place(&tail),
            (None, Some(Val::Pos(pos))) => body.place(pos),
            _ => body.odd(),
        });
        body.push(Stmt::Return(Expr::Tuple(result)));
        body.close(id, params, "tuple[Any, Any]")
    }
}

/// Whether values are found by links.
pub(super) fn links(block: &Block) -> bool {
    block.ops.iter().any(|op| {
        matches!(op.what, What::Follow { .. } | What::Root { .. })
            || aldis_routine::visit::blocks(&op.what).into_iter().any(links)
    })
}

impl<'a> Body<'_, 'a> {
    /// The first lines of a record's own function.
    fn enter(&mut self, frame: &mut Frame<'a>, params: &mut Vec<String>, is_endless: bool) {
        if self.fast.has_segments() {
            params.push("left".to_owned());
            self.set("full", call("len", vec![name("d")]));
        } else if self.fast.is_linked {
            // Records behind links begin where the last value ended.
            self.tail = frame.routine.params.first().map(|at| frame.pos(*at));
        }
        if is_endless {
            let needed = self.fast.shallow(frame.id);
            self.take_depth(params, needed);
        }
        self.known(frame);
    }

    /// Parameters that are known to be as writers write them: who calls sees to that.
    fn known(&mut self, frame: &mut Frame<'a>) {
        let fast = &*self.fast;
        let sections = match frame.routine.of {
            Subject::Record(record) => fast.sections(record),
            Subject::Message(_) => None,
        };
        let data = frame.routine.params.iter().find(|param| fast.is_role(frame.id, **param, "data")).copied();
        for param in &frame.routine.params {
            let is = |role: &str| fast.is_role(frame.id, *param, role);
            let val = if is("extent") {
                fast.facts[frame.id.0 as usize].acting.map(Val::Known)
            } else if is("version") {
                Some(Val::Known(u64::MAX))
            } else if let (true, Some((data, _))) = (is("dataSize"), sections) {
                Some(Val::Known(data.into()))
            } else if let (true, Some((_, pointers))) = (is("pointersSize"), sections) {
                Some(Val::Known(pointers.into()))
            } else if let (true, Some(data), Some((size, _))) = (is("pointers"), data, sections) {
                Some(Val::Pos(frame.pos(data).behind(size.into())))
            } else {
                None
            };
            if let Some(val) = val {
                frame.set(*param, val);
            }
        }
    }

    /// The end of a message, of which all bytes are there.
    fn behind(&mut self, end: Option<&Val>) -> Expr {
        if self.fast.has_segments() {
            if self.is_priced {
                self.odd_if(binary(name("left"), "<", int(0)));
            }
            return self.bound.take().unwrap_or_else(|| name("None"));
        }
        let all = call("len", vec![name("d")]);
        let at = match (&self.tail, end) {
            (Some(tail), _) => tail.clone(),
            (None, Some(Val::Pos(pos))) => pos.clone(),
            _ => Pos { base: "at".to_owned(), plus: 0 },
        };
        let at = self.place(&at);
        match self.bound.clone() {
            Some(bound) => {
                self.odd_if(binary(at, ">", bound.clone()));
                self.odd_if(binary(bound.clone(), ">", all));
                bound
            }
            None => {
                self.odd_if(binary(at.clone(), ">", all));
                at
            }
        }
    }

    /// The values that a routine gives, but for tokens.
    pub(super) fn routine(&mut self, frame: &mut Frame<'a>) -> Vec<Val> {
        let routine = frame.routine;
        self.block(frame, &routine.body)
    }

    pub(super) fn block(&mut self, frame: &mut Frame<'a>, block: &'a Block) -> Vec<Val> {
        for (index, op) in block.ops.iter().enumerate() {
            let next = block.ops.get(index + 1).map(|op| &op.what);
            // The targets of records are written after all of them; a function does both in the second loop.
            if !matches!((&op.what, next), (What::Loop { .. }, Some(What::Loop { .. }))) || !self.fast.has_segments() {
                self.op(frame, op);
            }
        }
        let gives = block.gives.iter().filter(|arg| !matches!(arg, Arg::Sym(sym) if frame.ty(*sym).is_state()));
        gives.map(|arg| frame.arg(*arg)).collect()
    }

    pub(super) fn bind(&mut self, frame: &mut Frame<'a>, op: &'a Op, given: Vec<Val>) {
        let binds = op.binds.iter().filter(|bind| !frame.ty(**bind).is_state());
        for (bind, val) in binds.copied().collect::<Vec<_>>().into_iter().zip(given) {
            frame.set(bind, val);
        }
    }

    pub(super) fn value(&mut self, val: &Val) -> Expr {
        match val {
            Val::Pos(pos) => self.place(pos),
            val => number(val),
        }
    }

    fn op(&mut self, frame: &mut Frame<'a>, op: &'a Op) {
        match &op.what {
            What::Within { body, .. } => {
                let given = self.block(frame, body);
                self.bind(frame, op, given);
            }
            What::Level { body, .. } => {
                self.level += 1;
                let given = self.block(frame, body);
                self.level -= 1;
                self.bind(frame, op, given);
            }
            What::If { test, then, other } => self.branch(frame, op, *test, [then, other]),
            What::Switch { on, arms, other } => self.choose(frame, op, *on, arms, other),
            What::Call { routine, args } => self.called(frame, op, *routine, args),
            What::Each { count, carry, of, body } => {
                let items = self.each(frame, op, (*count, carry, body));
                let made = self.collected(*of, items);
                let own = match made {
                    Expr::Name(_) | Expr::Collect(..) => made,
                    made => name(self.keep("list", made)),
                };
                frame.set(op.binds[0], Val::Is(own));
            }
            What::Loop { body, .. } if self.is_writing() && self.fast.has_segments() => self.words_loop(frame, body),
            What::Loop { body, .. } if self.is_writing() => self.writing_loop(frame, body),
            What::Loop { .. } => self.is_odd = true,
            What::Write(write) => self.write_op(frame, op, write),
            What::Head { table, at, .. } => self.head(frame, op, *table, *at),
            What::Counted { table, at, text, .. } => {
                self.head(frame, op, *table, *at);
                let length = frame.val(op.binds[0]);
                let size = u64::from(self.fast.module[*table].size);
                let start = frame.pos(*at).behind(size);
                let end = match length {
                    Val::Known(length) => start.behind(length),
                    length => self.moved(&start, number(&length)),
                };
                self.tail = self.tail.as_ref().map(|_| end.clone());
                let (from, to) = (self.place(&start), self.place(&end));
                frame.set(op.binds[0], Val::Is(decoded(slice(name("d"), from, to), *text)));
                frame.set(op.binds[1], Val::Pos(end));
            }
            What::Segments(what) => self.segments(frame, op, what),
            What::Extent { .. } | What::Need { .. } | What::Fit { .. } | What::Follow { .. } => self.guard(frame, op),
            What::Least { .. } | What::Expect { .. } | What::Root { .. } | What::Bound { .. } => self.guard(frame, op),
            What::Same { .. } | What::Unpaid { .. } | What::Refuse { .. } => self.guard(frame, op),
            What::Charge { .. } | What::Extra { .. } | What::ExtraWithin { .. } => {}
            _ => self.read_value(frame, op),
        }
    }

    /// A place that many bytes behind another, as a variable.
    pub(super) fn moved(&mut self, from: &Pos, bytes: Expr) -> Pos {
        let start = self.place(from);
        Pos { base: self.keep("at", binary(start, "+", bytes)), plus: 0 }
    }

    fn read_value(&mut self, frame: &mut Frame<'a>, op: &'a Op) {
        if let What::Fields { table, at, .. } = &op.what {
            return self.fields(frame, op, *table, *at);
        }
        let known = self.number(frame, op);
        let val = known.unwrap_or_else(|| self.made_value(frame, op));
        frame.set(op.binds[0], val);
    }

    /// Numbers and places.
    fn number(&mut self, frame: &Frame<'a>, op: &'a Op) -> Option<Val> {
        let module = self.fast.module;
        Some(match &op.what {
            What::Load { place, repr } => {
                let at = frame.pos(place.base).behind(place.plus.into());
                let wanted = module.hint(&module[frame.id], op.binds[0]);
                Val::Is(name(self.slot(&at, code(*repr), repr.width(), wanted)))
            }
            What::Add { at, size } if self.is_writing() => match (frame.val(at.base), frame.arg(*size)) {
                (Val::Region(region), Val::Known(size)) => Val::Region(region.behind(at.plus + size as u32)),
                _ => return None,
            },
            What::Element { place, .. } if self.is_writing() => match frame.val(place.base) {
                Val::Region(cell @ Region::Cell { .. }) => Val::Region(cell.behind(place.plus)),
                _ if self.fast.has_segments() => self.seated(),
                _ => return None,
            },
            What::Add { at, size } => match frame.arg(*size) {
                Val::Known(size) => Val::Pos(frame.pos(at.base).behind(u64::from(at.plus) + size)),
                size => Val::Pos(self.moved(&frame.pos(at.base).behind(at.plus.into()), number(&size))),
            },
            What::Behind { at, count, each } => {
                let bytes = match frame.arg(*count) {
                    Val::Known(count) => int(count * u64::from(*each)),
                    count => binary(number(&count), "*", int(*each)),
                };
                Val::Pos(self.moved(&frame.pos(*at), bytes))
            }
            What::Element { place, index, stride, .. } => {
                let start = frame.pos(place.base).behind(place.plus.into());
                let bytes = binary(number(&frame.val(*index)), "*", int(*stride));
                Val::Pos(self.moved(&start, bytes))
            }
            What::Equal { a, b } => match (frame.arg(*a), frame.arg(*b)) {
                (Val::Known(a), Val::Known(b)) => Val::Known((a == b).into()),
                (a, b) => Val::Is(binary(number(&a), "==", number(&b))),
            },
            What::AtLeast { a, b } => match (frame.arg(*a), frame.arg(*b)) {
                (Val::Known(a), Val::Known(b)) => Val::Known((a >= b).into()),
                (a, b) => Val::Is(binary(number(&a), ">=", number(&b))),
            },
            // All that a writer of this version writes is there.
            What::Present { .. } | What::Whole { .. } => Val::Known(1),
            What::Lack { .. } => Val::Known(0),
            What::End => Val::Nothing,
            _ => return None,
        })
    }

    fn made_value(&mut self, frame: &mut Frame<'a>, op: &'a Op) -> Val {
        let module = self.fast.module;
        match &op.what {
            What::Scalar { place, scalar } => {
                let at = frame.pos(place.base).behind(place.plus.into());
                Val::Is(self.scalar(scalar, &at, "value"))
            }
            What::Decimal { place } => {
                let at = frame.pos(place.base).behind(place.plus.into());
                let stored = self.slot(&at, "16s", 16, "decimal");
                let made = self.fast.helped("decimal_of", vec![name(stored)]);
                Val::Is(name(self.keep("decimal", made)))
            }
            What::Chars { place, width, encoding } => {
                let at = frame.pos(place.base).behind(place.plus.into());
                Val::Is(self.chars(&at, *width, *encoding, "text"))
            }
            What::Bytes { at, size, text } => {
                let start = frame.pos(*at);
                let end = self.moved(&start, number(&frame.arg(*size)));
                let (from, to) = (self.place(&start), self.place(&end));
                Val::Is(decoded(slice(name("d"), from, to), *text))
            }
            What::Literal { value } => Val::Is(self.fast.values.literal(&module[*value].value, &module[*value].ty)),
            What::Make { record, fields } => {
                let fields = fields.iter().map(|field| number(&frame.val(*field))).collect();
                Val::Is(call(self.fast.values.names.of(*record), fields))
            }
            What::Arm { union, tag, arm } => {
                let value = number(&frame.val(*arm));
                let tag = number(&frame.arg(*tag));
                Val::Is(self.arm(*union, tag, value))
            }
            What::Row { at, count, scalar, of } => {
                let place = frame.pos(at.base).behind(at.plus.into());
                let items = self.row(&place, number(&frame.arg(*count)), scalar);
                let made = self.collected(*of, items);
                Val::Is(name(self.keep("list", made)))
            }
            What::Scalars { at, count, scalar, of, .. } => {
                let start = frame.pos(*at);
                let count = number(&frame.arg(*count));
                let end = self.moved(&start, binary(count.clone(), "*", int(scalar.repr.width())));
                let items = self.row(&start, count, scalar);
                let made = self.collected(*of, items);
                self.tail = self.tail.as_ref().map(|_| end.clone());
                frame.set(op.binds[1], Val::Pos(end));
                Val::Is(name(self.keep("list", made)))
            }
            _ => Val::Is(self.odd()),
        }
    }

    fn fields(&mut self, frame: &mut Frame<'a>, op: &'a Op, id: TableId, at: Sym) {
        let module = self.fast.module;
        let base = frame.pos(at);
        for (bind, (row, cell)) in op.binds.iter().zip(module[id].plain()) {
            let wanted = row.name.map_or("item", |own| &module[own]);
            let value = self.cell(cell, &base, (row.at, row.width), wanted);
            frame.set(*bind, Val::Is(value));
        }
    }

    fn called(&mut self, frame: &mut Frame<'a>, op: &'a Op, id: RoutineId, args: &'a [Arg]) {
        if self.is_writing() {
            if self.fast.has_segments() {
                return self.words_call(frame, id, args);
            }
            return self.writing_call(frame, id, args);
        }
        let module = self.fast.module;
        let routine = &module[id];
        let mut inner = Frame::new(id, routine);
        for (param, arg) in routine.params.iter().zip(args) {
            if !matches!(arg, Arg::Sym(sym) if frame.ty(*sym).is_state()) {
                inner.set(*param, frame.arg(*arg));
            }
        }
        self.agree(&inner);
        let places: Vec<Pos> = routine
            .params
            .iter()
            .filter(|param| inner.ty(**param) == Ty::Pos && !self.fast.is_role(id, **param, "pointers"))
            .map(|param| inner.pos(*param))
            .collect();
        if self.fast.is_inlined(id) {
            self.known(&mut inner);
            let given = self.routine(&mut inner);
            return self.bind(frame, op, given);
        }
        self.is_odd |= !self.fast.read(id);
        let has_segments = self.fast.has_segments();
        let mut given = vec![name("d")];
        given.extend(places.iter().map(|place| self.place(place)));
        given.extend(has_segments.then(|| name("left")));
        given.extend(self.depth_given(id));
        let own = self.fresh("record");
        let state = if has_segments { "left".to_owned() } else { self.fresh("at") };
        let called = apply(self.fast.function(id), given);
        self.push(Stmt::Bind(row(vec![own.clone(), state.clone()]), called));
        let behind = Pos { base: state, plus: 0 };
        let mut results = vec![Val::Is(name(own))];
        if !has_segments {
            match self.tail.is_some() {
                true => {
                    self.tail = Some(behind);
                    // In the place of a record there are as many bytes as its run has.
                    let size = own_size(module, &routine.body).map(|size| places.first().map(|at| at.behind(size)));
                    results.extend(size.flatten().map(Val::Pos));
                }
                false => results.push(Val::Pos(behind)),
            }
        }
        self.bind(frame, op, results);
    }

    /// A record is told what it expects.
    fn agree(&mut self, inner: &Frame<'a>) {
        let fast = &*self.fast;
        let extent = inner.routine.params.iter().find(|param| fast.is_role(inner.id, **param, "extent"));
        let wanted = fast.facts[inner.id.0 as usize].acting;
        match (extent.map(|extent| inner.val(*extent)), wanted) {
            (Some(Val::Known(have)), Some(wanted)) => self.is_odd |= have != wanted,
            (Some(Val::Is(have)), Some(wanted)) => self.odd_if(binary(have, "!=", int(wanted))),
            _ => {}
        }
    }
}

/// The bytes of the first run of a block, where it has one.
fn own_size(module: &aldis_routine::Module, block: &Block) -> Option<u64> {
    block.ops.iter().find_map(|op| match &op.what {
        What::Extent { table, .. } => Some(module[*table].size.into()),
        what => aldis_routine::visit::blocks(what).into_iter().find_map(|block| own_size(module, block)),
    })
}
