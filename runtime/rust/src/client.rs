//! The client: two threads of its own, one that connects and writes and one that reads; any thread may call.

use crate::config::{Config, OnReply, State, Subscription};
use crate::error::{fits, Code, Error};
use crate::event::Event;
use crate::frame::{Batch, Frame, MAX_AUTH};
use crate::front::Front;
use crate::inbox::Inbox;
use crate::inner::Inner;
use crate::session::{End, Session};
use crate::stream::{Connector, Stream};
use crate::wire::MAX_TEXT;
use std::io;
use std::sync::mpsc;
use std::sync::{Arc, Condvar, LockResult, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How long a client that is dropped waits until its last words are written.
const FAREWELL: Duration = Duration::from_millis(200);

/// A producer, asker and subscriber at one server. It connects again by itself; dropped, it leaves at once.
pub struct Client {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    config: Config,
    /// The batch that `send` fills while nobody has the lock of `inner`. A thread that takes that lock takes this batch, too.
    front: Front,
    inner: Mutex<Inner>,
    /// Callers wait for acks, room and the end.
    changed: Condvar,
    /// The writer waits for work.
    work: Condvar,
}

impl Client {
    /// Connects and shakes hands; later connections come back by themselves.
    ///
    /// # Errors
    /// The problem with the options or the first connection.
    pub fn connect(config: Config) -> Result<Self, Error> {
        if config.auth_method.len() > 255 || config.auth_method.len() + config.auth_data.len() > MAX_AUTH {
            let text = format!("an auth method takes 255 bytes, it and auth data together {MAX_AUTH}");
            return Err(Error::new(Code::Misused, text));
        }
        let addresses = std::iter::once(&config.address).chain(&config.other_addresses);
        let connector = Connector::new(addresses, config.tls.as_ref())?;
        let shared = Arc::new(Shared::new(config));
        let own = Arc::clone(&shared);
        let thread = thread::Builder::new().name("aldis-writer".into()).spawn(move || own.live(&connector));
        let thread = thread.map_err(|error| Error::new(Code::Misused, error.to_string()))?;
        let client = Self { shared, thread: Some(thread) };
        let inner = client.shared.wait(|inner| inner.begun || inner.failure.is_some());
        match inner.failure.clone() {
            Some(failure) if !inner.begun => Err(failure),
            _ => {
                drop(inner);
                Ok(client)
            }
        }
    }

    /// Takes a message and gives its sequence; it is acked when the watermark has come so far. Waits while too much is
    /// kept already.
    ///
    /// # Errors
    /// A message beyond the server's max frame, or why there is no connection any more.
    #[inline]
    pub fn send(&self, message: &[u8]) -> Result<u64, Error> {
        match self.shared.front.add(message) {
            Some(sequence) => Ok(sequence),
            None => self.shared.send(message),
        }
    }

    /// The same for what a [`crate::MessageBatch`] has gathered, the longest message among it of `longest` bytes: the entries are taken
    /// unless there is an error.
    pub(crate) fn send_entries(&self, entries: &mut Vec<u8>, count: u32, longest: usize) -> Result<u64, Error> {
        let mut inner = self.shared.room_for(longest)?;
        let sequence = inner.session.send_entries(entries, count);
        self.shared.work.notify_one();
        Ok(sequence)
    }

    /// Sends what lingers and waits until all messages are acked that were sent before.
    ///
    /// # Errors
    /// `deadline` when that takes longer than `timeout`, or why there is no connection any more.
    pub fn flush(&self, timeout: Duration) -> Result<(), Error> {
        self.shared.flush_until(self.shared.lock(), Instant::now() + timeout).map(drop)
    }

    /// Asks; `on_reply` is called once, with the answer or why there is none. A deadline of zero waits as long as the
    /// connection lasts.
    ///
    /// # Errors
    /// `disconnected` while there is no connection, `frame-too-large` beyond the server's max frame.
    pub fn ask(&self, bytes: &[u8], deadline: Duration, on_reply: OnReply) -> Result<(), Error> {
        let mut inner = self.shared.lock();
        if let Some(error) = inner.ended() {
            return Err(error);
        }
        if !inner.session.is_up() {
            return Err(Error::new(Code::Disconnected, "not connected now"));
        }
        let most = inner.session.max_request();
        if bytes.len() > most {
            let text = format!("a request of {} bytes; the server takes {most}", bytes.len());
            return Err(Error::new(Code::FrameTooLarge, text));
        }
        inner.session.request(bytes, deadline, on_reply, Instant::now());
        self.shared.work.notify_one();
        Ok(())
    }

    /// Asks and waits for the answer.
    ///
    /// # Errors
    /// As [`Client::ask`], and the server's refusal.
    pub fn request(&self, bytes: &[u8], deadline: Duration) -> Result<Vec<u8>, Error> {
        self.shared.lock().refuse_waiting()?;
        let (tell, told) = mpsc::sync_channel(1);
        let on_reply: OnReply = Box::new(move |answer| {
            // The thread that asked waits below.
            let _ = tell.send(answer.map(<[u8]>::to_vec));
        });
        self.ask(bytes, deadline, on_reply)?;
        told.recv().unwrap_or_else(|_| Err(Error::new(Code::Closed, "the client is closed")))
    }

    /// Gives the subscription's number. It outlives connections and goes on where it was.
    ///
    /// # Errors
    /// `unsupported` when the server has no subscriptions, `misused` for a topic beyond 1,024 bytes.
    pub fn subscribe(&self, subscription: Subscription) -> Result<u32, Error> {
        if subscription.credit == 0 {
            return Err(Error::new(Code::Misused, "a subscription needs credit"));
        }
        if subscription.topic.len() > MAX_TEXT {
            return Err(Error::new(Code::Misused, format!("a topic takes {MAX_TEXT} bytes")));
        }
        let mut inner = self.shared.lock();
        if let Some(error) = inner.ended() {
            return Err(error);
        }
        let id = inner.session.subscribe(subscription);
        self.shared.work.notify_one();
        id
    }

    pub fn unsubscribe(&self, subscription: u32) {
        self.shared.lock().session.unsubscribe(subscription);
        self.shared.work.notify_one();
    }

    /// Flushes, tells the server that nothing follows, and waits until it has closed, or the connection is lost: the client
    /// is over then, with nothing left to ack.
    ///
    /// # Errors
    /// As [`Client::flush`], after which the client goes on as before; or `deadline` when all is acked, but the server did
    /// not close in time.
    pub fn drain(&self, timeout: Duration) -> Result<(), Error> {
        let deadline = Instant::now() + timeout;
        let mut inner = self.shared.flush_until(self.shared.lock(), deadline)?;
        // Other threads may send until the server is told.
        while inner.session.outbox().acked() < inner.session.outbox().appended() {
            inner = self.shared.flush_until(inner, deadline)?;
        }
        if !inner.session.is_up() {
            // There is nobody to tell.
            self.shared.leave(&mut inner);
            return Ok(());
        }
        let left = deadline.saturating_duration_since(Instant::now()).as_millis();
        inner.session.drain(u32::try_from(left.max(1)).unwrap_or(u32::MAX));
        self.shared.work.notify_one();
        let inner = self.shared.wait_until(inner, deadline, |inner| inner.failure.is_some());
        let late = || Error::new(Code::Deadline, "all is acked, but the server did not close in time");
        inner.failure.as_ref().map(|_| ()).ok_or_else(late)
    }

    /// Waits until the client is over, which it is when connecting again cannot help, or for `timeout`.
    pub fn wait_over(&self, timeout: Duration) -> Option<Error> {
        let inner = self.shared.lock();
        self.shared.wait_until(inner, Instant::now() + timeout, |inner| inner.failure.is_some()).failure.clone()
    }

    pub fn state(&self) -> State {
        self.shared.lock().session.state()
    }

    /// The last acked sequence.
    pub fn acked(&self) -> u64 {
        self.shared.lock().session.outbox().acked()
    }

    /// The last sequence that was given out, or that the server had from this producer before.
    pub fn sent(&self) -> u64 {
        self.shared.lock().session.outbox().appended()
    }

    /// The epoch, which a server that has forgotten this producer makes higher.
    pub fn epoch(&self) -> u32 {
        self.shared.lock().session.epoch()
    }

    /// The longest message that the server takes, in bytes.
    pub fn max_message(&self) -> usize {
        self.shared.lock().session.max_message()
    }

    /// Whether the server takes a message of so many bytes.
    pub(crate) fn fits(&self, size: usize) -> Result<(), Error> {
        fits(size, self.max_message())
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let mut inner = self.shared.lock();
        self.shared.leave(&mut inner);
        let soon = Instant::now() + FAREWELL;
        let inner = self.shared.wait_until(inner, soon, |inner| inner.failure.is_some());
        match (&inner.stream, &inner.failure) {
            // A thread that is connecting goes when that is over.
            (None, None) => return,
            (Some(stream), None) => stream.shutdown(),
            (_, Some(_)) => {}
        }
        drop(inner);
        if let Some(thread) = self.thread.take() {
            // A panic of a callback ended the thread; there is nothing left to wait for.
            let _ = thread.join();
        }
    }
}

/// However the thread of a client ends, a callback's panic included, nobody waits for it any more.
struct Gone<'a>(&'a Shared);

