//! From a plan to routines.
//!
//! Tables, names and literals, which all routines of a module share, are in [`Shared`]; [`Lower`] makes one routine. Every
//! function takes the symbols it reads at and gives those it made; the budget is handed on by [`Emit`].

mod blank;
mod build;
mod message;
mod missing;
mod node;
mod prune;
mod run;
mod sections;
mod set;
mod size;
mod slot;
mod table;
mod verify;
mod view;
mod write;

use crate::charge;
use crate::code::{Code, Emit};
use crate::module::{Blank, Hint, ListType, Literal, Module, Purpose, Routine, Subject, Table};
use crate::op::{Frame, Ty, What};
use crate::operand::{Amount, Arg, LackId, ListId, LiteralId, NameId, RoutineId, Sym, TableId};
use crate::value::Value;
use aldis_plan::{Container, Lacks, Layout, Plan, Run, Shape, Step};
use aldis_schema::{Encoding, Type, TypeId};
use std::collections::HashMap;
pub use view::add_views;

/// The routines of a plan that read: one a record that has a layout, one a message. Where messages are packed, they read what
/// was unpacked.
pub fn lower(plan: &Plan) -> Module {
    lower_for(plan, &[Purpose::Read])
}

/// As [`lower`], for the purposes asked for; reading is always among them. [`Purpose::Open`] stands for views; [`Purpose::Skip`] beside
/// it keeps the routine that skips each record that is taken, for languages whose views give views of records. [`Purpose::SETS`] stands
/// for setters.
pub fn lower_for(plan: &Plan, purposes: &[Purpose]) -> Module {
    let mut shared = Shared::new(plan);
    shared.missing = missing::literals(&mut shared);
    let (mut routines, messages) = readers(plan, &mut shared);
    let (mut writers, mut sizers) = (Vec::new(), Vec::new());
    if purposes.iter().any(|purpose| matches!(purpose, Purpose::Write | Purpose::Size)) {
        writers = add_writers(&mut shared, &mut routines, &messages);
    }
    if purposes.contains(&Purpose::Size) {
        let from = routines.iter().take_while(|routine| routine.purpose == Purpose::Read).count();
        sizers = add_sizers(&shared, &mut routines, from);
    }
    let starts = if purposes.contains(&Purpose::SETS) { set::starts(plan) } else { Vec::new() };
    let fixed = set::add_setters(&mut shared, &mut routines, &starts);
    let mut module = Module {
        form: plan.form.name.clone(),
        byte_order: plan.byte_order,
        container: plan.container,
        messages,
        writers,
        sizers,
        checkers: Vec::new(),
        views: Vec::new(),
        opens: Vec::new(),
        fixed,
        starts,
        routines,
        tables: shared.tables,
        blanks: shared.blanks,
        names: shared.names,
        literals: shared.literals,
        lists: shared.lists,
        lacks: shared.lacks.into_iter().map(|(_, lacks)| lacks).collect(),
        missing: shared.missing,
        schema: plan.schema.clone(),
    };
    if purposes.contains(&Purpose::Check) {
        module.checkers = verify::add_checkers(&mut module);
    }
    if purposes.contains(&Purpose::Open) {
        view::add_views(&mut module, purposes.contains(&Purpose::Skip));
    }
    prune::unused_params(&mut module.routines);
    module
}

/// The routines that read, and those of messages among them.
fn readers(plan: &Plan, shared: &mut Shared<'_>) -> (Vec<Routine>, Vec<RoutineId>) {
    let plain = plan.container == Container::Plain;
    let records = plan.layouts.iter().flatten().map(|layout| layout.record);
    for record in records.clone() {
        let next = RoutineId(shared.record_routines.len() as u32);
        shared.record_routines.insert(record, next);
    }
    let mut routines: Vec<Routine> = records
        .map(|record| match plain {
            true => Lower::record(shared, record),
            false => Lower::section_record(shared, record),
        })
        .collect();
    let first = routines.len() as u32;
    for index in 0..plan.messages.len() {
        routines.push(Lower::message(shared, index));
    }
    let messages = (first..routines.len() as u32).map(RoutineId).collect();
    (routines, messages)
}

