//! The state that a client's threads and callers have in common, behind its lock.

use crate::error::{Code, Error};
use crate::session::{End, Session};
use crate::stream::Stream;
use std::sync::Arc;
use std::thread;

pub(crate) struct Inner {
    pub session: Session,
    /// The stream of now, to end it from elsewhere.
    pub stream: Option<Arc<Stream>>,
    /// Why the connection of now ends.
    pub end: Option<End>,
    /// Why there will be no other.
    pub failure: Option<Error>,
    pub begun: bool,
    pub leaving: bool,
    /// A connection has shaken hands since the last attempt.
    pub was_up: bool,
    /// The writer and the reader of now, on which callbacks run.
    pub own: [Option<thread::ThreadId>; 2],
}

impl Inner {
    /// Why nothing can be sent any more.
    pub fn ended(&self) -> Option<Error> {
        let leaving = match (self.leaving, self.session.is_leaving()) {
            (true, _) => Some("the client is closed"),
            (_, true) => Some("the client drains"),
            _ => None,
        };
        self.failure.clone().or_else(|| leaving.map(|text| Error::new(Code::Closed, text)))
    }

    /// A callback that waits would wait for itself.
    pub fn refuse_waiting(&self) -> Result<(), Error> {
        if self.own.contains(&Some(thread::current().id())) {
            return Err(Error::new(Code::Misused, "a callback cannot wait for the client"));
        }
        Ok(())
    }
}
