//! A file that is read at any place, a window at a time.

use crate::bytes::{crc32, crc32_behind};
use crate::record::{checksum, decode, head, length, Record, HEADER};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

/// How much is read at once.
const WINDOW: u64 = 1 << 20;
/// The salt's bytes, which every record begins with.
const SALT: u64 = 4;
/// Between two sums, in bytes.
const STEP: u64 = 4096;

/// A file, its size when it was opened, and what was read of it last.
pub struct Windowed {
    file: File,
    size: u64,
    at: u64,
    bytes: Vec<u8>,
    /// Bytes that `find` has checked, and when they were many the CRC of all before each step of the file.
    checked: u64,
    sums: Vec<u32>,
}

impl Windowed {
    pub fn new(file: File) -> io::Result<Self> {
        let size = file.metadata()?.len();
        Ok(Self { file, size, at: 0, bytes: Vec::new(), checked: 0, sums: Vec::new() })
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

    /// The place of the first whole record from `from` on that is accepted, by what stands before its entries. The time is that of reading the
    /// file a few times, also where every few bytes look like the begin of a long record.
    pub fn find(&mut self, from: u64, salt: u32, accept: impl Fn(&Record<'_>) -> bool) -> io::Result<Option<u64>> {
        let mut at = from;
        while at + SALT <= self.size {
            let window = self.read(at, WINDOW)?;
            let window = &window[..window.len().min(WINDOW as usize)];
            let begin = salt.to_le_bytes();
            let found: Vec<u64> =
                (at..).zip(window.windows(begin.len())).filter(|(_, four)| *four == begin).map(|(at, _)| at).collect();
            let have = window.len() as u64;
            for place in found {
                let left = self.size - place;
                let bytes = self.read(place, HEADER)?;
                let Some(size) = length(bytes, salt).filter(|size| *size <= left) else { continue };
                let is_wanted = head(bytes).is_some_and(|record| accept(&record));
                if is_wanted && self.is_whole(place, size, salt)? {
                    return Ok(Some(place));
                }
            }
            if have < SALT {
                break;
            }
            // A salt may lie across two windows.
            at += have - (SALT - 1);
        }
        Ok(None)
    }

    /// Whether the checksum of the record of that size at a place is right.
    fn is_whole(&mut self, at: u64, size: u64, salt: u32) -> io::Result<bool> {
        self.checked += size;
        if size <= STEP || self.checked <= 4 * self.size {
            return Ok(decode(self.read(at, size)?, salt).is_some());
        }
        let Some(wanted) = checksum(self.read(at, HEADER)?) else { return Ok(false) };
        let (before, all) = (self.sum(at + 8)?, self.sum(at + size)?);
        // The part of the sum that comes from the bytes before the record is known without them.
        Ok(crc32_behind(before ^ salt, size - 8) ^ all == wanted)
    }

    /// The CRC of the file's first `end` bytes.
    fn sum(&mut self, end: u64) -> io::Result<u32> {
        if self.sums.is_empty() {
            self.file.seek(SeekFrom::Start(0))?;
            let (mut sum, mut step) = (0, Vec::new());
            for _ in 0..=self.size / STEP {
                self.sums.push(sum);
                step.clear();
                (&self.file).take(STEP).read_to_end(&mut step)?;
                sum = crc32(sum, &step);
            }
        }
        let mut rest = Vec::new();
        self.file.seek(SeekFrom::Start(end - end % STEP))?;
        (&self.file).take(end % STEP).read_to_end(&mut rest)?;
        let step = usize::try_from(end / STEP).unwrap_or(usize::MAX);
        Ok(crc32(self.sums.get(step).copied().unwrap_or_default(), &rest))
    }
}
