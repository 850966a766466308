//! Counts of each channel: its messages, and gaps in the numbers of its datagrams or in the bytes of its stream.

use crate::output::count;
use aldis_captures::{Flow, Transport};
use std::collections::HashMap;

/// So many channels are counted by themselves.
const MOST: usize = 1 << 16;

/// So many late datagrams one after another are no late ones: their channel counts anew.
const ANEW: u64 = 16;

/// All channels: the directions between two addresses.
#[derive(Default)]
pub struct Channels {
    channels: Vec<(Flow, Channel)>,
    by_flow: HashMap<Flow, usize>,
    last: usize,
    /// The sum of the channels beyond the number that is kept.
    others: Channel,
}

/// The counts of one channel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Channel {
    pub messages: u64,
    /// Holes in the numbers of datagrams or in the bytes of a stream.
    pub gaps: u64,
    /// The datagrams, or the bytes, that are not there.
    pub missing: u64,
    /// Datagrams whose number came before: doubled, or out of order.
    pub earlier: u64,
    /// How often numbers went on from another one without a gap that could be told.
    pub restarts: u64,
    /// The number that comes next.
    next: Option<u64>,
    /// The number behind the last late one, and how many late ones came in order.
    late: (u64, u64),
}

impl Channels {
    pub fn of(&mut self, flow: Flow) -> &mut Channel {
        match self.channels.get(self.last) {
            Some((known, _)) if *known == flow => {}
            _ => match self.by_flow.get(&flow) {
                Some(&known) => self.last = known,
                None if self.channels.len() == MOST => {
                    self.others.next = None;
                    return &mut self.others;
                }
                None => {
                    self.last = self.channels.len();
                    self.by_flow.insert(flow, self.last);
                    self.channels.push((flow, Channel::default()));
                }
            },
        }
        &mut self.channels[self.last].1
    }

    /// All channels in order.
    pub fn sorted(&self) -> Vec<(Flow, Channel)> {
        let mut all = self.channels.clone();
        all.sort_by_key(|(flow, _)| *flow);
        all
    }
}

impl Channel {
    /// Takes the number of a datagram, of so many bits, and gives how many datagrams are missing before it. Numbers begin
    /// again at 0 behind the largest.
    pub fn number(&mut self, number: u64, bits: u8) -> u64 {
        let mask = u64::MAX >> (64 - bits);
        let ahead = number.wrapping_sub(self.next.unwrap_or(number)) & mask;
        let after = number.wrapping_add(1) & mask;
        if ahead <= mask >> 1 {
            self.gaps += u64::from(ahead > 0);
            self.missing += ahead;
            self.late = (0, 0);
            self.next = Some(after);
            return ahead;
        }
        let (expected, run) = self.late;
        let run = if run > 0 && number == expected { run + 1 } else { 1 };
        self.earlier += 1;
        self.late = (after, run);
        if run == ANEW {
            self.earlier -= run;
            self.restarts += 1;
            self.late = (0, 0);
            self.next = Some(after);
        }
        0
    }

    /// `1 gap, 2 datagrams missing, 1 datagram doubled or late`
    pub fn text(&self, transport: Transport) -> String {
        let unit = match transport {
            Transport::Udp => "datagram",
            Transport::Tcp => "byte",
        };
        let mut text = format!("{}, {} missing", count(self.gaps as usize, "gap"), count(self.missing as usize, unit));
        if self.earlier > 0 {
            text.push_str(&format!(", {} doubled or late", count(self.earlier as usize, "datagram")));
        }
        if self.restarts > 0 {
            text.push_str(&format!(", numbers began anew {}", count(self.restarts as usize, "time")));
        }
        text
    }

    pub fn has_trouble(&self) -> bool {
        self.gaps + self.earlier + self.restarts > 0
    }
}

#[cfg(test)]
mod tests {
    use super::{Channel, ANEW};

    fn counts(numbers: impl IntoIterator<Item = u64>, bits: u8) -> (u64, u64, u64, u64) {
        let mut channel = Channel::default();
        for number in numbers {
            channel.number(number, bits);
        }
        (channel.gaps, channel.missing, channel.earlier, channel.restarts)
    }

    #[test]
    fn numbers_wrap() {
        assert_eq!(counts([65_534, 65_535, 0, 1], 16), (0, 0, 0, 0));
        assert_eq!(counts([65_534, 1, 0], 16), (1, 2, 1, 0));
        assert_eq!(counts([u64::from(u32::MAX), 0, 2], 32), (1, 1, 0, 0));
        assert_eq!(counts([u64::MAX, 0, 1], 64), (0, 0, 0, 0));
    }

    #[test]
    fn doubled_ones_are_late_and_a_long_row_of_late_ones_counts_anew() {
        assert_eq!(counts((0..100).flat_map(|number| [number, number]), 32), (0, 0, 100, 0));
        assert_eq!(counts([900, 901].into_iter().chain(1..=ANEW + 5), 32), (0, 0, 0, 1));
        // A number that cannot be does no harm for long.
        assert_eq!(counts([1, 2, 1 << 30].into_iter().chain(3..50), 32), (1, (1 << 30) - 3, 0, 1));
    }
}
