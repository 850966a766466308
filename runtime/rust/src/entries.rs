//! The entries of a BATCH or PUSH: `size u32, bytes`, one behind the other.

/// Bytes of an entry's size.
pub const ENTRY_HEAD: usize = 4;

/// Entries that have been checked, to walk over.
#[derive(Clone, Copy, Debug, Default)]
pub struct Entries<'a> {
    bytes: &'a [u8],
}

impl<'a> Entries<'a> {
    /// `bytes` when they are `count` entries and nothing else.
    pub fn check(bytes: &'a [u8], count: u32) -> Option<Self> {
        let mut walk = Entries { bytes };
        for _ in 0..count {
            walk.next()?;
        }
        walk.bytes.is_empty().then_some(Entries { bytes })
    }

    /// The bytes of those that are left.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }
}

impl<'a> Iterator for Entries<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let (head, rest) = self.bytes.split_first_chunk::<ENTRY_HEAD>()?;
        let (entry, rest) = rest.split_at_checked(u32::from_le_bytes(*head) as usize)?;
        self.bytes = rest;
        Some(entry)
    }
}

/// Appends an entry. One beyond 4 GiB, which no frame holds, is cut.
pub fn push_entry(out: &mut Vec<u8>, entry: &[u8]) {
    let size = u32::try_from(entry.len()).unwrap_or(u32::MAX);
    out.extend_from_slice(&size.to_le_bytes());
    out.extend_from_slice(&entry[..size as usize]);
}

#[cfg(test)]
mod tests {
    use super::{push_entry, Entries};

    #[test]
    fn entries_are_exactly_so_many() {
        let mut bytes = Vec::new();
        for entry in [&b"abc"[..], b"", b"hello"] {
            push_entry(&mut bytes, entry);
        }
        let all: Vec<&[u8]> = Entries::check(&bytes, 3).unwrap().collect();
        assert_eq!(all, [&b"abc"[..], b"", b"hello"]);
        assert!(Entries::check(&bytes, 2).is_none());
        assert!(Entries::check(&bytes, 4).is_none());
        assert!(Entries::check(&bytes[..bytes.len() - 1], 3).is_none());
        assert!(Entries::check(&[255; 5], 1).is_none());
        assert!(Entries::check(&[], 0).is_some());
    }
}
