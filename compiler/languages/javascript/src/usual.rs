//! Routines as functions, for messages as they usually are: checks without words for what fails. Whatever is unusual is refused
//! (`r.refuse`), and then the routine's table says what it is, and where. So a function may refuse what it likes, and must not
//! give anything but what the table gives.

mod body;
mod segments;

use crate::js::{
    apply, assign, binary, call, constant, either, int, name, variable, variables, Expr, Line, Stmt, FRAME,
};
use crate::read::{Reading, Scope};
use crate::uses::count_uses;
use crate::values::{wanted, Helper};
use aldis_plan::{Extent, Repr};
use aldis_routine::{
    visit, Arg, Block, Cell, Have, Holds, Op, Place, Purpose, Register, RoutineId, Row, Segments, Sym, Table, TableId,
    Ty, What,
};
use aldis_schema::Encoding;
pub(crate) use body::{plus, Body};

impl<'m> Reading<'m, '_, '_> {
    pub(crate) fn usual_routine(&mut self, id: RoutineId, scope: Scope<'m>) -> Stmt {
        let routine = scope.routine;
        let (params, mut body) = self.usual_body(id, scope);
        let params = [FRAME.to_owned()].into_iter().chain(params).collect();
        for (given, ty) in routine.body.gives.iter().zip(&routine.results).rev() {
            let (value, behind) = (body.arg(*given), format!("{FRAME}.at"));
            match ty {
                Ty::Val => body.lines.push(Line::Return(value)),
                Ty::Pos if self.tells_end(routine) && value != name(behind.as_str()) => {
                    body.lines.push(assign(behind, value))
                }
                _ => {}
            }
        }
        Stmt::Function { export: false, name: self.usual[id.0 as usize].clone(), params, body: body.lines }
    }

    /// The parameters of a function behind the frame, and its lines but for what it gives.
    pub(crate) fn usual_body(&mut self, id: RoutineId, scope: Scope<'m>) -> (Vec<String>, Body<'m>) {
        let routine = scope.routine;
        let mut uses = vec![0; routine.symbols.len()];
        count_uses(&routine.body, &mut uses);
        let mut body = Body::new(self.module, scope, uses);
        body.counts_levels = self.levels(id).is_none();
        let params = self.params[id.0 as usize].iter().map(|param| body.fresh(*param)).collect();
        self.usual_block(&mut body, &routine.body);
        (params, body)
    }

    fn usual_block(&mut self, body: &mut Body<'m>, block: &'m Block) {
        for (index, op) in block.ops.iter().enumerate() {
            if matches!(op.what, What::If { .. } | What::Switch { .. } | What::Loop { .. } | What::Each { .. }) {
                body.pay();
            }
            if let What::Equal { a: Arg::Sym(number), b: Arg::Const(0) } = op.what {
                body.tests.insert(op.binds[0], number);
            }
            match op.what {
                // The next one asks for some bytes there.
                What::Follow { .. } if asks_at(block.ops.get(index + 1), op.binds[0]) => body.follow(op),
                _ => self.usual_op(body, op),
            }
        }
        body.pay();
    }

    /// The lines of a block that gives what `to` are called.
    fn usual_way(&mut self, body: &mut Body<'m>, block: &'m Block, to: &[Option<String>]) -> Vec<Line> {
        let outer = std::mem::take(&mut body.lines);
        self.usual_block(body, block);
        for (arg, to) in block.gives.iter().zip(to) {
            if let Some(to) = to {
                let value = body.arg(*arg);
                body.lines.push(assign(to.clone(), value));
            }
        }
        std::mem::replace(&mut body.lines, outer)
    }

