//! Parameters that no routine uses are left out, and what calls give for them.

use crate::module::{Purpose, Routine, Subject};
use crate::op::{Block, What};
use crate::operand::{Arg, Sym};
use crate::visit;
use std::collections::HashSet;

/// Leaves out what is used neither by a routine nor by one that gets it.
pub(super) fn unused_params(routines: &mut [Routine]) {
    let mut used: Vec<Vec<bool>> = routines.iter().map(|routine| vec![false; routine.params.len()]).collect();
    loop {
        let next: Vec<Vec<bool>> = routines.iter().map(|routine| uses(routine, &used)).collect();
        if next == used {
            break;
        }
        used = next;
    }
    for (routine, used) in routines.iter_mut().zip(&used) {
        keep(&mut routine.params, used);
        let params = &routine.params;
        let kept = |size: &Arg| !matches!(size, Arg::Sym(sym) if !params.contains(sym));
        routine.covered.retain(|(at, size)| params.contains(at) && kept(size));
    }
    for routine in routines {
        prune(&mut routine.body, &used);
    }
}

fn keep<T>(list: &mut Vec<T>, used: &[bool]) {
    let mut used = used.iter();
    list.retain(|_| used.next() == Some(&true));
}

fn uses(routine: &Routine, used: &[Vec<bool>]) -> Vec<bool> {
    let mut seen = HashSet::new();
    collect(&routine.body, used, &mut seen);
    // The caller of a message's routine, or of a view, knows nothing of what it uses.
    let whole = matches!(routine.of, Subject::Message(_)) || matches!(routine.purpose, Purpose::View(_));
    routine.params.iter().map(|param| whole || seen.contains(param)).collect()
}

fn collect(block: &Block, used: &[Vec<bool>], seen: &mut HashSet<Sym>) {
    seen.extend(visit::gives(block));
    for op in &block.ops {
        match &op.what {
            What::Call { routine, args } => {
                for (arg, _) in args.iter().zip(&used[routine.0 as usize]).filter(|(_, used)| **used) {
                    seen.extend(match arg {
                        Arg::Sym(sym) => Some(*sym),
                        Arg::Const(_) => None,
                    });
                }
            }
            what => visit::operands(what, &mut |sym| {
                seen.insert(*sym);
            }),
        }
        visit::blocks(&op.what).into_iter().for_each(|block| collect(block, used, seen));
    }
}

fn prune(block: &mut Block, used: &[Vec<bool>]) {
    for op in &mut block.ops {
        if let What::Call { routine, args } = &mut op.what {
            keep(args, &used[routine.0 as usize]);
        }
        visit::blocks_mut(&mut op.what).into_iter().for_each(|block| prune(block, used));
    }
}
