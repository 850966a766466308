//! `aldis lock`: this is how the bytes are.

use crate::args::{ReadingArgs, SchemaArgs};
use crate::commands::breaking::{broken_forms, same_form, show, tell_form, tell_vanished, vanished};
use crate::commands::rules::{QuestionArgs, Rules};
use crate::commands::versions::{lock_of, read_lock, Old};
use crate::compile::{self, Compiled};
use crate::failure::{Failure, Outcome};
use crate::output::{Output, Stream};
use crate::{project, write_files};
use aldis_diagnostics::Sources;
use aldis_evolution::{compare, Accepted, Lock};
use clap::Args;
use std::fs;
use std::path::PathBuf;

/// Write down what the bytes of a schema are, for aldis breaking to compare with.
///
/// The lock is SCHEMA.lock, beside the schema: a text to be committed and reviewed. It is raised to the schema as it is now
/// where nothing breaks; a change that breaks somebody takes a reason, which the lock keeps. That is asked of one form, the
/// schema's main one or that of --form; what breaks in others is said, and the lock keeps it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aldis lock                                                all schemas of aldis.toml
  aldis lock market.fbe
  aldis lock market.fbe --accept 'nobody read version 1 yet'
  aldis lock market.fbe --check                             is the lock that of the schema?")]
pub struct LockArgs {
    /// The schema file; all schemas of aldis.toml when not given.
    schema: Option<PathBuf>,

    /// Raise the lock though it breaks what must hold, and keep this reason in it.
    #[arg(long, value_name = "REASON")]
    accept: Option<String>,

    /// Write nothing; exit code 1 where the schema's bytes or names are not those of the lock.
    #[arg(long, conflicts_with = "accept")]
    check: bool,

    #[command(flatten)]
    question: QuestionArgs,

    #[command(flatten)]
    reading: ReadingArgs,
}

pub fn run(args: &LockArgs, output: &Output) -> Outcome {
    if let Some(schema) = &args.schema {
        let schema = SchemaArgs { schema: schema.clone(), reading: args.reading.clone() };
        return lock(args, &schema, &Rules::new(&args.question), output);
    }
    let loaded = project::load(&args.reading, output)?;
    let rules = Rules::of_project(&args.question, &loaded.project.breaking);
    project::each(&loaded.schemas, output, |(_, schema)| lock(args, schema, &rules, output))
}

fn lock(args: &LockArgs, schema: &SchemaArgs, rules: &Rules<'_>, output: &Output) -> Outcome {
    let new = compile::compile(schema, output)?;
    let path = lock_of(&schema.schema);
    let name = path.display().to_string();
    let known = if path.is_file() { Some(read_lock(&path)?) } else { None };
    let (tool, digest) = (env!("CARGO_PKG_VERSION").to_owned(), new.plans[0].schema.hash.clone());
    let mut lock = Lock { tool, digest, accepted: Vec::new(), plans: new.plans.clone() };
    if let Some(known) = &known {
        if known.content().map_err(Failure::Input)? == lock.content().map_err(Failure::Input)? {
            return Ok(());
        }
    }
    if args.check {
        return Err(Failure::Input(format!(
            "{name}: it is not that of the schema; aldis breaking says what changed, aldis lock raises it"
        )));
    }
    if let Some(known) = known {
        lock.accepted = raised(args, rules, known, &new, &name, output)?;
    }
    let text = lock.text().map_err(Failure::Input)?;
    let written = if path.is_file() { write_files::replace(&path, text.as_bytes()) } else { fs::write(&path, text) };
    written.map_err(|error| Failure::file(&name, &error))
}

/// The changes that the raised lock answers for. Fails where the form in question breaks, and nobody gave a reason.
fn raised(
    args: &LockArgs,
    rules: &Rules<'_>,
    known: Lock,
    new: &Compiled,
    name: &str,
    output: &Output,
) -> Outcome<Vec<Accepted>> {
    let Lock { digest, mut accepted, plans, .. } = known;
    let old = Old { plans, sources: Sources::default(), name: name.to_owned() };
    let plan = new.form(rules.form)?;
    let before = same_form(&old, plan)?;
    let broken = broken_forms(&old, &new.plans, rules);
    let asked = broken.iter().find(|(form, _)| *form == plan.form.name);
    if let (Some((_, letters)), None) = (asked, &args.accept) {
        show(&compare(before, plan, true), rules, &new.sources, None, output)?;
        let letters = letters.text();
        return Err(Failure::Input(format!(
            "{name}: raising it breaks {letters}; aldis lock --accept 'REASON' does so nevertheless"
        )));
    }
    for form in vanished(&old, &new.plans) {
        tell_vanished(&form, name, output, Stream::Err)?;
    }
    let unasked = format!("only the form {} was asked for", plan.form.name);
    for (form, letters) in broken {
        if args.accept.is_none() {
            tell_form(&form, letters, output, Stream::Err)?;
        }
        let reason = args.accept.as_ref().unwrap_or(&unasked);
        accepted.push(Accepted::new((&digest, &new.plans[0].schema.hash), &form, letters, reason));
    }
    Ok(accepted)
}
