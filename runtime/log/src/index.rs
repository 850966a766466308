//! The index beside a file of the log that is no longer written. It can be made again, so one that is damaged is as none.

use crate::bytes::{crc32, Reader};
use std::fs;
use std::path::Path;

const MAGIC: &[u8] = b"ALDISIDX";
const VERSION: u32 = 1;
/// A larger file is no index of ours.
const MOST: u64 = 16 << 20;

/// The statement of an index about its file.
#[derive(Clone, Copy, Debug)]
pub struct Index {
    pub salt: u32,
    pub base: u64,
    /// The file's bytes.
    pub size: u64,
    /// The begin of its first record.
    pub start: u64,
}

/// The index of a file of the log, if there is a good one.
pub fn beside(path: &Path) -> Option<Index> {
    let path = path.with_extension("index");
    if fs::metadata(&path).ok()?.len() > MOST {
        return None;
    }
    decode(&fs::read(path).ok()?)
}

fn decode(bytes: &[u8]) -> Option<Index> {
    let (body, crc) = bytes.split_last_chunk::<4>()?;
    if crc32(0, body).to_le_bytes() != *crc {
        return None;
    }
    let mut reader = Reader(body);
    reader.is(MAGIC)?;
    if reader.u32()? != VERSION {
        return None;
    }
    let (salt, base, _next, _created) = (reader.u32()?, reader.u64()?, reader.u64()?, reader.u64()?);
    let (size, places) = (reader.u64()?, reader.u32()?);
    let start = if places > 0 { Reader(reader.0.get(8..)?).u64()? } else { size };
    Some(Index { salt, base, size, start })
}
