//! Readers and writers for the usual case: messages as this schema's own writers write them.
//!
//! A usual message is read in one pass, each stretch of fixed slots and counted bytes by one match, and written by one
//! construction a record. Whatever a fast function does not expect (another version or extent, a NaN, text that is no
//! binary, a value out of range, a broken byte) it throws, and the careful functions of `decode` and `encode` answer.
//! Fast functions therefore carry no path, no depth, no budget and no version.
//!
//! Values behind links are read in sequence too: each link must lead to where the value before it ended, as writers lay
//! values out. So each byte is read once, and such reading never exhausts the budget (see
//! [`aldis_plan::Limits::LEAST_CELL`]).

use crate::slots::Named;
use aldis_emit::names::Scope;
use aldis_plan::{Repr, Scalar, Slot, SlotKind};

mod build;
mod fit;
mod linked;
mod lists;
mod message;
mod read;
mod repeat;
mod stage;
mod view;
mod write;

pub(crate) use fit::plain;

/// Tables of more bytes than this are left to the careful readers, which make room on the heap for them.
const LARGE: u32 = 0x4000;

/// Arrays of up to so many numbers are opened, each element in a variable.
const OPENED: u32 = 16;

/// The variable of a field; `outer` is that of the record it is in, where that is in another.
fn within(outer: Option<&str>, name: &str) -> String {
    outer.map_or_else(|| name.to_owned(), |outer| format!("{outer}_{name}"))
}

/// Whether the elements of an array get variables of their own.
fn is_opened(slot: &Slot) -> bool {
    let SlotKind::Array { count, element } = &slot.kind else { return false };
    let integer = |repr| !matches!(repr, Repr::F32 | Repr::F64 | Repr::Uuid | Repr::Decimal);
    *count <= OPENED && matches!(&element.kind, SlotKind::Scalar(scalar) if integer(scalar.repr))
}

/// Whether a float can be null: where it is, it is no float of the VM.
fn is_nullable_float(scalar: &Scalar) -> bool {
    matches!(scalar.repr, Repr::F32 | Repr::F64) && scalar.null.or(scalar.absent).is_some()
}

/// Gives the slots of a run variables of one function, and the elements of opened arrays theirs.
fn rename(named: &mut Named<'_>, outer: Option<&str>, scope: &mut Scope<()>) {
    if named.slot.field.is_some() {
        named.var = scope.fresh(&within(outer, &named.var), ());
    }
    if let (SlotKind::Array { count, element }, true) = (&named.slot.kind, is_opened(named.slot)) {
        let element = |n| {
            let var = scope.fresh(&format!("{}{n}", named.var), ());
            Named::cell(element, var)
        };
        named.members = (1..=*count).map(element).collect();
        return;
    }
    named.members.iter_mut().for_each(|member| rename(member, outer, scope));
}
