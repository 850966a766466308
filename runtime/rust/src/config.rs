//! The settings of a client, and the functions that it calls.

use crate::entries::Entries;
use crate::error::Error;
use crate::frame::{Producer, SchemaId};
use crate::stream::TlsOptions;
use crate::wire::{Durability, Window};
use std::sync::Arc;
use std::time::Duration;

/// Up to where the server has come, in sequences of this client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Watermarks {
    /// The watermark of the durability that was granted: these messages are done with.
    pub acked: u64,
    pub received: u64,
    pub handled: u64,
    pub durable: u64,
    /// Messages that this connection sent twice and the server dropped.
    pub duplicates: u64,
}

/// The state of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Connecting,
    Ready,
    /// The server wants no new messages, or has been told that none follow.
    Draining,
    /// There will be no other connection.
    Over,
}

/// Told of acks; on the reader's thread, like all callbacks. A callback must not wait for the client.
pub type OnAck = Arc<dyn Fn(&Watermarks) + Send + Sync>;
/// Told of a message that the handler did not take and why; it is sent again (`retry_refused`).
pub type OnRefused = Arc<dyn Fn(u64, &str) + Send + Sync>;
/// Told of the state and, when a connection was lost, why.
pub type OnState = Arc<dyn Fn(State, Option<&Error>) + Send + Sync>;
/// Answers a request of the server.
pub type OnRequest = Arc<dyn Fn(&[u8]) -> Result<Vec<u8>, Error> + Send + Sync>;
/// Told the answer to a request, once.
pub type OnReply = Box<dyn FnOnce(Result<&[u8], Error>) + Send>;
/// Told of messages from that sequence on.
pub type OnPush = Arc<dyn Fn(u64, Entries<'_>) + Send + Sync>;
/// Told why the server ended a subscription.
pub type OnEnd = Arc<dyn Fn(&Error) + Send + Sync>;

/// How to connect, whose messages they are, and how they are batched.
#[derive(Clone)]
pub struct Config {
    /// `HOST:PORT`.
    pub address: String,
    /// Servers with the same log: when one cannot be reached or is lost, the next is tried, in turn.
    pub other_addresses: Vec<String>,
    pub tls: Option<TlsOptions>,
    /// Keep both to go on after a restart of the process; a producer without memory takes a random one.
    pub producer: Producer,
    pub epoch: u32,
    /// At most 255 bytes, and with the data at most 4,053.
    pub auth_method: Vec<u8>,
    pub auth_data: Vec<u8>,
    pub durability: Durability,
    /// Wanted; 0: the server's choice.
    pub window: Window,
    pub checksum: bool,
    /// The schema and the template of all messages.
    pub schema: Option<SchemaId>,
    /// A batch goes out when it has so many bytes of entries, or when its first message is so old.
    pub batch_bytes: usize,
    pub linger: Duration,
    /// Bytes of entries sent and not acked that are kept; `send` waits beyond.
    pub max_kept_bytes: usize,
    pub connect_timeout: Duration,
    /// A server that is silent for so long is asked, and left when it stays silent for as long again.
    pub ping_after: Duration,
    /// Between attempts to connect: doubles from the least to the most, half of it random.
    pub least_backoff: Duration,
    pub most_backoff: Duration,
    /// A message that the server's handler refuses is sent again after a pause that doubles like the one between attempts
    /// to connect, and all behind it waits. With false the client is over.
    pub retry_refused: bool,
    pub on_ack: Option<OnAck>,
    pub on_refused: Option<OnRefused>,
    pub on_state: Option<OnState>,
    pub on_request: Option<OnRequest>,
}

impl Config {
    /// The defaults, with a random producer.
    pub fn new(address: impl Into<String>) -> Self {
        Self {
            address: address.into(),
            other_addresses: Vec::new(),
            tls: None,
            producer: random_producer(),
            epoch: 1,
            auth_method: Vec::new(),
            auth_data: Vec::new(),
            durability: Durability::Handled,
            window: Window::default(),
            checksum: true,
            schema: None,
            batch_bytes: 64 << 10,
            linger: Duration::from_millis(1),
            max_kept_bytes: 64 << 20,
            connect_timeout: Duration::from_secs(5),
            ping_after: Duration::from_secs(10),
            least_backoff: Duration::from_millis(50),
            most_backoff: Duration::from_secs(5),
            retry_refused: true,
            on_ack: None,
            on_refused: None,
            on_state: None,
            on_request: None,
        }
    }
}

/// A producer that nobody else has.
fn random_producer() -> Producer {
    let mut producer = Producer::default();
    // Without the system's randomness two keys of the standard library's own still differ from process to process.
    if getrandom::fill(&mut producer).is_err() {
        use std::hash::{BuildHasher, RandomState};
        let [low, high] = [0, 1].map(|half: u64| RandomState::new().hash_one(half));
        producer = (u128::from(low) | u128::from(high) << 64).to_le_bytes();
    }
    producer
}

/// The subject of a subscription.
#[derive(Clone)]
pub struct Subscription {
    /// At most 1,024 bytes.
    pub topic: String,
    /// The sequence of the topic to begin at; 0: what comes from now on.
    pub from: u64,
    /// Messages that the server may be ahead.
    pub credit: u32,
    pub on_push: OnPush,
    /// The server ended it; it does not come back by itself.
    pub on_end: OnEnd,
}
