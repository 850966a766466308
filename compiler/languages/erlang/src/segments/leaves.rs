//! Slots of sections with groups opened, each with its variable and the bits that it takes.

use crate::gen::Gen;
use crate::slots::{name_slots, Named};
use aldis_plan::{Repr, Slot, SlotKind};
use aldis_schema::{Field, TypeId};

/// A slot that is no group.
#[derive(Clone, Debug)]
pub(super) struct Leaf<'a> {
    pub slot: &'a Slot,
    pub var: String,
    /// The Erlang expression of its path.
    pub path: String,
    pub field: &'a Field,
    /// The words that functions for it are called after.
    pub hint: String,
}

/// Bits of a section, as a match takes them: the lowest bit of a byte is its last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Bits {
    pub from: u32,
    pub to: u32,
}

impl Leaf<'_> {
    pub fn bits(&self) -> Bits {
        slot_bits(self.slot)
    }

    /// The variable of what belongs to the leaf: `NameLow`.
    pub fn part(&self, part: &str) -> String {
        format!("{}{part}", self.var)
    }
}

/// The bits of a number, a union's tag or a pointer.
pub(super) fn slot_bits(slot: &Slot) -> Bits {
    match &slot.kind {
        SlotKind::Scalar(scalar) => match scalar.repr {
            Repr::Bit(bit) => {
                let from = slot.at * 8 + 7 - u32::from(bit);
                Bits { from, to: from + 1 }
            }
            _ => Bits { from: slot.at * 8, to: slot.end() * 8 },
        },
        _ => Bits { from: slot.at * 8, to: slot.end() * 8 },
    }
}

/// The slots of one owner, a record or a union, with their variables.
#[derive(Clone)]
pub(super) struct Slots<'a> {
    pub owner: TypeId,
    pub named: Vec<Named<'a>>,
}

impl<'a> Gen<'a> {
    pub(super) fn slots_of(&self, owner: TypeId, slots: &'a [Slot]) -> Slots<'a> {
        Slots { owner, named: name_slots(self.names, owner, slots) }
    }

    /// The leaves of slots, in order.
    pub(super) fn leaves(&self, slots: &Slots<'a>) -> Vec<Leaf<'a>> {
        let mut found = Vec::new();
        self.open_groups(slots.owner, &slots.named, "Path", &mut found);
        found
    }

    fn open_groups(&self, owner: TypeId, named: &[Named<'a>], path: &str, found: &mut Vec<Leaf<'a>>) {
        for named in named {
            let Some(index) = named.slot.field else { continue };
            let path = self.member_path(owner, index, path);
            if let SlotKind::Nest { record, .. } = &named.slot.kind {
                self.open_groups(*record, &named.members, &path, found);
                continue;
            }
            let hint = format!("{}_{}", self.names.of(owner), self.names.field(owner, index as usize));
            let field = self.member(owner, index);
            found.push(Leaf { slot: named.slot, var: named.var.clone(), path, field, hint });
        }
    }
}
