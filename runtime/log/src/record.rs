//! A record: one batch of one producer, an announcement of a producer's epoch, or the place of what is lost.

use crate::bytes::{crc32, Reader};

/// The bytes before the entries.
pub const HEADER: u64 = 80;
/// Those of the header that its length does not count: salt, checksum and the length itself.
const UNCOUNTED: u64 = 12;
const HAS_SCHEMA: u32 = 1;
const LOST: u32 = 4;

/// A record without its checksum, which was right.
#[derive(Clone, Debug)]
pub struct Record<'a> {
    /// The log's number of the first message.
    pub offset: u64,
    /// How many bytes of the file were on the disk when the record was written.
    pub synced: u64,
    /// In milliseconds since 1970.
    pub time: u64,
    pub producer: [u8; 16],
    pub epoch: u32,
    /// The producer's number of the first message.
    pub first: u64,
    pub count: u32,
    /// The numbers of the schema and the template.
    pub schema: Option<(u32, u32)>,
    /// How many messages, from `offset` on, are lost: the record stands in their place.
    pub lost: u64,
    /// For each message its size as u32 and its bytes; none where `count` is 0.
    pub entries: &'a [u8],
}

/// How long the record is that `bytes` begin with, as it says itself.
pub fn length(bytes: &[u8], salt: u32) -> Option<u64> {
    let mut reader = Reader(bytes);
    let (begin, _, length) = (reader.u32()?, reader.u32()?, reader.u32()?);
    let whole = u64::from(length) + UNCOUNTED;
    (begin == salt && whole >= HEADER).then_some(whole)
}

/// The record that `bytes` begin with, and its length.
pub fn decode(bytes: &[u8], salt: u32) -> Option<(Record<'_>, u64)> {
    let whole = length(bytes, salt)?;
    let checked = bytes.get(8..usize::try_from(whole).ok()?)?;
    if crc32(salt, checked) != checksum(bytes)? {
        return None;
    }
    Some((read(checked.get(4..)?)?, whole))
}

/// The record that `bytes` begin with, as its header says and without its entries; its checksum may be wrong.
pub fn head(bytes: &[u8]) -> Option<Record<'_>> {
    read(bytes.get(UNCOUNTED as usize..HEADER as usize)?)
}

/// The checksum that stands in a record's header.
pub fn checksum(bytes: &[u8]) -> Option<u32> {
    Reader(bytes.get(4..)?).u32()
}

fn read(bytes: &[u8]) -> Option<Record<'_>> {
    let mut reader = Reader(bytes);
    let (offset, synced, time) = (reader.u64()?, reader.u64()?, reader.u64()?);
    let (producer, epoch, first, count) = (reader.array()?, reader.u32()?, reader.u64()?, reader.u32()?);
    let (flags, id, template) = (reader.u32()?, reader.u32()?, reader.u32()?);
    let is_batch = count > 0;
    Some(Record {
        offset,
        synced,
        time,
        producer,
        epoch,
        first,
        count,
        schema: (is_batch && flags & HAS_SCHEMA != 0).then_some((id, template)),
        lost: if !is_batch && flags & LOST != 0 { first } else { 0 },
        entries: if is_batch { reader.0 } else { &[] },
    })
}

impl<'a> Record<'a> {
    /// The offset behind the record's messages.
    pub fn next(&self) -> u64 {
        self.offset.saturating_add(u64::from(self.count)).saturating_add(self.lost)
    }

    /// The messages with their offsets and the producer's numbers; fewer than `count` where the entries are not as many.
    pub fn messages(&self) -> impl Iterator<Item = (u64, u64, &'a [u8])> + '_ {
        let mut reader = Reader(self.entries);
        (0..u64::from(self.count)).map_while(move |at| {
            let size = reader.u32()?;
            let bytes = reader.take(usize::try_from(size).ok()?)?;
            Some((self.offset.saturating_add(at), self.first.saturating_add(at), bytes))
        })
    }
}

/// The record in place of `size` damaged bytes, at least a header's: `count` messages from `offset` on are lost.
pub fn lost(offset: u64, count: u64, synced: u64, size: u64, time: u64, salt: u32) -> Vec<u8> {
    let size = usize::try_from(size.max(HEADER)).unwrap_or(usize::MAX);
    let counted = u32::try_from(size as u64 - UNCOUNTED).unwrap_or(u32::MAX);
    let mut bytes = Vec::with_capacity(size);
    bytes.extend(salt.to_le_bytes());
    bytes.extend([0; 4]);
    bytes.extend(counted.to_le_bytes());
    for number in [offset, synced, time] {
        bytes.extend(number.to_le_bytes());
    }
    // No producer and no epoch.
    bytes.extend([0; 20]);
    bytes.extend(count.to_le_bytes());
    bytes.extend(0u32.to_le_bytes());
    bytes.extend(LOST.to_le_bytes());
    bytes.resize(size, 0);
    let crc = crc32(salt, &bytes[8..]);
    bytes[4..8].copy_from_slice(&crc.to_le_bytes());
    bytes
}
