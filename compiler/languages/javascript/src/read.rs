//! Routines as tables, which the runtime walks (`runtime/javascript/codec/src/walk.js` says what they mean): every check, and the
//! place and path of each fault. Budget and depth are the walker's own, so they are no symbols here.

use crate::js::{call, int, later, make, name, string, Code, Expr, Stmt};
use crate::uses::{ends_are_asked, heights, usual_params, LEVELS};
use crate::values::{wanted, Helper, Values};
use aldis_plan::{Container, Extent, Lacks, Scalar};
use aldis_routine::{
    visit, Amount, Arg, Block, Cell, Frame, Have, Holds, LackId, ListId, Module, Op, Place, Purpose, Register, Routine,
    RoutineId, Row, Segments, Subject, Sym, TableId, Ty, What,
};
use aldis_schema::{Encoding, TypeId};
use std::collections::{BTreeSet, HashMap};

/// The routines of one form.
pub(crate) struct Reading<'m, 'v, 'a> {
    pub(crate) module: &'m Module,
    pub(crate) values: &'v mut Values<'a>,
    /// By routine: the constant that is its table.
    routines: Vec<String>,
    /// By routine: the function that reads what is usual, and what it takes.
    pub(crate) usual: Vec<String>,
    pub(crate) params: Vec<Vec<Sym>>,
    /// By routine: the levels that its values have at most.
    heights: Vec<u32>,
    /// Functions of records tell where these end.
    ends: bool,
    runs: HashMap<TableId, String>,
    lacks: HashMap<LackId, String>,
    /// The constants by what they are: what is alike is there once.
    constants: HashMap<String, String>,
    /// The routines that functions call.
    pub(crate) asked: BTreeSet<u32>,
    pub(crate) found: Code,
}

/// One routine while it is printed.
pub(crate) struct Scope<'m> {
    pub(crate) routine: &'m Routine,
    /// The name that tables of runs are called after.
    stem: String,
    /// By symbol: its number in the table. Symbols of blocks beside each other share numbers: tables that look alike pack well.
    numbers: Vec<u32>,
    /// How many numbers there are.
    room: u32,
}

impl<'m, 'v, 'a> Reading<'m, 'v, 'a> {
    /// `suffix` tells the names of one form from those of another.
    pub fn new(module: &'m Module, values: &'v mut Values<'a>, suffix: &str) -> Self {
        // They are the first ones.
        let readers = module.routines.iter().take_while(|routine| routine.purpose == Purpose::Read);
        let routines = readers.map(|routine| values.routine(module, routine.of, suffix, ["read", "message"]));
        let routines: Vec<String> = routines.collect();
        let usual = module.routines.iter().map(|routine| match routine.purpose {
            Purpose::Read => values.routine(module, routine.of, suffix, ["read_usual", "message_usual"]),
            // If a value may be a fault, the functions that read are asked instead.
            Purpose::Check if values.reads_to_check() => String::new(),
            Purpose::Check => values.routine(module, routine.of, suffix, ["check", "message_check"]),
            _ => String::new(),
        });
        let usual = usual.collect();
        Self::of(module, values, routines, usual)
    }

    /// The routines that view. A module of views has all that these call, of imported types too; a record that is taken is a view.
    pub fn viewing(module: &'m Module, values: &'v mut Values<'a>, suffix: &str) -> Self {
        let usual = module.routines.iter().map(|routine| {
            let what = match routine.purpose {
                Purpose::Take => "view",
                Purpose::Skip => "skip",
                Purpose::Open => "open",
                _ => return String::new(),
            };
            values.names.copied(routine.of.record(module), suffix, what)
        });
        let usual = usual.collect();
        Self::of(module, values, Vec::new(), usual)
    }

    fn of(module: &'m Module, values: &'v mut Values<'a>, routines: Vec<String>, usual: Vec<String>) -> Self {
        let params = module.routines.iter().map(usual_params).collect();
        let (runs, lacks, constants) = (HashMap::new(), HashMap::new(), HashMap::new());
        Self {
            module,
            values,
            routines,
            usual,
            params,
            heights: heights(module),
            ends: ends_are_asked(module),
            runs,
            lacks,
            constants,
            asked: BTreeSet::new(),
            found: Code::default(),
        }
    }

