//! Routines that write, as functions: one pass over a value into the writer's bytes. What is wrong with a value is thrown where it
//! is found; variables name the fields and elements that are being written, which become its path.

use crate::js::{
    apply, assign, binary, call, index, int, member, name, string, truth, variable, variables, Code, Expr, Line, Stmt,
    FRAME,
};
use crate::read::Scope;
use crate::uses::{count_uses, LEVELS};
use crate::usual::{plus, Body};
use crate::values::{accessor, stored, Helper, Values};
use aldis_plan::{ByteOrder, Container, NullValue, Repr, Scalar, Shape};
use aldis_routine::{
    expand_routine, visit, Amount, Arg, Block, Frame, ListId, Module, Object, Op, Place, Purpose, Routine, RoutineId,
    Subject, Sym, Ty, What, Write, WRITTEN,
};
use aldis_schema::{Encoding, Type};
use std::collections::BTreeSet;

/// The writers of one form.
pub(crate) struct Writing<'m, 'v, 'a> {
    module: &'m Module,
    values: &'v mut Values<'a>,
    /// By routine: the function that writes. Empty for others.
    functions: Vec<String>,
    /// By message: what reads it.
    readers: &'m [[String; 2]],
    /// No value has as many levels as the limit allows.
    shallow: bool,
    /// By routine: it belongs to the schema of another module, which may count no levels, so that it is here once more.
    copied: Vec<bool>,
    /// Of the function in the making: how many frames the current operation lies in, and how many any does.
    depth: usize,
    deepest: usize,
    /// The names of the hidden fields that it reads.
    hidden: BTreeSet<&'m str>,
}

impl<'m, 'v, 'a> Writing<'m, 'v, 'a> {
    pub fn new(module: &'m Module, values: &'v mut Values<'a>, suffix: &str, readers: &'m [[String; 2]]) -> Self {
        let levels = aldis_routine::levels(module, LEVELS);
        let shallow = levels.iter().all(|levels| levels.is_some_and(|levels| levels <= LEVELS));
        let is_copied = |(routine, levels): (&Routine, &Option<u32>)| {
            let writes = matches!(routine.purpose, Purpose::Write | Purpose::Targets)
                && matches!(routine.of, Subject::Record(_))
                && !values.names.is_own(routine.of.record(module));
            !shallow && writes && levels.is_some_and(|levels| (1..=LEVELS).contains(&levels))
        };
        let copied: Vec<bool> = module.routines.iter().zip(&levels).map(is_copied).collect();
        let name = |(routine, copied): (&Routine, &bool)| {
            let what = match routine.purpose {
                Purpose::Write => ["write", "message_write"],
                Purpose::Targets => ["targets", ""],
                _ => return String::new(),
            };
            if *copied {
                values.names.routine(routine.of.record(module), suffix, what[0])
            } else {
                values.routine(module, routine.of, suffix, what)
            }
        };
        let functions = module.routines.iter().zip(&copied).map(name).collect();
        Self { functions, readers, shallow, copied, ..Self::setting(module, values) }
    }

    /// The routines that set fields, which call no others.
    pub fn setting(module: &'m Module, values: &'v mut Values<'a>) -> Self {
        Self {
            module,
            values,
            functions: Vec::new(),
            readers: &[],
            shallow: true,
            copied: Vec::new(),
            depth: 0,
            deepest: 0,
            hidden: BTreeSet::new(),
        }
    }

    /// The function that writes a message.
    pub fn message(&self, index: usize) -> &str {
        &self.functions[self.module.writers[index].0 as usize]
    }

    pub fn statements(mut self) -> Code {
        let module = self.module;
        let writers = module.routines.iter().enumerate();
        let is_own = |routine: &Routine| self.values.names.is_own(routine.of.record(module));
        let writers = writers
            .filter(|(index, routine)| !self.functions[*index].is_empty() && (is_own(routine) || self.copied[*index]));
        let writers = writers.collect::<Vec<_>>();
        writers.into_iter().map(|(index, routine)| self.function(RoutineId(index as u32), routine)).collect()
    }

    fn function(&mut self, id: RoutineId, routine: &Routine) -> Stmt {
        let (params, body) = self.body(routine);
        let params = [FRAME.to_owned()].into_iter().chain(params).collect();
        Stmt::Function { export: false, name: self.functions[id.0 as usize].clone(), params, body }
    }

