//! The part of the traffic that is wanted.

use crate::Flow;
use std::net::IpAddr;

/// All of its conditions must hold; one without values always does.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Ports, of which either side has one.
    pub ports: Vec<u16>,
    /// Hosts or multicast groups, of which either side is one.
    pub hosts: Vec<IpAddr>,
    /// The first time, and the first one that is too late, in nanoseconds since 1970.
    pub from: Option<u64>,
    pub until: Option<u64>,
}

impl Filter {
    /// Whether a packet is wanted. One without a time is, whatever the time.
    pub fn wants(&self, flow: &Flow, time: Option<u64>) -> bool {
        let sides = [flow.from, flow.to];
        let by_port = self.ports.is_empty() || sides.iter().any(|side| self.ports.contains(&side.port()));
        let by_host = self.hosts.is_empty() || sides.iter().any(|side| self.hosts.contains(&side.ip()));
        let early = self.from.zip(time).is_some_and(|(from, time)| time < from);
        let late = self.until.zip(time).is_some_and(|(until, time)| time >= until);
        by_port && by_host && !early && !late
    }
}
