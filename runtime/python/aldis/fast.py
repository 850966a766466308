"""The functions that generated code for usual messages calls. Odd messages are left to the careful reader and writer."""

from __future__ import annotations

import struct
from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_KEPT = 256
_LEFT_OUT = 32768
"""Bytes that canonical form may leave out before the careful writer asks whether the message can be read."""


class Odd(Exception):
    """It is not as usual: the careful way says what it is."""


ODD = (Odd, struct.error, LookupError, ValueError, ArithmeticError, TypeError, AttributeError, RecursionError)
"""Errors that end a function for usual messages or values."""


def flags_of(cls: Any) -> Callable[[int], Any]:
    """The function that makes flags of a mask. Python keeps every value that a class of flags ever had: here only some."""
    if cls is int:
        return int
    known = cls._value2member_map_

    def made(mask: int) -> Any:
        found = known.get(mask)
        if found is None:
            found = cls(mask)
            if len(known) > _KEPT:
                known.pop(mask, None)
        return found

    return made


class Flags(dict):  # type: ignore[type-arg]
    """Flags by mask, of which some are kept."""

    def __init__(self, cls: Any) -> None:
        self.made = flags_of(cls)

    def __missing__(self, mask: int) -> Any:
        found = self.made(mask)
        if len(self) < _KEPT:
            self[mask] = found
        return found


@lru_cache(256)
def many(form: str, count: int) -> Callable[..., tuple[Any, ...]]:
    """The function that reads so many numbers."""
    return struct.Struct(form % count).unpack_from


@lru_cache(256)
def _packer(form: str, count: int) -> Callable[..., bytes]:
    return struct.Struct(form % count).pack


def packed(form: str, items: Any) -> bytes:
    """Numbers side by side."""
    return _packer(form, len(items))(*items)


NAN = float("nan")


def floats(items: Any) -> bool:
    """Whether items are numbers, and none of them is NaN."""
    return all(item - 0.0 == item for item in items)


def bools(items: Any) -> bool:
    return all(item is True or item is False for item in items)


def char_code(value: Any) -> int:
    if type(value) is not str:
        raise Odd
    return ord(value)


def uuid_octets(value: Any) -> bytes:
    from uuid import UUID

    if type(value) is not UUID:
        raise Odd
    return value.bytes


def decimal_octets(value: Any) -> bytes:
    from .cells import decimal_octets

    return decimal_octets(value)


def uuid_of(octets: bytes) -> Any:
    from .schema import uuid_of

    return uuid_of(octets)


def decimal_of(octets: bytes) -> Any:
    from .cells import decimal_at

    found = decimal_at(octets, 0)
    if found is None:
        raise Odd
    return found


def float_of(bits: int) -> float:
    value: float = struct.unpack("<f", struct.pack("<I", bits))[0]
    return value


def double_of(bits: int) -> float:
    value: float = struct.unpack("<d", struct.pack("<Q", bits))[0]
    return value


def bits(data: bytes, at: int, count: int) -> list[bool]:
    if at + (count + 7 >> 3) > len(data):
        raise Odd
    return [data[at + (i >> 3)] >> (i & 7) & 1 == 1 for i in range(count)]


def one_message(data: bytes, at: int) -> bytes:
    """The bytes of the message of one segment that begins at ``at``."""
    end = at + 8 + int.from_bytes(data[at + 4 : at + 8], "little") * 8
    if end > len(data):
        raise Odd
    return data[at:end]


def packed_segment(data: bytes, at: int) -> tuple[bytes, int]:
    """The one segment of a packed message, and where the message ends."""
    from .packing import unpack

    words, end = unpack(data, at)
    size = int.from_bytes(words[4:8], "little") * 8
    if words[:4] != b"\0\0\0\0" or size == 0 or 8 + size > len(words):
        raise Odd
    return words[8 : 8 + size], end


TEXT_ENDS = tuple(bytes(8 - size) for size in range(8))
"""The bytes that end the words of a text, by the lowest bits of its size."""
DATA_ENDS = tuple(bytes(-size & 7) for size in range(8))


def float_bits(value: float) -> int:
    return int.from_bytes(struct.pack("<f", value), "little")


def double_bits(value: float) -> int:
    return int.from_bytes(struct.pack("<d", value), "little")


def bit_octets(items: Any) -> bytes:
    """Bits side by side, in whole words."""
    if items.__class__ is not list or not bools(items):
        raise Odd
    if not items:
        return b""
    digits = "".join(["1" if item else "0" for item in reversed(items)])
    return int(digits, 2).to_bytes((len(items) + 63 >> 6) * 8, "little")


def packed_words(out: bytes | bytearray) -> bytes:
    """The table of a message's one segment and the segment, each packed."""
    from .packing import pack

    return pack(out[:8]) + pack(out[8:])


def canonical_words(out: bytearray) -> bytes:
    """The one segment of a message in canonical form."""
    from .put import canonical

    found, left_out = canonical(bytes(out))
    if left_out > _LEFT_OUT:
        raise Odd
    return bytes(found)


def flat(data: bytes, at: int) -> tuple[bytes, int]:
    """The words of a message without a table."""
    end = len(data) - (len(data) - at) % 8
    if end == at:
        raise Odd
    return data[at:end] if at or end != len(data) else data, end
