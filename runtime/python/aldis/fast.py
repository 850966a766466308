"""What printed functions for usual messages stand on. Whatever is odd is left to the careful reader and writer."""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import lru_cache
from typing import Any

_KEPT = 256


class Odd(Exception):
    """It is not as usual: the careful way says what it is."""


ODD = (Odd, struct.error, LookupError, ValueError, ArithmeticError, TypeError, AttributeError, RecursionError)
"""Errors that end a function for usual messages or values."""


class Flags(dict[int, Any]):
    """Flags by mask, of which some are kept."""

    def __init__(self, cls: Any) -> None:
        from .schema import flags_of

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


def one_segment(data: bytes, at: int) -> tuple[bytes, int]:
    """The one segment of a message, and where the message ends."""
    size = int.from_bytes(data[at + 4 : at + 8], "little") * 8
    end = at + 8 + size
    if data[at : at + 4] != b"\0\0\0\0" or size == 0 or end > len(data):
        raise Odd
    return data[at + 8 : end], end


def flat(data: bytes, at: int) -> tuple[bytes, int]:
    """The words of a message without a table."""
    end = len(data) - (len(data) - at) % 8
    if end == at:
        raise Odd
    return data[at:end] if at or end != len(data) else data, end
