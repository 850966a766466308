//! A quick writer: places in variables, one test for the room of what is put together, no state and no path. It gives where the bytes
//! end, or a number below zero where anything is unusual; the careful writer begins anew then, and says what is wrong where
//! something is. Usual messages may be refused: there is no more room in the bytes.

use super::refusals::{refused, together};
use super::rows::{rows, Callers};
use super::vars::Vars;
use super::{stored, Writing, PURPOSES};
use crate::able::Subjects;
use crate::body::{Body, OUT};
use crate::kinds::dialect::Dialect;
use crate::names::Names;
use crate::split::{walk, Method};
use crate::tree::{binary, cast, int, member, name, not, plus, run, runtime, Expr, Line, Member, Word};
use aldis_emit::names::capital;
use aldis_plan::{Container, Repr, Scalar};
use aldis_routine::{
    visit, Amount, Arg, BlankId, Block, Module, Object, Op, Place, Purpose, Put, Routine, RoutineId, Subject, Sym, Ty,
    What, Write,
};
use aldis_schema::{Encoding, Schema, TypeId};

/// The most that the operations of a routine may cost which has a quick method: that is 3,000 to 6,000 bytes of bytecode.
const MOST: usize = 900;

/// The records and messages of a module that have quick writers.
pub struct Quick {
    able: Subjects,
    /// Those whose writers throw nothing.
    calm: Subjects,
    callers: Callers,
}

impl Quick {
    pub fn of(module: &Module, names: &Names, dialect: &dyn Dialect) -> Self {
        let none = || Subjects::none(module);
        if matches!(module.container, Container::Segments(form) if form.packed || form.canonical) {
            return Self { able: none(), calm: none(), callers: Callers::default() };
        }
        let subjects = |may_throw: bool| {
            Subjects::able(module, names, &PURPOSES, |routine| {
                let mut look = Look { module, dialect, calls: Vec::new(), throws: false };
                let cost = look.cost(&routine.body)?;
                (cost <= MOST && (may_throw || !look.throws)).then_some(look.calls)
            })
        };
        Self { able: subjects(true), calm: subjects(false), callers: Callers::of(module) }
    }

    pub(super) fn has(&self, of: Subject) -> bool {
        self.able.has(of)
    }

    pub fn has_message(&self, schema: &Schema, record: TypeId) -> bool {
        self.able.has_message(schema, record)
    }
}

/// The cost of a routine's quick writer, which is looked for operation by operation: what it calls, and whether it may throw.
struct Look<'m> {
    module: &'m Module,
    dialect: &'m dyn Dialect,
    calls: Vec<RoutineId>,
    throws: bool,
}

