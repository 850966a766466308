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
    /// Whether bytes that take more memory than most are charged for it: short elements ([`Limits::LEAST_CELL`],
    /// [`Limits::EIGHT_BITS`]) and links ([`Limits::LINK`]). Elements without bytes are charged in any case
    /// ([`Limits::EMPTY_ELEMENT`], [`crate::Lacks`]), or nothing would bound it.
    pub surcharge: bool,
    /// Bytes that packed ones may unpack to, for each of them …
    pub unpacked_factor: u64,
    /// … and on top of that. One more is `too-large`. For packed messages the budget goes by the unpacked bytes.
    pub unpacked_base: u64,
}

impl Limits {
    /// The charge for an element that takes no bytes.
    pub const EMPTY_ELEMENT: u64 = 8;
    /// The least charge for a [`crate::Node::Cell`] element of a [`crate::Repeat`] (a map's key and value together) and for
    /// an element of an array, because a list of bytes takes many times their room in some languages: a list of ten
    /// `uint8` is charged 80, not 10. A repeat pays the difference for all its elements at once, when the count is known to
    /// fit. The charge is as large as the budget that one byte of input gives ([`Limits::budget_factor`]), so a message
    /// whose bytes are each visited once is never refused.
    pub const LEAST_CELL: u64 = 8;
    /// The charge for a link beside its own bytes and those that it leads to, whether it leads anywhere or not: a text of
    /// one byte becomes many values where many links lead to it. Each pointer in the elements of a list has the same charge,
    /// which is taken when their count is known to fit.
    pub const LINK: u64 = 24;
    /// The charge for eight elements of one bit beside their byte. Together they make 8, which is the budget that one byte
    /// of input gives. (Where a list has a cell for each boolean, as in Erlang, those eight take 128 bytes: a charge for all of
    /// them would refuse what encoders write.)
    pub const EIGHT_BITS: u64 = 7;
    /// No slot, and no field that lacks bytes, costs more than this: sums of what all fields of a record cost fit 64 bits
    /// in every language.
    pub const MOST: u64 = u32::MAX as u64;

    /// The limits of Cap'n Proto's own readers (`ReaderOptions`): 8 Mi words whatever the input's size, depth 64.
    pub const REFERENCE: Self = Self {
        depth: 64,
        budget_factor: 0,
        budget_base: 64 << 20,
        surcharge: false,
        unpacked_factor: 0,
        unpacked_base: 64 << 20,
    };

    /// How many bytes may be visited in an input of `length` bytes, unpacked; one more is `too-large`. Each run is charged
    /// its extent and the surcharge ([`surcharge_within`]) of what lies within it, and each blob its bytes, every time a
    /// reader comes by. Missing bytes ([`crate::Lacks`]) are charged with a record's run; but where a head states the
    /// extent of elements, or a pointer that of a list's, they are charged with the count: count × cost.
    ///
    /// Two bounds hold these charges. What an encoder writes costs no more than 8 for each byte, but for elements without
    /// bytes and for canonical forms, which leave out bytes: so decoders read what encoders write. And each 1 of budget
    /// pays for no more than 8 bytes of memory in any language, but for bits in Erlang ([`Limits::EIGHT_BITS`]), so
    /// that memory stays below 64 × input + 16 MiB whatever
    /// the bytes are.
    pub fn budget(&self, length: usize) -> u64 {
        (length as u64).saturating_mul(self.budget_factor).saturating_add(self.budget_base)
    }

    /// How many bytes `length` packed ones may unpack to.
    pub fn unpacked(&self, length: usize) -> u64 {
        (length as u64).saturating_mul(self.unpacked_factor).saturating_add(self.unpacked_base)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            depth: 64,
            budget_factor: 8,
            budget_base: 256 * 1024,
            surcharge: true,
            unpacked_factor: 64,
            unpacked_base: 16 << 20,
        }
    }
}

impl Slot {
    /// The charge for the slot beside its bytes.
    pub fn surcharge(&self) -> u64 {
        let charged = match &self.kind {
            SlotKind::Link(_) | SlotKind::Presence(_) => Limits::LINK,
            SlotKind::Array { count, element } => {
                u64::from(*count).saturating_mul(element.surcharge().max(short_of_cell(u64::from(element.width))))
            }
            SlotKind::Nest { slots, .. } => total(slots.iter().map(Slot::surcharge)),
            _ => 0,
        };
        charged.min(Limits::MOST)
    }
}

/// The charge for an element on top of its `charged` bytes. It is zero for an element without bytes, which
/// [`Limits::EMPTY_ELEMENT`] is for, and for one of [`Limits::LEAST_CELL`] bytes or more.
pub fn short_of_cell(charged: u64) -> u64 {
    match charged {
        0 => 0,
        charged => Limits::LEAST_CELL.saturating_sub(charged),
    }
}

/// The surcharge of the slots that lie within the first `extent` bytes of a run. A nest has that of its members.
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
