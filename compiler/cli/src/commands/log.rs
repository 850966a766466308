//! `aldis log`: the files of a durable log, looked at and mended without the server that writes them.

use crate::failure::{Failure, Outcome};
use crate::output::{count, Output};
use aldis_interpreter::to_hex;
use aldis_log::{Error, Finding, Folder, Read, Record, Summary};
use clap::{Args, Subcommand, ValueEnum};
use serde_json::json;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Output is gathered to so many bytes before it is written.
const FLUSH: usize = 1 << 18;

/// Check, mend and read the files of a durable log: the folder that a listener's log writes to.
///
/// Checking and reading change nothing and may be done while the log is written. Mending and migrating want a log that is
/// stopped, and refuse one that is not. docs/log.md describes the files.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aldis log verify /var/lib/orders
  aldis log repair /var/lib/orders --message-format json
  aldis log dump /var/lib/orders --from 1000 --count 10
  aldis log dump /var/lib/orders --to bytes | aldis decode market.xml --framing u32le
  aldis log migrate /var/lib/orders

Exit codes: 0 the log is whole, or is mended; 1 messages are lost or files cannot be read; 2 the command line is wrong.")]
pub struct LogArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Read every record and say which bytes are damaged and which messages are lost.
    Verify(FolderArgs),
    /// Put records that say what is lost in the place of damaged bytes, so that the log starts.
    ///
    /// The damaged bytes are kept beside the file, with `.damaged` behind its name. What a killed server left unfinished stays:
    /// the log cuts it off when it starts.
    Repair(FolderArgs),
    /// Write the messages of the log: a JSON line each, or their bytes.
    Dump(DumpArgs),
    /// Write files of earlier versions anew in today's version.
    Migrate(FolderArgs),
}

#[derive(Debug, Args)]
struct FolderArgs {
    /// The folder of the log.
    folder: PathBuf,
}

#[derive(Debug, Args)]
struct DumpArgs {
    /// The folder of the log.
    folder: PathBuf,

    /// The offset to begin at.
    #[arg(long, value_name = "OFFSET", default_value_t = 1)]
    from: u64,

    /// How many messages, at most.
    #[arg(long, value_name = "MESSAGES", default_value_t = u64::MAX, hide_default_value = true)]
    count: u64,

