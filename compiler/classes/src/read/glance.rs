//! A glance at a message, the fast way of a check: numbers in variables, one test for what may be wrong, no state and no path. It gives
//! what is left, or a number below zero where anything is unusual; the careful check looks again then, and says what it is.
//! Unusual messages may be right: a record that ends before its last field, as those of older writers do, a budget beyond 31 bits; they
//! cost both looks. A quick reader is a glance that makes the value of what it sees (`values`).

mod able;
mod bounds;
mod heads;
mod nesting;
mod paid;
mod pointers;
mod rows;
mod values;
pub use able::Able;

use super::parts::{self, Part};
use super::segments::Arm;
use super::{cells, Reading};
use crate::body::{narrow, Body, INTO, SEGMENT};
use crate::tree::{binary, call, cast, int, name, run, truth, Expr, Line, Member};
use aldis_plan::{Container, Extent, Repr};
use aldis_routine::{Arg, Block, Hint, ListId, Op, Purpose, Routine, RoutineId, Subject, Sym, TableId, Ty, What};

/// A method in the making, and the names of what it has in variables.
struct Glance<'r, 'm> {
    reading: &'r mut Reading<'m>,
    body: Body<'m>,
    end: Expr,
    /// The first byte of the segment, of a message of segments.
    low: String,
    depth: Expr,
    left: Expr,
    /// Numbers, each known to be at least what stands beside it, and those that are known to have 31 bits.
    known: Vec<(Expr, i128)>,
    small: Vec<Expr>,
    /// Places that have a variable from here on, and how they were written before.
    moved: Vec<(Sym, Expr)>,
    /// Known charges that are yet to be paid.
    debt: i128,
    /// Something was paid since what is left was looked at, by the method or by its caller.
    owes: bool,
    /// All was looked at and paid before.
    is_sure: bool,
    /// All that the message may be charged was looked at when it began.
    is_paid: bool,
    /// How many levels the method enters, where that is known: its caller looked at how many it may.
    nesting: Option<u32>,
    /// The bits of registers.
    bits: Vec<(Expr, u32)>,
}

impl<'m> Reading<'m> {
    /// `glance`, `glanceMessageFinal`
    pub(super) fn glance_name(&self, routine: &Routine) -> String {
        let what = if matches!(routine.of, Subject::Message(_)) { "Message" } else { "" };
        let verb = if routine.purpose == Purpose::Read { "quickRead" } else { "glance" };
        let own = format!("{verb}{what}{}", aldis_emit::names::capital(self.suffix));
        self.kinds.dialect.method(own)
    }