/// Adds the routines that write. Gives those of messages.
fn add_writers(shared: &mut Shared<'_>, routines: &mut Vec<Routine>, readers: &[RoutineId]) -> Vec<RoutineId> {
    let from = routines.len() as u32;
    let records: Vec<TypeId> = shared.plan.layouts.iter().flatten().map(|layout| layout.record).collect();
    shared.write_routines = records.iter().zip(from..).map(|(record, id)| (*record, RoutineId(id))).collect();
    if shared.plan.container == Container::Plain {
        routines.extend(records.into_iter().map(|record| Lower::record_writer(shared, record)));
    } else {
        routines.extend(records.iter().map(|record| Lower::words_writer(shared, *record)));
        let records = build::with_pointers(shared.plan, records);
        let from = routines.len() as u32;
        shared.target_routines = records.iter().zip(from..).map(|(record, id)| (*record, RoutineId(id))).collect();
        routines.extend(records.into_iter().map(|record| Lower::targets_writer(shared, record)));
    }
    let first = routines.len() as u32;
    for (index, reader) in readers.iter().enumerate() {
        routines.push(Lower::message_writer(shared, index, *reader));
    }
    (first..routines.len() as u32).map(RoutineId).collect()
}

/// Adds the routines that tell the sizes of what those from `from` on write. Gives those of the messages.
fn add_sizers(shared: &Shared<'_>, routines: &mut Vec<Routine>, from: usize) -> Vec<RoutineId> {
    let segments = shared.plan.container != Container::Plain;
    let takes_bytes = |routine: &Routine| match routine.of {
        // A record's own words are reserved before they are filled in.
        Subject::Record(_) if segments => routine.purpose == Purpose::Targets,
        _ => true,
    };
    let writers: Vec<usize> = (from..routines.len()).filter(|index| takes_bytes(&routines[*index])).collect();
    let all = routines.len() as u32;
    let sizers =
        writers.iter().zip(all..).map(|(writer, sizer)| (RoutineId(*writer as u32), RoutineId(sizer))).collect();
    let found = writers.iter().map(|writer| size::of_writer(&routines[*writer], &shared.blanks, &sizers));
    let found: Vec<Routine> = found.collect();
    routines.extend(found);
    let end = routines.len() as u32;
    (end - shared.plan.messages.len() as u32..end).map(RoutineId).collect()
}

/// The tables, names and literals that the routines of a module have in common.
pub(super) struct Shared<'p> {
    plan: &'p Plan,
    record_routines: HashMap<TypeId, RoutineId>,
    write_routines: HashMap<TypeId, RoutineId>,
    target_routines: HashMap<TypeId, RoutineId>,
    tables: Vec<Table>,
    blanks: Vec<Blank>,
    names: Vec<String>,
    name_ids: HashMap<String, NameId>,
    literals: Vec<Literal>,
    lists: Vec<ListType>,
    lacks: Vec<(TypeId, Lacks)>,
    missing: Vec<Vec<LiteralId>>,
    null: Option<LiteralId>,
    /// Some writer notes elements that may have no bytes.
    may_be_unpaid: bool,
}

impl<'p> Shared<'p> {
    fn new(plan: &'p Plan) -> Self {
        Self {
            plan,
            record_routines: HashMap::new(),
            write_routines: HashMap::new(),
            target_routines: HashMap::new(),
            tables: Vec::new(),
            blanks: Vec::new(),
            names: Vec::new(),
            name_ids: HashMap::new(),
            literals: Vec::new(),
            lists: Vec::new(),
            lacks: Vec::new(),
            missing: Vec::new(),
            null: None,
            may_be_unpaid: false,
        }
    }

    fn name(&mut self, name: &str) -> NameId {
        if let Some(id) = self.name_ids.get(name) {
            return *id;
        }
        let id = NameId(self.names.len() as u32);
        self.names.push(name.to_owned());
        self.name_ids.insert(name.to_owned(), id);
        id
    }

    fn field_name(&mut self, record: TypeId, field: u32) -> NameId {
        let plan = self.plan;
        self.name(&plan.schema.record(record).fields[field as usize].name)
    }

