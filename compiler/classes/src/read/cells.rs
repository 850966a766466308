//! Values within runs, as expressions that read them where they lie, and what stands for those that are not there.

use super::{boxed_val, method, Reading};
use crate::body::{state, Body, Joined};
use crate::kinds::dialect::Known;
use crate::kinds::{is_null, Val};
use crate::tree::{
    binary, call, cast, index, int, is_false, is_true, make, name, plus, run, string, truth, Expr, Line,
};
use aldis_plan::{ByteOrder, Extent, Lacks, Repr, Scalar};
use aldis_routine::{Cell, Have, LackId, ListId, Op, Row, Sym, TableId};
use aldis_schema::{Encoding, Type, TypeId};

/// A run of which bytes may be missing: how far it reaches, the version of its writer, and of both, what is known where code is.
struct Short {
    extent: Expr,
    version: Expr,
    /// It reaches so far, and its writer is so new.
    there: (u32, u32),
    /// Not both of these are so.
    lacking: (u32, u32),
}

impl Short {
    /// The test that a row is there.
    fn test(&self, row: &Row) -> Expr {
        let (reach, since) = (row.reach, if self.version == Expr::Endless { 0 } else { row.since });
        if (reach, since) == self.lacking {
            return truth(false);
        }
        let reached = (reach > self.there.0).then(|| binary(self.extent.clone(), ">=", int(reach)));
        let known = (since > self.there.1).then(|| binary(self.version.clone(), ">=", int(since)));
        match (known, reached) {
            (Some(known), Some(reached)) => binary(known, "&&", reached),
            (known, reached) => known.or(reached).unwrap_or(truth(true)),
        }
    }

    /// The same where a row is there.
    fn within(&self, row: &Row) -> Self {
        let there = (row.reach.max(self.there.0), row.since.max(self.there.1));
        Self { extent: self.extent.clone(), version: self.version.clone(), there, lacking: self.lacking }
    }
}

/// The fields of a run that a part of a long method reads.
const TOGETHER: usize = 32;

impl<'m> Reading<'m> {
    pub fn fields(&mut self, body: &mut Body<'m>, op: &'m Op, (id, at): (TableId, Sym), have: Have) {
        let module = self.module;
        let table = &module[id];
        let at = body.constant("int", "at", body.sym(at));
        let plain: Vec<(&Row, &Cell)> = table.plain().collect();
        let Have::Within { extent, version } = have else {
            for (bind, (row, cell)) in op.binds.iter().zip(plain) {
                self.old = body.olds.get(bind).cloned();
                let val = self.named(row, |own| own.cell(body, cell, &at, (row.at, row.width)));
                self.keep(body, *bind, val);
                body.put_fields(&[*bind]);
            }
            return;
        };
        let size = match table.extent {
            Extent::Sections { data } => data,
            _ => table.size,
        };
        let [extent, version] = [extent, version].map(|arg| body.arg(arg));
        let newest = if version == Expr::Endless { 0 } else { table.newest };
        let short = Short { extent, version, there: (0, 0), lacking: (size, newest) };
        let mut whole = binary(short.extent.clone(), ">=", int(size));
        if newest > 0 {
            whole = binary(whole, "&&", binary(short.version.clone(), ">=", int(newest)));
        }
        let mut rest = op.binds.as_slice();
        for rows in parts(&plain, body.is_long) {
            let (binds, behind) = rest.split_at(rows.len());
            rest = behind;
            self.fields_within(body, (binds, rows), &whole, (&at, &short));
        }
    }

    /// Some fields of a run, of which all are there where a test says so, and else each where its bytes are. Those of a long method go
    /// into its object at once.
    fn fields_within(
        &mut self,
        body: &mut Body<'m>,
        (binds, rows): (&[Sym], &[(&'m Row, &'m Cell)]),
        whole: &Expr,
        (at, short): (&Expr, &Short),
    ) {
        let mut way = |is_whole: bool| {
            body.apart(|body| {
                let mut vals = Vec::new();
                for (bind, (row, cell)) in binds.iter().zip(rows) {
                    self.old = body.olds.get(bind).cloned();
                    let val = match is_whole {
                        true => self.named(row, |own| own.settled(body, cell, at, (row.at, row.width))),
                        false => self.short_row(body, row, cell, (at, short)),
                    };
                    match body.goes_at_once(*bind) {
                        true => body.put_val(*bind, &val),
                        false => vals.push(Joined::Val(val)),
                    }
                }
                vals
            })
        };
        let mut ways = [way(true), way(false)];
        let (put, others): (Vec<Sym>, Vec<Sym>) = binds.iter().copied().partition(|bind| body.goes_at_once(*bind));
        body.join(&others, &mut ways);
        put.into_iter().for_each(|bind| body.was_put(bind));
        let [(fast, _), (other, _)] = ways;
        body.test(whole.clone(), fast, other);
    }

