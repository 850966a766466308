//! `aldis convert`: messages to columns.

use crate::args::{FormArg, FrameArg, LimitArgs, ReadingArgs};
use crate::failure::{Failure, Outcome};
use crate::framing::{Framing, FramingName};
use crate::messages::Input;
use crate::output::{count, Output, Progress};
use crate::parts::{part, Mark, Part};
use crate::schemas::{newer, Choice, Schemas};
use crate::sheets::{Sheets, Told};
use crate::traffic::{self, Traffic, TrafficArgs};
use crate::versions::Tables;
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
  aldis convert day.bin --schema v8.xml --schema v9.xml --framing u32le --out tables
  aldis convert orders.bin --schema market.fbe --framing fbe --decimals 9 --groups tables --out tables

A message that cannot be read ends the conversion: the tables have what comes before it, its place and cause are told, and the \
exit code is 1. With --errors skip such messages are left out and counted.")]
pub struct ConvertArgs {
    /// The messages; standard input when it is `-` or missing.
    file: Option<PathBuf>,

    /// The schema file; may be given several times, so that each message is read by the one that its header says. Versions of one
    /// message share a table with the newest's columns; those that have other values than the newest have one of their own (NAME.v3).
    #[arg(long = "schema", value_name = "FILE", required = true)]
    schemas: Vec<PathBuf>,

    #[command(flatten)]
    reading: ReadingArgs,

    #[command(flatten)]
    limits: LimitArgs,

    /// How messages lie in the stream.
    #[arg(long, value_enum, default_value_t)]
    framing: FramingName,

    #[command(flatten)]
    form: FormArg,

    /// The message that all bytes are, with or without its package; found from the bytes when not given.
    #[arg(long, value_name = "NAME")]
    message: Option<String>,

    /// The format of the files.
    #[arg(long, value_enum, default_value_t)]
    to: Format,

    /// The folder of the files; it is made where it is missing.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// The answer to a message that cannot be read, or that columns cannot hold.
    #[arg(long, value_enum, default_value_t)]
    errors: Errors,

    #[command(flatten)]
    columns: ColumnArgs,

    /// Only the I-th of N parts of a large file, which is read without what comes before it; all parts are exactly the whole. See
    /// `aldis index`.
    #[arg(long, value_name = "I/N", value_parser = part)]
    part: Option<Part>,

    #[command(flatten)]
    frame: FrameArg,

    #[command(flatten)]
    traffic: TrafficArgs,
}

/// The types of columns.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Columns")]
struct ColumnArgs {
    /// The columns of groups and other lists of records.
    #[arg(long, value_enum, default_value_t)]
    groups: GroupsName,

    /// The columns of enums.
    #[arg(long, value_enum, default_value_t)]
    enums: EnumsName,

    /// The columns of sets of flags.
    #[arg(long, value_enum, default_value_t)]
    sets: SetsName,

