"""Messages in streams: whole ones out of bytes as they come, and many put together for one write."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from .faults import CodecError
from .form import Buffer, Codec, Form
from .framing import KNOWN, MORE, Framing, Length, Lying, StreamError, framing_of
from .values import DEFAULT_LIMITS, Limits

__all__ = ["Framing", "Length", "Lying", "Messages", "Receiver", "Sender", "StreamError"]

if TYPE_CHECKING:
    from . import _native

T = TypeVar("T")

MAX_FRAME = 64 << 20
"""The longest frame that receivers believe in unless told otherwise."""

_CHUNK = 1 << 16


class Frames:
    """Whole frames out of bytes as they come. A broken frame ends the stream, as there is no way to find the next one."""

    def __init__(self, framing: Framing, lying: Lying, max_frame: int = MAX_FRAME) -> None:
        if max_frame <= 0:
            raise ValueError("max_frame is a number of bytes above 0")
        self.way = framing_of(framing, lying)
        self.limit = max_frame
        self._data = bytearray()
        # The first byte that was not given, and the byte of the stream that the first of the data is.
        self._at = 0
        self._before = 0
        self._needed = 0
        self._ended: StreamError | None = None
        self._offset = 0
        # The engine's iterator of messages, the bytes in which those are, and the last place at which it began.
        self._found: _native.Messages | None = None
        self._window, self._window_at = b"", -1
        self._begun = -1

    @property
    def offset(self) -> int:
        """The place in the stream at which the frame that was given last begins."""
        last = None if self._found is None else self._found.last
        return self._offset if last is None else self._before + self._window_at + last

    @property
    def rest(self) -> bytes:
        """The bytes that were fed and are no whole message yet."""
        return bytes(self._data[self._first() :])

    def _first(self) -> int:
        """The first byte that was not given."""
        return self._at if self._found is None else self._window_at + self._found.at

    def _settle(self) -> None:
        """Ends the engine's iterator: whoever still has it goes on with what is fed next."""
        found = self._found
        if found is None:
            return
        if found.last is not None:
            self._needed = 0
        self._offset, self._at = self.offset, self._first()
        found.end()
        self._found = None

    @property
    def has_ended(self) -> bool:
        """Whether there was a fault."""
        return self._ended is not None

    def end(self, fault: StreamError) -> StreamError:
        """Ends the stream: all further calls raise the fault, which is given."""
        self._settle()
        self._data, self._at = bytearray(), 0
        self._ended = fault
        return fault

    def push(self, data: Buffer) -> None:
        if self._ended is not None:
            raise self._ended
        self._settle()
        self._window, self._window_at = b"", -1
        self._begun = -1
        if self._at > 0:
            del self._data[: self._at]
            self._before += self._at
            self._at = 0
        self._data += data

    def finish(self) -> None:
        """The stream is over: what is left of it is no message."""
        if self._ended is not None:
            raise self._ended
        first = self._first()
        size = len(self._data) - first
        if size > 0:
            raise self.end(StreamError("cut", self._before + first, size))

    def many(self, engine: Any) -> Iterator[Any] | None:
        """The messages that the engine makes from here on, each when it is asked for; None where it did not make the next one."""
        if self._found is not None and not self._found.is_over:
            return self._found
        self._settle()
        at = self._at
        if self._ended is not None or len(self._data) - at < max(self._needed, 1):
            return None
        if self._begun == at or not self._window:
            # One that is refused in the first half of the window is odd, or so large that its bytes need no window.
            if self._begun == at and at - self._window_at <= len(self._window) // 2:
                return None
            self._window, self._window_at = bytes(memoryview(self._data)[at : at + _CHUNK]), at
        self._begun = at
        self._found = engine.read(self._window, at - self._window_at)
        return self._found

    def next(self) -> bytes | None:
        """The next message that is whole; None where more bytes are needed."""
        if self._ended is not None:
            raise self._ended
        self._settle()
        data, at, way = self._data, self._at, self.way
        have = len(data) - at
        self._offset = self._before + at
        while have > 0 and have >= self._needed:
            code, size, bound = way.look(data, at, self.limit)
            if code not in (KNOWN, MORE):
                raise self.end(StreamError(code, self._offset, size, bound))
            # A head is awaited even where the limit is less: only then it is known how large the frame would be.
            if code == KNOWN and size > self.limit and not way.packed:
                raise self.end(StreamError("frame-too-large", self._offset, size, self.limit))
            if code == KNOWN and size <= have:
                self._at += size
                self._needed = 0
                way.restart()
                alone = way.moved(bytes(data[at + way.skip : at + size]), -self._offset)
                if alone is None:
                    raise self.end(StreamError("bad-root", self._offset))
                return alone
            self._needed = size
        return None


class Messages(Generic[T]):
    """The messages of a form as streams know them."""

    def __init__(self, form: Form, codecs: dict[type, Codec[Any]], framing: Framing | None, lying: Lying) -> None:
        self.form, self.codecs, self.framing, self.lying = form, codecs, framing, lying

    def framed(self, framing: Framing | None) -> Framing:
        """The framing, or where none is named the form's own."""
        found = self.framing if framing is None else framing
        if found is None:
            raise ValueError("messages of this form may be framed in several ways: name one")
        return found


