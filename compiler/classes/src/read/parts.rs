//! Parts of the bytes. A number within a part, whose length is known to the compiler, is read without a test of its own: where a
//! language has such parts, quick methods read runs through them.

use super::Reading;
use crate::tree::{away, int, Expr};
use aldis_routine::{visit, Block, Module, Sym, What};

/// Loads that make up for the test of a part.
const FEW: usize = 2;

/// Bytes that are known to be there.
pub(super) struct Part {
    pub at: Expr,
    pub size: u32,
    pub bytes: Expr,
}

impl Reading<'_> {
    /// The bytes to read so many of at a place, and the place in those.
    pub(super) fn spot(&self, place: Expr, width: i128) -> (Expr, Expr) {
        let within = |part: &Part| {
            let away = away(&place, &part.at).filter(|away| *away >= 0 && away + width <= i128::from(part.size))?;
            Some((part.bytes.clone(), int(away)))
        };
        let found = self.parts.iter().rev().find_map(within);
        found.unwrap_or_else(|| (self.bytes.clone(), place))
    }
}

/// Whether a block reads enough at places that count from one.
pub(super) fn is_worth(module: &Module, block: &Block, at: Sym) -> bool {
    loads(module, block, at) >= FEW
}

fn loads(module: &Module, block: &Block, at: Sym) -> usize {
    let of = |what: &What| match what {
        What::Load { place, .. }
        | What::Scalar { place, .. }
        | What::Chars { place, .. }
        | What::Row { at: place, .. } => usize::from(place.base == at),
        What::Fields { table, at: base, .. } if *base == at => module[*table].plain().count(),
        what => visit::blocks(what).into_iter().map(|inner| loads(module, inner, at)).sum(),
    };
    block.ops.iter().map(|op| of(&op.what)).sum()
}
