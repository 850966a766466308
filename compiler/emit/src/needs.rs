//! The state that readers of a plan carry along, in any language.

use aldis_plan::{Extent, Limits, Node, Plan, Run, Slot, SlotKind, Step};
use aldis_schema::TypeId;

/// Facts about one plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// Values lie behind links.
    pub links: bool,
    /// Some values are newer than the schema's first version: readers look at the message's version.
    pub versions: bool,
    /// Records may nest deeper than the limit: readers count their depth.
    pub depth: bool,
    /// Few bytes may ask for much work: readers charge a budget.
    pub budget: bool,
}

impl Needs {
    /// The needs of readers of `plan`.
    pub fn of(plan: &Plan) -> Self {
        let mut links = false;
        let mut versions = false;
        let mut empty = false;
        for step in plan.layouts.iter().flatten().flat_map(|layout| &layout.steps) {
            versions |= matches!(step, Step::Part { since, .. } if *since > 0);
            each_node(step, &mut |node| {
                empty |= matches!(node, Node::Repeat(r) if r.element_min == 0 || r.states_extent())
            });
            each_slot(step, &mut |slot| {
                links |= matches!(slot.kind, SlotKind::Link(_) | SlotKind::Presence(_));
                versions |= slot.since > 0;
            });
        }
        Self { links, versions, depth: deepest(plan) > Limits::default().depth, budget: links || empty }
    }
}

/// Whether readers of this record are told how many bytes its block takes.
pub fn takes_extent(plan: &Plan, record: TypeId) -> bool {
    runs(plan, record).any(|run| run.extent == Extent::Acting)
}

fn runs(plan: &Plan, record: TypeId) -> impl Iterator<Item = &Run> {
    plan.layout(record).steps.iter().filter_map(|step| match step {
        Step::Run(run) => Some(run),
        Step::Part { .. } => None,
    })
}

/// Calls `each` with every node of a step, those behind links too.
pub fn each_node<'p>(step: &'p Step, each: &mut dyn FnMut(&'p Node)) {
    visit_step(step, &mut |_| {}, each);
}

/// Calls `each` with a node, and with those within it and behind its links.
pub fn each_node_of<'p>(node: &'p Node, each: &mut dyn FnMut(&'p Node)) {
    visit_node(node, &mut |_| {}, each);
}

/// Calls `each` with every slot of a step, those behind links too.
pub fn each_slot<'p>(step: &'p Step, each: &mut dyn FnMut(&'p Slot)) {
    visit_step(step, each, &mut |_| {});
}

fn visit_step<'p>(step: &'p Step, on_slot: &mut dyn FnMut(&'p Slot), on_node: &mut dyn FnMut(&'p Node)) {
    match step {
        Step::Run(run) => run.slots.iter().for_each(|slot| visit_slot(slot, on_slot, on_node)),
        Step::Part { node, .. } => visit_node(node, on_slot, on_node),
    }
}

fn visit_slot<'p>(slot: &'p Slot, on_slot: &mut dyn FnMut(&'p Slot), on_node: &mut dyn FnMut(&'p Node)) {
    on_slot(slot);
    match &slot.kind {
        SlotKind::Nest { slots, .. } => slots.iter().for_each(|slot| visit_slot(slot, on_slot, on_node)),
        SlotKind::Array { element, .. } => visit_slot(element, on_slot, on_node),
        SlotKind::Link(link) | SlotKind::Presence(link) => visit_node(&link.target, on_slot, on_node),
        _ => {}
    }
}

fn visit_node<'p>(node: &'p Node, on_slot: &mut dyn FnMut(&'p Slot), on_node: &mut dyn FnMut(&'p Node)) {
    on_node(node);
    match node {
        Node::Cell { slot } => visit_slot(slot, on_slot, on_node),
        Node::Call { .. } | Node::Blob(_) | Node::Opaque { .. } => {}
        Node::Repeat(repeat) => repeat.element.nodes().into_iter().for_each(|node| visit_node(node, on_slot, on_node)),
        Node::Series { element, .. } => visit_node(element, on_slot, on_node),
        Node::Maybe { value } | Node::Rebase { value } => visit_node(value, on_slot, on_node),
    }
}

/// How deep records can nest; more than the limit where types recurse.
fn deepest(plan: &Plan) -> u32 {
    let mut known = vec![None; plan.layouts.len()];
    plan.messages.iter().map(|message| depth_of(plan, message.record, &mut known)).max().unwrap_or(0)
}

/// How deep records nest within one, which counts as the first; more than the limit where types recurse.
pub fn nesting(plan: &Plan, record: TypeId) -> u32 {
    depth_of(plan, record, &mut vec![None; plan.layouts.len()])
}

fn depth_of(plan: &Plan, record: TypeId, known: &mut Vec<Option<u32>>) -> u32 {
    if let Some(depth) = known[record.index()] {
        return depth;
    }
    // A second question before this is answered comes from inside the record itself.
    known[record.index()] = Some(u32::MAX);
    let mut called = Vec::new();
    for step in &plan.layout(record).steps {
        each_node(step, &mut |node| {
            if let Node::Call { record } = node {
                called.push(*record);
            }
        });
    }
    let below = called.into_iter().map(|inner| depth_of(plan, inner, known)).max().unwrap_or(0);
    let depth = below.saturating_add(1);
    known[record.index()] = Some(depth);
    depth
}