    fn literal(&mut self, value: Value, ty: &Type) -> LiteralId {
        self.literals.push(Literal { value, ty: ty.clone(), lacks: false });
        LiteralId(self.literals.len() as u32 - 1)
    }

    fn null(&mut self) -> LiteralId {
        match self.null {
            Some(id) => id,
            None => {
                let id = self.literal(Value::Null, &Type::Void);
                *self.null.insert(id)
            }
        }
    }

    fn list(&mut self, shape: Shape, ty: &Type) -> ListId {
        let list = ListType { shape, ty: ty.required().clone() };
        // Few types are collections, and most are asked for once.
        let known = self.lists.iter().position(|known| *known == list);
        let index = known.unwrap_or(self.lists.len());
        if known.is_none() {
            self.lists.push(list);
        }
        ListId(index as u32)
    }

    /// The fields that a record may lack; `None` where it lacks nothing, whatever its bytes.
    fn lacks(&mut self, record: TypeId) -> Option<LackId> {
        let known = self.lacks.iter().position(|(known, _)| *known == record);
        let index = known.unwrap_or(self.lacks.len());
        if known.is_none() {
            self.lacks.push((record, self.plan.lacks(record)));
        }
        (self.lacks[index].1 != Lacks::default()).then_some(LackId(index as u32))
    }

    fn table(&mut self, run: &Run, record: Option<TypeId>) -> TableId {
        let table = table::table(self, run, record);
        self.tables.push(table);
        TableId(self.tables.len() as u32 - 1)
    }
}

/// The position of reading, and the limits that it obeys.
#[derive(Clone, Copy, Debug)]
pub(super) struct Env {
    pub at: Sym,
    /// The size of runs that the last register said.
    pub extent: Arg,
    /// The writer's version.
    pub version: Arg,
    /// The place that links count from.
    pub base: Sym,
    /// Whether this is still the message's own record, up to its first run.
    pub root: Arg,
    pub depth: Sym,
}

/// No register tells the writer's version: nothing is missing for its sake.
const CURRENT: Arg = Arg::Const(u64::MAX);
const NO: Arg = Arg::Const(0);
const YES: Arg = Arg::Const(1);

/// One routine in the making.
pub(super) struct Lower<'s, 'p> {
    shared: &'s mut Shared<'p>,
    code: Code,
}

impl Emit for Lower<'_, '_> {
    fn code(&mut self) -> &mut Code {
        &mut self.code
    }
}

impl<'s, 'p> Lower<'s, 'p> {
    fn new(shared: &'s mut Shared<'p>) -> Self {
        Self { shared, code: Code::default() }
    }

    fn record(shared: &'s mut Shared<'p>, record: TypeId) -> Routine {
        let mut lower = Self::new(shared);
        let role = |code: &mut Code, ty, role| code.sym(ty, Hint::Role(role));
        let code = &mut lower.code;
        let at = role(code, Ty::Pos, "at");
        let extent = role(code, Ty::Raw(64), "extent");
        let version = role(code, Ty::Raw(64), "version");
        let base = role(code, Ty::Pos, "base");
        let root = role(code, Ty::Bool, "root");
        let budget = role(code, Ty::Budget, "budget");
        let depth = role(code, Ty::Depth, "depth");
        code.budget = Some(budget);
        let env = Env { at, extent: extent.into(), version: version.into(), base, root: root.into(), depth };
        let layout = lower.shared.plan.layout(record);
        let body = lower.block(Vec::new(), |lower| {
            let found = lower.level(depth, at, |lower, depth| {
                let base = if layout.rebase { at } else { base };
                lower.steps(layout, Env { base, depth, ..env })
            });
            found.into_iter().chain([lower.budget()]).map(Arg::from).collect()
        });
        Routine {
            of: Subject::Record(record),
            purpose: Purpose::Read,
            covered: Vec::new(),
            params: vec![at, extent, version, base, root, budget, depth],
            results: vec![Ty::Val, Ty::Pos, Ty::Budget],
            body,
            symbols: lower.code.symbols.into(),
        }
    }

