//! The command `aldis`: one file a subcommand, each a thin call into the library.

mod args;
mod command_line;
mod commands;
mod compile;
mod conform;
mod connection;
mod explain;
mod failure;
mod files;
mod frames;
mod framing;
mod git;
mod interpreter_testee;
mod latency;
mod messages;
mod near;
mod options;
mod output;
mod parts;
mod plugin;
mod project;
mod rates;
mod registry;
mod schemas;
mod sheets;
mod stats;
mod table;
mod traffic;
mod versions;
mod watch;
mod write_files;

use clap::{CommandFactory, Parser};
use std::path::Path;
use std::process::ExitCode;

/// Room for what follows types by recursion, which front ends let be [`aldis_schema::LONGEST_CHAIN`] long. It is taken as
/// it is used.
const STACK: usize = 64 << 20;

fn main() -> ExitCode {
    let work = std::thread::Builder::new().name("main".into()).stack_size(STACK).spawn(run);
    match work.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        // The panic was told; without a thread the stack that there is must do.
        Ok(Err(_)) => ExitCode::from(101),
        Err(_) => run(),
    }
}

fn run() -> ExitCode {
    if let Some(language) = std::env::args_os().next().and_then(|program| plugin::language(&program)) {
        let output = output::Output::new(output::MessageFormat::Human, output::Colour::Auto);
        return ended(plugin::run(&language, std::io::stdin().lock(), Path::new("."), &output), &output);
    }
    let arguments = match command_line::Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) if error.use_stderr() && command_line::json_asked(std::env::args_os()) => {
            let output = output::Output::new(output::MessageFormat::Json, output::Colour::Never);
            return output.fail(&failure::Failure::Usage(command_line::in_one_line(&error)));
        }
        Err(error) => error.exit(),
    };
    let output = output::Output::new(arguments.message_format, arguments.color);
    ended(commands::run(arguments.command, command_line::Arguments::command(), &output), &output)
}

fn ended(outcome: failure::Outcome, output: &output::Output) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => output.fail(&failure),
    }
}
