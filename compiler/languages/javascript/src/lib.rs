//! The JavaScript back end: routines to ES modules with TypeScript types.
//!
//! `names` and `values` make the language model, `read` prints routines as tables that the runtime walks, `usual` as functions
//! for messages as they usually are, `json` says what the JSON of each type is, `views` prints views, `drafts` what sets fields,
//! `types` the declarations, `stream` what streams need; `files` puts the modules together. Everything is a tree (`js`) until it
//! is printed, once.

pub mod codes;
mod drafts;
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

use crate::names::{IMPORTS, OUTPUT};
use crate::values::{INT64, SLAB};
use aldis_diagnostics::Diagnostic;
use aldis_emit::{Extra, Generated, Language, Refusals, Request, STRICT_TEXT};
use aldis_plan::{Container, Plan};
use aldis_routine::{lower_for, Module, Purpose};
use aldis_schema::{IntType, Literal, Schema, Type, TypeKind};

/// The routines that are printed beside those that read; the last two view.
const PURPOSES: [Purpose; 5] = [Purpose::Write, Purpose::Check, Purpose::SETS, Purpose::Open, Purpose::Skip];

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
            (INT64, "bigint" | "safe" | "number") | (OUTPUT, "js" | "ts") => Ok(()),
            (IMPORTS, "js" | "none") | (SLAB, "on" | "off") => Ok(()),
            _ => Err("there are bytes=share, enums=numbers, imports=js, imports=none, int64=safe, int64=number, output=ts, \
                      slab=off and strict_text, and bytes=copy, enums=names, int64=bigint, output=js and slab=on, which \
                      are the defaults"),
        }
    }

    fn forms(&self) -> &'static [&'static str] {
        &["sbe", "fbe", "fbe-final", "capnp", "capnp-packed", "capnp-canonical"]
    }

    fn extras(&self, extra: Extra) -> &'static [&'static str] {
        match extra {
            Extra::Verify | Extra::Views => self.forms(),
            Extra::Drafts => &["sbe", "fbe", "fbe-final", "capnp"],
        }
    }

    fn generate(&self, request: &Request<'_>) -> Generated {
        let known = match REFUSALS.plans([codes::FORM, codes::FIELDS], request.plans, self.forms()) {
            Ok(known) => known,
            Err(refused) => return refused,
        };
        let beyond = match request.option(INT64) {
            Some("safe") => beyond_numbers(&known[0].schema),
            _ => Vec::new(),
        };
        if !beyond.is_empty() {
            return Generated { diagnostics: beyond, ..Generated::default() };
        }
        let mut codecs = files::codecs(request, &known);
        let testee = if request.testee { testee::files(&codecs, &known[0].schema, request) } else { Vec::new() };
        let files = testee.into_iter().chain(std::mem::take(&mut codecs.files)).collect();
        Generated { files, diagnostics: codecs.diagnostics }
    }
}

/// The routines of a plan that are printed. Words that were packed are viewed as those of the form with a table, where it is `before`.
fn routines(plan: &Plan, before: &[(&Plan, Module)]) -> Module {
    let form = |plan: &Plan| match plan.container {
        Container::Segments(form) => Some(form),
        Container::Plain => None,
    };
    let has_table = |(plan, _): &(&Plan, Module)| form(plan).is_some_and(|form| form.table && !form.packed);
    let is_viewed = form(plan).is_some_and(|form| form.packed) && before.iter().any(has_table);
    lower_for(plan, if is_viewed { &PURPOSES[..3] } else { &PURPOSES })
}

/// A refusal of each default and constant that is an integer of 64 bits and no safe one.
fn beyond_numbers(schema: &Schema) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for def in &schema.types {
        let TypeKind::Record(record) = &def.kind else { continue };
        for field in &record.fields {
            let is_wide = matches!(field.ty.element().required(), Type::Int(IntType { bits: 64, .. }));
            let values = [&field.default, &field.constant].into_iter().flatten();
            if is_wide && values.into_iter().any(is_beyond) {
                let message = format!("`{}.{}` is beyond 2^53 unless it is set", def.name.full(), field.name);
                let refused =
                    Diagnostic::error(codes::DEFAULT, message, field.span, "no number of JavaScript tells it apart");
                found.push(refused.help("leave --option int64=safe out, or say int64=number, which rounds"));
            }
        }
    }
    found
}

fn is_beyond(literal: &Literal) -> bool {
    match literal {
        Literal::Int(number) => number.unsigned_abs() >= 1 << 53,
        Literal::List(items) => items.iter().any(is_beyond),
        _ => false,
    }
}
