//! Generated code.

use crate::schema::{told, Given};
use aldis_emit::{Language, Request};
use serde_json::{json, Value};

const LANGUAGES: [&dyn Language; 8] = [
    &aldis_erlang::ERLANG,
    &aldis_elixir::ELIXIR,
    &aldis_cpp::CPP,
    &aldis_java::JAVA,
    &aldis_csharp::CSHARP,
    &aldis_javascript::JAVASCRIPT,
    &aldis_python::PYTHON,
    &aldis_wireshark::WIRESHARK,
];

pub fn languages() -> Value {
    json!({ "languages": LANGUAGES.map(|language| language.name()) })
}

/// The files of a schema's code, and what the language says of it.
pub fn generated(schema: &Given, language: &str) -> Result<Value, String> {
    let found = LANGUAGES.into_iter().find(|known| known.name() == language);
    let language = found.ok_or_else(|| format!("there is no language {language}"))?;
    let compiled = schema.plans()?;
    let stem = schema.name.split('.').next().unwrap_or_default().to_owned();
    let generated = language.generate(&Request {
        plans: &compiled.plans,
        name: None,
        prefix: None,
        renames: Vec::new(),
        options: Vec::new(),
        testee: false,
        stem,
        runtime: None,
        version: env!("CARGO_PKG_VERSION"),
    });
    let files: Vec<Value> =
        generated.files.iter().map(|file| json!({ "path": file.path, "text": file.text })).collect();
    Ok(json!({ "files": files, "diagnostics": told(&generated.diagnostics, &compiled.sources) }))
}
