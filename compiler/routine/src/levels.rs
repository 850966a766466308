//! The levels of values: records within records.

use crate::{visit, Block, Module, RoutineId, Segments, What, Write};

/// The levels of records that the values of each routine have at most; nothing of those that nest without end. An open value, which may
/// hold anything, counts as so many as `of_open`.
pub fn levels(module: &Module, of_open: u32) -> Vec<Option<u32>> {
    let mut known = vec![None; module.routines.len()];
    (0..module.routines.len()).map(|index| of_routine(module, RoutineId(index as u32), of_open, &mut known)).collect()
}

/// `known` has the levels of routines that were looked at: one that is asked for while it is looked at nests without end.
fn of_routine(module: &Module, id: RoutineId, of_open: u32, known: &mut [Option<Option<u32>>]) -> Option<u32> {
    let index = id.0 as usize;
    if let Some(levels) = known[index] {
        return levels;
    }
    known[index] = Some(None);
    let levels = levels_of(&module[id].body, &mut |what| match what {
        What::Call { routine, .. } => of_routine(module, *routine, of_open, known),
        What::Write(Write::Plant { .. }) | What::Segments(Segments::Keep { .. }) => Some(of_open),
        _ => Some(0),
    });
    known[index] = Some(levels);
    levels
}

/// The levels of a block; `within` gives those in an operation that calls, or takes a value as it is.
pub fn levels_of(block: &Block, within: &mut dyn FnMut(&What) -> Option<u32>) -> Option<u32> {
    let mut deepest = 0;
    for op in &block.ops {
        let mut own = within(&op.what)?;
        for inner in visit::blocks(&op.what) {
            own = own.max(levels_of(inner, within)?);
        }
        deepest = deepest.max(own + u32::from(matches!(op.what, What::Level { .. })));
    }
    Some(deepest)
}
