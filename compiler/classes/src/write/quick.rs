//! A quick writer: places in variables, one test for the room of what is put together, no state and no path. It gives where the bytes
//! end, or a number below zero where anything is unusual; the careful writer begins anew then, and says what is wrong where
//! something is. Usual messages may be refused: there is no more room in the bytes.

use super::{Writing, PURPOSES};
use crate::able::Subjects;
use crate::body::{narrow, Body, OUT};
use crate::names::Names;
use crate::split::walk;
use crate::tree::{binary, int, member, name, plus, run, runtime, Expr, Line, Member};
use aldis_emit::names::capital;
use aldis_plan::Container;
use aldis_routine::{
    visit, Arg, Block, BlankId, Module, Object, Op, Place, Purpose, Put, Routine, RoutineId, Subject, Sym, What, Write,
};
use aldis_schema::Encoding;

/// The most that the operations of a routine may cost which has a quick method: that is about 5,000 bytes of bytecode.
const MOST: usize = 450;

/// The variables of a quick method.
#[derive(Clone)]
pub(super) struct Vars {
    pub bytes: Expr,
    pub end: Expr,
    /// The place where the message begins.
    from: Expr,
    /// The levels that are left.
    depth: Expr,
}

/// The records and messages of a module that have quick writers.
pub fn quick(module: &Module, names: &Names) -> Subjects {
    match module.container {
        Container::Segments(form) if form.packed || form.canonical => Subjects::none(module),
        _ => Subjects::able(module, names, &PURPOSES, |routine| {
            let mut calls = Vec::new();
            cost(module, &routine.body, &mut calls).filter(|cost| *cost <= MOST).map(|_| calls)
        }),
    }
}

/// How many operations a block has, of which large ones count as many; nothing where a quick writer can't do one of them.
fn cost(module: &Module, block: &Block, calls: &mut Vec<RoutineId>) -> Option<usize> {
    let mut all = 0;
    for op in &block.ops {
        all += match &op.what {
            What::Write(Write::Plant { .. } | Write::Empty { .. }) => return None,
            What::Write(Write::Begin { blank, .. }) => cost_of_blank(module, *blank),
            What::Write(Write::Fill { blank, first, count, .. }) => {
                let entries = &module[*blank].entries[*first as usize..(*first + *count) as usize];
                entries.iter().map(|entry| cost_of_entry(module, &entry.put)).sum()
            }
            What::Write(Write::Cell { blank, entry, .. } | Write::Null { blank, entry, .. }) => {
                cost_of_entry(module, &module[*blank].entries[*entry as usize].put)
            }
            What::Write(Write::Cells { blank, .. }) => 3 + cost_of_blank(module, *blank),
            What::Write(_) => 2,
            _ => 1,
        };
        if let What::Call { routine, .. } = &op.what {
            calls.push(*routine);
        }
        for inner in visit::blocks(&op.what) {
            all += cost(module, inner, calls)?;
        }
    }
    Some(all)
}

fn cost_of_blank(module: &Module, blank: BlankId) -> usize {
    1 + module[blank].entries.iter().map(|entry| cost_of_entry(module, &entry.put)).sum::<usize>()
}

fn cost_of_entry(module: &Module, put: &Put) -> usize {
    match put {
        Put::Nothing | Put::Other => 0,
        Put::Number { .. } | Put::Count { .. } => 2,
        Put::Array { element: inner, .. } | Put::Nest { members: inner, .. } => 4 + cost_of_blank(module, *inner),
        _ => 4,
    }
}

/// `Quick.function(…);`
pub(super) fn act(function: &str, args: Vec<Expr>) -> Line {
    Line::Do(made(function, args))
}

fn made(function: &str, args: Vec<Expr>) -> Expr {
    run(runtime(format!("Quick.{function}")), args)
}

pub(super) fn refused() -> Line {
    Line::Return(int(-1))
}

/// Where a number that was made is below zero, the writer refuses.
fn settled(number: Expr) -> Line {
    Line::If(binary(number, "<", int(0)), vec![refused()], Vec::new())
}