    /// The steps of a record: its value, and the position behind them.
    fn steps(&mut self, layout: &'p Layout, mut env: Env) -> Vec<Arg> {
        let count = self.shared.plan.schema.record(layout.record).fields.len();
        let mut fields: Vec<Option<Sym>> = vec![None; count];
        for step in &layout.steps {
            match step {
                Step::Run(run) => env.at = self.run(run, layout.record, env, &mut fields),
                Step::Part { field, since, node } => {
                    let (value, at) = self.part((layout.record, *field, *since), node, env);
                    fields[*field as usize] = Some(value);
                    env.at = at;
                }
            }
            env.root = NO;
        }
        let value = self.make(layout.record, fields);
        vec![value.into(), env.at.into()]
    }

    /// A record of its fields. A field that has no place at all has its missing value.
    fn make(&mut self, record: TypeId, fields: Vec<Option<Sym>>) -> Sym {
        let fields = fields.into_iter().enumerate().map(|(index, field)| match field {
            Some(field) => field,
            None => self.missing(record, index as u32),
        });
        let fields = fields.collect();
        self.role(What::Make { record, fields }, Ty::Val, "record")
    }

    fn part(&mut self, (record, field, since): (TypeId, u32, u32), node: &'p aldis_plan::Node, env: Env) -> (Sym, Sym) {
        let ty = &self.shared.plan.schema.record(record).fields[field as usize].ty;
        let name = self.shared.field_name(record, field);
        let read = |lower: &mut Self| {
            let found = lower.within(Frame::Field(name), |lower| {
                let (value, at) = lower.node(node, ty, env);
                vec![value.into(), at.into()]
            });
            found.into_iter().map(Arg::from).collect::<Vec<Arg>>()
        };
        let found = match self.since(since, env.version) {
            None => read(self).into_iter().filter_map(sym).collect(),
            Some(there) => self.branch(there, read, |lower| {
                let value = lower.missing(record, field);
                vec![value.into(), env.at.into()]
            }),
        };
        (found[0], found[1])
    }

    /// Whether the writer's version has what `since` added; nothing where it always has.
    fn since(&mut self, since: u32, version: Arg) -> Option<Sym> {
        if since == 0 || version == CURRENT {
            return None;
        }
        let there = What::AtLeast { a: version, b: Arg::Const(u64::from(since)) };
        Some(self.role(there, Ty::Bool, "there"))
    }

    /// The value of a field where the bytes end before it.
    fn missing(&mut self, record: TypeId, field: u32) -> Sym {
        let value = self.shared.missing[record.index()][field as usize];
        let hint = Hint::Name(self.shared.field_name(record, field));
        self.bind(What::Literal { value }, Ty::Val, hint)
    }

    /// Charges what a record lacks whose bytes are so many, each of `times`.
    fn charge_lack(&mut self, record: TypeId, times: Arg, (block, pointers): (Arg, Arg), version: Arg, at: Sym) {
        let Some(of) = self.shared.lacks(record) else { return };
        let each = self.role(What::Lack { of, block, pointers, version }, Ty::Raw(64), "lack").into();
        charge::charge(self, Amount { times, each }, at);
    }

    fn value(&mut self, value: Value, ty: &Type) -> Sym {
        let value = self.shared.literal(value, ty);
        self.role(What::Literal { value }, Ty::Val, "value")
    }

    /// A union may have no name.
    fn is_unnamed(&self, name: NameId) -> bool {
        self.shared.names[name.0 as usize].is_empty()
    }

    fn null(&mut self) -> Sym {
        let value = self.shared.null();
        self.role(What::Literal { value }, Ty::Val, "null")
    }
}

/// The encoding of a text; nothing for bytes.
fn text_of(ty: &Type) -> Option<Encoding> {
    match ty.required() {
        Type::Text(encoding) | Type::Chars { encoding, .. } => Some(*encoding),
        _ => None,
    }
}

/// The encoding of characters in a run.
fn encoding(ty: &Type) -> Encoding {
    text_of(ty).unwrap_or(Encoding::Latin1)
}

fn sym(arg: Arg) -> Option<Sym> {
    match arg {
        Arg::Sym(sym) => Some(sym),
        Arg::Const(_) => None,
    }
}
