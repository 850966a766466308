//! The cost of values whose bytes are not there. A block may be shorter than the schema's, and its record has all of its
//! fields nevertheless: a list of empty blocks becomes a list of whole records.

use crate::{node_min_size, Blob, Extent, Limits, Node, Plan, Repeat, Repr, Run, Shape, Slot, SlotKind, Step};
use aldis_schema::TypeId;

/// The charges for fields that lie beyond the end of a record's bytes. Each row is an end and a cost: a block (or section)
/// of fewer bytes than the end is charged the cost. With the rows `(4, 4)` and `(12, 8)` a block of 4 bytes costs 8, and one
/// of 2 bytes costs 12. Ends ascend, and no two are equal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lacks {
    /// The rows of the record's block, or of its data section.
    pub block: Vec<(u32, u64)>,
    /// The rows of its pointer section, whose ends count from the section's first byte.
    pub pointers: Vec<(u32, u64)>,
    /// The rows of its parts: a message of a version below the first number is charged the second.
    pub parts: Vec<(u32, u64)>,
}

/// A row's cost is the same for all fields of a kind: it pays for what they take in the language where they take most, at
/// 8 bytes of memory for each byte of budget.
const FIELD: u64 = 4;
/// A tree of a set or map.
const KEYED: u64 = 6;
/// The most that a null in the place of an optional value of variable size may cost.
const MOST_IN_PLACE: u64 = 7;
/// A bit is a byte or a word.
const BIT: u64 = 1;

impl Lacks {
    /// The charge for a record with sections of these sizes. A block is a section without pointers.
    pub fn within(&self, block: u64, pointers: u64, version: u64) -> u64 {
        let [block, pointers] = [(&self.block, block), (&self.pointers, pointers)].map(|(rows, there)| {
            let beyond = rows.iter().rev().take_while(|(end, _)| u64::from(*end) > there);
            total(beyond.map(|(_, cost)| *cost))
        });
        let parts = total(self.parts.iter().filter(|(since, _)| u64::from(*since) > version).map(|(_, cost)| *cost));
        block.saturating_add(pointers).saturating_add(parts)
    }
}

impl Plan {
    /// The charges for records of this type whose fields lack bytes. The root record of a message is charged nothing where
    /// its envelope or a pointer says how long it is, since a message has only one.
    pub fn lacks(&self, record: TypeId) -> Lacks {
        let mut lacks = Lacks::default();
        for step in &self.layout(record).steps {
            match step {
                Step::Run(Run { extent: Extent::Exact, .. }) => {}
                Step::Run(run) => self.lacks_of(run, &mut lacks),
                Step::Part { since: 0, .. } => {}
                Step::Part { since, node, .. } => {
                    let cost = self.node_cost(node, Limits::MOST, &mut vec![record]);
                    lacks.parts.push((*since, cost.min(Limits::MOST)));
                }
            }
        }
        lacks
    }

    fn lacks_of(&self, run: &Run, lacks: &mut Lacks) {
        let data = match run.extent {
            Extent::Sections { data } => data,
            _ => u32::MAX,
        };
        for (end, cost) in self.rows(&run.slots) {
            if end > data {
                lacks.pointers.push((end - data, cost));
            } else {
                lacks.block.push((end, cost));
            }
        }
    }

    /// Ends of slots with what each costs, ascending.
    fn rows(&self, slots: &[Slot]) -> Vec<(u32, u64)> {
        let mut rows = Vec::new();
        for slot in slots {
            match &slot.kind {
                SlotKind::Nest { slots, .. } => rows.extend(self.rows(slots)),
                SlotKind::Choice { arms, .. } => {
                    rows.push((slot.end(), FIELD));
                    rows.extend(self.shared_rows(arms.iter().map(|arm| &arm.slot)));
                }
                SlotKind::Constant { .. } | SlotKind::Register(_) | SlotKind::Ignored { .. } => {}
                _ => rows.push((slot.end(), self.slot_cost(slot, Limits::MOST, &mut Vec::new()))),
            }
        }
        merged(rows, |one, other| one.saturating_add(other))
    }

