//! The client's half of aldis/1 without sockets, threads or clocks: frames go in, frames and events come out. It outlives
//! connections: what is not acked is sent again in the next one.

use crate::config::{Config, OnReply, State, Subscription, Watermarks};
use crate::entries::ENTRY_HEAD;
use crate::error::{Code, Error};
use crate::event::Event;
use crate::frame::{feature, Ack, Frame, Hello, Welcome, VERSION};
use crate::outbox::{Outbox, Outgoing};
use crate::requests::Requests;
use crate::subscriptions::{Pushed, Subscriptions};
use crate::wire::{Durability, Window};
use std::time::{Duration, Instant};

/// NACKs of damage without progress in between before the connection is given up.
const MOST_NACKS: u32 = 8;
/// Bytes of answers that wait to be written.
const MOST_CONTROL: usize = 1 << 20;
/// No server has less: the handshake alone may be this long.
const SMALLEST_MAX_FRAME: u32 = 64;

/// A connection is at its end: why, whether to connect again, and whether the server is to be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct End {
    pub why: Error,
    pub fatal: bool,
    pub tell: bool,
}

impl End {
    /// A new connection may do better.
    pub fn broken(code: Code, text: impl Into<String>) -> Self {
        Self { why: Error::new(code, text), fatal: false, tell: true }
    }

    fn fatal(code: Code, text: impl Into<String>) -> Self {
        Self { why: Error::new(code, text), fatal: true, tell: true }
    }

    pub fn lost(why: Error) -> Self {
        Self { fatal: why.code.is_fatal(), why, tell: false }
    }
}

pub(crate) struct Session {
    config: Config,
    state: State,
    greeted: bool,
    begun: bool,
    leaving: bool,
    pushes: bool,
    /// Since when a PING waits for any answer.
    pinged: Option<Instant>,
    nacks: u32,
    /// Refusals of the handler without progress in between.
    refusals: u32,
    outbox: Outbox,
    epoch: u32,
    /// A message's sequence in this epoch is its sequence less `base`.
    base: u64,
    highest_sent: u64,
    flush: u64,
    marks: Watermarks,
    credit: Window,
    max_frame: u32,
    heard: Instant,
    open_since: Instant,
    held_until: Option<Instant>,
    requests: Requests,
    subscriptions: Subscriptions,
    /// Frames that go before batches.
    pub control: Vec<u8>,
}

impl Session {
    pub fn new(config: Config, now: Instant) -> Self {
        Self {
            state: State::Connecting,
            greeted: false,
            begun: false,
            leaving: false,
            pushes: false,
            pinged: None,
            nacks: 0,
            refusals: 0,
            outbox: Outbox::new(config.batch_bytes),
            epoch: config.epoch,
            base: 0,
            highest_sent: 0,
            flush: 0,
            marks: Watermarks::default(),
            credit: Window::default(),
            max_frame: 1 << 20,
            heard: now,
            open_since: now,
            held_until: None,
            requests: Requests::default(),
            subscriptions: Subscriptions::default(),
            control: Vec::new(),
            config,
        }
    }

    /// A stream is there: says HELLO.
    pub fn connected(&mut self, now: Instant) {
        self.state = State::Connecting;
        self.greeted = false;
        self.pinged = None;
        self.heard = now;
        self.refusals = 0;
        self.held_until = None;
        self.control.clear();
        let no_checksum = if self.config.checksum { 0 } else { feature::NO_CHECKSUM };
        let schema = self.config.schema.map_or(0, |_| feature::SCHEMA);
        Frame::Hello(Hello {
            version: VERSION,
            features: no_checksum | schema | feature::PUSH,
            producer: self.config.producer,
            epoch: self.epoch,
            auth_method: &self.config.auth_method,
            auth_data: &self.config.auth_data,
            durability: self.config.durability,
            window: self.config.window,
        })
        .encode(&mut self.control);
    }