    /// A value that may not be there: null or its default then.
    fn short_row(&mut self, body: &mut Body<'m>, row: &'m Row, cell: &'m Cell, (at, short): (&Expr, &Short)) -> Val {
        let module = self.module;
        let there = short.test(row);
        let own = row.name.map_or("item".to_owned(), |known| module[known].clone());
        let own = body.name(&own);
        let (lines, val) = self.named(row, |own| {
            body.apart(|body| match cell {
                Cell::Nest { record, rows } => own.nest(body, (*record, rows), at, Some(&short.within(row))),
                cell => own.settled(body, cell, at, (row.at, row.width)),
            })
        });
        let missing = row.missing.map(|missing| self.kinds.of(&module[missing], module));
        let missing = missing.unwrap_or_else(|| Val { expr: name("null"), ..val.clone() });
        let is_number = self.kinds.primitive(&val.ty).is_some();
        match (is_number, &missing.expr) {
            _ if is_true(&there) => {
                body.lines.extend(lines);
                return val;
            }
            (true, Expr::Int(_) | Expr::Long(_)) if is_false(&there) => return Val { ty: val.ty, ..missing },
            _ => {}
        }
        body.lines.push(Line::Declare(self.kinds.local(&val.ty), own.clone(), None));
        let mut then = lines;
        let mut other = Vec::new();
        then.push(Line::Assign(name(own.as_str()), "=", val.expr));
        other.push(Line::Assign(name(own.as_str()), "=", missing.expr));
        let mut absent = (!is_number).then(|| binary(name(own.as_str()), "==", name("null")));
        if is_number && (val.absent.is_some() || missing.absent.is_some()) {
            let test = body.name(&format!("{own}Absent"));
            body.lines.push(Line::Declare(self.kinds.dialect.flag().to_owned(), test.clone(), None));
            let of = |absent: Option<Expr>| absent.unwrap_or_else(|| crate::tree::truth(false));
            then.push(Line::Assign(name(test.as_str()), "=", of(val.absent)));
            other.push(Line::Assign(name(test.as_str()), "=", of(missing.absent)));
            absent = Some(name(test));
        }
        body.test(there, then, other);
        Val { expr: name(own), ty: val.ty, absent }
    }

    /// A plain value that is there. A number that may be null is in a variable, which the test looks at.
    fn settled(&mut self, body: &mut Body<'m>, cell: &'m Cell, base: &Expr, place: (u32, u32)) -> Val {
        let (mut val, scalar) = self.cell(body, cell, base, place);
        if let Some(scalar) = scalar.filter(|scalar| scalar.null.is_some()) {
            val.expr = body.constant(&self.kinds.local(&val.ty), "number", val.expr);
            val.absent = is_null(self.kinds, scalar, val.expr.clone());
        }
        val
    }

