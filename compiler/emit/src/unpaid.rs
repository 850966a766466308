//! Messages whose encoders must look whether their own decoders read what they wrote.

use aldis_plan::{Extent, Node, Plan, Slot, SlotKind, Step};
use aldis_schema::TypeId;

/// Whether a message of this record may have any number of elements without bytes, as encoders write it. Decoders charge each
/// of them, so that there may be too many.
pub fn writes_unpaid(plan: &Plan, record: TypeId) -> bool {
    let unknown = vec![None; plan.layouts.len()];
    let mut search = Search { plan, seen: vec![false; plan.layouts.len()], nothing: unknown };
    search.record(record)
}

/// Whether a value is written without a byte in place.
pub fn takes_nothing(plan: &Plan, node: &Node) -> bool {
    Search { plan, seen: Vec::new(), nothing: vec![None; plan.layouts.len()] }.takes_nothing(node)
}

struct Search<'p> {
    plan: &'p Plan,
    seen: Vec<bool>,
    /// The records that were asked for, each with whether it may be written without a byte.
    nothing: Vec<Option<bool>>,
}

impl<'p> Search<'p> {
    fn record(&mut self, record: TypeId) -> bool {
        if std::mem::replace(&mut self.seen[record.index()], true) {
            return false;
        }
        self.plan.layout(record).steps.iter().any(|step| match step {
            Step::Run(run) => run.slots.iter().any(|slot| self.slot(slot)),
            Step::Part { node, .. } => self.node(node),
        })
    }

    fn slot(&mut self, slot: &'p Slot) -> bool {
        match &slot.kind {
            SlotKind::Nest { slots, .. } => slots.iter().any(|slot| self.slot(slot)),
            SlotKind::Array { element, .. } => self.slot(element),
            SlotKind::Link(link) | SlotKind::Presence(link) => self.node(&link.target),
            SlotKind::Pointer { target } => self.node(target),
            SlotKind::Choice { arms, .. } => arms.iter().any(|arm| self.slot(&arm.slot)),
            _ => false,
        }
    }

    fn node(&mut self, node: &'p Node) -> bool {
        match node {
            Node::Cell { slot } => self.slot(slot),
            Node::Call { record } => self.record(*record),
            Node::Blob(_) => false,
            // Lists of any kind may be in it.
            Node::Opaque { .. } => true,
            Node::Repeat(repeat) => {
                let nodes = repeat.element.nodes();
                nodes.iter().all(|node| self.takes_nothing(node)) || nodes.into_iter().any(|node| self.node(node))
            }
            Node::Series { element, .. } => self.takes_nothing(element) || self.node(element),
            Node::Maybe { value } | Node::Rebase { value } => self.node(value),
        }
    }

    /// Whether a value may be written without a byte in place.
    fn takes_nothing(&mut self, node: &'p Node) -> bool {
        match node {
            Node::Cell { slot } => slot.width == 0,
            Node::Call { record } => self.is_nothing(*record),
            Node::Blob(blob) => blob.head.size == 0,
            Node::Repeat(repeat) => repeat.head.size == 0,
            Node::Series { count, element } => *count == 0 || self.takes_nothing(element),
            Node::Maybe { .. } => false,
            Node::Opaque { .. } => true,
            Node::Rebase { value } => self.takes_nothing(value),
        }
    }

    fn is_nothing(&mut self, record: TypeId) -> bool {
        if let Some(known) = self.nothing[record.index()] {
            return known;
        }
        // A second question before this is answered comes from inside the record itself, behind a byte at least.
        self.nothing[record.index()] = Some(false);
        let nothing = self.plan.layout(record).steps.iter().all(|step| match step {
            Step::Run(run) => run.size == 0 && !matches!(run.extent, Extent::Stated { .. }),
            Step::Part { node, .. } => self.takes_nothing(node),
        });
        self.nothing[record.index()] = Some(nothing);
        nothing
    }
}