    /// The methods of those of the routines that a glance or a quick reader can be had of.
    pub(super) fn glances(&mut self, own: &[&'m Routine]) -> Vec<Member> {
        let mut members = Vec::new();
        for routine in own.iter().filter(|routine| self.able.does(routine)) {
            if self.able.is_row(routine) {
                members.push(self.filler(routine));
            }
            if self.able.is_called(routine) {
                members.push(self.glance(routine));
            }
        }
        members
    }

    fn has_segments(&self) -> bool {
        matches!(self.module.container, Container::Segments(_))
    }

    /// Whether a glance is given a parameter of the check: faults alone ask which record is the message's own, and a version says nothing
    /// where nothing came with one.
    fn takes(&self, routine: &Routine, param: Sym) -> bool {
        let symbol = &routine.symbols[param.0 as usize];
        match symbol.ty {
            Ty::Budget | Ty::Depth | Ty::Bool => false,
            _ if self.has_segments() && symbol.hint == SEGMENT => false,
            _ => symbol.hint != Hint::Role("version") || self.able.has_versions,
        }
    }

    /// Whether a glance gives the place behind what it saw, beside what is left: that of a message, and of records that others lie behind.
    fn gives_place(&self, routine: &Routine) -> bool {
        self.able.gives_places || matches!(routine.of, Subject::Message(_))
    }

    fn glance(&mut self, routine: &'m Routine) -> Member {
        let mut body = Body::new(self.module, self.kinds, routine);
        let [bytes, end, depth, left] = ["b", "end", "depth", "left"].map(|own| body.name(own));
        let mut list = vec![("int".to_owned(), end.clone())];
        let low = body.name("low");
        body.is_single = self.has_segments();
        if body.is_single && matches!(routine.of, Subject::Record(_)) {
            list.push(("int".to_owned(), low.clone()));
        }
        for param in routine.params.iter().copied().filter(|param| self.takes(routine, *param)) {
            let own = body.fresh(param);
            body.is(param, name(own.as_str()));
            list.push((body.number_type(param).to_owned(), own));
        }
        let levels = self.able.levels(routine);
        let is_message = matches!(routine.of, Subject::Message(_));
        if levels.is_none() || is_message {
            list.push(("int".to_owned(), depth.clone()));
        }
        let paid = self.able.paid;
        let is_paid_record = paid.is_some() && !is_message;
        if !is_paid_record {
            list.push(("long".to_owned(), left.clone()));
        }
        if routine.purpose == Purpose::Read {
            list.push((self.kinds.names.of(routine.of.record(self.module)).to_owned(), INTO.to_owned()));
            self.fill(&mut body, routine);
            body.is_long = true;
        }
        let params = list.into_iter().map(|(ty, own)| format!("{ty} {own}")).collect::<Vec<_>>();
        let whole = std::mem::replace(&mut self.bytes, name(bytes.as_str()));
        let [end, depth, left] = [end, depth, left].map(name);
        let mut own = Glance { end, low, depth, left, is_paid: paid.is_some(), ..Glance::new(self, body) };
        if let (Some(levels), Subject::Message(_)) = (levels, routine.of) {
            own.enter(levels.into());
        }
        own.owes = !is_message && paid.is_none();
        own.nesting = levels;
        if let (Some(rate), true) = (paid, is_message) {
            own.afford(rate);
        }
        own.block(&routine.body);
        own.settle();
        own.pay_debt();
        let behind = routine.body.gives.iter().zip(&routine.results).find(|(_, ty)| **ty == Ty::Pos);
        let behind = behind.map_or(int(0), |(given, _)| own.body.arg(*given));
        let high = binary(own.left.clone(), "<<", int(32));
        own.body.lines.push(Line::Return(match own.reading.gives_place(routine) {
            _ if is_paid_record => behind,
            true => binary(high, "+", behind),
            false => own.left.clone(),
        }));
        let lines = own.body.lines;
        self.bytes = whole;
        self.parts.clear();
        let gives = if is_paid_record { "int" } else { "long" };
        let head = self.kinds.dialect.glance_head(gives, &self.glance_name(routine), &bytes, &params);
        Member::Method { doc: String::new(), head, body: lines }
    }
}

impl<'r, 'm> Glance<'r, 'm> {
    fn new(reading: &'r mut Reading<'m>, body: Body<'m>) -> Self {
        Self {
            reading,
            body,
            end: int(0),
            low: String::new(),
            depth: int(0),
            left: int(0),
            known: Vec::new(),
            small: Vec::new(),
            moved: Vec::new(),
            debt: 0,
            owes: true,
            is_sure: false,
            is_paid: false,
            nesting: None,
            bits: Vec::new(),
        }
    }
}

impl<'m> Glance<'_, 'm> {
    fn arg(&self, arg: Arg) -> Expr {
        self.body.arg(arg)
    }

    fn sym(&self, sym: Sym) -> Expr {
        self.body.sym(sym)
    }