    /// The levels of a record's values, where all of them have so few that its functions count none: who calls them sees to it.
    pub(crate) fn levels(&self, id: RoutineId) -> Option<u32> {
        let is_record = matches!(self.module[id].of, Subject::Record(_));
        Some(self.heights[id.0 as usize]).filter(|height| is_record && *height <= LEVELS)
    }

    /// Whether a function says where what it reads ends.
    pub(crate) fn tells_end(&self, routine: &Routine) -> bool {
        let of_values = matches!(routine.purpose, Purpose::Read | Purpose::Check);
        self.ends || !of_values || matches!(routine.of, Subject::Message(_))
    }

    /// The function that reads a message as it usually is, and the table of all that it may be.
    pub fn message(&self, index: usize) -> [String; 2] {
        let routine = self.module.messages[index].0 as usize;
        [self.usual[routine].clone(), self.routines[routine].clone()]
    }

    /// The function that checks a message as it usually is. Routines that check look at no values; where one may be a fault, the
    /// routine that reads is asked.
    pub fn check(&self, index: usize) -> &str {
        let of = if self.values.reads_to_check() { &self.module.messages } else { &self.module.checkers };
        &self.usual[of[index].0 as usize]
    }

    /// All tables.
    pub fn statements(mut self) -> Code {
        let module = self.module;
        for index in 0..self.routines.len() {
            if self.values.names.is_own(module.routines[index].of.record(module)) {
                self.routine(RoutineId(index as u32));
            }
        }
        let is_own = |routine: &Routine| self.values.names.is_own(routine.of.record(module));
        let is_printed =
            |routine: &Routine| routine.purpose == Purpose::Check && !self.values.reads_to_check() && is_own(routine);
        let checks: Vec<_> = module.routines.iter().enumerate().filter(|(_, routine)| is_printed(routine)).collect();
        for (index, routine) in checks {
            let stem = self.usual[index].clone();
            let check = self.usual_routine(RoutineId(index as u32), Scope::called(routine, stem));
            self.found.push(check);
        }
        self.found
    }

    fn routine(&mut self, id: RoutineId) {
        let module = self.module;
        let routine = &module[id];
        let own = self.routines[id.0 as usize].clone();
        let scope = Scope::called(routine, own.clone());
        let params = scope.syms(&routine.params);
        let body = self.block(&scope, &routine.body);
        let args = vec![int(scope.room), params, later(body)];
        let value = Expr::Pure(Box::new(make("o.Routine", args)));
        self.found.push(Stmt::Const { export: false, name: own, value });
        let usual = self.usual_routine(id, scope);
        self.found.push(usual);
    }

    fn block(&mut self, scope: &Scope<'m>, block: &Block) -> Expr {
        let ops = block.ops.iter().map(|op| self.op(scope, op)).collect();
        Expr::Array(vec![scope.syms(&block.takes), Expr::Array(ops), scope.args(&block.gives)])
    }

    fn op(&mut self, scope: &Scope<'m>, op: &Op) -> Expr {
        let (name, operands) = self.numbers(scope, op).or_else(|| self.control(scope, op)).unwrap_or_else(|| {
            self.reading(scope, op).unwrap_or_else(|| unreachable!("only expansions have {:?}", op.what))
        });
        Expr::Array([self::name(format!("o.{name}"))].into_iter().chain(operands).collect())
    }

