//! What this back end cannot generate, found before it tries.

use crate::wire::{slot_any, Wire};
use aldis_diagnostics::Diagnostic;
use aldis_plan::{Element, Layout, Node, Slot, SlotKind, Step};
use aldis_schema::{Interface, Schema, TypeId};

/// A diagnostic for each record that needs what is not supported.
pub(crate) fn unsupported(wire: &Wire<'_>, schema: &Schema) -> Vec<Diagnostic> {
    if !wire.links {
        return Vec::new();
    }
    let mut found = Vec::new();
    for layout in wire.plan.layouts.iter().flatten() {
        if let Some(problem) = in_layout(layout) {
            found.push(refused(wire, schema, layout.record, problem));
        }
    }
    found
}

/// A warning for each interface that has methods: calls are not generated.
pub(crate) fn without_calls(schema: &Schema) -> Vec<Diagnostic> {
    let interfaces = schema.interfaces.iter().filter(|interface| !interface.methods.is_empty());
    let warning = |interface: &Interface| {
        let message = format!("the methods of `{}` cannot be called: there is no RPC yet", interface.name.full());
        let here = "the structs of their parameters and results are generated";
        Diagnostic::warning("erlang/E0005", message, interface.span, here)
    };
    interfaces.map(warning).collect()
}

fn refused(wire: &Wire<'_>, schema: &Schema, record: TypeId, problem: &str) -> Diagnostic {
    let def = schema.type_def(record);
    let message = format!("the Erlang back end cannot generate `{}` in form {}", def.name.full(), wire.plan.form.name);
    Diagnostic::error("erlang/E0003", message, def.span, problem).help("leave --lang erlang out for this schema")
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
