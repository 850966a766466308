//! The packets of a capture in the formats pcap and pcapng.

use crate::{Fault, Stamp};
use pcap_parser::pcapng::Block;
use pcap_parser::traits::{PcapNGPacketBlock, PcapReaderIterator};
use pcap_parser::{create_reader, PcapBlockOwned, PcapError};
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

/// The bytes that are read at once, and the longest block that is believed.
const CAPACITY: usize = 1 << 18;
const LONGEST: usize = 64 << 20;

/// The interfaces of a section that are known; packets of others are packets of an unknown link.
const MOST_INTERFACES: usize = 1 << 16;

/// The link of a packet of no interface.
const UNKNOWN: i32 = -1;

/// One packet as it lay on the link.
pub(crate) struct Packet<'a> {
    pub stamp: Stamp,
    /// The kind of the link, as captures number them.
    pub link: i32,
    pub bytes: &'a [u8],
    /// It was longer on the wire.
    pub cut: bool,
}

/// An interface of a section, or the only one of a pcap file.
#[derive(Clone, Copy)]
struct Interface {
    link: i32,
    /// Units of time in a second, and seconds that are added to all times.
    resolution: u64,
    offset: i64,
}

pub(crate) struct Packets<'r> {
    reader: Box<dyn PcapReaderIterator + Send + 'r>,
    error: Arc<Mutex<Option<io::Error>>>,
    interfaces: Vec<Interface>,
    number: u64,
}

/// Gives as many bytes as were asked for, if there are so many, and keeps the error that the library does not tell.
struct Whole<R>(R, Arc<Mutex<Option<io::Error>>>);

impl<R: Read> Read for Whole<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(error) = &*self.1.lock().unwrap_or_else(PoisonError::into_inner) {
            return Err(io::Error::new(error.kind(), error.to_string()));
        }
        let mut filled = 0;
        while filled < buffer.len() {
            match self.0.read(&mut buffer[filled..]) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    let kept = io::Error::new(error.kind(), error.to_string());
                    *self.1.lock().unwrap_or_else(PoisonError::into_inner) = Some(kept);
                    // The bytes before it come first; the next call gives the error, as some readers are at their end then.
                    return if filled > 0 { Ok(filled) } else { Err(error) };
                }
            }
        }
        Ok(filled)
    }
}

impl<'r> Packets<'r> {
    pub fn new(source: impl Read + Send + 'r) -> Result<Self, Fault> {
        let error = Arc::default();
        let whole = Whole(source, Arc::clone(&error));
        match create_reader(CAPACITY, whole) {
            Ok(reader) => Ok(Self { reader, error, interfaces: Vec::new(), number: 0 }),
            Err(PcapError::ReadError) => Err(Fault::Read(taken(&error))),
            Err(_) => Err(Fault::NoCapture),
        }
    }