class Receiver(Generic[T]):
    """Decodes the messages of a form out of a stream; of one class where messages do not say which they are. The first fault, of a frame
    or of a message, ends it. Messages that the schema does not know end it too, or are skipped, or kept as bytes."""

    def __init__(
        self,
        messages: Messages[Any],
        framing: Framing | None = None,
        only: type[T] | None = None,
        *,
        max_frame: int = MAX_FRAME,
        limits: Limits = DEFAULT_LIMITS,
        unknown: str = "stop",
    ) -> None:
        if unknown not in ("stop", "skip", "keep"):
            raise ValueError("unknown is one of stop, skip, keep")
        self._form = messages.form
        self._only = None if only is None else messages.codecs[only]
        self._frames = Frames(messages.framed(framing), messages.lying, max_frame)
        self._limits, self._unknown = limits, unknown
        self._engine: Any = None
        self._is_ready = False

    @property
    def offset(self) -> int:
        return self._frames.offset

    @property
    def rest(self) -> bytes:
        return self._frames.rest

    def finish(self) -> None:
        self._frames.finish()

    def feed(self, data: Buffer) -> Iterator[T]:
        """The messages that are complete with these bytes, one by one; those that are not asked for come with the next call."""
        self._frames.push(data)
        return self._found()

    def read(self, source: Any) -> Iterator[T]:
        """The messages of a file, a socket, or an iterable of chunks."""
        return chain.from_iterable(self._fed(source))

    def _fed(self, source: Any) -> Iterator[Iterator[T]]:
        for chunk in _chunks(source):
            yield self.feed(chunk)
            # After a fault there is nothing more to ask for.
            if self._frames.has_ended:
                return
        self.finish()

    async def aread(self, source: Any) -> AsyncIterator[T]:
        """The messages of an ``asyncio.StreamReader``, or of chunks that come asynchronously."""
        async for chunk in _achunks(source):
            for message in self.feed(chunk):
                yield message
        self.finish()

    def _found(self) -> Iterator[T]:
        return chain.from_iterable(self._parts())

    def _parts(self) -> Iterator[Iterable[T]]:
        """Messages as they are made: by the engine of the wheel, until it refuses one, or one."""
        if not self._is_ready:
            self._engine, self._is_ready = self._found_engine(), True
        frames, engine = self._frames, self._engine
        while True:
            many = None if engine is None else frames.many(engine)
            if many is not None:
                yield many
                continue
            octets = frames.next()
            if octets is None:
                return
            try:
                found = self._decoded(octets)
            except CodecError as error:
                raise frames.end(StreamError("bad-message", self.offset, detail=str(error))) from error
            if found is not None:
                yield (found,)

    def _found_engine(self) -> Any:
        """The engine's reader of many messages; None where there is no engine, or something is asked that it does not know."""
        way = self._frames.way
        if self._limits is not DEFAULT_LIMITS or type(way) is not Length:
            return None
        from .objects import frames

        only = None if self._only is None else self._only.message
        return frames(self._form, only, way, self._frames.limit)

    def _decoded(self, octets: bytes) -> Any:
        if self._only is not None:
            return self._only.decode(octets, self._limits)
        try:
            message = self._form.identify(octets)
        except CodecError as error:
            if error.code != "unknown-message" or self._unknown == "stop":
                raise
            return octets if self._unknown == "keep" else None
        return self._form.decode(message, octets, self._limits)


def _chunks(source: Any) -> Iterable[bytes]:
    for name in ("read1", "recv", "read"):
        more = getattr(source, name, None)
        if more is not None:
            return iter(lambda: more(_CHUNK), b"")
    chunks: Iterable[bytes] = source
    return chunks


async def _achunks(source: Any) -> AsyncIterator[bytes]:
    if not hasattr(source, "read"):
        async for chunk in source:
            yield chunk
        return
    while chunk := await source.read(_CHUNK):
        yield chunk


class Sender(Generic[T]):
    """Encodes the messages of a form and puts them into a stream, each in its frame, until they are taken: one write for many."""

    def __init__(self, messages: Messages[Any], framing: Framing | None = None) -> None:
        self._codecs = messages.codecs
        self._way = framing_of(messages.framed(framing), messages.lying)
        self._parts: list[bytes] = []
        self.size = 0
        """Bytes that were sent and not taken."""
        self.offset = 0
        """The place in the stream at which the next frame begins."""

    def send(self, message: T) -> None:
        """Adds a message. One that cannot be sent raises, and adds nothing."""
        codec = self._codecs.get(type(message))
        if codec is None:
            raise TypeError(f"{type(message).__name__} is no message of this stream")
        octets = codec.encode(message)
        longest = self._way.longest
        if longest is not None and len(octets) > longest:
            raise StreamError("frame-too-large", self.offset, len(octets), longest)
        placed = self._way.moved(octets, self.offset)
        if placed is None:
            raise StreamError("bad-root", self.offset)
        frame = self._way.front(len(octets)) + placed
        self._parts.append(frame)
        self.size += len(frame)
        self.offset += len(frame)

    def take(self) -> bytes:
        """All bytes that were sent since the last call."""
        taken = b"".join(self._parts)
        self._parts.clear()
        self.size = 0
        return taken
