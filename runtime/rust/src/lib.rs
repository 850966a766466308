//! The client of aldis/1 (docs/protocol.md): acknowledged messages, requests and subscriptions over TCP or TLS.
//!
//! ```no_run
//! use aldis_transport::{Client, Config, Durability};
//! use std::time::Duration;
//!
//! let config = Config { durability: Durability::Durable, ..Config::new("orders.example:7000") };
//! let client = Client::connect(config)?;
//! let sequence = client.send(b"an order")?;
//! client.flush(Duration::from_secs(5))?;
//! assert!(client.acked() >= sequence);
//! client.drain(Duration::from_secs(5))?;
//! # Ok::<(), aldis_transport::Error>(())
//! ```
//!
//! Messages that are not acked are kept and sent again when a connection was lost; the server drops what it had. A server that has
//! lost its memory gets what is left in a new epoch.

mod batch;
mod client;
mod config;
mod entries;
mod error;
mod event;
mod frame;
mod front;
mod inbox;
mod inner;
mod outbox;
mod requests;
mod session;
mod stream;
mod subscriptions;
mod wire;

pub use batch::MessageBatch;
pub use client::Client;
pub use config::{
    Config, OnAck, OnEnd, OnPush, OnRefused, OnReply, OnRequest, OnState, State, Subscription, Watermarks,
};
pub use entries::{push_entry, Entries};
pub use error::{Code, Error};
pub use frame::{feature, Ack, Batch, Frame, Hello, Producer, SchemaId, Welcome, VERSION};
pub use inbox::Inbox;
pub use stream::TlsOptions;
pub use wire::{Durability, Window, LENGTH};