    /// The stream is gone. With `over` there will be no other.
    pub fn disconnected(&mut self, why: &Error, over: bool) -> Vec<Event<'static>> {
        self.control.clear();
        let lost = Error::new(Code::Disconnected, why.text.clone());
        let mut events = self.requests.fail(&lost);
        let state = if over { State::Over } else { State::Connecting };
        self.set_state(state, Some(why.clone()), &mut events);
        events
    }

    /// Takes a frame's kind and body.
    pub fn received<'a>(
        &mut self,
        kind: u8,
        body: &'a [u8],
        now: Instant,
        events: &mut Vec<Event<'a>>,
    ) -> Result<(), End> {
        self.heard = now;
        self.pinged = None;
        let frame = Frame::decode(kind, body, false).map_err(|error| End::broken(error.code, error.text))?;
        match frame {
            Frame::Welcome(welcome) => self.welcome(&welcome, events),
            Frame::Close { code, text } => {
                Err(End { why: Error::new(code, text), fatal: code.is_fatal(), tell: false })
            }
            Frame::Unknown { .. } => Ok(()),
            _ if !self.greeted => Err(End::broken(Code::Protocol, "the server's first frame is no WELCOME")),
            Frame::Ack(ack) => self.ack(&ack, events),
            Frame::Nack { expected, code, text } => self.nack(expected, code, text, now, events),
            Frame::Request { correlation, bytes, .. } => {
                events.push(Event::Asked { correlation, bytes });
                Ok(())
            }
            Frame::Reply { correlation, code, bytes } => {
                events.extend(self.requests.answer(correlation, code, bytes));
                Ok(())
            }
            Frame::Push { subscription, first, count, entries } => {
                let push = Pushed { subscription, first, count, entries };
                let event = self.subscriptions.push(&push, &mut self.control);
                events.extend(event.map_err(|why| End::broken(why.code, why.text))?);
                Ok(())
            }
            Frame::Ping(opaque) => self.ping(opaque),
            Frame::Pong(_) => Ok(()),
            Frame::Drain { milliseconds } => {
                // Behind the last batch, so that the server need not wait longer than for its acks.
                if self.state == State::Ready {
                    Frame::Drain { milliseconds }.encode(&mut self.control);
                }
                let why = Error::new(Code::Draining, "the server drains");
                self.set_state(State::Draining, Some(why), events);
                Ok(())
            }
            Frame::Unsubscribe { subscription, code, text } => {
                events.extend(self.subscriptions.end(subscription, Error::new(code, text)));
                Ok(())
            }
            Frame::Hello(_) | Frame::Batch(_) | Frame::Subscribe { .. } | Frame::Credit { .. } => {
                Err(End::broken(Code::Protocol, format!("a frame of kind {kind} from the server")))
            }
        }
    }

    /// The work that time brings: pings, the end of patience, requests that nobody answered.
    pub fn tick(&mut self, now: Instant, events: &mut Vec<Event<'_>>) -> Result<(), End> {
        events.extend(self.requests.expire(now));
        let silent = now.saturating_duration_since(self.heard);
        let idle = |text: &str, tell| End { why: Error::new(Code::Idle, text), fatal: false, tell };
        if !self.greeted && silent >= self.config.connect_timeout {
            return Err(idle("no WELCOME in time", false));
        }
        if self.pinged.is_some_and(|asked| now.saturating_duration_since(asked) >= self.config.ping_after) {
            return Err(idle("the server answers no PING", true));
        }
        if self.greeted && silent >= self.config.ping_after && self.pinged.is_none() {
            self.pinged = Some(now);
            Frame::Ping(0).encode(&mut self.control);
            self.outbox.give_back();
        }
        Ok(())
    }

    /// When `tick` has something to do, or `next`.
    pub fn next_time(&self) -> Instant {
        let silence = if self.greeted { self.config.ping_after } else { self.config.connect_timeout };
        let patience = self.pinged.unwrap_or(self.heard) + silence;
        let time = self.requests.earliest().map_or(patience, |earliest| earliest.min(patience));
        match self.held_until {
            _ if self.state != State::Ready => time,
            // A refused message waits, and all behind it.
            Some(until) => time.min(until),
            // While a closed chunk waits for credit the open one lingers on.
            None if self.outbox.has_open() && !self.outbox.has_next() => time.min(self.open_since + self.config.linger),
            None => time,
        }
    }

    /// The next batch, as far as credit, linger and the server allow.
    ///
    /// # Errors
    /// The server's frames have come to be too short for a message.
    pub fn next(&mut self, now: Instant) -> Result<Option<Outgoing>, End> {
        if self.state != State::Ready || self.held_until.is_some_and(|until| now < until) {
            return Ok(None);
        }
        self.held_until = None;
        let due = self.flush > self.outbox.sent() || now >= self.open_since + self.config.linger;
        if !self.outbox.has_next() && self.outbox.has_open() && due {
            self.outbox.close_chunk();
        }
        let Some(mut outgoing) = self.outbox.next(self.credit, self.max_entries()) else { return Ok(None) };
        if outgoing.entries().len() > self.max_entries() {
            let (size, most) = (outgoing.entries().len() - ENTRY_HEAD, self.max_message());
            let text = format!("a message that is kept has {size} bytes; the server takes {most}");
            return Err(End::fatal(Code::FrameTooLarge, text));
        }
        self.highest_sent = self.highest_sent.max(self.outbox.sent());
        outgoing.first -= self.base;
        Ok(Some(outgoing))
    }

    /// Takes a message. The second is whether the writer has to look: a chunk was closed, or one that lingers begun.
    pub fn send(&mut self, message: &[u8]) -> (u64, bool) {
        let had_open = self.outbox.has_open();
        if !had_open {
            self.open_since = Instant::now();
        }
        let sequence = self.outbox.append(message);
        (sequence, !had_open || !self.outbox.has_open())
    }

    /// Lends the batch that is being filled: its entries, the last sequence, how many bytes more it takes, and the longest message. See
    /// [`Outbox::lend`].
    pub fn lend(&mut self) -> Option<(Vec<u8>, u64, usize, usize)> {
        let room = self.config.max_kept_bytes.saturating_sub(self.outbox.kept_bytes());
        let (entries, most) = self.outbox.lend()?;
        Some((entries, self.outbox.appended(), room.min(most), self.max_message()))
    }

    pub fn take_back(&mut self, entries: Vec<u8>, count: u32, added: usize) {
        self.outbox.take_back(entries, count, added);
    }

    /// Takes messages that are entries already; the vector gets another buffer.
    pub fn send_entries(&mut self, entries: &mut Vec<u8>, count: u32) -> u64 {
        self.outbox.append_entries(entries, count)
    }

    pub fn flush(&mut self, upto: u64) {
        self.flush = self.flush.max(upto);
    }

    /// A deadline of zero waits as long as the connection lasts.
    pub fn request(&mut self, bytes: &[u8], deadline: Duration, on_reply: OnReply, now: Instant) {
        let wire = u32::try_from(deadline.as_millis()).unwrap_or(u32::MAX);
        let end = (wire > 0).then(|| now + Duration::from_millis(u64::from(wire)));
        let correlation = self.requests.open(on_reply, end);
        Frame::Request { correlation, deadline: wire, bytes }.encode(&mut self.control);
    }

    /// Answers a request of the server. An answer too long for a frame would end the connection, so the server is told that.
    pub fn reply(&mut self, correlation: u64, answer: &Result<Vec<u8>, Error>) {
        let (code, bytes) = match answer {
            Ok(bytes) => (Code::Normal, bytes.as_slice()),
            // `normal` would be an answer, and what only this side knows has no number.
            Err(error) if error.code.number() == 0 => (Code::Handler, error.text.as_bytes()),
            Err(error) => (error.code, error.text.as_bytes()),
        };
        let most = self.max_request();
        let too_large = format!("an answer of {} bytes; a frame takes {most}", bytes.len());
        let (code, bytes) =
            if bytes.len() > most { (Code::FrameTooLarge, too_large.as_bytes()) } else { (code, bytes) };
        Frame::Reply { correlation, code, bytes }.encode(&mut self.control);
    }

    /// Gives the subscription's number. It is said now, or when the connection is there again.
    pub fn subscribe(&mut self, subscription: Subscription) -> Result<u32, Error> {
        if !self.pushes {
            return Err(Error::new(Code::Unsupported, "the server has no subscriptions"));
        }
        let id = self.subscriptions.open(subscription);
        if self.is_up() {
            self.subscriptions.say(id, &mut self.control);
        }
        Ok(id)
    }

    pub fn unsubscribe(&mut self, subscription: u32) {
        if self.subscriptions.close(subscription) && self.is_up() {
            Frame::Unsubscribe { subscription, code: Code::Normal, text: "" }.encode(&mut self.control);
        }
    }

    /// Says that no batches follow; the server closes when it has acked all. However this connection ends, it is the last.
    pub fn drain(&mut self, milliseconds: u32) {
        self.leaving = true;
        self.state = State::Draining;
        Frame::Drain { milliseconds }.encode(&mut self.control);
    }

    pub fn is_up(&self) -> bool {
        self.greeted && matches!(self.state, State::Ready | State::Draining)
    }

    /// The server has been told that nothing follows.
    pub fn is_leaving(&self) -> bool {
        self.leaving
    }

    pub fn state(&self) -> State {
        self.state
    }

    pub fn epoch(&self) -> u32 {
        self.epoch
    }

    pub fn outbox(&self) -> &Outbox {
        &self.outbox
    }

    /// The longest message that the server takes.
    pub fn max_message(&self) -> usize {
        self.max_entries() - ENTRY_HEAD
    }

    /// The longest request, and the longest answer to one: without kind, correlation, and deadline or code.
    pub fn max_request(&self) -> usize {
        self.max_frame as usize - 1 - 12
    }

    /// Bytes of entries in a frame: without kind, first, count, checksum, schema and template.
    fn max_entries(&self) -> usize {
        self.max_frame as usize - 1 - 16 - self.config.schema.map_or(0, |_| 8)
    }

    fn set_state(&mut self, state: State, why: Option<Error>, events: &mut Vec<Event<'_>>) {
        if self.state != state {
            self.state = state;
            events.push(Event::State { state, why });
        }
    }

    fn welcome(&mut self, welcome: &Welcome, events: &mut Vec<Event<'_>>) -> Result<(), End> {
        let unsupported = |text: &str| Err(End::fatal(Code::Unsupported, text));
        if self.greeted {
            return Err(End::broken(Code::Protocol, "a second WELCOME"));
        }
        if welcome.version != VERSION {
            return Err(End::fatal(Code::Version, format!("the server speaks version {}", welcome.version)));
        }
        if welcome.durability < self.config.durability {
            return unsupported("the server grants less durability than is wanted");
        }
        if !self.config.checksum && welcome.features & feature::NO_CHECKSUM == 0 {
            return unsupported("the server wants checksums");
        }
        if self.config.schema.is_some() && welcome.features & feature::SCHEMA == 0 {
            return unsupported("the server takes no schema ids");
        }
        if welcome.max_frame < SMALLEST_MAX_FRAME {
            return Err(End::broken(Code::Protocol, format!("a max frame of {}", welcome.max_frame)));
        }
        self.resume(welcome.last, events)?;
        self.greeted = true;
        self.nacks = 0;
        self.credit = welcome.credit;
        self.max_frame = welcome.max_frame;
        self.pushes = welcome.features & feature::PUSH != 0;
        if self.pushes {
            self.subscriptions.say_all(&mut self.control);
        }
        self.set_state(State::Ready, None, events);
        Ok(())
    }

    /// The server has this producer's messages up to `last`: forgets those, and sends all others again.
    fn resume(&mut self, last: u64, events: &mut Vec<Event<'_>>) -> Result<(), End> {
        if !self.begun {
            self.begun = true;
            self.outbox.begin_after(last);
            self.highest_sent = last;
            return Ok(());
        }
        let known = self.base.saturating_add(last);
        let acked = self.outbox.acked();
        if known > self.highest_sent {
            let text = "the server has messages of this producer that this client did not send";
            return Err(End::fatal(Code::Superseded, text));
        }
        if known < acked {
            // The server has forgotten messages that it had acked. They count as sent; the others begin a new epoch.
            self.epoch += 1;
            self.base = acked;
            self.highest_sent = acked;
            self.outbox.rewind(acked + 1);
            let text = "the server has forgotten this producer; a new epoch begins";
            return Err(End::broken(Code::Unavailable, text));
        }
        if known > acked {
            self.advance(known);
            self.tell_acked(events);
        }
        self.outbox.rewind(self.outbox.acked() + 1);
        Ok(())
    }

    fn advance(&mut self, sequence: u64) {
        self.outbox.ack(sequence);
        self.marks.acked = sequence;
        self.nacks = 0;
        self.refusals = 0;
    }

    fn tell_acked(&self, events: &mut Vec<Event<'_>>) {
        if let Some(on_ack) = self.config.on_ack.clone() {
            events.push(Event::Acked { on_ack, marks: self.marks });
        }
    }

    fn ack(&mut self, ack: &Ack, events: &mut Vec<Event<'_>>) -> Result<(), End> {
        let level = match self.config.durability {
            Durability::Received => ack.received,
            Durability::Handled => ack.handled,
            Durability::Durable | Durability::Replicated => ack.durable,
        };
        let known = |mark: u64| self.base.saturating_add(mark);
        let mark = known(level);
        if mark > self.highest_sent {
            return Err(End::broken(Code::Protocol, format!("an ACK of {mark}, which was not sent")));
        }
        self.marks = Watermarks {
            acked: self.marks.acked,
            received: known(ack.received),
            handled: known(ack.handled),
            durable: known(ack.durable),
            duplicates: ack.duplicates,
        };
        self.credit = ack.credit;
        if mark > self.outbox.acked() {
            self.advance(mark);
        }
        self.tell_acked(events);
        Ok(())
    }

    fn nack<'a>(
        &mut self,
        expected: u64,
        code: Code,
        text: &'a str,
        now: Instant,
        events: &mut Vec<Event<'a>>,
    ) -> Result<(), End> {
        let sequence = self.base.saturating_add(expected);
        if sequence <= self.outbox.acked() || sequence > self.highest_sent + 1 {
            let text = format!("a NACK of {sequence}, which is acked or was not sent");
            return Err(End::broken(Code::Protocol, text));
        }
        if code == Code::Refused {
            if !self.config.retry_refused {
                return Err(End::fatal(Code::Refused, format!("message {sequence}: {text}")));
            }
            let pause = self.config.least_backoff.saturating_mul(1 << self.refusals.min(20));
            self.held_until = Some(now + pause.min(self.config.most_backoff));
            self.refusals += 1;
            let on_refused = self.config.on_refused.clone();
            events.extend(on_refused.map(|on_refused| Event::Refused { on_refused, sequence, text }));
        } else {
            self.nacks += 1;
            if self.nacks > MOST_NACKS {
                return Err(End::broken(code, text));
            }
        }
        self.outbox.rewind(sequence);
        Ok(())
    }

    fn ping(&mut self, opaque: u64) -> Result<(), End> {
        Frame::Pong(opaque).encode(&mut self.control);
        if self.control.len() > MOST_CONTROL {
            return Err(End::broken(Code::Slow, "the server asks and does not read the answers"));
        }
        Ok(())
    }
}
