//! Routines that view: of what was checked, one field, or where a record ends. They are those that read, cut down to what that needs.

use crate::expand::{expand_routine, Large};
use crate::module::{Module, Purpose, Routine, Subject};
use crate::op::{Block, Have, Op, Ty, What};
use crate::operand::{Arg, RoutineId, Sym};
use crate::visit;
use aldis_plan::Container;
use std::collections::{BTreeSet, HashMap, HashSet};

/// The operations that charge for bytes at once, or check them.
const OF_BYTES: [Large; 5] = [Large::Extent, Large::Head, Large::Counted, Large::Scalars, Large::Unpaid];

/// Adds routines that view: for each record one that reads and one that skips what was checked, and one a field; for each message
/// one that opens it. `skips` keeps what skips a record beside what takes it.
pub fn add_views(module: &mut Module, skips: bool) {
    let read = module.routines.iter().take_while(|routine| routine.purpose == Purpose::Read);
    let readers: Vec<Routine> = read.map(|routine| expand_routine(module, routine.clone(), &OF_BYTES)).collect();
    let records: Vec<usize> = (0..readers.len()).filter(|id| matches!(readers[*id].of, Subject::Record(_))).collect();
    let first = module.routines.len() as u32;
    let ids = |from: u32| (0..records.len() as u32).map(move |index| RoutineId(from + index));
    let known: Vec<RoutineId> = records.iter().map(|id| RoutineId(*id as u32)).collect();
    let viewing = Viewing {
        readers: &readers,
        takers: known.iter().copied().zip(ids(first)).collect(),
        skippers: known.iter().copied().zip(ids(first + records.len() as u32)).collect(),
    };
    let mut found: Vec<Routine> = Vec::new();
    // Nothing asks for the end of a record if nothing lies behind it.
    let plain = module.container == Container::Plain;
    let take: &[Ty] = if plain { &[Ty::Val, Ty::Pos] } else { &[Ty::Val] };
    for (purpose, results) in [(Purpose::Take, take), (Purpose::Skip, &[Ty::Pos])] {
        found.extend(records.iter().map(|id| viewing.finished(&viewing.unchecked(&readers[*id]), purpose, results)));
    }
    let types = records.iter().map(|id| readers[*id].of.record(module).index() + 1).max().unwrap_or(0);
    module.views = vec![Vec::new(); types.max(module.schema.types.len())];
    for reader in records.iter().map(|id| &readers[*id]) {
        let Subject::Record(record) = reader.of else { continue };
        let mut routine = viewing.unchecked(&expand_routine(module, reader.clone(), &[Large::Fields]));
        let Some(Op { what: What::Make { fields, .. }, .. }) = routine.body.ops.pop() else { continue };
        let makers = makers(&routine);
        for (field, value) in fields.into_iter().enumerate() {
            module.views[record.index()].push(RoutineId(first + found.len() as u32));
            let part = Part { purpose: Purpose::View(field as u32), gives: vec![value.into()], results: &[Ty::Val] };
            found.push(viewing.part(&routine, &makers, part));
        }
    }
    for reader in readers.iter().filter(|routine| matches!(routine.of, Subject::Message(_))) {
        module.opens.push(RoutineId(first + found.len() as u32));
        found.push(viewing.opening(reader));
    }
    let beside: HashMap<RoutineId, RoutineId> = match skips && plain {
        true => known.iter().map(|id| (viewing.takers[id], viewing.skippers[id])).collect(),
        false => HashMap::new(),
    };
    let kept = reachable(module, &found, first, &beside);
    let now = |id: &mut RoutineId| *id = kept.get(id).copied().unwrap_or(*id);
    let mut index = 0..;
    found.retain(|_| index.next().is_some_and(|index| kept.contains_key(&RoutineId(first + index))));
    found.iter_mut().for_each(|routine| each_call(&mut routine.body, &now));
    module.views.iter_mut().flatten().chain(&mut module.opens).for_each(now);
    module.routines.extend(found);
}

/// The new ids of the routines that views call, directly or not, and of those `beside` them: only those are kept of the ones made,
/// the first of which is `first`.
fn reachable(
    module: &Module,
    found: &[Routine],
    first: u32,
    beside: &HashMap<RoutineId, RoutineId>,
) -> HashMap<RoutineId, RoutineId> {
    let mut seen: BTreeSet<u32> = BTreeSet::new();
    let mut next: Vec<u32> = module.views.iter().flatten().chain(&module.opens).map(|id| id.0).collect();
    while let Some(id) = next.pop() {
        if seen.insert(id) {
            called(&found[(id - first) as usize].body, &mut next);
            next.extend(beside.get(&RoutineId(id)).map(|beside| beside.0));
        }
    }
    seen.into_iter().zip(first..).map(|(was, is)| (RoutineId(was), RoutineId(is))).collect()
}

