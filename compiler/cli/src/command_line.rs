//! The command line as a whole: the subcommand, and the arguments of all of them.

use crate::commands::Command;
use crate::output::{Colour, MessageFormat};
use clap::Parser;
use std::ffi::OsString;

/// Compiles binary message schemas into codecs, and looks into bytes with them.
#[derive(Debug, Parser)]
#[command(name = "aldis", version, max_term_width = 100, after_help = EXAMPLES)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,

    /// How problems are shown.
    #[arg(long, global = true, value_name = "FORMAT", default_value = "human", help_heading = "Output")]
    pub message_format: MessageFormat,

    /// Whether to colour the output; NO_COLOR in the environment also turns colours off.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", help_heading = "Output")]
    pub color: Colour,
}

/// Whether `--message-format json` is among arguments that cannot be understood as a whole.
pub fn json_asked(arguments: impl Iterator<Item = OsString>) -> bool {
    let arguments: Vec<OsString> = arguments.collect();
    let apart = arguments.windows(2).any(|pair| pair == ["--message-format", "json"]);
    apart || arguments.iter().any(|argument| argument == "--message-format=json")
}

/// The mistake in the arguments, and what may have been meant, without the usage.
pub fn in_one_line(error: &clap::Error) -> String {
    let text = error.to_string();
    let told = text.split("\n\nUsage:").next().unwrap_or_default();
    let told = told.split("\n\nFor more information").next().unwrap_or_default();
    let lines: Vec<&str> = told.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    lines.join("; ").replace(":;", ":").trim_start_matches("error: ").to_owned()
}

const EXAMPLES: &str = "\
Examples:
  aldis init                                                a project's file from what is in the folder
  aldis check market.xml                                    is the schema right?
  aldis breaking market.xml --against git:v1.4              may it change like this?
  aldis fmt market.fbe                                      regular white space
  aldis lint market.xml                                     could it be better?
  aldis layout market.fbe                                   where does every field lie?
  aldis gen market.xml --lang erlang --out src              write codecs
  aldis decode market.xml feed.bin --framing u32le          bytes to JSON lines
  aldis convert feed.bin --schema market.xml --framing u32le --out tables   columns to query
  aldis explain market.xml message.bin                      which byte is which field?
  aldis send localhost:7100 feed.bin --framing u32le        messages to a server, until all are acked

Exit codes: 0 fine, 1 the input has problems, 2 the command line has.";
