//! Options of languages: `--option NAME=VALUE` of the commands that generate, and the variable that the plugin reads.

use crate::failure::{Failure, Outcome};
use crate::{interpreter_testee, registry};
use aldis_emit::STRICT_TEXT;
use clap::Args;

/// The name of an option and its value, which is empty where there is none.
type LanguageOption = (String, String);

#[derive(Debug, Args)]
pub struct OptionArgs {
    /// Options of a language. All languages: `strict_text` for decoders that refuse text which is
    /// not UTF-8. C++: `allocator=pmr` for types whose memory comes from an allocator. Erlang, Elixir:
    /// `without=json,view,final,packed,canonical` for code without these. JavaScript: `enums=numbers`, `bytes=share`,
    /// `slab=off`, `int64=safe` or `number`, `output=ts`, `imports=js` or `none`.
    #[arg(long = "option", value_name = "NAME[=VALUE]", value_parser = parse)]
    given: Vec<LanguageOption>,
}

impl OptionArgs {
    /// The options that are given, for a language that must have all of them.
    pub fn of(&self, language: &str) -> Outcome<Vec<LanguageOption>> {
        checked("--option", language, self.given.clone())
    }

    pub fn is_empty(&self) -> bool {
        self.given.is_empty()
    }

    /// Refuses an option that none of the languages has.
    pub fn check_any(&self, languages: &[String]) -> Outcome {
        for option in &self.given {
            let rules: Vec<String> = languages
                .iter()
                .map_while(|language| Some(format!("{language}: {}", rule(language, option).err()?)))
                .collect();
            if rules.len() == languages.len() {
                let text =
                    format!("--option: `{}` is no option of these languages; {}", shown(option), rules.join("; "));
                return Err(Failure::Usage(text));
            }
        }
        Ok(())
    }

    /// Those of the options that the language has.
    pub fn known_to(&self, language: &str) -> Vec<LanguageOption> {
        self.given.iter().filter(|option| rule(language, option).is_ok()).cloned().collect()
    }
}

/// The options in `text`, one behind the other with commas between them; `source` is where they come from.
pub fn in_text(source: &str, language: &str, text: &str) -> Outcome<Vec<LanguageOption>> {
    let options = text.split(',').map(str::trim).filter(|option| !option.is_empty()).map(parse);
    let options = options.collect::<Result<Vec<LanguageOption>, String>>();
    checked(source, language, options.map_err(|rule| Failure::Usage(format!("{source}: `{text}`: {rule}")))?)
}

/// Whether decoders are to refuse text that is not UTF-8.
pub fn strict_text(options: &[LanguageOption]) -> bool {
    options.iter().any(|(name, _)| name == STRICT_TEXT)
}

fn checked(source: &str, language: &str, options: Vec<LanguageOption>) -> Outcome<Vec<LanguageOption>> {
    for option in &options {
        rule(language, option).map_err(|rule| {
            Failure::Usage(format!("{source}: `{}` is no option of {language}: {rule}", shown(option)))
        })?;
    }
    Ok(options)
}

/// Whether the language has the option; if not, a description of those that there are. Unknown languages are refused by their
/// names.
pub fn rule(language: &str, (name, value): &LanguageOption) -> Result<(), &'static str> {
    match registry::language(language) {
        Some(language) => language.check_option(name, value),
        None if language == interpreter_testee::NAME && (name != STRICT_TEXT || !value.is_empty()) => {
            Err("there is strict_text")
        }
        None => Ok(()),
    }
}

fn shown((name, value): &LanguageOption) -> String {
    if value.is_empty() {
        name.clone()
    } else {
        format!("{name}={value}")
    }
}

fn parse(text: &str) -> Result<LanguageOption, String> {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    if name.is_empty() || (value.is_empty() && text.contains('=')) {
        return Err("write it as allocator=pmr".into());
    }
    Ok((name.to_owned(), value.to_owned()))
}
