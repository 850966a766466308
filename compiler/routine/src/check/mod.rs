//! The checker: what must hold for every routine, whatever made it.
//!
//! - Each symbol is assigned once, and used only where it is in scope, as what its type says.
//! - Budgets, what is written, and lists are used exactly once on each way through a routine, values at most once.
//! - What is read was asked for: every load is dominated by a guard that covers its bytes. What is stored into was reserved. Views read what
//!   was checked before, without guards.

mod cover;
mod segments;
mod types;
mod write;

use crate::module::{Module, Routine};
use crate::op::{Block, Op, Ty, What};
use crate::operand::{Arg, RoutineId, Sym};
use crate::visit;
use cover::Cover;
use std::collections::BTreeSet;

/// Something that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    pub routine: RoutineId,
    pub text: String,
}

/// Checks all routines of a module.
///
/// # Errors
/// The first mistake of each routine.
pub fn check(module: &Module) -> Result<(), Vec<Mistake>> {
    let mistakes: Vec<Mistake> = module
        .routines
        .iter()
        .enumerate()
        .filter_map(|(index, routine)| {
            let text = Checker::new(module, routine).routine().err()?;
            Some(Mistake { routine: RoutineId(index as u32), text })
        })
        .collect();
    if mistakes.is_empty() {
        Ok(())
    } else {
        Err(mistakes)
    }
}

type Verdict = Result<(), String>;

struct Checker<'m> {
    module: &'m Module,
    routine: &'m Routine,
    /// Ever bound.
    bound: Vec<bool>,
    /// In scope, in the order of binding.
    scope: Vec<Sym>,
    /// Tokens and values that are in scope and not used.
    live: BTreeSet<Sym>,
    cover: Cover,
    /// The results that the block gave last whose bytes are known to be there: position and size, by their order.
    given: Vec<(usize, usize)>,
}

impl<'m> Checker<'m> {
    fn new(module: &'m Module, routine: &'m Routine) -> Self {
        let bound = vec![false; routine.symbols.len()];
        Self {
            module,
            routine,
            bound,
            scope: Vec::new(),
            live: BTreeSet::new(),
            cover: Cover::default(),
            given: Vec::new(),
        }
    }

    fn routine(&mut self) -> Verdict {
        let routine = self.routine;
        routine.params.iter().try_for_each(|param| self.define(*param))?;
        let covered = routine.covered.iter().map(|(at, size)| (*at, 0, *size));
        self.cover.there.extend(covered);
        self.block(&routine.body)?;
        let given: Vec<Arg> = routine.body.gives.clone();
        if given.len() != routine.results.len() {
            return Err(format!("gives {} results, not {}", given.len(), routine.results.len()));
        }
        given.iter().zip(&routine.results).try_for_each(|(arg, ty)| self.is(*arg, *ty))
    }

    fn ty(&self, sym: Sym) -> Ty {
        self.routine.symbols.get(sym.0 as usize).map_or(Ty::Bool, |symbol| symbol.ty)
    }

    fn define(&mut self, sym: Sym) -> Verdict {
        match self.bound.get_mut(sym.0 as usize) {
            Some(bound @ false) => *bound = true,
            Some(true) => return Err(format!("{sym:?} is assigned twice")),
            None => return Err(format!("{sym:?} is no symbol")),
        }
        self.scope.push(sym);
        if is_token(self.ty(sym)) {
            self.live.insert(sym);
        }
        Ok(())
    }

    fn used(&mut self, sym: Sym) -> Verdict {
        if !self.scope.contains(&sym) {
            return Err(format!("{sym:?} is not in scope"));
        }
        if is_token(self.ty(sym)) && !self.live.remove(&sym) {
            return Err(format!("{sym:?}, a {:?}, is used twice on one way", self.ty(sym)));
        }
        Ok(())
    }

    /// Checks a block; what it binds is out of scope after it. Its results count as used.
    fn block(&mut self, block: &Block) -> Verdict {
        let (depth, facts) = (self.scope.len(), self.cover.mark());
        block.takes.iter().try_for_each(|sym| self.define(*sym))?;
        block.ops.iter().try_for_each(|op| self.op(op))?;
        visit::gives(block).try_for_each(|sym| self.used(sym))?;
        for sym in self.scope.split_off(depth) {
            if self.live.remove(&sym) && self.ty(sym) != Ty::Val {
                return Err(format!("{sym:?}, a {:?}, is not used on some way", self.ty(sym)));
            }
        }
        self.given = self.covered_pairs(&block.gives);
        self.cover.forget(facts);
        Ok(())
    }

    fn op(&mut self, op: &Op) -> Verdict {
        let mut result = Ok(());
        visit::operands(&op.what, &mut |sym| {
            if result.is_ok() {
                result = self.used(*sym);
            }
        });
        result?;
        self.types(op)?;
        if !self.routine.purpose.is_of_views() {
            self.covered(&op.what)?;
        }
        match &op.what {
            What::If { test, then, other } => self.ways(&[(Some(*test), then), (None, other)])?,
            What::Switch { arms, other, .. } => {
                let arms = arms.iter().map(|(_, arm)| (None, arm));
                self.ways(&arms.chain([(None, other)]).collect::<Vec<_>>())?;
            }
            What::Loop { count, body, .. } | What::Each { count, body, .. } => {
                // A way around a loop may not use what is outside of it.
                let outside = std::mem::take(&mut self.live);
                self.cover.counts(body.takes.first().copied(), *count);
                self.block(body)?;
                self.live = outside;
            }
            What::Within { body, .. } | What::Level { body, .. } => self.block(body)?,
            _ => {}
        }
        op.binds.iter().try_for_each(|sym| self.define(*sym))?;
        if let What::If { .. } | What::Switch { .. } = op.what {
            let given = self.given.iter().map(|(at, size)| (op.binds[*at], 0, op.binds[*size].into()));
            self.cover.there.extend(given);
        }
        self.learn(op);
        Ok(())
    }

    /// Ways, of which one is gone; on some a test holds.
    fn ways(&mut self, ways: &[(Option<Sym>, &Block)]) -> Verdict {
        let before = self.live.clone();
        let facts = self.cover.mark();
        let mut after: Option<BTreeSet<Sym>> = None;
        let mut given: Option<Vec<(usize, usize)>> = None;
        for (test, block) in ways {
            self.live.clone_from(&before);
            test.iter().for_each(|test| self.cover.holds(*test));
            self.block(block)?;
            self.cover.forget(facts);
            let here = std::mem::take(&mut self.given);
            given.get_or_insert_with(|| here.clone()).retain(|pair| here.contains(pair));
            let known = after.get_or_insert_with(|| self.live.clone());
            let differs = known.symmetric_difference(&self.live).find(|sym| self.ty(**sym) != Ty::Val);
            if let Some(sym) = differs {
                return Err(format!("{sym:?}, a {:?}, is used on one way and not on the other", self.ty(*sym)));
            }
            known.retain(|sym| self.live.contains(sym));
        }
        self.live = after.unwrap_or(before);
        self.given = given.unwrap_or_default();
        Ok(())
    }
}

/// Whether a symbol of that type may be used only once.
fn is_token(ty: Ty) -> bool {
    matches!(ty, Ty::Budget | Ty::Out | Ty::List | Ty::Val)
}
