//! Captures for tests, made packet by packet.

use etherparse::PacketBuilder;

/// Packets with their times in nanoseconds.
pub type Packets = Vec<(u64, Vec<u8>)>;

pub const A: [u8; 4] = [10, 0, 0, 1];
pub const B: [u8; 4] = [224, 0, 31, 1];

pub fn datagram(ports: (u16, u16), bytes: &[u8]) -> Vec<u8> {
    let mut packet = Vec::new();
    PacketBuilder::ethernet2([2; 6], [3; 6]).ipv4(A, B, 20).udp(ports.0, ports.1).write(&mut packet, bytes).unwrap();
    packet
}

/// A segment of TCP, with SYN and FIN where they are said.
pub fn segment(ports: (u16, u16), sequence: u32, bytes: &[u8], (syn, fin): (bool, bool)) -> Vec<u8> {
    let mut packet = Vec::new();
    let mut builder =
        PacketBuilder::ethernet2([2; 6], [3; 6]).ipv4(A, B, 20).tcp(ports.0, ports.1, sequence, 1000).ack(1);
    if syn {
        builder = builder.syn();
    }
    if fin {
        builder = builder.fin();
    }
    builder.write(&mut packet, bytes).unwrap();
    packet
}

/// A file of pcap; numbers are little endian or big endian, times have nanoseconds or microseconds.
pub fn pcap(packets: &Packets, big: bool, nanos: bool) -> Vec<u8> {
    let number = |value: u32| if big { value.to_be_bytes() } else { value.to_le_bytes() };
    let magic = if nanos { 0xa1b2_3c4d } else { 0xa1b2_c3d4 };
    let version = if big { [0, 2, 0, 4] } else { [2, 0, 4, 0] };
    let mut file = [number(magic), version, [0; 4], [0; 4], number(65_535), number(1)].concat();
    for (time, bytes) in packets {
        let (seconds, rest) = (time / 1_000_000_000, time % 1_000_000_000);
        let parts = if nanos { rest } else { rest / 1000 };
        let length = number(bytes.len() as u32);
        file.extend([number(seconds as u32), number(parts as u32), length, length].concat());
        file.extend(bytes);
    }
    file
}

fn block(kind: u32, body: &[u8]) -> Vec<u8> {
    let padding = (4 - body.len() % 4) % 4;
    let length = (12 + body.len() + padding) as u32;
    [&kind.to_le_bytes()[..], &length.to_le_bytes(), body, &[0; 3][..padding], &length.to_le_bytes()].concat()
}

/// A file of pcapng with an option of the section that is as long as it is said, and times in units of 10^-9 s.
pub fn pcapng(packets: &Packets, comment: usize) -> Vec<u8> {
    let option = |code: u16, value: &[u8]| {
        let padding = (4 - value.len() % 4) % 4;
        [&code.to_le_bytes()[..], &(value.len() as u16).to_le_bytes(), value, &[0; 3][..padding]].concat()
    };
    let magic = [0x4d, 0x3c, 0x2b, 0x1a, 1, 0, 0, 0];
    let section = [&magic[..], &[0xff; 8], &option(1, &vec![b'c'; comment]), &option(0, &[])].concat();
    let interface = [&[1, 0, 0, 0, 0, 0, 4, 0][..], &option(9, &[9]), &option(0, &[])].concat();
    let mut file = [block(0x0a0d_0d0a, &section), block(1, &interface)].concat();
    for (time, bytes) in packets {
        let length = (bytes.len() as u32).to_le_bytes();
        let (high, low) = (((time >> 32) as u32).to_le_bytes(), (*time as u32).to_le_bytes());
        file.extend(block(6, &[&[0; 4][..], &high, &low, &length, &length, bytes].concat()));
    }
    file
}
