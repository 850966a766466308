//! Things that this back end cannot generate, found before it tries.

use aldis_diagnostics::Diagnostic;
use aldis_emit::needs::{each_node, each_slot};
use aldis_plan::{Container, Layout, Node, Plan, SlotKind, Step};

/// A diagnostic for each record that needs what is not supported, and one for the schema where no form of it is.
pub(crate) fn unsupported(plans: &[Plan], forms: &[&str]) -> Vec<Diagnostic> {
    let known: Vec<&Plan> = plans.iter().filter(|plan| forms.contains(&plan.form.name.as_str())).collect();
    if known.is_empty() {
        let names: Vec<&str> = plans.iter().map(|plan| plan.form.name.as_str()).collect();
        let message = format!("the C++ back end cannot generate codecs of form {} yet", names.join(", "));
        let help = format!("it knows {}; leave --lang cpp out for this schema", forms.join(", "));
        return vec![Diagnostic::placeless(crate::codes::FORM, message).help(help)];
    }
    let mut found = Vec::new();
    for plan in known {
        for layout in plan.layouts.iter().flatten() {
            if let Some(problem) = in_layout(plan, layout) {
                let def = plan.schema.type_def(layout.record);
                let message =
                    format!("the C++ back end cannot generate `{}` in form {}", def.name.full(), plan.form.name);
                let help = "leave --lang cpp out for this schema";
                found.push(Diagnostic::error(crate::codes::RECORD, message, def.span, problem).help(help));
            }
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