    fn block(&mut self, block: &'m Block) {
        self.reading.expect_fields(&mut self.body, block);
        for (index, op) in block.ops.iter().enumerate() {
            match &op.what {
                // A message of no record, which is unusual.
                What::If { test, other, .. } if self.has_no_record() => {
                    let test = self.sym(*test);
                    self.refuse(test);
                    self.body.pass(&op.binds, &other.gives);
                    self.block(other);
                    self.body.alias(op, other);
                }
                What::If { test, then, other } => self.choice(op, (*test, found_none(block, *test)), [then, other]),
                What::Within { body: inner, .. } | What::Level { body: inner, .. } => {
                    self.body.pass(&op.binds, &inner.gives);
                    if let What::Level { .. } = &op.what {
                        self.enter(1);
                        let own = self.depth.clone();
                        self.depth = binary(own.clone(), "-", int(1));
                        self.block(inner);
                        self.depth = own;
                    } else {
                        self.block(inner);
                    }
                    self.body.alias(op, inner);
                }
                What::Call { routine, args } => self.call(op, *routine, args),
                What::Switch { .. } => self.switch(op, block.ops.get(index + 1)),
                What::Refuse { .. } => self.body.lines.push(Line::Return(int(-1))),
                What::Loop { .. } | What::Each { .. } => self.looped(&block.ops[..index], op),
                What::Fit { count, least, at, .. } => {
                    self.expect_runs(*least, &block.ops[index + 1..]);
                    let count = self.number("count", self.arg(*count));
                    self.fit(count.clone(), self.arg(*least), self.sym(*at));
                    self.body.is(op.binds[0], count);
                }
                _ => self.op(op),
            }
            self.body.put_fields(&op.binds);
        }
    }

