//! The records that fast functions can read and write.

use super::LARGE;
use crate::gen::Gen;
use crate::wire::{slot_any, Wire};
use aldis_plan::{
    Element, Extent, FrameCheck, Meaning, Message, Node, Repeat, Repr, RootPlace, Run, Shape, Slot, SlotKind, Step,
    TypeId,
};

/// Variables of a function; Erlang has no functions of more than 255 arguments.
const MOST_FIELDS: usize = 60;

impl<'a> Gen<'a> {
    /// Whether a record is fit for fast functions, and the first version whose writers write it whole.
    pub(super) fn fit(&mut self, wire: Wire<'a>, id: TypeId) -> Option<u32> {
        if wire.deep {
            return None;
        }
        let key = (wire.suffix(), id);
        if let Some(known) = self.fit.get(&key) {
            return *known;
        }
        let found = self.fit_steps(wire, id);
        self.fit.insert(key, found);
        found
    }

    fn fit_steps(&mut self, wire: Wire<'a>, id: TypeId) -> Option<u32> {
        let layout = wire.layout(id);
        let alone = matches!(layout.steps.as_slice(), [Step::Run(_)]);
        if (wire.links && !(layout.rebase && alone)) || self.schema.record(id).fields.len() > MOST_FIELDS {
            return None;
        }
        let mut newest = 0;
        for step in &layout.steps {
            newest = newest.max(match step {
                Step::Run(run) => self.fit_run(wire, run)?,
                Step::Part { since, node, .. } => self.fit_node(wire, node)?.max(*since),
            });
        }
        Some(newest)
    }

    fn fit_run(&mut self, wire: Wire<'a>, run: &'a Run) -> Option<u32> {
        if !fit_extent(run) {
            return None;
        }
        let mut newest = crate::decode::record::newest(&run.slots);
        for slot in &run.slots {
            newest = newest.max(match &slot.kind {
                SlotKind::Link(link) => self.fit_node(wire, &link.target)?,
                SlotKind::Presence(link) => self.fit_optional(wire, &link.target)?,
                _ if plain(slot) => 0,
                _ => return None,
            });
        }
        Some(newest)
    }

    /// The target of a presence byte's link: a slot that counts links from itself.
    fn fit_optional(&mut self, wire: Wire<'a>, target: &'a Node) -> Option<u32> {
        let Node::Rebase { value } = target else { return None };
        let Node::Cell { slot } = &**value else { return None };
        match &slot.kind {
            SlotKind::Link(link) => self.fit_node(wire, &link.target),
            _ => plain(slot).then_some(0),
        }
    }

    pub(super) fn fit_node(&mut self, wire: Wire<'a>, node: &'a Node) -> Option<u32> {
        match node {
            Node::Call { record } => self.fit(wire, *record),
            Node::Blob(blob) => counted(&blob.head).then_some(0),
            Node::Cell { slot } => plain(slot).then_some(0),
            Node::Maybe { value } if !matches!(**value, Node::Maybe { .. } | Node::Repeat(_)) => {
                self.fit_node(wire, value)
            }
            Node::Repeat(repeat) => self.fit_repeat(wire, repeat),
            _ => None,
        }
    }

    fn fit_repeat(&mut self, wire: Wire<'a>, repeat: &'a Repeat) -> Option<u32> {
        if repeat.element_min == 0 && !self.sized(wire, repeat) || !counted(&repeat.head) {
            return None;
        }
        // Guards count lists only.
        if repeat.shape != Shape::List && repeat.head.count_bounds().map_or(0, |bounds| bounds.0) > 0 {
            return None;
        }
        let mut newest = 0;
        for node in repeat.element.nodes() {
            newest = newest.max(self.fit_element(wire, node)?);
        }
        Some(newest)
    }

    fn fit_element(&mut self, wire: Wire<'a>, element: &'a Node) -> Option<u32> {
        match element {
            Node::Call { .. } | Node::Blob(_) if !wire.links => self.fit_node(wire, element),
            Node::Cell { slot } => match &slot.kind {
                SlotKind::Link(link) if !matches!(*link.target, Node::Repeat(_)) => self.fit_node(wire, &link.target),
                // Segments of more than 256 bits have no unit.
                _ => (plain(slot) && (1..=32).contains(&slot.width)).then_some(0),
            },
            _ => None,
        }
    }

    /// Whether the elements of a repeat whose head states their extent take bytes.
    fn sized(&self, wire: Wire<'a>, repeat: &Repeat) -> bool {
        let Element::One(Node::Call { record }) = &repeat.element else { return false };
        matches!(wire.layout(*record).steps.first(), Some(Step::Run(run)) if run.size > 0)
    }
}

/// Whether a message's envelope is one that fast functions match, and its root lies where they look for it.
pub(super) fn fit_envelope(message: &Message) -> bool {
    matches!(
        (message.envelope.head.frame_check(), message.envelope.root),
        (None | Some(FrameCheck::Exact), RootPlace::Follows)
            | (Some(FrameCheck::Bounds), RootPlace::Registered | RootPlace::Pointed)
    )
}

/// Whether the size that a run has in usual messages is the schema's.
pub(super) fn fit_extent(run: &Run) -> bool {
    matches!(run.extent, Extent::Exact | Extent::Acting | Extent::Stated { .. })
}

/// Whether a slot's value is in its own bytes. Reading it can be at fault where it is checked, which a fast reader throws.
pub(crate) fn plain(slot: &Slot) -> bool {
    let odd = |slot: &Slot| match &slot.kind {
        SlotKind::Scalar(scalar) => matches!(scalar.repr, Repr::Bit(_)) || scalar.xor != 0 || slot.width == 0,
        SlotKind::Array { .. } => slot.width == 0 || slot.width > LARGE,
        SlotKind::Link(_) | SlotKind::Presence(_) | SlotKind::Pointer { .. } | SlotKind::Choice { .. } => true,
        _ => false,
    };
    !slot_any(slot, &odd)
}

/// Whether reading a slot's value checks it.
pub(super) fn checked(slot: &Slot) -> bool {
    slot_any(slot, &|slot| matches!(&slot.kind, SlotKind::Scalar(scalar) if scalar.repr == Repr::Decimal))
}

/// Whether a head has a count in its bytes, and what else it says is what writers write.
pub(super) fn counted(head: &Run) -> bool {
    let mut count = false;
    for slot in &head.slots {
        let SlotKind::Register(register) = &slot.kind else { continue };
        match (register.meaning, register.constant) {
            (Meaning::Count { .. }, None) => count = slot.width > 0,
            (Meaning::Count { .. }, Some(_)) => return false,
            (Meaning::Extent { writes }, Some(constant)) if writes != constant => return false,
            _ => {}
        }
    }
    count
}
