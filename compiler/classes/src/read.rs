//! Routines that read, as methods that give a value or throw what is wrong, with its place and its path: what fails is asked
//! where it may fail, and costs nothing where it does not.

mod cells;
mod constants;
mod faults;
pub mod glance;
mod lists;
mod methods;
mod parts;
pub use methods::by_record;
mod segments;
pub mod views;

use crate::body::{narrow, state, Body, IN, INTO};
use crate::kinds::dialect::Known;
use crate::kinds::{is_null, Kinds, Val};
use crate::tree::{binary, call, cast, int, member, name, plus, run, Expr, Line};
use aldis_plan::{Extent, Repr, Scalar};
use aldis_routine::{
    Arg, Block, Hint, Holds, LackId, ListId, Module, Op, Purpose, Register, Routine, RoutineId, Subject, Sym, Table,
    TableId, Ty, What,
};
use aldis_schema::Type;
use constants::Constants;
use faults::can_fault;
use glance::Able;
use parts::Part;
use std::collections::HashMap;

/// The readers of one form: methods and constants of the classes that they are put into.
pub struct Reading<'m> {
    pub module: &'m Module,
    pub kinds: &'m Kinds<'m>,
    /// The suffix that tells the methods of one form from those of another.
    pub suffix: &'m str,
    /// The constants of the class that is being made, by what they hold.
    pub cuts: HashMap<TableId, String>,
    pub lacks: HashMap<LackId, String>,
    constants: Constants,
    /// The path from the run to the value that is read.
    pub steps: Vec<Expr>,
    /// The value that was before where the next one goes.
    old: Option<Expr>,
    /// The message's bytes.
    bytes: Expr,
    /// Parts of them that have a variable.
    parts: Vec<Part>,
    able: &'m Able,
}

impl<'m> Reading<'m> {
    pub fn new(module: &'m Module, kinds: &'m Kinds<'m>, suffix: &'m str, able: &'m Able) -> Self {
        Self {
            module,
            kinds,
            suffix,
            cuts: HashMap::new(),
            lacks: HashMap::new(),
            constants: Constants::default(),
            steps: Vec::new(),
            old: None,
            bytes: member(name(IN), "b"),
            parts: Vec::new(),
            able,
        }
    }

    /// Values of fields go into an object that was used, where one is to be filled.
    fn expect_fields(&self, body: &mut Body<'m>, block: &'m Block) {
        for op in &block.ops {
            let old = op.binds.first().and_then(|bind| body.olds.get(bind)).filter(|old| **old == name(INTO)).cloned();
            if let (What::Make { record, fields }, Some(old)) = (&op.what, old) {
                let names = self.kinds.names.fields(*record).iter();
                let old = |(sym, own): (&Sym, &String)| (*sym, member(old.clone(), own.clone()));
                body.olds.extend(fields.iter().zip(names).map(old));
                body.expect_fields(*record, fields);
            }
        }
    }

    fn block(&mut self, body: &mut Body<'m>, block: &'m Block) {
        self.expect_fields(body, block);
        for (index, op) in block.ops.iter().enumerate() {
            match &op.what {
                What::Switch { .. } => self.switch(body, op, block.ops.get(index + 1)),
                _ => self.op(body, op),
            }
            body.put_fields(&op.binds);
        }
    }

