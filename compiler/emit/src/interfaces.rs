//! Warnings on interfaces, whose methods no language can call.

use aldis_diagnostics::Diagnostic;
use aldis_schema::{Interface, Schema};

/// A warning, with the language's own `code`, for each interface that has methods.
pub fn without_calls(code: &'static str, schema: &Schema) -> Vec<Diagnostic> {
    let interfaces = schema.interfaces.iter().filter(|interface| !interface.methods.is_empty());
    let warning = |interface: &Interface| {
        let message = format!("the methods of `{}` cannot be called: there is no RPC yet", interface.name.full());
        let here = "the structs of their parameters and results are generated";
        Diagnostic::warning(code, message, interface.span, here)
    };
    interfaces.map(warning).collect()
}
