//! `aldis explain`: which byte is which field?

use crate::args::{FormArg, LimitArgs, SchemaAndFileArgs};
use crate::explain::{html, nothing_at, text, Choice, Page};
use crate::failure::{Failure, Outcome};
use crate::frames::{Frames, StreamError};
use crate::framing::{Framing, FramingName};
use crate::messages::Input;
use crate::output::{count, Output};
use crate::schemas::Schemas;
use crate::traffic::{Traffic, TrafficArgs};
use aldis_interpreter::Explainer;
use clap::Args;
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
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
  aldis explain market.xml day.pcap --input pcap --port 14310 --index 3
  aldis explain --color always market.xml trade.bin | less -R")]
pub struct ExplainArgs {
    #[command(flatten)]
    schema: SchemaAndFileArgs,

    #[command(flatten)]
    limits: LimitArgs,

    /// The message, with or without its package; found from the bytes when not given.
    #[arg(long, value_name = "NAME")]
    message: Option<String>,

    #[command(flatten)]
    form: FormArg,

    /// How messages lie in the file, when it is a stream.
    #[arg(long, value_enum, default_value_t)]
    framing: FramingName,

    /// The message of a stream or capture, counted from 0; the first when not given. Needs --framing or --input pcap.
    #[arg(long, value_name = "N")]
    index: Option<u64>,

    /// Show the value at this path alone, with what is within it, as `orders[2]` or `orders[2].price`.
    #[arg(long, value_name = "PATH")]
    path: Option<String>,

    /// Show all rows, however many there are; 4000 when not given.
    #[arg(long)]
    all: bool,

    /// Write one HTML page instead, where pointing at a field lights its bytes and the reverse.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    #[command(flatten)]
    traffic: TrafficArgs,
}

/// The longest frame that is believed, in bytes.
const MAX_FRAME: usize = 64 << 20;

/// The longest message that a page can show, in bytes: each byte is an element of the page.
const MAX_PAGE: usize = 128 << 10;

/// So many rows are shown unless all are asked for: bytes that were made for it have millions.
const MAX_ROWS: usize = 4000;

pub fn run(args: &ExplainArgs, output: &Output) -> Outcome {
    args.traffic.check()?;
    let (given, file) = args.schema.given()?;
    let mut schemas = Schemas::compile(&given, args.form.name(), output)?;
    schemas.set_limits(args.limits.limits());
    let fixed = schemas.fixed(args.message.as_deref())?;
    let framing = schemas.framing(args.framing)?;
    if framing.is_none() && args.index.is_some() && !args.traffic.is_capture() {
        return Err(Failure::Usage(
            "--index chooses a message of a stream: say with --framing how they lie in it".into(),
        ));
    }
    let input = Input::open(file)?;
    let (bytes, cut) = match framing {
        _ if args.traffic.is_capture() => {
            let (name, plans) = (input.name.clone(), schemas.plans());
            let traffic = Traffic::open(&args.traffic, &plans, (framing, MAX_FRAME), input, output)?;
            (of_capture(args, traffic, &name)?, None)
        }
        None => (input.unpacked()?.read_all()?, None),
        Some(framing) => nth(input.unpacked()?, framing, args.index.unwrap_or(0))?,
    };
    let schema = schemas.of(&bytes).schema;
    let (messages, sources) = (&schemas.list[schema], &schemas.compiled[schema].sources);
    let codec = &messages.codec;
    let message = fixed.map_or_else(|| codec.find(&bytes), Ok);
    let words = codec.unpacked(&bytes).map_or(Cow::Borrowed(&bytes[..]), |(words, _)| words);
    let explainer = message.map(|message| (message, Explainer::new(codec, message, &bytes)));
    let form = match &words {
        Cow::Owned(_) => format!("{}, unpacked from {}", codec.plan().form.name, count(bytes.len(), "byte")),
        Cow::Borrowed(_) => codec.plan().form.name.clone(),
    };
    let choice = args.choice()?;
    if let Some((_, explainer)) = explainer.as_ref().ok().filter(|(_, explainer)| explainer.fault.is_none()) {
        nothing_at(&choice.path, explainer).map_or(Ok(()), |text| Err(Failure::Usage(text)))?;
    }
    let (mut page, fault) = match &explainer {
        Ok((message, explainer)) => {
            let name = &messages.names[*message];
            (Page::new(name, &form, &words, (explainer, sources), choice), explainer.fault.as_ref())
        }
        Err(fault) => (Page::unknown(&form, &bytes, fault, choice), Some(fault)),
    };
    page = page.with_advice(&fault.map(|fault| schemas.advice(fault, fixed, &bytes)).unwrap_or_default());
    if let Some(cut) = cut {
        page.fault = Some(match page.fault {
            Some(fault) => format!("{cut}; {fault}"),
            None => cut,
        });
    }
    if page.fault.is_some() {
        output.found_problem();
    }
    show(args, &page, output)
}

impl ExplainArgs {
    /// The rows that are asked for.
    fn choice(&self) -> Outcome<Choice> {
        if self.all && self.html.is_some() {
            return Err(Failure::Usage(format!(
                "a page of more than {MAX_ROWS} rows is too large for a browser: leave --all out, or choose with --path"
            )));
        }
        let most = if self.all { usize::MAX } else { MAX_ROWS };
        Ok(Choice { path: self.path.clone().unwrap_or_default(), most })
    }
}

fn show(args: &ExplainArgs, page: &Page<'_>, output: &Output) -> Outcome {
    match &args.html {
        Some(_) if page.bytes.len() > MAX_PAGE => {
            let length = page.bytes.len();
            let text =
                format!("a page of {length} bytes is too large for a browser (at most {MAX_PAGE}); leave --html out");
            return Err(Failure::Usage(text));
        }
        Some(path) => {
            let failed = |error: &io::Error| Failure::file(&path.display().to_string(), error);
            let mut file = BufWriter::new(File::create(path).map_err(|error| failed(&error))?);
            html(page, &mut file).map_err(|error| Failure::Input(error.to_string()))?;
            file.flush().map_err(|error| failed(&error))?;
        }
        None => {
            let mut written = Ok(());
            text(page, output.coloured(), &mut |piece| {
                if written.is_ok() {
                    written = output.write(piece.as_bytes());
                }
            });
            written?;
        }
    }
    if page.fault.is_some() {
        return Err(Failure::Shown);
    }
    Ok(())
}

/// The bytes of a message of a capture.
fn of_capture(args: &ExplainArgs, mut traffic: Traffic<'_>, name: &str) -> Outcome<Vec<u8>> {
    let (mut all, index) = (0, args.index.unwrap_or(0));
    let found = traffic.each(&mut |place, bytes| {
        all = place.index + 1;
        if place.index == index {
            ControlFlow::Break(bytes.to_vec())
        } else {
            ControlFlow::Continue(())
        }
    });
    found?.ok_or_else(|| Failure::Usage(format!("{name} has no message {index}; it has {all}")))
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
        let mut rest = frames.rest().to_vec();
        framing.relocate(&mut rest, offset).map_err(|text| broken(at, offset, &text))?;
        return Ok((rest, Some(format!("stream byte {offset}: {text}"))));
    }
}
