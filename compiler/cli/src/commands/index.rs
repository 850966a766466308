//! `aldis index`: where frames begin in a large file.

use crate::args::{FrameArg, OptionalSchemaArgs};
use crate::compile::compile;
use crate::failure::{Failure, Outcome};
use crate::framing::{Framing, FramingName};
use crate::output::{count, Output};
use crate::parts::Index;
use clap::Args;
use std::path::PathBuf;

/// Write down where frames begin in a large file, so that parts of it can be read without what comes before.
///
/// The index lies beside the file, with `.index` behind its name. It has a frame for about each MiB, and is only valid for a file
/// of the same length and framing. Without one, each --part of `aldis convert` looks through the file for itself.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aldis index feed.bin --framing u32le
  parallel aldis convert feed.bin --schema market.xml --framing u32le --out tables --part {}/4 ::: 1 2 3 4")]
pub struct IndexArgs {
    /// The file of messages, which is not packed.
    file: PathBuf,

    /// How messages lie in the file.
    #[arg(long, value_enum, default_value_t)]
    framing: FramingName,

    #[command(flatten)]
    schema: OptionalSchemaArgs,

    /// At least so many bytes lie between two frames of the index.
    #[arg(long, value_name = "BYTES", default_value_t = 1 << 20, value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,

    #[command(flatten)]
    frame: FrameArg,
}

pub fn run(args: &IndexArgs, output: &Output) -> Outcome {
    let framing = match args.schema.given() {
        Some(schema) => Framing::of(args.framing, compile(&schema, output)?.form(args.schema.form.as_deref())?),
        None => Framing::without_schema(args.framing),
    };
    let framing = framing.map_err(Failure::Usage)?;
    let framing = framing.ok_or_else(|| Failure::Usage("a single message has no frames: say --framing".into()))?;
    let (index, ended) = Index::of(&args.file, framing, args.frame.max_frame, args.every)?;
    let path = Index::path(&args.file);
    let shown = path.display().to_string();
    std::fs::write(&path, index.text()).map_err(|error| Failure::file(&shown, &error))?;
    output.print(&format!("{shown}  {}\n", count(index.messages as usize, "message")))?;
    ended
}
