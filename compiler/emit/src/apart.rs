//! Parts of a large schema's code, made on all cores.

use aldis_schema::Schema;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use rayon::ThreadPoolBuilder;

/// A schema of fewer types is done before threads are there.
const MANY: usize = 100;

/// Room for what follows types by recursion, as on the command's own thread.
const STACK: usize = 64 << 20;

/// All that `make` makes of the items, in their order: one after the other, or by as many threads as there are cores where the schema
/// is large.
pub fn made_apart<T: Sync, R: Send>(schema: &Schema, items: &[T], make: impl Fn(&T) -> Vec<R> + Sync) -> Vec<R> {
    let is_large = schema.types.len() >= MANY;
    // Where no threads can be had, as in a browser, one does it all.
    let pool = is_large.then(|| ThreadPoolBuilder::new().stack_size(STACK).build().ok()).flatten();
    match pool {
        Some(pool) => pool.install(|| items.par_iter().flat_map_iter(&make).collect()),
        None => items.iter().flat_map(make).collect(),
    }
}
