//! The messages that a producer has sent and that are not yet acked: kept to be sent again.

use crate::entries::{push_entry, ENTRY_HEAD};
use crate::wire::Window;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

/// So many buffers of a batch's size may always be kept for messages to come.
const REUSED_BATCHES: usize = 16;
/// Room behind a batch for the message that makes it full.
pub(crate) const LAST_MESSAGE: usize = 1024;

/// Entries in the order of their sequences.
#[derive(Default)]
struct Chunk {
    entries: Vec<u8>,
    count: u32,
}

/// Before the entry number `count` of the chunk with that index, which begins at `offset`.
#[derive(Clone, Copy, Default)]
struct Place {
    chunk: usize,
    offset: usize,
    count: u32,
}

/// The entries of one BATCH.
pub struct Outgoing {
    pub first: u64,
    pub count: u32,
    chunk: Arc<Chunk>,
    bytes: Range<usize>,
}

impl Outgoing {
    pub fn entries(&self) -> &[u8] {
        &self.chunk.entries[self.bytes.clone()]
    }
}

/// Sequences here count from 1 over all that was ever appended. Invariant: `acked < next <= appended + 1`, and `next` is
/// the sequence at `next_place`.
pub struct Outbox {
    batch_bytes: usize,
    chunks: VecDeque<Arc<Chunk>>,
    open: Chunk,
    /// Buffers whose messages are acked, with the sum of their sizes, and the most bytes of messages that there were at once: so much may
    /// be kept for those to come, until `give_back`.
    reuse: Vec<Vec<u8>>,
    spare_bytes: usize,
    most_kept: usize,
    appended: u64,
    acked: u64,
    next: u64,
    acked_place: Place,
    next_place: Place,
    kept_bytes: usize,
    sent_bytes: usize,
}

impl Outbox {
    /// A chunk is closed when it has `batch_bytes` of entries.
    pub fn new(batch_bytes: usize) -> Self {
        Self {
            batch_bytes,
            chunks: VecDeque::new(),
            open: Chunk::default(),
            reuse: Vec::new(),
            spare_bytes: 0,
            most_kept: 0,
            appended: 0,
            acked: 0,
            next: 1,
            acked_place: Place::default(),
            next_place: Place::default(),
            kept_bytes: 0,
            sent_bytes: 0,
        }
    }

    /// The messages up to `last` are acked already. Only while empty.
    pub fn begin_after(&mut self, last: u64) {
        self.acked = last;
        self.appended = last;
        self.next = last + 1;
    }

    /// Takes a message and gives its sequence.
    pub fn append(&mut self, message: &[u8]) -> u64 {
        if self.open.entries.capacity() == 0 {
            self.begin_chunk(message.len());
        }
        push_entry(&mut self.open.entries, message);
        self.open.count += 1;
        self.kept_bytes += ENTRY_HEAD + message.len();
        self.appended += 1;
        if self.open.entries.len() >= self.batch_bytes {
            self.close_chunk();
        }
        self.appended
    }

    /// Lends the chunk that is being filled, if there is one, to who fills it: the entries so far, and how many bytes more it takes. Nothing
    /// else may be called that looks at the chunk or appends before [`Outbox::take_back`].
    pub fn lend(&mut self) -> Option<(Vec<u8>, usize)> {
        let room = self.batch_bytes.saturating_sub(self.open.entries.len());
        self.has_open().then(|| (std::mem::take(&mut self.open.entries), room))
    }

    /// Takes it back with `count` messages more, which are as good as appended one by one.
    pub fn take_back(&mut self, entries: Vec<u8>, count: u32, added: usize) {
        self.open.entries = entries;
        self.open.count += count;
        self.kept_bytes += added;
        self.appended += u64::from(count);
    }

    /// Takes messages that are entries already, behind those before, and gives the sequence of the last; the vector gets a buffer of the
    /// same capacity, used before where there is one.
    pub fn append_entries(&mut self, entries: &mut Vec<u8>, count: u32) -> u64 {
        self.close_chunk();
        self.kept_bytes += entries.len();
        self.appended += u64::from(count);
        self.most_kept = self.most_kept.max(self.kept_bytes);
        let next = self.spare(entries.capacity().saturating_sub(LAST_MESSAGE));
        self.chunks.push_back(Arc::new(Chunk { entries: std::mem::replace(entries, next), count }));
        self.appended
    }

    #[cold]
    fn begin_chunk(&mut self, message: usize) {
        self.open.entries = self.spare(self.batch_bytes);
        self.open.entries.reserve(ENTRY_HEAD + message);
    }

    /// Lets go of the memory of messages that are acked, which is kept for those to come.
    pub fn give_back(&mut self) {
        self.reuse = Vec::new();
        self.spare_bytes = 0;
        self.most_kept = self.kept_bytes;
    }

