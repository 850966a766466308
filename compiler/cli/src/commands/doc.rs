//! `aldis doc`: a reference of a schema for people.

use crate::args::SchemaArgs;
use crate::compile;
use crate::failure::{Failure, Outcome};
use crate::output::Output;
use clap::Args;
use std::path::PathBuf;

/// Write a reference of a schema as one HTML page: types, pictures of their bytes, values, versions, documentation.
///
/// The page needs nothing but itself, and the same schema always gives the same page.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aldis doc market.xml --out market.html")]
pub struct DocArgs {
    #[command(flatten)]
    schema: SchemaArgs,

    /// The file that is written.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub fn run(args: &DocArgs, output: &Output) -> Outcome {
    let compiled = compile::compile(&args.schema, output)?;
    let name = args.schema.schema.file_name().unwrap_or_default().to_string_lossy();
    let page = aldis_doc::page(&compiled.plans, &name);
    std::fs::write(&args.out, page).map_err(|error| Failure::file(&args.out.display().to_string(), &error))
}
