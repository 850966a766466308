//! `send_cost HOST:PORT COUNT`: the CPU time that sending a message of 32 bytes takes, in the caller's thread and in all threads, one by
//! one and gathered. On Linux, whose `/proc` it reads.

#![allow(clippy::print_stdout)] // A program, not the library.

use std::fs;
use std::time::Duration;

use aldis_transport::{Client, Config, MessageBatch};

const PATIENCE: Duration = Duration::from_secs(60);

/// Nanoseconds on a processor, as a file `schedstat` says.
fn nanoseconds(path: &str) -> Result<f64, Box<dyn std::error::Error>> {
    let text = fs::read_to_string(path)?;
    Ok(text.split_whitespace().next().ok_or("no schedstat")?.parse()?)
}

fn in_all() -> Result<f64, Box<dyn std::error::Error>> {
    let mut sum = 0.0;
    for task in fs::read_dir("/proc/self/task")? {
        sum += nanoseconds(&format!("{}/schedstat", task?.path().display()))?;
    }
    Ok(sum)
}

fn sent(client: &Client, batched: bool, count: u32) -> Result<(), aldis_transport::Error> {
    let message = [0; 32];
    if batched {
        let mut batch = MessageBatch::new(client);
        for _ in 0..count {
            batch.add(&message)?;
        }
        batch.push()?;
    } else {
        for _ in 0..count {
            client.send(&message)?;
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().collect();
    let [_, address, count] = words.as_slice() else {
        return Err("usage: send_cost HOST:PORT COUNT".into());
    };
    let count: u32 = count.parse()?;
    let client = Client::connect(Config::new(address.as_str()))?;
    for round in 0..6 {
        let batched = round % 2 == 1;
        let (mine, all) = (nanoseconds("/proc/thread-self/schedstat")?, in_all()?);
        sent(&client, batched, count)?;
        let mine_sent = nanoseconds("/proc/thread-self/schedstat")?;
        client.flush(PATIENCE)?;
        let each = |from: f64, to: f64| (to - from) / f64::from(count);
        let (caller, everywhere) = (each(mine, mine_sent), each(all, in_all()?));
        let way = if batched { "message_batch" } else { "send" };
        println!("{way:14}{caller:6.1} ns in the caller, {everywhere:6.1} ns in all threads until the last ack");
    }
    Ok(())
}
