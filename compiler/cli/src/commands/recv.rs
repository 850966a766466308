//! `aldis recv`: what a server pushes on a topic.

use crate::args::OptionalSchemaArgs;
use crate::compile::compile;
use crate::connection::ServerArgs;
use crate::failure::{Failure, Outcome};
use crate::framing::{Framer, Framing, FramingName};
use crate::messages::Messages;
use crate::output::Output;
use aldis_interpreter::to_hex;
use aldis_transport::{Entries, Error, Subscription};
use clap::{Args, ValueEnum};
use std::sync::mpsc::{sync_channel, Receiver, RecvTimeoutError, SyncSender};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Messages that wait to be written; beyond, the server waits.
const QUEUE: usize = 4096;
/// How often it is looked whether the connection is still wanted.
const LOOK: Duration = Duration::from_millis(100);

/// Subscribe to a topic and write what comes: by default a line of its sequence and hex digits for each message.
///
/// The topic `log` is the server's durable log, from --from on. A lost connection comes back by itself and goes on where it
/// was.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aldis recv localhost:7100 log --from 1 --count 10
  aldis recv localhost:7100 log --from 1 --quiet-after 2 --to bytes --framing u32le > copy.bin
  aldis recv localhost:7100 prices --to json --schema market.xml | jq .value.price")]
pub struct RecvArgs {
    #[command(flatten)]
    server: ServerArgs,

    /// The topic to subscribe to.
    topic: String,

    /// The sequence of the topic to begin at; 0: what comes from now on.
    #[arg(long, value_name = "SEQUENCE", default_value_t = 0)]
    from: u64,

    /// End after so many messages.
    #[arg(long, value_name = "MESSAGES")]
    count: Option<u64>,

    /// End when nothing came for so many seconds.
    #[arg(long, value_name = "SECONDS")]
    quiet_after: Option<f64>,

    /// The form of the output.
    #[arg(long, value_enum, default_value = "hex")]
    to: Target,

    /// How messages are to lie in the stream, with `--to bytes`.
    #[arg(long, value_enum, default_value_t)]
    framing: FramingName,

    #[command(flatten)]
    schema: OptionalSchemaArgs,

    /// Messages that the server may be ahead.
    #[arg(long, value_name = "MESSAGES", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..),
          help_heading = "Connection")]
    credit: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Target {
    /// A line of sequence and hex digits each.
    Hex,
    /// The messages themselves.
    Bytes,
    /// JSON lines, as `decode` writes them.
    Json,
}

/// An event of a subscription: a message with its sequence, or the end.
enum Came {
    Message(u64, Vec<u8>),
    End(Error),
}

pub fn run(args: &RecvArgs, output: &Output) -> Outcome {
    let mut writer = Writer::new(args, output)?;
    let client = args.server.connect(args.server.config()?)?;
    let (tell, told) = sync_channel(QUEUE);
    let subscription = subscription(args, &tell);
    drop(tell);
    client.subscribe(subscription).map_err(|error| args.server.failure(&error))?;
    let mut left = args.count.unwrap_or(u64::MAX);
    let mut heard = Instant::now();
    while left > 0 {
        match next(&told, args, heard) {
            Ok(Came::Message(sequence, bytes)) => {
                writer.write(sequence, &bytes)?;
                left -= 1;
                heard = Instant::now();
            }
            Ok(Came::End(error)) => {
                writer.flush()?;
                return Err(args.server.failure(&error));
            }
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                writer.flush()?;
                if args.quiet_after.is_some_and(|seconds| heard.elapsed().as_secs_f64() >= seconds) {
                    break;
                }
                if let Some(error) = client.wait_over(Duration::ZERO) {
                    return Err(args.server.failure(&error));
                }
            }
        }
    }
    writer.flush()?;
    // Callbacks that wait for room in the queue must go on before the client can be dropped.
    drop(told);
    if writer.broken {
        return Err(Failure::Shown);
    }
    Ok(())
}