    /// Numbers, guards and the budget.
    fn numbers(&mut self, scope: &Scope<'m>, op: &Op) -> Option<(&'static str, Vec<Expr>)> {
        let to = scope.first(op);
        let arg = |arg: Arg| scope.arg(arg);
        let sym = |sym: Sym| scope.sym(sym);
        let base = |place: Place| scope.sym(place.base);
        let plus = |place: Place| int(place.plus);
        Some(match op.what {
            What::Load { place, repr } => ("load", vec![to, base(place), plus(place), self.values.register(repr)]),
            What::Add { at, size } => ("add", vec![to, base(at), plus(at), arg(size)]),
            What::Element { place, index, stride, .. } => {
                ("element", vec![to, base(place), plus(place), sym(index), int(stride)])
            }
            What::Equal { a, b } => ("equal", vec![to, arg(a), arg(b)]),
            What::AtLeast { a, b } => ("atLeast", vec![to, arg(a), arg(b)]),
            What::Present { since, reach, extent, version } => {
                ("present", vec![to, int(since), int(reach), arg(extent), arg(version)])
            }
            What::Need { at, size, .. } => ("need", vec![to, sym(at), arg(size)]),
            What::Expect { have, want, place, root } => {
                ("expect", vec![arg(have), int(want), base(place), plus(place), arg(root)])
            }
            What::Fit { count, least, at, blame } => ("fit", vec![to, arg(count), arg(least), sym(at), sym(blame)]),
            What::Follow { base: from, offset, place } => {
                ("follow", vec![to, sym(from), arg(offset), base(place), plus(place)])
            }
            What::Root { offset, start } => ("root", vec![to, arg(offset), sym(start)]),
            What::Bound { size, head, place } => ("bound", vec![arg(size), int(head), base(place), plus(place)]),
            What::Same { size, end, place } => ("same", vec![arg(size), sym(end), base(place), plus(place)]),
            What::End => ("end", vec![to]),
            What::Refuse { place } => ("refuse", vec![base(place), plus(place)]),
            What::Charge { amount: Amount { times, each }, at, .. } => ("charge", vec![arg(times), arg(each), sym(at)]),
            What::Extra { amount: Amount { times, each }, at, .. } => ("extra", vec![arg(times), arg(each), sym(at)]),
            What::Lack { of, block, pointers, version } => {
                ("lack", vec![to, self.lack(scope, of), arg(block), arg(pointers), arg(version)])
            }
            What::Least { size, least, place } => ("least", vec![to, arg(size), int(least), base(place), plus(place)]),
            What::Unpaid { from, at, amount, .. } => ("unpaid", vec![sym(from), sym(at), int(amount)]),
            _ => return None,
        })
    }

    /// Statements with blocks, and calls.
    fn control(&mut self, scope: &Scope<'m>, op: &Op) -> Option<(&'static str, Vec<Expr>)> {
        let binds = scope.syms(&op.binds);
        Some(match &op.what {
            What::If { test, then, other } => {
                ("branch", vec![binds, scope.sym(*test), self.block(scope, then), self.block(scope, other)])
            }
            What::Within { frame: Frame::Field(field), body } => {
                ("within", vec![binds, string(self.module[*field].as_str()), self.block(scope, body)])
            }
            What::Level { at, body, .. } => ("level", vec![binds, scope.sym(*at), self.block(scope, body)]),
            What::Call { routine, args } => {
                let called = name(self.routines[routine.0 as usize].as_str());
                ("call", vec![binds, called, scope.args(args)])
            }
            What::Each { count, carry, of, body } => {
                let made = self.list(*of);
                let body = self.block(scope, body);
                ("each", vec![binds, scope.arg(*count), scope.args(carry), made, body])
            }
            What::Switch { on, arms, other } => {
                let arm = |(tag, arm): &(u64, Block)| Expr::Array(vec![int(*tag), self.block(scope, arm)]);
                let arms = Expr::Array(arms.iter().map(arm).collect());
                ("choose", vec![binds, scope.arg(*on), arms, self.block(scope, other)])
            }
            What::Segments(what) => self.segments(scope, op, what),
            _ => return None,
        })
    }

    /// An operation on segments and pointers: its name and its operands.
    fn segments(&mut self, scope: &Scope<'m>, op: &Op, what: &Segments) -> (&'static str, Vec<Expr>) {
        let (to, binds) = (scope.first(op), scope.syms(&op.binds));
        let sym = |sym: &Sym| scope.sym(*sym);
        match what {
            Segments::Open => ("open", vec![to, boolean(self.has_table())]),
            Segments::Aim { at, segment, .. } => ("aim", vec![to, sym(at), scope.arg(*segment)]),
            Segments::IsNull { aim } => ("isNull", vec![to, sym(aim)]),
            Segments::Sections { aim, at, .. } => ("sections", vec![binds, sym(aim), sym(at)]),
            Segments::Octets { aim, at, text, .. } => {
                let made = self.values.octets(text.then_some(Encoding::Utf8));
                ("octets", vec![to, sym(aim), sym(at), made, boolean(*text)])
            }
            Segments::IsList { aim, at } => ("isList", vec![sym(aim), sym(at)]),
            Segments::List { aim, at, .. } => ("list", vec![binds, sym(aim), sym(at)]),
            Segments::Seat { of, index } => {
                let seat = [&op.binds[0], &op.binds[1], &of.at, &of.stride, &of.data, index];
                ("seat", seat.map(sym).into())
            }
            Segments::Eighths { count } => ("eighths", vec![to, scope.arg(*count)]),
            Segments::Short { bits } => ("short", vec![to, scope.arg(*bits)]),
            Segments::Bits { at, count, of, .. } => ("bits", vec![to, sym(at), scope.arg(*count), self.list(*of)]),
            Segments::Strided { of, scalar, list } => {
                let read = self.values.scalar(scalar);
                ("strided", vec![to, sym(&of.at), sym(&of.count), sym(&of.stride), read, self.list(*list)])
            }
            Segments::Keep { at, segment, .. } => ("keep", vec![to, sym(at), scope.arg(*segment)]),
        }
    }

