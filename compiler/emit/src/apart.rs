//! Parts of a large schema's code, made on all cores.

use aldis_schema::Schema;

/// Below this many types, to start threads takes longer than the work.
const MANY: usize = 100;

/// All that `make` makes of the items, in their order: one after the other, or by as many threads as there are cores where the schema
/// is large.
pub fn made_apart<T: Sync, R: Send>(schema: &Schema, items: &[T], make: impl Fn(&T) -> Vec<R> + Sync) -> Vec<R> {
    let by_threads = if schema.types.len() < MANY { None } else { on_all_cores(items, &make) };
    by_threads.unwrap_or_else(|| items.iter().flat_map(make).collect())
}

/// The items made by all cores; nothing where threads cannot start.
#[cfg(not(target_family = "wasm"))]
fn on_all_cores<T: Sync, R: Send>(items: &[T], make: &(impl Fn(&T) -> Vec<R> + Sync)) -> Option<Vec<R>> {
    use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
    use rayon::{ThreadPool, ThreadPoolBuilder};
    use std::sync::OnceLock;

    /// Room for what follows types by recursion, as on the command's own thread.
    const STACK: usize = 64 << 20;
    static POOL: OnceLock<Option<ThreadPool>> = OnceLock::new();
    let pool = POOL.get_or_init(|| ThreadPoolBuilder::new().stack_size(STACK).build().ok()).as_ref()?;
    Some(pool.install(|| items.par_iter().flat_map_iter(make).collect()))
}

/// Browsers have no threads.
#[cfg(target_family = "wasm")]
fn on_all_cores<T: Sync, R: Send>(_: &[T], _: &(impl Fn(&T) -> Vec<R> + Sync)) -> Option<Vec<R>> {
    None
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::on_all_cores;

    #[test]
    fn what_threads_make_is_in_order() {
        let items: Vec<usize> = (0..1000).collect();
        let make = |item: &usize| vec![*item; item % 3];
        let made = on_all_cores(&items, &make).unwrap();
        assert_eq!(made, items.iter().flat_map(make).collect::<Vec<_>>());
    }
}