    fn op(&mut self, body: &mut Body<'m>, op: &'m Op) {
        self.old = op.binds.first().and_then(|bind| body.olds.get(bind).cloned());
        match &op.what {
            What::If { test, then, other } => {
                let test = body.sym(*test);
                body.pass(&op.binds, &then.gives);
                body.pass(&op.binds, &other.gives);
                let mut ways = [then, other].map(|way| self.way(body, way));
                body.join(&op.binds, &mut ways);
                let [(then, _), (other, _)] = ways;
                body.test(test, then, other);
            }
            What::Within { frame, body: inner } => {
                body.pass(&op.binds, &inner.gives);
                let (lines, ()) = body.apart(|body| self.block(body, inner));
                match can_fault(inner) {
                    true => body.framed(op, *frame, &inner.gives, lines),
                    false => {
                        body.lines.extend(lines);
                        body.alias(op, inner);
                    }
                }
            }
            What::Level { at, body: inner, .. } => {
                body.act("enter", vec![body.sym(*at)]);
                body.pass(&op.binds, &inner.gives);
                self.block(body, inner);
                body.lines.push(Line::Step(member(name(IN), "depth")));
                body.alias(op, inner);
            }
            What::Call { routine, args } => self.call(body, op, *routine, args),
            What::Each { count, carry, of, body: inner } => self.each(body, op, (*count, carry, inner), Some(*of)),
            What::Loop { count, carry, body: inner } => self.each(body, op, (*count, carry, inner), None),
            What::Extent { .. } | What::Head { .. } | What::Counted { .. } => self.run(body, op),
            What::Segments(what) => self.segments(body, op, what),
            What::Fields { table, at, have } => self.fields(body, op, (*table, *at), *have),
            What::Scalars { at, count, scalar, of, .. } => {
                let size = body.constant("long", "size", binary(body.arg(*count), "*", int(scalar.repr.width())));
                body.act("charge", vec![size.clone(), body.sym(*at)]);
                let count = body.short(*count);
                let val = self.row((body.sym(*at), count, int(scalar.repr.width())), scalar, *of);
                body.keep_val(op.binds[0], val);
                body.set(op.binds[1], binary(body.sym(*at), "+", cast("int", size)));
            }
            what => {
                if let Some(val) = self.value(body, what) {
                    self.keep(body, op.binds[0], val);
                } else if let Some(number) = self.number(body, op) {
                    body.set(op.binds[0], number);
                } else {
                    self.guard(body, op);
                }
            }
        }
    }

    fn way(&mut self, body: &mut Body<'m>, block: &'m Block) -> (Vec<Line>, Vec<crate::body::Joined>) {
        let (lines, ()) = body.apart(|body| self.block(body, block));
        (lines, body.joined(&block.gives))
    }

    /// A value in a variable; the test for null follows where it may be null.
    pub fn keep(&mut self, body: &mut Body<'m>, sym: Sym, (val, scalar): (Val, Option<&Scalar>)) {
        body.keep_val(sym, val);
        let mut val = body.val(sym);
        if let Some(test) = scalar.and_then(|scalar| is_null(self.kinds, scalar, val.expr.clone())) {
            val.absent = Some(test);
            body.bind(sym, val);
        }
    }

    /// The routine that a call means, and what it is given. Other packages have no routines for views alone, which trust the bytes:
    /// those that check do the same, since nothing limits them behind a check.
    fn called(&self, id: RoutineId, args: &[Arg]) -> (&'m Routine, Vec<Arg>) {
        let called = &self.module[id];
        let careful = match called.purpose {
            _ if self.kinds.names.is_own(called.of.record(self.module)) => None,
            Purpose::Take => Some(Purpose::Read),
            Purpose::Skip => Some(Purpose::Check),
            _ => None,
        };
        let found = careful.and_then(|purpose| {
            self.module.routines.iter().find(|other| other.purpose == purpose && other.of == called.of)
        });
        let Some(other) = found else { return (called, args.to_vec()) };
        let given = |param: &Sym| {
            let known = called.params.iter().position(|own| own == param);
            known.map_or_else(|| unused(other.symbols[param.0 as usize].ty), |index| args[index])
        };
        (other, other.params.iter().map(given).collect())
    }

    fn call(&mut self, body: &mut Body<'m>, op: &'m Op, id: RoutineId, args: &'m [Arg]) {
        let (called, args) = self.called(id, args);
        let is_taken = |param: &Sym| !matches!(called.symbols[param.0 as usize].ty, Ty::Budget | Ty::Depth);
        let given = called.params.iter().zip(args).filter(|(param, _)| is_taken(param));
        let given = given.map(|(param, arg)| match (called.symbols[param.0 as usize].ty, arg) {
            (Ty::Bool, Arg::Const(number)) => crate::tree::truth(number != 0),
            (_, arg) if called.symbols[param.0 as usize].hint == Hint::Role("version") => capped(body, arg),
            (_, arg) => body.arg(arg),
        });
        let mut args: Vec<Expr> = [self.kinds.dialect.state(IN)].into_iter().chain(given).collect();
        let record = called.of.record(self.module);
        let function = self.kinds.of_codec(record, &self.function(called));
        if methods::fills(called.purpose) {
            let val = op.binds.iter().find(|bind| body.ty(**bind) == Ty::Val).and_then(|bind| body.olds.get(bind));
            args.push(match val {
                Some(old) if *old == name(INTO) => old.clone(),
                Some(old) => self.kinds.used(record, old.clone()),
                None => self.kinds.blank(record),
            });
        }
        if matches!(called.purpose, Purpose::Check | Purpose::Skip) {
            body.lines.push(Line::Do(run(function.clone(), args.clone())));
        }
        for bind in &op.binds {
            match body.ty(*bind) {
                Ty::Val => {
                    let val = Val { expr: run(function.clone(), args.clone()), ty: Type::Named(record), absent: None };
                    body.keep_val(*bind, val);
                }
                // Nothing moves the state's place between the last call and the end.
                Ty::Pos if body.is_end(op, *bind) => body.is(*bind, member(name(IN), "at")),
                Ty::Pos if body.uses[bind.0 as usize] > 0 => body.keep(*bind, member(name(IN), "at")),
                _ => {}
            }
        }
    }

