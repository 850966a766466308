//! Bytes from a stream to whole frames.

use crate::error::{Code, Error};
use crate::wire::LENGTH;

const INITIAL: usize = 64 << 10;
/// The longest frame that is believed, in bytes.
const MAX_LENGTH: usize = 64 << 20;

/// Bytes that have been read and not yet been taken.
pub struct Inbox {
    buffer: Vec<u8>,
    begin: usize,
    end: usize,
}

impl Default for Inbox {
    fn default() -> Self {
        Self { buffer: vec![0; INITIAL], begin: 0, end: 0 }
    }
}

impl Inbox {
    /// The room for the next bytes. Memory grows with what has come, not with what a length claims.
    pub fn room(&mut self) -> &mut [u8] {
        self.buffer.copy_within(self.begin..self.end, 0);
        self.end -= self.begin;
        self.begin = 0;
        if self.end == self.buffer.len() {
            self.buffer.resize(2 * self.end, 0);
        }
        &mut self.buffer[self.end..]
    }

    /// So many bytes came into `room`.
    pub fn came(&mut self, size: usize) {
        self.end += size;
    }

    /// The kind and the body of the next whole frame; none when more must come first.
    ///
    /// # Errors
    /// A length that cannot be.
    pub fn next_frame(&mut self) -> Result<Option<(u8, &[u8])>, Error> {
        let held = &self.buffer[self.begin..self.end];
        let Some((head, rest)) = held.split_first_chunk::<LENGTH>() else { return Ok(None) };
        let length = u32::from_le_bytes(*head) as usize;
        if length == 0 {
            return Err(Error::new(Code::Protocol, "a frame without a kind came"));
        }
        if length > MAX_LENGTH {
            return Err(Error::new(Code::FrameTooLarge, format!("a frame of {length} bytes came")));
        }
        let Some((kind, body)) = rest.get(..length).and_then(|frame| frame.split_first()) else { return Ok(None) };
        self.begin += LENGTH + length;
        Ok(Some((*kind, body)))
    }
}