    /// The form of the output.
    #[arg(long, value_enum, default_value = "json")]
    to: Target,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Target {
    /// A JSON object a line, the message in hex digits.
    Json,
    /// The messages themselves, each behind its size as u32, little-endian: `--framing u32le` for other commands.
    Bytes,
}

pub fn run(args: &LogArgs, output: &Output) -> Outcome {
    match &args.action {
        Action::Verify(args) => verify(&args.folder, output),
        Action::Repair(args) => repair(&args.folder, output),
        Action::Dump(args) => dump(args, output),
        Action::Migrate(args) => migrate(&args.folder, output),
    }
}

fn failed(error: &Error) -> Failure {
    Failure::Input(error.to_string())
}

fn verify(folder: &Path, output: &Output) -> Outcome {
    let log = Folder::open(folder).map_err(|error| failed(&error))?;
    let mut written = Ok(());
    let mut is_damaged = false;
    let summary = log.read(0, &mut |read| {
        if let Read::Finding(finding) = read {
            is_damaged |= finding.is_damage();
            written = show(&finding, None, output);
        }
        if written.is_ok() {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    written?;
    summed_up(&summary.map_err(|error| failed(&error))?, output)?;
    if is_damaged {
        return Err(Failure::Shown);
    }
    Ok(())
}

fn repair(folder: &Path, output: &Output) -> Outcome {
    let mut written = Ok(());
    let mut is_left = false;
    let done = aldis_log::repair(folder, &mut |finding, is_mended| {
        is_left |= finding.is_damage() && !is_mended;
        if written.is_ok() {
            written = show(&finding, Some(is_mended), output);
        }
    });
    done.map_err(|error| failed(&error))?;
    written?;
    if is_left {
        return Err(Failure::Shown);
    }
    Ok(())
}

fn migrate(folder: &Path, output: &Output) -> Outcome {
    let files = aldis_log::migrate(folder).map_err(|error| failed(&error))?;
    for file in &files {
        let line = if output.json() {
            json!({"kind": "migrated", "file": file.display().to_string()}).to_string()
        } else {
            format!("{}: written anew in today's version", file.display())
        };
        output.print(&(line + "\n"))?;
    }
    if files.is_empty() && !output.json() {
        output.print("All files are of today's version.\n")?;
    }
    Ok(())
}

fn dump(args: &DumpArgs, output: &Output) -> Outcome {
    let log = Folder::open(&args.folder).map_err(|error| failed(&error))?;
    let mut dump = Dump { output, to: args.to, from: args.from, left: args.count, text: Vec::new(), written: Ok(()) };
    let mut is_damaged = false;
    let read = log.read(args.from, &mut |read| match read {
        Read::Record(record) => dump.record(record),
        Read::Finding(finding) => {
            if finding.is_damage() {
                is_damaged = true;
                output.problem(&words(&finding));
            }
            ControlFlow::Continue(())
        }
    });
    dump.flush();
    dump.written?;
    read.map_err(|error| failed(&error))?;
    if is_damaged {
        return Err(Failure::Shown);
    }
    Ok(())
}

/// The messages that are to be written.
struct Dump<'a> {
    output: &'a Output,
    to: Target,
    from: u64,
    left: u64,
    text: Vec<u8>,
    written: Outcome,
}

impl Dump<'_> {
    fn record(&mut self, record: &Record<'_>) -> ControlFlow<()> {
        for (offset, sequence, message) in record.messages().filter(|(offset, ..)| *offset >= self.from) {
            if self.left == 0 {
                return ControlFlow::Break(());
            }
            self.left -= 1;
            match self.to {
                Target::Bytes => {
                    self.text.extend(u32::try_from(message.len()).unwrap_or_default().to_le_bytes());
                    self.text.extend(message);
                }
                Target::Json => {
                    let line = json!({
                        "offset": offset,
                        "time_ms": record.time,
                        "producer": to_hex(&record.producer),
                        "epoch": record.epoch,
                        "sequence": sequence,
                        "schema": record.schema.map(|(schema, _)| schema),
                        "template": record.schema.map(|(_, template)| template),
                        "message": to_hex(message),
                    });
                    self.text.extend(line.to_string().into_bytes());
                    self.text.push(b'\n');
                }
            }
        }
        if self.text.len() >= FLUSH {
            self.flush();
        }
        if self.left > 0 && self.written.is_ok() {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }

    fn flush(&mut self) {
        if self.written.is_ok() {
            self.written = self.output.write(&self.text);
        }
        self.text.clear();
    }
}

/// A finding on standard output, and whether it is mended where that was asked for.
fn show(finding: &Finding, is_mended: Option<bool>, output: &Output) -> Outcome {
    if !output.json() {
        let mended = if is_mended == Some(true) { "; it is mended" } else { "" };
        return output.print(&format!("{}{mended}\n", words(finding)));
    }
    let mut object = match finding {
        Finding::Header { is_read, .. } => json!({"kind": "header", "is_read": is_read}),
        Finding::Version { version, .. } => json!({"kind": "version", "version": version}),
        Finding::Producers { .. } => json!({"kind": "producers"}),
        Finding::Damaged { from, to, first, count, .. } => {
            json!({"kind": "damaged", "from": from, "to": to, "first": first, "count": count})
        }
        Finding::Unfinished { from, to, .. } => json!({"kind": "unfinished", "from": from, "to": to}),
        Finding::Filled { at, first, count, .. } => {
            json!({"kind": "filled", "from": at, "first": first, "count": count})
        }
    };
    object["file"] = finding.file().display().to_string().into();
    if let Some(is_mended) = is_mended {
        object["mended"] = is_mended.into();
    }
    output.write(format!("{object}\n").as_bytes())
}

fn words(finding: &Finding) -> String {
    let file = finding.file().display();
    match finding {
        Finding::Header { is_read: true, .. } => {
            format!("{file}: the header is damaged; the messages are read by the index beside the file")
        }
        Finding::Header { .. } => format!(
            "{file}: the header is damaged, and no index beside the file says where the messages begin; restore the file \
             from a copy, or move it away, which loses its messages"
        ),
        Finding::Version { version, .. } => {
            format!("{file}: the file is of version {version}; a newer aldis than this one has written it")
        }
        Finding::Producers { .. } => format!(
            "{file}: the list of producers in the header is damaged, without which messages could be kept twice; restore \
             the file from a copy"
        ),
        Finding::Damaged { from, to, first, count, .. } => {
            let place = if from == to { format!("byte {from}: bytes are missing") } else { format!("bytes {from} to {to} are damaged") };
            format!("{file}: {place}; {}", lost(*first, *count))
        }
        Finding::Unfinished { from, .. } => {
            format!("{file}: an unfinished write at byte {from}; nothing of it was acknowledged as durable, and the log cuts it off")
        }
        Finding::Filled { at, first, count, .. } => format!("{file}: byte {at}: repaired before; {}", lost(*first, *count)),
    }
}

fn lost(first: u64, count: u64) -> String {
    match count {
        0 => "no message is known to be lost".into(),
        1 => format!("message {first} is lost"),
        _ => format!("the messages {first} to {} are lost", first.saturating_add(count - 1)),
    }
}

fn summed_up(sum: &Summary, output: &Output) -> Outcome {
    if output.json() {
        let object = json!({
            "kind": "summary", "files": sum.files, "bytes": sum.bytes, "first": sum.first, "last": sum.last,
            "messages": sum.messages, "batches": sum.batches, "damaged": sum.damaged, "filled": sum.filled,
            "version": sum.version,
        });
        return output.write(format!("{object}\n").as_bytes());
    }
    let lost: Vec<String> = [(sum.damaged, "damaged"), (sum.filled, "repaired before")]
        .iter()
        .filter(|(messages, _)| *messages > 0)
        .map(|(messages, why)| format!("; {messages} lost ({why})"))
        .collect();
    output.print(&format!(
        "{} in {}, offsets {} to {}, in {} of version {} and up{}\n",
        amount(sum.messages, "message"),
        if sum.batches == 1 { "1 batch".to_owned() } else { format!("{} batches", sum.batches) },
        sum.first,
        sum.last,
        amount(sum.files, "file"),
        sum.version,
        lost.concat()
    ))
}

fn amount(number: u64, what: &str) -> String {
    count(usize::try_from(number).unwrap_or(usize::MAX), what)
}
