//! From a packet on its link to what UDP or TCP carries in it.

use crate::{Flow, Transport};
use etherparse::{EtherType, LaxNetSlice, LaxSlicedPacket, TcpSlice, TransportSlice};
use std::net::{IpAddr, SocketAddr};

/// The content of a packet.
pub(crate) enum Payload<'a> {
    Udp {
        flow: Flow,
        bytes: &'a [u8],
    },
    Tcp {
        flow: Flow,
        segment: Segment<'a>,
    },
    Other,
    /// A part of a larger packet of IP, without the whole of its headers.
    Fragment,
    Damaged,
    UnknownLink,
}

/// A segment of TCP.
pub(crate) struct Segment<'a> {
    /// The number of its first byte.
    pub sequence: u32,
    /// It begins a stream; the first byte has the number behind it.
    pub begins: bool,
    /// It ends the stream behind its bytes, or at once.
    pub ends: bool,
    pub bytes: &'a [u8],
}

/// Reads the headers of a packet on a link of that kind.
pub(crate) fn payload(link: i32, bytes: &[u8]) -> Payload<'_> {
    // Links with a head that says what it carries: where it says so, and where that begins.
    let headed = |at: usize, head: usize| {
        let kind = bytes.get(at..at + 2)?;
        Some(LaxSlicedPacket::from_ether_type(EtherType(u16::from_be_bytes([kind[0], kind[1]])), bytes.get(head..)?))
    };
    let packet = match link {
        1 => LaxSlicedPacket::from_ethernet(bytes).ok(),
        // The head of loopback devices has the family in four bytes; IP says its version itself.
        0 | 108 => bytes.get(4..).and_then(|bytes| LaxSlicedPacket::from_ip(bytes).ok()),
        12 | 14 | 101 | 228 | 229 => LaxSlicedPacket::from_ip(bytes).ok(),
        113 => headed(14, 16),
        276 => headed(0, 20),
        _ => return Payload::UnknownLink,
    };
    packet.map_or(Payload::Damaged, of)
}

fn of(packet: LaxSlicedPacket<'_>) -> Payload<'_> {
    let (from, to, is_fragment): (IpAddr, IpAddr, bool) = match &packet.net {
        Some(LaxNetSlice::Ipv4(ip)) => {
            (ip.header().source_addr().into(), ip.header().destination_addr().into(), ip.is_payload_fragmented())
        }
        Some(LaxNetSlice::Ipv6(ip)) => {
            (ip.header().source_addr().into(), ip.header().destination_addr().into(), ip.is_payload_fragmented())
        }
        Some(LaxNetSlice::Arp(_)) => return Payload::Other,
        None if packet.stop_err.is_some() => return Payload::Damaged,
        None => return Payload::Other,
    };
    let flow = |transport, ports: (u16, u16)| Flow {
        transport,
        from: SocketAddr::new(from, ports.0),
        to: SocketAddr::new(to, ports.1),
    };
    match packet.transport {
        Some(TransportSlice::Udp(udp)) => {
            let ports = (udp.source_port(), udp.destination_port());
            Payload::Udp { flow: flow(Transport::Udp, ports), bytes: udp.payload() }
        }
        Some(TransportSlice::Tcp(tcp)) => {
            let ports = (tcp.source_port(), tcp.destination_port());
            Payload::Tcp { flow: flow(Transport::Tcp, ports), segment: segment(&tcp) }
        }
        None if is_fragment => Payload::Fragment,
        None if packet.stop_err.is_some() => Payload::Damaged,
        _ => Payload::Other,
    }
}

fn segment<'a>(tcp: &TcpSlice<'a>) -> Segment<'a> {
    Segment { sequence: tcp.sequence_number(), begins: tcp.syn(), ends: tcp.fin() || tcp.rst(), bytes: tcp.payload() }
}