impl Look<'_> {
    /// How many operations a block has, of which large ones count as many; nothing where a quick writer can't do one of them.
    fn cost(&mut self, block: &Block) -> Option<usize> {
        let mut all = 0;
        for op in &block.ops {
            all += match &op.what {
                What::Write(write) => self.write(write)?,
                What::Call { routine, .. } => {
                    self.calls.push(*routine);
                    3
                }
                What::If { .. }
                | What::Within { .. }
                | What::Level { .. }
                | What::Loop { .. }
                | What::Element { .. } => 1,
                What::Switch { arms, .. } => 1 + 2 * arms.len(),
                _ => return None,
            };
            for inner in visit::blocks(&op.what) {
                all += self.cost(inner)?;
            }
        }
        Some(all)
    }

    fn write(&mut self, write: &Write) -> Option<usize> {
        Some(match write {
            // A count that is never right is a matter of careful writers, as nothing behind it is reached.
            Write::InRange { number: Arg::Const(number), min, max } if !(min..=max).contains(&number) => return None,
            Write::Begin { blank, count: Arg::Const(count), .. } if !self.counts(*blank, *count) => return None,
            Write::Begin { blank, .. } | Write::Cells { blank, .. } => 3 + self.blank(*blank),
            Write::Fill { blank, first, count, .. } => {
                let entries = *first as usize..(*first + *count) as usize;
                self.module[*blank].entries[entries].iter().map(|entry| self.entry(&entry.put)).sum()
            }
            Write::Cell { blank, entry, .. } | Write::Null { blank, entry, .. } => {
                self.entry(&self.module[*blank].entries[*entry as usize].put)
            }
            Write::StoreScalar { scalar, .. } => self.scalar(scalar),
            Write::SameAs { .. } | Write::Sorted { .. } | Write::Framed { .. } => {
                self.throws = true;
                2
            }
            Write::IsNull { .. }
            | Write::OfRecord { .. }
            | Write::Get { .. }
            | Write::Octets { .. }
            | Write::Count { .. }
            | Write::Exactly { .. }
            | Write::Item { .. }
            | Write::Pair { .. }
            | Write::InRange { .. }
            | Write::Wrong
            | Write::Choice { .. }
            | Write::Here { .. }
            | Write::Reserve { .. }
            | Write::Append { .. }
            | Write::Store { .. }
            | Write::StoreChars { .. }
            | Write::Erase { .. }
            | Write::Link { .. }
            | Write::Total { .. }
            | Write::Readable { .. }
            | Write::Point { .. }
            | Write::StoreBits { .. }
            | Write::Finish { .. }
            | Write::List { .. }
            | Write::Records { .. }
            | Write::Blob { .. } => 2,
            Write::Plant { .. }
            | Write::Empty { .. }
            | Write::Words { .. }
            | Write::Tag { .. }
            | Write::StoreBytes { .. } => return None,
        })
    }

    /// Whether a head may say that there are so many.
    fn counts(&self, blank: BlankId, count: u64) -> bool {
        self.module[blank].entries.iter().all(|entry| match entry.put {
            Put::Count { min, max, .. } => (min..=max).contains(&count),
            _ => true,
        })
    }

    fn blank(&mut self, blank: BlankId) -> usize {
        self.module[blank].entries.iter().map(|entry| self.entry(&entry.put)).sum()
    }

    fn entry(&mut self, put: &Put) -> usize {
        match put {
            Put::Nothing | Put::Other => 0,
            Put::Number { .. } | Put::Count { .. } => 2,
            Put::Array { element: inner, .. } | Put::Nest { members: inner, .. } => 5 + self.blank(*inner),
            Put::Chars(_) => 4,
            Put::Scalar(scalar) => self.scalar(scalar),
            Put::Literal(_) => {
                self.throws = true;
                4
            }
        }
    }

    fn scalar(&mut self, scalar: &Scalar) -> usize {
        self.throws |= !self.dialect.always_fits(scalar.repr, &scalar.ty);
        4
    }
}

/// `Quick.function(…);`
pub(super) fn act(function: &str, args: Vec<Expr>) -> Line {
    Line::Do(made(function, args))
}

fn made(function: &str, args: Vec<Expr>) -> Expr {
    run(runtime(format!("Quick.{function}")), args)
}

/// The test of a number that was made: below zero it is unusual, and the writer refuses.
fn settled(number: Expr) -> Line {
    Line::If(binary(number, "<", int(0)), vec![refused()], Vec::new())
}

/// Whether lines call what is more than a few stores.
fn calls(lines: &[Line]) -> bool {
    let mut found = false;
    walk(lines, &mut |expr| {
        found |= match expr {
            Expr::Run(Word::Runtime(function), _) => {
                !function.starts_with("Wire.") && !matches!(&**function, "Quick.part" | "Quick.bare")
            }
            Expr::Run(Word::Own(_), _) => true,
            _ => false,
        }
    });
    found
}