    /// One of two ways: what is found to be nothing in the first is more than that in the other.
    fn choice(&mut self, op: &'m Op, (test, none): (Sym, Option<Arg>), blocks: [&'m Block; 2]) {
        blocks.iter().for_each(|way| self.body.pass(&op.binds, &way.gives));
        let test = self.sym(test);
        self.pay_debt();
        let (owed, known) = (self.owes, self.known.len());
        let mut owes = false;
        let mut nones = [None, none].into_iter();
        let mut ways = blocks.map(|way| {
            self.owes = owed;
            if let Some(number) = nones.next().flatten().map(|number| self.arg(number)) {
                if self.bits_of(&number) < 64 {
                    self.known.push((number, 1));
                }
            }
            let made = self.way(way);
            owes |= self.owes;
            made
        });
        self.known.truncate(known);
        self.owes = owes;
        if crate::tree::is_true(&test) || crate::tree::is_false(&test) {
            let own = usize::from(crate::tree::is_false(&test));
            return self.only(op, blocks[own], &mut ways[own].0);
        }
        self.body.join(&op.binds, &mut ways);
        let [(then, _), (other, _)] = ways;
        self.body.test(test, then, other);
    }

    /// Whether what is to be tested is that a message of segments has no record.
    fn has_no_record(&self) -> bool {
        self.reading.has_segments() && matches!(self.body.routine.of, Subject::Message(_))
    }

    /// Facts found within a way do not hold behind it, and its variables are not there.
    fn way(&mut self, block: &'m Block) -> (Vec<Line>, Vec<crate::body::Joined>) {
        let (known, small, moved) = (self.known.len(), self.small.len(), self.moved.len());
        let parts = self.reading.parts.len();
        let outer = std::mem::take(&mut self.body.lines);
        self.block(block);
        self.pay_debt();
        let lines = std::mem::replace(&mut self.body.lines, outer);
        self.known.truncate(known);
        self.small.truncate(small);
        self.reading.parts.truncate(parts);
        let given = self.body.joined(&block.gives);
        for (place, before) in self.moved.drain(moved..).rev() {
            self.body.is(place, before);
        }
        (lines, given)
    }

    fn only(&mut self, op: &Op, block: &Block, lines: &mut Vec<Line>) {
        self.body.lines.append(lines);
        self.body.alias(op, block);
    }

    /// A union: each way makes its arm.
    fn switch(&mut self, op: &'m Op, next: Option<&'m Op>) {
        let What::Switch { on, arms, other } = &op.what else { return };
        let tag = self.body.short(*on);
        let arm = Arm::of(&self.body, next);
        self.pay_debt();
        let owed = self.owes;
        let mut owes = false;
        let blocks = arms.iter().map(|(tag, arm)| (Some(*tag), arm)).chain([(None, other)]);
        let made = blocks.map(|(known, block)| {
            self.reading.expect_held(&mut self.body, &arm, known, block);
            self.owes = owed;
            let (lines, mut gives) = self.way(block);
            owes |= self.owes;
            self.reading.close_arm(&arm, (known, &tag), &mut gives);
            (lines, gives)
        });
        let mut ways: Vec<_> = made.collect();
        self.owes = owes;
        self.body.join(&op.binds, &mut ways);
        self.body.switched(tag, arms, ways);
    }

    fn call(&mut self, op: &Op, id: RoutineId, args: &[Arg]) {
        let module = self.reading.module;
        let called = &module[id];
        self.pay_debt();
        let given = called.params.iter().zip(args).filter(|(param, _)| self.reading.takes(called, **param));
        let given: Vec<Expr> = given.map(|(_, arg)| self.arg(*arg)).collect();
        let low = self.reading.has_segments().then(|| name(self.low.as_str()));
        let front = [self.reading.bytes.clone(), self.end.clone()].into_iter().chain(low).chain(given);
        let record = called.of.record(module);
        let into = (called.purpose == Purpose::Read).then(|| self.object(op, record));
        let depth = match self.reading.able.levels(called) {
            Some(levels) => {
                self.enter(levels.into());
                None
            }
            None => Some(self.depth.clone()),
        };
        let left = (!self.is_paid).then(|| self.left.clone());
        let args = front.chain(depth).chain(left).chain(into).collect();
        let function = self.reading.kinds.of_codec(record, &self.reading.glance_name(called));
        if !self.is_paid && !self.reading.gives_place(called) {
            self.body.lines.push(Line::Assign(self.left.clone(), "=", run(function, args)));
            // Records may be reached on many ways: none is looked at again once the budget is spent.
            self.owes = false;
            return self.refuse(binary(self.left.clone(), "<", int(0)));
        }
        self.owes = false;
        let rest = self.body.constant(if self.is_paid { "int" } else { "long" }, "rest", run(function, args));
        self.refuse(binary(rest.clone(), "<", int(0)));
        if !self.is_paid {
            self.body.lines.push(Line::Assign(self.left.clone(), "=", binary(rest.clone(), ">>>", int(32))));
        }
        for bind in &op.binds {
            if self.body.ty(*bind) == Ty::Pos && self.body.uses[bind.0 as usize] > 0 {
                match self.is_paid {
                    true => self.body.is(*bind, rest.clone()),
                    false => self.body.keep(*bind, run("Wire.low", vec![rest.clone()])),
                }
            }
        }
    }

    fn looped(&mut self, before: &'m [Op], op: &'m Op) {
        match (rows::rows(self.reading.module, before, op), &op.what) {
            (Some(rows), _) => self.rows(op, &rows),
            (_, What::Loop { count, carry, body: inner }) => self.turns(op, (*count, carry, inner), None),
            (_, What::Each { count, carry, of, body: inner }) => {
                self.turns(op, (*count, carry, inner), Some(*of));
            }
            _ => {}
        }
    }

    fn turns(&mut self, op: &Op, (count, carry, inner): (Arg, &[Arg], &'m Block), of: Option<ListId>) {
        let count = self.number("count", self.arg(count));
        self.settle();
        let owed = self.owes;
        let list = of.map(|of| self.list(op, of, &count));
        let items = inner.gives.len() - carry.len();
        let (turn, nexts) = self.body.carried(carry, inner);
        if let Some(list) = &list {
            list.expect_items(&mut self.body, inner.gives.first(), &turn);
        }
        let (mut lines, mut given) = self.way(inner);
        if let Some(list) = &list {
            let (put, ()) = self.body.apart(|body| self.reading.put_item(body, list, &inner.gives[..items], &turn));
            lines.extend(put);
            given.drain(..items);
        }
        if std::mem::replace(&mut self.owes, owed) {
            lines.push(Line::If(binary(self.left.clone(), "<", int(0)), vec![Line::Return(int(-1))], Vec::new()));
        }
        lines.extend(Body::advanced(&nexts, given));
        // Loops that make values are faster up to an `int`, those that check are not.
        let most = if self.body.checks() { count.clone() } else { narrow(count.clone()) };
        self.body.lines.push(Line::For(turn, most, lines));
        if let Some(list) = list {
            self.reading.close_list(&mut self.body, list, count, op.binds.first().copied());
        }
        self.body.behind(&op.binds[op.binds.len() - carry.len()..], nexts);
    }

    fn op(&mut self, op: &'m Op) {
        let first = op.binds.first().copied().unwrap_or(Sym(0));
        if self.reads() && self.made(op) {
            return;
        }
        match &op.what {
            What::Extent { table, at, acting, version, .. } => self.extent(op, (*table, *at), (*acting, *version)),
            What::Head { table, at, .. } => {
                let found = self.head(*table, *at);
                let behind = crate::tree::plus(self.sym(*at), self.reading.module[*table].size);
                for (bind, value) in op.binds.iter().zip(found.into_iter().chain([behind])) {
                    self.body.set(*bind, value);
                }
                for (bind, bits) in op.binds.iter().zip(heads::registers(&self.reading.module[*table])) {
                    self.bits.push((self.sym(*bind), bits));
                }
            }
            What::Equal { a, b: Arg::Const(0) } if self.is_some(*a) => self.body.is(first, truth(false)),
            What::Counted { table, at, text, .. } => self.counted(op, (*table, *at), *text),
            What::Lack { of, block, pointers, version } => {
                self.lack_nothing(*of, [*block, *pointers], *version);
                self.body.is(first, int(0));
            }
            What::Present { since, reach, extent, version } => {
                self.reach(self.arg(*extent), i128::from(*reach));
                self.since(*since, *version);
                self.body.is(first, truth(true));
            }
            What::Whole { table, extent, version } => {
                let module = self.reading.module;
                let table = &module[*table];
                self.reach(self.arg(*extent), i128::from(table.size));
                self.since(table.newest, *version);
                self.body.is(first, truth(true));
            }
            What::End => self.body.is(first, self.end.clone()),
            What::Segments(what) => self.segments(op, what),
            What::Scalars { at, count, scalar, of, .. } => self.scalars(op, (*at, *count), scalar, *of),
            What::Decimal { place } => self.decimal(first, *place),
            _ => match self.reading.number(&self.body, op) {
                Some(number) => {
                    self.body.set(first, number);
                    if let What::Load { repr, .. } = &op.what {
                        self.bits.push((self.sym(first), 8 * repr.width()));
                    }
                }
                None => self.guard(op, first),
            },
        }
    }

    fn extent(&mut self, op: &Op, (id, at): (TableId, Sym), (acting, version): (Arg, Arg)) {
        let module = self.reading.module;
        let table = &module[id];
        let start = self.start_of(at);
        let last = table.extras.last().copied().unwrap_or((0, 0));
        let whole = i128::from(last.0.max(u64::from(table.size)));
        self.since(table.newest, version);
        let size = match table.extent {
            Extent::Exact | Extent::Sections { .. } => {
                self.within(int(table.size), start.clone());
                int(table.size)
            }
            Extent::Acting => {
                let size = self.arg(acting);
                self.sized(size.clone(), whole, start.clone());
                size
            }
            Extent::Stated { head } => {
                let (away, repr) = table.stated().unwrap_or((0, Repr::U32));
                let whole = whole.max(i128::from(head));
                self.within(int(whole), start.clone());
                let load = self.reading.register(repr, crate::tree::plus(start.clone(), away));
                let size = self.body.constant("long", "size", load);
                self.sized(size.clone(), whole, start.clone());
                size
            }
        };
        let all = match (&size, last.1) {
            (Expr::Int(size), more) => int(size + i128::from(more)),
            (_, 0) => size.clone(),
            (_, more) => binary(size.clone(), "+", Expr::Long(more.into())),
        };
        self.pay(all);
        self.part(at, start, table.size);
        self.body.is(op.binds[0], size);
    }

    /// A place has a variable from here on.
    fn start_of(&mut self, at: Sym) -> Expr {
        let start = self.body.constant("int", "at", self.sym(at));
        self.moved.push((at, self.sym(at)));
        self.body.is(at, start.clone());
        start
    }

    /// Bytes that were found to be there become a part, where much is read of them.
    fn part(&mut self, at: Sym, start: Expr, size: u32) {
        let Some(class) = self.reading.kinds.dialect.part(false) else { return };
        if parts::is_worth(self.reading.module, &self.body.routine.body, at) {
            let made = call(self.reading.bytes.clone(), "slice", vec![start.clone(), int(size)]);
            let own = self.body.name("part");
            self.body.lines.push(Line::Declare(class.to_owned(), own.clone(), Some(made)));
            self.reading.parts.push(Part { at: start, size, bytes: name(own) });
        }
    }

    fn guard(&mut self, op: &Op, first: Sym) {
        match &op.what {
            What::Need { at, size, .. } => {
                let (size, at) = (self.arg(*size), self.sym(*at));
                self.within(size.clone(), at);
                self.body.is(first, size);
            }
            What::Least { size, least, .. } => {
                let size = self.arg(*size);
                self.reach(size.clone(), i128::from(*least));
                self.body.is(first, size);
            }
            What::Expect { have, want, .. } => self.refuse(binary(self.arg(*have), "!=", super::wide(*want))),
            What::Follow { base, offset, .. } => {
                let (base, offset) = (self.sym(*base), self.number("offset", self.arg(*offset)));
                self.away(offset.clone(), self.room(base.clone()));
                self.body.keep(first, binary(base, "+", short(offset)));
            }
            What::Root { offset, start } => {
                let (start, offset) = (self.sym(*start), self.number("offset", self.arg(*offset)));
                self.within(offset.clone(), start.clone());
                self.body.keep(first, binary(start, "+", short(offset)));
            }
            What::Bound { size, head, .. } => {
                let (start, size) = (self.start(), self.number("size", self.arg(*size)));
                let above = binary(size.clone(), ">", self.room(start.clone()));
                self.refuse(binary(binary(size.clone(), "<", int(*head)), "||", above));
                self.body.lines.push(Line::Assign(self.end.clone(), "=", binary(start, "+", short(size))));
            }
            What::Same { size, end, .. } => {
                let behind = binary(self.sym(*end), "-", self.start());
                self.refuse(binary(self.arg(*size), "!=", behind));
            }
            What::Charge { amount, .. } | What::Extra { amount, .. } => self.pay_all(amount),
            What::Unpaid { .. } if self.is_paid => {}
            What::Unpaid { from, at, amount, .. } => {
                let test = binary(self.sym(*from), "==", self.sym(*at));
                let pay = Line::Assign(self.left.clone(), "-=", int(*amount));
                self.body.lines.push(Line::If(test, vec![pay], Vec::new()));
                self.owes = true;
            }
            what => unreachable!("no glance has {what:?}"),
        }
    }

    /// The first byte of the message, in routines of a message.
    fn start(&self) -> Expr {
        self.body.routine.params.first().map_or(int(0), |start| self.sym(*start))
    }
}

/// The number that a test asks of whether it is 0.
fn found_none(block: &Block, test: Sym) -> Option<Arg> {
    block.ops.iter().find_map(|op| match op.what {
        What::Equal { a, b: Arg::Const(0) } if op.binds.contains(&test) => Some(a),
        _ => None,
    })
}

/// A number that is known to be a distance, as one.
fn short(number: Expr) -> Expr {
    match number {
        known @ Expr::Int(_) => known,
        wide => cast("int", wide),
    }
}
