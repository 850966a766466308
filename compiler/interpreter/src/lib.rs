//! The specification, executable: walks a [`aldis_plan::Plan`] over bytes.
//!
//! One walk emits events (`walk::Sink`); values, JSON and explanations are sinks of it. Encoding, JSON reading and random
//! values go the other way, from a [`Value`]. Nothing here knows a format's name or a language, and nothing prints.
//! Every generated codec is tested against this crate.

mod blocks;
mod codec;
mod encode;
mod explain;
mod fault;
mod ids;
mod json;
mod json_text;
mod order;
mod random;
mod scalar;
mod segments;
mod tables;
mod testee;
mod value;
mod walk;

pub use blocks::{Block, Blocks, List};
pub use codec::Codec;
pub use explain::{explain, Entry, EntryKind, Explainer, Explanation};
pub use fault::{Code, Fault};
pub use scalar::Datum;
pub use segments::MessageEnd;
pub use tables::Tables;
pub use testee::{from_hex, to_hex, Testee};
pub use value::Value;
pub use walk::{Sink, Taken, ValueSink};
