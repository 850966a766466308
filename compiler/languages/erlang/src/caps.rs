//! Things that this back end cannot generate, found before it tries.

use crate::wire::{slot_any, Wire};
use aldis_diagnostics::Diagnostic;
use aldis_emit::Refusals;
use aldis_plan::{Element, Layout, Node, Slot, SlotKind, Step};
use aldis_schema::Schema;

const REFUSALS: Refusals = Refusals { language: "Erlang", name: "erlang" };

/// A diagnostic for each record of more fields than generated functions can bind, which are all of a record's; erlc takes minutes for
/// 1000 of them.
pub(crate) fn too_many_fields(schema: &Schema) -> Vec<Diagnostic> {
    REFUSALS.wide(crate::codes::FIELDS, schema)
}

/// A diagnostic for each record that needs what is not supported.
pub(crate) fn unsupported(wire: &Wire<'_>) -> Vec<Diagnostic> {
    if !wire.links {
        return Vec::new();
    }
    let layouts = wire.plan.layouts.iter().flatten();
    let refused =
        |layout: &Layout| Some(REFUSALS.record(crate::codes::RECORD, wire.plan, layout.record, in_layout(layout)?));
    layouts.filter_map(refused).collect()
}

/// Forms with links have records of one run that links count from; everything else lies behind links.
fn in_layout(layout: &Layout) -> Option<&'static str> {
    let [Step::Run(run)] = layout.steps.as_slice() else { return Some("it has links and parts in sequence") };
    if !layout.rebase {
        return Some("its links count from another record");
    }
    run.slots.iter().find_map(in_slot)
}

fn in_slot(slot: &Slot) -> Option<&'static str> {
    match &slot.kind {
        SlotKind::Nest { slots, .. } => {
            let linked = slots
                .iter()
                .any(|slot| slot_any(slot, &|slot| matches!(slot.kind, SlotKind::Link(_) | SlotKind::Presence(_))));
            linked.then_some("a record within its block has links")
        }
        SlotKind::Array { element, .. } => in_slot(element),
        SlotKind::Link(link) | SlotKind::Presence(link) => in_target(&link.target),
        _ => None,
    }
}

fn in_target(node: &Node) -> Option<&'static str> {
    match node {
        Node::Cell { slot } => in_slot(slot),
        Node::Call { .. } | Node::Blob(_) => None,
        Node::Rebase { value } => in_target(value),
        Node::Repeat(repeat) => match &repeat.element {
            Element::One(Node::Cell { slot }) => in_slot(slot),
            Element::Pair { key: Node::Cell { slot: key }, value: Node::Cell { slot } } => {
                in_slot(key).or(in_slot(slot))
            }
            _ => Some("elements of a list have no fixed size"),
        },
        Node::Series { .. } | Node::Maybe { .. } | Node::Opaque { .. } => {
            Some("a value behind a link has no fixed place")
        }
    }
}