    /// A loop, and the collection of what its block gives beside what is carried.
    fn each(
        &mut self,
        body: &mut Body<'m>,
        op: &'m Op,
        (count, carry, inner): (Arg, &'m [Arg], &'m Block),
        of: Option<ListId>,
    ) {
        let count = body.constant("long", "count", body.arg(count));
        let old = self.old.take();
        let list = of.map(|of| {
            let room = state("room", vec![count.clone()]);
            self.open_list(body, (of, old), room)
        });
        let items = inner.gives.len() - carry.len();
        let (turn, nexts) = body.carried(carry, inner);
        if let Some(list) = &list {
            list.expect_items(body, inner.gives.first(), &turn);
        }
        let (mut lines, ()) = body.apart(|body| {
            self.block(body, inner);
            if let Some(list) = &list {
                self.put_item(body, list, &inner.gives[..items], &turn);
            }
            let given = body.joined(&inner.gives[items..]);
            body.lines.extend(Body::advanced(&nexts, given));
        });
        if of.is_some() && can_fault(inner) {
            lines = vec![Line::Framed(lines, name(turn.as_str()))];
        }
        if !lines.is_empty() {
            body.lines.push(Line::For(turn, count.clone(), lines));
        }
        let behind = op.binds.len() - carry.len();
        if let Some(list) = list {
            self.close_list(body, list, count, op.binds.first().copied());
        }
        body.behind(&op.binds[behind..], nexts);
    }

    fn run(&mut self, body: &mut Body<'m>, op: &'m Op) {
        let module = self.module;
        match &op.what {
            What::Extent { table: id, at, acting, version, .. } => {
                let table = &module[*id];
                let at = body.constant("int", "at", body.sym(*at));
                let size = match table.extent {
                    Extent::Exact | Extent::Sections { .. } => int(table.size),
                    Extent::Acting => body.arg(*acting),
                    Extent::Stated { head } => {
                        let (away, repr) = table.stated().unwrap_or((0, Repr::U32));
                        body.act("need", vec![at.clone(), int(head)]);
                        let size = body.constant("long", "size", self.register(repr, plus(at.clone(), away)));
                        body.act("least", vec![size.clone(), int(head), plus(at.clone(), away)]);
                        size
                    }
                };
                let cut = self.cut(*id);
                body.act("run", vec![at.clone(), size.clone(), cut.clone(), body.arg(*version)]);
                if let Some((end, sum)) = table.extras.last() {
                    let within = call(cut, "extraWithin", vec![size.clone()]);
                    let all = cells::reaches(&size, i128::from(*end));
                    body.act("extra", vec![cells::choose(all, Expr::Long((*sum).into()), within), at]);
                }
                body.is(op.binds[0], size);
            }
            What::Head { table, at, root, .. } => {
                let found = self.head(body, *table, *at, *root);
                let behind = plus(body.sym(*at), module[*table].size);
                for (bind, value) in op.binds.iter().zip(found.into_iter().chain([behind])) {
                    body.set(*bind, value);
                }
            }
            What::Counted { table, at, root, text, .. } => {
                let found = self.head(body, *table, *at, *root);
                let length = body.constant("long", "length", found.last().cloned().unwrap_or(int(0)));
                let from = body.constant("int", "from", plus(body.sym(*at), module[*table].size));
                body.act("counted", vec![from.clone(), length.clone(), body.sym(*at)]);
                let length = match length {
                    Expr::Int(_) => length,
                    wide => cast("int", wide),
                };
                if !body.checks() {
                    let val = self.octets(*text, from.clone(), length.clone());
                    body.keep_val(op.binds[0], val);
                }
                body.set(op.binds[1], binary(from, "+", length));
            }
            _ => {}
        }
    }

