"""The client's half of aldis/1 without sockets, threads and clocks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import ceil, inf

from . import frames
from .asked import Event, Requests, Subscriptions, Told
from .errors import End, TransportError, broken, code_number, fatal, lost
from .frames import DURABILITIES, ENTRY_HEAD, NO_CHECKSUM, PUSH, SCHEMA, VERSION, Frame
from .options import MAX_U32, Options, State, Subscription, Watermarks
from .outbox import Outbox

MOST_NACKS = 8
"""NACKs of damage without progress in between, beyond which the connection is given up."""

MOST_CONTROL = 1 << 20
"""Bytes of answers that wait to be written, beyond which the server is not read."""

SMALLEST_MAX_FRAME = 64
"""No server has less: the handshake alone may be this long."""


class Session:
    """Frames go in; frames, and calls of the user's functions, come out. It outlives connections: what is not acked is sent again in
    the next one. Moments are seconds of one clock."""

    def __init__(self, options: Options, on_asked: Callable[[int, bytes], object]) -> None:
        self.options = options
        self._on_asked = on_asked
        self.state: State = "connecting"
        self.epoch = options.epoch
        self.outbox = Outbox(options.batch_bytes)
        self.marks = Watermarks()
        self.leaving = False
        """The server has been told that nothing follows."""
        self.control: list[bytes] = []
        """Frames that go before batches."""
        self.control_bytes = 0
        self.events: list[Event] = []
        self._greeted = self._begun = self._pushes = False
        # Since when a PING waits for any answer.
        self._pinged: float | None = None
        self._nacks = 0
        # Refusals of the handler without progress in between.
        self._refusals = 0
        # A message's sequence in this epoch is its sequence less this.
        self._base = 0
        self._highest_sent = 0
        self._flush = 0
        self._credit = frames.Window()
        self._max_frame = 1 << 20
        self._heard = self._open_since = 0.0
        self._held_until: float | None = None
        self._requests = Requests()
        self._subscriptions = Subscriptions()

    def connected(self, now: float) -> None:
        """A socket is there: says HELLO."""
        options = self.options
        self.state = "connecting"
        self._greeted = False
        self._pinged = self._held_until = None
        self._heard = now
        self._refusals = 0
        self.take_control()
        features = PUSH | (0 if options.checksum else NO_CHECKSUM) | (0 if options.schema is None else SCHEMA)
        self.say(
            frames.Hello(
                VERSION,
                features,
                options.producer,
                self.epoch,
                options.auth_method,
                options.auth_data,
                options.durability,
                options.window,
            )
        )

    def disconnected(self, why: TransportError, over: bool) -> None:
        """The socket is gone. With ``over`` there will be no other."""
        self.take_control()
        self._greeted = False
        self._requests.fail(TransportError("disconnected", why.text))
        self._set_state("over" if over else "connecting", why)

    def say(self, frame: Frame) -> None:
        self.control.append(frames.encode(frame))
        self.control_bytes += len(self.control[-1])

    def take_control(self) -> list[bytes]:
        """The frames that wait to be written."""
        taken, self.control, self.control_bytes = self.control, [], 0
        return taken

    def received(self, kind: int, body: bytes, now: float) -> None:
        """Takes a frame's kind and body. Raises End, or TransportError for what cannot be understood."""
        self._heard = now
        self._pinged = None
        frame = frames.decode(kind, body)
        if isinstance(frame, frames.Close):
            raise lost(TransportError(frame.code, frame.text))
        if isinstance(frame, frames.Unknown):
            return
        if isinstance(frame, frames.Welcome):
            return self._welcome(frame)
        if not self._greeted:
            raise broken("protocol", "the server's first frame is no WELCOME")
        self._take(frame, now)

    def _take(self, frame: Frame, now: float) -> None:
        match frame:
            case frames.Ack():
                self._ack(frame)
            case frames.Nack():
                self._nack(frame, now)
            case frames.Request(correlation, _, data):
                self.events.append(partial(self._on_asked, correlation, data))
            case frames.Reply(correlation, code, data):
                self._requests.answer(correlation, code, data)
            case frames.Push():
                event, credit = self._subscriptions.push(frame)
                self._tell(event)
                if credit is not None:
                    self.say(credit)
            case frames.Ping(opaque):
                self.say(frames.Pong(opaque))
                if self.control_bytes > MOST_CONTROL:
                    raise broken("slow", "the server asks and does not read the answers")
            case frames.Pong():
                pass
            case frames.Drain():
                # Behind the last batch, so that the server need not wait longer than for its acks.
                if self.state == "ready":
                    self.say(frame)
                self._set_state("draining", TransportError("draining", "the server drains"))
            case frames.Unsubscribe(subscription, code, text):
                self._tell(self._subscriptions.end(subscription, TransportError(code, text)))
            case _:
                raise broken("protocol", f"a {type(frame).__name__.upper()} from the server")

    def tick(self, now: float) -> None:
        """The work that time brings: pings, the end of patience, requests that nobody answered. Raises End."""
        self._requests.expire(now)
        silent = now - self._heard
        if not self._greeted and silent >= self.options.connect_timeout:
            raise End(TransportError("idle", "no WELCOME in time"), fatal=False, tell=False)
        patience = self.options.ping_after
        if self._pinged is not None and now - self._pinged >= patience:
            raise broken("idle", "the server answers no PING")
        if self._greeted and silent >= patience and self._pinged is None:
            self._pinged = now
            self.say(frames.Ping(0))

    @property
    def next_tick(self) -> float:
        """When ``tick`` has something to do."""
        silence = self.options.ping_after if self._greeted else self.options.connect_timeout
        return min(self._requests.earliest, (self._heard if self._pinged is None else self._pinged) + silence)

    @property
    def next_time(self) -> float:
        """When ``tick`` has something to do, or ``next``."""
        time = self.next_tick
        if self.state != "ready":
            return time
        # A refused message waits, and all behind it.
        if self._held_until is not None:
            return min(time, self._held_until)
        # While a closed chunk waits for credit the open one lingers on.
        lingers = self.outbox.has_open and not self.outbox.has_next
        return min(time, self._open_since + self.options.linger) if lingers else time

    def next(self, now: float) -> tuple[bytes, bytes] | None:
        """The next BATCH as its head and its entries, as far as credit, linger and the server allow. Raises End."""
        if self.state != "ready" or (self._held_until is not None and now < self._held_until):
            return None
        self._held_until = None
        outbox = self.outbox
        if not outbox.has_next and (self._flush > outbox.sent or now >= self._open_since + self.options.linger):
            outbox.close_chunk()
        outgoing = outbox.next(self._credit, self._max_entries)
        if outgoing is None:
            return None
        first, count, entries = outgoing
        if len(entries) > self._max_entries:
            size = len(entries) - ENTRY_HEAD
            raise fatal("frame-too-large", f"a message that is kept has {size} bytes; the server takes {self.max_message}")
        self._highest_sent = max(self._highest_sent, outbox.sent)
        first -= self._base
        schema = self.options.schema
        crc = frames.checksum(first, count, schema, entries) if self.options.checksum else 0
        return frames.encode(frames.Batch(first, count, crc, schema, b""), len(entries)), entries

    def send(self, message: bytes, now: float) -> bool:
        """Takes a message; whether there is something to do: a chunk was closed, or one that lingers begun."""
        had = self.outbox.has_open
        if not had:
            self._open_since = now
        self.outbox.append(message)
        return not had or not self.outbox.has_open

    def flush(self, upto: int) -> None:
        self._flush = max(self._flush, upto)

    def request(self, data: bytes, timeout: float | None, told: Told, now: float) -> None:
        """Without a timeout the answer is waited for as long as the connection lasts."""
        milliseconds = 0 if timeout is None else max(min(ceil(min(timeout, MAX_U32) * 1000), MAX_U32), 1)
        correlation = self._requests.open(told, inf if timeout is None else now + timeout)
        self.say(frames.Request(correlation, milliseconds, data))

    def reply(self, correlation: int, code: str, data: bytes) -> None:
        """Answers a request of the server. An answer too long for a frame would end the connection, so the server is told that."""
        most = self.max_request
        if len(data) > most:
            code, data = "frame-too-large", f"an answer of {len(data)} bytes; a frame takes {most}".encode()[:most]
        self.say(frames.Reply(correlation, code, data))

    def subscribe(self, asked: Subscription) -> int:
        """Gives the subscription's number. It is said now, or when the connection is there again."""
        if not self._pushes:
            raise TransportError("unsupported", "the server has no subscriptions")
        id, frame = self._subscriptions.open(asked)
        if self.is_up:
            self.say(frame)
        return id

    def unsubscribe(self, subscription: int) -> None:
        if self._subscriptions.close(subscription) and self.is_up:
            self.say(frames.Unsubscribe(subscription, "normal", ""))

    def drain(self, timeout: float) -> None:
        """Says that no batches follow; the server closes when it has acked all. However this connection ends, it is the last."""
        self.leaving = True
        self.state = "draining"
        self.say(frames.Drain(max(min(ceil(min(timeout, MAX_U32) * 1000), MAX_U32), 1)))

    @property
    def is_up(self) -> bool:
        return self._greeted and self.state in ("ready", "draining")

    @property
    def max_message(self) -> int:
        """The longest message that the server takes."""
        return self._max_entries - ENTRY_HEAD

    @property
    def max_request(self) -> int:
        """The longest request, and the longest answer to one: without kind, correlation, and deadline or code."""
        return self._max_frame - 1 - 12

    @property
    def _max_entries(self) -> int:
        """Bytes of entries in a frame: without kind, first, count, checksum, schema and template."""
        return self._max_frame - 1 - 16 - (0 if self.options.schema is None else 8)

    def _tell(self, event: Event | None) -> None:
        if event is not None:
            self.events.append(event)

    def _set_state(self, state: State, why: TransportError | None = None) -> None:
        if self.state == state:
            return
        self.state = state
        if self.options.on_state is not None:
            self.events.append(partial(self.options.on_state, state, why))

    def _welcome(self, welcome: frames.Welcome) -> None:
        options = self.options
        if self._greeted:
            raise broken("protocol", "a second WELCOME")
        if welcome.version != VERSION:
            raise fatal("version", f"the server speaks version {welcome.version}")
        if DURABILITIES.index(welcome.durability) < DURABILITIES.index(options.durability):
            raise fatal("unsupported", "the server grants less durability than is wanted")
        if not options.checksum and not welcome.features & NO_CHECKSUM:
            raise fatal("unsupported", "the server wants checksums")
        if options.schema is not None and not welcome.features & SCHEMA:
            raise fatal("unsupported", "the server takes no schema ids")
        if welcome.max_frame < SMALLEST_MAX_FRAME:
            raise broken("protocol", f"a max frame of {welcome.max_frame}")
        self._resume(welcome.last)
        self._greeted = True
        self._nacks = 0
        self._credit = welcome.credit
        self._max_frame = welcome.max_frame
        self._pushes = welcome.features & PUSH != 0
        if self._pushes:
            for frame in self._subscriptions.frames():
                self.say(frame)
        self._set_state("ready")

    def _resume(self, last: int) -> None:
        """The server has this producer's messages up to ``last``: forgets those, and sends all others again."""
        outbox = self.outbox
        if not self._begun:
            self._begun = True
            outbox.begin_after(last)
            self.marks = Watermarks(acked=last)
            self._highest_sent = last
            return
        known = self._base + last
        if known > self._highest_sent:
            raise fatal("superseded", "the server has messages of this producer that this client did not send")
        if known < outbox.acked:
            # The server has forgotten messages that it had acked. They count as sent; the others begin a new epoch.
            self.epoch += 1
            self._base = self._highest_sent = outbox.acked
            outbox.rewind(outbox.acked + 1)
            raise broken("unavailable", "the server has forgotten this producer; a new epoch begins")
        if known > outbox.acked:
            self._advance(known)
            self._tell_acked()
        outbox.rewind(outbox.acked + 1)

    def _advance(self, sequence: int) -> None:
        self.outbox.ack(sequence)
        self.marks = replace(self.marks, acked=sequence)
        self._nacks = self._refusals = 0

    def _tell_acked(self) -> None:
        if self.options.on_ack is not None:
            self.events.append(partial(self.options.on_ack, self.marks))

    def _ack(self, ack: frames.Ack) -> None:
        # Replicated messages have no watermark of their own.
        level = "durable" if self.options.durability == "replicated" else self.options.durability
        mark = self._base + int(getattr(ack, level))
        if mark > self._highest_sent:
            raise broken("protocol", f"an ACK of {mark}, which was not sent")
        received, handled, durable = (self._base + known for known in (ack.received, ack.handled, ack.durable))
        self.marks = Watermarks(self.marks.acked, received, handled, durable, ack.duplicates)
        self._credit = ack.credit
        if mark > self.outbox.acked:
            self._advance(mark)
        self._tell_acked()

    def _nack(self, nack: frames.Nack, now: float) -> None:
        options = self.options
        sequence = self._base + nack.expected
        if not self.outbox.acked < sequence <= self._highest_sent + 1:
            raise broken("protocol", f"a NACK of {sequence}, which is acked or was not sent")
        if nack.code == "refused":
            if not options.retry_refused:
                raise fatal("refused", f"message {sequence}: {nack.text}")
            self._held_until = now + min(options.least_backoff * 2.0 ** min(self._refusals, 64), options.most_backoff)
            self._refusals += 1
            if options.on_refused is not None:
                self.events.append(partial(options.on_refused, sequence, nack.text))
        else:
            self._nacks += 1
            if self._nacks > MOST_NACKS:
                raise broken(nack.code, nack.text)
        self.outbox.rewind(sequence)


def refusal(error: Exception) -> tuple[str, bytes]:
    """The code and the bytes of a reply that says what went wrong."""
    if isinstance(error, TransportError):
        return (error.code if code_number(error.code) != 0 else "handler"), error.text.encode(errors="replace")
    return "handler", str(error).encode(errors="replace")
