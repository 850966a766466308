//! The Python back end: typed packages whose codecs are made from routines.
//!
//! `names` and `values` make the language model, `types` the classes; `files` puts the modules together.
//! Everything is a tree (`py`) until it is printed, once; the data of a
//! large schema is one tree an item.

pub mod codes;
mod fast;
mod files;
mod names;
mod py;
mod stream;
mod testee;
mod types;
mod values;

use aldis_emit::{Extra, Generated, Language, Refusals, Request, STRICT_TEXT};
use aldis_plan::Plan;
use aldis_routine::{lower_for, Module, Purpose};

const REFUSALS: Refusals = Refusals { language: "Python", name: "python" };

/// The Python back end.
pub struct Python;

/// The one value of [`Python`].
pub static PYTHON: Python = Python;

impl Language for Python {
    fn name(&self) -> &'static str {
        "python"
    }

    fn keywords(&self) -> &'static [&'static str] {
        names::KEYWORDS
    }

    fn type_keywords(&self) -> &'static [&'static str] {
        &names::TAKEN_OF_TYPES
    }

    fn forms(&self) -> &'static [&'static str] {
        &["sbe", "fbe", "fbe-final", "capnp", "capnp-packed", "capnp-canonical"]
    }

    fn extras(&self, extra: Extra) -> &'static [&'static str] {
        match extra {
            Extra::Verify | Extra::Views => self.forms(),
            Extra::Drafts => &[],
        }
    }

    fn refers_to_imports(&self) -> bool {
        true
    }

    fn check_option(&self, name: &str, value: &str) -> Result<(), &'static str> {
        let is_package = || value.split('.').all(|part| names::identifier(part) == part);
        match name {
            STRICT_TEXT if value.is_empty() => Ok(()),
            names::PARENT if is_package() => Ok(()),
            _ => Err("there are strict_text, and parent=PACKAGE, the package that the generated packages lie in"),
        }
    }

    fn generate(&self, request: &Request<'_>) -> Generated {
        let known = match REFUSALS.plans([codes::FORM, codes::FIELDS], request.plans, self.forms()) {
            Ok(known) => known,
            Err(refused) => return refused,
        };
        let plans: Vec<(&Plan, Module)> =
            known.into_iter().map(|plan| (plan, lower_for(plan, &[Purpose::Write]))).collect();
        let (files, diagnostics) = files::package(request, &plans);
        Generated { files, diagnostics }
    }
}
