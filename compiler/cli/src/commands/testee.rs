//! `aldis testee`: the interpreter behind the testee protocol.

use crate::args::{LimitArgs, SchemaArgs};
use crate::compile::compile;
use crate::failure::{Failure, Outcome};
use crate::output::Output;
use aldis_interpreter::{Codec, Testee};
use clap::Args;
use std::io::{self, BufRead};

/// Answer conversion requests on standard input with the interpreter, one a line, until it ends.
///
/// `aldis gen --lang interpreter --testee` writes a script that runs this.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  printf '1\\tlist\\n' | aldis testee market.xml")]
pub struct TesteeArgs {
    #[command(flatten)]
    schema: SchemaArgs,

    #[command(flatten)]
    limits: LimitArgs,

    /// Refuse text that is not UTF-8, as codecs do that are made with the option `strict_text`.
    #[arg(long)]
    strict_text: bool,
}

pub fn run(args: &TesteeArgs, output: &Output) -> Outcome {
    let compiled = compile(&args.schema, output)?;
    let codecs = compiled.plans.into_iter().map(|plan| {
        let mut codec = Codec::new(plan);
        codec.limits = args.limits.limits();
        codec.strict_text = args.strict_text;
        codec
    });
    let testee = Testee::new(codecs.collect());
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = input.read_until(b'\n', &mut line).map_err(|error| Failure::file("standard input", &error))?;
        if read == 0 {
            return Ok(());
        }
        let request = line.strip_suffix(b"\n").unwrap_or(&line);
        let mut answer = testee.answer(request);
        answer.push('\n');
        output.write(answer.as_bytes())?;
    }
}
