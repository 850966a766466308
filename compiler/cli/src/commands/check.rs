//! `aldis check`: is the schema right?

use crate::args::{ReadingArgs, SchemaArgs};
use crate::compile;
use crate::failure::{Failure, Outcome};
use crate::output::{count, Output, Stream};
use crate::{project, watch};
use aldis_diagnostics::any_error;
use clap::Args;
use std::path::PathBuf;

/// Check schemas and say what is wrong, where, and what to do.
///
/// Problems go to standard output. All errors of a schema are shown in one run, those in imported files too.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aldis check                                            all schemas of aldis.toml
  aldis check market.fbe
  aldis check -I common schemas/*.xml
  aldis check --message-format json market.xml | jq .line")]
pub struct CheckArgs {
    /// The schema files, `-` for standard input with --format; those of aldis.toml when none is given.
    schemas: Vec<PathBuf>,

    /// Warnings are problems too: exit code 1.
    #[arg(long)]
    deny_warnings: bool,

    /// Check again after each change of a schema, until Ctrl-C.
    #[arg(long)]
    watch: bool,

    #[command(flatten)]
    reading: ReadingArgs,
}

pub fn run(args: &CheckArgs, output: &Output) -> Outcome {
    if args.watch {
        return watch::again(&args.reading.seen, output, || once(args, output));
    }
    once(args, output)
}

fn once(args: &CheckArgs, output: &Output) -> Outcome {
    let selection = project::select(&args.schemas, &args.reading, output)?;
    let (mut bad, mut usage, mut closed) = (false, None, false);
    for schema in &selection.schemas {
        match check(schema, args, output, &mut bad) {
            Ok(()) => {}
            // The schemas still decide the exit code.
            Err(Failure::Closed) => closed = true,
            Err(Failure::Input(text)) => {
                bad = true;
                output.problem(&text);
            }
            Err(Failure::Usage(text)) if usage.is_none() => usage = Some(text),
            Err(Failure::Usage(text)) => output.problem(&text),
            Err(Failure::Shown) => bad = true,
        }
    }
    match usage {
        Some(text) => Err(Failure::Usage(text)),
        None if bad => Err(Failure::Shown),
        None if closed => Err(Failure::Closed),
        None => Ok(()),
    }
}

/// Checks one schema and shows what there is to say; `bad` becomes true when that is a problem.
fn check(schema: &SchemaArgs, args: &CheckArgs, output: &Output, bad: &mut bool) -> Outcome {
    let compilation = compile::read(&schema.schema, &schema.reading)?;
    *bad |= any_error(&compilation.diagnostics) || (args.deny_warnings && !compilation.diagnostics.is_empty());
    output.diagnostics(&compilation.diagnostics, &compilation.sources, Stream::Out)?;
    output.tally(&compilation.diagnostics);
    let Some(plan) = compilation.plans.first().filter(|_| output.watched()) else { return Ok(()) };
    let forms: Vec<&str> = compilation.plans.iter().map(|plan| plan.form.name.as_str()).collect();
    output.print(&format!(
        "{}: {}, {}, {}\n",
        schema.schema.display(),
        count(plan.schema.types.len(), "type"),
        count(plan.messages.len(), "message"),
        forms.join(" and "),
    ))
}
