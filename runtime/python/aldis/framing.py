"""How messages lie in streams: where a frame ends, going by what has come of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Union

MOST_SEGMENTS = 511
"""The segments that a message of Cap'n Proto has at most."""

MORE, KNOWN = "more", "known"
"""The answer of ``look``: so many bytes are needed to say more, or the frame takes so many. Another word is a code: it is no frame."""

Look = tuple[str, int, int]


class StreamError(Exception):
    """Why a stream of messages cannot go on: a code, where the frame begins (a byte of all that was fed, or sent), the size that it
    would have, and the most or the least that it may have. What is wrong with a message is the ``__cause__``."""

    def __init__(self, code: str, offset: int, size: int = 0, bound: int = 0, detail: str = "") -> None:
        super().__init__(code, offset, size, bound, detail)
        self.code, self.offset, self.size, self.bound, self.detail = code, offset, size, bound, detail

    def __str__(self) -> str:
        place = f"{self.code} at byte {self.offset} of the stream"
        if self.code in ("frame-too-large", "too-many-segments"):
            return f"{place}: {self.size}, at most {self.bound}"
        if self.code == "frame-too-small":
            return f"{place}: {self.size}, at least {self.bound}"
        if self.code == "cut":
            return f"{place}: it ends after {self.size} bytes of a frame"
        return f"{place}: {self.detail}" if self.detail else place


class Length:
    """A length of ``bits`` at byte ``at``, in front of each message or in it. It counts the frame but for ``added`` bytes of it; the
    first ``skip`` bytes are not the message's, and ``least`` is the least size of a frame. Where messages say at which byte of the
    stream their record begins, that lies at ``root``."""

    packed = False

    def __init__(
        self,
        bits: int,
        at: int = 0,
        order: str = "little",
        skip: int = 0,
        added: int = 0,
        least: int = 0,
        root: int | None = None,
        encoding: int | None = None,
    ) -> None:
        if bits not in (8, 16, 32, 64) or at < 0 or skip < 0 or order not in ("little", "big"):
            raise ValueError("a length has `at` in bytes, `bits` of 8, 16, 32 or 64, and an `order` of little or big")
        self.at, self.end, self.order, self.skip, self.added = at, at + bits // 8, order, skip, added
        self.head = max(self.end, skip)
        self.least = max(least, self.head)
        self.root, self.encoding = root, encoding
        self.longest = (1 << bits) - 1 - skip + added if skip else None
        """The longest message that the length can say."""

    def look(self, data: bytearray, start: int, limit: int) -> Look:
        if len(data) - start < self.head:
            return MORE, self.head, 0
        size = self._load(data, start + self.at, start + self.end) + self.added
        return ("frame-too-small", size, self.least) if size < self.least else (KNOWN, size, 0)

    def restart(self) -> None:
        """A new frame begins."""

    def front(self, size: int) -> bytes:
        """The bytes in front of a message of that size."""
        if self.skip == 0:
            return b""
        head = bytearray(self.skip)
        head[self.at : self.end] = (size + self.skip - self.added).to_bytes(self.end - self.at, _order(self.order))
        if self.encoding is not None:
            head[4:6] = self.encoding.to_bytes(2, "big")
        return bytes(head)

    def moved(self, message: bytes, by: int) -> bytes | None:
        """The message with another place of its record; None where that cannot be said."""
        if self.root is None or len(message) < self.root + 4:
            return message
        root = self._load(message, self.root, self.root + 4) + by
        if not 0 <= root < 1 << 32:
            return None
        return message[: self.root] + root.to_bytes(4, _order(self.order)) + message[self.root + 4 :]

    def _load(self, data: bytes | bytearray, at: int, end: int) -> int:
        return int.from_bytes(data[at:end], _order(self.order))


def _order(order: str) -> Any:
    return order


class Table:
    """Each message begins with the table of its segments."""

    packed = False
    skip = 0
    longest: int | None = None

    def look(self, data: bytearray, start: int, limit: int) -> Look:
        have = len(data) - start
        if have < 4:
            return MORE, 4, 0
        segments = int.from_bytes(data[start : start + 4], "little") + 1
        if segments > MOST_SEGMENTS:
            return "too-many-segments", segments, MOST_SEGMENTS
        size = table_size(segments)
        return (MORE, size, 0) if have < size else (KNOWN, size + 8 * _words(data[start : start + size], segments), 0)

    def restart(self) -> None:
        """A new frame begins."""

    def front(self, size: int) -> bytes:
        return b""

    def moved(self, message: bytes, by: int) -> bytes | None:
        return message


