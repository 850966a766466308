//! Routines for usual messages: of this schema's version, no block longer or shorter. They refuse all others, and so need not ask what is
//! there. Levels that end are not counted, and charges that are known are one for each block. What they read is what the whole routines read.

use aldis_plan::Extent;
use aldis_routine::visit::{blocks, blocks_mut, gives, operands, operands_mut};
use aldis_routine::{Amount, Arg, Block, Cut, Module, Op, Place, Routine, RoutineId, Sym, TableId, What};
use std::collections::{HashMap, HashSet};

/// The levels that messages may have.
const DEPTH: u32 = 64;

/// The same module for usual messages.
pub fn usual(module: &Module) -> Module {
    let mut depths = (0..module.routines.len()).map(|index| deepest(module, RoutineId(index as u32), &mut Vec::new()));
    let is_flat = depths.all(|depth| depth.is_some_and(|depth| depth <= DEPTH));
    let mut found = module.clone();
    for routine in &mut found.routines {
        let mut pass = Pass { module, is_flat, whole: HashMap::new(), known: HashMap::new(), names: HashMap::new() };
        pass.block(&mut routine.body);
        drop_unused(routine);
    }
    found
}

/// How many levels a routine has; `None` where they do not end.
fn deepest(module: &Module, id: RoutineId, above: &mut Vec<RoutineId>) -> Option<u32> {
    if above.contains(&id) {
        return None;
    }
    above.push(id);
    let found = deepest_of(module, &module[id].body, above);
    above.pop();
    found
}

fn deepest_of(module: &Module, block: &Block, above: &mut Vec<RoutineId>) -> Option<u32> {
    block.ops.iter().try_fold(0, |most, op| {
        let own = match &op.what {
            What::Call { routine, .. } => deepest(module, *routine, above)?,
            what => {
                let mut inner = blocks(what).into_iter();
                let inner = inner.try_fold(0, |most: u32, block| Some(most.max(deepest_of(module, block, above)?)))?;
                inner + u32::from(matches!(what, What::Level { .. }))
            }
        };
        Some(most.max(own))
    })
}

struct Pass<'m> {
    module: &'m Module,
    is_flat: bool,
    /// The sizes of runs that are as the schema has them.
    whole: HashMap<Sym, u32>,
    known: HashMap<Sym, u64>,
    /// Symbols that are others.
    names: HashMap<Sym, Sym>,
}

/// A block in the making.
#[derive(Default)]
struct Out {
    ops: Vec<Op>,
    charge: u64,
}

impl Out {
    fn push(&mut self, binds: Vec<Sym>, what: What) {
        self.ops.push(Op { binds, what });
    }
}

