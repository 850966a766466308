//! Messages that one thread gathers for a client, which take one lock together.

use crate::client::Client;
use crate::entries::{push_entry, ENTRY_HEAD};
use crate::error::Error;
use crate::outbox::LAST_MESSAGE;

/// Entries that are given to the client when there are so many bytes of them.
const BYTES: usize = 65_536;

/// Added messages are the client's when the batch is full, or with [`MessageBatch::push`]; what was not pushed is lost with the batch.
///
/// ```no_run
/// # fn main() -> Result<(), aldis_transport::Error> {
/// # let client = aldis_transport::Client::connect(aldis_transport::Config::new("orders.example:7000"))?;
/// let mut batch = aldis_transport::MessageBatch::new(&client);
/// for order in [b"one", b"two"] {
///     batch.add(order)?;
/// }
/// let last = batch.push()?;
/// # Ok(())
/// # }
/// ```
pub struct MessageBatch<'a> {
    client: &'a Client,
    bytes: usize,
    entries: Vec<u8>,
    count: u32,
    longest: usize,
}

impl<'a> MessageBatch<'a> {
    /// An empty batch that is full with 64 KiB.
    #[must_use]
    pub fn new(client: &'a Client) -> Self {
        Self::with_bytes(client, BYTES)
    }

    /// An empty batch that is full with so many bytes of entries; a message that is longer goes alone.
    #[must_use]
    pub fn with_bytes(client: &'a Client, bytes: usize) -> Self {
        Self { client, bytes, entries: Vec::with_capacity(bytes + LAST_MESSAGE), count: 0, longest: 0 }
    }

    /// Adds a message.
    ///
    /// # Errors
    /// As of [`Client::send`]. The message is then not in the batch, and those before it still are.
    pub fn add(&mut self, message: &[u8]) -> Result<(), Error> {
        // The lock is taken for the first message and for longer ones alone.
        if message.len() > self.longest || self.count == 0 {
            self.client.fits(message.len())?;
        }
        let need = ENTRY_HEAD + message.len();
        if self.entries.len() + need > self.bytes {
            self.push()?;
            if need > self.bytes {
                return self.client.send(message).map(drop);
            }
        }
        push_entry(&mut self.entries, message);
        self.count += 1;
        self.longest = self.longest.max(message.len());
        Ok(())
    }

    /// Gives the client what was gathered: the sequence of its last message, `None` when there was none.
    ///
    /// # Errors
    /// As of [`Client::send`]. The batch is then as it was.
    pub fn push(&mut self) -> Result<Option<u64>, Error> {
        if self.count == 0 {
            return Ok(None);
        }
        let last = self.client.send_entries(&mut self.entries, self.count, self.longest)?;
        (self.count, self.longest) = (0, 0);
        Ok(Some(last))
    }

    /// Forgets what was not pushed.
    pub fn clear(&mut self) {
        self.entries.clear();
        (self.count, self.longest) = (0, 0);
    }
}
