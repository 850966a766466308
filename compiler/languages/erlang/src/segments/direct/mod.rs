//! The short way through messages that are as most writers make them: one segment, every pointer forward, every record
//! of the schema's sizes. What this way does not expect it does not take either, and the message goes the long way, whose
//! functions take all there can be and name what is wrong. (`aldis_direct` in the runtime.)
//!
//! Readers of this way take the pointer's halves without a sign, the message, the byte behind the pointer and the budget
//! in words, and give the value and the budget that is left; those of texts and numbers give the value alone, since what
//! they cost can be told from the pointer.

mod lists;
mod numbers;
mod read;
mod target;
mod union;
mod usual;
mod view;
mod write;
mod write_union;

use super::decode::Sizes;
use aldis_plan::Slot;

/// Words of data and the pointers of a record, as the upper half of a pointer to it says them.
fn upper_half(sizes: Sizes) -> u32 {
    (sizes.data / super::WORD) | (sizes.pointers << 16)
}

/// Words of a record.
fn words(sizes: Sizes) -> u32 {
    sizes.data / super::WORD + sizes.pointers
}

/// The code in a pointer to a list of such numbers: those of 1, 2, 4, 8 bytes have 2 to 5.
fn size_code(slot: &Slot) -> u32 {
    2 + slot.width.trailing_zeros()
}