impl Pass<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut out = Out::default();
        std::mem::take(&mut block.ops).into_iter().for_each(|op| self.op(op, &mut out));
        if out.charge > 0 {
            // It is paid before anything else is done.
            let (budget, amount, at) = (Sym(0), Amount::exactly(out.charge), Sym(0));
            out.ops.insert(0, Op { binds: Vec::new(), what: What::Charge { budget, amount, at } });
        }
        block.ops = out.ops;
        self.rename(&mut block.gives);
    }

    fn rename(&self, args: &mut [Arg]) {
        for arg in args {
            if let Arg::Sym(sym) = arg {
                *sym = *self.names.get(sym).unwrap_or(sym);
            }
        }
    }

    fn size(&self, extent: Arg) -> Option<u32> {
        match extent {
            Arg::Sym(sym) => self.whole.get(&sym).copied(),
            Arg::Const(_) => None,
        }
    }

    fn number(&self, arg: Arg) -> Option<u64> {
        match arg {
            Arg::Sym(sym) => self.known.get(&sym).copied(),
            Arg::Const(number) => Some(number),
        }
    }

    fn op(&mut self, mut op: Op, out: &mut Out) {
        operands_mut(&mut op.what, &mut |sym| *sym = *self.names.get(sym).unwrap_or(sym));
        let Op { binds, what } = op;
        match what {
            What::Within { body, .. } if is_named(&body) => self.inline(&binds, body, out),
            What::Level { depth, body, .. } if self.is_flat && is_named(&body) => {
                self.names.insert(body.takes[0], depth);
                self.inline(&binds, body, out);
            }
            What::If { test, then, other } if is_charge(&then) && other.ops.is_empty() => {
                out.push(Vec::new(), expected(test.into(), 0));
            }
            What::If { test, then, other } => match self.known.get(&test) {
                Some(known) => self.inline(&binds, if *known == 0 { other } else { then }, out),
                None => self.statement(binds, What::If { test, then, other }, out),
            },
            What::Extent { table, at, acting, .. } => self.extent(&binds, what, (table, at, acting), out),
            What::ExtraWithin { table, extent, .. } if self.size(extent).is_some() => {
                out.charge += self.module[table].extra_within(self.size(extent).unwrap_or(0).into());
            }
            What::Charge { amount, .. } | What::Extra { amount, .. } => {
                match [self.number(amount.times), self.number(amount.each)] {
                    [Some(0), _] | [_, Some(0)] => {}
                    [Some(times), Some(each)] => out.charge = out.charge.saturating_add(times.saturating_mul(each)),
                    _ => out.push(binds, what),
                }
            }
            What::Lack { of, block, pointers, .. } => {
                let lacks = &self.module[of];
                self.filled(block, &lacks.block, binds[0], out);
                self.filled(pointers, &lacks.pointers, binds[0], out);
                match self.asked(&what, &binds) {
                    Some((bind, number)) => drop(self.known.insert(bind, number)),
                    None => out.push(binds, what),
                }
            }
            What::Present { .. } => match self.asked(&what, &binds) {
                Some((bind, number)) => drop(self.known.insert(bind, number)),
                None => out.push(binds, what),
            },
            what => self.statement(binds, what, out),
        }
    }

    /// A run's size is the schema's, and its bytes are there.
    fn extent(&mut self, binds: &[Sym], what: What, (table, at, acting): (TableId, Sym, Arg), out: &mut Out) {
        let run = &self.module[table];
        let (size, extent) = (run.size, binds[0]);
        self.whole.insert(extent, size);
        if let Extent::Stated { .. } = run.extent {
            out.push(binds.to_vec(), what);
            out.push(Vec::new(), expected(extent.into(), size.into()));
            return;
        }
        if run.extent == Extent::Acting {
            out.push(Vec::new(), expected(acting, size.into()));
        }
        let bytes = u64::from(size);
        out.charge = out.charge.saturating_add(bytes).saturating_add(run.extra_within(bytes));
        out.push(vec![extent], What::Need { at, size: Arg::Const(bytes), cut: Cut::Start });
    }

    /// A section is as long as rows of what it may lack say.
    fn filled(&self, section: Arg, rows: &[(u32, u64)], bind: Sym, out: &mut Out) {
        let end = rows.iter().map(|(end, _)| *end).max().unwrap_or(0);
        let is_known = self.size(section).is_some_and(|size| size >= end);
        if end > 0 && !is_known {
            let place = Place { base: bind, plus: 0 };
            out.push(vec![bind], What::Least { size: section, least: end, place });
        }
    }

    /// The answer to what is asked of a run that is whole.
    fn asked(&self, what: &What, binds: &[Sym]) -> Option<(Sym, u64)> {
        let number = match what {
            What::Present { since: 0, reach, extent, .. } if *reach <= self.size(*extent)? => 1,
            // Its sections are filled.
            What::Lack { of, version, .. } => {
                let version = if self.module[*of].parts.is_empty() { 0 } else { self.number(*version)? };
                self.module[*of].within(u64::MAX, u64::MAX, version)
            }
            _ => return None,
        };
        Some((*binds.first()?, number))
    }

    fn statement(&mut self, binds: Vec<Sym>, mut what: What, out: &mut Out) {
        blocks_mut(&mut what).into_iter().for_each(|block| self.block(block));
        out.push(binds, what);
    }

    /// Puts the operations of a block in the place of the statement that it belongs to.
    fn inline(&mut self, binds: &[Sym], body: Block, out: &mut Out) {
        body.ops.into_iter().for_each(|op| self.op(op, out));
        let mut given = body.gives;
        self.rename(&mut given);
        for (bind, given) in binds.iter().zip(given) {
            if let Arg::Sym(given) = given {
                self.names.insert(*bind, given);
            }
        }
    }
}

/// The operation that refuses a number that is not this one.
fn expected(have: Arg, want: u64) -> What {
    What::Expect { have, want, place: Place { base: Sym(0), plus: 0 }, root: Arg::Const(0) }
}

/// Whether a block does nothing but charge: for elements without bytes, which are not usual.
fn is_charge(block: &Block) -> bool {
    !block.ops.is_empty() && block.ops.iter().all(|op| matches!(op.what, What::Charge { .. }))
}

/// Whether all that a block gives has a name.
fn is_named(block: &Block) -> bool {
    block.gives.iter().all(|arg| matches!(arg, Arg::Sym(_)))
}

/// Leaves out operations that do nothing but bind what nobody uses.
fn drop_unused(routine: &mut Routine) {
    loop {
        let mut used = HashSet::new();
        let before = count(&routine.body, &mut used);
        unused_dropped(&mut routine.body, &used);
        if count(&routine.body, &mut HashSet::new()) == before {
            return;
        }
    }
}

/// How many operations there are, and what they use.
fn count(block: &Block, used: &mut HashSet<Sym>) -> usize {
    used.extend(gives(block));
    let own = block.ops.iter().map(|op| {
        operands(&op.what, &mut |sym| {
            used.insert(*sym);
        });
        1 + blocks(&op.what).into_iter().map(|block| count(block, used)).sum::<usize>()
    });
    own.sum()
}

fn unused_dropped(block: &mut Block, used: &HashSet<Sym>) {
    block.ops.retain(|op| !op.what.is_pure() || op.binds.iter().any(|bind| used.contains(bind)));
    for op in &mut block.ops {
        blocks_mut(&mut op.what).into_iter().for_each(|block| unused_dropped(block, used));
    }
}
