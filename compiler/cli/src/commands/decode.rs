//! `aldis decode`: bytes to JSON.

use crate::args::{FormArg, FrameArg, LimitArgs, SchemaAndFileArgs};
use crate::failure::{Failure, Outcome};
use crate::framing::FramingName;
use crate::messages::{Input, Messages};
use crate::output::{count, Output};
use crate::schemas::{newer, Choice, Schemas};
use crate::traffic::{Place, Traffic, TrafficArgs};
use aldis_interpreter::{Code, Fault};
use clap::Args;
use std::ops::ControlFlow;

/// Output is gathered to so many bytes before it is written.
const FLUSH: usize = 1 << 18;

/// Turn a message or a stream of messages into JSON lines.
///
/// The message is found from the bytes. Each line is {"message":NAME,"value":{…}}, with "header":{…} between
/// them where the header says more than which message it is; a single message (--framing none) of a given --message is
/// its value alone.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aldis decode market.xml trade.bin
  aldis decode market.xml feed.bin --framing u32le | jq .value.price
  nc venue 9000 | aldis decode market.fbe --framing fbe --keep-going
  aldis decode market.fbe order.bin --form fbe-final --message market.Order
  aldis decode --schema v8.xml --schema v9.xml day.bin --framing u32le
  aldis decode market.xml day.pcap.zst --input pcap --port 14310 --framing u16le --with-packets

A broken message is reported with its index, its offset in the stream, what is wrong and in which field. Decoding stops \
there unless --keep-going is given; either way the exit code is 1.")]
pub struct DecodeArgs {
    #[command(flatten)]
    schema: SchemaAndFileArgs,

    #[command(flatten)]
    limits: LimitArgs,

    /// The message that all bytes are, with or without its package; found from the bytes when not given.
    #[arg(long, value_name = "NAME")]
    message: Option<String>,

    /// How messages lie in the stream.
    #[arg(long, value_enum, default_value_t)]
    framing: FramingName,

    #[command(flatten)]
    form: FormArg,

    /// Show what is null as null, also where the schema's JSON leaves it out or has an empty value for it: null pointers
    /// of Cap'n Proto. `aldis encode` turns this JSON into the same message.
    #[arg(long)]
    nulls: bool,

    /// Refuse text that is not in its encoding as decoding does with the option `strict_text`: with its place in the bytes.
    /// JSON cannot have such text either way.
    #[arg(long)]
    strict_text: bool,

    /// Go on after a broken message, as long as the next one can be found.
    #[arg(long)]
    keep_going: bool,

    #[command(flatten)]
    frame: FrameArg,

    #[command(flatten)]
    traffic: TrafficArgs,

    /// Begin each line with the packet that the message was in: its number, time and addresses, and its packet header.
    #[arg(long, help_heading = "Captures")]
    with_packets: bool,
}

pub fn run(args: &DecodeArgs, output: &Output) -> Outcome {
    args.traffic.check()?;
    let (given, file) = args.schema.given()?;
    let mut schemas = Schemas::compile(&given, args.form.name(), output)?;
    schemas.set_limits(args.limits.limits());
    for messages in &mut schemas.list {
        messages.codec.nulls = args.nulls;
        messages.codec.strict_text = args.strict_text;
    }
    let fixed = schemas.fixed(args.message.as_deref())?;
    let framing = schemas.framing(args.framing)?;
    let input = Input::open(file)?;
    let heads = schemas.list.iter().map(Messages::line_heads).collect();
    let mut decoder = Decoder { schemas, heads, fixed, newer: 0, out: Vec::with_capacity(2 * FLUSH) };
    if framing.is_none() && !args.traffic.is_capture() {
        return decoder.single(input, output);
    }
    let plans = decoder.schemas.plans();
    let mut traffic = Traffic::open(&args.traffic, &plans, (framing, args.frame.max_frame), input, output)?;
    traffic.with_heads = args.with_packets;
    let decoded = decoder.all(args, &mut traffic, output);
    if decoder.newer > 0 {
        output.remark(&newer(decoder.newer));
    }
    decoded
}

struct Decoder {
    schemas: Schemas,
    /// By schema and message: the begin of a line.
    heads: Vec<Vec<Vec<u8>>>,
    fixed: Option<usize>,
    /// Messages of versions that are newer than all of several schemas.
    newer: usize,
    /// Lines that have not been written yet.
    out: Vec<u8>,
}

