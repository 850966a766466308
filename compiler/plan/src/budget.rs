//! How much work and memory bytes may ask for.

use serde::{Deserialize, Serialize};

/// Limits on one message. Every form and every language applies the same ones by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Records within records; the root is at depth 1. One more is `too-deep`.
    pub depth: u32,
    /// Bytes of budget for each byte of input …
    pub budget_factor: u64,
    /// … and on top of that.
    pub budget_base: u64,
    /// What each short element of a table is charged at the least; see [`Limits::LEAST_CELL`].
    pub least_cell: u64,
}

impl Limits {
    /// What an element that takes no bytes is charged.
    pub const EMPTY_ELEMENT: u64 = 8;
    /// What a [`crate::Node::Cell`] element of a [`crate::Repeat`] (a map's key and value together) is charged at the
    /// least: in some languages a list of bytes takes many times their room. The difference is charged for all
    /// elements at once, when the count is known to fit.
    pub const LEAST_CELL: u64 = 4;
    /// What an element of one bit is charged, which is what a list of bits that is read once can afford.
    pub const BIT_ELEMENT: u64 = 1;

    /// The limits of Cap'n Proto's own readers (`ReaderOptions`): 8 Mi words whatever the input's size, depth 64.
    pub const REFERENCE: Self = Self { depth: 64, budget_factor: 0, budget_base: 64 << 20, least_cell: 0 };

    /// How many bytes may be visited in an input of `length` bytes; one more is `too-large`. Each run is charged its
    /// extent and each blob its bytes every time a reader comes by; an array that the bytes end before, and that is
    /// made from its default ([`crate::Missing::Default`]), is charged its width.
    pub fn budget(&self, length: usize) -> u64 {
        (length as u64).saturating_mul(self.budget_factor).saturating_add(self.budget_base)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { depth: 64, budget_factor: 8, budget_base: 256 * 1024, least_cell: Self::LEAST_CELL }
    }
}
