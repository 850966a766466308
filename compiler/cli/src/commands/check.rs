//! `aldis check`: is the schema right?

use crate::args::ReadingArgs;
use crate::compile;
use crate::failure::{Failure, Outcome};
use crate::output::{count, Output, Stream};
use aldis_diagnostics::any_error;
use clap::Args;
use std::path::PathBuf;

/// Check schemas and say what is wrong, where, and what to do.
///
/// Problems go to standard output. All errors of a schema are shown in one run, those in imported files too.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aldis check market.fbe
  aldis check -I common schemas/*.xml
  aldis check --message-format json market.xml | jq .line")]
pub struct CheckArgs {
    /// The schema files.
    #[arg(required = true)]
    schemas: Vec<PathBuf>,

    /// Warnings are problems too: exit code 1.
    #[arg(long)]
    deny_warnings: bool,

    #[command(flatten)]
    reading: ReadingArgs,
}

pub fn run(args: &CheckArgs, output: &Output) -> Outcome {
    let mut bad = false;
    for schema in &args.schemas {
        let compilation = compile::read(schema, &args.reading)?;
        output.diagnostics(&compilation.diagnostics, &compilation.sources, Stream::Out)?;
        output.tally(&compilation.diagnostics);
        bad |= any_error(&compilation.diagnostics) || (args.deny_warnings && !compilation.diagnostics.is_empty());
        if let (Some(plan), true) = (compilation.plans.first(), output.watched()) {
            let forms: Vec<&str> = compilation.plans.iter().map(|plan| plan.form.name.as_str()).collect();
            output.print(&format!(
                "{}: {}, {}, {}\n",
                schema.display(),
                count(plan.schema.types.len(), "type"),
                count(plan.messages.len(), "message"),
                forms.join(" and "),
            ))?;
        }
    }
    if bad {
        Err(Failure::Shown)
    } else {
        Ok(())
    }
}
