//! The Cap'n Proto front end: `.capnp` schemas, or the requests that `capnp compile` sends to plugins, in; one plan for each
//! form of a message out.
//!
//! ```text
//! text ────► Model ─ lower ─► Plan capnp, Plan capnp-packed, Plan capnp-canonical
//! request ──►
//! ```

pub mod codes;
mod identity;
mod ids;
mod lower;
pub mod model;
pub mod request;
mod slots;
pub mod text;

use aldis_diagnostics::{Files, Sources};
use aldis_plan::{Compilation, Format, Index, Suggestion, Tidied};
use model::Model;

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
        let text::Reading { sources, mut diagnostics, model, modules } = text::read(path, files);
        let plans = model.map_or(Ok(Vec::new()), |model| lower::lower(&model, identity::digest(&model), modules));
        let plans = plans.unwrap_or_else(|problems| {
            diagnostics.extend(problems);
            Vec::new()
        });
        Compilation { diagnostics, plans, sources }
    }

    fn names(&self, path: &str, files: &dyn Files) -> Index {
        text::names(path, files)
    }

    fn suggest(&self, path: &str, files: &dyn Files, at: usize) -> Vec<Suggestion> {
        text::suggest(path, files, at)
    }

    fn tidy(&self, path: &str, text: &str) -> Option<Tidied> {
        Some(text::tidied(path, text))
    }
}

/// The plans of a code generator request's schema, of all its requested files together.
///
/// # Errors
/// As [`request::read`].
pub fn compile_request(bytes: &[u8]) -> Result<Compilation, request::Fault> {
    Ok(compile_model(&request::read(bytes)?))
}

/// The plans of each file that a code generator request asks for, with the file's name as `capnp compile` was given it.
///
/// # Errors
/// As [`request::read`].
pub fn compile_requested_files(bytes: &[u8]) -> Result<Vec<(String, Compilation)>, request::Fault> {
    let model = request::read(bytes)?;
    let name = |id| model.nodes.get(id).map(|node| node.display_name.clone()).unwrap_or_default();
    let models = request::split(&model);
    Ok(model.requested.iter().map(name).zip(models.iter().map(compile_model)).collect())
}

fn compile_model(model: &Model) -> Compilation {
    let (plans, diagnostics) = match lower::lower(model, identity::digest(model), Vec::new()) {
        Ok(plans) => (plans, Vec::new()),
        Err(problems) => (Vec::new(), problems),
    };
    // Diagnostics point into a source: an empty one, since a request has no text.
    let mut sources = Sources::default();
    sources.add("request", "");
    Compilation { sources, diagnostics, plans }
}
