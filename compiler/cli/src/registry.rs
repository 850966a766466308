//! Every format and every language, one explicit line each.

use crate::failure::{Failure, Outcome};
use aldis_emit::Language;
use aldis_plan::Format;

/// Schema languages, one folder each in `compiler/formats`.
pub const FORMATS: &[&dyn Format] = &[
    &aldis_fbe::FBE, //
    &aldis_sbe::SBE,
];

/// Target languages, one folder each in `compiler/languages`.
pub const LANGUAGES: &[&dyn Language] = &[
    &aldis_erlang::ERLANG, //
];

/// The format that `--format NAME` means.
pub fn format(name: &str) -> Option<&'static dyn Format> {
    FORMATS.iter().copied().find(|format| format.name() == name)
}

/// The language that `--lang NAME` means.
pub fn language(name: &str) -> Option<&'static dyn Language> {
    LANGUAGES.iter().copied().find(|language| language.name() == name)
}

/// As [`language`], with what there is where there is no such language.
pub fn language_or_usage(name: &str) -> Outcome<&'static dyn Language> {
    language(name).ok_or_else(|| {
        let known: Vec<&str> = LANGUAGES.iter().map(|language| language.name()).collect();
        Failure::Usage(format!("there is no language `{name}`; there are {}, interpreter", known.join(", ")))
    })
}