    fn usual_op(&mut self, body: &mut Body<'m>, op: &'m Op) {
        match &op.what {
            What::If { test, then, other } => self.usual_if(body, op, *test, [then, other]),
            What::Within { body: inner, .. } => {
                self.usual_block(body, inner);
                body.alias(op, inner);
            }
            What::Level { body: inner, .. } => {
                if !body.counts_levels {
                    self.usual_block(body, inner);
                } else if has_levels(inner) {
                    body.refuse_if(binary(name(format!("--{FRAME}.depth")), "<", int(0)));
                    self.usual_block(body, inner);
                    body.lines.push(Line::Do(name(format!("{FRAME}.depth++"))));
                } else {
                    body.refuse_if(binary(name(format!("{FRAME}.depth")), "<", int(1)));
                    self.usual_block(body, inner);
                }
                body.alias(op, inner);
            }
            What::Call { routine, args } if self.module[*routine].purpose == Purpose::Take => {
                self.inner_view(body, op, *routine, args)
            }
            What::Call { routine, args } => self.usual_call(body, op, *routine, args),
            What::Switch { on, arms, other } => {
                let to = self.usual_names(body, op);
                let arms = arms.iter().map(|(tag, arm)| (int(*tag), self.usual_way(body, arm, &to)));
                let arms: Vec<(Expr, Vec<Line>)> = arms.collect();
                let other = self.usual_way(body, other, &to);
                let on = body.arg(*on);
                if !other.is_empty() || arms.iter().any(|(_, lines)| !lines.is_empty()) {
                    body.lines.push(Line::Switch(on, arms, other));
                }
            }
            What::Segments(what) => self.usual_segments(body, op, what),
            What::Each { count, carry, of, body: inner } => {
                let list = self.usual_loop(body, op, (*count, carry, inner));
                let made = match self.list(*of) {
                    Expr::Name(plain) if plain == "r.asList" => list,
                    made => apply(made, vec![list]),
                };
                body.keep(op.binds[0], made);
            }
            What::Loop { count, carry, body: inner } => {
                self.usual_loop(body, op, (*count, carry, inner));
            }
            What::Extent { .. } | What::Head { .. } | What::Fields { .. } => self.usual_run(body, op),
            What::Counted { table, at, text, .. } => self.usual_counted(body, op, (*table, *at), *text),
            What::Scalars { .. } => self.usual_scalars(body, op),
            // A decimal that nobody wants is checked all the same.
            What::Decimal { place } if !body.is_used(op.binds[0]) => body.run("r.decimal", vec![body.place(*place)]),
            _ => {
                if let Some(value) = self.usual_value(body, op) {
                    body.set(op.binds[0], value);
                } else if let Some(value) = self.usual_number(body, op) {
                    body.set(op.binds[0], value);
                } else {
                    body.guard(op);
                }
            }
        }
    }

    fn usual_call(&mut self, body: &mut Body<'m>, op: &'m Op, id: RoutineId, args: &'m [Arg]) {
        self.asked.insert(id.0);
        if let Some(levels) = self.levels(id).filter(|levels| *levels > 0 && body.counts_levels) {
            body.refuse_if(binary(name(format!("{FRAME}.depth")), "<", int(levels)));
        }
        let taken = &self.params[id.0 as usize];
        let given = self.module[id].params.iter().zip(args).filter(|(param, _)| taken.contains(param));
        let given: Vec<Expr> = given.map(|(_, arg)| body.arg(*arg)).collect();
        let value = body.frame_call(&self.usual[id.0 as usize], given);
        let ty_of = |bind: &Sym| body.scope.routine.symbols[bind.0 as usize].ty;
        let found = [Ty::Val, Ty::Pos].map(|ty| op.binds.iter().find(|bind| ty_of(bind) == ty).copied());
        match found[0] {
            Some(bind) => body.keep(bind, value),
            None => body.lines.push(Line::Do(value)),
        }
        if let Some(behind) = found[1] {
            body.keep_used(behind, name(format!("{FRAME}.at")));
        }
    }

    fn usual_scalars(&mut self, body: &mut Body<'m>, op: &'m Op) {
        let What::Scalars { at, count, scalar, of, .. } = &op.what else { return };
        let width = int(scalar.repr.width());
        let size = binary(body.arg(*count), "*", width.clone());
        let size = body.constant("size", size);
        body.charge(size.clone());
        let [_, read, made] = self.scalars(scalar, *of);
        let start = body.sym(*at);
        let list = body.frame_call("r.values", vec![start.clone(), body.arg(*count), width, read, made]);
        body.keep(op.binds[0], list);
        body.set(op.binds[1], binary(start, "+", size));
    }