impl<'m> Writing<'m> {
    /// `quickWrite`, `quickMessageFinal`
    fn quick_name(&self, routine: &Routine) -> String {
        let what = match (routine.purpose, routine.of) {
            (Purpose::Targets, _) => "Targets",
            (_, Subject::Record(_)) => "Write",
            _ => "Message",
        };
        self.kinds.dialect.method(format!("quick{what}{}", capital(self.suffix)))
    }

    pub(super) fn quick_method(&self, routine: &Routine) -> Member {
        let mut body = Body::new(self.module, self.kinds, routine);
        let [bytes, end, from, depth] = ["b", "end", "from", "depth"].map(|own| body.name(own));
        let params = self.params(&mut body, routine);
        let list = [("int".to_owned(), end.clone())].into_iter().chain(params).chain([("int".to_owned(), depth.clone())]);
        let list: Vec<String> = list.map(|(ty, own)| format!("{ty} {own}")).collect();
        let head = self.kinds.dialect.quick_head(&self.quick_name(routine), &bytes, &list);
        let start = Line::Declare("int".to_owned(), from.clone(), Some(name(end.as_str())));
        let vars = Vars { bytes: name(bytes), end: name(end), from: name(from), depth: name(depth) };
        let own = Writing { quick: Some(vars.clone()), ..*self };
        if matches!(routine.of, Subject::Message(_)) && self.has_table() {
            own.room(&vars, &mut body, int(8));
            body.lines.push(Line::Assign(vars.end.clone(), "+=", int(8)));
        }
        own.block(&mut body, &routine.body);
        body.lines.push(Line::Return(vars.end));
        let mut asks = false;
        walk(&body.lines, &mut |expr| asks |= *expr == vars.from);
        let body = asks.then_some(start).into_iter().chain(body.lines).collect();
        Member::Method { doc: String::new(), head, body }
    }

    /// Tries the quick way of a message's routine; gives the variable that then says where the bytes end, below zero where it did not do.
    pub(super) fn attempt(&self, body: &mut Body<'m>, routine: &Routine, params: &[(String, String)]) -> Expr {
        let end = body.name("end");
        body.lines.push(Line::Declare("int".to_owned(), end.clone(), Some(int(-1))));
        let [bytes, at, depth] = ["b", "at", "depth"].map(|own| member(name(OUT), own));
        let given = params.iter().map(|(_, own)| name(own.as_str()));
        let args = [bytes, at].into_iter().chain(given).chain([depth]).collect();
        let quick = Line::Assign(name(end.as_str()), "=", run(self.quick_name(routine), args));
        body.lines.push(Line::Attempt(vec![quick]));
        name(end)
    }

    /// What a quick writer does in another way than a careful one; false of everything else.
    pub(super) fn quick_op(&self, vars: &Vars, body: &mut Body<'m>, op: &'m Op, after: &'m [Op]) -> bool {
        match &op.what {
            What::Within { body: inner, .. } => self.block(body, inner),
            What::Level { body: inner, .. } => {
                body.lines.push(Line::If(binary(vars.depth.clone(), "<=", int(0)), vec![refused()], Vec::new()));
                let depth = binary(vars.depth.clone(), "-", int(1));
                Writing { quick: Some(Vars { depth, ..vars.clone() }), ..*self }.block(body, inner);
            }
            What::Call { routine, args } => {
                let called = &self.module[*routine];
                let given = [vars.bytes.clone(), vars.end.clone()].into_iter().chain(self.args(body, called, args));
                let args = given.chain([vars.depth.clone()]).collect();
                let function = self.kinds.of_codec(called.of.record(self.module), &self.quick_name(called));
                self.moved(vars, body, run(function, args));
            }
            What::Write(write) => return self.quick_write(vars, body, (op, write), after),
            _ => return false,
        }
        true
    }

