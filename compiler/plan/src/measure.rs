//! Questions that several readers of a plan ask.

use crate::{Element, Extent, FrameCheck, Meaning, Node, Plan, Register, Repeat, Run, Slot, SlotKind, Step};
use aldis_schema::TypeId;

/// A slot that holds bytes, with the fields and arms that lead to it from the record whose run it is in.
#[derive(Clone, Debug)]
pub struct Leaf<'a> {
    pub path: Vec<u32>,
    pub slot: &'a Slot,
}

/// All slots of a run with nests and arms opened, in order: registers, constants and everything that is no nest. A
/// choice comes before its arms.
pub fn leaves(run: &Run) -> Vec<Leaf<'_>> {
    let mut found = Vec::new();
    open(&run.slots, &[], &mut found);
    found
}

fn open<'a>(slots: &'a [Slot], path: &[u32], found: &mut Vec<Leaf<'a>>) {
    for slot in slots {
        let path: Vec<u32> = path.iter().copied().chain(slot.field).collect();
        match &slot.kind {
            SlotKind::Nest { slots, .. } => open(slots, &path, found),
            SlotKind::Choice { arms, .. } => {
                found.push(Leaf { path: path.clone(), slot });
                arms.iter().for_each(|arm| open(std::slice::from_ref(&arm.slot), &path, found));
            }
            _ => found.push(Leaf { path, slot }),
        }
    }
}

/// The fewest bytes that a reader with this plan finds for `node` in place, not following links. Runs whose extent is
/// only known from the bytes count with what must be there: a stated extent's head, nothing for an acting one.
pub fn node_min_size(plan: &Plan, node: &Node) -> u64 {
    match node {
        Node::Cell { slot } => u64::from(slot.width),
        Node::Call { record } => plan.layout(*record).steps.iter().map(|step| step_min_size(plan, step)).sum(),
        Node::Blob(blob) => u64::from(blob.head.size),
        Node::Repeat(repeat) => u64::from(repeat.head.size),
        Node::Series { count, element } => u64::from(*count) * node_min_size(plan, element),
        Node::Maybe { .. } => 1,
        // Only ever behind a pointer.
        Node::Opaque { .. } => 0,
        Node::Rebase { value } => node_min_size(plan, value),
    }
}

fn step_min_size(plan: &Plan, step: &Step) -> u64 {
    match step {
        Step::Run(run) => match run.extent {
            Extent::Exact => u64::from(run.size),
            Extent::Acting | Extent::Sections { .. } => 0,
            Extent::Stated { head } => u64::from(head),
        },
        Step::Part { since, node, .. } if *since == 0 => node_min_size(plan, node),
        Step::Part { .. } => 0,
    }
}

impl Run {
    /// The least and the largest count that a head may say.
    pub fn count_bounds(&self) -> Option<(u64, u64)> {
        self.slots.iter().find_map(|slot| match &slot.kind {
            SlotKind::Register(Register { meaning: Meaning::Count { min, max }, .. }) => Some((*min, *max)),
            _ => None,
        })
    }

    /// The width of a head that is a stored count and nothing else.
    pub fn plain_count(&self) -> Option<u32> {
        let [slot] = self.slots.as_slice() else { return None };
        let SlotKind::Register(register) = &slot.kind else { return None };
        let is_stored = register.is_count() && register.constant.is_none();
        (is_stored && slot.at == 0 && slot.width == self.size).then_some(slot.width)
    }

    /// How readers use the size of the message, where the head says it.
    pub fn frame_check(&self) -> Option<FrameCheck> {
        self.slots.iter().find_map(|slot| match &slot.kind {
            SlotKind::Register(Register { meaning: Meaning::FrameSize { check }, .. }) => Some(*check),
            _ => None,
        })
    }
}

impl Plan {
    /// The run of a record between segments, and the bytes of its data section.
    pub fn sections(&self, record: TypeId) -> Option<(&Run, u32)> {
        match self.layouts[record.index()].as_ref()?.steps.as_slice() {
            [Step::Run(run)] => match run.extent {
                Extent::Sections { data } => Some((run, data)),
                _ => None,
            },
            _ => None,
        }
    }
}

impl Repeat {
    /// Whether the head says how many bytes each element's first run takes.
    pub fn states_extent(&self) -> bool {
        self.head.register(Register::is_extent).is_some()
    }
}

impl Element {
    /// The charge for each element, its bytes and its surcharge, where all elements are cells. It is without the charge on top
    /// for short elements ([`crate::Limits::LEAST_CELL`]).
    pub fn charged(&self) -> Option<u64> {
        let charges = self.nodes().into_iter().map(|node| match node {
            Node::Cell { slot } => Some(u64::from(slot.width).saturating_add(slot.surcharge())),
            _ => None,
        });
        charges.sum()
    }

    /// The nodes of one element, in wire order.
    pub fn nodes(&self) -> Vec<&Node> {
        match self {
            Element::One(node) => vec![node],
            Element::Pair { key, value } => vec![key, value],
        }
    }
}