    fn usual_if(&mut self, body: &mut Body<'m>, op: &'m Op, test: Sym, ways: [&'m Block; 2]) {
        let to = self.usual_names(body, op);
        let [then, other] = ways;
        let then = self.usual_way(body, then, &to);
        let known = body.rule_out(test);
        let other = self.usual_way(body, other, &to);
        body.ruled_out.truncate(known);
        body.branch(test, then, other);
    }

    /// Declares what a statement with several ways binds.
    fn usual_names(&mut self, body: &mut Body<'m>, op: &'m Op) -> Vec<Option<String>> {
        let to: Vec<Option<String>> =
            op.binds.iter().map(|bind| (!body.scope.routine.is_token(*bind)).then(|| body.fresh(*bind))).collect();
        let declared: Vec<String> = to.iter().flatten().cloned().collect();
        if !declared.is_empty() {
            body.lines.push(variables(&declared));
        }
        to
    }

    /// A loop, and the list of what its block gives beside what is carried.
    fn usual_loop(
        &mut self,
        body: &mut Body<'m>,
        op: &'m Op,
        (count, carry, inner): (Arg, &'m [Arg], &'m Block),
    ) -> Expr {
        let items = inner.gives.len() - carry.len();
        let list = body.name("list");
        if items > 0 {
            body.lines.push(constant(list.clone(), Expr::List(Vec::new())));
        }
        // The variables by the places of what they carry.
        let carried: Vec<usize> = (0..carry.len()).filter(|place| !body.is_token(&carry[*place])).collect();
        let carried: Vec<(usize, String)> = carried.into_iter().map(|place| (place, body.name("next"))).collect();
        for (place, next) in &carried {
            body.lines.push(variable(next.clone(), body.arg(carry[*place])));
        }
        let count = body.constant("count", body.arg(count));
        body.keep_outside(inner);
        let outer = std::mem::take(&mut body.lines);
        let index = body.fresh(inner.takes[0]);
        for (place, next) in &carried {
            body.keep(inner.takes[place + 1], name(next.as_str()));
        }
        self.usual_block(body, inner);
        if items > 0 {
            let pushed = inner.gives[..items].iter().map(|arg| body.arg(*arg)).collect();
            body.lines.push(Line::Do(call(format!("{list}.push"), pushed)));
        }
        for (place, next) in &carried {
            body.lines.push(assign(next.clone(), body.arg(inner.gives[items + place])));
        }
        let lines = std::mem::replace(&mut body.lines, outer);
        if !lines.is_empty() {
            body.lines.push(Line::For(index, count, lines));
        }
        let first = op.binds.len() - carry.len();
        for (place, next) in carried {
            body.exprs[op.binds[first + place].0 as usize] = Some(name(next));
        }
        name(list)
    }

    fn usual_run(&mut self, body: &mut Body<'m>, op: &'m Op) {
        let module = self.module;
        match &op.what {
            What::Extent { table: id, at, acting, .. } => {
                let table = &module[*id];
                let at = body.constant("at", body.sym(*at));
                let size = match table.extent {
                    Extent::Exact | Extent::Sections { .. } => int(table.size),
                    Extent::Acting => body.constant("size", body.arg(*acting)),
                    Extent::Stated { head } => {
                        body.need(at.clone(), int(head));
                        let (plus, repr) = table.stated().unwrap_or((0, Repr::U32));
                        let read = self.load(repr, &at, plus);
                        let size = body.constant("size", read);
                        body.refuse_if(binary(size.clone(), "<", int(head)));
                        size
                    }
                };
                body.need(at, size.clone());
                body.charge(size.clone());
                if let Some((end, sum)) = table.extras.last() {
                    let run = self.run(&body.scope, *id);
                    let whole = binary(size.clone(), ">=", int(*end));
                    let short = call("r.extraWithin", vec![run, size.clone()]);
                    body.extra(if matches!(size, Expr::Int(_)) { int(*sum) } else { either(whole, int(*sum), short) });
                }
                body.exprs[op.binds[0].0 as usize] = Some(size);
            }
            What::Head { table, at, .. } => {
                body.exprs[at.0 as usize] = Some(body.constant("at", body.sym(*at)));
                let found = self.usual_head(body, &module[*table], *at);
                let behind = binary(body.sym(*at), "+", int(module[*table].size));
                for (bind, value) in op.binds.iter().zip(found.into_iter().chain([behind])) {
                    body.set(*bind, value);
                }
            }
            What::Fields { table, at, have } => self.usual_fields(body, op, *table, *at, *have),
            _ => {}
        }
    }

    /// Checks a head; gives what reads its registers that are wanted.
    fn usual_head(&mut self, body: &mut Body<'m>, table: &Table, at: Sym) -> Vec<Expr> {
        let at = body.constant("at", body.sym(at));
        body.need(at.clone(), int(table.size));
        body.charge(int(table.size));
        let mut found = Vec::new();
        for row in &table.rows {
            match row.holds {
                Holds::Register(Register::Wanted(repr)) => found.push(self.load(repr, &at, row.at)),
                Holds::Register(Register::Expected(repr, want)) => {
                    let have = self.register_at(repr, &at, row.at);
                    body.refuse_if(binary(have, "!==", wanted(repr, want)));
                }
                _ => {}
            }
        }
        found
    }

    fn usual_counted(&mut self, body: &mut Body<'m>, op: &'m Op, (table, at): (TableId, Sym), text: Option<Encoding>) {
        let module = self.module;
        let start = body.constant("at", body.sym(at));
        body.exprs[at.0 as usize] = Some(start);
        let found = self.usual_head(body, &module[table], at);
        let length = body.constant("length", found.last().cloned().unwrap_or(int(0)));
        let from = body.constant("from", binary(body.sym(at), "+", int(module[table].size)));
        body.need(from.clone(), length.clone());
        body.charge(length.clone());
        let stop = body.constant("stop", binary(from.clone(), "+", length));
        let Expr::Name(made) = self.values.octets(text) else { return };
        let value = body.frame_call(&made, vec![from, stop.clone()]);
        body.set(op.binds[0], value);
        body.exprs[op.binds[1].0 as usize] = Some(stop);
    }

    fn usual_fields(&mut self, body: &mut Body<'m>, op: &'m Op, id: TableId, at: Sym, have: Have) {
        let module = self.module;
        let table = &module[id];
        let at = body.constant("at", body.sym(at));
        let plain: Vec<(&Row, &Cell)> = table.plain().collect();
        let read: Vec<Expr> = plain.iter().map(|(row, cell)| self.usual_cell(cell, &at, (row.at, row.width))).collect();
        let Have::Within { extent, version } = have else {
            for (bind, value) in op.binds.iter().zip(read) {
                body.set(*bind, value);
            }
            return;
        };
        let names: Vec<String> = op.binds.iter().map(|bind| body.fresh(*bind)).collect();
        body.lines.push(variables(&names));
        let size = match table.extent {
            Extent::Sections { data } => data,
            _ => table.size,
        };
        let mut whole = binary(body.arg(extent), ">=", int(size));
        if table.newest > 0 && version != Arg::Const(u64::MAX) {
            whole = binary(whole, "&&", binary(body.arg(version), ">=", int(table.newest)));
        }
        let then = names.iter().zip(read).map(|(name, value)| assign(name.clone(), value)).collect();
        let run = self.run(&body.scope, id);
        let short = body.frame_call("r.readRows", vec![run, at, body.arg(extent), body.arg(version)]);
        body.lines.push(Line::If(whole, then, vec![assign(format!("[{}]", names.join(", ")), short)]));
    }

    /// A plain value that is there.
    fn usual_cell(&mut self, cell: &Cell, base: &Expr, (at, width): (u32, u32)) -> Expr {
        let place = plus(base, at);
        let frame = || name(FRAME);
        match cell {
            Cell::Scalar(scalar) => self.values.scalar_at(scalar, place),
            Cell::Chars(encoding) => {
                call("r.charsAt", vec![frame(), place, int(width), self.values.octets(Some(*encoding))])
            }
            Cell::Nest { record, rows } => {
                let members = rows.iter().filter_map(|row| Some((row, row.plain()?)));
                let members = members.map(|(row, cell)| self.usual_cell(cell, base, (row.at, row.width))).collect();
                let of = self.values.helper(*record, Helper::Make);
                apply(of, members)
            }
            Cell::Literal(value) => {
                let module = self.module;
                self.values.of(&module[*value])
            }
            Cell::Row { count, scalar, of } => {
                let [width, read, made] = self.scalars(scalar, *of);
                call("r.values", vec![frame(), place, int(*count), width, read, made])
            }
            Cell::Array { count, stride, element, of } => {
                let read = self.cell(element, *stride);
                let made = self.list(*of);
                call("r.values", vec![frame(), place, int(*count), int(*stride), read, made])
            }
        }
    }

    /// The expression for an operation that gives a number and refuses nothing.
    fn usual_number(&mut self, body: &Body<'m>, op: &'m Op) -> Option<Expr> {
        Some(match &op.what {
            What::Load { place, repr } => self.load(*repr, &body.sym(place.base), place.plus),
            What::Add { at, size } => match (plus(&body.sym(at.base), at.plus), body.arg(*size)) {
                (at, Expr::Int(0)) => at,
                (at, size) => binary(at, "+", size),
            },
            What::Behind { at, count, each } => binary(body.sym(*at), "+", binary(body.arg(*count), "*", int(*each))),
            What::Element { place, index, stride, .. } => {
                let before = binary(body.sym(*index), "*", int(*stride));
                binary(plus(&body.sym(place.base), place.plus), "+", before)
            }
            What::Equal { a, b } => binary(body.arg(*a), "===", body.arg(*b)),
            What::AtLeast { a, b } => binary(body.arg(*a), ">=", body.arg(*b)),
            What::Present { since, reach, extent, version } => {
                let there = binary(body.arg(*extent), ">=", int(*reach));
                match (*since, *version) {
                    (0, _) | (_, Arg::Const(u64::MAX)) => there,
                    _ => binary(binary(body.arg(*version), ">=", int(*since)), "&&", there),
                }
            }
            What::Lack { of, block, pointers, version } => {
                let args = [block, pointers, version].map(|arg| body.arg(*arg));
                let rows = &self.module[*of];
                let ends = [(&rows.block, &args[0]), (&rows.pointers, &args[1])];
                let ends =
                    ends.into_iter().filter_map(|(rows, have)| Some(binary(have.clone(), ">=", int(rows.last()?.0))));
                let whole = ends.reduce(|one, other| binary(one, "&&", other)).filter(|_| rows.parts.is_empty());
                let lacks = self.lack(&body.scope, *of);
                let short = call("r.lackWithin", [lacks].into_iter().chain(args).collect());
                match whole {
                    Some(whole) => either(whole, int(0), short),
                    None => short,
                }
            }
            What::End => name(format!("{FRAME}.end")),
            _ => return None,
        })
    }

    /// A register as a number, big ones rounded: what is compared with it is far smaller.
    fn load(&self, repr: Repr, at: &Expr, bytes: u32) -> Expr {
        let read = self.register_at(repr, at, bytes);
        match repr.width() {
            8 => call("Number", vec![read]),
            _ => read,
        }
    }

    fn register_at(&self, repr: Repr, at: &Expr, bytes: u32) -> Expr {
        self.values.stored_at(Repr::int(repr.width() as u8 * 8, false), plus(at, bytes))
    }

    /// The expression for an operation that makes a value.
    fn usual_value(&mut self, body: &mut Body<'m>, op: &'m Op) -> Option<Expr> {
        let place = |body: &Body<'m>, place: &Place| plus(&body.sym(place.base), place.plus);
        Some(match &op.what {
            What::Scalar { place: at, scalar } => self.values.scalar_at(scalar, place(body, at)),
            What::Chars { place: at, width, encoding } => {
                let read = self.values.octets(Some(*encoding));
                body.frame_call("r.charsAt", vec![place(body, at), int(*width), read])
            }
            What::Decimal { place: at } => body.frame_call("r.decimal", vec![place(body, at)]),
            What::Bytes { at, size, text } => {
                let Expr::Name(made) = self.values.octets(*text) else { return None };
                let at = body.sym(*at);
                body.frame_call(&made, vec![at.clone(), binary(at, "+", body.arg(*size))])
            }
            What::Literal { value } => self.values.of(&self.module[*value]),
            What::Arm { union, tag, arm } => {
                let of = self.values.helper(*union, Helper::Make);
                apply(of, vec![body.arg(*tag), body.sym(*arm)])
            }
            What::Make { record, fields } => {
                let of = self.values.helper(*record, Helper::Make);
                apply(of, fields.iter().map(|field| body.sym(*field)).collect())
            }
            What::Row { at, count, scalar, of } => {
                let [width, read, made] = self.scalars(scalar, *of);
                body.frame_call("r.values", vec![place(body, at), body.arg(*count), width, read, made])
            }
            _ => return None,
        })
    }
}

/// Whether anything in a block asks how many levels are left.
fn has_levels(block: &Block) -> bool {
    let asks = |op: &Op| {
        matches!(op.what, What::Level { .. } | What::Call { .. } | What::Segments(Segments::Keep { .. }))
            || visit::blocks(&op.what).into_iter().any(has_levels)
    };
    block.ops.iter().any(asks)
}

/// Whether an operation asks whether there are bytes at a place.
fn asks_at(op: Option<&Op>, place: Sym) -> bool {
    match op.map(|op| &op.what) {
        Some(What::Need { at, size: Arg::Const(size), .. }) => *at == place && *size > 0,
        Some(What::Head { at, .. } | What::Counted { at, .. }) => *at == place,
        _ => false,
    }
}
