//! Bytes that come piece by piece.

use std::io::{self, Read};

/// The bytes that have come and were not read yet.
#[derive(Default)]
pub struct Pending {
    bytes: Vec<u8>,
    at: usize,
    /// There will be no more.
    pub is_closed: bool,
}

impl Pending {
    pub fn put(&mut self, bytes: &[u8]) {
        self.bytes.drain(..self.at);
        self.at = 0;
        self.bytes.extend_from_slice(bytes);
    }
}

impl Read for Pending {
    /// Without bytes, and while more may come, the error is `WouldBlock`.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = (&self.bytes[self.at..]).read(buffer)?;
        self.at += read;
        if read == 0 && !self.is_closed && !buffer.is_empty() {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        Ok(read)
    }
}
