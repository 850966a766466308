"""Messages of segments of 8-byte words, and the pointers between them (Cap'n Proto encoding specification, "Pointers",
"Serialization Over a Stream"). What they are charged stands in the compiler (``compiler/plan/src/budget.rs``)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from .faults import fail

WORD = 8
MOST_SEGMENTS = 511
EMPTY_ELEMENT = 8
LINK = 24

# The kinds of things that a pointer may lead to.
NULL, RECORD, LIST, CAPABILITY = range(4)

BITS = (0, 1, 8, 16, 32, 64, 64, 0)
"""Bits of an element by its code; of a list of pointers those are pointers."""

RECORDS = 7


class Aim(NamedTuple):
    """The object that a pointer leads to, which may be outside of its segment. ``pads`` are the words of landing pads on the way."""

    kind: int
    pads: int = 0
    segment: int = 0
    at: int = 0
    data: int = 0
    pointers: int = 0
    code: int = 0
    length: int = 0


def whole_words(size: int) -> int:
    return (size + 7) // WORD * WORD


def u32(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "little")


def open_all(r: Any, table: bool) -> int:
    """Notes where the segments are: the first byte of each, and the first behind it. Gives where the first begins."""
    r.segments = _from_table(r) if table else [(r.start, r.end - (r.end - r.start) % WORD)]
    begin, stop = r.segments[0]
    if stop - begin < WORD:
        fail("truncated", begin)
    r.end = r.segments[-1][1]
    return int(begin)


def _from_table(r: Any) -> list[tuple[int, int]]:
    if r.end - r.start < 4:
        fail("truncated", r.end)
    more = u32(r.data, r.start)
    if more >= MOST_SEGMENTS:
        fail("bad-count", r.start)
    begin = r.start + ((more + 1 >> 1) + 1) * WORD
    if begin > r.end:
        fail("truncated", r.end)
    found: list[tuple[int, int]] = []
    for i in range(1, more + 2):
        size = u32(r.data, r.start + 4 * i) * WORD
        if size > r.end - begin:
            fail("truncated", r.start + 4 * i)
        found.append((begin, begin + size))
        begin += size
    return found


def aim(r: Any, at: int, segment: int) -> Aim:
    data = r.data
    if not any(data[at : at + WORD]):
        return Aim(NULL)
    if data[at] & 3 != 2:
        return _near(data, at, segment, 0)
    if data[at] & 4 == 0:
        to, pad = _landing(r, at, 1)
        if data[pad] & 3 == 2:
            fail("bad-value", pad)
        return _near(data, pad, to, 1)
    pad = _landing(r, at, 2)[1]
    if data[pad] & 7 != 2:
        fail("bad-value", pad)
    to, start = _landing(r, pad, 0)
    tag = pad + WORD
    if data[tag] & 3 == 2:
        fail("bad-value", tag)
    return _near(data, tag, to, 2)._replace(at=start)


def _landing(r: Any, at: int, words: int) -> tuple[int, int]:
    """The segment and the place in it that the far pointer at ``at`` names, with so many words behind it."""
    segment = u32(r.data, at + 4)
    offset = (u32(r.data, at) >> 3) * WORD
    if segment >= len(r.segments):
        fail("bad-pointer", at)
    begin, stop = r.segments[segment]
    if offset + words * WORD > stop - begin:
        fail("bad-pointer", at)
    return segment, begin + offset


def _near(data: bytes, at: int, segment: int, pads: int) -> Aim:
    lower = int.from_bytes(data[at : at + 4], "little", signed=True)
    upper = u32(data, at + 4)
    start = at + WORD + (lower >> 2) * WORD
    if lower & 3 == 0:
        return Aim(RECORD, pads, segment, start, data=upper & 0xFFFF, pointers=upper >> 16)
    if lower & 3 == 1:
        return Aim(LIST, pads, segment, start, code=upper & 7, length=upper >> 3)
    if lower != 3:
        fail("bad-value", at)
    return Aim(CAPABILITY, pads, segment, start, length=upper)


def body(r: Any, found: Aim, at: int, size: int) -> int:
    """The first byte of an object of so many bytes, to which the pointer at ``at`` leads."""
    begin, stop = r.segments[found.segment]
    if size == 0:
        return int(begin)
    if not begin <= found.at <= stop:
        fail("bad-pointer", at)
    if size > stop - found.at:
        fail("bad-count" if found.kind == LIST else "bad-pointer", at)
    return found.at


def tag_at(data: bytes, at: int, words: int) -> tuple[int, int, int]:
    """How many records a list has, and the words of data and of pointers of each, as its tag says."""
    lower, upper = u32(data, at), u32(data, at + 4)
    if lower & 3 != 0:
        fail("bad-value", at)
    count, own, pointers = lower >> 2 & 0x1FFFFFFF, upper & 0xFFFF, upper >> 16
    if count * (own + pointers) > words:
        fail("bad-count", at)
    return count, own, pointers


def list_size(found: Aim) -> int:
    """Bytes of a list's elements."""
    if found.code == RECORDS:
        return (found.length + 1) * WORD
    return whole_words((BITS[found.code] * found.length + 7) // 8)


def listed(r: Any, found: Aim, at: int, charge: Callable[[Any, int, int], None]) -> tuple[int, ...]:
    """A list's first element, how many it has, bits from one to the next, bytes of data and of pointers in each, and how many
    bits each has that is no record and no pointer."""
    if found.kind != LIST:
        fail("bad-value", at)
    tagged = found.code == RECORDS
    size = list_size(found)
    start = body(r, found, at, size)
    charge(r, size, at)
    count, data, pointers = found.length, 0, int(found.code == 6)
    if tagged:
        count, data, pointers = tag_at(r.data, start, found.length)
    bits = data * 64 if tagged else BITS[found.code] * (1 - pointers)
    stride = bits + pointers * 64
    if stride == 0:
        charge(r, count * EMPTY_ELEMENT, at)
    if r.surcharge:
        charge(r, count * pointers * LINK, at)
    first = start + WORD if tagged else start
    return first, count, stride, bits // 8, pointers * WORD, 0 if tagged else bits


def short(bits: int) -> int:
    """The difference in charge between an element without bytes and one of so many bits."""
    return 0 if bits == 0 else max(0, EMPTY_ELEMENT - bits // 8)