/// A number of bytes, which may be more than an `int` holds where it is a product; and as an `int`, where it was found to be one.
fn amount(body: &Body<'_>, size: &Amount) -> (Expr, Expr) {
    let product = match (size.times, size.each) {
        (Arg::Const(times), Arg::Const(each)) => return (int(times * each), int(times * each)),
        (Arg::Const(1), size) | (size, Arg::Const(1)) => return (body.arg(size), body.short(size)),
        (Arg::Const(known), size) | (size, Arg::Const(known)) => binary(body.arg(size), "*", Expr::Long(known.into())),
        (times, each) => binary(cast("long", body.arg(times)), "*", body.arg(each)),
    };
    (product.clone(), cast("int", product))
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

    /// The quick methods of a routine: by what calls for it, one that puts a block of bytes to where there is room, and one that asks.
    pub(super) fn quick_methods(&self, routine: &Routine, quick: &Quick) -> Vec<Member> {
        let key = (routine.purpose, routine.of);
        let is_row = quick.callers.rows.contains(&key);
        let put = is_row.then(|| self.putter(routine));
        let asks = !is_row || quick.callers.others.contains(&key);
        put.into_iter().chain(asks.then(|| self.quick_method(routine))).collect()
    }

    fn quick_method(&self, routine: &Routine) -> Member {
        let mut body = Body::new(self.module, self.kinds, routine);
        let [bytes, end, from, depth] = ["b", "end", "from", "depth"].map(|own| body.name(own));
        let params = self.params(&mut body, routine);
        let list =
            [("int".to_owned(), end.clone())].into_iter().chain(params).chain([("int".to_owned(), depth.clone())]);
        let list: Vec<String> = list.map(|(ty, own)| format!("{ty} {own}")).collect();
        let start = Line::Declare("int".to_owned(), from.clone(), Some(name(end.as_str())));
        let [from, depth] = [from, depth].map(name);
        let vars = Vars { bytes: name(bytes.as_str()), end: name(end), from, depth, is_sure: false };
        let own = Writing { quick: Some(vars.clone()), ..*self };
        match routine.of {
            Subject::Message(_) if self.has_table() => {
                let ahead = visit::reserved_ahead(&routine.body.ops);
                (body.ready, body.behind_start) = (ahead, Some(8));
                own.room(&vars, &mut body, int(8 + ahead));
                body.lines.push(Line::Assign(vars.end.clone(), "+=", int(8)));
            }
            Subject::Record(_) if self.has_table() => own.stored_part(&vars, &mut body, routine),
            _ => {}
        }
        own.steps(&mut body, &routine.body);
        body.lines.push(Line::Return(vars.end));
        let mut asks = false;
        walk(&body.lines, &mut |expr| asks |= *expr == vars.from);
        let stays = matches!(routine.of, Subject::Record(_)) && calls(&body.lines);
        let head = self.kinds.dialect.quick_head((&self.quick_name(routine), stays), &bytes, &list);
        let body = asks.then_some(start).into_iter().chain(together(body.lines)).collect();
        Member::Method { doc: String::new(), head, body }
    }

    /// The quick writer of a message, or `attemptMessage`, which calls it where it may throw.
    pub fn tried_name(&self, quick: &Quick, record: TypeId) -> String {
        let verb = if quick.calm.has_message(&self.module.schema, record) { "quick" } else { "attempt" };
        self.kinds.dialect.method(format!("{verb}Message{}", capital(self.suffix)))
    }

    /// `writeCarefully`, of messages that have a quick writer.
    pub fn careful_name(&self) -> String {
        self.kinds.dialect.method(format!("writeCarefully{}", capital(self.suffix)))
    }

    /// The method that tries the quick writer of a message.
    pub(super) fn attempt(&self, routine: &Routine, quick: &Quick) -> Option<Member> {
        if quick.calm.has(routine.of) {
            return None;
        }
        let mut body = Body::new(self.module, self.kinds, routine);
        let [bytes, at, depth, end] = ["b", "at", "depth", "end"].map(|own| body.name(own));
        let params = self.params(&mut body, routine);
        let given = params.iter().map(|(_, own)| own.as_str());
        let args = [bytes.as_str(), &at].into_iter().chain(given).chain([depth.as_str()]).map(name).collect();
        let list = params.iter().map(|(ty, own)| format!("{ty} {own}"));
        let list = [format!("int {at}")].into_iter().chain(list).chain([format!("int {depth}")]);
        let own = self.tried_name(quick, routine.of.record(self.module));
        let head = self.kinds.dialect.quick_head((&own, false), &bytes, &list.collect::<Vec<_>>());
        let tried = Line::Assign(name(end.as_str()), "=", run(self.quick_name(routine), args));
        let declared = Line::Declare("int".to_owned(), end.clone(), Some(int(-1)));
        let body = vec![declared, Line::Attempt(vec![tried]), Line::Return(name(end))];
        Some(Member::Method { doc: String::new(), head, body })
    }

    /// The method that tries the quick writer of a message, and takes the careful one where that did not do.
    pub(super) fn tries(&self, routine: &Routine, quick: &Quick, write: &Method<'_>) -> Member {
        let mut body = Body::new(self.module, self.kinds, routine);
        let params = self.params(&mut body, routine);
        let end = body.name("end");
        let given = || params.iter().map(|(_, own)| name(own.as_str()));
        let [bytes, at, depth] = ["b", "at", "depth"].map(|field| member(name(OUT), field));
        let args = [bytes, at.clone()].into_iter().chain(given()).chain([depth]).collect();
        let careful = [self.kinds.dialect.state(OUT)].into_iter().chain(given()).collect();
        let careful = vec![Line::Do(run(self.careful_name(), careful))];
        let took = vec![Line::Assign(at, "=", name(end.as_str()))];
        let lines = vec![
            Line::Declare(
                "int".to_owned(),
                end.clone(),
                Some(run(self.tried_name(quick, routine.of.record(self.module)), args)),
            ),
            Line::If(binary(name(end), ">=", int(0)), took, careful),
        ];
        write.member(self.kinds.dialect, (&write.name, write.gives), &write.params, lines)
    }

    /// An operation that a quick writer does in another way than a careful one; false of any other, which both do alike.
    pub(super) fn quick_op(&self, vars: &Vars, body: &mut Body<'m>, op: &'m Op, after: &'m [Op]) -> bool {
        match &op.what {
            What::Within { body: inner, .. } => self.steps(body, inner),
            What::Level { body: inner, .. } if vars.is_sure => self.steps(body, inner),
            What::Level { body: inner, .. } => {
                body.lines.push(Line::If(binary(vars.depth.clone(), "<=", int(0)), vec![refused()], Vec::new()));
                let depth = binary(vars.depth.clone(), "-", int(1));
                Writing { quick: Some(Vars { depth, ..vars.clone() }), ..*self }.steps(body, inner);
            }
            What::Call { routine, args } => {
                let called = &self.module[*routine];
                let given = [vars.bytes.clone(), vars.end.clone()].into_iter().chain(self.args(body, called, args));
                let args = given.chain([vars.depth.clone()]).collect();
                let function = self.kinds.of_codec(called.of.record(self.module), &self.quick_name(called));
                self.moved(vars, body, run(function, args));
            }
            What::Write(write) => return self.quick_write(vars, body, (op, write), after),
            _ => match rows(self.module, op) {
                Some(rows) => self.rows(vars, body, &rows),
                None => return false,
            },
        }
        true
    }

    fn quick_write(&self, vars: &Vars, body: &mut Body<'m>, (op, write): (&'m Op, &'m Write), after: &'m [Op]) -> bool {
        match write {
            Write::Octets { value, text } => {
                let put = match text {
                    Some(Encoding::Utf8) => "utf8",
                    Some(Encoding::Latin1) => "latin1",
                    None => "octets",
                };
                let at = plus(vars.end.clone(), visit::reserved_before(after));
                body.keep_int(op.binds[0], made(put, vec![vars.bytes.clone(), at, body.val(*value).expr]));
                body.lines.push(settled(body.sym(op.binds[0])));
                // It was put behind bytes that are there, then.
                body.ready = visit::reserved_before(after);
            }
            Write::Reserve { size, .. } => {
                self.quick_reserve(vars, body, (op.binds[0], after), size);
            }
            Write::Total { .. } if body.uses[op.binds[0].0 as usize] == 0 => {}
            Write::Total { .. } => body.keep(op.binds[0], binary(vars.end.clone(), "-", vars.from.clone())),
            Write::InRange { number, min, max } => self.quick_range(body, *number, *min, *max),
            Write::Count { value, .. } => {
                let val = body.val(*value);
                self.given(body, &val);
                body.keep_int(op.binds[0], run("Out.count", vec![val.expr]));
            }
            Write::Choice { value, .. } => {
                let val = body.val(*value);
                self.given(body, &val);
                return false;
            }
            Write::Exactly { value, count, .. } => {
                let val = body.val(*value);
                self.given(body, &val);
                let found = run("Out.count", vec![val.expr]);
                body.lines.push(Line::If(binary(found, "!=", int(*count)), vec![refused()], Vec::new()));
            }
            Write::Wrong => body.lines.push(refused()),
            Write::StoreChars { place, width, encoding, value, .. } => {
                let put = if *encoding == Encoding::Utf8 { "utf8Chars" } else { "latin1Chars" };
                let (bytes, at) = self.spot(body, *place);
                let fits = made(put, vec![bytes, at, int(*width), body.val(*value).expr]);
                body.lines.push(Line::If(not(fits), vec![refused()], Vec::new()));
            }
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

    /// A number has bounds; one that is known was found to be within them.
    fn quick_range(&self, body: &mut Body<'m>, number: Arg, min: u64, max: u64) {
        if let Arg::Const(_) = number {
            return;
        }
        let mut refuse = |operator: &'static str, bound: u64| {
            let test = binary(body.arg(number), operator, body.arg(Arg::Const(bound)));
            body.lines.push(Line::If(test, vec![refused()], Vec::new()));
        };
        if min > 0 {
            refuse("<", min);
        }
        // Sizes and counts have 31 bits here.
        if max < i32::MAX as u64 {
            refuse(">", max);
        }
    }

    /// Objects in segments.
    fn quick_object(&self, vars: &Vars, body: &mut Body<'m>, op: &'m Op, write: &'m Write) -> bool {
        let place = |body: &Body<'m>, at: &Place| vec![vars.bytes.clone(), body.place(*at)];
        let behind = |body: &Body<'m>, at: &Place| vec![vars.bytes.clone(), vars.end.clone(), body.place(*at)];
        match write {
            Write::Point { at, to, object: Object::Record { data, pointers }, .. } => {
                let sizes = u64::from(*data) | u64::from(*pointers) << 16;
                if let Some(words) = words_between(body, *at, *to) {
                    let pointer = Expr::Bits(u64::from((words << 2) as u32) | sizes << 32, true);
                    body.lines.push(self.store(Repr::U64, self.spot(body, *at), pointer));
                    return true;
                }
                let sizes = Expr::Long(sizes.into());
                let more = [body.sym(*to), int(0), sizes];
                body.lines.push(act("point", place(body, at).into_iter().chain(more).collect()));
            }
            Write::List { at, count, more, code, bits, .. } => {
                let count = match more {
                    0 => body.arg(*count),
                    more => binary(body.arg(*count), "+", Expr::Long((*more).into())),
                };
                let list = [count, int(*code), int(*bits)];
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
        body.ready = 0;
        body.behind_start = None;
    }

    /// There is room for so many bytes.
    pub(super) fn room(&self, vars: &Vars, body: &mut Body<'m>, size: Expr) {
        let left = binary(member(vars.bytes.clone(), "length"), "-", vars.end.clone());
        body.lines.push(Line::If(binary(size, ">", left), vec![refused()], Vec::new()));
    }

    /// The run that a record's caller has reserved for it becomes a part, where more than one number is stored into it.
    fn stored_part(&self, vars: &Vars, body: &mut Body<'m>, routine: &Routine) {
        let is_place = |param: &&Sym| routine.symbols[param.0 as usize].ty == Ty::Pos;
        let (Some(class), Some(at)) = (self.kinds.dialect.part(true), routine.params.iter().find(is_place)) else {
            return;
        };
        let Some(size) = stored::reach(&routine.body.ops, *at) else { return };
        let part = body.name("part");
        let bare = made("bare", vec![vars.bytes.clone(), body.sym(*at), int(size)]);
        body.lines.push(Line::Declare(class.to_owned(), part.clone(), Some(bare)));
        body.parts.insert(*at, name(part));
    }

    /// Bytes at the end, which are zero where nothing is stored into them; where their number is known they may become a part that needs
    /// no tests.
    fn quick_reserve(&self, vars: &Vars, body: &mut Body<'m>, (at, after): (Sym, &[Op]), of: &Amount) {
        let (size, short) = amount(body, of);
        let is_asked = body.uses[at.0 as usize] > 0;
        let is_ready = matches!(size, Expr::Int(size) if size <= body.ready.into());
        let known = if let Expr::Int(size) = size { u64::try_from(size).ok() } else { None };
        if size != int(0) && !vars.is_sure && !is_ready {
            let ahead = known.map_or(0, |_| visit::reserved_ahead(after));
            body.ready = known.map_or(0, |size| size + ahead);
            self.room(vars, body, plus(size.clone(), ahead));
        }
        body.ready = known.map_or(0, |size| body.ready.saturating_sub(size));
        if let Some(start) = body.behind_start {
            body.starts.insert(at, start);
            body.behind_start = known.map(|size| start + size);
        }
        if is_asked && vars.is_sure {
            body.is(at, vars.end.clone());
        } else if is_asked {
            body.keep(at, vars.end.clone());
        }
        if size == int(0) {
            return;
        }
        let zeros = match &size {
            Expr::Int(size) if is_asked => stored::zeros(self.module, after, at, *size),
            _ => stored::by_turns(self.module, after, at, of).then(Vec::new),
        };
        let args = vec![vars.bytes.clone(), vars.end.clone(), short.clone()];
        match (&size, self.kinds.dialect.part(true)) {
            (Expr::Int(_), Some(class)) if is_asked => {
                let part = body.name("part");
                let made = made(if zeros.is_some() { "bare" } else { "part" }, args);
                body.lines.push(Line::Declare(class.to_owned(), part.clone(), Some(made)));
                body.parts.insert(at, name(part));
            }
            _ if zeros.is_some() => {}
            _ => body.lines.push(act("zero", args)),
        }
        for (plus, repr) in zeros.into_iter().flatten() {
            let zero = self.kinds.dialect.register_out(repr, int(0), Some(0));
            let line = self.store(repr, self.spot(body, Place { base: at, plus }), zero);
            body.lines.push(line);
        }
        if !vars.is_sure {
            body.lines.push(Line::Assign(vars.end.clone(), "+=", short));
        }
    }
}

/// How many words lie between a pointer and what it points to, where both places are known.
fn words_between(body: &Body<'_>, at: Place, to: Sym) -> Option<i64> {
    let [at_start, to] = [at.base, to].map(|sym| body.starts.get(&sym).map(|start| *start as i64));
    Some((to? - at_start? - i64::from(at.plus)) / 8 - 1)
}
