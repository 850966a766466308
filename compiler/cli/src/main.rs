//! The command `aldis`: one file a subcommand, each a thin call into the library.

mod args;
mod commands;
mod compile;
mod conform;
mod describe;
mod explain;
mod failure;
mod files;
mod frames;
mod framing;
mod interpreter_testee;
mod messages;
mod near;
mod output;
mod registry;
mod table;
mod write_files;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = args::Arguments::parse();
    let output = output::Output::new(&arguments);
    match commands::run(arguments.command, &output) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => output.fail(&failure),
    }
}
