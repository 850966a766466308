//! Messages whose charges are known to stay within so many times their bytes, as those of forms whose records lie one behind the other
//! do: one test of the budget is enough for all of such a message, then.

use super::bounds::runs_least;
use aldis_plan::Extent;
use aldis_routine::{visit, Amount, Arg, Block, Module, Op, Purpose, Routine, RoutineId, Subject, What};
use std::collections::HashMap;

/// The usual factor of the budget, as `Limits` of the runtimes have it: with more, a long message would be looked at twice.
const MOST: u64 = 8;

/// What a block charges beyond the bytes that it passes, and how many bytes it passes at least.
#[derive(Clone, Copy, Default)]
struct Cost {
    beyond: u64,
    passed: u64,
}

impl Cost {
    fn and(self, other: Self) -> Self {
        Self { beyond: self.beyond.saturating_add(other.beyond), passed: self.passed.saturating_add(other.passed) }
    }

    fn or(self, other: Self) -> Self {
        Self { beyond: self.beyond.max(other.beyond), passed: self.passed.min(other.passed) }
    }

    /// How many times its bytes it charges at most.
    fn rate(self) -> Option<u64> {
        match self.beyond {
            0 => Some(1),
            beyond => Some(beyond.div_ceil((self.passed > 0).then_some(self.passed)?).saturating_add(1)),
        }
    }
}

struct Bill<'m> {
    module: &'m Module,
    /// By routine; nothing of one that is being looked at.
    found: HashMap<RoutineId, Option<Cost>>,
    rate: u64,
}

/// How many times its bytes a message's checks and readers charge at most, all messages of the module alike; nothing where that is not
/// known, or more than the usual factor of the budget.
pub(super) fn rate(module: &Module, does: impl Fn(&Routine) -> bool) -> Option<u32> {
    let mut bill = Bill { module, found: HashMap::new(), rate: 1 };
    for routine in &module.routines {
        let is_asked = matches!(routine.purpose, Purpose::Read | Purpose::Check) && does(routine);
        if is_asked && matches!(routine.of, Subject::Message(_)) {
            let rate = bill.block(&routine.body)?.rate()?;
            bill.rate = bill.rate.max(rate);
        }
    }
    (bill.rate <= MOST).then_some(u32::try_from(bill.rate).ok()?)
}

impl<'m> Bill<'m> {
    fn routine(&mut self, id: RoutineId) -> Option<Cost> {
        if let Some(found) = self.found.get(&id) {
            return *found;
        }
        self.found.insert(id, None);
        let cost = self.block(&self.module[id].body);
        self.found.insert(id, cost);
        cost
    }

    fn block(&mut self, block: &'m Block) -> Option<Cost> {
        let mut all = Cost::default();
        // How many times bytes are charged, by the index of the operation that found them to be there.
        let mut charged = HashMap::new();
        for (index, op) in block.ops.iter().enumerate() {
            if self.is_refused(block, index) {
                continue;
            }
            let (finder, rate) = match &op.what {
                What::Charge { amount, .. } | What::Extra { amount, .. } if is_of_lack(&block.ops[..index], amount) => {
                    continue;
                }
                What::Charge { amount, .. } | What::Extra { amount, .. } => match known(amount) {
                    Some(beyond) => {
                        all = all.and(Cost { beyond, passed: 0 });
                        continue;
                    }
                    None => times(&block.ops[..index], amount)?,
                },
                What::Scalars { count, .. } => (finder(&block.ops[..index], *count, index), 1),
                What::Loop { count, body, .. } | What::Each { count, body, .. } => {
                    (finder(&block.ops[..index], *count, index), self.block(body)?.rate()?)
                }
                _ => {
                    all = all.and(self.op(op)?);
                    continue;
                }
            };
            let all_rates: &mut u64 = charged.entry(finder).or_default();
            *all_rates = all_rates.saturating_add(rate);
            self.rate = self.rate.max(*all_rates);
        }
        Some(all)
    }

