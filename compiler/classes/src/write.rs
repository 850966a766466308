//! Routines that write, as methods: one pass over a value into the writer's bytes, which throw what is wrong with it, with its
//! path. Of most there is a quick method beside it, which is tried first.

mod constants;
mod quick;
mod refusals;
mod rows;
mod stored;
mod vars;
pub use quick::Quick;

use crate::body::{Body, IN, OUT};
use crate::kinds::dialect::Known;
use crate::kinds::{Kinds, Val};
use crate::split;
use crate::tree::{binary, call, cast, int, is_false, member, name, plus, run, truth, Expr, Line, Member, Word};
use aldis_emit::names::capital;
use aldis_plan::{ByteOrder, Container, NullValue, Repr, Scalar, Segments as Form};
use aldis_routine::{
    expand_routine, visit, Amount, Arg, Block, Frame, Module, Object, Op, Place, Purpose, Routine, RoutineId, Subject,
    Sym, Ty, What, Write, WRITTEN,
};
use aldis_schema::{Encoding, Type};

/// The purposes of the routines that write.
const PURPOSES: [Purpose; 2] = [Purpose::Write, Purpose::Targets];

/// The writers of one form.
pub struct Writing<'m> {
    pub module: &'m Module,
    pub kinds: &'m Kinds<'m>,
    pub suffix: &'m str,
    /// The variables of a quick method; the careful ones have a state.
    quick: Option<vars::Vars>,
}

impl<'m> Writing<'m> {
    pub fn new(module: &'m Module, kinds: &'m Kinds<'m>, suffix: &'m str) -> Self {
        Self { module, kinds, suffix, quick: None }
    }

    /// The methods that write a record and its message, which have these routines. Large operations are expanded here, as those of a large
    /// schema together take many times the memory.
    pub fn members(&self, own: &[&Routine], able: &Quick) -> Vec<Member> {
        let writers = own.iter().filter(|routine| PURPOSES.contains(&routine.purpose));
        let expanded = |routine: &&Routine| expand_routine(self.module, (*routine).clone(), &WRITTEN);
        let methods = |routine: Routine| {
            let quick = able.has(routine.of).then(|| self.quick_methods(&routine, able));
            quick.into_iter().flatten().chain(self.method(&routine, able)).collect::<Vec<_>>()
        };
        writers.flat_map(|routine| methods(expanded(routine))).collect()
    }

    /// The method that writes a message.
    pub fn write_name(&self) -> String {
        self.kinds.dialect.method(format!("writeMessage{}", capital(self.suffix)))
    }

    fn function(&self, routine: &Routine) -> String {
        let verb = match (routine.purpose, routine.of) {
            (Purpose::Targets, _) => "targets",
            (_, Subject::Record(_)) => "write",
            _ => "writeMessage",
        };
        format!("{verb}{}", capital(self.suffix))
    }

    /// Binds the parameters of a routine to those of its method; gives these by type and name.
    fn params(&self, body: &mut Body<'m>, routine: &Routine) -> Vec<(String, String)> {
        let record = routine.of.record(self.module);
        let mut params = Vec::new();
        for param in routine.params.iter() {
            if body.is_token(*param) {
                continue;
            }
            let own = body.fresh(*param);
            match body.ty(*param) {
                Ty::Given => {
                    params.push((self.kinds.names.of(record).to_owned(), own.clone()));
                    let absent = Some(binary(name(own.as_str()), "==", name("null")));
                    body.bind(*param, Val { expr: name(own), ty: Type::Named(record), absent });
                }
                _ => {
                    params.push((body.number_type(*param).to_owned(), own.clone()));
                    body.is(*param, name(own));
                }
            }
        }
        params
    }

    fn method(&self, routine: &Routine, quick: &Quick) -> Vec<Member> {
        let mut body = Body::new(self.module, self.kinds, routine);
        let params = self.params(&mut body, routine);
        let is_message = matches!(routine.of, Subject::Message(_));
        if is_message && self.has_table() {
            body.lines.push(act("openTable", Vec::new()));
        }
        self.block(&mut body, &routine.body);
        let mut method = split::Method {
            access: "public",
            name: self.kinds.dialect.method(self.function(routine)),
            gives: "void",
            state: ("Out", OUT),
            params,
        };
        let mut members = Vec::new();
        if quick.has(routine.of) && is_message {
            members.extend(self.attempt(routine, quick));
            members.push(self.tries(routine, quick, &method));
            method.name = self.careful_name();
        }
        members.extend(method.members(self.kinds.dialect, body.lines));
        members
    }

