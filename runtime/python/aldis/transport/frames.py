"""The frames of aldis/1 (docs/protocol.md), from bytes and to bytes."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from struct import Struct
from typing import Any, ClassVar, Union

from .errors import TransportError, code_name, code_number

VERSION = 1
NO_CHECKSUM, SCHEMA, PUSH = 1, 4, 8
"""Bits of features."""

DURABILITIES = ("received", "handled", "durable", "replicated")
MAX_TEXT = 1024
MAX_AUTH = 4096 - 43
"""Bytes of a text, and of an auth method with its data."""

LENGTH = ENTRY_HEAD = 4
"""Bytes of the length in front of a frame, and of the size in front of an entry."""

_MAGIC = b"ALDIS"
_HEAD = Struct("<IB")


class _Malformed(Exception):
    """A field cannot be so."""


class _Body:
    """A frame's body, read from its begin on. With ``schema`` a batch says its own."""

    def __init__(self, data: bytes, schema: bool) -> None:
        self.data, self.schema, self.at = data, schema, 0

    def take(self, size: int) -> bytes:
        end = self.at + size
        if end > len(self.data):
            raise _Malformed
        taken = self.data[self.at : end]
        self.at = end
        return taken

    def number(self, size: int) -> int:
        return int.from_bytes(self.take(size), "little")

    def rest(self) -> bytes:
        return self.take(len(self.data) - self.at)


@dataclass(frozen=True)
class _Wire:
    """How a field is read and written."""

    read: Callable[[_Body], Any]
    write: Callable[[Any], bytes]


def _number(size: int) -> Any:
    return field(metadata={"wire": _Wire(lambda body: body.number(size), lambda value: int(value).to_bytes(size, "little"))})


def _wire(read: Callable[[_Body], Any], write: Callable[[Any], bytes], default: Any = ...) -> Any:
    metadata = {"wire": _Wire(read, write)}
    return field(metadata=metadata) if default is ... else field(default=default, metadata=metadata)


def _code(size: int) -> Any:
    return _wire(lambda body: code_name(body.number(size)), lambda name: code_number(name).to_bytes(size, "little"))


def _sized(size: int) -> Any:
    return _wire(lambda body: body.take(body.number(size)), lambda value: len(value).to_bytes(size, "little") + value)


def _rest() -> Any:
    return _wire(_Body.rest, bytes)


def _text() -> Any:
    return _wire(_read_text, _write_text)


def _read_text(body: _Body) -> str:
    text = body.take(body.number(2))
    if len(text) > MAX_TEXT:
        raise _Malformed
    return text.decode()


def _write_text(text: str) -> bytes:
    """A text in as many bytes as its field takes, cut between characters."""
    encoded = text.encode(errors="replace")[:MAX_TEXT].decode(errors="ignore").encode()
    return len(encoded).to_bytes(2, "little") + encoded


def _durability() -> Any:
    def read(body: _Body) -> str:
        level = body.number(1)
        if level >= len(DURABILITIES):
            raise _Malformed
        return DURABILITIES[level]

    return _wire(read, lambda name: bytes([DURABILITIES.index(name)]))


@dataclass(frozen=True)
class Window:
    """Numbers of messages, and of bytes of entries with their sizes."""

    messages: int = 0
    bytes: int = 0


def _window() -> Any:
    return _wire(
        lambda body: Window(body.number(4), body.number(4)),
        lambda window: window.messages.to_bytes(4, "little") + window.bytes.to_bytes(4, "little"),
    )


def _read_version(body: _Body) -> int:
    if body.take(5) != _MAGIC:
        raise _Malformed
    return body.number(1)


@dataclass(frozen=True)
class Hello:
    KIND: ClassVar = 0x01
    version: int = _wire(_read_version, lambda version: _MAGIC + bytes([version]))
    features: int = _number(4)
    producer: bytes = _wire(lambda body: body.take(16), bytes)
    epoch: int = _number(4)
    auth_method: bytes = _sized(1)
    auth_data: bytes = _sized(2)
    durability: str = _durability()
    window: Window = _window()


@dataclass(frozen=True)
class Welcome:
    KIND: ClassVar = 0x02
    version: int = _number(1)
    features: int = _number(4)
    session: int = _number(8)
    last: int = _number(8)
    credit: Window = _window()
    max_frame: int = _number(4)
    durability: str = _durability()


@dataclass(frozen=True)
class SchemaId:
    """The schema and the template of messages, which the feature SCHEMA lets batches say."""

    schema: int
    template: int


def _read_schema(body: _Body) -> SchemaId | None:
    return SchemaId(body.number(4), body.number(4)) if body.schema else None


def _write_schema(id: SchemaId | None) -> bytes:
    return b"" if id is None else id.schema.to_bytes(4, "little") + id.template.to_bytes(4, "little")


@dataclass(frozen=True)
class Batch:
    KIND: ClassVar = 0x03
    first: int = _number(8)
    count: int = _number(4)
    crc: int = _number(4)
    schema: SchemaId | None = _wire(_read_schema, _write_schema)
    entries: bytes = _rest()


@dataclass(frozen=True)
class Ack:
    KIND: ClassVar = 0x04
    received: int = _number(8)
    handled: int = _number(8)
    durable: int = _number(8)
    duplicates: int = _number(8)
    credit: Window = _window()


@dataclass(frozen=True)
class Nack:
    KIND: ClassVar = 0x05
    expected: int = _number(8)
    code: str = _code(2)
    text: str = _text()


