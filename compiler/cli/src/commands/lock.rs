//! `aldis lock`: this is how the bytes are.

use crate::args::{ReadingArgs, SchemaArgs};
use crate::commands::breaking::{lock_of, read_lock, same_form, show, Old, QuestionArgs};
use crate::compile;
use crate::failure::{Failure, Outcome};
use crate::output::Output;
use aldis_diagnostics::Sources;
use aldis_evolution::{compare, Accepted, Lock};
use clap::Args;
use std::fs;
use std::path::PathBuf;

/// Write down what the bytes of a schema are, for aldis breaking to compare with.
///
/// The lock is SCHEMA.lock, beside the schema: a text to be committed and reviewed. It is raised to the schema as it is now
/// where nothing breaks; a change that breaks somebody takes a reason, which the lock keeps.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aldis lock market.fbe
  aldis lock market.fbe --accept 'nobody read version 1 yet'
  aldis lock market.fbe --check                             is the lock that of the schema?")]
pub struct LockArgs {
    /// The schema file.
    schema: PathBuf,

    /// Raise the lock though it breaks what must hold, and keep this reason in it.
    #[arg(long, value_name = "REASON")]
    accept: Option<String>,

    /// Write nothing; exit code 1 where the lock is not that of the schema.
    #[arg(long, conflicts_with = "accept")]
    check: bool,

    #[command(flatten)]
    question: QuestionArgs,

    #[command(flatten)]
    reading: ReadingArgs,
}

pub fn run(args: &LockArgs, output: &Output) -> Outcome {
    let schema = SchemaArgs { schema: args.schema.clone(), reading: args.reading.clone() };
    let new = compile::compile(&schema, output)?;
    let path = lock_of(&args.schema);
    let name = path.display().to_string();
    let digest = new.plans[0].schema.hash.clone();
    let mut accepted = Vec::new();
    if path.is_file() {
        let old = read_lock(&path)?;
        accepted = old.accepted;
        let old = (Old { plans: old.plans, sources: Sources::default(), name: name.clone() }, old.digest);
        let plan = new.form(args.question.form.as_deref())?;
        let report = compare(same_form(&old.0, plan)?, plan, args.accept.is_none());
        let broken = report.broken().and(args.question.must);
        match &args.accept {
            Some(reason) if broken.any() => accepted.push(Accepted::new(&old.1, &digest, broken, reason)),
            None if broken.any() && !args.check => {
                show(&report, args.question.must, &new.sources, None, output)?;
                let broken = broken.text();
                return Err(Failure::Input(format!(
                    "{name}: raising it breaks {broken}; aldis lock --accept 'REASON' does so nevertheless"
                )));
            }
            _ => {}
        }
    }
    let tool = env!("CARGO_PKG_VERSION").to_owned();
    let text = Lock { tool, digest, accepted, plans: new.plans }.text().map_err(Failure::Input)?;
    if fs::read_to_string(&path).is_ok_and(|known| known == text) {
        return Ok(());
    }
    if args.check {
        return Err(Failure::Input(format!(
            "{name}: it is not that of the schema; aldis breaking says what changed, aldis lock raises it"
        )));
    }
    fs::write(&path, text).map_err(|error| Failure::file(&name, &error))
}
