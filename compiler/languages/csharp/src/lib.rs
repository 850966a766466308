//! The C# back end: routines to classes.
//!
//! The part that other languages of classes need too is in `aldis-classes`; `dialect` and `syntax` say how C# differs, `values` makes
//! the classes of values, `files` puts all together, and `testee` is the program of the tests.

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

const REFUSALS: Refusals = Refusals { language: "C#", name: "csharp" };

/// The C# back end.
pub struct CSharp;

/// The one value of [`CSharp`].
pub static CSHARP: CSharp = CSharp;

impl Language for CSharp {
    fn name(&self) -> &'static str {
        "csharp"
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
            part.starts_with(|c: char| c.is_ascii_uppercase())
                && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
                && !["System", "Aldis"].contains(&part)
        };
        match option {
            STRICT_TEXT if value.is_empty() => Ok(()),
            "namespace" if value.split('.').all(is_part) => Ok(()),
            _ => Err(
                "there are strict_text, for decoders that refuse text which is not UTF-8, and namespace=Example.Market",
            ),
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
        let quick: Vec<_> = plans.iter().map(|(_, module)| Quick::of(module, &names, &dialect::CSharp)).collect();
        let properties = names::properties(request, schema, &names);
        let types = aldis_classes::kinds::ids(schema).map(|id| names.of(id)).collect();
        let made = files::Files {
            request,
            schema,
            names: &names,
            types: &types,
            properties: &properties,
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
