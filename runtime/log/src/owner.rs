//! The file `owner` of a folder: who has the log, and up to where the newest file was on the disk.

use crate::bytes::{crc32, Reader};
use crate::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

const MAGIC: &[u8] = b"ALDISOWN";
const VERSION: u32 = 1;
/// The most of `who` that is written.
const MOST: usize = 400;

#[derive(Clone, Debug, Default)]
pub struct Owner {
    /// Zeros after an owner that ended well.
    pub id: [u8; 16],
    pub beat: u64,
    /// 1: it holds the kernel's lock of the file too.
    pub kind: u32,
    /// The system's run and the network namespace of the owner.
    pub places: [[u8; 16]; 2],
    pub mark: Mark,
    pub who: String,
}

/// The part of the file with a salt that was on the disk; zeros: nothing is known.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mark {
    pub salt: u64,
    pub position: u64,
    pub offset: u64,
}

pub fn path(folder: &Path) -> PathBuf {
    folder.join("owner")
}

/// The owner that the file names; none when there is no file, or it is just being written.
pub fn read(folder: &Path) -> Option<Owner> {
    decode(&fs::read(path(folder)).ok()?)
}

/// Writes over what the file says: it is never replaced, as the kernel's lock is of the file and not of its name.
pub fn write(folder: &Path, owner: &Owner) -> Result<(), Error> {
    use std::io::Write;
    let path = path(folder);
    let file = fs::OpenOptions::new().write(true).create(true).truncate(false).open(&path);
    file.and_then(|mut file| file.write_all(&encode(owner)).and_then(|()| file.sync_data())).map_err(Error::file(&path))
}

fn decode(bytes: &[u8]) -> Option<Owner> {
    let mut reader = Reader(bytes);
    reader.is(MAGIC)?;
    if reader.u32()? != VERSION {
        return None;
    }
    let (id, beat, kind) = (reader.array()?, reader.u64()?, reader.u32()?);
    let places = [reader.array()?, reader.array()?];
    let mark = Mark { salt: reader.u64()?, position: reader.u64()?, offset: reader.u64()? };
    let size = usize::from(reader.u16()?);
    let who = String::from_utf8_lossy(reader.take(size)?).into_owned();
    let body = bytes.get(..bytes.len() - reader.0.len())?;
    (reader.u32()? == crc32(0, body)).then_some(Owner { id, beat, kind, places, mark, who })
}

fn encode(owner: &Owner) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(owner.id);
    bytes.extend(owner.beat.to_le_bytes());
    bytes.extend(owner.kind.to_le_bytes());
    bytes.extend(owner.places.concat());
    for number in [owner.mark.salt, owner.mark.position, owner.mark.offset] {
        bytes.extend(number.to_le_bytes());
    }
    let who = &owner.who.as_bytes()[..owner.who.len().min(MOST)];
    bytes.extend(u16::try_from(who.len()).unwrap_or_default().to_le_bytes());
    bytes.extend(who);
    let crc = crc32(0, &bytes);
    bytes.extend(crc.to_le_bytes());
    bytes
}