    /// Checks a head; gives what reads its registers that are wanted.
    fn head(&mut self, body: &mut Body<'m>, id: TableId, at: Sym, root: Arg) -> Vec<Expr> {
        let module = self.module;
        let table: &Table = &module[id];
        let start = body.constant("int", "at", body.sym(at));
        body.is(at, start.clone());
        let cut = self.cut(id);
        body.act("head", vec![start.clone(), int(table.size), cut]);
        let mut found = Vec::new();
        for row in &table.rows {
            let place = plus(start.clone(), row.at);
            match row.holds {
                Holds::Register(Register::Wanted(repr)) => found.push(self.register(repr, place)),
                Holds::Register(Register::Expected(repr, want)) => {
                    let have = self.register(repr, place.clone());
                    body.act("expect", vec![have, wide(want), boolean(body, root), place]);
                }
                _ => {}
            }
        }
        found
    }

    /// The expression for an operation that gives a number and never fails.
    fn number(&mut self, body: &Body<'m>, op: &'m Op) -> Option<Expr> {
        Some(match &op.what {
            What::Load { place, repr } => self.register(*repr, body.place(*place)),
            What::Add { at, size } => match (body.place(*at), body.short(*size)) {
                (at, Expr::Int(size)) => plus(at, size),
                (at, size) => binary(at, "+", size),
            },
            What::Behind { at, count, each } => {
                binary(body.sym(*at), "+", narrow(binary(body.arg(*count), "*", int(*each))))
            }
            What::Element { place, index, stride, .. } => {
                binary(body.place(*place), "+", binary(body.sym(*index), "*", int(*stride)))
            }
            What::Equal { a, b } => binary(body.arg(*a), "==", body.arg(*b)),
            What::AtLeast { a, b } => {
                let order = run(self.kinds.dialect.known(Known::CompareUnsigned), vec![body.arg(*a), body.arg(*b)]);
                binary(order, ">=", int(0))
            }
            What::Present { since, reach, extent, version } => {
                let there = binary(body.arg(*extent), ">=", int(*reach));
                match (*since, *version) {
                    (0, _) | (_, Arg::Const(u64::MAX)) => there,
                    _ => binary(binary(body.arg(*version), ">=", int(*since)), "&&", there),
                }
            }
            What::Lack { of, block, pointers, version } => {
                let args = [block, pointers, version].map(|arg| body.arg(*arg));
                self.lacking(*of, args)
            }
            What::End => member(name(IN), "end"),
            _ => return None,
        })
    }

    /// The value that an operation makes.
    fn value(&mut self, body: &mut Body<'m>, what: &'m What) -> Option<(Val, Option<&'m Scalar>)> {
        let module = self.module;
        Some(match what {
            What::Scalar { place, scalar } => (self.scalar(scalar, body.place(*place)), Some(scalar)),
            What::Chars { place, width, encoding } => (self.chars(*encoding, body.place(*place), *width), None),
            What::Decimal { place } => {
                let expr = state("decimal", vec![body.place(*place)]);
                (Val { expr, ty: Type::Decimal, absent: None }, None)
            }
            What::Bytes { at, size, text } => (self.octets(*text, body.sym(*at), body.short(*size)), None),
            What::Literal { value } => (self.kinds.of(&module[*value], module), None),
            // The ways that lead here made the value.
            What::Arm { arm, .. } => (body.val(*arm), None),
            What::Make { record, fields } => {
                let class = self.kinds.names.of(*record).to_owned();
                let into = self.old.take().filter(|old| *old == name(INTO));
                let own = match &into {
                    Some(_) => INTO.to_owned(),
                    None => {
                        let own = body.name("value");
                        let made = self.kinds.blank(*record);
                        body.lines.push(Line::Declare(class, own.clone(), Some(made)));
                        own
                    }
                };
                if into.is_some() && !body.is_long {
                    body.lines.extend(crate::values::all_there(self.kinds, module, *record, &own));
                }
                for (field, sym) in fields.iter().enumerate() {
                    if into.is_some() && body.has_put(*sym) {
                        continue;
                    }
                    let val = body.val(*sym);
                    let put = crate::values::put(self.kinds, module, (*record, field), &own, (val, into.is_none()));
                    body.lines.extend(put);
                }
                (Val { expr: name(own), ty: Type::Named(*record), absent: None }, None)
            }
            What::Row { at, count, scalar, of } => {
                let row = (body.place(*at), body.short(*count), int(scalar.repr.width()));
                (self.row(row, scalar, *of), None)
            }
            _ => return None,
        })
    }

