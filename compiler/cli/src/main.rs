//! The command `aldis` as a program.

use mimalloc::MiMalloc;
use std::ffi::OsString;
use std::process::ExitCode;

/// Trees of generated code are many small pieces: this allocator takes a quarter to a third of the CPU time of `aldis gen` off.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    ExitCode::from(aldis_command::main(&arguments))
}
