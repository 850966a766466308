//! The places of messages.

use super::shown;
use aldis_captures::{Flow, Stamp, Transport};

/// The place of a message in the input.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The message's number in the input, from 0.
    pub index: u64,
    /// Its first byte: in the file, in the stream of TCP, or in the datagram's payload.
    pub offset: u64,
    /// The packet that completed it, where the input is captured traffic.
    pub packet: Option<Packet<'a>>,
}

/// A packet with messages.
#[derive(Clone, Copy, Debug)]
pub struct Packet<'a> {
    /// The channel.
    pub flow: Flow,
    pub stamp: Stamp,
    /// The number in the datagram's packet header.
    pub sequence: Option<u64>,
    /// The JSON of that header, where it was asked for.
    pub head: &'a [u8],
}

impl Place<'_> {
    /// `message 7, stream byte 90`, or `message 7, packet 12, udp 10.0.0.1:4000 > 224.0.31.1:5000, byte 12`
    pub fn text(&self) -> String {
        let Self { index, offset, packet } = self;
        match packet {
            Some(Packet { flow, stamp, .. }) => {
                format!("message {index}, packet {}, {flow}, byte {offset}", stamp.packet)
            }
            None => format!("message {index}, stream byte {offset}"),
        }
    }
}

impl Packet<'_> {
    /// Appends the packet as JSON.
    pub fn json(&self, out: &mut Vec<u8>) {
        let transport = match self.flow.transport {
            Transport::Udp => "udp",
            Transport::Tcp => "tcp",
        };
        let time = self.stamp.time.map(shown);
        let mut object = serde_json::json!({
            "number": self.stamp.packet, "time": time, "transport": transport,
            "from": self.flow.from.to_string(), "to": self.flow.to.to_string(),
        });
        if let Some(sequence) = self.sequence {
            object["sequence"] = sequence.into();
        }
        out.extend_from_slice(object.to_string().as_bytes());
        if !self.head.is_empty() {
            out.pop();
            out.extend_from_slice(b",\"header\":");
            out.extend_from_slice(self.head);
            out.push(b'}');
        }
    }
}
