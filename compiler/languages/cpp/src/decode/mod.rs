//! Readers, and checks, which are readers that make no values: `aim` for where values go, `cuts` for what the bytes end within, `slot` for
//! what lies in runs, `node` for parts of variable size, `record` for the functions around them.

mod aim;
mod cuts;
mod node;
mod record;
mod slot;

pub(crate) use aim::Aim;
pub(crate) use cuts::head_name;
pub(crate) use record::{lack_array, presence, unopened, Guard, Presence};
pub(crate) use slot::{is_row, unsigned};

use crate::gen::{Gen, Wire};

/// Prints the readers of one form.
pub(crate) struct Decoder<'g, 'a> {
    pub gen: &'g Gen<'a>,
    pub wire: &'g Wire<'a>,
}
