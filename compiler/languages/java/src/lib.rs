//! The Java back end: routines to classes.
//!
//! The part that other languages of classes need too is in `aldis-classes`; `files` puts all together, `testee` is the program of
//! the tests. Everything is a tree until it is printed, once.

pub mod codes;
mod dialect;
mod drafts;
mod files;
mod names;
mod syntax;
mod testee;
mod values;
mod views;

use aldis_classes::read::by_record;
use aldis_classes::read::glance::Able;
use aldis_classes::write::Quick;
use aldis_emit::{made_apart, Extra, Generated, Language, Refusals, Request, Requests, STRICT_TEXT};
use aldis_plan::Plan;
use aldis_routine::{lower_for, Module, Purpose};
use std::sync::LazyLock;

const REFUSALS: Refusals = Refusals { language: "Java", name: "java" };

/// The Java back end.
pub struct Java;

/// The one value of [`Java`].
pub static JAVA: Java = Java;

impl Language for Java {
    fn name(&self) -> &'static str {
        "java"
    }

    fn keywords(&self) -> &'static [&'static str] {
        static WORDS: LazyLock<Vec<&str>> = LazyLock::new(|| names::KEYWORDS.split(' ').collect());
        &WORDS
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

    fn check_option(&self, option: &str, value: &str) -> Result<(), &'static str> {
        let is_part = |part: &str| {
            part.starts_with(|c: char| c.is_ascii_lowercase())
                && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
                && !names::KEYWORDS.split(' ').any(|word| word == part)
        };
        match option {
            STRICT_TEXT if value.is_empty() => Ok(()),
            "package" if value.split('.').all(is_part) => Ok(()),
            _ => Err("there are strict_text, for decoders that refuse text which is not UTF-8, and package=com.example.market"),
        }
    }

    fn refers_to_imports(&self) -> bool {
        true
    }

    fn options_of_import(&self, options: &[(String, String)], module: &str) -> Vec<(String, String)> {
        names::WORDS.beside(options, Some(module))
    }

    fn generate(&self, request: &Request<'_>) -> Generated {
        let known = match REFUSALS.plans([codes::FORM, codes::FIELDS], request.plans, self.forms()) {
            Ok(known) => known,
            Err(refused) => return refused,
        };
        let schema = &known[0].schema;
        let purposes = [Purpose::Write, Purpose::Check, Purpose::Open, Purpose::SETS];
        let plans: Vec<(&Plan, Module)> = made_apart(schema, &known, |plan| vec![(*plan, lower_for(plan, &purposes))]);
        let routines: Vec<_> = plans.iter().map(|(_, module)| by_record(module)).collect();
        let names = aldis_classes::names::Names::new(request, schema, &names::WORDS);
        let strict_text = request.strict_text();
        let able: Vec<_> = plans.iter().map(|(_, module)| Able::of(module, &names, strict_text)).collect();
        let quick: Vec<_> = plans.iter().map(|(_, module)| Quick::of(module, &names, &dialect::Java)).collect();
        let made = files::Files {
            request,
            schema,
            names: &names,
            plans: &plans,
            routines: &routines,
            able: &able,
            quick: &quick,
        };
        let (requests, diagnostics) = Requests::of(schema, |id| names.is_own(id), codes::ANSWERS);
        let mut files = made.all();
        if !requests.answers.is_empty() {
            files.push(made.requests(&requests));
        }
        if request.testee {
            files.extend(testee::files(&made));
        }
        Generated { files, diagnostics }
    }
}
