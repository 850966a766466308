//! What this back end cannot generate, found before it tries.

use aldis_diagnostics::Diagnostic;
use aldis_plan::Plan;

/// A diagnostic for a schema none of whose forms is read.
pub(crate) fn unsupported(plans: &[Plan], forms: &[&str]) -> Option<Diagnostic> {
    if plans.iter().any(|plan| forms.contains(&plan.form.name.as_str())) {
        return None;
    }
    let names: Vec<&str> = plans.iter().map(|plan| plan.form.name.as_str()).collect();
    let message = format!("the JavaScript back end cannot generate codecs of form {} yet", names.join(", "));
    let help = format!("it reads {}; leave --lang javascript out for this schema", forms.join(", "));
    Some(Diagnostic::placeless(crate::codes::FORM, message).help(help))
}
