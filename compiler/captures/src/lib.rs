//! The payloads of UDP and TCP in captured traffic (pcap, pcapng), packed by gzip or zstd or not.
//!
//! ```text
//! file ─► unpacked ─► packets (pcap, pcapng) ─► layers (Ethernet, VLAN, IP) ─► filter ─┬► datagrams of UDP
//!                                                                                      └► streams of TCP, put together
//! ```
//! A capture is read once, from its begin to its end. The memory that it takes does not depend on its length: what waits for
//! missing bytes of TCP has a bound, and so has the number of streams.

mod filter;
mod layers;
mod packets;
mod streams;
mod unpacked;

pub use filter::Filter;
pub use unpacked::unpacked;

use layers::{payload, Payload};
use packets::Packets;
use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, Read};
use std::net::SocketAddr;
use std::ops::ControlFlow;
use streams::Streams;

/// The protocol that a payload was sent by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Transport {
    Udp,
    Tcp,
}

/// One direction between two addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Flow {
    pub transport: Transport,
    pub from: SocketAddr,
    pub to: SocketAddr,
}

impl fmt::Display for Flow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let transport = match self.transport {
            Transport::Udp => "udp",
            Transport::Tcp => "tcp",
        };
        write!(f, "{transport} {} > {}", self.from, self.to)
    }
}

/// A packet of the capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Counted from 1, as other tools count them.
    pub packet: u64,
    /// Nanoseconds since 1970; `None` where the capture has no times.
    pub time: Option<u64>,
}

/// Something in the traffic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// The payload of one datagram.
    Datagram { flow: Flow, stamp: Stamp, bytes: &'a [u8], cut: bool },
    /// The next bytes of a stream. The stamp is that of the packet that completed them.
    Bytes { flow: Flow, stamp: Stamp, bytes: &'a [u8] },
    /// So many bytes of a stream are not in the capture; what follows lies behind them.
    Gap { flow: Flow, stamp: Stamp, lost: u64 },
    /// The stream has ended. A later one may have the same addresses.
    End { flow: Flow },
}

/// How many packets there were, and those that gave no payload.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub packets: u64,
    /// Neither UDP nor TCP over IP.
    pub others: u64,
    /// Not wanted by the filter.
    pub filtered: u64,
    /// Fragments of larger packets of IP.
    pub fragments: u64,
    /// Headers that cannot be.
    pub damaged: u64,
    /// Shorter than they were on the wire.
    pub cut: u64,
    /// Kinds of links that are not known, by their numbers in captures.
    pub unknown_links: BTreeSet<i32>,
}

/// Why a capture cannot be read on.
#[derive(Debug)]
pub enum Fault {
    Read(io::Error),
    /// It is no capture.
    NoCapture,
    /// It ends within a packet: so many are whole.
    Cut {
        packets: u64,
    },
    /// It makes no sense behind so many packets.
    Damaged {
        packets: u64,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Read(error) => error.fmt(f),
            Fault::NoCapture => {
                f.write_str("this is no capture: neither pcap nor pcapng, packed by gzip or zstd or not")
            }
            Fault::Cut { packets } => write!(f, "the capture ends within a packet, after {packets} whole ones"),
            Fault::Damaged { packets } => write!(f, "the capture is damaged behind packet {packets}"),
        }
    }
}

/// A capture that is being read.
pub struct Capture<'r> {
    packets: Packets<'r>,
    filter: Filter,
    streams: Streams,
    tally: Tally,
}

impl<'r> Capture<'r> {
    /// Begins to read a capture.
    ///
    /// # Errors
    /// A source that cannot be read, or is no capture.
    pub fn new(source: impl Read + Send + 'r, filter: Filter) -> Result<Self, Fault> {
        let source = unpacked(source).map_err(Fault::Read)?;
        let packets = Packets::new(source)?;
        Ok(Self { packets, filter, streams: Streams::default(), tally: Tally::default() })
    }

    /// Reads the capture to its end, or until `on` breaks. Streams that it cuts are ended by the capture's end; of what comes
    /// before a fault, everything is told first.
    ///
    /// # Errors
    /// A capture that cannot be read on.
    pub fn each<B>(&mut self, mut on: impl FnMut(Event<'_>) -> ControlFlow<B>) -> Result<Option<B>, Fault> {
        let Self { packets, filter, streams, tally } = self;
        let read = packets.each(&mut |packet| {
            tally.packets += 1;
            tally.cut += u64::from(packet.cut);
            match payload(packet.link, packet.bytes) {
                Payload::Udp { flow, bytes } if filter.wants(&flow, packet.stamp.time) => {
                    on(Event::Datagram { flow, stamp: packet.stamp, bytes, cut: packet.cut })
                }
                Payload::Tcp { flow, segment } if filter.wants(&flow, packet.stamp.time) => {
                    streams.segment(flow, packet.stamp, &segment, &mut on)
                }
                without => {
                    match without {
                        Payload::Udp { .. } | Payload::Tcp { .. } => tally.filtered += 1,
                        Payload::Other => tally.others += 1,
                        Payload::Fragment => tally.fragments += 1,
                        Payload::Damaged => tally.damaged += 1,
                        Payload::UnknownLink => drop(tally.unknown_links.insert(packet.link)),
                    }
                    ControlFlow::Continue(())
                }
            }
        });
        match read {
            Ok(Some(broken)) => Ok(Some(broken)),
            Ok(None) => Ok(streams.end(&mut on).break_value()),
            Err(fault) => match streams.end(&mut on) {
                ControlFlow::Break(broken) => Ok(Some(broken)),
                ControlFlow::Continue(()) => Err(fault),
            },
        }
    }

    pub fn tally(&self) -> &Tally {
        &self.tally
    }
}