impl Drop for Gone<'_> {
    fn drop(&mut self) {
        let ended = || Error::new(Code::Closed, "the client's thread has ended");
        self.0.lock().failure.get_or_insert_with(ended);
        self.0.changed.notify_all();
    }
}

/// However a reader ends, a callback's panic included, its connection ends with it.
struct Done<'a>(&'a Shared);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.ending(End { why: Error::new(Code::Closed, "a callback panicked"), fatal: true, tell: true });
    }
}

impl Shared {
    fn new(config: Config) -> Self {
        let inner = Inner {
            session: Session::new(config.clone(), Instant::now()),
            stream: None,
            end: None,
            failure: None,
            begun: false,
            leaving: false,
            was_up: false,
            own: [None; 2],
        };
        Self {
            config,
            front: Front::default(),
            inner: Mutex::new(inner),
            changed: Condvar::new(),
            work: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.gathered(self.inner.lock())
    }

    /// The lock, which was just taken, with the messages that `send` has put into the front since it was held last.
    fn gathered<'a>(&self, taken: LockResult<MutexGuard<'a, Inner>>) -> MutexGuard<'a, Inner> {
        let mut inner = taken.unwrap_or_else(PoisonError::into_inner);
        if let Some((entries, count, added)) = self.front.take() {
            inner.session.take_back(entries, count, added);
        }
        inner
    }

    /// Takes a message with the lock, and lets `send` fill the batch that is open then without it.
    #[cold]
    fn send(&self, message: &[u8]) -> Result<u64, Error> {
        let mut inner = self.room_for(message.len())?;
        let (sequence, has_work) = inner.session.send(message);
        if let Some((entries, last, room, longest)) = inner.session.lend() {
            self.front.open(entries, last, room, longest);
        }
        if has_work {
            self.work.notify_one();
        }
        Ok(sequence)
    }

    fn wait(&self, is_done: impl Fn(&Inner) -> bool) -> MutexGuard<'_, Inner> {
        self.gathered(self.changed.wait_while(self.lock(), |inner| !is_done(inner)))
    }

    fn wait_until<'a>(
        &self,
        inner: MutexGuard<'a, Inner>,
        deadline: Instant,
        is_done: impl Fn(&Inner) -> bool,
    ) -> MutexGuard<'a, Inner> {
        let left = deadline.saturating_duration_since(Instant::now());
        let waited = self.changed.wait_timeout_while(inner, left, |inner| !is_done(inner));
        self.gathered(Ok(waited.unwrap_or_else(PoisonError::into_inner).0))
    }

    /// The lock, once messages can be taken of which the longest has so many bytes.
    fn room_for(&self, longest: usize) -> Result<MutexGuard<'_, Inner>, Error> {
        let mut inner = self.lock();
        fits(longest, inner.session.max_message())?;
        let is_full = |inner: &Inner| inner.session.outbox().kept_bytes() >= self.config.max_kept_bytes;
        while is_full(&inner) && inner.ended().is_none() {
            inner.refuse_waiting()?;
            // Acks of what lingers would be waited for as long as it lingers.
            let upto = inner.session.outbox().appended();
            inner.session.flush(upto);
            self.work.notify_one();
            inner = self.gathered(self.changed.wait(inner));
        }
        match inner.ended() {
            Some(error) => Err(error),
            None => Ok(inner),
        }
    }

    /// Waits until all messages are acked that are there now, and goes on with the lock.
    fn flush_until<'a>(
        &self,
        mut inner: MutexGuard<'a, Inner>,
        deadline: Instant,
    ) -> Result<MutexGuard<'a, Inner>, Error> {
        inner.refuse_waiting()?;
        let upto = inner.session.outbox().appended();
        inner.session.flush(upto);
        self.work.notify_one();
        let is_acked = |inner: &Inner| inner.session.outbox().acked() >= upto;
        let inner = self.wait_until(inner, deadline, |inner| is_acked(inner) || inner.failure.is_some());
        if is_acked(&inner) {
            return Ok(inner);
        }
        let late = || {
            let missing = upto - inner.session.outbox().acked();
            let why = match inner.session.is_up() {
                true => "the server has not said yet that it has them",
                false => "there is no connection",
            };
            Error::new(Code::Deadline, format!("{missing} messages are not acked: {why}"))
        };
        Err(inner.failure.clone().unwrap_or_else(late))
    }

    /// Ends whatever the threads are at.
    fn leave(&self, inner: &mut Inner) {
        inner.leaving = true;
        self.work.notify_all();
        self.changed.notify_all();
    }

    /// Connects, serves, and connects again until that cannot help or nobody wants it.
    fn live(self: &Arc<Self>, connector: &Connector) {
        let _gone = Gone(self);
        let mut backoff = self.config.least_backoff;
        self.lock().own[0] = Some(thread::current().id());
        loop {
            let end = if self.lock().leaving {
                End::lost(Error::new(Code::Closed, "the client is closed"))
            } else {
                match connector.connect(self.config.connect_timeout) {
                    Ok(stream) => self.serve(Arc::new(stream)),
                    Err(error) => End::lost(error),
                }
            };
            let mut inner = self.lock();
            let drained = inner.session.is_leaving();
            let over = end.fatal || drained || inner.leaving || (!inner.begun && connector.was_last());
            let events = inner.session.disconnected(&end.why, over);
            if std::mem::take(&mut inner.was_up) {
                backoff = self.config.least_backoff;
            }
            drop(inner);
            self.tell(events);
            let mut inner = self.lock();
            if over {
                inner.failure = Some(match inner.leaving {
                    _ if drained => Error::new(Code::Normal, "drained"),
                    true => Error::new(Code::Closed, "the client is closed"),
                    false => end.why,
                });
                self.changed.notify_all();
                return;
            }
            let pause = backoff / 2 + backoff.mul_f64(0.5 * random_share());
            drop(self.work.wait_timeout_while(inner, pause, |inner| !inner.leaving));
            backoff = (2 * backoff).min(self.config.most_backoff);
        }
    }

    /// Writes until the connection is at its end, while another thread reads.
    fn serve(self: &Arc<Self>, stream: Arc<Stream>) -> End {
        let mut inner = self.lock();
        inner.end = None;
        inner.stream = Some(Arc::clone(&stream));
        inner.session.connected(Instant::now());
        drop(inner);
        if let Err(error) = stream.set_write_timeout(2 * self.config.ping_after) {
            return lost(&error);
        }
        let end = thread::scope(|scope| {
            let reader = scope.spawn(|| {
                let _done = Done(self);
                self.read(&stream);
            });
            self.lock().own[1] = Some(reader.thread().id());
            let end = self.write(&stream);
            stream.shutdown();
            end
        });
        self.lock().stream = None;
        end
    }

    /// The first end that was found, by whichever thread.
    fn ending(&self, end: End) -> End {
        let mut inner = self.lock();
        let first = inner.end.get_or_insert(end).clone();
        self.work.notify_all();
        first
    }

    fn write(&self, stream: &Stream) -> End {
        let mut head = Vec::new();
        loop {
            head.clear();
            let work = match self.next_work(&mut head) {
                Ok(work) => work,
                Err(end) => return self.say_close(stream, end),
            };
            let entries = work.as_ref().map_or(&[][..], |outgoing| outgoing.entries());
            if let Some(outgoing) = &work {
                let mut batch =
                    Batch { first: outgoing.first, count: outgoing.count, crc: 0, schema: self.config.schema, entries };
                if self.config.checksum {
                    batch.crc = batch.checksum();
                }
                batch.encode_head(&mut head);
            }
            if let Err(error) = stream.write_all(&head, entries) {
                return self.ending(lost(&error));
            }
        }
    }

    /// Waits for what is to be written: control frames into `head`, or a batch.
    fn next_work(&self, head: &mut Vec<u8>) -> Result<Option<crate::outbox::Outgoing>, End> {
        let mut inner = self.lock();
        loop {
            if let Some(end) = inner.end.clone() {
                return Err(end);
            }
            if inner.leaving {
                return Err(End { why: Error::new(Code::Normal, ""), fatal: true, tell: true });
            }
            let now = Instant::now();
            let mut events = Vec::new();
            let ticked = inner.session.tick(now, &mut events);
            if !events.is_empty() {
                drop(inner);
                self.tell(events);
                inner = self.lock();
            }
            if let Err(end) = ticked {
                drop(inner);
                return Err(self.ending(end));
            }
            if !inner.session.control.is_empty() {
                std::mem::swap(head, &mut inner.session.control);
                return Ok(None);
            }
            match inner.session.next(now) {
                Ok(None) => {}
                Ok(work) => return Ok(work),
                Err(end) => {
                    drop(inner);
                    return Err(self.ending(end));
                }
            }
            let left = inner.session.next_time().saturating_duration_since(now);
            let waited = self.work.wait_timeout(inner, left);
            inner = self.gathered(Ok(waited.unwrap_or_else(PoisonError::into_inner).0));
        }
    }

    /// Says why this side goes.
    fn say_close(&self, stream: &Stream, end: End) -> End {
        if end.tell {
            let mut last = Vec::new();
            Frame::Close { code: end.why.code, text: &end.why.text }.encode(&mut last);
            // The connection ends in any case.
            let _ = stream.write_all(&last, &[]);
        }
        end
    }

    fn read(&self, stream: &Stream) {
        let mut inbox = Inbox::default();
        let end = loop {
            match stream.read(inbox.room()) {
                Ok(0) => break End::lost(Error::new(Code::Disconnected, "the server closed the connection")),
                Ok(size) => inbox.came(size),
                Err(error) => break lost(&error),
            }
            if let Err(end) = self.take_frames(&mut inbox) {
                break end;
            }
        };
        // Only what the writer has still to say keeps it from being stopped.
        if !self.ending(end).tell {
            stream.shutdown();
        }
    }

    fn take_frames(&self, inbox: &mut Inbox) -> Result<(), End> {
        let broken = |error: Error| End::broken(error.code, error.text);
        while let Some((kind, body)) = inbox.next_frame().map_err(broken)? {
            let mut events = Vec::new();
            let mut inner = self.lock();
            let result = inner.session.received(kind, body, Instant::now(), &mut events);
            if inner.session.is_up() && result.is_ok() {
                inner.begun = true;
                inner.was_up = true;
            }
            drop(inner);
            self.changed.notify_all();
            self.work.notify_one();
            self.tell(events);
            result?;
        }
        Ok(())
    }

    /// Calls back, with no lock held.
    fn tell(&self, events: Vec<Event<'_>>) {
        for event in events {
            match event {
                Event::Acked { on_ack, marks } => on_ack(&marks),
                Event::Refused { on_refused, sequence, text } => on_refused(sequence, text),
                Event::State { state, why } => {
                    if let Some(on_state) = &self.config.on_state {
                        on_state(state, why.as_ref());
                    }
                }
                Event::Replied { on_reply, answer } => on_reply(answer),
                Event::Pushed { on_push, first, entries } => on_push(first, entries),
                Event::Ended { on_end, why } => on_end(&why),
                Event::Asked { correlation, bytes } => {
                    let nobody = || Err(Error::new(Code::Unsupported, "this client answers no requests"));
                    let answer = self.config.on_request.as_ref().map_or_else(nobody, |on_request| on_request(bytes));
                    self.lock().session.reply(correlation, &answer);
                    self.work.notify_one();
                }
            }
        }
    }
}

fn lost(error: &io::Error) -> End {
    End::lost(Error::new(Code::Disconnected, error.to_string()))
}

/// From 0 to 1, so that clients that lost a server together do not come back together.
fn random_share() -> f64 {
    use std::hash::{BuildHasher, RandomState};
    f64::from(RandomState::new().hash_one(0u8) as u32) / f64::from(u32::MAX)
}
