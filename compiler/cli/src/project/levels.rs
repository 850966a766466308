//! How much the advice of a rule matters.

use aldis_diagnostics::{Diagnostic, Severity};
use aldis_lint::{set_of, USUAL};
use aldis_project::Level;

/// The name of all rules that are on.
pub const ALL: &str = "all";

/// The level of a rule as a project says; the usual one where it says nothing.
pub fn level(rule: &str, project: &[(String, Level)]) -> Level {
    let said = |name: &str| project.iter().find(|(known, _)| known == name).map(|(_, level)| *level);
    let usual = if USUAL.contains(&set_of(rule)) { Level::Advise } else { Level::Off };
    said(rule).or_else(|| said(set_of(rule))).or_else(|| said(ALL)).unwrap_or(usual)
}

/// The advice that is on, where what is denied is an error.
pub fn wanted(mut advice: Vec<Diagnostic>, level: &dyn Fn(&str) -> Level) -> Vec<Diagnostic> {
    advice.retain(|given| level(given.code) != Level::Off);
    for given in advice.iter_mut().filter(|given| level(given.code) == Level::Deny) {
        given.severity = Severity::Error;
    }
    advice
}
