//! Readers: `cuts` for what the bytes end within, `slot` for what lies in runs, `node` for parts of variable size, `record` for the functions around them.

mod cuts;
mod node;
mod record;
mod slot;

pub(crate) use cuts::head_name;
pub(crate) use node::counted_cell;
pub(crate) use record::{lack_array, presence, unopened, Guard, Presence};
pub(crate) use slot::{is_row, unsigned};

use crate::gen::{Gen, Wire};

/// Prints the readers of one form.
pub(crate) struct Decoder<'g, 'a> {
    pub gen: &'g Gen<'a>,
    pub wire: &'g Wire<'a>,
}