    fn has_table(&self) -> bool {
        matches!(self.module.container, Container::Segments(Form { table: true, .. }))
    }

    /// Where the bytes that were written end.
    fn end(&self) -> Expr {
        match &self.quick {
            Some(vars) => vars.end.clone(),
            None => member(name(OUT), "at"),
        }
    }

    /// Bytes, and where in them a place is.
    fn spot(&self, body: &Body<'m>, place: Place) -> (Expr, Expr) {
        match (&self.quick, body.parts.get(&place.base)) {
            (Some(_), Some(part)) => (part.clone(), int(place.plus)),
            (Some(vars), None) => (vars.bytes.clone(), body.place(place)),
            (None, _) => (member(name(OUT), "b"), body.place(place)),
        }
    }

    /// The statement that puts more than a number at a place.
    fn put(&self, put: &'static str, (bytes, at): (Expr, Expr), more: Vec<Expr>) -> Line {
        match self.quick {
            Some(_) => quick::act(put, [bytes, at].into_iter().chain(more).collect()),
            None => act(put, [at].into_iter().chain(more).collect()),
        }
    }

    /// The arguments for the parameters of a routine that its method has.
    fn args(&self, body: &Body<'m>, called: &Routine, args: &[Arg]) -> Vec<Expr> {
        let is_given = |param: &Sym| !matches!(called.symbols[param.0 as usize].ty, Ty::Out | Ty::Depth);
        let given = called.params.iter().zip(args).filter(|(param, _)| is_given(param));
        let given = given.map(|(_, arg)| match arg {
            Arg::Sym(sym) if body.is_val(*sym) => body.val(*sym).expr,
            arg => body.arg(*arg),
        });
        given.collect()
    }

    pub(crate) fn block(&self, body: &mut Body<'m>, block: &'m Block) {
        (body.ready, body.behind_start) = (0, None);
        self.steps(body, block);
        (body.ready, body.behind_start) = (0, None);
    }

    /// The operations of a block that is gone through once, whatever happens before it.
    fn steps(&self, body: &mut Body<'m>, block: &'m Block) {
        let mut rest = block.ops.as_slice();
        while let [op, after @ ..] = rest {
            let constants = constants::of(self.module, rest);
            rest = &rest[constants.len().max(1)..];
            match constants.len() {
                0 | 1 => self.op(body, op, after),
                _ => self.constants(body, &constants),
            }
        }
    }

    fn op(&self, body: &mut Body<'m>, op: &'m Op, after: &'m [Op]) {
        if self.quick.as_ref().is_some_and(|vars| self.quick_op(vars, body, op, after)) {
            return;
        }
        match &op.what {
            What::If { test, then, other } => {
                let (then, ()) = body.apart(|body| self.block(body, then));
                let (other, ()) = body.apart(|body| match body.nulls.get(test).copied() {
                    Some(value) => body.where_given(value, |body| self.block(body, other)),
                    None => self.block(body, other),
                });
                let test = body.sym(*test);
                body.test(test, then, other);
            }
            What::Within { frame, body: inner } => self.within(body, *frame, inner),
            What::Level { body: inner, .. } => {
                body.lines.push(act("enter", Vec::new()));
                self.block(body, inner);
                body.lines.push(Line::Step(member(name(OUT), "depth")));
            }
            What::Call { routine, args } => {
                let called = &self.module[*routine];
                let state = [self.kinds.dialect.state(OUT)].into_iter();
                let args = state.chain(self.args(body, called, args)).collect();
                let function = self.kinds.of_codec(called.of.record(self.module), &self.function(called));
                body.lines.push(Line::Do(run(function, args)));
            }
            What::Loop { count, body: inner, .. } => {
                let count = body.arg(*count);
                let index = body.fresh(inner.takes[0]);
                body.is(inner.takes[0], name(index.as_str()));
                let (lines, ()) = body.apart(|body| self.block(body, inner));
                body.lines.push(Line::For(index, count, lines));
            }
            What::Element { place, index, stride, .. } => {
                let at = binary(body.place(*place), "+", binary(body.sym(*index), "*", int(*stride)));
                body.keep(op.binds[0], at);
            }
            What::Switch { on: Arg::Sym(on), arms, other } => self.switch(body, *on, arms, other),
            What::Write(write) => self.write(body, op, write, after),
            what => unreachable!("routines that write have no {what:?}"),
        }
    }