    /// The rows of arms, of which a record has one: at each place the dearest.
    fn shared_rows<'s>(&self, arms: impl Iterator<Item = &'s Slot>) -> Vec<(u32, u64)> {
        merged(arms.flat_map(|arm| self.rows(std::slice::from_ref(arm))).collect(), u64::max)
    }

    /// `within` are the records that the slot lies in: what contains itself does so behind a pointer of the language's.
    /// A cost of `most` or more may be given as `most`. A null costs little whatever its type is, so types need not be
    /// followed far; to follow them to the end would take a time that doubles with each type where each has two fields of
    /// the next.
    fn slot_cost(&self, slot: &Slot, most: u64, within: &mut Vec<TypeId>) -> u64 {
        let width = u64::from(slot.width);
        match &slot.kind {
            SlotKind::Scalar(scalar) if matches!(scalar.repr, Repr::Bit(_)) => BIT,
            SlotKind::Scalar(_) => FIELD,
            SlotKind::Chars { .. } => FIELD.max(width),
            SlotKind::Array { count, element } => match &element.kind {
                SlotKind::Scalar(_) | SlotKind::Chars { .. } => FIELD.max(width),
                _ => u64::from(*count).saturating_mul(self.slot_cost(element, most, within)).max(FIELD),
            },
            SlotKind::Nest { slots, .. } => self.slots_cost(slots, most, within),
            SlotKind::Link(link) => self.node_cost(&link.target, most, within),
            SlotKind::Presence(link) => self.null_cost(&link.target, most, within),
            SlotKind::Pointer { target } => self.null_cost(target, most, within),
            SlotKind::Choice { arms, .. } => {
                let costs = arms.iter().map(|arm| self.slot_cost(&arm.slot, most, within));
                FIELD.saturating_add(costs.max().unwrap_or(0))
            }
            SlotKind::Constant { .. } | SlotKind::Register(_) | SlotKind::Ignored { .. } => 0,
        }
    }

    fn slots_cost(&self, slots: &[Slot], most: u64, within: &mut Vec<TypeId>) -> u64 {
        total_up_to(slots.iter(), most, |slot, left| self.slot_cost(slot, left, within))
    }

    /// The cost of a null in the place of such a value.
    fn null_cost(&self, node: &Node, most: u64, within: &mut Vec<TypeId>) -> u64 {
        let most = most.min(MOST_IN_PLACE);
        match most {
            0 | 1 => most,
            most => (self.node_cost(node, most - 1, within).saturating_add(1)).min(MOST_IN_PLACE),
        }
    }

    /// The cost of an empty or default value.
    fn node_cost(&self, node: &Node, most: u64, within: &mut Vec<TypeId>) -> u64 {
        match node {
            Node::Cell { slot } => self.slot_cost(slot, most, within),
            Node::Call { record } => self.record_cost(*record, most, within),
            Node::Repeat(repeat) => match **repeat {
                Repeat { shape: Shape::Set | Shape::Map, .. } => KEYED,
                _ => FIELD,
            },
            Node::Blob(_) | Node::Opaque { .. } => FIELD,
            Node::Series { count, element } => {
                u64::from(*count).saturating_mul(self.node_cost(element, most, within)).max(FIELD)
            }
            Node::Maybe { value } => self.null_cost(value, most, within),
            Node::Rebase { value } => self.node_cost(value, most, within),
        }
    }

    /// The cost of a record of defaults. It lies in the record that it is a field of.
    fn record_cost(&self, record: TypeId, most: u64, within: &mut Vec<TypeId>) -> u64 {
        if within.contains(&record) {
            return FIELD;
        }
        within.push(record);
        let cost = total_up_to(self.layout(record).steps.iter(), most, |step, left| match step {
            Step::Run(run) => self.slots_cost(&run.slots, left, within),
            Step::Part { node, .. } => self.node_cost(node, left, within),
        });
        within.pop();
        cost.max(1)
    }

    /// When the elements of a repeat take no bytes.
    pub fn emptiness(&self, repeat: &Repeat) -> Emptiness {
        repeat.emptiness(&|record| self.record_emptiness(record))
    }

    /// When an element takes no bytes that is such a record.
    pub fn record_emptiness(&self, record: TypeId) -> Emptiness {
        let (mut acting, mut before) = (false, None);
        let mut unknown = false;
        for step in &self.layout(record).steps {
            match step {
                Step::Run(run) => match run.extent {
                    Extent::Exact if run.size == 0 => {}
                    Extent::Acting => acting = true,
                    _ => return Emptiness::Never,
                },
                Step::Part { node, .. } if node_min_size(self, node) == 0 => unknown = true,
                Step::Part { since: 0, .. } => return Emptiness::Never,
                Step::Part { since, .. } => before = Some(before.map_or(*since, |first: u32| first.min(*since))),
            }
        }
        match (unknown, acting, before) {
            (false, true, before) => Emptiness::Extent { before },
            (false, false, None) => Emptiness::Always,
            _ => Emptiness::Unknown,
        }
    }
}

