//! `aldis send`: a stream of messages to a server, acknowledged.

use crate::args::{FrameArg, OptionalSchemaArgs};
use crate::compile::compile;
use crate::connection::{producer, DurabilityName, ServerArgs};
use crate::failure::{Failure, Outcome};
use crate::frames::{Frames, StreamError};
use crate::framing::{Framing, FramingName};
use crate::messages::Input;
use crate::output::{count, Output, Progress};
use crate::rates::Rates;
use aldis_transport::{Client, Code, Config, Error, Producer, State};
use clap::Args;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often it is looked whether acks still come.
const LOOK: Duration = Duration::from_millis(200);

/// Send the messages of a file or stream over aldis/1, and wait until all are acked.
///
/// A lost connection comes back by itself, and what was not acked is sent again. Say --producer to go on after this command
/// itself was ended: run it again with the same producer and the same input, and what the server has is passed over.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aldis send localhost:7100 feed.bin --framing u32le
  aldis random market.xml --count 1000 --to bytes --framing u32le | aldis send localhost:7100 - --framing u32le
  aldis send venue:7100 orders.bin --framing sofh --schema market.xml --durability durable --ca ca.pem
  aldis send venue:7100 day.bin --framing u32le --producer 5f1d0c9a7e3b4862a0d4c6b8e2f01735")]
pub struct SendArgs {
    #[command(flatten)]
    server: ServerArgs,

    /// The messages; standard input when it is `-` or missing.
    file: Option<PathBuf>,

    /// How messages lie in the stream; without it the whole input is one message.
    #[arg(long, value_enum, default_value_t)]
    framing: FramingName,

    #[command(flatten)]
    schema: OptionalSchemaArgs,

    /// When a message is done with.
    #[arg(long, value_enum, default_value = "handled")]
    durability: DurabilityName,

    /// Leave checksums out, as far as the server agrees.
    #[arg(long)]
    no_checksum: bool,

    /// The producer of the messages: 32 hex digits that nobody else has; random when not given.
    #[arg(long, value_name = "HEX", value_parser = producer)]
    producer: Option<Producer>,

    /// The epoch of the producer.
    #[arg(long, value_name = "NUMBER", default_value_t = 1, requires = "producer")]
    epoch: u32,

    /// Give up when no ack comes for so many seconds while messages wait for one.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    patience: u64,

    #[command(flatten)]
    frame: FrameArg,
}

pub fn run(args: &SendArgs, output: &Output) -> Outcome {
    let framing = framing(args, output)?;
    let input = Input::open(args.file.as_deref())?;
    let reconnects = Arc::new(AtomicU64::new(0));
    let mut config = Config {
        durability: args.durability.level(),
        checksum: !args.no_checksum,
        epoch: args.epoch,
        // The person who runs a command wants to know at once.
        retry_refused: false,
        on_state: Some(counting(&reconnects)),
        ..args.server.config()?
    };
    if let Some(producer) = args.producer {
        config.producer = producer;
    }
    let sender = Sender { args, client: args.server.connect(config)?, output };
    let before = sender.client.sent();
    if before > 0 {
        output.remark(&format!("the server has {} of this producer", count(before as usize, "message")));
    }
    let begin = Instant::now();
    let sent = match framing {
        None => sender.single(input, before)?,
        Some(framing) => sender.stream(framing, input, before)?,
    };
    sender.finish()?;
    let rates = Rates { messages: sent.messages, bytes: sent.bytes, time: begin.elapsed() };
    let lost = match reconnects.load(Ordering::Relaxed) {
        0 => String::new(),
        lost => format!(", after {} lost", count(lost as usize, "connection")),
    };
    let level = format!("{:?}", args.durability).to_lowercase();
    output.print(&format!("{rates}, all acked {level}{lost}\n"))
}

/// Counts connections that were lost.
fn counting(lost: &Arc<AtomicU64>) -> aldis_transport::OnState {
    let lost = Arc::clone(lost);
    Arc::new(move |state, _| {
        if state == State::Connecting {
            lost.fetch_add(1, Ordering::Relaxed);
        }
    })
}

fn framing(args: &SendArgs, output: &Output) -> Outcome<Option<Framing>> {
    let Some(schema) = args.schema.given() else {
        return Framing::without_schema(args.framing).map_err(Failure::Usage);
    };
    let compiled = compile(&schema, output)?;
    Framing::of(args.framing, compiled.form(args.schema.form.as_deref())?).map_err(Failure::Usage)
}

#[derive(Default)]
struct Sent {
    messages: u64,
    bytes: u64,
}

struct Sender<'a> {
    args: &'a SendArgs,
    client: Client,
    output: &'a Output,
}

impl Sender<'_> {
    fn single(&self, input: Input, before: u64) -> Outcome<Sent> {
        let bytes = input.read_all()?;
        let mut sent = Sent::default();
        if before == 0 {
            self.send(&bytes, &mut sent)?;
        }
        Ok(sent)
    }

    /// Sends what the server has not: its sequences are the places of messages in the stream.
    fn stream(&self, framing: Framing, input: Input, before: u64) -> Outcome<Sent> {
        let progress = Progress::new(self.output, input.length);
        let mut frames = Frames::new(input.reader, framing, self.args.frame.max_frame);
        let mut sent = Sent::default();
        for index in 1u64.. {
            let frame = match frames.next() {
                Ok(Some(frame)) => frame,
                Ok(None) => break,
                Err(StreamError::Read(error)) => return Err(Failure::file(&input.name, &error)),
                Err(StreamError::Broken(offset, text) | StreamError::Cut(offset, text)) => {
                    // The messages before are good, and the producer would go on behind it.
                    progress.finish();
                    self.finish()?;
                    return Err(Failure::Input(format!("message {}, stream byte {offset}: {text}", index - 1)));
                }
            };
            if index > before {
                self.send(frame.bytes, &mut sent)?;
            }
            if index.is_multiple_of(1024) {
                progress.at(frames.offset());
            }
        }
        progress.finish();
        Ok(sent)
    }

    fn send(&self, message: &[u8], sent: &mut Sent) -> Outcome {
        self.client.send(message).map_err(|error| self.args.server.failure(&error))?;
        sent.messages += 1;
        sent.bytes += message.len() as u64;
        Ok(())
    }

    /// Waits until all is acked, as long as acks come.
    fn finish(&self) -> Outcome {
        let patience = Duration::from_secs(self.args.patience);
        let (mut acked, mut moved) = (self.client.acked(), Instant::now());
        loop {
            match self.client.flush(LOOK) {
                Ok(()) => break,
                Err(error) if error.code != Code::Deadline => return Err(self.args.server.failure(&error)),
                Err(_) => {}
            }
            let now = self.client.acked();
            if now > acked {
                (acked, moved) = (now, Instant::now());
            } else if moved.elapsed() > patience {
                let left = count((self.client.sent() - now) as usize, "message");
                let text = format!("no ack for {} s; {left} not acked", self.args.patience);
                return Err(self.args.server.failure(&Error::new(Code::Deadline, text)));
            }
        }
        // Everything is acked: whether the server says goodbye in time does not matter.
        let _ = self.client.drain(Duration::from_secs(1));
        Ok(())
    }
}