    fn quick_write(
        &self,
        vars: &Vars,
        body: &mut Body<'m>,
        (op, write): (&'m Op, &'m Write),
        after: &'m [Op],
    ) -> bool {
        match write {
            Write::Octets { value, text } => {
                let put = match text {
                    Some(Encoding::Utf8) => "utf8",
                    Some(Encoding::Latin1) => "latin1",
                    None => "octets",
                };
                let at = plus(vars.end.clone(), visit::reserved_before(after));
                body.keep(op.binds[0], made(put, vec![vars.bytes.clone(), at, body.val(*value).expr]));
                body.lines.push(settled(body.sym(op.binds[0])));
            }
            Write::Reserve { size, .. } => {
                let size = match (size.times, size.each) {
                    (Arg::Const(times), Arg::Const(each)) => int(times * each),
                    _ => body.amount(size).into_iter().reduce(|a, b| binary(a, "*", b)).unwrap_or(int(0)),
                };
                self.quick_reserve(vars, body, op.binds[0], size);
            }
            Write::Total { .. } if body.uses[op.binds[0].0 as usize] == 0 => {}
            Write::Total { .. } => body.keep(op.binds[0], binary(vars.end.clone(), "-", vars.from.clone())),
            // Sizes and counts have 31 bits here.
            Write::InRange { min: 0, max, .. } if *max > i32::MAX as u64 => {}
            Write::Readable { .. } => {}
            Write::Finish { .. } => {
                if self.has_table() {
                    body.lines.push(act("finish", vec![vars.bytes.clone(), vars.from.clone(), vars.end.clone()]));
                }
            }
            _ => return self.quick_object(vars, body, op, write),
        }
        true
    }

    /// Objects in segments.
    fn quick_object(&self, vars: &Vars, body: &mut Body<'m>, op: &'m Op, write: &'m Write) -> bool {
        let place = |body: &Body<'m>, at: &Place| vec![vars.bytes.clone(), body.place(*at)];
        let behind = |body: &Body<'m>, at: &Place| vec![vars.bytes.clone(), vars.end.clone(), body.place(*at)];
        match write {
            Write::Point { at, to, object: Object::Record { data, pointers }, .. } => {
                let sizes = Expr::Long(i128::from(*data) | i128::from(*pointers) << 16);
                let more = [body.sym(*to), int(0), sizes];
                body.lines.push(act("point", place(body, at).into_iter().chain(more).collect()));
            }
            Write::List { at, count, more, code, bits, .. } => {
                let list = [plus(body.arg(*count), *more), int(*code), int(*bits)];
                let args = behind(body, at).into_iter().chain(list).collect();
                body.keep(op.binds[0], vars.end.clone());
                self.moved(vars, body, made("list", args));
            }
            Write::Records { at, count, data, pointers, .. } => {
                let list = [body.arg(*count), int(*data), int(*pointers)];
                let args = behind(body, at).into_iter().chain(list).collect();
                body.keep(op.binds[0], plus(vars.end.clone(), 8));
                self.moved(vars, body, made("records", args));
            }
            Write::Blob { at, value, text, .. } => {
                let args = behind(body, at).into_iter().chain([body.val(*value).expr]).collect();
                self.moved(vars, body, made(if text.is_some() { "text" } else { "data" }, args));
            }
            _ => return false,
        }
        true
    }

    /// The bytes end elsewhere now.
    fn moved(&self, vars: &Vars, body: &mut Body<'m>, end: Expr) {
        body.lines.push(Line::Assign(vars.end.clone(), "=", end));
        body.lines.push(settled(vars.end.clone()));
    }

    /// There is room for so many bytes.
    fn room(&self, vars: &Vars, body: &mut Body<'m>, size: Expr) {
        let left = binary(member(vars.bytes.clone(), "length"), "-", vars.end.clone());
        body.lines.push(Line::If(binary(size, ">", left), vec![refused()], Vec::new()));
    }

    /// Bytes at the end, all zero; where their number is known they may become a part that needs no tests.
    fn quick_reserve(&self, vars: &Vars, body: &mut Body<'m>, at: Sym, size: Expr) {
        let is_asked = body.uses[at.0 as usize] > 0;
        if size != int(0) {
            self.room(vars, body, size.clone());
        }
        if is_asked {
            body.keep(at, vars.end.clone());
        }
        if size == int(0) {
            return;
        }
        let args = vec![vars.bytes.clone(), vars.end.clone(), narrow(size.clone())];
        match (&size, self.kinds.dialect.part()) {
            (Expr::Int(_), Some(class)) if is_asked => {
                let part = body.name("part");
                body.lines.push(Line::Declare(class.to_owned(), part.clone(), Some(made("part", args))));
                body.parts.insert(at, name(part));
            }
            _ => body.lines.push(act("zero", args)),
        }
        body.lines.push(Line::Assign(vars.end.clone(), "+=", narrow(size)));
    }
}