    /// The arms of a union, each with the value that it holds.
    fn switch(&self, body: &mut Body<'m>, on: Sym, arms: &'m [(u64, Block)], other: &'m Block) {
        let (union, id, held) = body.choices[&on].clone();
        let ways = arms.iter().map(|(tag, block)| {
            let index = self.kinds.union_of(id).arm_of(*tag).unwrap_or_default();
            let ty = &self.kinds.union_of(id).arms[index].field.ty;
            let (lines, ()) = body.apart(|body| {
                let value = || self.kinds.dialect.held(self.kinds, id, index, union.clone());
                match (ty, self.kinds.primitive(ty)) {
                    (Type::Void, _) => body.bind(held, Val { expr: name("null"), ty: Type::Void, absent: None }),
                    (_, None) => self.object(body, held, ty.clone(), value()),
                    _ => body.keep_val(held, Val { expr: value(), ty: ty.clone(), absent: None }),
                }
                self.block(body, block);
            });
            (int(*tag), lines)
        });
        let ways: Vec<_> = ways.collect();
        let (other, ()) = body.apart(|body| self.block(body, other));
        if ways.iter().any(|(_, lines)| !lines.is_empty()) {
            let tag = cast("int", body.sym(on));
            body.lines.push(Line::Switch(tag, ways, other));
        }
    }

    fn within(&self, body: &mut Body<'m>, frame: Frame, inner: &'m Block) {
        let (lines, ()) = body.apart(|body| self.block(body, inner));
        let step = match frame {
            Frame::Field(field) => crate::tree::string(self.module[field].as_str()),
            Frame::Element(index) => body.sym(index),
        };
        match can_fault(&lines) {
            true => body.lines.push(Line::Framed(lines, step)),
            false => body.lines.extend(lines),
        }
    }

    fn write(&self, body: &mut Body<'m>, op: &'m Op, write: &'m Write, after: &'m [Op]) {
        match write {
            Write::IsNull { value } => {
                let test = self.is_null(&body.val(*value));
                body.nulls.insert(op.binds[0], *value);
                body.is(op.binds[0], test);
            }
            Write::OfRecord { value, .. } => {
                let val = body.val(*value);
                self.given(body, &val);
            }
            Write::Get { value, record, field } => {
                let of = body.val(*value).expr;
                let val = crate::values::take(self.kinds, self.module, *record, *field as usize, of);
                body.keep_val(op.binds[0], val);
            }
            Write::Octets { value, text } => {
                let put = match text {
                    Some(Encoding::Utf8) => "utf8",
                    Some(Encoding::Latin1) => "latin1",
                    None => "octets",
                };
                let args = vec![body.val(*value).expr, int(visit::reserved_before(after))];
                body.keep(op.binds[0], call(name(OUT), put, args));
            }
            _ => self.collection(body, op, write),
        }
    }