    /// The same as an expression, and the scalar whose test for null is to follow.
    fn cell(
        &mut self,
        body: &mut Body<'m>,
        cell: &'m Cell,
        base: &Expr,
        (at, width): (u32, u32),
    ) -> (Val, Option<&'m Scalar>) {
        let module = self.module;
        let place = plus(base.clone(), at);
        match cell {
            Cell::Scalar(scalar) => (self.scalar(scalar, place), Some(scalar)),
            Cell::Chars(encoding) => {
                let mut val = self.chars(*encoding, place, width);
                // Fields that may fault are read in their order.
                if self.kinds.strict_text {
                    val.expr = body.constant(self.kinds.dialect.text(), "text", val.expr);
                }
                (val, None)
            }
            Cell::Literal(value) => (self.kinds.of(&module[*value], module), None),
            Cell::Row { count, scalar, of } => {
                (self.row((place, int(*count), int(scalar.repr.width())), scalar, *of), None)
            }
            Cell::Nest { record, rows } => (self.nest(body, (*record, rows), base, None), None),
            Cell::Array { count, stride, element, of } => {
                self.old = None;
                let of = &module[*of];
                let own = body.name("list");
                let made = self.collection(of, int(*count));
                body.lines.push(Line::Declare(self.open_type(of), own.clone(), Some(made)));
                let turn = body.name("index");
                let (lines, ()) = body.apart(|body| {
                    let away = binary(name(turn.as_str()), "*", int(*stride));
                    let at = body.constant("int", "at", binary(place, "+", away));
                    self.steps.push(name(turn.as_str()));
                    let val = self.settled(body, element, &at, (0, *stride));
                    self.steps.pop();
                    let item = boxed_val(self.kinds, &val);
                    let item = self.kinds.dialect.element(of.ty.element(), item);
                    body.lines.push(Line::Do(call(name(own.as_str()), "add", vec![item])));
                });
                body.lines.push(Line::For(turn, int(*count), lines));
                let expr = match self.kinds.array(of.ty.element()) {
                    Some(primitive) => self.kinds.dialect.array(primitive, name(own)),
                    None => name(own),
                };
                (Val { expr, ty: of.ty.clone(), absent: None }, None)
            }
        }
    }

