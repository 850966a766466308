//! The Cap'n Proto front end: `.capnp` schemas, or the requests that `capnp compile` sends to plugins, in; one plan for each
//! form of a message out.
//!
//! ```text
//! text ────► Model ─ lower ─► Plan capnp, Plan capnp-packed, Plan capnp-canonical
//! request ──►
//! ```

pub mod codes;
mod ids;
mod layout;
mod lower;
pub mod model;
pub mod request;
pub mod text;

use aldis_diagnostics::{Files, Sources};
use aldis_plan::{Compilation, Format};

/// The schema language of Cap'n Proto.
#[derive(Clone, Copy, Debug, Default)]
pub struct Capnp;

/// The one value of the format, for the list of formats.
pub static CAPNP: Capnp = Capnp;

impl Format for Capnp {
    fn name(&self) -> &'static str {
        "capnp"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["capnp"]
    }

    fn compile(&self, path: &str, files: &dyn Files) -> Compilation {
        let text::Reading { sources, diagnostics, model } = text::read(path, files);
        let texts: Vec<&str> = sources.iter().map(|source| source.text.as_str()).collect();
        let plans = model.map(|model| lower::lower(&model, aldis_schema::digest(&texts)));
        Compilation { diagnostics, plans: plans.unwrap_or_default(), sources }
    }
}

/// The plans of a code generator request's schema.
///
/// # Errors
/// As [`request::read`].
pub fn compile_request(bytes: &[u8]) -> Result<Compilation, request::Fault> {
    let model = request::read(bytes)?;
    let plans = lower::lower(&model, aldis_schema::digest(&[&format!("{model:?}")]));
    // Diagnostics of what comes after point into a source: an empty one, since a request has no text.
    let mut sources = Sources::default();
    sources.add("request", "");
    Ok(Compilation { sources, diagnostics: Vec::new(), plans })
}