fn called(block: &Block, ids: &mut Vec<u32>) {
    for op in &block.ops {
        if let What::Call { routine, .. } = &op.what {
            ids.push(routine.0);
        }
        visit::blocks(&op.what).into_iter().for_each(|block| called(block, ids));
    }
}

fn each_call(block: &mut Block, see: &impl Fn(&mut RoutineId)) {
    for op in &mut block.ops {
        if let What::Call { routine, .. } = &mut op.what {
            see(routine);
        }
        visit::blocks_mut(&mut op.what).into_iter().for_each(|block| each_call(block, see));
    }
}

/// A part of a routine: its purpose, what it gives, and the types of that.
struct Part<'t> {
    purpose: Purpose,
    gives: Vec<Arg>,
    results: &'t [Ty],
}

/// By symbol: the operation of a routine's body that binds it, those within statements aside.
fn makers(routine: &Routine) -> HashMap<Sym, usize> {
    let ops = routine.body.ops.iter().enumerate();
    ops.flat_map(|(index, op)| op.binds.iter().map(move |bind| (*bind, index))).collect()
}

struct Viewing<'r> {
    readers: &'r [Routine],
    /// By reader: what reads the same without checks, and what only tells where it ends.
    takers: HashMap<RoutineId, RoutineId>,
    skippers: HashMap<RoutineId, RoutineId>,
}

/// Whether something says what to check and what to charge, but not where anything is.
fn is_of_checks(ty: Ty) -> bool {
    matches!(ty, Ty::Budget | Ty::Depth)
}

impl Viewing<'_> {
    /// A routine that reads, without what it checks and charges.
    fn unchecked(&self, reader: &Routine) -> Routine {
        let mut routine = reader.clone();
        let mut unchecked = Unchecked { of: reader, viewing: self, now: HashMap::new() };
        let body = std::mem::take(&mut routine.body);
        routine.body = unchecked.rebuilt(body);
        routine
    }

    /// The routine that gives the place of a checked message's record, and the numbers that its other routines take.
    fn opening(&self, reader: &Routine) -> Routine {
        let mut routine = self.unchecked(reader);
        let call = routine.body.ops.iter().position(|op| matches!(op.what, What::Call { .. }));
        let Some(Op { what: What::Call { routine: called, args }, .. }) = call.map(|at| routine.body.ops.remove(at))
        else {
            return routine;
        };
        let called = &self.readers[called.0 as usize];
        let results =
            called.params.iter().map(|param| called.symbols[param.0 as usize].ty).filter(|ty| is_of_frame(*ty));
        let results: Vec<Ty> = results.collect();
        routine.body.gives = args;
        // Its call is gone, and with it what came after.
        routine.body.ops.truncate(call.unwrap_or_default());
        self.finished(&routine, Purpose::Open, &results)
    }

    /// The part of an unchecked routine that the results of such types need.
    fn finished(&self, routine: &Routine, purpose: Purpose, results: &[Ty]) -> Routine {
        let ty = |sym: &Sym| routine.symbols[sym.0 as usize].ty;
        let is_given =
            |arg: &Arg| purpose == Purpose::Open || matches!(arg, Arg::Sym(sym) if results.contains(&ty(sym)));
        let gives = routine.body.gives.iter().copied().filter(is_given).collect();
        self.part(routine, &makers(routine), Part { purpose, gives, results })
    }

    /// The part of an unchecked routine that gives this alone, with the symbols of its own alone.
    fn part(&self, routine: &Routine, makers: &HashMap<Sym, usize>, part: Part<'_>) -> Routine {
        let Part { purpose, gives, results } = part;
        let ty = |sym: &Sym| routine.symbols[sym.0 as usize].ty;
        let mut params: Vec<Sym> = routine.params.iter().copied().filter(|param| is_of_frame(ty(param))).collect();
        let mut live = Live::default();
        gives.iter().copied().filter_map(super::sym).for_each(|sym| live.need(sym));
        let kept = live.operations(&routine.body.ops, makers);
        let ops = kept.into_iter().map(|index| routine.body.ops[index].clone()).collect();
        let mut body = Block { takes: routine.body.takes.clone(), ops, gives };
        self.cut(&mut body, &live.now);
        let (mut symbols, mut renamed) = (Vec::new(), HashMap::new());
        let mut rename = |sym: &mut Sym| {
            *sym = *renamed.entry(*sym).or_insert_with(|| {
                symbols.push(routine.symbols[sym.0 as usize]);
                Sym(symbols.len() as u32 - 1)
            });
        };
        params.iter_mut().for_each(&mut rename);
        visit::symbols_mut(&mut body, &mut rename);
        let (results, symbols) = (results.to_vec(), symbols.into());
        Routine { of: routine.of, purpose, params, covered: Vec::new(), results, body, symbols }
    }

    /// Leaves out what is not alive, and calls what gives no more than is wanted.
    fn cut(&self, block: &mut Block, live: &HashSet<Sym>) {
        let alive = |sym: &Sym| live.contains(sym);
        block.ops.retain(|op| op.binds.iter().any(alive));
        block.ops.shrink_to_fit();
        for op in &mut block.ops {
            let statement = !visit::blocks(&op.what).is_empty();
            if let What::Each { count, carry, body, .. } = &mut op.what {
                if !alive(&op.binds[0]) {
                    // A list that nobody wants is a loop.
                    let items = body.gives.len() - carry.len();
                    body.gives.drain(..items);
                    op.binds.remove(0);
                    let (carry, body) = (std::mem::take(carry), std::mem::take(body));
                    op.what = What::Loop { count: *count, carry, body };
                }
            }
            if let What::Loop { carry, body, .. } | What::Each { carry, body, .. } = &mut op.what {
                let carried = carry.len();
                let lists = op.binds.len() - carried;
                let kept: Vec<bool> = op.binds[lists..].iter().map(alive).collect();
                retain(carry, 0, &kept);
                retain(&mut op.binds, lists, &kept);
                retain(&mut body.takes, 1, &kept);
                let items = body.gives.len() - carried;
                retain(&mut body.gives, items, &kept);
                self.cut(body, live);
                continue;
            }
            if statement {
                let kept: Vec<bool> = op.binds.iter().map(alive).collect();
                retain(&mut op.binds, 0, &kept);
                for block in visit::blocks_mut(&mut op.what) {
                    retain(&mut block.gives, 0, &kept);
                    self.cut(block, live);
                }
            }
            if let What::Call { routine, .. } = &mut op.what {
                let value = op.binds.first().is_some_and(alive);
                *routine = if value { self.takers[routine] } else { self.skippers[routine] };
                if !value {
                    op.binds.remove(0);
                }
            }
        }
    }
}