    /// The names of what a routine takes behind the writer, and its lines. Its large operations are expanded here, as those of a large
    /// schema together take many times the memory.
    pub fn body(&mut self, routine: &Routine) -> (Vec<String>, Vec<Line>) {
        let routine = &expand_routine(self.module, routine.clone(), &WRITTEN);
        let mut uses = vec![0; routine.symbols.len()];
        count_uses(&routine.body, &mut uses);
        let mut body = Body::new(self.module, Scope::new(routine), uses);
        let params = routine.params.iter().filter(|param| is_given(routine, **param));
        let params: Vec<String> = params.map(|param| body.fresh(*param)).collect();
        if matches!((routine.of, self.module.container), (Subject::Message(_), Container::Segments(form)) if form.table)
        {
            body.run("w.openTable", Vec::new());
        }
        let first = self.first_step(&mut body, routine);
        let (deepest, hidden) = (std::mem::take(&mut self.deepest), std::mem::take(&mut self.hidden));
        let mut lines = body.lines;
        if deepest > 0 || first.is_some() {
            let path: Vec<String> = (0..deepest).map(path).collect();
            let mut left = vec![name("$fault")];
            let is_hiding = !hidden.is_empty();
            left.extend(is_hiding.then(|| Expr::List(hidden.into_iter().map(string).collect())));
            left.extend(first.into_iter().map(string).chain(path.iter().map(name)));
            let leave = call(if is_hiding { "w.leaveHidden" } else { "w.leave" }, left);
            let steps = (deepest > 0).then_some(variables(&path));
            lines = steps.into_iter().chain([Line::Framed(lines, leave)]).collect();
        }
        (params, lines)
    }
}

