//! The events of a session, for the threads around it.

use crate::config::{OnAck, OnEnd, OnPush, OnRefused, OnReply, State, Watermarks};
use crate::entries::Entries;
use crate::error::Error;

/// An event that the user is told of, without any lock held.
pub(crate) enum Event<'a> {
    Acked { on_ack: OnAck, marks: Watermarks },
    Refused { on_refused: OnRefused, sequence: u64, text: &'a str },
    State { state: State, why: Option<Error> },
    Replied { on_reply: OnReply, answer: Result<&'a [u8], Error> },
    Pushed { on_push: OnPush, first: u64, entries: Entries<'a> },
    Ended { on_end: OnEnd, why: Error },
    Asked { correlation: u64, bytes: &'a [u8] },
}
