//! The records that the short way through segments takes.

use aldis_plan::{Element, Node, Plan, Slot, SlotKind};
use aldis_schema::TypeId;
use std::collections::{BTreeMap, BTreeSet};

/// Records nest no deeper on the short way, so that it needs no count of levels; lists are levels of their own.
const MOST_LEVELS: u32 = 24;

/// The records that the short way takes behind pointers: those that cannot come again within themselves.
#[derive(Debug, Default)]
pub(crate) struct Direct {
    /// How many levels of records are in a record, itself included.
    levels: BTreeMap<TypeId, u32>,
    open: BTreeSet<TypeId>,
    recursive: BTreeSet<TypeId>,
}

impl Direct {
    pub fn of(plan: &Plan) -> Self {
        let mut direct = Self::default();
        plan.messages.iter().for_each(|message| {
            direct.visit(plan, message.record);
        });
        direct
    }

    /// Whether a pointer to this record, or to a list of it, is followed.
    pub fn takes(&self, record: TypeId) -> bool {
        !self.recursive.contains(&record) && self.levels.get(&record).is_some_and(|levels| *levels <= MOST_LEVELS)
    }

    fn visit(&mut self, plan: &Plan, id: TypeId) -> u32 {
        if let Some(levels) = self.levels.get(&id) {
            return *levels;
        }
        if !self.open.insert(id) {
            self.recursive.insert(id);
            return 0;
        }
        let mut inner = Vec::new();
        if let Some((run, _)) = plan.sections(id) {
            run.slots.iter().for_each(|slot| records_behind(slot, &mut inner));
        }
        let below = inner.into_iter().map(|record| self.visit(plan, record)).max().unwrap_or(0);
        self.open.remove(&id);
        self.levels.insert(id, below + 1);
        below + 1
    }
}

fn records_behind(slot: &Slot, found: &mut Vec<TypeId>) {
    match &slot.kind {
        SlotKind::Nest { slots, .. } => slots.iter().for_each(|slot| records_behind(slot, found)),
        SlotKind::Choice { arms, .. } => arms.iter().for_each(|arm| records_behind(&arm.slot, found)),
        SlotKind::Pointer { target } => match target.as_ref() {
            Node::Call { record } => found.push(*record),
            Node::Repeat(repeat) => {
                if let Element::One(Node::Call { record }) = &repeat.element {
                    found.push(*record);
                }
            }
            _ => {}
        },
        _ => {}
    }
}
