"""The client of asyncio."""

from __future__ import annotations

import asyncio
import inspect
import random
import threading
from time import monotonic
from types import TracebackType

from .asked import Event
from .errors import End, TransportError, broken, lost, unforeseen
from .face import Face
from .link import Link, connect
from .options import Options, Subscription, check_subscription, check_timeout, checked
from .session import MOST_CONTROL, Session, refusal
from .waiters import Waiters


class AsyncClient(Face):
    """A producer, asker and subscriber at one server, in an event loop. It connects again by itself. ``connect`` makes one; left by
    ``async with``, it drains, or closes after an exception."""

    def __init__(self, options: Options) -> None:
        self._context = checked(options)
        self._options = options
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        # The blocking client sends from other threads.
        self._lock = threading.RLock()
        super().__init__(Session(options, self._asked))
        self._servers = [(options.host, options.port), *options.others]
        self._attempts = 0
        self._backoff = options.least_backoff
        self._link: Link | None = None
        self._dialing: asyncio.Task[None] | None = None
        self._answering: set[asyncio.Task[None]] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._again: asyncio.TimerHandle | None = None
        self._waking = self._begun = self._was_up = self._closed = False
        # Why there will be no other connection.
        self._failure: TransportError | None = None
        self._acks, self._rooms, self._ends = Waiters(), Waiters(), Waiters()

    @classmethod
    async def connect(cls, options: Options) -> AsyncClient:
        """Connects and shakes hands; later connections come back by themselves. Whatever ends the first one before is raised."""
        client = cls(options)
        client._dial()
        try:
            await client._ends.wait(lambda: client._failure is not None or client._begun)
        except BaseException:
            client.close()
            raise
        if client._failure is not None and not client._begun:
            raise client._failure
        return client

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        try:
            if kind is None and self._failure is None:
                await self.drain()
        finally:
            await self.aclose()

    def send(self, message: bytes) -> int:
        """Takes a message and gives its sequence; it is acked when the watermark has come so far. Raises ``full`` while too much is kept,
        ``frame-too-large``, or why the client is over."""
        size = len(message)
        with self._lock:
            session = self.session
            if size > session.max_message:
                raise TransportError("frame-too-large", f"a message of {size} bytes; the server takes {session.max_message}")
            self._refuse_ended()
            if not self.has_room:
                raise TransportError("full", "too much is kept that is not acked: await ready()")
            if session.send(message, monotonic()):
                self._wake()
            return session.outbox.appended

    @property
    def has_room(self) -> bool:
        """Whether a message would be taken."""
        return self.session.outbox.kept_bytes < self._options.max_kept_bytes

    async def ready(self) -> None:
        """Waits until there is room for a message."""
        if self.has_room and self._failure is None:
            return
        self._refuse_ended()
        # Acks of what lingers would be waited for as long as it lingers.
        self._flush()
        await self._rooms.wait(lambda: self.has_room)

    async def acked(self, sequence: int) -> None:
        """Waits until the message of that sequence is acked, and all before it. Raises why the client is over where it is before."""
        await self._when_acked(sequence)

    async def flush(self, timeout: float | None = None) -> None:
        """Sends what lingers, and waits until all messages are acked that were sent before. Raises ``deadline`` after ``timeout``."""
        check_timeout(timeout)
        upto = self.sent
        self._flush()
        if not await self._when_acked(upto, timeout):
            why = "the server has not said yet that it has them" if self.session.is_up else "there is no connection"
            raise TransportError("deadline", f"{upto - self.session.outbox.acked} messages are not acked: {why}")

    async def request(self, data: bytes, timeout: float | None = None) -> bytes:
        """Asks. Without a timeout the answer is waited for as long as the connection lasts."""
        check_timeout(timeout)
        answered: asyncio.Future[bytes] = self._loop.create_future()

        def told(answer: bytes | TransportError) -> None:
            if not answered.done():
                answered.set_exception(answer) if isinstance(answer, TransportError) else answered.set_result(answer)

        with self._lock:
            self._refuse_ended()
            session = self.session
            if not session.is_up:
                raise TransportError("disconnected", "not connected now")
            if len(data) > session.max_request:
                raise TransportError("frame-too-large", f"a request of {len(data)} bytes; the server takes {session.max_request}")
            session.request(bytes(data), timeout, told, monotonic())
            self._wake()
        return await answered

    def subscribe(self, asked: Subscription) -> int:
        """Gives the subscription's number. It outlives connections and goes on where it was."""
        check_subscription(asked)
        with self._lock:
            self._refuse_ended()
            id = self.session.subscribe(asked)
            self._wake()
            return id

    def unsubscribe(self, subscription: int) -> None:
        with self._lock:
            self.session.unsubscribe(subscription)
            self._wake()

    async def drain(self, timeout: float = 5.0) -> None:
        """Flushes, tells the server that nothing follows, and waits until it has closed, or the connection is lost: the client is over
        then."""
        check_timeout(timeout)
        end = monotonic() + timeout
        while True:
            await self.flush(max(end - monotonic(), 0.001))
            with self._lock:
                # Others may send until the server is told.
                if self.session.outbox.acked == self.sent:
                    break
        if not self.session.is_up:
            return self.close()
        with self._lock:
            self.session.drain(max(end - monotonic(), 0.001))
            self._wake()
        if not await self._ends.wait(lambda: self._failure is not None, max(end - monotonic(), 0.001)):
            raise TransportError("deadline", "all is acked, but the server did not close in time")

    def close(self) -> None:
        """Leaves at once; what is not acked is lost."""
        if self._closed or self._failure is not None:
            return
        self._closed = True
        self._ended(End(TransportError("normal"), fatal=True, tell=True))

    async def aclose(self) -> None:
        """Closes, and waits until the socket is gone."""
        link = self._link
        self.close()
        if link is not None:
            await link.left

    async def over(self) -> TransportError:
        """Waits until the client is over, and gives why it is."""
        await self._ends.wait(lambda: self._failure is not None)
        assert self._failure is not None
        return self._failure

    # The owner of its connection.

    def opened(self, link: Link) -> None:
        if self._closed:
            return link.leave(End(TransportError("normal"), fatal=True, tell=False))
        self._link = link
        with self._lock:
            self.session.connected(monotonic())
        self._work()

    def came(self, link: Link, chunk: bytes) -> None:
        if link is not self._link:
            return
        session = self.session
        try:
            with self._lock:
                link.inbox.add(chunk, lambda kind, body: session.received(kind, body, monotonic()))
        except TransportError as error:
            self._ended(broken(error.code, error.text))
        except End as end:
            self._ended(end)
        if session.is_up:
            self._was_up = self._begun = True
            self._ends.look()
        self._acks.look()
        self._rooms.look()
        self._work()

    def room(self, link: Link) -> None:
        self._work()

    def gone(self, link: Link, why: Exception | None) -> None:
        if link is self._link:
            self._ended(lost(TransportError("disconnected", str(why or "the server closed the connection"))))

    def _refuse_ended(self) -> None:
        """Nothing can be sent any more."""
        if self._failure is not None:
            raise self._failure
        if self.session.leaving:
            raise TransportError("closed", "the client drains")

    def _flush(self) -> None:
        with self._lock:
            self.session.flush(self.sent)
            self._wake()

    async def _when_acked(self, sequence: int, timeout: float | None = None) -> bool:
        if self.session.outbox.acked >= sequence:
            return True
        if self._failure is not None:
            raise self._failure
        return await self._acks.wait(lambda: self.session.outbox.acked >= sequence, timeout)

    def _dial(self) -> None:
        self._again = None
        self._dialing = self._loop.create_task(self._dialed())

    async def _dialed(self) -> None:
        host, port = self._servers[self._attempts % len(self._servers)]
        self._attempts += 1
        name = None if self._options.tls is None else self._options.tls.name
        try:
            await connect(self, host, port, self._context, name, self._options.connect_timeout)
        except End as end:
            self._ended(end)
        except Exception as error:
            self._ended(unforeseen(error))

    def _wake(self) -> None:
        """Work is looked for once, however often it is asked for."""
        if self._waking:
            return
        self._waking = True
        if threading.get_ident() == self._thread:
            self._loop.call_soon(self._work)
        else:
            self._loop.call_soon_threadsafe(self._work)

    def _work(self) -> None:
        """Writes what there is to write, and sets the timer of what comes next."""
        self._waking = False
        if self._timer is not None:
            self._timer.cancel()
        link, session = self._link, self.session
        if link is not None:
            try:
                with self._lock:
                    session.tick(monotonic())
                    self._write(link)
                    # Nothing can be written before the socket has room, however long it lingers.
                    time = session.next_tick if link.is_full else session.next_time
                # The event loop takes no longer time than a day.
                self._timer = self._loop.call_later(min(max(time - monotonic(), 0), 86400), self._work)
            except End as end:
                self._ended(end)
            except Exception as error:
                self._ended(unforeseen(error))
        self._tell()

    def _write(self, link: Link) -> None:
        session = self.session
        while not link.is_full:
            parts = session.take_control() or session.next(monotonic())
            if parts is None:
                break
            link.write(list(parts))
        # A server that does not read its answers asks no more.
        link.listen(session.control_bytes <= MOST_CONTROL)

    def _tell(self) -> None:
        """The user's functions may raise and may call this client: they are called when all is done here."""
        with self._lock:
            events: list[Event]
            events, self.session.events = self.session.events, []
        for event in events:
            self._loop.call_soon(event)

    def _ended(self, end: End) -> None:
        """The connection is at its end; another one comes, or none."""
        link, self._link = self._link, None
        if self._failure is not None:
            return
        for timer in (self._timer, self._again):
            if timer is not None:
                timer.cancel()
        if link is not None:
            link.leave(end)
        if self._closed and self._dialing is not None:
            self._dialing.cancel()
        # The first connection may be to any of the servers.
        is_last_hope = not self._begun and self._attempts >= len(self._servers)
        over = end.fatal or self.session.leaving or self._closed or is_last_hope
        with self._lock:
            self.session.disconnected(end.why, over)
        if over:
            self._fail(end.why)
        else:
            if self._was_up:
                self._backoff = self._options.least_backoff
            self._was_up = False
            # A part is random, so that clients that lost a server together do not come back together.
            self._again = self._loop.call_later(self._backoff * (0.5 + 0.5 * random.random()), self._dial)
            self._backoff = min(2 * self._backoff, self._options.most_backoff)
        self._tell()

    def _fail(self, why: TransportError) -> None:
        if self._closed:
            why = TransportError("closed", "the client is closed")
        elif self.session.leaving:
            why = TransportError("normal", "drained")
        self._failure = why
        self._acks.fail(why)
        self._rooms.fail(why)
        self._ends.look()

    def _asked(self, correlation: int, data: bytes) -> None:
        task = self._loop.create_task(self._answer(correlation, data))
        self._answering.add(task)
        task.add_done_callback(self._answering.discard)

    async def _answer(self, correlation: int, data: bytes) -> None:
        link = self._link
        on_request = self._options.on_request
        try:
            if on_request is None:
                raise TransportError("unsupported", "this client answers no requests")
            given = on_request(data)
            answer = "normal", bytes(await given if inspect.isawaitable(given) else given)
        except Exception as error:
            answer = refusal(error)
        # A correlation is its connection's.
        if link is None or self._link is not link:
            return
        with self._lock:
            self.session.reply(correlation, *answer)
        self._work()
