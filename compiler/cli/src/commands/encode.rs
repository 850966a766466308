//! `aldis encode`: JSON to bytes.

use crate::args::{FormArg, SchemaArgs};
use crate::compile::compile;
use crate::failure::{Failure, Outcome};
use crate::framing::{Framer, Framing, FramingName};
use crate::messages::{Input, Messages};
use crate::output::Output;
use aldis_interpreter::{Code, Fault, Value};
use clap::Args;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;

/// Output is gathered to so many bytes before it is written.
const FLUSH: usize = 1 << 18;

/// Turn JSON, or JSON lines as `decode` writes them, into messages.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aldis encode market.xml trade.json --message Trade > trade.bin
  aldis decode market.xml feed.bin --framing u32le | aldis encode market.xml --framing sofh
  echo '{\"price\":5,\"size\":1}' | aldis encode market.fbe --form fbe-final --message Level")]
pub struct EncodeArgs {
    #[command(flatten)]
    schema: SchemaArgs,

    /// The JSON; standard input when it is `-` or missing.
    file: Option<PathBuf>,

    /// The message that all input is, with or without its package: then it holds values alone.
    #[arg(long, value_name = "NAME")]
    message: Option<String>,

    /// How messages are to lie in the stream; without it the whole input is one message.
    #[arg(long, value_enum, default_value_t)]
    framing: FramingName,

    #[command(flatten)]
    form: FormArg,

    /// Go on after a line that is no message.
    #[arg(long)]
    keep_going: bool,
}

/// `{"message":NAME,"value":{…}}`, or `{"message":NAME,"header":{…},"value":{…}}`
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object of a message and its value")]
struct Line<'a> {
    #[serde(borrow)]
    message: Cow<'a, str>,
    #[serde(borrow, default)]
    header: Option<&'a RawValue>,
    #[serde(borrow)]
    value: &'a RawValue,
}

pub fn run(args: &EncodeArgs, output: &Output) -> Outcome {
    let compiled = compile(&args.schema, output)?;
    let messages = Messages::new(&compiled, args.form.name())?;
    let fixed = args.message.as_deref().map(|name| messages.named(name)).transpose()?;
    let framing = Framing::of(args.framing, messages.codec.plan()).map_err(Failure::Usage)?;
    let input = Input::open(args.file.as_deref())?;
    match framing {
        None => {
            let text = input.read_all()?;
            let bytes = encode(&messages, fixed, &text).map_err(|problem| problem.show(None, output))?;
            output.write(&bytes)
        }
        Some(framing) => stream(args, &messages, fixed, Framer::new(framing), input, output),
    }
}

fn stream(
    args: &EncodeArgs,
    messages: &Messages,
    fixed: Option<usize>,
    mut framer: Framer,
    input: Input,
    output: &Output,
) -> Outcome {
    let mut reader = BufReader::with_capacity(FLUSH, input.reader);
    let (mut line, mut out) = (Vec::new(), Vec::with_capacity(2 * FLUSH));
    let (mut number, mut broken) = (0usize, false);
    loop {
        line.clear();
        let read = reader.read_until(b'\n', &mut line).map_err(|error| Failure::file(&input.name, &error))?;
        number += 1;
        if read == 0 {
            break;
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let framed =
            encode(messages, fixed, &line).and_then(|message| framer.write(&message, &mut out).map_err(Problem::Other));
        if let Err(problem) = framed {
            broken = true;
            problem.show(Some(number), output);
            if !args.keep_going {
                break;
            }
        }
        if out.len() >= FLUSH {
            output.write(&out)?;
            out.clear();
        }
    }
    output.write(&out)?;
    if broken {
        return Err(Failure::Shown);
    }
    Ok(())
}

/// Why a line gives no message.
enum Problem {
    Fault(Fault),
    Other(String),
}

impl Problem {
    fn show(self, line: Option<usize>, output: &Output) -> Failure {
        let text = match &self {
            Problem::Fault(fault) => fault.to_string(),
            Problem::Other(text) => text.clone(),
        };
        match line {
            Some(line) => output.problem(&format!("line {line}: {text}")),
            None => output.problem(&text),
        }
        Failure::Shown
    }
}

fn encode(messages: &Messages, fixed: Option<usize>, text: &[u8]) -> Result<Vec<u8>, Problem> {
    let codec = &messages.codec;
    if let Some((message, value)) = plain_line(messages, text).filter(|_| fixed.is_none()) {
        return codec.encode(message, &value).map_err(Problem::Fault);
    }
    let (message, header, value) = match fixed {
        Some(message) => (message, None, text),
        None => {
            let line: Line<'_> = serde_json::from_slice(text).map_err(|error| {
                let wanted = "a line is {\"message\":NAME,\"value\":{…}}, or give --message NAME for values alone";
                Problem::Other(format!("{}: {error}; {wanted}", Code::BadJson))
            })?;
            let unknown = || Problem::Other(messages.no_message(&line.message));
            (messages.find_named(&line.message).ok_or_else(unknown)?, line.header, line.value.get().as_bytes())
        }
    };
    let header = header.map(|header| read_header(messages, message, header)).transpose()?;
    let value = codec.from_json(message, value).map_err(Problem::Fault)?;
    codec.encode_with(message, &value, header.as_ref()).map_err(Problem::Fault)
}

fn read_header(messages: &Messages, message: usize, text: &RawValue) -> Result<Value, Problem> {
    let Some(header) = messages.header_of(message) else {
        let text = "the message has no header value: leave \"header\" out";
        return Err(Problem::Other(format!("{}: {text}", Code::BadJson)));
    };
    let in_header = |fault: Fault| Problem::Other(format!("header: {fault}"));
    messages.codec.from_json(header, text.get().as_bytes()).map_err(in_header)
}

/// The message and value of a line that is written as `decode` and `random` write it; nothing where it is not, or is wrong.
fn plain_line(messages: &Messages, line: &[u8]) -> Option<(usize, Value)> {
    let rest = line.trim_ascii_end().strip_prefix(br#"{"message":""#)?;
    let end = rest.iter().position(|&byte| byte == b'"')?;
    let value = rest[end..].strip_prefix(br#"","value":"#)?.strip_suffix(b"}")?;
    let message = messages.find_named(std::str::from_utf8(&rest[..end]).ok()?)?;
    Some((message, messages.codec.from_json(message, value).ok()?))
}