impl Decoder {
    fn single(&mut self, input: Input, output: &Output) -> Outcome {
        let bytes = input.unpacked()?.read_all()?;
        let result = match self.fixed {
            Some(message) => self.schemas.list[0].codec.to_json(message, &bytes, &mut self.out),
            None => self.line(&bytes),
        };
        let used = result.map_err(|fault| {
            let mut advice = self.schemas.advice(&fault, self.fixed, &bytes);
            if fault.code == Code::UnknownMessage {
                advice.push_str("; for a stream of messages say --framing");
            }
            output.fault(&fault, &advice, None);
            Failure::Shown
        })?;
        if self.fixed.is_some() {
            self.out.push(b'\n');
        }
        output.write(&self.out)?;
        if used < bytes.len() {
            let left = count(bytes.len() - used, "byte");
            output.remark(&format!("{left} after the message's end; for a stream of messages say --framing"));
        }
        Ok(())
    }

    /// All messages of a stream or of captured traffic.
    fn all(&mut self, args: &DecodeArgs, traffic: &mut Traffic<'_>, output: &Output) -> Outcome {
        let (mut broken, progress) = (0u64, traffic.progress.clone());
        let read = traffic.each(&mut |place, bytes| {
            let mark = self.out.len();
            if let Some(packet) = place.packet.filter(|_| args.with_packets) {
                self.out.extend_from_slice(b"{\"packet\":");
                packet.json(&mut self.out);
            }
            let begin = self.out.len();
            let told = match self.line(bytes) {
                Ok(_) if begin > mark => {
                    // The packet is the first member of the line's object.
                    self.out[begin] = b',';
                    Ok(())
                }
                Ok(_) => Ok(()),
                Err(fault) => {
                    self.out.truncate(mark);
                    broken += 1;
                    let advice = self.schemas.advice(&fault, self.fixed, bytes);
                    progress.aside(|| output.fault(&fault, &advice, Some(place)));
                    if args.keep_going {
                        Ok(())
                    } else {
                        Err(Failure::Shown)
                    }
                }
            };
            let told = if self.out.len() < FLUSH { told } else { told.and_then(|()| self.flush(output)) };
            told.map_or_else(ControlFlow::Break, ControlFlow::Continue)
        });
        output.write(&self.out)?;
        match read? {
            Some(failure) => Err(failure),
            None if broken > 0 => Err(Failure::Shown),
            None => Ok(()),
        }
    }

    fn flush(&mut self, output: &Output) -> Outcome {
        output.write(&self.out)?;
        self.out.clear();
        Ok(())
    }

    /// Appends the line of one message; of a broken one nothing stays.
    fn line(&mut self, bytes: &[u8]) -> Result<usize, Fault> {
        let (choice, message) = match self.fixed {
            Some(message) => (Choice { schema: 0, is_newer: false }, message),
            None => self.schemas.find(bytes)?,
        };
        let mark = self.out.len();
        self.newer += usize::from(choice.is_newer && self.heads.len() > 1);
        self.out.extend_from_slice(&self.heads[choice.schema][message]);
        match self.schemas.list[choice.schema].parts(message, bytes, &mut self.out) {
            Ok(used) => {
                self.out.extend_from_slice(b"}\n");
                Ok(used)
            }
            Err(fault) => {
                self.out.truncate(mark);
                Err(fault)
            }
        }
    }
}

impl Output {
    /// A fault of a message, with what to do about it.
    fn fault(&self, fault: &Fault, advice: &str, place: Option<&Place<'_>>) {
        self.found_problem();
        match place {
            _ if self.json() => self.raw_remark(&fault_json(fault, place)),
            Some(place) => self.problem(&format!("{}: {fault}{advice}", place.text())),
            None => self.problem(&format!("{fault}{advice}")),
        }
    }
}

fn fault_json(fault: &Fault, place: Option<&Place<'_>>) -> String {
    let packet = place.and_then(|place| place.packet);
    let mut object = serde_json::json!({
        "severity": "error",
        "message": fault.text,
        "code": fault.code.as_str(),
        "offset": fault.offset,
        "path": fault.path,
        "index": place.map(|place| place.index),
        "streamOffset": place.map(|place| place.offset),
    });
    if let Some(packet) = packet {
        object["packet"] = packet.stamp.packet.into();
        object["channel"] = packet.flow.to_string().into();
    }
    object.to_string()
}
