//! The bits and pointers of a record's sections that belong to a union: its arms lie over each other, and whichever is
//! active fills them.

use super::leaves::{slot_bits, Bits};
use super::WORD;
use aldis_plan::{ArmSlot, Slot, SlotKind};

/// The places that the arms of a union share; its tag is not among them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Areas {
    /// Ascending, apart from each other, and as long as can be.
    pub bits: Vec<Bits>,
    /// Offsets of pointers, ascending.
    pub pointers: Vec<u32>,
}

impl Areas {
    pub fn of(arms: &[ArmSlot]) -> Self {
        let mut areas = Self::default();
        arms.iter().for_each(|arm| areas.add(&arm.slot));
        areas.bits.sort();
        areas.bits = merged(&areas.bits);
        areas.pointers.sort_unstable();
        areas.pointers.dedup();
        areas
    }

    fn add(&mut self, slot: &Slot) {
        match &slot.kind {
            SlotKind::Scalar(_) => self.bits.push(slot_bits(slot)),
            SlotKind::Pointer { .. } => self.pointers.push(slot.at),
            SlotKind::Nest { slots, .. } => slots.iter().for_each(|member| self.add(member)),
            SlotKind::Choice { arms, .. } => {
                self.bits.push(slot_bits(slot));
                arms.iter().for_each(|arm| self.add(&arm.slot));
            }
            _ => {}
        }
    }
}

fn merged(sorted: &[Bits]) -> Vec<Bits> {
    let mut out: Vec<Bits> = Vec::new();
    for bits in sorted {
        match out.last_mut() {
            Some(last) if bits.from <= last.to => last.to = last.to.max(bits.to),
            _ => out.push(*bits),
        }
    }
    out
}

/// The number of a pointer in its section, for variables.
pub(super) fn pointer_number(at: u32, data: u32) -> u32 {
    (at - data) / WORD
}

#[cfg(test)]
mod tests {
    use super::{merged, Bits};

    #[test]
    fn what_touches_becomes_one() {
        let bits = [(0, 8), (8, 16), (4, 6), (24, 25)].map(|(from, to)| Bits { from, to });
        let mut sorted = bits.to_vec();
        sorted.sort();
        assert_eq!(merged(&sorted), [Bits { from: 0, to: 16 }, Bits { from: 24, to: 25 }]);
    }
}
