//! `aldis bench-tcp`: how fast a server acks or answers.

use crate::connection::{DurabilityName, ServerArgs};
use crate::failure::{Failure, Outcome};
use crate::latency::Latencies;
use crate::output::Output;
use crate::rates::Rates;
use aldis_transport::{Client, Code, Config, Error, OnAck, OnState, State};
use clap::Args;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// One message of so many has its latency taken.
const SAMPLE: u64 = 32;
/// How long a server may take to ack what it has.
const PATIENCE: Duration = Duration::from_secs(30);

/// Send messages over aldis/1 as fast as they are acked, and draw how long that takes.
///
/// Latency is from `send` to the ack that covers the message, batching and queueing included; with --requests from asking
/// to the answer.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aldis bench-tcp localhost:7100
  aldis bench-tcp localhost:7100 --payload 128 --durability durable --window 100000
  aldis bench-tcp localhost:7100 --requests --json | jq .latency_ns.p99")]
pub struct BenchTcpArgs {
    #[command(flatten)]
    server: ServerArgs,

    /// Bytes of a message.
    #[arg(long, value_name = "BYTES", default_value_t = 32)]
    payload: u32,

    /// Messages sent and not yet acked, at most.
    #[arg(long, value_name = "MESSAGES", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    window: u64,

    /// Bytes that are gathered to a batch.
    #[arg(long, value_name = "BYTES", default_value_t = 64 << 10)]
    batch_bytes: usize,

    /// When a message is done with.
    #[arg(long, value_enum, default_value = "handled")]
    durability: DurabilityName,

    /// Leave checksums out, as far as the server agrees.
    #[arg(long)]
    no_checksum: bool,

    /// Ask one request after another instead.
    #[arg(long)]
    requests: bool,

    /// How long.
    #[arg(long, value_name = "SECONDS", default_value_t = 5.0)]
    seconds: f64,

    /// One line of JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(args: &BenchTcpArgs, output: &Output) -> Outcome {
    if !(args.seconds > 0.0 && args.seconds < 1e6) {
        return Err(Failure::Usage("--seconds takes a number above 0".into()));
    }
    let acks = Arc::new(Acks::default());
    let config = Config {
        durability: args.durability.level(),
        checksum: !args.no_checksum,
        batch_bytes: args.batch_bytes,
        retry_refused: false,
        on_ack: Some(acks.listener()),
        on_state: Some(acks.ender()),
        ..args.server.config()?
    };
    let client = args.server.connect(config)?;
    let measured = if args.requests { ask(args, &client) } else { send(args, &client, &acks) };
    let (rates, latencies) = measured.map_err(|error| args.server.failure(&error))?;
    if args.json {
        return output.write(json(args, &rates, &latencies).as_bytes());
    }
    output.print(&format!("{rates}\n{}", latencies.draw()))
}

/// The facts from the acks, for the thread that sends.
#[derive(Default)]
struct Acks {
    state: Mutex<AckState>,
    moved: Condvar,
}

#[derive(Default)]
struct AckState {
    acked: u64,
    /// There will be no more acks.
    over: bool,
    /// Sequences whose latency is taken, and when they were sent.
    samples: VecDeque<(u64, Instant)>,
    latencies: Option<Latencies>,
}

impl Acks {
    fn lock(&self) -> MutexGuard<'_, AckState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ender(self: &Arc<Self>) -> OnState {
        let acks = Arc::clone(self);
        Arc::new(move |state, _| {
            acks.lock().over = state == State::Over;
            acks.moved.notify_one();
        })
    }

    fn listener(self: &Arc<Self>) -> OnAck {
        let acks = Arc::clone(self);
        Arc::new(move |marks| {
            let now = Instant::now();
            let mut state = acks.lock();
            state.acked = marks.acked;
            while let Some((_, sent)) = state.samples.front().copied().filter(|(sequence, _)| *sequence <= marks.acked)
            {
                state.samples.pop_front();
                state.latencies.get_or_insert_with(Latencies::new).add(now - sent, SAMPLE);
            }
            acks.moved.notify_one();
        })
    }

    /// Waits until no more than `window` messages up to `sequence` are not acked; `false` when that takes too long, or will
    /// not be.
    fn wait(&self, sequence: u64, window: u64) -> bool {
        let is_full = |state: &mut AckState| !state.over && sequence.saturating_sub(state.acked) > window;
        let (state, waited) =
            self.moved.wait_timeout_while(self.lock(), PATIENCE, is_full).unwrap_or_else(PoisonError::into_inner);
        !state.over && !waited.timed_out()
    }
}

fn send(args: &BenchTcpArgs, client: &Client, acks: &Acks) -> Result<(Rates, Latencies), Error> {
    let mut message = vec![b'x'; args.payload as usize];
    let begin = Instant::now();
    let end = begin + Duration::from_secs_f64(args.seconds);
    let before = client.sent();
    let mut sequence = before;
    loop {
        if sequence.is_multiple_of(SAMPLE) {
            let now = Instant::now();
            if now >= end {
                break;
            }
            acks.lock().samples.push_back((sequence + 1, now));
            if !acks.wait(sequence + SAMPLE, args.window.max(SAMPLE)) {
                let stuck = || Error::new(Code::Deadline, format!("no ack for {} s", PATIENCE.as_secs()));
                return Err(client.wait_over(Duration::from_millis(100)).unwrap_or_else(stuck));
            }
        }
        let number = (sequence + 1).to_le_bytes();
        let numbered = number.len().min(message.len());
        message[..numbered].copy_from_slice(&number[..numbered]);
        sequence = client.send(&message)?;
    }
    client.flush(PATIENCE)?;
    let time = begin.elapsed();
    let messages = sequence - before;
    let latencies = acks.lock().latencies.take().unwrap_or_else(Latencies::new);
    Ok((Rates { messages, bytes: messages * u64::from(args.payload), time }, latencies))
}

fn ask(args: &BenchTcpArgs, client: &Client) -> Result<(Rates, Latencies), Error> {
    let question = vec![b'x'; args.payload as usize];
    let mut latencies = Latencies::new();
    let begin = Instant::now();
    let end = begin + Duration::from_secs_f64(args.seconds);
    let mut messages = 0;
    let mut now = begin;
    while now < end {
        client.request(&question, PATIENCE)?;
        let then = Instant::now();
        latencies.add(then - now, 1);
        messages += 1;
        now = then;
    }
    Ok((Rates { messages, bytes: messages * u64::from(args.payload), time: begin.elapsed() }, latencies))
}

fn json(args: &BenchTcpArgs, rates: &Rates, latencies: &Latencies) -> String {
    let quantiles: serde_json::Map<_, _> =
        latencies.quantiles().into_iter().map(|(name, value)| (name.replace('.', "_"), value.into())).collect();
    let object = serde_json::json!({
        "mode": if args.requests { "requests" } else { "batches" },
        "payload": args.payload,
        "window": args.window,
        "durability": format!("{:?}", args.durability).to_lowercase(),
        "checksum": !args.no_checksum,
        "seconds": rates.time.as_secs_f64(),
        "messages": rates.messages,
        "messages_per_second": rates.messages_per_second().round(),
        "bytes_per_second": rates.bytes_per_second().round(),
        "latency_ns": quantiles,
    });
    object.to_string() + "\n"
}
