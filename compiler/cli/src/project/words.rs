//! The words in a project's file: what formats, languages, questions and rules there are.

use crate::args::frame_length;
use crate::{options, registry};
use aldis_evolution::Letters;
use aldis_lint::set_of;
use aldis_project::{Refusal, Vocabulary, Word};

pub struct Words;

impl Vocabulary for Words {
    fn check(&self, word: Word<'_>, text: &str) -> Result<(), Refusal> {
        let rule = |rule: &str| Refusal { rule: rule.to_owned(), known: Vec::new() };
        match word {
            Word::Format => among(text, registry::FORMATS.iter().map(|format| format.name())),
            Word::Language => among(text, registry::LANGUAGES.iter().map(|language| language.name())),
            Word::ModuleName { language } => {
                registry::language(language).map_or(Ok(()), |known| known.check_module_name(text)).map_err(rule)
            }
            Word::Option { language, value } => {
                options::rule(language, &(text.to_owned(), value.to_owned())).map_err(rule)
            }
            Word::FrameLength => frame_length(text).map(|_| ()).map_err(|text| rule(&text)),
            Word::Letters => {
                let any = Letters::parse(text).filter(|letters| letters.any());
                any.map(|_| ()).ok_or_else(|| rule("take of the letters B, F, J and S"))
            }
            Word::Difference => among(text, aldis_evolution::codes::TABLE.iter().map(|code| code.code)),
            Word::Rule => among(text, rules_and_sets().into_iter()),
        }
    }
}

/// The names of lint's rules and of their sets.
pub fn rules_and_sets() -> Vec<&'static str> {
    let rules = aldis_lint::codes::TABLE.iter().map(|rule| rule.code);
    let mut known: Vec<&str> = rules.clone().map(set_of).chain(rules).collect();
    known.sort_unstable();
    known.dedup();
    known
}

fn among<'a>(text: &str, known: impl Iterator<Item = &'a str>) -> Result<(), Refusal> {
    let known: Vec<String> = known.map(str::to_owned).collect();
    if known.iter().any(|word| word == text) {
        return Ok(());
    }
    Err(Refusal { rule: format!("there are {}", known.join(", ")), known })
}
