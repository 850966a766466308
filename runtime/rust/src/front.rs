//! The place that `send` puts most messages in: the batch that is being filled, behind a lock that costs one atomic exchange.

use crate::entries::{push_entry, ENTRY_HEAD};
use spin::mutex::SpinMutex;
use spin::relax::Yield;

/// The batch is here only between `open` and `take`, which are called under the client's lock; so it is taken before anything ends the
/// right to send. `add` needs no such lock. Its own lock is held for the time of a copy.
#[derive(Default)]
pub(crate) struct Front(SpinMutex<Lent, Yield>);

#[derive(Default)]
struct Lent {
    entries: Vec<u8>,
    /// Bytes that more entries may have, and the longest message.
    room: usize,
    longest: usize,
    /// Messages and bytes that were added.
    count: u32,
    added: usize,
    last: u64,
    is_open: bool,
}

impl Front {
    /// Takes a message and gives its sequence; none when it is closed, full, or the message is too long.
    #[inline]
    pub fn add(&self, message: &[u8]) -> Option<u64> {
        let mut lent = self.0.lock();
        let need = ENTRY_HEAD + message.len();
        // The message that makes the batch full goes another way, on which the batch is sent.
        if message.len() > lent.longest || need >= lent.room {
            return None;
        }
        push_entry(&mut lent.entries, message);
        lent.room -= need;
        lent.added += need;
        lent.count += 1;
        lent.last += 1;
        Some(lent.last)
    }

    /// Adds messages to these entries from now on, behind the sequence `last`.
    pub fn open(&self, entries: Vec<u8>, last: u64, room: usize, longest: usize) {
        *self.0.lock() = Lent { entries, room, longest, count: 0, added: 0, last, is_open: true };
    }

    /// Closes it and gives the entries, with how many messages and bytes were added; none when it was closed.
    pub fn take(&self) -> Option<(Vec<u8>, u32, usize)> {
        let lent = std::mem::take(&mut *self.0.lock());
        lent.is_open.then_some((lent.entries, lent.count, lent.added))
    }
}

#[cfg(test)]
mod tests {
    use super::Front;
    use crate::entries::Entries;

    #[test]
    fn gives_sequences_while_it_is_open() {
        let front = Front::default();
        assert_eq!(front.add(b"a"), None, "it was not opened");
        front.open(Vec::new(), 7, 20, 8);
        assert_eq!(front.add(b"abc"), Some(8));
        assert_eq!(front.add(b"123456789"), None, "it is too long");
        assert_eq!(front.add(b"12345678"), Some(9));
        assert_eq!(front.add(b""), None, "a byte is left, and an entry needs four");
        let (entries, count, added) = front.take().unwrap();
        assert_eq!((count, added), (2, entries.len()));
        let all: Vec<&[u8]> = Entries::check(&entries, 2).unwrap().collect();
        assert_eq!(all, [&b"abc"[..], b"12345678"]);
        assert_eq!(front.add(b"a"), None, "it was taken");
        assert!(front.take().is_none());
    }
}
