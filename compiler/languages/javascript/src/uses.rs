//! How often a routine's symbols are used by its functions, and what these take.

use aldis_routine::{visit, Block, Routine, Segments, Sym, Ty, What};

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
