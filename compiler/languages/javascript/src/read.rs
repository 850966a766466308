//! Routines as tables, which the runtime walks (`runtime/javascript/codec/src/walk.js` says what they mean): every check, and the
//! place and path of each fault. Budget and depth are the walker's own, so they are no symbols here.

use crate::js::{call, int, later, make, name, pure, string, truth, Code, Expr, Stmt};
use crate::uses::{ends_are_asked, usual_params, LEVELS};
use crate::values::{wanted, Helper, Values};
use aldis_emit::names::camel;
use aldis_plan::{Container, Extent, Lacks, Scalar};
use aldis_routine::data::{Datum, Numbers, Part};
use aldis_routine::{
    Cell, Holds, LackId, ListId, Module, Purpose, Register, Routine, RoutineId, Row, Subject, Sym, TableId,
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
    levels: Vec<Option<u32>>,
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
            values.names.routine(routine.of.record(module), suffix, what)
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
            levels: aldis_routine::levels(module, LEVELS),
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
        self.levels[id.0 as usize].filter(|levels| is_record && *levels <= LEVELS)
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
        let numbers = Numbers::new(routine);
        let [params, body] = module.data_of_routine(routine).map(|datum| self.datum(&scope, &numbers, &datum));
        let args = vec![int(numbers.room), params, later(body)];
        let value = pure(make("o.Routine", args));
        self.found.push(Stmt::Const { export: false, name: own, value });
        let usual = self.usual_routine(id, scope);
        self.found.push(usual);
    }

    /// The data of a routine's block as an expression.
    fn datum(&mut self, scope: &Scope<'m>, numbers: &Numbers, datum: &Datum) -> Expr {
        match datum {
            Datum::None => name("null"),
            Datum::Bool(value) => truth(*value),
            // No size is so large, and all of a record is there: versions and extents that nothing bounds.
            Datum::Int(number) if *number == -1 - i128::from(u64::MAX) => name("-Infinity"),
            Datum::Int(number) => int(*number),
            Datum::Float(number) => Expr::Double(*number),
            Datum::Text(text) => string(text.as_str()),
            Datum::Bytes(bytes) => Expr::List(bytes.iter().map(|byte| int(*byte)).collect()),
            Datum::List(items) => Expr::List(items.iter().map(|item| self.datum(scope, numbers, item)).collect()),
            Datum::Op(own, operands) => self.operation(scope, numbers, own, operands),
            Datum::Part(part) => self.part(scope, numbers, part),
        }
    }

    fn operation(&mut self, scope: &Scope<'m>, numbers: &Numbers, own: &str, operands: &[Datum]) -> Expr {
        let called = match own {
            "if" => "branch".to_owned(),
            "switch" => "choose".to_owned(),
            "open" if self.has_table() => "openTable".to_owned(),
            own => camel(own),
        };
        let mut found = vec![name(format!("o.{called}"))];
        for operand in operands {
            match (own, operand) {
                // Functions that read scalars tell no widths.
                ("row" | "scalars" | "strided", Datum::Part(Part::Scalar(scalar))) => {
                    found.push(int(scalar.repr.width()))
                }
                // The function that makes a value of the bytes stands before whether they are text.
                ("blob", Datum::Bool(text)) => found.push(self.values.octets(text.then_some(Encoding::Utf8))),
                // No cut: a run of bytes that no table tells of.
                ("need", Datum::None) => continue,
                _ => {}
            }
            found.push(self.datum(scope, numbers, operand));
        }
        Expr::List(found)
    }

    /// The name of a part, or the expression that it is.
    fn part(&mut self, scope: &Scope<'m>, numbers: &Numbers, part: &Part) -> Expr {
        let module = self.module;
        match part {
            Part::Symbol(sym) => int(numbers.of(*sym)),
            Part::Routine(id) => name(self.routines[id.0 as usize].as_str()),
            Part::Run(id) => self.run(scope, *id),
            Part::Literal(id) => later(self.values.of(&module[*id])),
            Part::List(id) => self.list(*id),
            Part::Lack(id) => self.lack(scope, *id),
            Part::Type(id) => self.values.helper(*id, Helper::Make),
            Part::Scalar(scalar) => self.values.scalar(scalar),
            Part::Register(repr) => self.values.register(*repr),
            Part::Octets(text) => self.values.octets(*text),
        }
    }

    /// Whether a table of segments stands in front of messages.
    pub(crate) fn has_table(&self) -> bool {
        matches!(self.module.container, Container::Segments(form) if form.table)
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
        let pair = |(end, sum): &(u64, u64)| Expr::List(vec![int(*end), int(*sum)]);
        let extras = Expr::List(table.extras.iter().map(pair).collect());
        let args = vec![int(table.size), int(extent), int(table.newest), extras, later(rows)];
        let own = self.constant(&scope.stem, if head { "head" } else { "run" }, pure(make("r.Run", args)));
        self.runs.insert(id, own.clone());
        name(own)
    }

    fn rows(&mut self, rows: &[Row], record: Option<TypeId>) -> Expr {
        Expr::List(rows.iter().map(|row| self.row(row, record)).collect())
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
        Self { routine, stem }
    }
}

fn lacks(lacks: &Lacks) -> Expr {
    let pair = |(end, cost): (u64, u64)| Expr::List(vec![int(end), int(cost)]);
    let of = |rows: &[(u32, u64)]| rows.iter().map(|(end, cost)| pair((u64::from(*end), *cost))).collect();
    Expr::List([&lacks.block, &lacks.pointers, &lacks.parts].map(|rows| Expr::List(of(rows))).into())
}