/// The next event. When nothing is there it is time to write what was gathered, which is said as a timeout.
fn next(told: &Receiver<Came>, args: &RecvArgs, heard: Instant) -> Result<Came, RecvTimeoutError> {
    if let Ok(came) = told.try_recv() {
        return Ok(came);
    }
    let quiet = args.quiet_after.map_or(LOOK, |seconds| Duration::from_secs_f64(seconds.clamp(0.0, 1e9)));
    told.recv_timeout(quiet.saturating_sub(heard.elapsed()).clamp(Duration::from_millis(1), LOOK))
}

fn subscription(args: &RecvArgs, tell: &SyncSender<Came>) -> Subscription {
    let (pushed, ended) = (tell.clone(), tell.clone());
    let on_push = move |first: u64, entries: Entries<'_>| {
        for (sequence, entry) in (first..).zip(entries) {
            // Nobody listens any more when enough has come.
            if pushed.send(Came::Message(sequence, entry.to_vec())).is_err() {
                break;
            }
        }
    };
    let on_end = move |why: &Error| {
        let _ = ended.send(Came::End(why.clone()));
    };
    Subscription {
        topic: args.topic.clone(),
        from: args.from,
        credit: args.credit,
        on_push: Arc::new(on_push),
        on_end: Arc::new(on_end),
    }
}

struct Writer<'a> {
    target: Target,
    messages: Option<(Messages, Vec<Vec<u8>>)>,
    framer: Option<Framer>,
    output: &'a Output,
    out: Vec<u8>,
    broken: bool,
}

impl<'a> Writer<'a> {
    /// Output is gathered to so many bytes before it is written.
    const FLUSH: usize = 1 << 16;

    fn new(args: &RecvArgs, output: &'a Output) -> Outcome<Self> {
        let messages = match args.schema.given() {
            Some(schema) => {
                let messages = Messages::new(&compile(&schema, output)?, args.schema.form.as_deref())?;
                let heads = messages.line_heads();
                Some((messages, heads))
            }
            None if args.to == Target::Json => {
                return Err(Failure::Usage("--to json needs the messages' --schema".into()));
            }
            None => None,
        };
        let framing = match &messages {
            Some((messages, _)) => Framing::of(args.framing, messages.codec.plan()),
            None => Framing::without_schema(args.framing),
        };
        let framing = framing.map_err(Failure::Usage)?;
        if framing.is_some() && args.to != Target::Bytes {
            return Err(Failure::Usage("--framing goes with --to bytes".into()));
        }
        if framing.is_none() && args.to == Target::Bytes && args.count != Some(1) {
            return Err(Failure::Usage("several messages in one file need a --framing to tell them apart".into()));
        }
        Ok(Self { target: args.to, messages, framer: framing.map(Framer::new), output, out: Vec::new(), broken: false })
    }

    fn write(&mut self, sequence: u64, message: &[u8]) -> Outcome {
        match (self.target, &self.messages) {
            (Target::Json, Some((messages, heads))) => {
                let mark = self.out.len();
                let line = messages.codec.find(message).and_then(|index| {
                    self.out.extend_from_slice(&heads[index]);
                    messages.parts(index, message, &mut self.out)
                });
                match line {
                    Ok(_) => self.out.extend_from_slice(b"}\n"),
                    Err(fault) => {
                        self.out.truncate(mark);
                        self.broken = true;
                        let advice = messages.advice(&fault, None, message);
                        self.output.problem(&format!("sequence {sequence}: {fault}{advice}"));
                    }
                }
            }
            (Target::Bytes, _) => match &mut self.framer {
                Some(framer) => framer.write(message, &mut self.out).map_err(Failure::Input)?,
                None => self.out.extend_from_slice(message),
            },
            (Target::Hex | Target::Json, _) => {
                self.out.extend_from_slice(format!("{sequence} {}\n", to_hex(message)).as_bytes());
            }
        }
        if self.out.len() >= Self::FLUSH {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Outcome {
        let done = if self.out.is_empty() { Ok(()) } else { self.output.write(&self.out) };
        self.out.clear();
        done
    }
}
