//! The variables of quick methods.

use crate::tree::{int, Expr};

/// The expressions that name them, as the operations of a routine need them.
#[derive(Clone)]
pub(super) struct Vars {
    pub bytes: Expr,
    pub end: Expr,
    /// The place where the message begins.
    pub from: Expr,
    /// The levels that are left.
    pub depth: Expr,
    /// There is room, and there are levels: it is all about one block of bytes.
    pub is_sure: bool,
}

impl Vars {
    /// The variables of a method that puts one block of bytes to where there is room for it.
    pub(super) fn sure(bytes: Expr, at: Expr) -> Self {
        Self { bytes, end: at.clone(), from: at, depth: int(0), is_sure: true }
    }
}
