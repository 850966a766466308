//! How many words values take on the heap, so that readers of long lists can ask for room.

use aldis_plan::{Element, Node, Plan, Repeat, Repr, Slot, SlotKind, Step, TypeId};

/// A list's cell.
const CELL: u64 = 2;
/// A binary that is a part of the input.
const PART: u64 = 6;
/// Records within records that are looked into; deeper ones weigh nothing.
const LEVELS: u32 = 4;

/// The words of one element of a list, set or map, its cell included; of what lies behind its links and counts only the
/// least.
pub(crate) fn element_words(plan: &Plan, repeat: &Repeat) -> u64 {
    let inner: u64 = repeat.element.nodes().into_iter().map(|node| node_words(plan, node, LEVELS)).sum();
    let pair = matches!(repeat.element, Element::Pair { .. });
    CELL + inner + if pair { 3 } else { 0 }
}

fn node_words(plan: &Plan, node: &Node, levels: u32) -> u64 {
    match node {
        Node::Cell { slot } => slot_words(plan, slot, levels),
        Node::Call { record } => record_words(plan, *record, levels),
        // The type of an open value is not known.
        Node::Blob(_) | Node::Opaque { .. } => PART,
        Node::Repeat(_) => 0,
        Node::Series { count, element } => u64::from(*count).saturating_mul(CELL + node_words(plan, element, levels)),
        Node::Maybe { .. } => 0,
        Node::Rebase { value } => node_words(plan, value, levels),
    }
}

fn record_words(plan: &Plan, record: TypeId, levels: u32) -> u64 {
    let Some(levels) = levels.checked_sub(1) else { return 0 };
    let inner: u64 = plan
        .layout(record)
        .steps
        .iter()
        .map(|step| match step {
            Step::Run(run) => run.slots.iter().map(|slot| slot_words(plan, slot, levels)).sum(),
            Step::Part { node, .. } => node_words(plan, node, levels),
        })
        .sum();
    tuple_words(plan, record).saturating_add(inner)
}

fn tuple_words(plan: &Plan, record: TypeId) -> u64 {
    2 + plan.schema.record(record).fields.len() as u64
}

fn slot_words(plan: &Plan, slot: &Slot, levels: u32) -> u64 {
    match &slot.kind {
        SlotKind::Scalar(scalar) => match scalar.repr {
            // Numbers beyond 59 bits, and floats.
            Repr::I64 | Repr::U64 | Repr::F32 | Repr::F64 => 2,
            Repr::Decimal => 8,
            Repr::Uuid => PART,
            _ => 0,
        },
        SlotKind::Chars { .. } => PART,
        SlotKind::Array { count, element } => {
            u64::from(*count).saturating_mul(CELL + slot_words(plan, element, levels))
        }
        SlotKind::Nest { record, slots } => {
            let inner: u64 = slots.iter().map(|slot| slot_words(plan, slot, levels)).sum();
            tuple_words(plan, *record).saturating_add(inner)
        }
        SlotKind::Link(link) => node_words(plan, &link.target, levels),
        SlotKind::Pointer { target } => node_words(plan, target, levels),
        SlotKind::Choice { .. } => 3,
        SlotKind::Constant { .. } | SlotKind::Register(_) | SlotKind::Ignored { .. } | SlotKind::Presence(_) => 0,
    }
}

/// The budget that is left after `bytes`, and `beside` where limits ask for surcharges.
pub(crate) fn charge(bytes: String, beside: &str, path: &str) -> String {
    match beside {
        "0" => format!("aldis_wire:charge(Budget, {bytes}, Bin, {path})"),
        beside => format!("aldis_wire:charge(Budget, {bytes}, {beside}, Bin, {path})"),
    }
}