    /// A record within a run, whose members count from where it does; not all of them may be there.
    fn nest(
        &mut self,
        body: &mut Body<'m>,
        (record, rows): (TypeId, &'m [Row]),
        base: &Expr,
        within: Option<&Short>,
    ) -> Val {
        let class = self.kinds.names.of(record).to_owned();
        let own = body.name(&self.kinds.names.simple(record).to_lowercase());
        let is_kept = self.old.is_some();
        let made = match self.old.take() {
            Some(old) => self.kinds.used(record, old),
            None => self.kinds.blank(record),
        };
        body.lines.push(Line::Declare(class, own.clone(), Some(made)));
        if is_kept {
            body.lines.extend(crate::values::all_there(self.kinds, self.module, record, &own));
        }
        for row in rows {
            let (Some(cell), Some(field)) = (row.plain(), row.field) else { continue };
            let field_of = |of| crate::values::take(self.kinds, self.module, record, field as usize, of).expr;
            self.old = is_kept.then(|| field_of(name(own.as_str())));
            let val = match within {
                Some(short) => self.short_row(body, row, cell, (base, short)),
                None => self.named(row, |own| own.settled(body, cell, base, (row.at, row.width))),
            };
            let lines = crate::values::put(self.kinds, self.module, (record, field as usize), &own, (val, !is_kept));
            body.lines.extend(lines);
        }
        Val { expr: name(own), ty: Type::Named(record), absent: None }
    }

    pub fn scalar(&self, scalar: &Scalar, place: Expr) -> Val {
        let big = self.module.byte_order == ByteOrder::Big;
        let (bytes, place) = self.spot(place, scalar.repr.width().into());
        let byte = || index(bytes.clone(), place.clone());
        let load = |kind, place| load(kind, big, bytes.clone(), place);
        let expr = match scalar.repr {
            Repr::Bool => binary(byte(), "!=", int(0)),
            Repr::Bit(bit) => {
                let masked = binary(byte(), "&", int(1u32 << bit));
                binary(masked, if scalar.xor == 0 { "!=" } else { "==" }, int(0))
            }
            Repr::Uuid => run("Wire.uuid", vec![bytes, place]),
            Repr::Decimal => run("In.decimalOf", vec![bytes, place]),
            Repr::F32 if scalar.xor != 0 => {
                let bits = binary(load("i32", place), "^", int(scalar.xor as u32 as i32));
                run(self.kinds.dialect.known(Known::FloatOfBits), vec![bits])
            }
            Repr::F64 if scalar.xor != 0 => {
                let bits = binary(load("i64", place), "^", Expr::Long(i128::from(scalar.xor as i64)));
                run(self.kinds.dialect.known(Known::DoubleOfBits), vec![bits])
            }
            repr => {
                let read = match repr {
                    Repr::I8 => self.kinds.dialect.byte(byte(), true),
                    Repr::U8 => self.kinds.dialect.byte(byte(), false),
                    repr => load(method(repr), place),
                };
                match scalar.xor {
                    0 => read,
                    bits => self.kinds.dialect.flipped(repr, read, bits),
                }
            }
        };
        let expr = if scalar.ty == Type::Char { cast("char", expr) } else { expr };
        let absent = self.kinds.primitive(&scalar.ty).is_none().then(|| crate::tree::truth(false));
        Val { expr, ty: scalar.ty.clone(), absent }
    }

    /// Scalars, each so many bytes behind the other: an array, or a list of those that are objects.
    pub fn row(&mut self, (at, count, step): (Expr, Expr, Expr), scalar: &Scalar, of: ListId) -> Val {
        let big = if self.module.byte_order == ByteOrder::Big && scalar.repr.width() > 1 { "be" } else { "" };
        let kind = match (&scalar.ty, scalar.repr) {
            (Type::Char, _) => "char",
            (_, Repr::Bool) => "bool",
            (_, Repr::Uuid) => "uuid",
            (_, repr) => method(repr),
        };
        let (bytes, at) = match (&count, &step) {
            (Expr::Int(count), Expr::Int(step)) => self.spot(at, count * step),
            _ => (self.bytes.clone(), at),
        };
        let args = self.with_old(vec![bytes, at, count, step], kind != "uuid");
        let expr = run(crate::tree::runtime(format!("In.{kind}s{big}")), args);
        Val { expr, ty: self.module[of].ty.clone(), absent: None }
    }

    /// The expression that reads a row's cell; a fault in it has the row's name in its path.
    fn named<T>(&mut self, row: &Row, read: impl FnOnce(&mut Self) -> T) -> T {
        let step = row.name.map(|known| string(self.module[known].as_str()));
        let depth = self.steps.len();
        self.steps.extend(step);
        let made = read(self);
        self.steps.truncate(depth);
        made
    }

    pub fn chars(&mut self, encoding: Encoding, place: Expr, width: u32) -> Val {
        let method = match encoding {
            Encoding::Utf8 if self.kinds.strict_text => "strictUtf8Chars",
            Encoding::Utf8 => "utf8Chars",
            Encoding::Latin1 => "latin1Chars",
        };
        let is_strict = method == "strictUtf8Chars";
        let expr = match is_strict {
            true => state(method, [place, int(width)].into_iter().chain(self.steps.iter().cloned()).collect()),
            false => {
                let (bytes, place) = self.spot(place, width.into());
                let args = self.with_old(vec![bytes, place, int(width)], true);
                run(crate::tree::runtime(format!("In.{method}")), args)
            }
        };
        Val { expr, ty: Type::Chars { len: width, encoding }, absent: None }
    }

    pub fn octets(&mut self, text: Option<Encoding>, at: Expr, size: Expr) -> Val {
        let (method, ty) = match text {
            Some(Encoding::Utf8) if self.kinds.strict_text => ("strictUtf8", Type::Text(Encoding::Utf8)),
            Some(Encoding::Utf8) => ("utf8", Type::Text(Encoding::Utf8)),
            Some(Encoding::Latin1) => ("latin1", Type::Text(Encoding::Latin1)),
            None => ("octets", Type::Bytes),
        };
        let expr = match method {
            "strictUtf8" => state(method, vec![at, size]),
            method => {
                let args = self.with_old(vec![self.bytes.clone(), at, size], true);
                run(crate::tree::runtime(format!("In.{method}")), args)
            }
        };
        Val { expr, ty, absent: None }
    }

    /// Operands, with the value that was there before where there is one.
    pub fn with_old(&mut self, mut args: Vec<Expr>, is_kept: bool) -> Vec<Expr> {
        let old = self.old.take();
        if is_kept {
            args.push(old.unwrap_or(name("null")));
        }
        args
    }

    /// A register, which has no sign whatever its type.
    pub fn register(&self, repr: Repr, place: Expr) -> Expr {
        let repr = Repr::int(repr.width() as u8 * 8, false);
        let (bytes, place) = self.spot(place, repr.width().into());
        match repr {
            Repr::U8 => self.kinds.dialect.byte(index(bytes, place), false),
            repr => {
                let order = if self.module.byte_order == ByteOrder::Big { "be" } else { "" };
                let kind = self.kinds.dialect.register(repr);
                run(crate::tree::runtime(format!("Wire.{kind}{order}")), vec![bytes, place])
            }
        }
    }

    /// The constant that says where a run may be cut.
    pub fn cut(&mut self, id: TableId) -> Expr {
        if let Some(known) = self.cuts.get(&id) {
            return name(known.as_str());
        }
        let own = self.kinds.dialect.constant("CUT", self.suffix, self.cuts.len());
        let table = &self.module[id];
        let is_head = table.rows.iter().all(|row| row.field.is_none());
        let extras = table.extras.iter().flat_map(|(end, sum)| [Expr::Long((*end).into()), Expr::Long((*sum).into())]);
        let extras = Expr::Array("long".to_owned(), extras.collect());
        let rows = table.rows.iter().map(|row| self.cut_row(row, is_head)).collect();
        let args = [extras].into_iter().chain(self.rows(&own, rows)).collect();
        let own = self.constant("Cut", &own, make("Cut", args));
        self.cuts.insert(id, own.clone());
        name(own)
    }

    fn cut_row(&self, row: &Row, is_head: bool) -> Expr {
        let shown = row.name.filter(|_| row.field.is_some() || is_head);
        let shown = shown.map_or(name("null"), |known| string(self.module[known].as_str()));
        let members = row.members().iter().map(|row| self.cut_row(row, false));
        let place = [row.at, row.end(), row.since, row.reach].map(int);
        make("Cut.Row", place.into_iter().chain([shown]).chain(members).collect())
    }

    /// The charge of a record for the fields that its bytes end before: nothing, where a test says that it is whole.
    pub fn lacking(&mut self, id: LackId, there: [Expr; 3]) -> Expr {
        let module = self.module;
        let lacks = &module[id];
        let rows = [&lacks.block, &lacks.pointers, &lacks.parts].into_iter().zip(&there);
        let tests = rows.filter_map(|(rows, there)| {
            let last = rows.iter().map(|(end, _)| i128::from(*end)).max()?;
            Some(reaches(there, last))
        });
        let whole = tests.filter(|test| !is_true(test)).reduce(|one, other| binary(one, "&&", other));
        let some = call(self.lack(id), "within", there.into());
        choose(whole.unwrap_or_else(|| truth(true)), int(0), some)
    }

    fn lack(&mut self, id: LackId) -> Expr {
        if let Some(known) = self.lacks.get(&id) {
            return name(known.as_str());
        }
        let own = self.kinds.dialect.constant("LACKS", self.suffix, self.lacks.len());
        let lacks: &Lacks = &self.module[id];
        let pairs = |rows: &[(u32, u64)]| {
            let numbers = rows.iter().flat_map(|(end, cost)| [Expr::Long((*end).into()), Expr::Long((*cost).into())]);
            Expr::Array("long".to_owned(), numbers.collect())
        };
        let args = [&lacks.block, &lacks.pointers, &lacks.parts].map(|rows| pairs(rows)).into();
        let own = self.constant("Cut.Lacks", &own, make("Cut.Lacks", args));
        self.lacks.insert(id, own.clone());
        name(own)
    }
}

/// The test that a number is as large, which is not asked where that is known.
pub fn reaches(number: &Expr, least: i128) -> Expr {
    match number {
        Expr::Int(known) | Expr::Long(known) => truth(*known >= least),
        Expr::Endless => truth(true),
        number => binary(number.clone(), ">=", int(least)),
    }
}

/// A value or another, by a test.
pub fn choose(test: Expr, value: Expr, other: Expr) -> Expr {
    match test {
        test if is_true(&test) => value,
        test if is_false(&test) => other,
        test => Expr::Choose(Box::new(test), Box::new(value), Box::new(other)),
    }
}

/// Rows in parts that a method is made of, where it is long.
fn parts<'p, 'm>(rows: &'p [(&'m Row, &'m Cell)], is_long: bool) -> Vec<&'p [(&'m Row, &'m Cell)]> {
    let mut parts = Vec::new();
    let (mut first, mut weight) = (0, 0);
    for (index, (row, _)) in rows.iter().enumerate() {
        weight += self::weight(row);
        if is_long && weight >= TOGETHER || index + 1 == rows.len() {
            parts.push(&rows[first..=index]);
            (first, weight) = (index + 1, 0);
        }
    }
    parts
}

/// The fields that a row holds.
pub fn weight(row: &Row) -> usize {
    row.members().iter().map(weight).sum::<usize>().max(1)
}

fn load(kind: &str, big: bool, bytes: Expr, place: Expr) -> Expr {
    let order = if big { "be" } else { "" };
    run(crate::tree::runtime(format!("Wire.{kind}{order}")), vec![bytes, place])
}
