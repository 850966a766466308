//! `aldis convert`: messages to columns.

use crate::args::{LimitArgs, ReadingArgs, SchemaArgs};
use crate::compile::compile;
use crate::failure::{Failure, Outcome};
use crate::frames::{Frames, StreamError};
use crate::framing::{Framing, FramingName};
use crate::messages::{Input, Messages};
use crate::output::{count, Output, Progress};
use crate::sheets::{Sheets, Told};
use crate::traffic::{Traffic, TrafficArgs};
use aldis_captures::Flow;
use aldis_columns::{Enums, FileKind, Groups, Options, Packet, Place, Sets};
use clap::{Args, ValueEnum};
use std::ops::ControlFlow;
use std::path::PathBuf;

/// How many messages that are left out are shown one by one.
const SHOWN: u64 = 8;

/// Turn a capture into tables: a file for each type of message, a row for each message.
///
/// Beside each row stand its place (_message, _offset) and, of captured packets, _packet, _time, _channel and _sequence.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aldis convert feed.bin --schema market.xml --framing u32le --out tables
  duckdb -c \"select instrument, count(*), max(price) from 'tables/market.Trade.parquet' group by all\"
  aldis convert day.pcap.zst --input pcap --port 14310 --schema market.xml --framing u16le --to arrow --out tables
  aldis convert orders.bin --schema market.fbe --framing fbe --decimals 9 --groups tables --out tables

A message that cannot be read ends the conversion: the tables have what comes before it, its place and cause are told, and the \
exit code is 1. With --errors skip such messages are left out and counted.")]
pub struct ConvertArgs {
    /// The messages; standard input when it is `-` or missing.
    file: Option<PathBuf>,

    /// The schema file.
    #[arg(long, value_name = "FILE")]
    schema: PathBuf,

    #[command(flatten)]
    reading: ReadingArgs,

    #[command(flatten)]
    limits: LimitArgs,

    /// How messages lie in the stream.
    #[arg(long, value_enum, default_value_t)]
    framing: FramingName,

    /// The wire form (fbe, fbe-final, sbe, capnp, capnp-packed, capnp-canonical); the schema's main form when not given.
    #[arg(long, value_name = "FORM")]
    form: Option<String>,

    /// The message that all bytes are, with or without its package; found from the bytes when not given.
    #[arg(long, value_name = "NAME")]
    message: Option<String>,

    /// The format of the files.
    #[arg(long, value_enum, default_value_t)]
    to: Format,

    /// The folder of the files; it is made where it is missing.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// What a message does that cannot be read, or that columns cannot hold.
    #[arg(long, value_enum, default_value_t)]
    errors: Errors,

    #[command(flatten)]
    columns: ColumnArgs,

    /// The longest frame that is believed, in bytes.
    #[arg(long, value_name = "BYTES", default_value_t = 64 << 20)]
    max_frame: usize,

    #[command(flatten)]
    traffic: TrafficArgs,
}

/// What columns are made of.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Columns")]
struct ColumnArgs {
    /// What groups and other lists of records become.
    #[arg(long, value_enum, default_value_t)]
    groups: GroupsName,

    /// What enums become.
    #[arg(long, value_enum, default_value_t)]
    enums: EnumsName,

    /// What sets of flags become.
    #[arg(long, value_enum, default_value_t)]
    sets: SetsName,

    /// What times become.
    #[arg(long, value_enum, default_value_t)]
    times: TimesName,

