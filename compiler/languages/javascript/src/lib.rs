//! The JavaScript back end: routines to ES modules with TypeScript types.
//!
//! `names` and `values` make the language model, `read` prints routines as tables that the runtime walks,
//! `usual` as functions for messages as they usually are, `json` says what the
//! JSON of each type is, `views` prints views, `types` the declarations, `stream` what streams need; `files` puts the modules together. Everything is a tree (`js`) until it is
//! printed, once.

pub mod codes;
mod files;
mod form;
mod js;
mod json;
mod names;
mod read;
mod stream;
mod testee;
mod types;
mod uses;
mod usual;
mod values;
mod views;
mod write;

use aldis_emit::{Extra, Generated, Language, Refusals, Request, STRICT_TEXT};
use aldis_plan::Plan;
use aldis_routine::{expand, lower_for, Large, Module, Purpose};

/// The operations that are printed as smaller ones.
const WRITTEN: [Large; 5] = [Large::Begin, Large::Fill, Large::Cell, Large::Null, Large::Cells];

const REFUSALS: Refusals = Refusals { language: "JavaScript", name: "javascript" };

/// The JavaScript back end.
pub struct JavaScript;

/// The one value of [`JavaScript`].
pub static JAVASCRIPT: JavaScript = JavaScript;

impl Language for JavaScript {
    fn name(&self) -> &'static str {
        "javascript"
    }

    fn type_keywords(&self) -> &'static [&'static str] {
        &names::TAKEN
    }

    fn refers_to_imports(&self) -> bool {
        true
    }

    fn check_option(&self, name: &str, value: &str) -> Result<(), &'static str> {
        match (name, value) {
            ("bytes", "copy" | "share") | ("enums", "names" | "numbers") | (STRICT_TEXT, "") => Ok(()),
            _ => Err("there are bytes=copy and enums=names, which are the defaults, bytes=share, enums=numbers and strict_text"),
        }
    }

    fn forms(&self) -> &'static [&'static str] {
        &["sbe", "fbe", "fbe-final", "capnp", "capnp-packed", "capnp-canonical"]
    }

    fn extras(&self, extra: Extra) -> &'static [&'static str] {
        match extra {
            Extra::Verify => self.forms(),
            Extra::Views => &["sbe", "fbe", "fbe-final", "capnp", "capnp-canonical"],
            Extra::Drafts => &[],
        }
    }

    fn generate(&self, request: &Request<'_>) -> Generated {
        let mut generated = Generated::default();
        let known = match REFUSALS.known(codes::FORM, request.plans, self.forms()) {
            Ok(known) => known,
            Err(none) => return Generated { diagnostics: vec![none], ..generated },
        };
        let wide = REFUSALS.wide(codes::FIELDS, &known[0].schema);
        if !wide.is_empty() {
            return Generated { diagnostics: wide, ..Generated::default() };
        }
        let plans: Vec<(&Plan, Module)> = known
            .into_iter()
            .map(|plan| (plan, expand(&lower_for(plan, &[Purpose::Write, Purpose::Check, Purpose::Open]), &WRITTEN)))
            .collect();
        let Some((main, _)) = plans.first() else { return generated };
        let codecs = files::codecs(request, &plans);
        if request.testee {
            generated.files = testee::files(&codecs, &main.schema, request);
        }
        generated.diagnostics.extend(codecs.diagnostics);
        generated.files.extend(codecs.files);
        generated
    }
}
