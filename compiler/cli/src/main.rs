//! The command `aldis`: one file a subcommand, each a thin call into the library.

mod args;
mod commands;
mod compile;
mod conform;
mod connection;
mod describe;
mod explain;
mod failure;
mod files;
mod frames;
mod framing;
mod interpreter_testee;
mod latency;
mod messages;
mod near;
mod output;
mod plugin;
mod rates;
mod registry;
mod table;
mod write_files;

use clap::Parser;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(language) = std::env::args_os().next().and_then(|program| plugin::language(&program)) {
        let output = output::Output::new(args::MessageFormat::Human, args::Colour::Auto);
        return ended(plugin::run(&language, std::io::stdin().lock(), Path::new("."), &output), &output);
    }
    let arguments = args::Arguments::parse();
    let output = output::Output::new(arguments.message_format, arguments.color);
    ended(commands::run(arguments.command, &output), &output)
}

fn ended(outcome: failure::Outcome, output: &output::Output) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => output.fail(&failure),
    }
}