    /// The bytes of such memory.
    #[cfg(test)]
    fn spare_bytes(&self) -> usize {
        self.spare_bytes
    }

    /// An empty buffer that takes so many bytes, and one message behind them in most cases.
    fn spare(&mut self, bytes: usize) -> Vec<u8> {
        let spare = self.reuse.pop().unwrap_or_default();
        self.spare_bytes -= spare.capacity();
        if spare.capacity() < bytes {
            // A larger one is no copy of this.
            return Vec::with_capacity(bytes + LAST_MESSAGE);
        }
        spare
    }

    /// Closes the chunk that is being filled, so that `next` gives it.
    pub fn close_chunk(&mut self) {
        if self.open.count > 0 {
            self.most_kept = self.most_kept.max(self.kept_bytes);
            self.chunks.push_back(Arc::new(std::mem::take(&mut self.open)));
        }
    }

    /// Whether `next` has something to give, credit allowing.
    pub fn has_next(&self) -> bool {
        self.next_place.chunk < self.chunks.len()
    }

    /// Whether messages wait in a chunk that is not closed.
    pub fn has_open(&self) -> bool {
        self.open.count > 0
    }

    /// The next entries to send: of one chunk, as many as the credit and a frame's size allow; none when not even one.
    pub fn next(&mut self, credit: Window, frame_entries: usize) -> Option<Outgoing> {
        let chunk = Arc::clone(self.chunks.get(self.next_place.chunk)?);
        let begin = self.next_place;
        let outstanding = self.next - self.acked - 1;
        let messages = u64::from(credit.messages).saturating_sub(outstanding);
        let bytes = (credit.bytes as usize).saturating_sub(self.sent_bytes).min(frame_entries);
        let mut end = Place { offset: chunk.entries.len(), count: chunk.count, ..begin };
        if u64::from(end.count - begin.count) > messages || end.offset - begin.offset > bytes {
            end = fitting_end(&chunk, begin, messages, bytes);
        }
        // A single entry may always be sent when nothing is outstanding.
        if end.count == begin.count && outstanding == 0 {
            end = after_entry(&chunk, begin);
        }
        if end.count == begin.count {
            return None;
        }
        let first = self.next;
        let count = end.count - begin.count;
        self.sent_bytes += end.offset - begin.offset;
        self.next += u64::from(count);
        self.next_place = normal(&chunk, end);
        Some(Outgoing { first, count, chunk, bytes: begin.offset..end.offset })
    }

    /// Forgets all up to `sequence`, which must be in closed chunks; less than before does nothing.
    pub fn ack(&mut self, sequence: u64) {
        let mut left = sequence.saturating_sub(self.acked);
        if left == 0 {
            return;
        }
        while let Some(chunk) = self.chunks.front().filter(|_| left > 0) {
            let whole = u64::from(chunk.count - self.acked_place.count);
            if whole <= left {
                left -= whole;
                self.forget(chunk.entries.len() - self.acked_place.offset);
                self.drop_front();
            } else {
                let after = after_entry(chunk, self.acked_place);
                self.forget(after.offset - self.acked_place.offset);
                self.acked_place = after;
                left -= 1;
            }
        }
        self.acked = sequence;
        if self.next <= sequence {
            self.restart();
        }
    }

    /// Sends again from `sequence` on, or from what is not acked.
    pub fn rewind(&mut self, sequence: u64) {
        if sequence >= self.next {
            return;
        }
        self.restart();
        while self.next < sequence {
            let chunk = &self.chunks[self.next_place.chunk];
            let after = after_entry(chunk, self.next_place);
            self.sent_bytes += after.offset - self.next_place.offset;
            self.next_place = normal(chunk, after);
            self.next += 1;
        }
    }

    pub fn appended(&self) -> u64 {
        self.appended
    }

    pub fn acked(&self) -> u64 {
        self.acked
    }

    /// The last sequence that `next` has given since the last rewind.
    pub fn sent(&self) -> u64 {
        self.next - 1
    }

    /// Bytes of entries that are kept, sizes included.
    pub fn kept_bytes(&self) -> usize {
        self.kept_bytes
    }

    fn restart(&mut self) {
        self.next = self.acked + 1;
        self.next_place = self.acked_place;
        self.sent_bytes = 0;
    }

    fn forget(&mut self, bytes: usize) {
        self.kept_bytes -= bytes;
        self.sent_bytes = self.sent_bytes.saturating_sub(bytes);
    }

    fn drop_front(&mut self) {
        // Memory that the system has given already is worth more than new one, whose pages come one by one when they are written; nobody
        // else may still read it.
        if let Some(mut done) = self.chunks.pop_front().and_then(Arc::into_inner) {
            let size = done.entries.capacity();
            if self.spare_bytes + size <= self.most_kept + REUSED_BATCHES * self.batch_bytes {
                done.entries.clear();
                self.spare_bytes += size;
                self.reuse.push(done.entries);
            }
        }
        self.acked_place = Place::default();
        self.next_place = match self.next_place.chunk {
            0 => Place::default(),
            chunk => Place { chunk: chunk - 1, ..self.next_place },
        };
    }
}