    /// Whether a table of segments stands in front of messages.
    pub(crate) fn has_table(&self) -> bool {
        matches!(self.module.container, Container::Segments(form) if form.table)
    }

    /// The operations that give values.
    fn reading(&mut self, scope: &Scope<'m>, op: &Op) -> Option<(&'static str, Vec<Expr>)> {
        let to = scope.first(op);
        let base = |place: Place| scope.sym(place.base);
        let plus = |place: Place| int(place.plus);
        Some(match &op.what {
            What::Scalar { place, scalar } => {
                ("scalar", vec![to, base(*place), plus(*place), self.values.scalar(scalar)])
            }
            What::Chars { place, width, encoding } => {
                let read = self.values.octets(Some(*encoding));
                ("scalar", vec![to, base(*place), plus(*place), call("r.chars", vec![int(*width), read])])
            }
            What::Decimal { place } => ("decimal", vec![to, base(*place), plus(*place)]),
            What::Bytes { at, size, text } => {
                ("bytes", vec![to, scope.sym(*at), scope.arg(*size), self.values.octets(*text)])
            }
            What::Literal { value } => ("literal", vec![to, later(self.values.of(&self.module[*value]))]),
            What::Make { record, fields } => {
                ("make", vec![to, self.values.helper(*record, Helper::Make), scope.syms(fields)])
            }
            What::Arm { union, tag, arm } => {
                ("arm", vec![to, self.values.helper(*union, Helper::Make), scope.arg(*tag), scope.sym(*arm)])
            }
            What::Row { at, count, scalar, of } => {
                let mut row = vec![to, base(*at), plus(*at), scope.arg(*count)];
                row.extend(self.scalars(scalar, *of));
                ("row", row)
            }
            _ => return self.large(scope, op),
        })
    }

    fn large(&mut self, scope: &Scope<'m>, op: &Op) -> Option<(&'static str, Vec<Expr>)> {
        let to = scope.first(op);
        let second = || op.binds.get(1).map_or(int(0), |sym| scope.sym(*sym));
        let binds = scope.syms(&op.binds);
        Some(match &op.what {
            What::Extent { table, at, acting, version, .. } => {
                let run = self.run(scope, *table);
                ("extent", vec![to, run, scope.sym(*at), scope.arg(*acting), scope.arg(*version)])
            }
            What::Head { table, at, root, .. } => {
                ("head", vec![binds, self.run(scope, *table), scope.sym(*at), scope.arg(*root)])
            }
            What::Counted { table, at, root, text, .. } => {
                let made = self.values.octets(*text);
                ("counted", vec![to, second(), self.run(scope, *table), scope.sym(*at), scope.arg(*root), made])
            }
            What::Fields { table, at, have } => {
                let (extent, version) = match have {
                    Have::All => (Arg::Const(u64::MAX), Arg::Const(u64::MAX)),
                    Have::Within { extent, version } => (*extent, *version),
                };
                let run = self.run(scope, *table);
                ("fields", vec![binds, run, scope.sym(*at), scope.arg(extent), scope.arg(version)])
            }
            What::Scalars { at, count, scalar, of, .. } => {
                let mut scalars = vec![to, second(), scope.sym(*at), scope.arg(*count)];
                scalars.extend(self.scalars(scalar, *of));
                ("scalars", scalars)
            }
            _ => return None,
        })
    }

