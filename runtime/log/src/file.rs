//! A file that is read at any place, a window at a time.

use crate::record::{decode, length, Record, HEADER};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

/// How much is read at once.
const WINDOW: u64 = 1 << 20;
/// The salt's bytes, which every record begins with.
const SALT: u64 = 4;

/// A file, its size when it was opened, and what was read of it last.
pub struct Windowed {
    file: File,
    size: u64,
    at: u64,
    bytes: Vec<u8>,
}

impl Windowed {
    pub fn new(file: File) -> io::Result<Self> {
        let size = file.metadata()?.len();
        Ok(Self { file, size, at: 0, bytes: Vec::new() })
    }

    pub fn size(&self) -> u64 {
        self.size
    }

    /// The bytes from `at` on, `count` at least unless the file ends before.
    pub fn read(&mut self, at: u64, count: u64) -> io::Result<&[u8]> {
        let end = at.saturating_add(count).min(self.size);
        let have = self.at + self.bytes.len() as u64;
        if at < self.at || end > have {
            let wanted = (self.size.saturating_sub(at)).min(count.max(WINDOW));
            self.bytes.clear();
            self.file.seek(SeekFrom::Start(at))?;
            (&self.file).take(wanted).read_to_end(&mut self.bytes)?;
            self.at = at;
        }
        let skip = usize::try_from(at - self.at).unwrap_or(usize::MAX);
        Ok(self.bytes.get(skip..).unwrap_or(&[]))
    }

    /// The whole record at a place, and its length.
    pub fn record(&mut self, at: u64, salt: u32) -> io::Result<Option<(Record<'_>, u64)>> {
        let left = self.size.saturating_sub(at);
        let Some(length) = length(self.read(at, HEADER)?, salt).filter(|length| *length <= left) else {
            return Ok(None);
        };
        Ok(decode(self.read(at, length)?, salt))
    }

    /// The place of the first whole record from `from` on that is accepted.
    pub fn find(&mut self, from: u64, salt: u32, accept: impl Fn(&Record<'_>) -> bool) -> io::Result<Option<u64>> {
        let mut at = from;
        while at + SALT <= self.size {
            let window = self.read(at, WINDOW)?;
            let window = &window[..window.len().min(WINDOW as usize)];
            let begin = salt.to_le_bytes();
            let found: Vec<u64> =
                (at..).zip(window.windows(begin.len())).filter(|(_, four)| *four == begin).map(|(at, _)| at).collect();
            let length = window.len() as u64;
            for place in found {
                if self.record(place, salt)?.is_some_and(|(record, _)| accept(&record)) {
                    return Ok(Some(place));
                }
            }
            if length < SALT {
                break;
            }
            // A salt may lie across two windows.
            at += length - (SALT - 1);
        }
        Ok(None)
    }
}
