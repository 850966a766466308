//! `aldis random`: messages with random values.

use crate::args::{FormArg, SchemaArgs};
use crate::compile::compile;
use crate::failure::{Failure, Outcome};
use crate::framing::{Framer, Framing, FramingName};
use crate::messages::{Messages, AFTER_HEADER};
use crate::output::Output;
use aldis_interpreter::{to_hex, Fault, Value};
use aldis_plan::Plan;
use clap::{Args, ValueEnum};
use std::collections::HashSet;

/// Output is gathered to so many bytes before it is written.
const FLUSH: usize = 1 << 18;

/// Make messages with random values. The same seed gives the same messages on every machine.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aldis random market.xml Trade
  aldis random market.xml Trade Quote --seed 7 --count 1000 --to bytes --framing u32le > feed.bin
  aldis random market.fbe --count 5 --to hex      five messages, each kind in turn")]
pub struct RandomArgs {
    #[command(flatten)]
    schema: SchemaArgs,

    /// The messages, taken in turn, with or without their package; when there are none, all of the schema that can be told from
    /// their bytes.
    #[arg(value_name = "MESSAGE")]
    messages: Vec<String>,

    /// The first message's seed; each further one has the next number.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// How many messages.
    #[arg(long, default_value_t = 1)]
    count: u64,

    /// The form of the output.
    #[arg(long, value_enum, default_value = "json")]
    to: Target,

    /// How messages are to lie in the stream, with `--to bytes` and `--to hex`.
    #[arg(long, value_enum, default_value_t)]
    framing: FramingName,

    #[command(flatten)]
    form: FormArg,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Target {
    /// JSON lines, as `decode` writes them.
    Json,
    /// The messages themselves.
    Bytes,
    /// A line of hex digits each, with its frame where there is a --framing.
    Hex,
}

pub fn run(args: &RandomArgs, output: &Output) -> Outcome {
    let compiled = compile(&args.schema, output)?;
    let messages = Messages::new(&compiled, args.form.name())?;
    let framing = Framing::of(args.framing, messages.codec.plan()).map_err(Failure::Usage)?;
    if args.to == Target::Json && framing.is_some() {
        return Err(Failure::Usage("JSON lines need no --framing; it goes with --to bytes and --to hex".into()));
    }
    if args.to == Target::Bytes && framing.is_none() && args.count > 1 {
        return Err(Failure::Usage("several messages in one file need a --framing to tell them apart".into()));
    }
    let chosen: Vec<usize> = if args.messages.is_empty() {
        all(messages.codec.plan())
    } else {
        args.messages.iter().map(|name| messages.named(name)).collect::<Outcome<_>>()?
    };
    if chosen.is_empty() {
        return Err(Failure::Usage("the schema has no messages".into()));
    }
    let framer = framing.map(Framer::new);
    let mut writer = Writer { heads: messages.line_heads(), messages, framer, target: args.to };
    let mut out = Vec::with_capacity(2 * FLUSH);
    for index in 0..args.count {
        let message = chosen[(index % chosen.len() as u64) as usize];
        let seed = args.seed.wrapping_add(index);
        let value = writer.messages.codec.random(message, seed);
        let header = writer.messages.header_of(message).and_then(|_| writer.messages.codec.random_header(seed));
        writer.write(message, &value, header.as_ref(), &mut out).map_err(Failure::Input)?;
        if out.len() >= FLUSH {
            output.write(&out)?;
            out.clear();
        }
    }
    output.write(&out)
}

/// All messages of the schema; of several that share an id, only the one that the id means.
fn all(plan: &Plan) -> Vec<usize> {
    let of_ids: HashSet<usize> = plan.schema.meanings().into_iter().filter_map(|(_, message)| message).collect();
    let listed = (0..plan.messages.len()).filter(|&index| plan.schema.messages[index].listed);
    let has_id = |index: usize| plan.dispatch.is_some() && plan.schema.messages[index].id.is_some();
    listed.filter(|&index| !has_id(index) || of_ids.contains(&index)).collect()
}

struct Writer {
    messages: Messages,
    heads: Vec<Vec<u8>>,
    framer: Option<Framer>,
    target: Target,
}

impl Writer {
    fn write(
        &mut self,
        message: usize,
        value: &Value,
        header: Option<&Value>,
        out: &mut Vec<u8>,
    ) -> Result<(), String> {
        let codec = &self.messages.codec;
        let said = |fault: Fault| format!("{}: {fault}", self.messages.names[message]);
        match self.target {
            Target::Json => {
                out.extend_from_slice(&self.heads[message]);
                if let (Some(of), Some(header)) = (self.messages.header_of(message), header) {
                    codec.value_to_json(of, header, out).map_err(said)?;
                    out.extend_from_slice(AFTER_HEADER);
                }
                codec.value_to_json(message, value, out).map_err(said)?;
                out.extend_from_slice(b"}\n");
            }
            Target::Bytes => {
                let bytes = codec.encode_with(message, value, header).map_err(said)?;
                self.frame(&bytes, out)?;
            }
            Target::Hex => {
                let bytes = codec.encode_with(message, value, header).map_err(said)?;
                let mut framed = Vec::with_capacity(bytes.len() + 8);
                self.frame(&bytes, &mut framed)?;
                out.extend_from_slice(to_hex(&framed).as_bytes());
                out.push(b'\n');
            }
        }
        Ok(())
    }

    /// Appends a message with its frame, if there is one.
    fn frame(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> Result<(), String> {
        match &mut self.framer {
            Some(framer) => framer.write(bytes, out)?,
            None => out.extend_from_slice(bytes),
        }
        Ok(())
    }
}