    fn collection(&self, body: &mut Body<'m>, op: &'m Op, write: &'m Write) {
        match write {
            Write::Sorted { value, of } => {
                let list = &self.module[*of];
                let (class, expr) = self.kinds.dialect.sorted(self.kinds, &list.ty, body.val(*value).expr);
                let own = body.name("sorted");
                body.lines.push(Line::Declare(class, own.clone(), Some(expr)));
                body.bind(op.binds[0], Val { expr: name(own), ty: list.ty.clone(), absent: None });
            }
            Write::Count { value, .. } => {
                let count = run("Out.count", vec![body.val(*value).expr]);
                body.keep(op.binds[0], count);
            }
            Write::Exactly { value, count, in_run } => {
                let found = run("Out.count", vec![body.val(*value).expr]);
                let args = vec![found, int(*count), truth(*in_run)];
                body.lines.push(Line::Do(run("Out.exactly", args)));
            }
            Write::Item { value, index } => self.item(body, op, *value, *index),
            Write::Pair { value, index } => {
                let val = body.val(*value);
                let Type::Map { key, value, .. } = val.ty.clone() else { return };
                let entry = self.kinds.dialect.item(val.expr, body.sym(*index));
                let sides = [*key, *value].into_iter().zip(self.kinds.dialect.entry(entry));
                for (bind, (ty, side)) in op.binds.iter().zip(sides) {
                    self.object(body, *bind, ty, side);
                }
            }
            Write::SameAs { value, .. } if body.val(*value).ty == Type::Void => {}
            Write::SameAs { value, literal } => {
                let fixed = &self.module[*literal];
                let fixed = self.kinds.boxed_literal(&fixed.value, &fixed.ty, self.module);
                let own = crate::read::boxed_val(self.kinds, &body.val(*value));
                body.lines.push(Line::Do(run("Out.same", vec![own, fixed])));
            }
            Write::InRange { number, min, max } => {
                if !matches!(number, Arg::Const(number) if (min..=max).contains(&number)) {
                    let [min, max] = [*min, *max].map(|bound| body.arg(Arg::Const(bound)));
                    body.lines.push(Line::Do(run("Out.inRange", vec![body.arg(*number), min, max])));
                }
            }
            Write::Choice { value, union } => {
                let of = body.val(*value).expr;
                body.keep(op.binds[0], run("Out.tag", vec![of.clone()]));
                body.choices.insert(op.binds[0], (of, *union, op.binds[1]));
            }
            Write::Wrong => body.lines.push(Line::Do(run("Out.wrong", Vec::new()))),
            _ => self.bytes(body, op, write),
        }
    }

    /// An element of a collection: of arrays a number, else an object.
    fn item(&self, body: &mut Body<'m>, op: &Op, value: Sym, at: Sym) {
        let val = body.val(value);
        let element = val.ty.element().clone();
        let is_list = matches!(val.ty.required(), Type::List(_) | Type::Array { .. });
        match self.kinds.array(&element).filter(|_| is_list) {
            Some(_) => {
                let expr = crate::tree::index(val.expr, body.sym(at));
                body.keep_val(op.binds[0], Val { expr, ty: element, absent: None });
            }
            None => {
                let expr = self.kinds.dialect.item(val.expr, body.sym(at));
                self.object(body, op.binds[0], element, expr);
            }
        }
    }

    /// A value that is an object, though it may be a number.
    fn object(&self, body: &mut Body<'m>, bind: Sym, ty: Type, expr: Expr) {
        let own = body.fresh(bind);
        body.lines.push(Line::Declare(self.kinds.held(&ty), own.clone(), Some(expr)));
        let element = name(own);
        let is_nullable = self.kinds.dialect.may_be_null(&ty, self.kinds);
        let absent = if is_nullable { binary(element.clone(), "==", name("null")) } else { truth(false) };
        let expr = self.kinds.dialect.unboxed(&ty, self.kinds, element);
        body.bind(bind, Val { expr, ty, absent: Some(absent) });
    }

    fn is_null(&self, val: &Val) -> Expr {
        match (&val.absent, self.kinds.primitive(&val.ty)) {
            (Some(absent), _) if !is_false(absent) => absent.clone(),
            (Some(absent), None) if is_false(absent) => truth(false),
            (_, Some(_)) => truth(false),
            _ => binary(val.expr.clone(), "==", name("null")),
        }
    }

    /// The value is no null.
    fn given(&self, body: &mut Body<'m>, val: &Val) {
        let test = self.is_null(val);
        if !is_false(&test) {
            let refuse = match self.quick {
                Some(_) => refusals::refused(),
                None => Line::Throw(run("Out.none", Vec::new())),
            };
            body.lines.push(Line::If(test, vec![refuse], Vec::new()));
        }
    }

