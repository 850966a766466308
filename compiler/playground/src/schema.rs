//! The schema of a question, and what its compiler says of it.

use crate::texts::Texts;
use aldis_diagnostics::{any_error, to_json, Diagnostic, Sources};
use aldis_plan::{Compilation, Format};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// The schema of a question.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Given {
    /// Its extension tells the schema language.
    pub name: String,
    pub text: String,
    /// The texts that it may import, by their names.
    #[serde(default)]
    others: BTreeMap<String, String>,
}

impl Given {
    pub fn compile(&self) -> Result<Compilation, String> {
        let (path, texts) = (&self.name, Texts { root: (&self.name, &self.text), others: &self.others });
        // Without `dyn Format` the module has no code of what the page never asks a format.
        match path.rsplit('.').next().unwrap_or_default() {
            #[cfg(feature = "fbe")]
            "fbe" => Ok(aldis_fbe::FBE.compile(path, &texts)),
            #[cfg(feature = "sbe")]
            "xml" => Ok(aldis_sbe::SBE.compile(path, &texts)),
            #[cfg(feature = "capnp")]
            "capnp" => Ok(aldis_capnp::CAPNP.compile(path, &texts)),
            _ => Err(format!("{path}: schemas are called .fbe, .xml or .capnp")),
        }
    }

    /// The plans of a schema without errors.
    pub fn plans(&self) -> Result<Compilation, String> {
        let compilation = self.compile()?;
        match any_error(&compilation.diagnostics) || compilation.plans.is_empty() {
            true => Err(format!("{} has errors", self.name)),
            false => Ok(compilation),
        }
    }
}

/// Diagnostics as the command gives them under `--message-format json`.
pub fn told(diagnostics: &[Diagnostic], sources: &Sources) -> Vec<Box<RawValue>> {
    let object = |diagnostic| RawValue::from_string(to_json(diagnostic, sources)).expect("a diagnostic's JSON is JSON");
    diagnostics.iter().map(object).collect()
}
