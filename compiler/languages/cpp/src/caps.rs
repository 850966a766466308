//! Things that this back end cannot generate, found before it tries.

use crate::codes;
use aldis_diagnostics::Diagnostic;
use aldis_emit::needs::{each_node, each_slot};
use aldis_emit::Refusals;
use aldis_plan::{Container, Layout, Node, Plan, SlotKind, Step};

const REFUSALS: Refusals = Refusals { language: "C++", name: "cpp" };

/// A diagnostic for each record that needs what is not supported, and one for the schema where no form of it is.
pub(crate) fn unsupported(plans: &[Plan], forms: &[&str]) -> Vec<Diagnostic> {
    let known = match REFUSALS.known(codes::FORM, plans, forms) {
        Ok(known) => known,
        Err(none) => return vec![none],
    };
    let mut found = Vec::new();
    for plan in known {
        for layout in plan.layouts.iter().flatten() {
            found.extend(
                in_layout(plan, layout).map(|problem| REFUSALS.record(codes::RECORD, plan, layout.record, problem)),
            );
        }
    }
    found
}

/// Links count from a record of one run; pointers, unions and open values are of segments alone.
fn in_layout(plan: &Plan, layout: &Layout) -> Option<&'static str> {
    if plan.container != Container::Plain {
        return None;
    }
    let mut problem = None;
    let mut links = false;
    for step in &layout.steps {
        each_slot(step, &mut |slot| match slot.kind {
            SlotKind::Pointer { .. } | SlotKind::Choice { .. } => problem = Some("it has pointers or unions"),
            SlotKind::Link(_) | SlotKind::Presence(_) => links = true,
            _ => {}
        });
        each_node(step, &mut |node| {
            if matches!(node, Node::Opaque { .. }) {
                problem = Some("it has values whose type the schema leaves open");
            }
        });
    }
    let one_run = matches!(layout.steps.as_slice(), [Step::Run(_)]);
    if links && !(layout.rebase && one_run) {
        problem = Some("its links count from another record, or stand beside parts in sequence");
    }
    problem
}
