"""The client for programs without an event loop of their own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError, Future
from types import TracebackType
from typing import Any, TypeVar

from .aio import AsyncClient
from .errors import TransportError
from .face import Face
from .options import Options, Subscription, misused

T = TypeVar("T")


class _Thread:
    """A thread with an event loop."""

    def __init__(self) -> None:
        self._begun: Future[asyncio.AbstractEventLoop] = Future()
        self._lock = threading.Lock()
        self._stopped = False
        self._thread = threading.Thread(target=lambda: asyncio.run(self._live()), name="aldis-transport", daemon=True)
        self._thread.start()
        self._loop = self._begun.result()

    async def _live(self) -> None:
        self._stop = asyncio.Event()
        self._begun.set_result(asyncio.get_running_loop())
        # Calls that still wait when the client is over are cancelled.
        await self._stop.wait()

    @property
    def is_current(self) -> bool:
        return threading.current_thread() is self._thread

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """The result of what runs there."""
        with self._lock:
            if self.is_current or self._stopped:
                coroutine.close()
                raise misused("a function that the client calls cannot wait for it") if self.is_current else _closed()
            future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        try:
            return future.result()
        except CancelledError:
            raise _closed() from None
        except BaseException:
            # As by an interrupt of the keyboard: nobody waits any more.
            future.cancel()
            raise

    def stop(self) -> None:
        with self._lock:
            if not self._stopped:
                self._stopped = True
                self._loop.call_soon_threadsafe(self._stop.set)
        if not self.is_current:
            self._thread.join()


def _closed() -> TransportError:
    return TransportError("closed", "the client is closed")


class Client(Face):
    """A producer, asker and subscriber at one server, which any thread may call; a thread of its own has the connection, which comes back
    by itself. ``connect`` makes one; left by ``with``, it drains, or closes after an exception."""

    def __init__(self, thread: _Thread, client: AsyncClient) -> None:
        super().__init__(client.session)
        self._thread, self._client = thread, client

    @classmethod
    def connect(cls, options: Options) -> Client:
        """Connects and shakes hands; later connections come back by themselves. Whatever ends the first one before is raised."""
        thread = _Thread()
        try:
            return cls(thread, thread.run(AsyncClient.connect(options)))
        except BaseException:
            thread.stop()
            raise

    def __enter__(self) -> Client:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        try:
            if kind is None and self.state != "over":
                self.drain()
        finally:
            self.close()

    def send(self, message: bytes) -> int:
        """Takes a message and gives its sequence; it is acked when the watermark has come so far. Waits while too much is kept. Raises
        ``frame-too-large``, or why the client is over."""
        while True:
            try:
                return self._client.send(message)
            except TransportError as error:
                if error.code != "full":
                    raise
            self._thread.run(self._client.ready())

    def acked(self, sequence: int) -> None:
        """Waits until the message of that sequence is acked, and all before it. Raises why the client is over where it is before."""
        self._thread.run(self._client.acked(sequence))

    def flush(self, timeout: float | None = None) -> None:
        """Sends what lingers, and waits until all messages are acked that were sent before. Raises ``deadline`` after ``timeout``."""
        self._thread.run(self._client.flush(timeout))

    def request(self, data: bytes, timeout: float | None = None) -> bytes:
        """Asks, and waits for the answer: without a timeout as long as the connection lasts."""
        return self._thread.run(self._client.request(data, timeout))

    def subscribe(self, asked: Subscription) -> int:
        """Gives the subscription's number. It outlives connections and goes on where it was."""
        return self._client.subscribe(asked)

    def unsubscribe(self, subscription: int) -> None:
        self._client.unsubscribe(subscription)

    def drain(self, timeout: float = 5.0) -> None:
        """Flushes, tells the server that nothing follows, and waits until it has closed, or the connection is lost: the client is over
        then."""
        self._thread.run(self._client.drain(timeout))

    def close(self) -> None:
        """Leaves at once; what is not acked is lost."""
        self._refuse(lambda: self._thread.run(self._client.aclose()))
        self._thread.stop()

    def over(self, timeout: float | None = None) -> TransportError | None:
        """Waits until the client is over, and gives why it is; None after ``timeout``."""
        try:
            return self._thread.run(asyncio.wait_for(self._client.over(), timeout))
        except (TimeoutError, asyncio.TimeoutError):
            return None

    @staticmethod
    def _refuse(run: Callable[[], None]) -> None:
        """A client that is closed already is left as it is."""
        try:
            run()
        except TransportError as error:
            if error.code != "closed":
                raise
