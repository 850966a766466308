//! Readers: `slot` for what lies in runs, `node` for parts of variable size, `record` for the functions around them.

mod node;
mod record;
mod slot;

pub(crate) use node::{is_extent, plain_count};
pub(crate) use record::{or_whole, presence, Guard};
pub(crate) use slot::{is_row, unsigned};

use crate::gen::{Gen, Wire};

/// Prints the readers of one form.
pub(crate) struct Decoder<'g, 'a> {
    pub gen: &'g Gen<'a>,
    pub wire: &'g Wire<'a>,
    /// What loads a number where the reader's type is not known, so that its own `load` cannot be named.
    pub load: &'static str,
}

impl<'g, 'a> Decoder<'g, 'a> {
    pub fn new(gen: &'g Gen<'a>, wire: &'g Wire<'a>) -> Self {
        Self { gen, wire, load: "in.load" }
    }
}
