//! `aldis explain`: which byte is which field?

use crate::args::SchemaArgs;
use crate::compile::compile;
use crate::explain::{html, text, Page};
use crate::failure::{Failure, Outcome};
use crate::frames::{Frames, StreamError};
use crate::framing::{Framing, FramingName};
use crate::messages::{Input, Messages};
use crate::output::Output;
use clap::Args;
use std::fs;
use std::path::PathBuf;

/// Show every byte of a message beside the field, the value and the schema line that it belongs to.
///
/// Broken bytes are explained as far as they can be read, with the place and the reason where they cannot.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aldis explain market.xml trade.bin
  aldis explain market.xml feed.bin --framing u32le --index 17
  aldis explain market.fbe order.bin --message Order --form fbe-final --html order.html
  aldis explain --color always market.xml trade.bin | less -R")]
pub struct ExplainArgs {
    #[command(flatten)]
    schema: SchemaArgs,

    /// The bytes; standard input when it is `-` or missing.
    file: Option<PathBuf>,

    /// The message, with or without its package; found from the bytes when not given.
    #[arg(long, value_name = "NAME")]
    message: Option<String>,

    /// The wire form (fbe, fbe-final, sbe); the schema's main form when not given.
    #[arg(long, value_name = "FORM")]
    form: Option<String>,

    /// How messages lie in the file, when it is a stream.
    #[arg(long, value_enum, default_value_t)]
    framing: FramingName,

    /// Which message of a stream, counted from 0.
    #[arg(long, value_name = "N", default_value_t = 0)]
    index: u64,

    /// Write one HTML page instead, where pointing at a field lights its bytes and the reverse.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// The longest frame that is believed, in bytes.
const MAX_FRAME: usize = 64 << 20;

/// The longest message that a page can show, in bytes: each byte is an element of the page.
const MAX_PAGE: usize = 128 << 10;

pub fn run(args: &ExplainArgs, output: &Output) -> Outcome {
    let compiled = compile(&args.schema, output)?;
    let messages = Messages::new(&compiled, args.form.as_deref())?;
    let codec = &messages.codec;
    let form = &codec.plan().form.name;
    let framing = Framing::of(args.framing, codec.plan()).map_err(Failure::Usage)?;
    let input = Input::open(args.file.as_deref())?;
    let bytes = match framing {
        None => input.read_all()?,
        Some(framing) => nth(input, framing, args.index)?,
    };
    let message = match &args.message {
        Some(name) => Ok(messages.named(name)?),
        None => codec.find(&bytes),
    };
    let page = match message {
        Ok(message) => {
            let explanation = aldis_interpreter::explain(codec, message, &bytes);
            Page::new(&messages.names[message], form, bytes, &explanation, &compiled.sources)
        }
        Err(fault) => Page::unknown(form, bytes, &fault),
    };
    match &args.html {
        Some(_) if page.bytes.len() > MAX_PAGE => {
            let length = page.bytes.len();
            let text =
                format!("a page of {length} bytes is too large for a browser (at most {MAX_PAGE}); leave --html out");
            return Err(Failure::Usage(text));
        }
        Some(path) => {
            let page = html(&page).map_err(|error| Failure::Input(error.to_string()))?;
            fs::write(path, page).map_err(|error| Failure::file(&path.display().to_string(), &error))?;
        }
        None => output.print(&text(&page, output.coloured()))?,
    }
    if page.fault.is_some() {
        return Err(Failure::Shown);
    }
    Ok(())
}

/// The bytes of message `index` of a stream.
fn nth(input: Input, framing: Framing, index: u64) -> Outcome<Vec<u8>> {
    let mut frames = Frames::new(input.reader, framing, MAX_FRAME);
    for _ in 0..index {
        next(&mut frames, &input.name, index)?;
    }
    next(&mut frames, &input.name, index)
}

fn next(frames: &mut Frames<Box<dyn std::io::Read>>, name: &str, index: u64) -> Outcome<Vec<u8>> {
    match frames.next() {
        Ok(Some(frame)) => Ok(frame.bytes.to_vec()),
        Ok(None) => Err(Failure::Usage(format!("{name} has no message {index}"))),
        Err(StreamError::Read(error)) => Err(Failure::file(name, &error)),
        Err(StreamError::Broken(offset, text)) => Err(Failure::Input(format!("stream byte {offset}: {text}"))),
    }
}