    fn bytes(&self, body: &mut Body<'m>, op: &'m Op, write: &'m Write) {
        match write {
            Write::Here { .. } => {
                if body.uses[op.binds[0].0 as usize] > 0 {
                    body.keep(op.binds[0], self.end());
                }
            }
            Write::Reserve { size, .. } => self.reserve(body, op.binds[0], size),
            Write::Append { size, .. } => {
                let size = body.short(*size);
                body.lines.push(Line::Assign(self.end(), "+=", size));
            }
            Write::Store { place, repr, number, .. } => {
                let repr = Repr::int(repr.width() as u8 * 8, false);
                let number = match *number {
                    Arg::Sym(sym) if body.number_type(sym) == "int" => self.kinds.dialect.int_out(repr, body.sym(sym)),
                    Arg::Sym(sym) => self.kinds.dialect.register_out(repr, body.sym(sym), None),
                    known @ Arg::Const(number) => self.kinds.dialect.register_out(repr, body.arg(known), Some(number)),
                };
                let line = self.store(repr, self.spot(body, *place), number);
                body.lines.push(line);
            }
            Write::StoreScalar { place, scalar, value, .. } => {
                let val = body.val(*value);
                self.scalar(body, self.spot(body, *place), scalar, &val);
            }
            Write::StoreChars { place, width, encoding, value, .. } => {
                let put = if *encoding == Encoding::Utf8 { "utf8Chars" } else { "latin1Chars" };
                let more = vec![int(*width), body.val(*value).expr];
                body.lines.push(self.put(put, self.spot(body, *place), more));
            }
            Write::Link { place, base, .. } => {
                let away = binary(self.end(), "-", body.sym(*base));
                let away = self.kinds.dialect.int_out(Repr::U32, away);
                let line = self.store(Repr::U32, self.spot(body, *place), away);
                body.lines.push(line);
            }
            Write::Empty { from, count, .. } => {
                let note = act("unpaid", vec![body.arg(*count)]);
                body.lines.push(Line::If(binary(body.sym(*from), "==", self.end()), vec![note], Vec::new()));
            }
            Write::Total { .. } => {
                let total = call(name(OUT), "total", Vec::new());
                match body.uses[op.binds[0].0 as usize] {
                    0 => body.lines.push(Line::Do(total)),
                    _ => body.keep(op.binds[0], total),
                }
            }
            Write::Framed { total, plus: more, width } => {
                let length = binary(body.arg(*total), "+", int(*more));
                body.keep(op.binds[0], run("Out.framed", vec![length, int(*width)]));
            }
            _ => self.objects(body, op, write),
        }
    }

    /// Objects in segments, and pointers to them.
    fn objects(&self, body: &mut Body<'m>, op: &'m Op, write: &'m Write) {
        match write {
            Write::Point { at, to, object: Object::Record { data, pointers }, .. } => {
                let sizes = Expr::Long(i128::from(*data) | i128::from(*pointers) << 16);
                let args = vec![body.place(*at), body.sym(*to), int(0), sizes];
                body.lines.push(act("point", args));
            }
            Write::List { at, count, more, code, bits, .. } => {
                let args = vec![body.place(*at), plus(body.arg(*count), *more), int(*code), int(*bits)];
                body.keep(op.binds[0], call(name(OUT), "list", args));
            }
            Write::Records { at, count, data, pointers, .. } => {
                let args = vec![body.place(*at), body.arg(*count), int(*data), int(*pointers)];
                body.keep(op.binds[0], call(name(OUT), "records", args));
            }
            Write::Blob { at, value, text, .. } => {
                let args = vec![body.place(*at), body.val(*value).expr];
                body.lines.push(act(if text.is_some() { "text" } else { "data" }, args));
            }
            _ => self.ending(body, write),
        }
    }

    /// The rest of an object, and of a message.
    fn ending(&self, body: &mut Body<'m>, write: &'m Write) {
        match write {
            Write::StoreBits { at, value, .. } => {
                let place = Place { base: *at, plus: 0 };
                body.lines.push(self.put("bits", self.spot(body, place), vec![body.val(*value).expr]));
            }
            Write::Erase { place, width, bit, .. } => {
                let (erase, of) = bit.map_or(("erase", int(*width)), |bit| ("eraseBit", int(bit)));
                body.lines.push(self.put(erase, self.spot(body, *place), vec![of]));
            }
            Write::Plant { at, value, .. } => {
                let args = vec![body.place(*at), body.val(*value).expr];
                body.lines.push(act("plant", args));
            }
            Write::Finish { .. } => {
                let Container::Segments(form) = self.module.container else { return };
                body.lines.push(act("finish", vec![truth(form.table), truth(form.canonical)]));
            }
            Write::Readable { routine, .. } => {
                let read = self.reader(*routine);
                let into = self.kinds.blank(self.module[*routine].of.record(self.module));
                let args = vec![self.kinds.dialect.state(IN), member(name(IN), "start"), into];
                let lambda = self.kinds.dialect.with_state(run(read, args));
                let packed = matches!(self.module.container, Container::Segments(form) if form.packed);
                body.lines.push(act(if packed { "pack" } else { "readable" }, vec![lambda]));
            }
            write => unreachable!("it is expanded: {write:?}"),
        }
    }

