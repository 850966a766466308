//! Why a command stops early, and the exit code that says so.

use std::io;

/// The outcome of every command.
pub type Outcome<T = ()> = Result<T, Failure>;

/// Why a command did not do all that it was asked.
#[derive(Debug)]
pub enum Failure {
    /// The command line asks for what there is not. Exit code 2.
    Usage(String),
    /// A schema, message or file has problems. Exit code 1.
    Input(String),
    /// As `Input`, and everything about it has been shown already.
    Shown,
    /// The reader of our output has gone away, which is their right. Exit code 0.
    Closed,
}

impl Failure {
    /// An input or output error on `what`, such as a file's path.
    pub fn file(what: &str, error: &io::Error) -> Self {
        Failure::Input(format!("{what}: {error}"))
    }

    /// An error of writing to standard output.
    pub fn writing(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::file("standard output", error),
        }
    }
}