@dataclass(frozen=True)
class Request:
    KIND: ClassVar = 0x06
    correlation: int = _number(8)
    deadline: int = _number(4)
    bytes: bytes = _rest()


@dataclass(frozen=True)
class Reply:
    KIND: ClassVar = 0x07
    correlation: int = _number(8)
    code: str = _code(4)
    bytes: bytes = _rest()


@dataclass(frozen=True)
class Push:
    KIND: ClassVar = 0x08
    subscription: int = _number(4)
    first: int = _number(8)
    count: int = _number(4)
    entries: bytes = _rest()


@dataclass(frozen=True)
class Ping:
    KIND: ClassVar = 0x09
    opaque: int = _number(8)


@dataclass(frozen=True)
class Pong:
    KIND: ClassVar = 0x0A
    opaque: int = _number(8)


@dataclass(frozen=True)
class Drain:
    KIND: ClassVar = 0x0B
    milliseconds: int = _number(4)


@dataclass(frozen=True)
class Close:
    KIND: ClassVar = 0x0C
    code: str = _code(2)
    text: str = _text()


@dataclass(frozen=True)
class Subscribe:
    KIND: ClassVar = 0x0D
    subscription: int = _number(4)
    begin: int = _number(8)
    credit: int = _number(4)
    topic: str = _text()


@dataclass(frozen=True)
class Unsubscribe:
    KIND: ClassVar = 0x0E
    subscription: int = _number(4)
    code: str = _code(2)
    text: str = _text()


@dataclass(frozen=True)
class Credit:
    KIND: ClassVar = 0x0F
    subscription: int = _number(4)
    consumed: int = _number(8)
    credit: int = _number(4)


@dataclass(frozen=True)
class Unknown:
    """A kind that the receiver may skip."""

    kind: int
    body: bytes


Known = Union[
    Hello, Welcome, Batch, Ack, Nack, Request, Reply, Push, Ping, Pong, Drain, Close, Subscribe, Unsubscribe, Credit
]  # fmt: skip
Frame = Union[Known, Unknown]

_KINDS: dict[int, type[Known]] = {kind.KIND: kind for kind in Known.__args__}  # type: ignore[attr-defined]
_WIRES = {kind: [(one.name, one.metadata["wire"]) for one in fields(kind)] for kind in _KINDS.values()}


def decode(kind: int, body: bytes, schema: bool = False) -> Frame:
    """A frame from its kind and body; with the feature SCHEMA batches say theirs. Raises ``protocol`` for what cannot be understood."""
    if kind >= 0x80:
        return Unknown(kind, body)
    known = _KINDS.get(kind)
    if known is None:
        raise TransportError("protocol", f"there is no frame of kind {kind}")
    reader = _Body(body, schema)
    try:
        frame = known(*[wire.read(reader) for _, wire in _WIRES[known]])
        if reader.at != len(body):
            raise _Malformed
    except (_Malformed, UnicodeDecodeError):
        raise TransportError("protocol", f"a frame of kind {kind} cannot have this body of {len(body)} bytes") from None
    return frame


def encode(frame: Frame, behind: int = 0) -> bytes:
    """The whole frame, its length first. With ``behind``, so many bytes follow that belong to it."""
    if isinstance(frame, Unknown):
        kind, body = frame.kind, frame.body
    else:
        kind, body = frame.KIND, b"".join([wire.write(getattr(frame, name)) for name, wire in _WIRES[type(frame)]])
    return _HEAD.pack(1 + len(body) + behind, kind) + body


def checksum(first: int, count: int, schema: SchemaId | None, entries: bytes) -> int:
    """The checksum of a batch: over first, count and all that follows the checksum in the frame."""
    head = first.to_bytes(8, "little") + count.to_bytes(4, "little") + _write_schema(schema)
    return zlib.crc32(entries, zlib.crc32(head))


def entries_of(entries: bytes, count: int) -> list[bytes] | None:
    """The entries of a BATCH or PUSH where they are exactly ``count``; else None."""
    # Before memory is taken for so many.
    if count * ENTRY_HEAD > len(entries):
        return None
    found: list[bytes] = []
    at = 0
    while len(found) < count:
        begin = at + ENTRY_HEAD
        at = begin + int.from_bytes(entries[at:begin], "little")
        if begin > len(entries) or at > len(entries):
            return None
        found.append(entries[begin:at])
    return found if at == len(entries) else None


MAX_LENGTH = 64 << 20
"""The longest frame that is believed, in bytes."""


class Inbox:
    """Bytes from a socket to whole frames. Memory grows with what has come, not with what a length claims."""

    def __init__(self) -> None:
        self._data = bytearray()

    def add(self, chunk: bytes, take: Callable[[int, bytes], None]) -> None:
        """Calls ``take`` with the kind and body of each frame that is whole with this chunk. Raises for a length that cannot be."""
        data = self._data
        data += chunk
        at = 0
        while len(data) - at >= LENGTH:
            length = int.from_bytes(data[at : at + LENGTH], "little")
            if length == 0:
                raise TransportError("protocol", "a frame without a kind came")
            if length > MAX_LENGTH:
                raise TransportError("frame-too-large", f"a frame of {length} bytes came")
            end = at + LENGTH + length
            if end > len(data):
                break
            take(data[at + LENGTH], bytes(data[at + LENGTH + 1 : end]))
            at = end
        del data[:at]
