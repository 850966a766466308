//! How much work and memory bytes may ask for.

use crate::{Slot, SlotKind};
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
    /// Whether what takes more memory than bytes is charged for it: short elements ([`Limits::LEAST_CELL`]) and links
    /// ([`Limits::LINK`]).
    pub surcharge: bool,
}

impl Limits {
    /// What an element that takes no bytes is charged.
    pub const EMPTY_ELEMENT: u64 = 8;
    /// What a [`crate::Node::Cell`] element of a [`crate::Repeat`] (a map's key and value together) and an array's
    /// element are charged at the least: in some languages a list of bytes takes many times their room. For a repeat
    /// the difference is charged for all elements at once, when the count is known to fit. Not more than the budget
    /// has for one byte, so that no message is refused whose bytes are each visited once.
    pub const LEAST_CELL: u64 = 8;
    /// What a link is charged beside its own bytes and those that it leads to, whether it leads anywhere or not: a text
    /// of one byte that many links lead to is many values. So is each pointer in the elements of a list, when their count
    /// is known to fit.
    pub const LINK: u64 = 24;
    /// What eight elements of one bit are charged beside their byte: as for other short elements no more than the budget
    /// has for it.
    pub const EIGHT_BITS: u64 = 7;

    /// The limits of Cap'n Proto's own readers (`ReaderOptions`): 8 Mi words whatever the input's size, depth 64.
    pub const REFERENCE: Self = Self { depth: 64, budget_factor: 0, budget_base: 64 << 20, surcharge: false };

    /// How many bytes may be visited in an input of `length` bytes; one more is `too-large`. Each run is charged its
    /// extent and the surcharge ([`surcharge_within`]) of what lies within it, and each blob its bytes, every time a
    /// reader comes by; an array that the bytes end before, and that is made from its default
    /// ([`crate::Missing::Default`]), is charged its width alone, since old messages have many of them.
    pub fn budget(&self, length: usize) -> u64 {
        (length as u64).saturating_mul(self.budget_factor).saturating_add(self.budget_base)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { depth: 64, budget_factor: 8, budget_base: 256 * 1024, surcharge: true }
    }
}

impl Slot {
    /// What the slot is charged beside its bytes.
    pub fn surcharge(&self) -> u64 {
        match &self.kind {
            SlotKind::Link(_) | SlotKind::Presence(_) => Limits::LINK,
            SlotKind::Array { count, element } => {
                u64::from(*count).saturating_mul(element.surcharge().max(short_of_cell(u64::from(element.width))))
            }
            SlotKind::Nest { slots, .. } => total(slots.iter().map(Slot::surcharge)),
            _ => 0,
        }
    }
}

/// What an element of `charged` bytes is charged on top: nothing where it takes no bytes, or enough.
pub fn short_of_cell(charged: u64) -> u64 {
    match charged {
        0 => 0,
        charged => Limits::LEAST_CELL.saturating_sub(charged),
    }
}

/// The surcharge of what lies within the first `extent` bytes of a run with these slots. Of nests, the members count.
pub fn surcharge_within(slots: &[Slot], extent: u64) -> u64 {
    let of = |slot: &Slot| match &slot.kind {
        SlotKind::Nest { slots, .. } => surcharge_within(slots, extent),
        SlotKind::Link(_) | SlotKind::Presence(_) | SlotKind::Array { .. } if u64::from(slot.end()) <= extent => {
            slot.surcharge()
        }
        _ => 0,
    };
    total(slots.iter().map(of))
}

fn total(charges: impl Iterator<Item = u64>) -> u64 {
    charges.fold(0, u64::saturating_add)
}
