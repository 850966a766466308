//! The command `aldis`: one file a subcommand, each a thin call into the libraries. It is a library itself, so that what is no
//! program of its own can be the command too, as `python -m aldis` is, and reads schemas as the command does.

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

use aldis_diagnostics::Sources;
use aldis_interpreter::{Codec, Explainer};
use aldis_plan::Compilation;
use clap::{CommandFactory, Parser};
use std::borrow::Cow;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::thread;

/// Room for what follows types by recursion, which front ends let be [`aldis_schema::LONGEST_CHAIN`] long. It is taken as
/// it is used.
const STACK: usize = 64 << 20;

/// The exit code of a command that panicked, as Rust's own programs have it.
const PANICKED: u8 = 101;

/// Runs the command that `arguments` say, the first of which is the name that it was started by, and gives its exit code.
pub fn main(arguments: &[OsString]) -> u8 {
    // The panic was told.
    with_room(|| run(arguments)).unwrap_or(PANICKED)
}

/// Does `work` where there is room for it; `None` if it panicked.
pub fn with_room<T: Send>(work: impl Fn() -> T + Sync) -> Option<T> {
    thread::scope(|scope| {
        let builder = thread::Builder::new().name("main".into()).stack_size(STACK);
        match builder.spawn_scoped(scope, &work) {
            Ok(spawned) => spawned.join().ok(),
            // Without a thread the stack that there is must do.
            Err(_) => Some(work()),
        }
    })
}

/// Reads the schema at a path and what it imports, which is looked for in `import_dirs` too.
///
/// # Errors
/// Where it is no file, or its extension tells no schema language; faults in the schema are in what was found.
pub fn read_schema(path: &Path, import_dirs: Vec<PathBuf>) -> Result<Compilation, String> {
    let reading = args::ReadingArgs { import_dirs, format: None, frame_length: None, seen: args::Seen::default() };
    compile::read(path, &reading).map_err(|failure| match failure {
        failure::Failure::Usage(text) | failure::Failure::Input(text) => text,
        failure::Failure::Shown | failure::Failure::Closed => path.display().to_string(),
    })
}

/// The bytes of a message field by field, as `aldis explain` shows them; `message` is the one that they are, where it is known.
pub fn explained(codec: &Codec, message: Option<usize>, bytes: &[u8], sources: &Sources) -> String {
    let words = codec.unpacked(bytes).map_or(Cow::Borrowed(bytes), |(words, _)| words);
    let choice = explain::Choice { path: String::new(), most: usize::MAX };
    let form = &codec.plan().form.name;
    let mut shown = String::new();
    match message.map_or_else(|| codec.find(bytes), Ok) {
        Ok(message) => {
            let explainer = Explainer::new(codec, message, bytes);
            let name = codec.message_name(message);
            let page = explain::Page::new(&name, form, &words, (&explainer, sources), choice);
            explain::text(&page, false, &mut |piece| shown.push_str(piece));
        }
        Err(fault) => {
            let page = explain::Page::unknown(form, bytes, &fault, choice);
            explain::text(&page, false, &mut |piece| shown.push_str(piece));
        }
    }
    shown
}

fn run(arguments: &[OsString]) -> u8 {
    if let Some(language) = arguments.first().and_then(|program| plugin::language(program)) {
        let output = output::Output::new(output::MessageFormat::Human, output::Colour::Auto);
        return ended(plugin::run(&language, std::io::stdin().lock(), Path::new("."), &output), &output);
    }
    let arguments = match command_line::Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) if error.use_stderr() && command_line::json_asked(arguments.iter().cloned()) => {
            let output = output::Output::new(output::MessageFormat::Json, output::Colour::Never);
            return output.fail(&failure::Failure::Usage(command_line::in_one_line(&error)));
        }
        Err(error) => {
            // Without a place to print to there is the exit code.
            let _ = error.print();
            return u8::try_from(error.exit_code()).unwrap_or(1);
        }
    };
    let output = output::Output::new(arguments.message_format, arguments.color);
    ended(commands::run(arguments.command, command_line::Arguments::command(), &output), &output)
}

fn ended(outcome: failure::Outcome, output: &output::Output) -> u8 {
    match outcome {
        Ok(()) => 0,
        Err(failure) => output.fail(&failure),
    }
}