    fn op(&mut self, op: &'m Op) -> Option<Cost> {
        let module = self.module;
        Some(match &op.what {
            // Places that bytes say may be visited any number of times.
            What::Follow { .. } | What::Root { .. } | What::Segments(_) => return None,
            What::Extent { table, .. } => {
                let table = &module[*table];
                let beyond = table.extras.last().map_or(0, |(_, all)| *all);
                match table.extent {
                    Extent::Acting => Cost { beyond, passed: table.size.into() },
                    // Such a run may lie within another one, which is charged for the same bytes.
                    Extent::Exact => Cost { beyond: beyond.saturating_add(table.size.into()), passed: 0 },
                    Extent::Stated { .. } | Extent::Sections { .. } => return None,
                }
            }
            What::Head { table, .. } | What::Counted { table, .. } => {
                Cost { beyond: 0, passed: module[*table].size.into() }
            }
            What::Unpaid { amount, .. } => Cost { beyond: *amount, passed: 0 },
            What::Call { routine, .. } => self.routine(*routine)?,
            what => self.inner(what)?,
        })
    }

    /// The dearest of the ways that an operation has.
    fn inner(&mut self, what: &'m What) -> Option<Cost> {
        let mut ways = visit::blocks(what).into_iter();
        let Some(first) = ways.next() else { return Some(Cost::default()) };
        let mut most = self.block(first)?;
        for way in ways {
            most = most.or(self.block(way)?);
        }
        Some(most)
    }

    /// Whether an operation tells a number from 0 that a loop over records behind it needs: a glance refuses a 0.
    fn is_refused(&self, block: &Block, index: usize) -> bool {
        let What::If { test, .. } = &block.ops[index].what else { return false };
        let number = block.ops[..index].iter().find_map(|op| match op.what {
            What::Equal { a, b: Arg::Const(0) } if op.binds.contains(test) => Some(a),
            _ => None,
        });
        let number = number.filter(|number| fits(&block.ops).any(|fit| fit.least == *number));
        number.is_some_and(|number| runs_least(self.module, number, &block.ops[index..]).is_some_and(|least| least > 0))
    }
}

/// Bytes that an operation found to be there: a count of what has so many each.
struct Fit {
    index: usize,
    counts: [Arg; 2],
    least: Arg,
}

impl Fit {
    fn has(&self, count: Arg) -> bool {
        self.counts.contains(&count)
    }
}

fn fits(ops: &[Op]) -> impl Iterator<Item = Fit> + '_ {
    ops.iter().enumerate().filter_map(|(index, op)| {
        let (count, least) = match op.what {
            What::Fit { count, least, .. } => (count, least),
            What::Need { size, .. } => (size, Arg::Const(1)),
            _ => return None,
        };
        Some(Fit { index, counts: [count, Arg::Sym(*op.binds.first()?)], least })
    })
}

/// What found the bytes of so many elements to be there, or else the operation itself that is about them.
fn finder(ops: &[Op], count: Arg, own: usize) -> usize {
    fits(ops).find(|fit| fit.has(count)).map_or(own, |fit| fit.index)
}

/// The operation that found bytes to be there of which an amount is so many times as much.
fn times(ops: &[Op], amount: &Amount) -> Option<(usize, u64)> {
    let sides = [(amount.times, amount.each), (amount.each, amount.times)];
    sides.into_iter().find_map(|(count, each)| {
        let fit = fits(ops).find(|fit| fit.has(count))?;
        let rate = match (each, fit.least) {
            (each, least) if each == least => 1,
            (Arg::Const(each), Arg::Const(least)) if least > 0 => each.div_ceil(least),
            _ => return None,
        };
        Some((fit.index, rate))
    })
}

/// Whether an amount is of what fields that are not there would take: a glance refuses such a record.
fn is_of_lack(ops: &[Op], amount: &Amount) -> bool {
    let sides = [amount.times, amount.each];
    ops.iter()
        .any(|op| matches!(op.what, What::Lack { .. }) && op.binds.iter().any(|bind| sides.contains(&Arg::Sym(*bind))))
}

/// An amount that is known.
fn known(amount: &Amount) -> Option<u64> {
    match (amount.times, amount.each) {
        (Arg::Const(times), Arg::Const(each)) => Some(times.saturating_mul(each)),
        _ => None,
    }
}