impl Repeat {
    /// When its elements take no bytes, `record` telling it of records: readers ask for each repeat that they come by.
    pub fn emptiness(&self, record: &impl Fn(TypeId) -> Emptiness) -> Emptiness {
        let mut found = self.element.nodes().into_iter().map(|node| node_emptiness(node, record));
        let first = found.next().unwrap_or(Emptiness::Always);
        found.fold(first, |a, b| match (a, b) {
            (Emptiness::Never, _) | (_, Emptiness::Never) => Emptiness::Never,
            (Emptiness::Always, Emptiness::Always) => Emptiness::Always,
            _ => Emptiness::Unknown,
        })
    }
}

fn node_emptiness(node: &Node, record: &impl Fn(TypeId) -> Emptiness) -> Emptiness {
    match node {
        Node::Cell { slot } if slot.width == 0 => Emptiness::Always,
        Node::Cell { .. } | Node::Maybe { .. } => Emptiness::Never,
        Node::Call { record: called } => record(*called),
        Node::Rebase { value } => node_emptiness(value, record),
        Node::Series { count, element } if *count > 0 && node_emptiness(element, record) == Emptiness::Never => {
            Emptiness::Never
        }
        Node::Blob(Blob { head, .. }) if head.size > 0 => Emptiness::Never,
        Node::Repeat(repeat) if repeat.head.size > 0 => Emptiness::Never,
        Node::Series { .. } | Node::Blob(_) | Node::Repeat(_) | Node::Opaque { .. } => Emptiness::Unknown,
    }
}

/// When an element takes no bytes, for which it is charged ([`Limits::EMPTY_ELEMENT`]): with the count, but where it is
/// unknown, with each element that turns out to take none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Emptiness {
    #[default]
    Never,
    Always,
    /// If the head's extent is 0 and the message's version lies before this one; without one, in all versions.
    Extent {
        before: Option<u32>,
    },
    Unknown,
}

impl Emptiness {
    /// The charge for each element that is taken with the count.
    pub fn cost(self, extent: u64, version: u64) -> u64 {
        match self {
            Emptiness::Always => Limits::EMPTY_ELEMENT,
            Emptiness::Extent { before } if extent == 0 && before.is_none_or(|before| version < u64::from(before)) => {
                Limits::EMPTY_ELEMENT
            }
            _ => 0,
        }
    }
}

fn merged(mut rows: Vec<(u32, u64)>, both: impl Fn(u64, u64) -> u64) -> Vec<(u32, u64)> {
    rows.sort_unstable();
    let mut merged: Vec<(u32, u64)> = Vec::with_capacity(rows.len());
    for (end, cost) in rows {
        match merged.last_mut() {
            Some(last) if last.0 == end => last.1 = both(last.1, cost),
            _ => merged.push((end, cost)),
        }
    }
    merged.iter_mut().for_each(|(_, cost)| *cost = (*cost).min(Limits::MOST));
    merged
}

fn total(costs: impl Iterator<Item = u64>) -> u64 {
    costs.fold(0, u64::saturating_add)
}

/// The sum of what `cost` says of each, which is told how much is left of `most`; no more are asked once it is reached.
fn total_up_to<T>(all: impl Iterator<Item = T>, most: u64, mut cost: impl FnMut(T, u64) -> u64) -> u64 {
    let mut sum: u64 = 0;
    for one in all {
        if sum >= most {
            break;
        }
        sum = sum.saturating_add(cost(one, most - sum));
    }
    sum
}
