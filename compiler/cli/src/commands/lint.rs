//! `aldis lint`: could the schema be better?

use crate::args::ReadingArgs;
use crate::compile;
use crate::failure::{Failure, Outcome};
use crate::near;
use crate::output::{Output, Stream};
use crate::registry::LANGUAGES;
use aldis_diagnostics::{any_error, Diagnostic};
use aldis_lint::{codes, set_of, Keywords, USUAL};
use clap::Args;
use std::path::{Path, PathBuf};

/// Advise on schemas that are right: what wastes bytes, hinders changes or surprises other languages.
///
/// Rules come in sets: layout, evolution, names, portability, and docs, which is off unless it is chosen. A rule is
/// called `set/rule`; `aldis explain-code layout/hole` is its page. Advice goes to standard output, and the exit code is 0
/// unless --deny says otherwise. A schema with errors gets none: see aldis check.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aldis lint market.xml
  aldis lint --only layout,docs/missing schemas/*.fbe
  aldis lint --skip names --deny market.capnp")]
pub struct LintArgs {
    /// The schema files.
    #[arg(required = true)]
    schemas: Vec<PathBuf>,

    /// The sets and rules to go by, instead of all sets but docs.
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = rule_or_set)]
    only: Vec<String>,

    /// Sets and rules to leave out.
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = rule_or_set)]
    skip: Vec<String>,

    /// Advice is a problem: exit code 1.
    #[arg(long)]
    deny: bool,

    #[command(flatten)]
    reading: ReadingArgs,
}

fn rule_or_set(text: &str) -> Result<String, String> {
    let rules = codes::TABLE.iter().map(|rule| rule.code);
    let mut known: Vec<&str> = rules.clone().map(set_of).chain(rules).collect();
    known.sort_unstable();
    known.dedup();
    if known.contains(&text) {
        return Ok(text.to_owned());
    }
    let meant = near::meant(text, known.iter().copied());
    Err(format!("there is no such set or rule; {meant}there are {}", known.join(", ")))
}

impl LintArgs {
    fn wants(&self, rule: &str) -> bool {
        let names = |list: &[String]| list.iter().any(|name| name == rule || name == set_of(rule));
        let chosen = if self.only.is_empty() { USUAL.contains(&set_of(rule)) } else { names(&self.only) };
        chosen && !names(&self.skip)
    }
}

pub fn run(args: &LintArgs, output: &Output) -> Outcome {
    let mut bad = false;
    for schema in &args.schemas {
        match lint(schema, args, output) {
            Ok(advised) => bad |= advised && args.deny,
            Err(Failure::Input(text)) => {
                bad = true;
                output.problem(&text);
            }
            Err(Failure::Shown) => bad = true,
            Err(other) => return Err(other),
        }
    }
    if bad {
        return Err(Failure::Shown);
    }
    Ok(())
}

/// Whether there was advice on the schema.
fn lint(schema: &Path, args: &LintArgs, output: &Output) -> Outcome<bool> {
    let compilation = compile::read(schema, &args.reading)?;
    let plan = match compilation.plans.first() {
        Some(plan) if !any_error(&compilation.diagnostics) => plan,
        _ => {
            let name = schema.display().to_string();
            output.errors(&compilation.diagnostics, &compilation.sources, &name)?;
            return Err(Failure::Shown);
        }
    };
    let languages = LANGUAGES.iter().map(|l| Keywords { language: l.name(), words: l.keywords() });
    let mut advice = aldis_lint::lint(plan, &languages.collect::<Vec<_>>());
    advice.retain(|given: &Diagnostic| args.wants(given.code));
    output.diagnostics(&advice, &compilation.sources, Stream::Out)?;
    output.tally(&advice);
    Ok(!advice.is_empty())
}