impl<'r, 'm: 'r, 'v, 'a> Writing<'m, 'v, 'a> {
    /// Prints the body of a routine. That of a setter is one frame, whose step is given instead of kept in a variable.
    fn first_step(&mut self, body: &mut Body<'r>, routine: &'r Routine) -> Option<&'r str> {
        let Purpose::Set(field) = routine.purpose else {
            self.block(body, &routine.body);
            return None;
        };
        let field = &self.module.schema.record(routine.of.record(self.module)).fields[field as usize];
        self.hidden.extend(field.hidden.then_some(field.name.as_str()));
        for op in &routine.body.ops {
            match &op.what {
                What::Within { body: inner, .. } => self.block(body, inner),
                _ => self.op(body, op, &[]),
            }
        }
        Some(&field.name)
    }

    fn block(&mut self, body: &mut Body<'r>, block: &'r Block) {
        for (index, op) in block.ops.iter().enumerate() {
            self.op(body, op, &block.ops[index + 1..]);
        }
    }

    /// The lines of a block.
    fn lines(&mut self, body: &mut Body<'r>, block: &'r Block) -> Vec<Line> {
        let outer = std::mem::take(&mut body.lines);
        self.block(body, block);
        std::mem::replace(&mut body.lines, outer)
    }

    fn op(&mut self, body: &mut Body<'r>, op: &'r Op, after: &'r [Op]) {
        match &op.what {
            What::If { test, then, other } => self.branch(body, *test, then, other),
            What::Within { frame, body: inner } => self.within(body, *frame, inner),
            What::Level { body: inner, .. } if self.shallow => self.block(body, inner),
            What::Level { body: inner, .. } => {
                body.run("w.enter", Vec::new());
                self.block(body, inner);
                body.lines.push(Line::Do(name(format!("{FRAME}.depth++"))));
            }
            What::Call { routine, args } => {
                let called = &self.module[*routine];
                let given = called.params.iter().zip(args).filter(|(param, _)| is_given(called, **param));
                let given = given.map(|(_, arg)| body.arg(*arg)).collect();
                body.run(&self.functions[routine.0 as usize], given);
            }
            What::Loop { count, body: inner, .. } => {
                let count = body.arg(*count);
                let index = body.fresh(inner.takes[0]);
                let lines = self.lines(body, inner);
                body.lines.push(Line::For(index, count, lines));
            }
            What::Element { place, index, stride, .. } => {
                let before = binary(body.sym(*index), "*", int(*stride));
                let at = binary(body.place(*place), "+", before);
                body.keep(op.binds[0], at);
            }
            What::Switch { on, arms, other } => {
                let arms = arms.iter().map(|(tag, arm)| (int(*tag), self.lines(body, arm))).collect();
                let other = self.lines(body, other);
                body.lines.push(Line::Switch(body.arg(*on), arms, other));
            }
            What::Write(write) => self.write(body, op, write, after),
            what => unreachable!("routines that write have no {what:?}"),
        }
    }

    fn branch(&mut self, body: &mut Body<'r>, test: Sym, then: &'r Block, other: &'r Block) {
        let then = self.lines(body, then);
        let known = body.rule_out(test);
        let other = self.lines(body, other);
        body.ruled_out.truncate(known);
        body.branch(test, then, other);
    }

    fn within(&mut self, body: &mut Body<'r>, frame: Frame, inner: &'r Block) {
        let step = match frame {
            Frame::Field(field) => string(self.module[field].as_str()),
            Frame::Element(index) => body.sym(index),
        };
        let (depth, deepest) = (self.depth, std::mem::take(&mut self.deepest));
        body.lines.push(assign(path(depth), step));
        self.depth += 1;
        self.block(body, inner);
        self.depth = depth;
        // The bytes that come next lie in no frame within this one.
        if self.deepest > depth + 1 {
            body.lines.push(assign(path(depth + 1), name("undefined")));
        }
        self.deepest = self.deepest.max(deepest).max(depth + 1);
    }

    fn write(&mut self, body: &mut Body<'r>, op: &'r Op, write: &'r Write, after: &'r [Op]) {
        match write {
            Write::IsNull { value } => {
                body.tests.insert(op.binds[0], *value);
                let test = binary(body.sym(*value), "==", name("null"));
                body.set(op.binds[0], test);
            }
            Write::OfRecord { value, .. } => body.lines.push(Line::Do(call("w.isRecord", vec![body.sym(*value)]))),
            Write::Get { value, record, field } => {
                let defined = &self.module.schema.record(*record).fields[*field as usize];
                self.hidden.extend(defined.hidden.then_some(defined.name.as_str()));
                let field = &self.values.names.fields(*record)[*field as usize];
                let got = member(body.sym(*value), field.clone());
                body.keep(op.binds[0], got);
            }
            Write::Octets { value, text } => {
                let bytes = vec![body.sym(*value), int(visit::reserved_before(after))];
                let size = body.frame_call(putter(*text), bytes);
                body.keep(op.binds[0], size);
            }
            Write::Sorted { value, of } => {
                let sorted = self.sorted(body.sym(*value), *of);
                body.keep(op.binds[0], sorted);
            }
            Write::Count { value, .. } => body.keep(op.binds[0], call("w.count", vec![body.sym(*value)])),
            Write::Exactly { value, count, in_run } => {
                let code = string(if *in_run { "out-of-range" } else { "bad-value" });
                let exactly = call("w.exactly", vec![body.sym(*value), int(*count), code]);
                body.lines.push(Line::Do(exactly));
            }
            Write::Item { value, index: at } => body.keep(op.binds[0], index(body.sym(*value), body.sym(*at))),
            Write::Pair { value, index: at } => {
                let entry = body.constant("entry", index(body.sym(*value), body.sym(*at)));
                for (bind, side) in op.binds.iter().zip(0..) {
                    body.keep(*bind, index(entry.clone(), int(side)));
                }
            }
            Write::SameAs { value, literal } => {
                let fixed = self.values.of(&self.module[*literal]);
                body.lines.push(Line::Do(call("w.isSame", vec![body.sym(*value), fixed])));
            }
            Write::InRange { number, min, max } => in_range(body, *number, (*min, *max)),
            Write::Wrong => body.lines.push(Line::Do(call("w.wrong", Vec::new()))),
            Write::Choice { value, union } => {
                let given = body.sym(*value);
                body.lines.push(Line::Do(call("w.isRecord", vec![given.clone()])));
                let tag_of = self.values.helper(*union, Helper::Number);
                body.keep(op.binds[0], apply(tag_of, vec![given.clone()]));
                body.keep(op.binds[1], member(given, "value"));
            }
            Write::Point { .. }
            | Write::List { .. }
            | Write::Records { .. }
            | Write::Blob { .. }
            | Write::StoreBits { .. }
            | Write::Plant { .. }
            | Write::Finish { .. } => self.segments(body, op, write),
            _ => self.bytes(body, op, write),
        }
    }

    /// Objects in segments, and pointers to them.
    fn segments(&mut self, body: &mut Body<'r>, op: &'r Op, write: &'r Write) {
        let all = |body: &Body<'r>, count: Arg, more: u32| plus(&body.arg(count), more);
        match write {
            Write::Point { at, to, object: Object::Record { data, pointers }, .. } => {
                let sizes = int(i128::from(*data) | i128::from(*pointers) << 16);
                body.run("w.point", vec![body.place(*at), body.sym(*to), int(0), sizes]);
            }
            Write::List { at, count, more, code, bits, .. } => {
                let count = all(body, *count, *more);
                let first = body.frame_call("w.list", vec![body.place(*at), count, int(*code), int(*bits)]);
                body.keep(op.binds[0], first);
            }
            Write::Records { at, count, data, pointers, .. } => {
                let sizes = [body.arg(*count), int(*data), int(*pointers)];
                let first = body.frame_call("w.records", [body.place(*at)].into_iter().chain(sizes).collect());
                body.keep(op.binds[0], first);
            }
            Write::Blob { at, value, text, .. } => {
                let put = if text.is_some() { "w.textBehind" } else { "w.bytesBehind" };
                body.run(put, vec![body.place(*at), body.sym(*value)]);
            }
            Write::StoreBits { at, value, .. } => body.run("w.bits", vec![body.sym(*at), body.sym(*value)]),
            Write::Plant { at, value, .. } => body.run("w.plant", vec![body.place(*at), body.sym(*value)]),
            _ => {
                let Container::Segments(form) = self.module.container else { return };
                if form.canonical {
                    body.run("w.trim", Vec::new());
                }
                body.run("w.finish", vec![truth(form.table)]);
            }
        }
    }

    fn sorted(&mut self, value: Expr, of: ListId) -> Expr {
        let list = &self.module[of];
        let (sort, key) = match (list.shape, &list.ty) {
            (Shape::Map, Type::Map { key, .. }) => ("w.sortedMap", key.as_ref()),
            (_, ty) => ("w.sortedSet", ty.element()),
        };
        let order = self.values.ordering(key);
        call(sort, vec![value, order])
    }

    fn bytes(&mut self, body: &mut Body<'r>, op: &'r Op, write: &'r Write) {
        let end = || name(format!("{FRAME}.at"));
        match write {
            Write::Here { .. } => body.keep_used(op.binds[0], end()),
            Write::Reserve { size, .. } => self.reserve(body, op.binds[0], size),
            Write::Append { size, .. } => {
                let behind = binary(end(), "+", body.arg(*size));
                body.lines.push(assign(format!("{FRAME}.at"), behind));
            }
            Write::Store { place, repr, number, .. } => {
                let number = match (number, repr.width()) {
                    (Arg::Const(number), 8) => Expr::Long(i128::from(*number)),
                    (number, 8) => call("BigInt", vec![body.arg(*number)]),
                    (Arg::Const(number), _) => int(*number),
                    (number, _) => body.arg(*number),
                };
                let store = self.store(Repr::int(repr.width() as u8 * 8, false), body.place(*place), number);
                body.lines.push(store);
            }
            Write::StoreScalar { place, scalar, value, .. } => {
                let null = scalar.null.or(scalar.absent).filter(|_| !body.ruled_out.contains(value));
                self.nullable_scalar(body, body.place(*place), scalar, (body.sym(*value), null));
            }
            Write::StoreChars { place, width, encoding, value, .. } => {
                let put = if *encoding == Encoding::Utf8 { "w.putChars" } else { "w.putLatin1Chars" };
                body.run(put, vec![body.place(*place), int(*width), body.sym(*value)]);
            }
            Write::Erase { place, width, bit, .. } => self.erase(body, *place, *width, *bit),
            Write::Link { place, base, .. } => {
                let offset = binary(end(), "-", body.sym(*base));
                body.lines.push(self.store(Repr::U32, body.place(*place), offset));
            }
            Write::Empty { from, count, .. } => {
                let note = Line::Do(body.frame_call("w.unpaid", vec![body.arg(*count)]));
                body.lines.push(Line::If(binary(body.sym(*from), "===", end()), vec![note], Vec::new()));
            }
            Write::Total { .. } => {
                let total = body.frame_call("w.total", Vec::new());
                match body.is_used(op.binds[0]) {
                    true => body.keep(op.binds[0], total),
                    false => body.lines.push(Line::Do(total)),
                }
            }
            Write::Framed { total, plus, width } => {
                let length = binary(body.arg(*total), "+", int(*plus));
                body.keep(op.binds[0], call("w.framed", vec![length, int(*width)]));
            }
            Write::Readable { routine, .. } => {
                let index = self.module.messages.iter().position(|message| message == routine).unwrap_or_default();
                let readers = self.readers[index].iter().map(name).collect();
                let packed = matches!(self.module.container, Container::Segments(form) if form.packed);
                body.run(if packed { "w.pack" } else { "w.readable" }, readers);
            }
            write => unreachable!("it is expanded: {write:?}"),
        }
    }

    fn reserve(&self, body: &mut Body<'r>, at: Sym, size: &Amount) {
        let end = format!("{FRAME}.at");
        let from = match body.is_used(at) {
            true => {
                body.keep(at, name(end.as_str()));
                body.sym(at)
            }
            false => name(end.as_str()),
        };
        let size = match size {
            Amount { times: Arg::Const(times), each: Arg::Const(each) } => int(times * each),
            size => body.amount(size),
        };
        if size == int(0) {
            return;
        }
        body.lines.push(assign(end.clone(), binary(from, "+", size)));
        let grow = Line::Do(body.frame_call("w.grow", Vec::new()));
        body.lines.push(Line::If(binary(name(end), ">", name(format!("{FRAME}.room"))), vec![grow], Vec::new()));
    }

    /// Zeros; a few are stored, as a call takes longer.
    fn erase(&self, body: &mut Body<'r>, place: Place, width: u32, bit: Option<u8>) {
        let at = |plus: u32| body.place(Place { plus: place.plus + plus, ..place });
        let bytes = name(format!("{FRAME}.b"));
        let lines: Vec<Line> = match bit {
            Some(bit) => {
                let byte = index(bytes, at(0));
                vec![Line::Do(binary(byte, "&=", int(!(1_i32 << bit))))]
            }
            None if width > 16 => {
                let end = at(width);
                vec![Line::Do(call(format!("{FRAME}.b.fill"), vec![int(0), at(0), end]))]
            }
            None => {
                let words = (0..width / 4).map(|word| self.store(Repr::U32, at(4 * word), int(0)));
                words.chain((width / 4 * 4..width).map(|byte| self.store(Repr::U8, at(byte), int(0)))).collect()
            }
        };
        body.lines.extend(lines);
    }

    /// A scalar, or, where it may be null, what stands for that.
    fn nullable_scalar(
        &mut self,
        body: &mut Body<'r>,
        at: Expr,
        scalar: &Scalar,
        (value, null): (Expr, Option<NullValue>),
    ) {
        let Some(NullValue::Bits(bits) | NullValue::Nan(bits)) = null else {
            return self.scalar(body, at, scalar, value);
        };
        let outer = std::mem::take(&mut body.lines);
        self.scalar(body, at.clone(), scalar, value.clone());
        let lines = std::mem::replace(&mut body.lines, outer);
        let raw = Repr::int(scalar.repr.width() as u8 * 8, false);
        let none = self.store(raw, at, stored(raw, bits));
        body.lines.push(Line::If(binary(value, "==", name("null")), vec![none], lines));
    }

    fn scalar(&mut self, body: &mut Body<'r>, at: Expr, scalar: &Scalar, value: Expr) {
        let number = match &scalar.ty {
            Type::Char => call("w.charOf", vec![value]),
            Type::Named(id) if self.values.is_enum(&scalar.ty) => {
                apply(self.values.helper(*id, Helper::Number), vec![value])
            }
            _ => value,
        };
        let turned = |number: Expr| match scalar.xor {
            0 => number,
            bits => binary(number, "^", stored(scalar.repr, bits)),
        };
        let number = match scalar.repr {
            Repr::F32 if scalar.xor != 0 => return body.run("w.putF32xor", vec![at, number, int(scalar.xor)]),
            Repr::F64 if scalar.xor != 0 => {
                return body.run("w.putF64xor", vec![at, number, Expr::Long(scalar.xor.into())])
            }
            Repr::Bit(bit) => {
                let byte = index(name(format!("{FRAME}.b")), at);
                let bits = turned(binary(call("w.boolOf", vec![number]), "<<", int(bit)));
                return body.lines.push(Line::Do(binary(byte, "|=", bits)));
            }
            Repr::Decimal => return body.run("w.putDecimal", vec![at, number]),
            Repr::Uuid => return body.run("w.putUuid", vec![at, number]),
            Repr::Bool => call("w.boolOf", vec![number]),
            Repr::F32 => call("w.f32Of", vec![number]),
            Repr::F64 => call("w.f64Of", vec![number]),
            Repr::I64 | Repr::U64 if !self.values.narrow(&scalar.ty).is_empty() => {
                return self.narrow(body, at, scalar, number);
            }
            Repr::I64 => turned(wide(body, "BigInt.asIntN", "w.i64Of", number)),
            Repr::U64 => turned(wide(body, "BigInt.asUintN", "w.u64Of", number)),
            repr => turned(checked(body, repr, number)),
        };
        body.lines.push(self.store(scalar.repr, at, number));
    }

    /// Puts a number that stands for an integer of 64 bits.
    fn narrow(&self, body: &mut Body<'r>, at: Expr, scalar: &Scalar, number: Expr) {
        let kind = if scalar.repr == Repr::I64 { "I64" } else { "U64" };
        let little = truth(self.values.order == ByteOrder::Little);
        let put = format!("w.put{kind}{}", self.values.narrow(&scalar.ty));
        body.run(&put, vec![at.clone(), number, little]);
        if scalar.xor != 0 {
            let stored_there = self.values.stored_at(Repr::U64, at.clone());
            let turned = binary(stored_there, "^", stored(Repr::U64, scalar.xor));
            body.lines.push(self.store(Repr::U64, at, turned));
        }
    }

    /// Puts a number that fits at a place.
    fn store(&self, repr: Repr, at: Expr, number: Expr) -> Line {
        let mut args = vec![at, number];
        if self.values.order == ByteOrder::Little && repr.width() > 1 {
            args.push(name("true"));
        }
        Line::Do(call(format!("{FRAME}.v.set{}", accessor(repr).unwrap_or("Uint8")), args))
    }
}

