//! `aldis completions` and `aldis man`: the command line for shells and for `man`.

use crate::failure::{Failure, Outcome};
use crate::output::Output;
use clap::{Args, Command};
use clap_complete::Shell;
use std::path::PathBuf;

/// Print what a shell needs to complete the arguments of aldis.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aldis completions bash > ~/.local/share/bash-completion/completions/aldis
  aldis completions zsh > ~/.zfunc/_aldis
  aldis completions fish > ~/.config/fish/completions/aldis.fish")]
pub struct CompletionsArgs {
    /// The shell.
    shell: Shell,
}

pub fn completions(args: &CompletionsArgs, mut whole: Command, output: &Output) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut whole, "aldis", &mut script);
    output.write(&script)
}

/// Write manual pages: aldis.1, and one for each subcommand.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aldis man --out ~/.local/share/man/man1                   then: man aldis-breaking")]
pub struct ManArgs {
    /// The folder for the pages.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub fn man(args: &ManArgs, whole: Command) -> Outcome {
    let failed = |error: std::io::Error| Failure::file(&args.out.display().to_string(), &error);
    std::fs::create_dir_all(&args.out).map_err(failed)?;
    clap_mangen::generate_to(whole, &args.out).map_err(failed)
}