def table_size(segments: int) -> int:
    return 8 * (segments // 2 + 1)


def _words(table: bytes | bytearray, segments: int) -> int:
    return sum(int.from_bytes(table[4 * i : 4 * i + 4], "little") for i in range(1, segments + 1))


class PackedTable(Table):
    """Looks for the end of a packed message as its bytes come: what was looked at is not looked at again. Only the table of segments is
    unpacked, since it says how many words there are. The first word says how long the table is."""

    packed = True

    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        self._at = self._done = self._part = 0
        self._wanted = 1
        self._table = bytearray()

    def look(self, data: bytearray, start: int, limit: int) -> Look:
        while True:
            while self._done == self._wanted:
                if self._part == 2:
                    return KNOWN, self._at, 0
                segments = int.from_bytes(self._table[:4], "little") + 1
                if segments > MOST_SEGMENTS:
                    return "too-many-segments", segments, MOST_SEGMENTS
                table = table_size(segments) // 8
                self._wanted = table if self._part == 0 else table + _words(self._table, segments)
                self._part += 1
                if self._part == 2 and 8 * self._wanted > limit:
                    return "frame-too-large", 8 * self._wanted, limit
            found = self._group(data, start + self._at)
            if found is not None:
                return found

    def _group(self, data: bytearray, at: int) -> Look | None:
        """Passes a tag, the bytes of its word that are not zero, and where it has one, the run of words behind it."""
        have = len(data) - at
        if have < 1:
            return MORE, self._at + 1, 0
        tag = data[at]
        word, run = 1 + bin(tag).count("1"), 0
        size = word
        if tag in (0, 255):
            if have <= word:
                return MORE, self._at + word + 1, 0
            run = data[at + word]
            if run > self._wanted - self._done - 1:
                return "bad-packing", 0, 0
            size = word + 1 + (8 * run if tag == 255 else 0)
        if have < size:
            return MORE, self._at + size, 0
        if self._part < 2:
            octets = iter(data[at + 1 : at + word])
            self._table += bytes(next(octets) if tag >> bit & 1 else 0 for bit in range(8))
            self._table += data[at + word + 1 : at + size] if tag == 255 else bytes(8 * run)
        self._at += size
        self._done += 1 + run
        return None


Way = Union[Length, Table]
Framing = Union[str, Length]
"""The name of a framing, or a length in messages."""


class Lying:
    """How the messages of a form lie in streams: where they say their length, and where their record begins."""

    def __init__(
        self, own: Length | None = None, root: int | None = None, header: Length | None = None, big: bool = False, packed: bool = False
    ) -> None:
        self.own, self.root, self.header, self.big, self.packed = own, root, header, big, packed


def _prefix(bits: int, order: str) -> Callable[[Lying], Way]:
    return lambda lying: Length(bits, order=order, skip=bits // 8, added=bits // 8)


def _own(lying: Lying) -> Way:
    return lying.own or Length(32, least=8)


def _buffer(lying: Lying) -> Way | None:
    if lying.own is None:
        return Length(32, least=8, root=4)
    if lying.root is None:
        return None
    own = lying.own
    return Length(8 * (own.end - own.at), own.at, own.order, least=own.least, root=lying.root)


# Encoding types of SBE 1.0, little and big endian; receivers do not look at them.
_KNOWN: dict[str, Callable[[Lying], Way | None]] = {
    "u16le": _prefix(16, "little"),
    "u16be": _prefix(16, "big"),
    "u32le": _prefix(32, "little"),
    "u32be": _prefix(32, "big"),
    "sofh": lambda lying: Length(32, order="big", skip=6, encoding=0x5BE0 if lying.big else 0xEB50),
    "fbe": _own,
    "fbe-buffer": _buffer,
    "header": lambda lying: lying.header,
    "capnp": lambda lying: PackedTable() if lying.packed else Table(),
    "capnp-packed": lambda lying: PackedTable(),
}


def framing_of(framing: Framing, lying: Lying) -> Way:
    if isinstance(framing, Length):
        return framing
    found = _KNOWN[framing](lying) if framing in _KNOWN else None
    if found is None:
        raise ValueError(f"these messages have no framing {framing}: there are {', '.join(_KNOWN)}, and a Length")
    return found