fn after_entry(chunk: &Chunk, place: Place) -> Place {
    let size = chunk.entries[place.offset..].first_chunk().map_or(0, |head| u32::from_le_bytes(*head) as usize);
    Place { offset: place.offset + ENTRY_HEAD + size, count: place.count + 1, ..place }
}

/// The end of a chunk is the begin of the next.
fn normal(chunk: &Chunk, place: Place) -> Place {
    if place.count == chunk.count {
        return Place { chunk: place.chunk + 1, ..Place::default() };
    }
    place
}

fn fitting_end(chunk: &Chunk, begin: Place, messages: u64, bytes: usize) -> Place {
    let mut end = begin;
    while end.count < chunk.count && u64::from(end.count - begin.count) < messages {
        let after = after_entry(chunk, end);
        if after.offset - begin.offset > bytes {
            break;
        }
        end = after;
    }
    end
}

#[cfg(test)]
mod tests {
    use super::Outbox;
    use crate::entries::Entries;
    use crate::wire::Window;
    use proptest::prelude::*;

    #[derive(Clone, Debug)]
    enum Step {
        Append(Vec<u8>),
        Close,
        Next { messages: u32, bytes: u32 },
        Ack(u64),
        Rewind(u64),
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            4 => prop::collection::vec(any::<u8>(), 0..30).prop_map(Step::Append),
            2 => Just(Step::Close),
            2 => (1u32..20, 1u32..300).prop_map(|(messages, bytes)| Step::Next { messages, bytes }),
            2 => (0u64..20).prop_map(Step::Ack),
            1 => (0u64..20).prop_map(Step::Rewind),
        ]
    }

    #[test]
    fn uses_memory_again_and_gives_it_back() {
        let endless = Window { messages: u32::MAX, bytes: u32::MAX };
        let mut outbox = Outbox::new(1000);
        let fill = |outbox: &mut Outbox, messages: usize, size: usize| {
            for _ in 0..messages {
                outbox.append(&vec![0; size]);
            }
            outbox.close_chunk();
            while outbox.next(endless, 1 << 20).is_some() {}
            outbox.ack(outbox.appended());
        };
        fill(&mut outbox, 100, 996);
        let spare = outbox.spare_bytes();
        assert!(spare >= 50_000);
        fill(&mut outbox, 100, 996);
        assert_eq!(outbox.spare_bytes(), spare, "the buffers of before were used");
        // One large message at a time makes buffers larger, but no more of them.
        for _ in 0..100 {
            fill(&mut outbox, 1, 50_000);
        }
        assert!(outbox.spare_bytes() <= 116_000, "what was kept at once, and sixteen batches");
        outbox.give_back();
        assert_eq!(outbox.spare_bytes(), 0);
        fill(&mut outbox, 1, 10);
        assert!(outbox.spare_bytes() > 0);
    }

    proptest! {
        /// Against a plain list: credit is kept, nothing is lost, doubled or out of order.
        #[test]
        fn agrees_with_a_plain_list(batch in 1usize..200, steps in prop::collection::vec(step(), 1..200)) {
            let mut outbox = Outbox::new(batch);
            let mut all: Vec<Vec<u8>> = Vec::new();
            let (mut sent, mut acked) = (0, 0);
            for step in steps {
                match step {
                    Step::Append(message) => {
                        all.push(message);
                        prop_assert_eq!(outbox.append(&all[all.len() - 1]), all.len() as u64);
                    }
                    Step::Close => outbox.close_chunk(),
                    Step::Next { messages, bytes } => {
                        let Some(outgoing) = outbox.next(Window { messages, bytes }, 100) else { continue };
                        prop_assert_eq!(outgoing.first, sent + 1);
                        for entry in Entries::check(outgoing.entries(), outgoing.count).unwrap() {
                            prop_assert_eq!(entry, &all[sent as usize]);
                            sent += 1;
                        }
                        let outstanding: usize = all[acked as usize..sent as usize].iter().map(|m| m.len() + 4).sum();
                        let one = sent - acked == 1;
                        prop_assert!(one || (sent - acked <= messages.into() && outstanding <= bytes as usize));
                    }
                    Step::Ack(more) => {
                        acked = sent.min(acked + more);
                        outbox.ack(acked);
                    }
                    Step::Rewind(back) => {
                        sent = acked.max(sent.saturating_sub(back));
                        outbox.rewind(sent + 1);
                    }
                }
                prop_assert_eq!((outbox.sent(), outbox.acked()), (sent, acked));
                let kept: usize = all[acked as usize..].iter().map(|message| message.len() + 4).sum();
                prop_assert_eq!(outbox.kept_bytes(), kept);
            }
        }
    }
}