/// Leaves out the items from `first` on that are not kept.
fn retain<T>(items: &mut Vec<T>, first: usize, kept: &[bool]) {
    let mut index = 0;
    items.retain(|_| {
        index += 1;
        index <= first || kept[index - 1 - first]
    });
}

/// Whether something is part of where a record is: neither for checks, nor whether it is the message's own.
fn is_of_frame(ty: Ty) -> bool {
    !is_of_checks(ty) && ty != Ty::Bool
}

/// A routine without budget, depth and levels.
struct Unchecked<'a> {
    of: &'a Routine,
    viewing: &'a Viewing<'a>,
    /// The operand that stands for a symbol that is bound no more.
    now: HashMap<Sym, Arg>,
}

impl Unchecked<'_> {
    fn is_kept(&self, arg: Arg) -> bool {
        !matches!(arg, Arg::Sym(sym) if is_of_checks(self.of.symbols[sym.0 as usize].ty))
    }

    fn rebuilt(&mut self, block: Block) -> Block {
        let mut rebuilt = Block { takes: block.takes, ..Block::default() };
        rebuilt.takes.retain(|sym| self.is_kept((*sym).into()));
        self.ops(block.ops, &mut rebuilt.ops);
        rebuilt.ops.shrink_to_fit();
        let gives = block.gives.into_iter().filter(|arg| self.is_kept(*arg));
        rebuilt.gives = gives.map(|arg| self.is_now(arg)).collect();
        rebuilt
    }

    fn is_now(&self, arg: Arg) -> Arg {
        match arg {
            Arg::Sym(sym) => self.now.get(&sym).copied().unwrap_or(arg),
            Arg::Const(_) => arg,
        }
    }

    fn ops(&mut self, from: Vec<Op>, to: &mut Vec<Op>) {
        for mut op in from {
            visit::operands_mut(&mut op.what, &mut |sym| {
                if let Some(Arg::Sym(now)) = self.now.get(sym) {
                    *sym = *now;
                }
            });
            arguments(&mut op.what, |arg| *arg = self.is_now(*arg));
            op.binds.retain(|sym| self.is_kept((*sym).into()));
            match op.what {
                // A row that is there needs no guard.
                What::Need { size: number, .. }
                | What::Least { size: number, .. }
                | What::Fit { count: number, .. } => {
                    self.now.insert(op.binds[0], number);
                }
                // Neither faults nor paths are told of.
                What::Level { body, .. } | What::Within { body, .. } => {
                    self.ops(body.ops, to);
                    let gives: Vec<Arg> = body.gives.into_iter().filter(|arg| self.is_kept(*arg)).collect();
                    let gives: Vec<Arg> = gives.into_iter().map(|arg| self.is_now(arg)).collect();
                    self.now.extend(op.binds.into_iter().zip(gives));
                }
                _ => {
                    if let What::Segments(segments) = &mut op.what {
                        segments.free();
                    }
                    self.statement(&mut op.what);
                    to.push(op);
                }
            }
        }
    }

    fn statement(&mut self, what: &mut What) {
        if let What::Call { routine, args } = what {
            let called = &self.viewing.readers[routine.0 as usize];
            let mut types = called.params.iter().map(|param| called.symbols[param.0 as usize].ty);
            args.retain(|_| types.next().is_some_and(is_of_frame));
        }
        if let What::Loop { carry, .. } | What::Each { carry, .. } = what {
            carry.retain(|arg| self.is_kept(*arg));
        }
        for block in visit::blocks_mut(what) {
            *block = self.rebuilt(std::mem::take(block));
        }
    }
}