    /// The constant of what a record lacks.
    pub(crate) fn lack(&mut self, scope: &Scope<'m>, id: LackId) -> Expr {
        if let Some(known) = self.lacks.get(&id) {
            return name(known.as_str());
        }
        let own = self.constant(&scope.stem, "lacks", lacks(&self.module[id]));
        self.lacks.insert(id, own.clone());
        name(own)
    }

    /// The name of a constant, which there may be already.
    fn constant(&mut self, stem: &str, what: &str, value: Expr) -> String {
        let key = format!("{value:?}");
        if let Some(alike) = self.constants.get(&key) {
            return alike.clone();
        }
        let own = self.values.names.fresh(&format!("{stem}_{what}"));
        self.constants.insert(key, own.clone());
        self.found.push(Stmt::Const { export: false, name: own.clone(), value });
        own
    }

    pub(crate) fn list(&mut self, of: ListId) -> Expr {
        let module = self.module;
        self.values.list(&module[of])
    }

    /// Width, reader and collection of scalars side by side.
    pub(crate) fn scalars(&mut self, scalar: &Scalar, of: ListId) -> [Expr; 3] {
        [int(scalar.repr.width()), self.values.scalar(scalar), self.list(of)]
    }

    /// The constant of a run.
    pub(crate) fn run(&mut self, scope: &Scope<'m>, id: TableId) -> Expr {
        if let Some(known) = self.runs.get(&id) {
            return name(known.as_str());
        }
        let table = &self.module[id];
        let head = table.rows.iter().all(|row| row.field.is_none());
        let record = match scope.routine.of {
            Subject::Record(record) if !head => Some(record),
            _ => None,
        };
        let rows = self.rows(&table.rows, record);
        let extent = match table.extent {
            Extent::Exact | Extent::Sections { .. } => 0,
            Extent::Acting => -1,
            Extent::Stated { head } => i128::from(head),
        };
        let pair = |(end, sum): &(u64, u64)| Expr::Array(vec![int(*end), int(*sum)]);
        let extras = Expr::Array(table.extras.iter().map(pair).collect());
        let args = vec![int(table.size), int(extent), int(table.newest), extras, later(rows)];
        let own =
            self.constant(&scope.stem, if head { "head" } else { "run" }, Expr::Pure(Box::new(make("r.Run", args))));
        self.runs.insert(id, own.clone());
        name(own)
    }

    fn rows(&mut self, rows: &[Row], record: Option<TypeId>) -> Expr {
        Expr::Array(rows.iter().map(|row| self.row(row, record)).collect())
    }

    /// A row: where it lies, since when, its name in paths, what stands for it, and what is in it.
    fn row(&mut self, row: &Row, record: Option<TypeId>) -> Expr {
        let mut members = vec![("at", int(row.at)), ("end", int(row.end()))];
        if row.since > 0 {
            members.push(("since", int(row.since)));
        }
        if row.reach != row.end() {
            members.push(("reach", int(row.reach)));
        }
        if let Some(known) = row.name {
            let what = if row.field.is_some() { "name" } else { "register" };
            members.push((what, string(self.module[known].as_str())));
        }
        let module = self.module;
        if let (Some(missing), Some(_)) = (row.missing, row.plain()) {
            match self.values.of(&module[missing]) {
                Expr::Name(none) if none == "undefined" => {}
                value => members.push(("missing", later(value))),
            }
        }
        match &row.holds {
            Holds::Cell(Cell::Nest { record, rows }) => {
                let of = self.values.helper(*record, Helper::Make);
                members.extend([("of", of), ("rows", self.rows(rows, Some(*record)))]);
            }
            Holds::Cell(cell) => members.push(("read", self.cell(cell, row.width))),
            Holds::Nest(rows) => members.push(("rows", self.rows(rows, None))),
            Holds::Register(Register::Wanted(repr)) if record.is_none() => {
                members.push(("read", self.values.register(*repr)))
            }
            Holds::Register(Register::Expected(repr, want)) if record.is_none() => {
                members.extend([("read", self.values.register(*repr)), ("want", wanted(*repr, *want))]);
            }
            Holds::Register(Register::Extent(repr)) => members.push(("extent", self.values.register(*repr))),
            Holds::Register(_) | Holds::Other | Holds::Ignored => {}
        }
        Expr::Object(members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    }

    /// The expression that reads a plain value of a type at its place.
    pub(crate) fn cell(&mut self, cell: &Cell, width: u32) -> Expr {
        match cell {
            Cell::Scalar(scalar) => self.values.scalar(scalar),
            Cell::Chars(encoding) => call("r.chars", vec![int(width), self.values.octets(Some(*encoding))]),
            Cell::Row { count, scalar, of } => {
                let [width, read, made] = self.scalars(scalar, *of);
                call("r.array", vec![int(*count), width, read, made])
            }
            Cell::Array { count, stride, element, of } => {
                let read = self.cell(element, *stride);
                let made = self.list(*of);
                call("r.array", vec![int(*count), int(*stride), read, made])
            }
            Cell::Nest { record, rows } => {
                let of = self.values.helper(*record, Helper::Make);
                call("r.nest", vec![of, later(self.rows(rows, Some(*record)))])
            }
            Cell::Literal(value) => {
                let module = self.module;
                later(self.values.of(&module[*value]))
            }
        }
    }
}

impl<'m> Scope<'m> {
    pub(crate) fn new(routine: &'m Routine) -> Self {
        Self::called(routine, String::new())
    }

