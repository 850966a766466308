//! A producer of the torture test; torture/producer.py says what it takes and does.
//!     torture_producer PORT PRODUCER EPOCH JOURNAL

use aldis_transport::{Client, Config, Durability};
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(60);
const PACE: Duration = Duration::from_millis(2);

type Failure = Box<dyn std::error::Error>;

/// How many bytes follow a message's identity: as torture/messages.py says.
fn filling(epoch: u32, sequence: u64) -> usize {
    let mixed = (sequence.wrapping_add(7919 * u64::from(epoch)).wrapping_mul(2_654_435_761) & 0xFFFF_FFFF) as usize;
    match mixed >> 24 {
        0..=3 => mixed & 0xFFFF,
        4..=127 => mixed & 0x3F,
        _ => mixed & 0x3FF,
    }
}

fn message(producer: &[u8; 16], epoch: u32, sequence: u64) -> Vec<u8> {
    let mut bytes = producer.to_vec();
    bytes.extend(epoch.to_le_bytes());
    bytes.extend(sequence.to_le_bytes());
    let start = (sequence & 0xFF) as usize;
    bytes.extend((start..start + filling(epoch, sequence)).map(|i| (131 * i + 17 * (i >> 8)) as u8));
    bytes
}

/// The journal's lines go out in one write each, so that a kill never leaves half of an earlier one.
fn note(mut journal: &File, what: &str, upto: u64) {
    if let Err(why) = journal.write_all(format!("{what} {upto}\n").as_bytes()) {
        eprintln!("producer: cannot write the journal: {why}");
        std::process::exit(1);
    }
}

/// The first connection may be cut like any other.
fn connected(config: &Config) -> Result<Client, Failure> {
    let begin = Instant::now();
    loop {
        match Client::connect(config.clone()) {
            Ok(client) => return Ok(client),
            Err(why) if begin.elapsed() > PATIENCE => return Err(format!("cannot connect: {why}").into()),
            Err(_) => sleep(Duration::from_millis(50)),
        }
    }
}

/// True when standard input has ended; nothing is ever written to it.
fn watch_input() -> Arc<AtomicBool> {
    let enough = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&enough);
    std::thread::spawn(move || {
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        flag.store(true, Ordering::Relaxed);
    });
    enough
}

fn run(words: &[String]) -> Result<(), Failure> {
    let [_, port, name, epoch, path] = words else {
        return Err("usage: torture_producer PORT PRODUCER EPOCH JOURNAL".into());
    };
    let producer = u128::from_str_radix(name, 16)?.to_be_bytes();
    let epoch: u32 = epoch.parse()?;
    let journal = Arc::new(OpenOptions::new().append(true).create(true).open(path)?);
    let acks = Arc::clone(&journal);
    let config = Config {
        producer,
        epoch,
        durability: Durability::Durable,
        max_kept_bytes: 1 << 20,
        most_backoff: Duration::from_millis(200),
        ping_after: Duration::from_secs(2),
        on_ack: Some(Arc::new(move |marks| note(&acks, "acked", marks.acked))),
        ..Config::new(format!("127.0.0.1:{port}"))
    };
    let client = connected(&config)?;
    let mut sequence = client.acked();
    note(&journal, "acked", sequence);
    let enough = watch_input();
    let mut batch = 1;
    while !enough.load(Ordering::Relaxed) {
        batch = batch * 31 % 61;
        note(&journal, "sending", sequence + batch);
        for _ in 0..batch {
            sequence += 1;
            let given = client.send(&message(&producer, epoch, sequence))?;
            if given != sequence {
                return Err(format!("message {sequence} got the number {given}").into());
            }
        }
        sleep(PACE);
    }
    client.flush(PATIENCE)?;
    if client.epoch() != epoch {
        return Err("the server has forgotten this producer".into());
    }
    Ok(())
}

fn main() {
    if let Err(why) = run(&std::env::args().collect::<Vec<_>>()) {
        eprintln!("producer: {why}");
        std::process::exit(1);
    }
}
