//! How often a routine's symbols are used by its functions, what these take, and what they must tell.

use aldis_routine::{visit, Block, Module, Purpose, Routine, Segments, Sym, Ty, What};

/// The parameters of a function: budget and depth are the frame's, and a function that only refuses does not need the root.
pub(crate) fn usual_params(routine: &Routine) -> Vec<Sym> {
    let mut uses = vec![0; routine.symbols.len()];
    count_uses(&routine.body, &mut uses);
    let is_taken = |param: &Sym| {
        let ty = routine.symbols[param.0 as usize].ty;
        uses[param.0 as usize] > 0 && !matches!(ty, Ty::Budget | Ty::Depth | Ty::Bool)
    };
    routine.params.iter().copied().filter(is_taken).collect()
}

pub(crate) fn count_uses(block: &Block, uses: &mut [u32]) {
    visit::gives(block).for_each(|sym| uses[sym.0 as usize] += 1);
    for op in &block.ops {
        match &op.what {
            // Its place is for faults alone.
            What::Level { .. } => {}
            // Messages as they usually are have one segment.
            What::Segments(Segments::Aim { at, .. } | Segments::Keep { at, .. }) => uses[at.0 as usize] += 1,
            what => visit::operands(what, &mut |sym| uses[sym.0 as usize] += 1),
        }
        visit::blocks(&op.what).into_iter().for_each(|block| count_uses(block, uses));
    }
}

/// The levels of records that the default limits of decoding allow.
pub(crate) const LEVELS: u32 = 64;

/// Whether anything follows a record where it lies: else nobody asks a record's functions where it ends. All modules of a form agree,
/// since messages tell it, too.
pub(crate) fn ends_are_asked(module: &Module) -> bool {
    fn asks(routine: &Routine, block: &Block, uses: &[u32]) -> bool {
        let is_asked = |bind: &Sym| routine.symbols[bind.0 as usize].ty == Ty::Pos && uses[bind.0 as usize] > 0;
        block.ops.iter().any(|op| match &op.what {
            What::Call { .. } => op.binds.iter().any(is_asked),
            what => visit::blocks(what).into_iter().any(|block| asks(routine, block, uses)),
        })
    }
    let of_values = |routine: &&Routine| matches!(routine.purpose, Purpose::Read | Purpose::Check);
    module.messages.is_empty()
        || module.routines.iter().filter(of_values).any(|routine| {
            let mut uses = vec![0; routine.symbols.len()];
            count_uses(&routine.body, &mut uses);
            asks(routine, &routine.body, &uses)
        })
}
