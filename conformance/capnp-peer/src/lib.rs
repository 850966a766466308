//! The reference's command `capnp` as a peer: tests ask it what a schema's layout is and what a message's bytes mean.
//!
//! `scripts/setup.sh` installs it (Debian's package `capnproto`). It takes any depth and size of messages, so it tells
//! nothing about limits.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// A form of messages that `capnp convert` knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A table of segments, then the segments.
    Binary,
    /// As `Binary`, packed.
    Packed,
    /// One segment without a table.
    Flat,
    /// As `Flat`, in canonical form.
    Canonical,
    /// Literals of the schema language, one message after the other.
    Text,
    /// The JSON mapping of `capnp/compat/json.capnp`.
    Json,
}

impl Form {
    fn name(self) -> &'static str {
        match self {
            Form::Binary => "binary",
            Form::Packed => "packed",
            Form::Flat => "flat",
            Form::Canonical => "canonical",
            Form::Text => "text",
            Form::Json => "json",
        }
    }
}

/// `capnp --version`, such as `Cap'n Proto version 0.9.2`.
///
/// # Errors
/// Says that there is no such command.
pub fn version() -> Result<String, String> {
    let text = run(Command::new("capnp").arg("--version"), b"")?;
    Ok(String::from_utf8_lossy(&text).trim().to_owned())
}

/// The code generator request for schema files, named as seen from `folder`. Layouts that only old versions would get
/// wrong (the reference's issue 344) are taken.
///
/// # Errors
/// The compiler's output about the files.
pub fn compile(folder: &Path, files: &[&str]) -> Result<Vec<u8>, String> {
    let mut command = Command::new("capnp");
    command.args(["compile", "-o-"]).args(files).current_dir(folder).env("CAPNP_IGNORE_ISSUE_344", "1");
    run(&mut command, b"")
}

/// Converts messages of a struct from one form to another; `message` is its name with dots: `Outer.Inner`. Imports are
/// found beside the schema and where the reference has its own.
///
/// # Errors
/// The command's output about a schema or messages.
pub fn convert(schema: &Path, message: &str, from: Form, to: Form, input: &[u8]) -> Result<Vec<u8>, String> {
    let mut command = Command::new("capnp");
    command.arg("convert").arg(format!("{}:{}", from.name(), to.name())).arg(schema).arg(message);
    run(command.env("CAPNP_IGNORE_ISSUE_344", "1"), input)
}

fn run(command: &mut Command, input: &[u8]) -> Result<Vec<u8>, String> {
    let missing = |error| format!("capnp does not start ({error}); install it with scripts/setup.sh");
    // It warns where the shell's idea of the folder is not ours.
    let child = command.env_remove("PWD").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.map_err(missing)?;
    let stdin = child.stdin.take();
    let output = std::thread::scope(|scope| {
        // It need not read what it does not want.
        scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(input)));
        child.wait_with_output()
    });
    let output = output.map_err(|error| error.to_string())?;
    // An error in a message of a stream leaves the exit code 0.
    if output.status.success() && output.stderr.is_empty() {
        return Ok(output.stdout);
    }
    Err(format!("{}{}", String::from_utf8_lossy(&output.stderr), output.status))
}