    /// So many decimals for decimals that have scales of their own; they are text without this.
    #[arg(long, value_name = "DIGITS", value_parser = clap::value_parser!(u8).range(0..=28))]
    decimals: Option<u8>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Row groups of 128 Ki rows, zstd, statistics.
    #[default]
    Parquet,
    /// Arrow's file format.
    Arrow,
    /// What has parts is JSON in its cell.
    Csv,
    /// A line of JSON for each row.
    Jsonl,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Errors {
    /// It ends the conversion.
    #[default]
    Stop,
    /// It is left out and counted.
    Skip,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum GroupsName {
    /// Lists of structs in the row.
    #[default]
    Lists,
    /// Tables of their own, whose rows have the number of the row that they belong to.
    Tables,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum EnumsName {
    /// Dictionaries of names; a number without a name is its digits.
    #[default]
    Names,
    Numbers,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum SetsName {
    /// Lists of names.
    #[default]
    Lists,
    Integers,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum TimesName {
    /// Timestamps with their unit in UTC, and dates.
    #[default]
    Timestamps,
    /// As they are stored.
    Integers,
}

impl ColumnArgs {
    fn options(self) -> Options {
        Options {
            enums: if self.enums == EnumsName::Names { Enums::Names } else { Enums::Numbers },
            sets: if self.sets == SetsName::Lists { Sets::Lists } else { Sets::Integers },
            times: self.times == TimesName::Timestamps,
            decimals: self.decimals,
        }
    }

    fn groups(self) -> Groups {
        if self.groups == GroupsName::Tables {
            Groups::Tables
        } else {
            Groups::Lists
        }
    }
}

impl From<Format> for FileKind {
    fn from(format: Format) -> Self {
        match format {
            Format::Parquet => FileKind::Parquet,
            Format::Arrow => FileKind::Arrow,
            Format::Csv => FileKind::Csv,
            Format::Jsonl => FileKind::Jsonl,
        }
    }
}

pub fn run(args: &ConvertArgs, output: &Output) -> Outcome {
    args.traffic.check()?;
    let schema = SchemaArgs { schema: args.schema.clone(), reading: args.reading.clone() };
    let compiled = compile(&schema, output)?;
    let mut messages = Messages::new(&compiled, args.form.as_deref())?;
    messages.codec.limits = args.limits.limits();
    let fixed = args.message.as_deref().map(|name| messages.named(name)).transpose()?;
    let framing = Framing::of(args.framing, messages.codec.plan()).map_err(Failure::Usage)?;
    let input = Input::open(args.file.as_deref())?;
    let shape = (args.columns.options(), args.columns.groups(), args.traffic.is_capture());
    let sheets = Sheets::new(&messages, shape, args.to.into(), args.out.clone())?;
    let mut converter = Converter { args, messages: &messages, fixed, sheets, output, broken: 0, channel: None };
    let read = if args.traffic.is_capture() {
        let mut traffic =
            Traffic::new(&args.traffic, (&compiled, args.form.as_deref()), framing, args.max_frame, output)?;
        let read = traffic.each(&args.traffic, input, &mut |place, bytes| converter.packet(place, bytes));
        read.and_then(|broken| broken.map_or(Ok(()), Err))
    } else {
        converter.stream(framing, input)
    };
    converter.finish(read)
}

struct Converter<'c> {
    args: &'c ConvertArgs,
    messages: &'c Messages,
    fixed: Option<usize>,
    sheets: Sheets<'c>,
    output: &'c Output,
    /// Messages that were left out.
    broken: u64,
    /// The last message's channel and its name.
    channel: Option<(Flow, String)>,
}

impl Converter<'_> {
    fn stream(&mut self, framing: Option<Framing>, input: Input) -> Outcome {
        let Some(framing) = framing else {
            let bytes = input.read_all()?;
            return self.message(&bytes, &Place::default(), || "message 0".to_owned());
        };
        let progress = Progress::new(self.output, input.length);
        let mut frames = Frames::new(input.reader, framing, self.args.max_frame);
        let mut index = 0;
        let mut shown = 0;
        let read = loop {
            match frames.next() {
                Ok(Some(frame)) => {
                    let place = Place { message: index, offset: frame.offset, packet: None };
                    let told = || format!("message {index}, stream byte {}", frame.offset);
                    if let Err(failure) = self.message(frame.bytes, &place, told) {
                        break Err(failure);
                    }
                }
                Ok(None) => break Ok(()),
                Err(StreamError::Read(error)) => break Err(Failure::file(&input.name, &error)),
                Err(StreamError::Broken(offset, text) | StreamError::Cut(offset, text)) => {
                    break Err(Failure::Input(format!("message {index}, stream byte {offset}: {text}")));
                }
            }
            index += 1;
            if frames.offset() >= shown {
                progress.at(frames.offset());
                shown = frames.offset() + (1 << 20);
            }
        };
        progress.finish();
        read
    }

    fn packet(&mut self, place: &crate::traffic::Place<'_>, bytes: &[u8]) -> ControlFlow<Failure> {
        let known = self.channel.take().filter(|(flow, _)| *flow == place.flow);
        let channel = known.unwrap_or_else(|| (place.flow, place.flow.to_string()));
        let (number, time) = (place.stamp.packet, place.stamp.time);
        let packet = Some(Packet { number, time, channel: &channel.1, sequence: None });
        let told = self.message(bytes, &Place { message: place.index, offset: place.offset, packet }, || place.text());
        self.channel = Some(channel);
        told.map_or_else(ControlFlow::Break, ControlFlow::Continue)
    }

    fn message(&mut self, bytes: &[u8], place: &Place<'_>, shown: impl FnOnce() -> String) -> Outcome {
        let found = match self.fixed {
            Some(message) => Ok(message),
            None => self.messages.codec.find(bytes),
        };
        let fault = match found {
            Ok(message) => match self.sheets.push(message, bytes, place)? {
                Told::Row => return Ok(()),
                Told::Fault(fault) => fault,
            },
            Err(fault) => fault,
        };
        self.broken += 1;
        if self.args.errors == Errors::Skip && self.broken > SHOWN {
            return Ok(());
        }
        let text = format!("{}: {fault}{}", shown(), self.messages.advice(&fault, self.fixed, bytes));
        match self.args.errors {
            Errors::Stop => Err(Failure::Input(text)),
            Errors::Skip => {
                self.output.remark(&text);
                Ok(())
            }
        }
    }

    /// Ends the files, whatever ended the input.
    fn finish(self, read: Outcome) -> Outcome {
        for (path, rows) in self.sheets.finish(self.output)? {
            self.output.print(&format!("{}  {}\n", path.display(), count(rows as usize, "row")))?;
        }
        if self.args.errors == Errors::Skip && self.broken > 0 {
            self.output.remark(&format!("{} left out", count(self.broken as usize, "message")));
        }
        read
    }
}
