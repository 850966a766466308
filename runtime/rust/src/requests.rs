//! Requests that wait for their answers.

use crate::config::OnReply;
use crate::error::{Code, Error};
use crate::event::Event;
use std::collections::BTreeMap;
use std::time::Instant;

#[derive(Default)]
pub(crate) struct Requests {
    last: u64,
    open: BTreeMap<u64, (OnReply, Option<Instant>)>,
    earliest: Option<Instant>,
}

impl Requests {
    /// Gives the request's correlation.
    pub fn open(&mut self, on_reply: OnReply, deadline: Option<Instant>) -> u64 {
        self.last += 1;
        self.open.insert(self.last, (on_reply, deadline));
        self.earliest = self.earliest.into_iter().chain(deadline).min();
        self.last
    }

    /// An answer to a request that is not open, because it came too late, is nobody's.
    pub fn answer<'a>(&mut self, correlation: u64, code: Code, bytes: &'a [u8]) -> Option<Event<'a>> {
        let (on_reply, _) = self.open.remove(&correlation)?;
        let answer = match code {
            Code::Normal => Ok(bytes),
            code => Err(Error::new(code, String::from_utf8_lossy(bytes))),
        };
        Some(Event::Replied { on_reply, answer })
    }

    /// Those whose deadline has passed.
    pub fn expire(&mut self, now: Instant) -> Vec<Event<'static>> {
        if self.earliest.is_none_or(|earliest| now < earliest) {
            return Vec::new();
        }
        let is_late = |(_, deadline): &(OnReply, Option<Instant>)| deadline.is_some_and(|deadline| deadline <= now);
        let late: Vec<u64> = self.open.iter().filter(|(_, open)| is_late(open)).map(|(id, _)| *id).collect();
        let why = Error::new(Code::Deadline, "no answer in time");
        let events =
            late.iter().filter_map(|id| self.open.remove(id)).map(|(on_reply, _)| failed(on_reply, &why)).collect();
        self.earliest = self.open.values().filter_map(|(_, deadline)| *deadline).min();
        events
    }

    pub fn fail(&mut self, why: &Error) -> Vec<Event<'static>> {
        self.earliest = None;
        std::mem::take(&mut self.open).into_values().map(|(on_reply, _)| failed(on_reply, why)).collect()
    }

    /// When the first of them has waited enough.
    pub fn earliest(&self) -> Option<Instant> {
        self.earliest
    }
}

fn failed(on_reply: OnReply, why: &Error) -> Event<'static> {
    Event::Replied { on_reply, answer: Err(why.clone()) }
}