    /// The operations that check.
    fn guard(&mut self, body: &mut Body<'m>, op: &'m Op) {
        let arg = |body: &Body<'m>, arg: &Arg| body.arg(*arg);
        match &op.what {
            What::Need { at, size, .. } => {
                body.act("need", vec![body.sym(*at), arg(body, size)]);
                body.is(op.binds[0], body.arg(*size));
            }
            What::Least { size, least, place } => {
                body.act("least", vec![arg(body, size), int(*least), body.place(*place)]);
                body.is(op.binds[0], body.arg(*size));
            }
            What::Expect { have, want, place, root } => {
                body.act("expect", vec![arg(body, have), wide(*want), boolean(body, *root), body.place(*place)]);
            }
            What::Fit { count, least, at, blame } => {
                let args = vec![arg(body, count), arg(body, least), body.sym(*at), body.sym(*blame)];
                body.keep(op.binds[0], state("fit", args));
            }
            What::Follow { base, offset, place } => {
                let args = vec![body.sym(*base), arg(body, offset), body.place(*place)];
                body.keep(op.binds[0], state("follow", args));
            }
            What::Root { offset, start } => {
                body.keep(op.binds[0], state("root", vec![arg(body, offset), body.sym(*start)]));
            }
            What::Bound { size, head, place } => {
                body.act("bound", vec![arg(body, size), int(*head), body.place(*place)]);
            }
            What::Same { size, end, place } => {
                body.act("same", vec![arg(body, size), body.sym(*end), body.place(*place)]);
            }
            What::Refuse { place } => body.act("refuse", vec![body.place(*place)]),
            What::Charge { amount, at, .. } => {
                let args = body.amount(amount).into_iter().chain([body.sym(*at)]).collect();
                body.act("charge", args);
            }
            What::Extra { amount, at, .. } => {
                let args = body.amount(amount).into_iter().chain([body.sym(*at)]).collect();
                body.act("extra", args);
            }
            What::Unpaid { from, at, amount, .. } => {
                let pay = Line::Do(state("charge", vec![int(*amount), body.sym(*at)]));
                let test = binary(body.sym(*from), "==", body.sym(*at));
                body.lines.push(Line::If(test, vec![pay], Vec::new()));
            }
            what => unreachable!("no method has {what:?} yet"),
        }
    }
}

/// A number that a message must have.
fn wide(number: u64) -> Expr {
    match i32::try_from(number) {
        Ok(number) => int(number),
        Err(_) => Expr::Long(i128::from(number as i64)),
    }
}

fn boolean(body: &Body<'_>, arg: Arg) -> Expr {
    match arg {
        Arg::Const(number) => crate::tree::truth(number != 0),
        arg => body.arg(arg),
    }
}

/// A value as an object, null where it is absent.
pub fn boxed_val(kinds: &Kinds<'_>, val: &Val) -> Expr {
    match (kinds.primitive(&val.ty), &val.absent) {
        (Some(primitive), Some(absent)) => kinds.dialect.boxed_value(primitive, absent.clone(), val.expr.clone()),
        _ => val.expr.clone(),
    }
}

/// The argument of a parameter that matters to checks alone: the record is not the message's own, its place is told of no fault, and its
/// writer is the newest.
fn unused(ty: Ty) -> Arg {
    Arg::Const(if matches!(ty, Ty::Bool | Ty::Pos) { 0 } else { u64::MAX })
}

/// The name of a number in methods of the runtime.
pub fn method(repr: Repr) -> &'static str {
    match repr {
        Repr::Bool | Repr::Bit(_) | Repr::Decimal | Repr::Uuid => "u8",
        number => number.name(),
    }
}

/// A number of a message's head, of which 64 bits without sign may be more than numbers with one say: it is compared with small ones.
fn capped(body: &Body<'_>, arg: Arg) -> Expr {
    let number = body.arg(arg);
    match arg {
        Arg::Sym(sym) if matches!(body.routine.of, Subject::Message(_)) && body.ty(sym) == Ty::Raw(64) => {
            run("Wire.capped", vec![number])
        }
        _ => number,
    }
}
