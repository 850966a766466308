//! Advice on schemas that are right: what wastes bytes, hinders changes or surprises other languages.
//!
//! Rules look at Plans and Schemas and never ask which format they serve. Each has an id, `set/rule`, and a place in
//! [`codes::TABLE`]. Advice is only given on what the root file says.

pub mod codes;
mod docs;
mod evolution;
mod languages;
mod layout;
mod names;
mod portability;

pub use languages::OTHERS;

use aldis_diagnostics::{sort, Diagnostic, SourceId, Span};
use aldis_plan::Plan;
use aldis_schema::{Record, Schema, TypeDef, TypeId, TypeKind};
use std::collections::BTreeSet;

/// The keywords of a target language: those that fields and values may not be called, and those that types may not.
#[derive(Clone, Copy, Debug)]
pub struct Keywords<'a> {
    pub language: &'a str,
    pub words: &'a [&'a str],
    pub of_types: &'a [&'a str],
}

/// The advice on a schema, in source order: `plan` is that of its main form.
pub fn lint(plan: &Plan, languages: &[Keywords<'_>]) -> Vec<Diagnostic> {
    let mut advice = Advice::default();
    layout::advise(plan, &mut advice);
    evolution::advise(plan, &mut advice);
    names::advise(&plan.schema, &mut advice);
    docs::advise(&plan.schema, &mut advice);
    portability::advise(&plan.schema, languages, &mut advice);
    sort(&mut advice.given);
    advice.given
}

/// The sets that are on when none is chosen.
pub const USUAL: [&str; 4] = ["layout", "evolution", "names", "portability"];

/// The set of a rule: `layout` of `layout/hole`.
pub fn set_of(rule: &str) -> &str {
    rule.split('/').next().unwrap_or_default()
}

#[derive(Default)]
struct Advice {
    given: Vec<Diagnostic>,
    /// Rules with the places where they spoke: an inherited field is advised on once.
    known: BTreeSet<(&'static str, u32)>,
}

impl Advice {
    /// A warning whose help is the rule's mend; nothing for places in imported files.
    fn give(&mut self, rule: &'static str, message: String, span: Span, here: &str) -> Option<&mut Diagnostic> {
        if span.source != SourceId(0) || span.end == 0 || !self.known.insert((rule, span.start)) {
            return None;
        }
        let mend = codes::TABLE.iter().find(|code| code.code == rule).map_or("", |code| code.mend);
        self.given.push(Diagnostic::warning(rule, message, span, here).help(mend));
        self.given.last_mut()
    }
}

/// The records of the schema, with their ids.
fn records(schema: &Schema) -> impl Iterator<Item = (TypeId, &TypeDef, &Record)> {
    (0..).map(TypeId).zip(&schema.types).filter_map(|(id, definition)| match &definition.kind {
        TypeKind::Record(record) => Some((id, definition, record)),
        _ => None,
    })
}

/// `1 byte`, `2 bytes`.
fn count(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