/// Operands that may be numbers, of what a view may do with sizes that were checked.
fn arguments(what: &mut What, mut see: impl FnMut(&mut Arg)) {
    match what {
        What::Need { size: arg, .. }
        | What::Least { size: arg, .. }
        | What::Fit { count: arg, .. }
        | What::Add { size: arg, .. }
        | What::Behind { count: arg, .. }
        | What::Element { count: arg, .. }
        | What::Present { extent: arg, .. }
        | What::Whole { extent: arg, .. }
        | What::Fields { have: Have::Within { extent: arg, .. }, .. }
        | What::Bytes { size: arg, .. }
        | What::Row { count: arg, .. }
        | What::Open { count: arg }
        | What::Loop { count: arg, .. }
        | What::Each { count: arg, .. } => see(arg),
        What::Call { args, .. } => args.iter_mut().for_each(see),
        _ => {}
    }
}

/// The symbols that results need.
#[derive(Default)]
struct Live {
    now: HashSet<Sym>,
    /// Symbols whose operations are still to be looked at.
    next: Vec<Sym>,
}

impl Live {
    fn need(&mut self, sym: Sym) {
        if self.now.insert(sym) {
            self.next.push(sym);
        }
    }

    fn need_all(&mut self, args: &[Arg]) {
        args.iter().copied().filter_map(super::sym).for_each(|sym| self.need(sym));
    }

    /// The indexes of the operations that bind what is needed, whose `makers` are known: each is looked at after all that use
    /// what it binds.
    fn operations(&mut self, ops: &[Op], makers: &HashMap<Sym, usize>) -> BTreeSet<usize> {
        let (mut found, mut waiting) = (BTreeSet::new(), BTreeSet::new());
        loop {
            waiting.extend(self.next.drain(..).filter_map(|sym| makers.get(&sym)));
            let Some(last) = waiting.pop_last() else { return found };
            found.insert(last);
            let mut before = 0;
            while self.now.len() > before {
                before = self.now.len();
                self.op(&ops[last]);
            }
        }
    }

    fn op(&mut self, op: &Op) {
        // A carried symbol is needed where the loop needs it, even if it is not needed behind the loop.
        if let What::Loop { carry, body, .. } | What::Each { carry, body, .. } = &op.what {
            let lists = op.binds.len() - carry.len();
            for (bind, take) in op.binds[lists..].iter().zip(&body.takes[1..]) {
                if self.now.contains(take) {
                    self.need(*bind);
                }
            }
        }
        if !op.binds.iter().any(|bind| self.now.contains(bind)) {
            return;
        }
        let live: Vec<bool> = op.binds.iter().map(|bind| self.now.contains(bind)).collect();
        match &op.what {
            What::Loop { count, carry, body } | What::Each { count, carry, body, .. } => {
                let lists = op.binds.len() - carry.len();
                let items = body.gives.len() - carry.len();
                self.need_all(&[*count]);
                for (index, arg) in carry.iter().enumerate().filter(|(index, _)| live[lists + index]) {
                    self.need_all(&[*arg, body.gives[items + index]]);
                }
                if lists > 0 && live[0] {
                    self.need_all(&body.gives[..items]);
                }
            }
            what => {
                visit::operands(what, &mut |sym| self.need(*sym));
                for block in visit::blocks(what) {
                    let gives = block.gives.iter().zip(&live).filter(|(_, live)| **live);
                    gives.for_each(|(arg, _)| self.need_all(&[*arg]));
                }
            }
        }
        for block in visit::blocks(&op.what) {
            block.ops.iter().rev().for_each(|op| self.op(op));
        }
    }
}
