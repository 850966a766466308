//! Everything that reading charges, in one place. The amounts are the plan's.

use crate::code::Emit;
use crate::op::What;
use crate::operand::{Amount, Arg, Sym};
use aldis_plan::{short_of_cell, surcharge_within, Element, Limits, Slot, SlotKind};

/// The bytes of a run, a head or a blob, a pad, a presence byte: what is visited.
pub(crate) fn visited(emit: &mut impl Emit, bytes: impl Into<Arg>, at: Sym) {
    charge(emit, Amount::of(bytes), at);
}

/// A cell: its bytes, and what it asks for beside them.
pub(crate) fn cell(emit: &mut impl Emit, slot: &Slot, at: Sym) {
    charge(emit, Amount::exactly(u64::from(slot.width)), at);
    if slot.surcharge() > 0 {
        extra(emit, Amount::exactly(slot.surcharge()), at);
    }
}

/// The charge on top for the elements of a repeat where all are short cells, when their count is known to fit.
pub(crate) fn short_cells(emit: &mut impl Emit, element: &Element, count: Arg, at: Sym) {
    let short = element.charged().map_or(0, short_of_cell);
    if short > 0 {
        extra(emit, Amount { times: count, each: Arg::Const(short) }, at);
    }
}

/// The charge for an element that takes no bytes.
pub(crate) const EMPTY: u64 = Limits::EMPTY_ELEMENT;

/// The charges in a run by where they end: for each end the sum of all that end there or before.
pub(crate) fn extras(slots: &[Slot]) -> Vec<(u64, u64)> {
    let mut ends = Vec::new();
    ends_of(slots, &mut ends);
    ends.sort_unstable();
    ends.dedup();
    let mut steps: Vec<(u64, u64)> = ends.into_iter().map(|end| (end, surcharge_within(slots, end))).collect();
    steps.dedup_by_key(|(_, sum)| *sum);
    steps.retain(|(_, sum)| *sum > 0);
    steps
}

fn ends_of(slots: &[Slot], ends: &mut Vec<u64>) {
    for slot in slots {
        ends.push(u64::from(slot.end()));
        if let SlotKind::Nest { slots, .. } = &slot.kind {
            ends_of(slots, ends);
        }
    }
}

pub(crate) fn charge(emit: &mut impl Emit, amount: Amount, at: Sym) {
    let budget = emit.budget();
    emit.paid(What::Charge { budget, amount, at }, &[]);
}

pub(crate) fn extra(emit: &mut impl Emit, amount: Amount, at: Sym) {
    let budget = emit.budget();
    emit.paid(What::Extra { budget, amount, at }, &[]);
}
