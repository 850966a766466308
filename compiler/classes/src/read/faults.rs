//! Whether reading may fail.

use aldis_routine::{Block, What};

/// Whether an operation of the block may fault.
pub fn can_fault(block: &Block) -> bool {
    block.ops.iter().any(|op| match &op.what {
        What::Scalar { .. } | What::Literal { .. } | What::Make { .. } | What::Fields { .. } | What::Row { .. } => {
            false
        }
        What::If { then, other, .. } => can_fault(then) || can_fault(other),
        What::Within { body, .. } | What::Each { body, .. } | What::Loop { body, .. } => can_fault(body),
        what => !what.is_pure(),
    })
}
