//! `aldis lint`: could the schema be better?

use crate::args::{ReadingArgs, SchemaArgs};
use crate::compile;
use crate::failure::{Failure, Outcome};
use crate::output::{Output, Stream};
use crate::project::ALL;
use crate::{near, project, registry, watch};
use aldis_diagnostics::any_error;
use aldis_lint::set_of;
use aldis_project::Level;
use clap::Args;
use std::path::PathBuf;

/// Advise on schemas that are right: what wastes bytes, hinders changes or surprises other languages.
///
/// Rules come in sets: layout, evolution, names, portability, and docs, which is off unless it is chosen. A rule is
/// called `set/rule`; `aldis explain-code layout/hole` is its page. Advice goes to standard output, and the exit code is 0
/// unless --deny says otherwise. A schema with errors gets none: see aldis check.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aldis lint                                             all schemas of aldis.toml
  aldis lint market.xml
  aldis lint --only layout,docs/missing schemas/*.fbe
  aldis lint --skip names --deny all market.capnp")]
pub struct LintArgs {
    /// The schema files; those of aldis.toml when none is given.
    schemas: Vec<PathBuf>,

    /// The sets and rules to go by, instead of all sets but docs.
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = rule_or_set)]
    only: Vec<String>,

    /// Sets and rules to leave out.
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = rule_or_set)]
    skip: Vec<String>,

    /// Sets and rules whose advice is an error, with exit code 1; `all` is all that are on.
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = denied)]
    deny: Vec<String>,

    /// Advise again after each change of a schema, until Ctrl-C.
    #[arg(long)]
    watch: bool,

    #[command(flatten)]
    reading: ReadingArgs,
}

fn rule_or_set(text: &str) -> Result<String, String> {
    let known = project::rules_and_sets();
    if known.contains(&text) {
        return Ok(text.to_owned());
    }
    let meant = near::meant(text, known.iter().copied());
    Err(format!("there is no such set or rule; {meant}there are {}", known.join(", ")))
}

fn denied(text: &str) -> Result<String, String> {
    if text == ALL {
        return Ok(text.to_owned());
    }
    rule_or_set(text).map_err(|error| format!("{error}, and {ALL}"))
}

impl LintArgs {
    /// How much the advice of a rule matters: as the command line says, else as the project says.
    fn level(&self, rule: &str, project: &[(String, Level)]) -> Level {
        let names = |list: &[String]| list.iter().any(|name| name == rule || name == set_of(rule));
        let level = match (self.only.is_empty(), names(&self.only), project::level(rule, project)) {
            (true, _, level) => level,
            (false, true, Level::Off) => Level::Advise,
            (false, true, level) => level,
            (false, false, _) => Level::Off,
        };
        let is_denied = self.deny.iter().any(|name| name == ALL) || names(&self.deny);
        match level {
            _ if names(&self.skip) => Level::Off,
            Level::Advise if is_denied => Level::Deny,
            level => level,
        }
    }
}

pub fn run(args: &LintArgs, output: &Output) -> Outcome {
    if args.watch {
        return watch::again(&args.reading.seen, output, || once(args, output));
    }
    once(args, output)
}

fn once(args: &LintArgs, output: &Output) -> Outcome {
    let selection = project::select(&args.schemas, &args.reading, output)?;
    let levels = selection.loaded.map(|loaded| loaded.project.lint).unwrap_or_default();
    project::each(&selection.schemas, output, |schema| lint(schema, &|rule| args.level(rule, &levels), output))
}

/// Advises on a schema; fails where advice was given that is denied.
fn lint(schema: &SchemaArgs, level: &dyn Fn(&str) -> Level, output: &Output) -> Outcome {
    let compilation = compile::read(&schema.schema, &schema.reading)?;
    let plan = match compilation.plans.first() {
        Some(plan) if !any_error(&compilation.diagnostics) => plan,
        _ => {
            let name = schema.schema.display().to_string();
            output.errors(&compilation.diagnostics, &compilation.sources, &name)?;
            return Err(Failure::Shown);
        }
    };
    let advice = project::wanted(aldis_lint::lint(plan, &registry::keywords()), level);
    output.diagnostics(&advice, &compilation.sources, Stream::Out)?;
    output.tally(&advice);
    if any_error(&advice) {
        return Err(Failure::Shown);
    }
    Ok(())
}