    pub(crate) fn called(routine: &'m Routine, stem: String) -> Self {
        let mut scope = Self { routine, stem, numbers: vec![u32::MAX; routine.symbols.len()], room: 0 };
        let next = scope.number(&routine.params, 0);
        scope.number_block(&routine.body, next);
        scope
    }

    /// Numbers symbols from the one on that is next; gives the next.
    fn number(&mut self, syms: &[Sym], mut next: u32) -> u32 {
        for sym in syms.iter().filter(|sym| !self.is_token(**sym)).copied().collect::<Vec<_>>() {
            self.numbers[sym.0 as usize] = next;
            next += 1;
        }
        self.room = self.room.max(next);
        next
    }

    fn number_block(&mut self, block: &Block, next: u32) {
        let mut next = self.number(&block.takes, next);
        for op in &block.ops {
            visit::blocks(&op.what).into_iter().for_each(|inner| self.number_block(inner, next));
            next = self.number(&op.binds, next);
        }
    }

    fn sym(&self, sym: Sym) -> Expr {
        let number = self.numbers[sym.0 as usize];
        debug_assert_ne!(number, u32::MAX, "a token has no number, and a symbol is bound before it is used");
        int(number)
    }

    pub(crate) fn is_token(&self, sym: Sym) -> bool {
        matches!(self.routine.symbols[sym.0 as usize].ty, Ty::Budget | Ty::Depth | Ty::Out)
    }

    /// The symbols that are no tokens.
    fn syms(&self, syms: &[Sym]) -> Expr {
        Expr::Array(syms.iter().filter(|sym| !self.is_token(**sym)).map(|sym| self.sym(*sym)).collect())
    }

    fn args(&self, args: &[Arg]) -> Expr {
        let shown = args.iter().filter(|arg| !matches!(arg, Arg::Sym(sym) if self.is_token(*sym)));
        Expr::Array(shown.map(|arg| self.arg(*arg)).collect())
    }

    fn arg(&self, arg: Arg) -> Expr {
        match arg {
            Arg::Sym(sym) => self.sym(sym),
            Arg::Const(u64::MAX) => name("-Infinity"),
            Arg::Const(number) => int(-1 - i128::from(number)),
        }
    }

    /// The first symbol that an operation binds.
    fn first(&self, op: &Op) -> Expr {
        op.binds.first().filter(|sym| !self.is_token(**sym)).map_or(int(0), |sym| self.sym(*sym))
    }
}

pub(crate) fn boolean(value: bool) -> Expr {
    name(if value { "true" } else { "false" })
}

fn lacks(lacks: &Lacks) -> Expr {
    let pair = |(end, cost): (u64, u64)| Expr::Array(vec![int(end), int(cost)]);
    let of = |rows: &[(u32, u64)]| rows.iter().map(|(end, cost)| pair((u64::from(*end), *cost))).collect();
    Expr::Array([&lacks.block, &lacks.pointers, &lacks.parts].map(|rows| Expr::Array(of(rows))).into())
}