    /// Gives each packet to `on`, until that breaks or the capture ends.
    pub fn each<B>(&mut self, on: &mut dyn FnMut(&Packet<'_>) -> ControlFlow<B>) -> Result<Option<B>, Fault> {
        let Self { reader, error, interfaces, number } = self;
        let mut capacity = CAPACITY;
        loop {
            match reader.next() {
                Ok((size, block)) => {
                    let told = one(&block, interfaces, number, on);
                    drop(block);
                    reader.consume(size);
                    if let ControlFlow::Break(broken) = told {
                        return Ok(Some(broken));
                    }
                    if size == 0 {
                        return Err(Fault::Damaged { packets: *number });
                    }
                }
                Err(PcapError::Eof) => return Ok(None),
                Err(PcapError::UnexpectedEof) => {
                    let is_whole = reader.data().is_empty();
                    return if is_whole { Ok(None) } else { Err(Fault::Cut { packets: *number }) };
                }
                Err(PcapError::Incomplete(_)) => {
                    let before = reader.data().len();
                    // A buffer that was full holds the begin of one block alone.
                    if before >= capacity {
                        capacity = grown(reader.as_mut(), capacity).ok_or(Fault::Damaged { packets: *number })?;
                    }
                    reader.refill().map_err(|_| Fault::Read(taken(error)))?;
                    if reader.data().len() == before && reader.reader_exhausted() && before > 0 {
                        return Err(Fault::Cut { packets: *number });
                    }
                }
                Err(PcapError::BufferTooSmall) => {
                    capacity = grown(reader.as_mut(), capacity).ok_or(Fault::Damaged { packets: *number })?;
                    reader.refill().map_err(|_| Fault::Read(taken(error)))?;
                }
                Err(_) => return Err(Fault::Damaged { packets: *number }),
            }
        }
    }
}

/// A buffer of twice the capacity, while that is believed.
fn grown(reader: &mut dyn PcapReaderIterator, capacity: usize) -> Option<usize> {
    let larger = 2 * capacity;
    (larger <= LONGEST && reader.grow(larger)).then_some(larger)
}

fn taken(error: &Mutex<Option<io::Error>>) -> io::Error {
    let kept = error.lock().unwrap_or_else(PoisonError::into_inner).take();
    kept.unwrap_or_else(|| io::Error::other("it cannot be read"))
}

/// Takes what a block says of interfaces, and gives the packet that it is.
fn one<B>(
    block: &PcapBlockOwned<'_>,
    interfaces: &mut Vec<Interface>,
    number: &mut u64,
    on: &mut dyn FnMut(&Packet<'_>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let mut give = |link: i32, time: Option<u64>, bytes: &[u8], length: u32| {
        *number += 1;
        let cut = bytes.len() < length as usize;
        on(&Packet { stamp: Stamp { packet: *number, time }, link, bytes, cut })
    };
    match block {
        PcapBlockOwned::LegacyHeader(header) => {
            let resolution = if header.is_nanosecond_precision() { 1_000_000_000 } else { 1_000_000 };
            *interfaces = vec![Interface { link: header.network.0, resolution, offset: 0 }];
        }
        PcapBlockOwned::Legacy(packet) => {
            let Some(interface) = interfaces.first() else { return ControlFlow::Continue(()) };
            let nanos = u64::from(packet.ts_usec) * (1_000_000_000 / interface.resolution);
            let time = u64::from(packet.ts_sec) * 1_000_000_000 + nanos;
            return give(interface.link, Some(time), packet.data, packet.origlen);
        }
        PcapBlockOwned::NG(Block::SectionHeader(_)) => interfaces.clear(),
        PcapBlockOwned::NG(Block::InterfaceDescription(interface)) if interfaces.len() < MOST_INTERFACES => {
            interfaces.push(Interface {
                link: interface.linktype.0,
                resolution: resolution(interface.if_tsresol),
                offset: interface.if_tsoffset,
            });
        }
        PcapBlockOwned::NG(Block::EnhancedPacket(packet)) => {
            let units = u64::from(packet.ts_high) << 32 | u64::from(packet.ts_low);
            let (link, time) = match interfaces.get(packet.if_id as usize) {
                Some(interface) => (interface.link, interface.time(units)),
                None => (UNKNOWN, None),
            };
            return give(link, time, packet.packet_data(), packet.origlen);
        }
        PcapBlockOwned::NG(Block::SimplePacket(packet)) => {
            let link = interfaces.first().map_or(UNKNOWN, |interface| interface.link);
            return give(link, None, packet.packet_data(), packet.origlen);
        }
        PcapBlockOwned::NG(_) => {}
    }
    ControlFlow::Continue(())
}

impl Interface {
    fn time(self, units: u64) -> Option<u64> {
        let nanos = u128::from(units) * 1_000_000_000 / u128::from(self.resolution.max(1));
        let offset = i128::from(self.offset) * 1_000_000_000;
        u64::try_from(i128::try_from(nanos).ok()? + offset).ok()
    }
}

/// Units in a second by the option `if_tsresol`: a power of ten, or with the highest bit a power of two.
fn resolution(said: u8) -> u64 {
    let power = u32::from(said & 0x7f);
    let base: u64 = if said & 0x80 == 0 { 10 } else { 2 };
    base.saturating_pow(power)
}