    /// The columns of times.
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
    /// A value that has parts is JSON in its cell.
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

impl ConvertArgs {
    /// The input, and the frame that it begins with.
    fn input(&self, framing: Option<Framing>) -> Outcome<(Input, Mark)> {
        let Some(part) = self.part else { return Ok((Input::open(self.file.as_deref())?, Mark::default())) };
        let refused = |text: &str| Err(Failure::Usage(format!("--part: {text}")));
        match (&self.file, framing) {
            _ if self.traffic.is_capture() => refused("captured packets have no parts: split the capture by time"),
            _ if self.columns.groups == GroupsName::Tables => {
                refused("the rows of parts have no numbers in the whole: leave groups in their rows")
            }
            (Some(file), Some(framing)) => Input::part(file, part, framing, self.frame.max_frame),
            (Some(_), None) => refused("a single message has no parts: say --framing"),
            (None, _) => refused("standard input is read as a whole: name a file"),
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
    let given = args.reading.schemas(&args.schemas);
    let mut schemas = Schemas::compile(&given, args.form.name(), output)?;
    schemas.set_limits(args.limits.limits());
    schemas.list.iter_mut().for_each(|messages| messages.codec.strict_text = true);
    let fixed = schemas.fixed(args.message.as_deref())?;
    let framing = schemas.framing(args.framing)?;
    let tables = Tables::of(&schemas);
    let (input, begin) = args.input(framing)?;
    let shape = (args.columns.options(), args.columns.groups(), args.traffic.is_capture());
    let part = args.part.map(|part| format!("{}-of-{}", part.number, part.count));
    let files = (args.to.into(), args.out.clone(), part.unwrap_or_default());
    let sheets = Sheets::new((&schemas, &tables), shape, files)?;
    let mut converter = Converter {
        args,
        schemas: &schemas,
        tables: &tables,
        fixed,
        sheets,
        output,
        broken: 0,
        newer: 0,
        channel: None,
    };
    let mut traffic = Traffic::open(&args.traffic, &schemas.plans(), (framing, args.frame.max_frame), input, output)?;
    traffic.begin = begin;
    let progress = traffic.progress.clone();
    let read = traffic.each(&mut |place, bytes| {
        let told = converter.message(bytes, place, &progress);
        told.map_or_else(ControlFlow::Break, ControlFlow::Continue)
    });
    let read = read.and_then(|broken| broken.map_or(Ok(()), Err));
    converter.finish(read)
}

struct Converter<'c> {
    args: &'c ConvertArgs,
    schemas: &'c Schemas,
    tables: &'c Tables,
    fixed: Option<usize>,
    sheets: Sheets<'c>,
    output: &'c Output,
    /// Messages that were left out.
    broken: u64,
    /// Messages of versions newer than all schemas.
    newer: u64,
    /// The last message's channel and its name.
    channel: Option<(Flow, String)>,
}

impl Converter<'_> {
    fn message(&mut self, bytes: &[u8], place: &traffic::Place<'_>, progress: &Progress) -> Outcome {
        let found = match self.fixed {
            Some(message) => Ok((Choice { schema: 0, is_newer: false }, message)),
            None => self.schemas.find(bytes),
        };
        let fault = match found {
            Ok((choice, message)) => match self.row(self.tables.table(choice.schema, message), bytes, place)? {
                Told::Row => {
                    self.newer += u64::from(choice.is_newer);
                    return Ok(());
                }
                Told::Fault(fault) => fault,
            },
            Err(fault) => fault,
        };
        self.broken += 1;
        if self.args.errors == Errors::Skip && self.broken > SHOWN {
            return Ok(());
        }
        let text = format!("{}: {fault}{}", place.text(), self.schemas.advice(&fault, self.fixed, bytes));
        match self.args.errors {
            Errors::Stop => Err(Failure::Input(text)),
            Errors::Skip => {
                progress.aside(|| self.output.remark(&text));
                Ok(())
            }
        }
    }

    fn row(&mut self, table: usize, bytes: &[u8], place: &traffic::Place<'_>) -> Outcome<Told> {
        let packet = place.packet.map(|packet| {
            if self.channel.as_ref().is_none_or(|(flow, _)| *flow != packet.flow) {
                self.channel = Some((packet.flow, packet.flow.to_string()));
            }
            let channel = self.channel.as_ref().map_or("", |(_, name)| name);
            Packet { number: packet.stamp.packet, time: packet.stamp.time, channel, sequence: packet.sequence }
        });
        self.sheets.push(table, bytes, &Place { message: place.index, offset: place.offset, packet })
    }

    /// Ends the files, whatever ended the input.
    fn finish(self, read: Outcome) -> Outcome {
        for (path, rows) in self.sheets.finish(self.output)? {
            self.output.print(&format!("{}  {}\n", path.display(), count(rows as usize, "row")))?;
        }
        if self.args.errors == Errors::Skip && self.broken > 0 {
            self.output.remark(&format!("{} left out", count(self.broken as usize, "message")));
        }
        if self.newer > 0 {
            self.output.remark(&newer(self.newer as usize));
        }
        read
    }
}
