//! Statistics of framed messages: kinds, versions, rates, damage and gaps, in memory that does not grow with the input.

mod kinds;
mod page;
mod plots;
mod report;
mod terminal;
mod timeline;

pub use page::page;
pub use terminal::text;

use crate::schemas::{Choice, Schemas};
use crate::traffic::Place;
use kinds::Kinds;
use timeline::Timeline;

/// So many damaged messages are told one by one.
const FIRST: usize = 10;

/// The first steps of timelines: two to these powers of bytes, and of nanoseconds.
const BYTES: u32 = 12;
const NANOS: u32 = 10;

/// Counts messages.
pub struct Stats<'s> {
    schemas: &'s Schemas,
    /// The kind that all messages are.
    only: Option<usize>,
    /// Whether messages are walked for faults.
    verify: bool,
    kinds: Kinds,
    line: Timeline,
    /// The first and the last time of packets.
    times: Option<(u64, u64)>,
    damaged: Vec<Damaged>,
}

/// A damaged message.
struct Damaged {
    index: u64,
    offset: u64,
    /// Its packet and its channel.
    packet: Option<(u64, String)>,
    text: String,
}

impl<'s> Stats<'s> {
    /// For a capture, or for a file; `message` is what all messages are.
    pub fn new(schemas: &'s Schemas, message: Option<usize>, verify: bool, is_capture: bool) -> Self {
        let mut kinds = Kinds::new();
        let only = message.map(|message| kinds.only((Choice { schema: 0, is_newer: false }, message)));
        let line = Timeline::new(if is_capture { NANOS } else { BYTES });
        Self { schemas, only, verify, kinds, line, times: None, damaged: Vec::new() }
    }

    /// Counts a message.
    #[inline]
    pub fn add(&mut self, place: &Place<'_>, bytes: &[u8]) {
        let head = self.schemas.heads.as_ref().and_then(|heads| heads.read(bytes));
        let kind = match (self.only, head) {
            (Some(only), _) => only,
            (None, Some(head)) => self.kinds.find(head, bytes, self.schemas),
            (None, None) => Kinds::UNREADABLE,
        };
        let length = bytes.len() as u64;
        let counted = self.kinds.add(kind, length);
        match place.packet {
            None => self.line.add(place.offset, length),
            Some(packet) => {
                if let Some(time) = packet.stamp.time {
                    let (first, last) = self.times.unwrap_or((time, time));
                    self.times = Some((first.min(time), last.max(time)));
                    self.line.add(time, length);
                }
            }
        }
        let fault = match counted.meaning {
            Some((choice, message)) if self.verify => {
                let fault = self.schemas.list[choice.schema].codec.verify(message, bytes).err();
                fault.map(|fault| fault.to_string())
            }
            None if kind == Kinds::UNREADABLE => Some("the message ends within its header".to_owned()),
            _ => None,
        };
        if let Some(text) = fault {
            counted.damaged += 1;
            self.damage(place, text);
        }
    }

    #[cold]
    fn damage(&mut self, place: &Place<'_>, text: String) {
        if self.damaged.len() < FIRST {
            let packet = place.packet.map(|packet| (packet.stamp.packet, packet.flow.to_string()));
            self.damaged.push(Damaged { index: place.index, offset: place.offset, packet, text });
        }
    }
}
