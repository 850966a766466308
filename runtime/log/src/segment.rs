//! The header of a file of the log.

use crate::bytes::{crc32, Reader};
use crate::file::Windowed;
use std::io;

const MAGIC: &[u8] = b"ALDISLOG";
/// The version that is written today.
pub const VERSION: u32 = 2;
/// The bytes of a header without its producers, and of one of those, in version 1 and today.
const FIRST: (u64, u64) = (40, 36);
const SECOND: (u64, u64) = (44, 52);
/// How much of the producers is checked at a time.
const PART: u64 = 1 << 20;

/// The values of a header, but for the producers.
#[derive(Clone, Copy, Debug)]
pub struct Head {
    pub version: u32,
    pub salt: u32,
    pub base: u64,
    pub created: u64,
    /// How many producers it knows.
    pub producers: u32,
    /// The begin of the records.
    pub start: u64,
    /// Whether the producers are as they were written.
    pub knows: bool,
}

/// Why there is no header.
pub enum NoHead {
    Damaged,
    Version(u32),
}

/// The header of a file.
pub fn head(file: &mut Windowed) -> io::Result<Result<Head, NoHead>> {
    let bytes = file.read(0, SECOND.0)?.to_owned();
    let Some((mut head, table)) = fields(&bytes) else {
        return Ok(Err(NoHead::Damaged));
    };
    let (sizes, begun) = match head.version {
        1 => (FIRST, crc32(0, &bytes[..36])),
        _ if bytes.get(40..44) != Some(&crc32(0, &bytes[..40]).to_le_bytes()) => return Ok(Err(NoHead::Damaged)),
        VERSION => (SECOND, 0),
        newer => return Ok(Err(NoHead::Version(newer))),
    };
    head.start = sizes.0 + sizes.1 * u64::from(head.producers);
    head.knows = head.start <= file.size() && checksum(file, sizes.0, head.start, begun)? == table;
    // The one checksum of version 1 is of all.
    let is_damaged = head.start > file.size() || head.version == 1 && !head.knows;
    Ok(if is_damaged { Err(NoHead::Damaged) } else { Ok(head) })
}

/// The fields of both versions, which begin alike, and the checksum behind them.
fn fields(bytes: &[u8]) -> Option<(Head, u32)> {
    let mut reader = Reader(bytes);
    reader.is(MAGIC)?;
    let (version, salt, base) = (reader.u32()?, reader.u32()?, reader.u64()?);
    let (created, producers, table) = (reader.u64()?, reader.u32()?, reader.u32()?);
    Some((Head { version, salt, base, created, producers, start: 0, knows: false }, table))
}

fn checksum(file: &mut Windowed, from: u64, to: u64, begun: u32) -> io::Result<u32> {
    let (mut at, mut crc) = (from, begun);
    while at < to {
        let bytes = file.read(at, PART.min(to - at))?;
        let part = &bytes[..bytes.len().min(usize::try_from(to - at).unwrap_or(usize::MAX))];
        if part.is_empty() {
            break;
        }
        crc = crc32(crc, part);
        at += part.len() as u64;
    }
    Ok(crc)
}

/// The header of today's version for a file whose header is of the first, and where the file's records begin.
pub fn upgraded(file: &mut Windowed, head: &Head) -> io::Result<Vec<u8>> {
    let mut table = Vec::new();
    for at in (FIRST.0..head.start).step_by(FIRST.1 as usize) {
        let mut producer = Reader(file.read(at, FIRST.1)?);
        let (Some(id), Some(epoch), Some(last), Some(time)) =
            (producer.take(16), producer.take(4), producer.u64(), producer.u64())
        else {
            break;
        };
        table.extend(id);
        // It belongs to nobody.
        table.extend([0; 16]);
        table.extend(epoch);
        table.extend(last.to_le_bytes());
        table.extend(&time.to_le_bytes()[..6]);
        table.extend(u16::from(last > 0).to_le_bytes());
    }
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(head.salt.to_le_bytes());
    bytes.extend(head.base.to_le_bytes());
    bytes.extend(head.created.to_le_bytes());
    bytes.extend(head.producers.to_le_bytes());
    bytes.extend(crc32(0, &table).to_le_bytes());
    bytes.extend(crc32(0, &bytes).to_le_bytes());
    bytes.extend(table);
    Ok(bytes)
}