/// An integer of 32 bits or less, known to fit.
fn checked(body: &mut Body<'_>, repr: Repr, number: Expr) -> Expr {
    let number = body.constant("number", number);
    let width = repr.width() * 8;
    let same = match repr {
        Repr::I8 | Repr::I16 => binary(binary(number.clone(), "<<", int(32 - width)), ">>", int(32 - width)),
        Repr::I32 => binary(number.clone(), "|", int(0)),
        Repr::U32 => binary(number.clone(), ">>>", int(0)),
        _ => binary(number.clone(), "&", int((1 << width) - 1)),
    };
    let signed = matches!(repr, Repr::I8 | Repr::I16 | Repr::I32);
    let bits = int(if signed { -i128::from(width) } else { width.into() });
    let fails = Line::Do(call("w.noInteger", vec![number.clone(), bits]));
    body.lines.push(Line::If(binary(same, "!==", number.clone()), vec![fails], Vec::new()));
    number
}

/// A big integer, known to fit: what is none, `convert` takes or refuses.
fn wide(body: &mut Body<'_>, wrap: &str, convert: &str, number: Expr) -> Expr {
    let own = body.name("big");
    body.lines.push(variable(own.clone(), number));
    let big = name(own.as_str());
    let other = binary(name(format!("typeof {own}")), "!==", string("bigint"));
    let misfit = binary(call(wrap, vec![int(64), big.clone()]), "!==", big.clone());
    let converted = assign(own, call(convert, vec![big.clone()]));
    body.lines.push(Line::If(binary(other, "||", misfit), vec![converted], Vec::new()));
    big
}

fn in_range(body: &mut Body<'_>, number: Arg, (min, max): (u64, u64)) {
    let fails = || vec![Line::Do(call("w.outOfRange", Vec::new()))];
    if matches!(number, Arg::Const(number) if (min..=max).contains(&number)) {
        return;
    }
    let given = body.arg(number);
    if min > 0 {
        body.lines.push(Line::If(binary(given.clone(), "<", int(min)), fails(), Vec::new()));
    }
    // Nothing has more elements than a double counts.
    if max < 1 << 53 {
        body.lines.push(Line::If(binary(given, ">", int(max)), fails(), Vec::new()));
    }
}

fn putter(text: Option<Encoding>) -> &'static str {
    match text {
        Some(Encoding::Utf8) => "w.putText",
        Some(Encoding::Latin1) => "w.putLatin1",
        None => "w.putBytes",
    }
}

/// The variable for a step of the path of what is written.
fn path(depth: usize) -> String {
    format!("$path{depth}")
}

fn is_given(routine: &Routine, param: Sym) -> bool {
    !matches!(routine.symbols[param.0 as usize].ty, Ty::Out | Ty::Depth)
}
