//! Routines that tell sizes: those that write, without what is stored. Bytes are counted where others reserve them, and
//! what only stores needed goes too: its values, its loops, most of its checks.

use crate::module::{Blank, Purpose, Routine};
use crate::op::{Block, Op, What};
use crate::operand::{Amount, Arg, RoutineId, Sym};
use crate::visit;
use crate::write::Write;
use std::collections::{HashMap, HashSet};

/// The size of what a routine writes; `sizers` says which routine tells the size of what another writes.
pub(super) fn of_writer(writer: &Routine, blanks: &[Blank], sizers: &HashMap<RoutineId, RoutineId>) -> Routine {
    let mut sizer = Routine { purpose: Purpose::Size, ..writer.clone() };
    Sizing { blanks, sizers, now: HashMap::new() }.block(&mut sizer.body);
    loop {
        let mut used = HashSet::new();
        uses(&sizer.body, &mut used);
        if !without_unused(&mut sizer.body, &used, &is_unused) {
            return sizer;
        }
    }
}

struct Sizing<'a> {
    blanks: &'a [Blank],
    sizers: &'a HashMap<RoutineId, RoutineId>,
    /// The operand that stands for a symbol that is bound no more.
    now: HashMap<Sym, Arg>,
}

impl Sizing<'_> {
    fn now(&self, arg: Arg) -> Arg {
        match arg {
            Arg::Sym(sym) => self.now.get(&sym).copied().unwrap_or(arg),
            Arg::Const(_) => arg,
        }
    }

    fn block(&mut self, block: &mut Block) {
        let ops = std::mem::take(&mut block.ops);
        self.ops(ops, &mut block.ops);
        block.gives.iter_mut().for_each(|arg| *arg = self.now(*arg));
    }

    fn ops(&mut self, from: Vec<Op>, to: &mut Vec<Op>) {
        for mut op in from {
            visit::operands_mut(&mut op.what, &mut |sym| {
                if let Some(Arg::Sym(now)) = self.now.get(sym) {
                    *sym = *now;
                }
            });
            match op.what {
                // Its faults have no path.
                What::Within { body, .. } => {
                    self.ops(body.ops, to);
                    let same: Vec<Arg> = body.gives.iter().map(|arg| self.now(*arg)).collect();
                    self.now.extend(op.binds.into_iter().zip(same));
                }
                what => to.extend(self.op(Op { what, ..op })),
            }
        }
    }

    fn op(&mut self, mut op: Op) -> Option<Op> {
        for block in visit::blocks_mut(&mut op.what) {
            self.block(block);
        }
        match &mut op.what {
            What::Write(write) => {
                if let Some(out) = write.stored() {
                    self.now.insert(op.binds[0], out.into());
                    return None;
                }
                self.counted(write);
            }
            What::Call { routine, args } => match self.sizers.get(routine) {
                Some(sizer) => *routine = *sizer,
                // It stores into what is reserved, and gives what it took last.
                None => return args.last().and_then(|out| self.skip(&op.binds, &[*out])).map(|()| op),
            },
            what => return same(what, &is_idle).map_or(Some(()), |same| self.skip(&op.binds, &same)).map(|()| op),
        }
        Some(op)
    }

    fn skip(&mut self, binds: &[Sym], same: &[Arg]) -> Option<()> {
        self.now.extend(binds.iter().copied().zip(same.iter().copied()));
        None
    }

    /// Bytes that are counted.
    fn counted(&self, write: &mut Write) {
        *write = match *write {
            Write::Begin { out, blank, .. } => {
                let size = Amount::exactly(self.blanks[blank.0 as usize].size.into());
                Write::Reserve { out, size }
            }
            _ => return,
        };
    }
}

/// The results of a statement that does nothing: the operands that it got.
pub(super) fn same(what: &What, is_idle: &impl Fn(&What) -> bool) -> Option<Vec<Arg>> {
    let idle = |block: &Block| block.ops.iter().all(|op| is_idle(&op.what));
    match what {
        What::If { then, other, .. } if idle(then) && idle(other) && then.gives == other.gives => {
            Some(then.gives.clone())
        }
        What::Switch { arms, other, .. } => {
            let alike = |block: &Block| idle(block) && block.gives == other.gives;
            (idle(other) && arms.iter().all(|(_, arm)| alike(arm))).then(|| other.gives.clone())
        }
        What::Within { body, .. } if idle(body) => Some(body.gives.clone()),
        What::Loop { carry, body, .. } => {
            let same = body.takes[1..].iter().map(|sym| Arg::Sym(*sym)).eq(body.gives.iter().copied());
            (same && idle(body)).then(|| carry.clone())
        }
        _ => None,
    }
}

/// Whether an operation does nothing for the size, but bind what others of its block may use.
fn is_idle(what: &What) -> bool {
    match what {
        What::Write(write) => !takes_bytes(write),
        What::Element { .. } => true,
        _ => false,
    }
}

fn takes_bytes(write: &Write) -> bool {
    matches!(
        write,
        Write::Reserve { .. }
            | Write::Append { .. }
            | Write::List { .. }
            | Write::Records { .. }
            | Write::Blob { .. }
            | Write::Plant { .. }
    )
}

pub(super) fn uses(block: &Block, used: &mut HashSet<Sym>) {
    used.extend(visit::gives(block));
    for op in &block.ops {
        visit::operands(&op.what, &mut |sym| _ = used.insert(*sym));
        visit::blocks(&op.what).into_iter().for_each(|block| uses(block, used));
    }
}

/// Leaves out what binds nothing that is used, and says whether there was any.
pub(super) fn without_unused(
    block: &mut Block,
    used: &HashSet<Sym>,
    is_unused: &impl Fn(&Op, &HashSet<Sym>) -> bool,
) -> bool {
    let before = block.ops.len();
    block.ops.retain(|op| !is_unused(op, used));
    let mut changed = block.ops.len() < before;
    for op in &mut block.ops {
        for block in visit::blocks_mut(&mut op.what) {
            changed |= without_unused(block, used, is_unused);
        }
    }
    changed
}

fn is_unused(op: &Op, used: &HashSet<Sym>) -> bool {
    match &op.what {
        What::Write(Write::InRange { .. } | Write::SameAs { .. }) => true,
        What::Write(
            Write::IsNull { .. }
            | Write::Get { .. }
            | Write::Item { .. }
            | Write::Pair { .. }
            | Write::Octets { .. }
            | Write::Sorted { .. }
            | Write::Count { .. }
            | Write::Choice { .. }
            | Write::Framed { .. },
        )
        | What::Element { .. } => !op.binds.iter().any(|sym| used.contains(sym)),
        _ => false,
    }
}
