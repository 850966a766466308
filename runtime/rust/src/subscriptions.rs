//! The subscriptions of a client, and how far each has come.

use crate::config::Subscription;
use crate::entries::Entries;
use crate::error::{Code, Error};
use crate::event::Event;
use crate::frame::Frame;
use std::collections::BTreeMap;

#[derive(Default)]
pub(crate) struct Subscriptions {
    last: u32,
    open: BTreeMap<u32, Open>,
}

struct Open {
    asked: Subscription,
    /// The last sequence that came, and the one up to which CREDIT was said in this connection; 0: none.
    consumed: u64,
    granted: u64,
}

/// A PUSH, its entries checked.
pub(crate) struct Pushed<'a> {
    pub subscription: u32,
    pub first: u64,
    pub count: u32,
    pub entries: &'a [u8],
}

impl Subscriptions {
    pub fn open(&mut self, asked: Subscription) -> u32 {
        self.last += 1;
        self.open.insert(self.last, Open { asked, consumed: 0, granted: 0 });
        self.last
    }

    pub fn close(&mut self, id: u32) -> bool {
        self.open.remove(&id).is_some()
    }

    /// Says SUBSCRIBE for one: it goes on behind what has come of it.
    pub fn say(&self, id: u32, out: &mut Vec<u8>) {
        if let Some(open) = self.open.get(&id) {
            let from = if open.consumed == 0 { open.asked.from } else { open.consumed + 1 };
            Frame::Subscribe { subscription: id, from, credit: open.asked.credit, topic: &open.asked.topic }
                .encode(out);
        }
    }

    pub fn say_all(&mut self, out: &mut Vec<u8>) {
        for id in self.open.keys() {
            self.say(*id, out);
        }
        self.open.values_mut().for_each(|open| open.granted = 0);
    }

    /// Gives what is new, and grants more when half of the credit is used.
    pub fn push<'a>(&mut self, push: &Pushed<'a>, out: &mut Vec<u8>) -> Result<Option<Event<'a>>, Error> {
        let checked = Entries::check(push.entries, push.count).filter(|_| push.count > 0);
        let Some(mut entries) = checked else {
            return Err(Error::new(Code::BadCount, "a PUSH whose entries and count disagree"));
        };
        let Some(open) = self.open.get_mut(&push.subscription) else { return Ok(None) };
        let Some(end) = push.first.checked_add(u64::from(push.count)) else { return Ok(None) };
        let first = push.first.max(open.consumed + 1);
        if first >= end {
            return Ok(None);
        }
        for _ in push.first..first {
            entries.next();
        }
        open.consumed = end - 1;
        if open.granted == 0 {
            open.granted = push.first.saturating_sub(1);
        }
        if open.consumed - open.granted >= u64::from(open.asked.credit.div_ceil(2)) {
            open.granted = open.consumed;
            let (subscription, consumed, credit) = (push.subscription, open.consumed, open.asked.credit);
            Frame::Credit { subscription, consumed, credit }.encode(out);
        }
        Ok(Some(Event::Pushed { on_push: open.asked.on_push.clone(), first, entries }))
    }

    pub fn end<'a>(&mut self, id: u32, why: Error) -> Option<Event<'a>> {
        let open = self.open.remove(&id)?;
        Some(Event::Ended { on_end: open.asked.on_end, why })
    }
}
