//! `aldis explain`: which byte is which field?

use crate::args::{LimitArgs, SchemaArgs};
use crate::compile::compile;
use crate::explain::{html, text, Page};
use crate::failure::{Failure, Outcome};
use crate::frames::{Frames, StreamError};
use crate::framing::{Framing, FramingName};
use crate::messages::{Input, Messages};
use crate::output::{count, Output};
use aldis_diagnostics::Sources;
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

    #[command(flatten)]
    limits: LimitArgs,

    /// The bytes; standard input when it is `-` or missing.
    file: Option<PathBuf>,

    /// The message, with or without its package; found from the bytes when not given.
    #[arg(long, value_name = "NAME")]
    message: Option<String>,

    /// The wire form (fbe, fbe-final, sbe, capnp, capnp-packed, capnp-canonical); the schema's main form when not given.
    #[arg(long, value_name = "FORM")]
    form: Option<String>,

    /// How messages lie in the file, when it is a stream.
    #[arg(long, value_enum, default_value_t)]
    framing: FramingName,

    /// Which message of a stream, counted from 0; the first when not given. Needs --framing.
    #[arg(long, value_name = "N")]
    index: Option<u64>,

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
    let mut messages = Messages::new(&compiled, args.form.as_deref())?;
    messages.codec.limits = args.limits.limits();
    let fixed = args.message.as_deref().map(|name| messages.named(name)).transpose()?;
    let framing = Framing::of(args.framing, messages.codec.plan()).map_err(Failure::Usage)?;
    if framing.is_none() && args.index.is_some() {
        return Err(Failure::Usage(
            "--index chooses a message of a stream: say with --framing how they lie in it".into(),
        ));
    }
    let input = Input::open(args.file.as_deref())?;
    let (bytes, cut) = match framing {
        None => (input.read_all()?, None),
        Some(framing) => nth(input, framing, args.index.unwrap_or(0))?,
    };
    let page = page(&messages, fixed, bytes, cut, &compiled.sources);
    if page.fault.is_some() {
        output.found_problem();
    }
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
        None => output.write(text(&page, output.coloured()).as_bytes())?,
    }
    if page.fault.is_some() {
        return Err(Failure::Shown);
    }
    Ok(())
}

/// Explains `bytes`; `cut` says where their stream ends too early.
fn page(messages: &Messages, fixed: Option<usize>, bytes: Vec<u8>, cut: Option<String>, sources: &Sources) -> Page {
    let codec = &messages.codec;
    let form = &codec.plan().form.name;
    let mut page = match fixed.map_or_else(|| codec.find(&bytes), Ok) {
        Ok(message) => {
            let explanation = aldis_interpreter::explain(codec, message, &bytes);
            let fault = explanation.fault.as_ref();
            let advice = fault.map(|fault| messages.advice(fault, fixed, &bytes)).unwrap_or_default();
            let (form, bytes) = match &explanation.unpacked {
                Some(words) => (format!("{form}, unpacked from {}", count(bytes.len(), "byte")), words.clone()),
                None => (form.clone(), bytes),
            };
            Page::new(&messages.names[message], &form, bytes, &explanation, sources).with_advice(&advice)
        }
        Err(fault) => {
            let advice = messages.advice(&fault, fixed, &bytes);
            Page::unknown(form, bytes, &fault).with_advice(&advice)
        }
    };
    if let Some(cut) = cut {
        page.fault = Some(match page.fault {
            Some(fault) => format!("{cut}; {fault}"),
            None => cut,
        });
    }
    page
}

/// The bytes of message `index` of a stream; where the stream ends within it, what there is and a sentence that says so.
fn nth(input: Input, framing: Framing, index: u64) -> Outcome<(Vec<u8>, Option<String>)> {
    let name = input.name;
    let mut frames = Frames::new(input.reader, framing, MAX_FRAME);
    let mut at = 0;
    let broken =
        |at: u64, offset: u64, text: &str| Failure::Input(format!("message {at}, stream byte {offset}: {text}"));
    loop {
        let (offset, text) = match frames.next() {
            Ok(Some(frame)) if at == index => return Ok((frame.bytes.to_vec(), None)),
            Ok(Some(_)) => {
                at += 1;
                continue;
            }
            Ok(None) => return Err(Failure::Usage(format!("{name} has no message {index}; it has {at}"))),
            Err(StreamError::Read(error)) => return Err(Failure::file(&name, &error)),
            Err(StreamError::Broken(offset, text)) => return Err(broken(at, offset, &text)),
            Err(StreamError::Cut(offset, text)) => (offset, text),
        };
        if at != index || frames.rest().is_empty() {
            return Err(broken(at, offset, &text));
        }
        return Ok((frames.rest().to_vec(), Some(format!("stream byte {offset}: {text}"))));
    }
}
