//! `aldis stats`: what is in a capture, and what is missing in it.

use crate::args::{FormArg, FrameArg, LimitArgs, ReadingArgs};
use crate::failure::{Failure, Outcome};
use crate::framing::FramingName;
use crate::messages::Input;
use crate::output::Output;
use crate::schemas::Schemas;
use crate::stats::{page, text, Stats};
use crate::traffic::{Traffic, TrafficArgs};
use clap::Args;
use std::convert::Infallible;
use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Count the messages of a stream or of captured packets: by type and version, with rates, unknown ids, damage and gaps.
///
/// Only the heads of messages are read unless --verify is given, and memory does not grow with the input.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aldis stats feed.bin --schema market.xml --framing u32le
  aldis stats day.pcap.zst --schema v8.xml --schema v9.xml --input pcap --framing u16le-whole --packet-header PacketHeader
  aldis stats feed.bin --schema market.xml --framing u32le --verify --html stats.html

The exit code is 1 where messages are damaged or the input cannot be read to its end.")]
pub struct StatsArgs {
    /// The file; standard input when it is `-` or missing.
    file: Option<PathBuf>,

    /// The messages' schema; may be given several times, so that each message is read by the one that its header says: by
    /// schema id and version (SBE), or by type id (FBE).
    #[arg(long, value_name = "SCHEMA", required = true)]
    schema: Vec<PathBuf>,

    #[command(flatten)]
    reading: ReadingArgs,

    #[command(flatten)]
    limits: LimitArgs,

    /// The message that all bytes are, for forms whose messages do not say what they are.
    #[arg(long, value_name = "NAME")]
    message: Option<String>,

    #[command(flatten)]
    form: FormArg,

    /// How messages lie in the stream.
    #[arg(long, value_enum, default_value_t)]
    framing: FramingName,

    #[command(flatten)]
    frame: FrameArg,

    /// Look at all bytes of each message for damage, as decoding does.
    #[arg(long)]
    verify: bool,

    /// Write JSON instead of tables, as --message-format json does.
    #[arg(long)]
    json: bool,

    /// Write one HTML page with plots too.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    #[command(flatten)]
    traffic: TrafficArgs,
}

pub fn run(args: &StatsArgs, output: &Output) -> Outcome {
    args.traffic.check()?;
    let mut schemas = Schemas::compile(&args.reading.schemas(&args.schema), args.form.name(), output)?;
    schemas.set_limits(args.limits.limits());
    // JSON cannot have other text, so decoding refuses it.
    schemas.list.iter_mut().for_each(|messages| messages.codec.strict_text = args.verify);
    let fixed = schemas.fixed(args.message.as_deref())?;
    if schemas.heads.is_none() && fixed.is_none() {
        let form = &schemas.plans()[0].form.name;
        return Err(Failure::Usage(format!(
            "messages of the form {form} do not say what they are: give --message NAME"
        )));
    }
    let framing = schemas.framing(args.framing)?;
    let input = Input::open(args.file.as_deref())?;
    let name = input.name.clone();
    let plans = schemas.plans();
    let mut traffic = Traffic::open(&args.traffic, &plans, (framing, args.frame.max_frame), input, output)?;
    let mut stats = Stats::new(&schemas, fixed, args.verify, args.traffic.is_capture());
    let read = traffic.each(&mut |place, bytes| -> ControlFlow<Infallible> {
        stats.add(place, bytes);
        ControlFlow::Continue(())
    });
    let mut report = stats.report(name, traffic.channels.sorted());
    report.lost = traffic.lost.times;
    report.first_lost.append(&mut traffic.lost.first);
    if let Err(Failure::Input(text)) = &read {
        report.lost += 1;
        report.first_lost.push(text.clone());
    }
    if let Some(path) = &args.html {
        let page = page(&report).map_err(|error| Failure::Input(format!("--html: {error}")))?;
        fs::write(path, page).map_err(|error| Failure::file(&path.display().to_string(), &error))?;
    }
    if args.json || output.json() {
        let json = serde_json::to_string(&report).map_err(|error| Failure::Input(error.to_string()))?;
        output.write(format!("{json}\n").as_bytes())?;
    } else {
        output.print(&text(&report))?;
    }
    read?;
    if report.damaged > 0 {
        output.found_problem();
        return Err(Failure::Shown);
    }
    Ok(())
}
