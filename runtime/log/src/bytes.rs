//! Little-endian numbers one behind the other.

/// The bytes that are left to read.
pub struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    pub fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (head, tail) = self.0.split_at_checked(count)?;
        self.0 = tail;
        Some(head)
    }

    pub fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    pub fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// Whether the next bytes are these, which are passed over.
    pub fn is(&mut self, expected: &[u8]) -> Option<()> {
        (self.take(expected.len())? == expected).then_some(())
    }
}

/// CRC-32 (IEEE 802.3), begun with another one.
pub fn crc32(begun: u32, bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new_with_initial(begun);
    hasher.update(bytes);
    hasher.finalize()
}

/// The part that a CRC has in one of as many bytes more: `crc32(a, bytes)` is `crc32_behind(a, bytes.len()) ^ crc32(0, bytes)`.
pub fn crc32_behind(crc: u32, more: u64) -> u32 {
    let mut hasher = crc32fast::Hasher::new_with_initial(crc);
    hasher.combine(&crc32fast::Hasher::new_with_initial_len(0, more));
    hasher.finalize()
}