    fn reader(&self, routine: RoutineId) -> String {
        self.kinds.of_codec(self.module[routine].of.record(self.module), &format!("message{}", capital(self.suffix)))
    }

    fn reserve(&self, body: &mut Body<'m>, at: Sym, size: &Amount) {
        let size = match size {
            Amount { times: Arg::Const(times), each: Arg::Const(each) } => int(times * each),
            size => body.amount(size).into_iter().reduce(|a, b| binary(a, "*", b)).unwrap_or(int(0)),
        };
        match (body.uses[at.0 as usize] > 0, size) {
            (true, Expr::Int(0)) => body.keep(at, member(name(OUT), "at")),
            (false, Expr::Int(0)) => {}
            (true, size) => body.keep(at, call(name(OUT), "reserve", vec![size])),
            (false, size) => body.lines.push(act("reserve", vec![size])),
        }
    }

    /// A scalar, or, where it may be null, what stands for that.
    fn scalar(&self, body: &mut Body<'m>, at: (Expr, Expr), scalar: &Scalar, val: &Val) {
        let none = match scalar.null.or(scalar.absent) {
            Some(NullValue::Bits(bits) | NullValue::Nan(bits)) => {
                let raw = Repr::int(scalar.repr.width() as u8 * 8, false);
                let bits = self.kinds.dialect.register_out(raw, int(0), Some(bits));
                Some(self.store(raw, at.clone(), bits))
            }
            None => None,
        };
        let test = self.is_null(val);
        let (lines, ()) = body.apart(|body| self.number(body, at, scalar, val.expr.clone()));
        match none {
            Some(none) => body.test(test, vec![none], lines),
            None => {
                self.given(body, val);
                body.lines.extend(lines);
            }
        }
    }

    /// A number that is there, known to fit.
    fn number(&self, body: &mut Body<'m>, at: (Expr, Expr), scalar: &Scalar, value: Expr) {
        let repr = scalar.repr;
        let number = match repr {
            Repr::Bit(bit) => {
                let bit = vec![int(bit), truth(scalar.xor != 0), value];
                return body.lines.push(self.put("bit", at, bit));
            }
            Repr::Decimal => return body.lines.push(self.put("decimal", at, vec![value])),
            Repr::Uuid => return body.lines.push(self.put("uuid", at, vec![value])),
            Repr::Bool => Expr::Choose(Box::new(value), Box::new(int(1)), Box::new(int(0))),
            repr => self.kinds.dialect.fitting(repr, &scalar.ty, value),
        };
        let number = match (scalar.xor, repr) {
            (0, _) => number,
            (bits, Repr::F32) => {
                let raw = run(self.kinds.dialect.known(Known::BitsOfFloat), vec![number]);
                let line = self.store(Repr::I32, at, binary(raw, "^", int(bits as u32 as i32)));
                return body.lines.push(line);
            }
            (bits, Repr::F64) => {
                let raw = run(self.kinds.dialect.known(Known::BitsOfDouble), vec![number]);
                let line = self.store(Repr::I64, at, binary(raw, "^", Expr::Long(i128::from(bits as i64))));
                return body.lines.push(line);
            }
            (bits, repr) => self.kinds.dialect.flipped_out(repr, number, bits),
        };
        let line = self.store(repr, at, number);
        body.lines.push(line);
    }

    /// Puts a number that fits at a place.
    fn store(&self, repr: Repr, at: (Expr, Expr), number: Expr) -> Line {
        self.kinds.dialect.store(repr, self.module.byte_order == ByteOrder::Big, at, number)
    }
}

/// `o.method(…);`
fn act(method: &'static str, args: Vec<Expr>) -> Line {
    Line::Do(call(name(OUT), method, args))
}

/// Whether lines that write may find something wrong with a value: loads and stores of numbers never do.
pub(crate) fn can_fault(lines: &[Line]) -> bool {
    let mut found = false;
    split::walk(lines, &mut |expr| {
        found |= match expr {
            Expr::Run(Word::Runtime(function), _) => !function.starts_with("Wire."),
            Expr::Run(..) | Expr::Call(..) => true,
            _ => false,
        }
    });
    found
}
