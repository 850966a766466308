"""Copies of objects in segments: values whose type the schema leaves open, and messages in canonical form."""

from __future__ import annotations

from typing import Any

from . import segments
from .faults import fail
from .segments import WORD
from .values import Opaque


def keep(r: Any, at: int, segment: int) -> Opaque:
    """A flat message of what the pointer at ``at`` leads to, copied whole."""
    out = bytearray(WORD)
    copy(r, out, at, segment, 0)
    return Opaque(bytes(out))


def copy(r: Any, out: bytearray, at: int, segment: int, slot: int, canonical: bool = False) -> None:
    """Copies what the pointer at ``at`` leads to behind what is written, an object's own words before what its pointers lead
    to, left to right; the word at ``slot`` points to the copy. In canonical form sections end with their last word that is
    not zero."""
    found = segments.aim(r, at, segment)
    _pay(r, found.pads, at)
    if found.kind == segments.NULL:
        return
    if found.kind == segments.CAPABILITY:
        if canonical:
            fail("bad-value", at)
        _put(out, slot, 3, found.length)
        return
    if r.depth == 0:
        fail("too-deep", at)
    r.depth -= 1
    if found.kind == segments.RECORD:
        start = segments.body(r, found, at, (found.data + found.pointers) * WORD)
        _pay(r, found.data + found.pointers, at)
        data, pointers = _trimmed(r, start, found.data, found.pointers, canonical)
        to = _object(out, slot, data + pointers, 0, data | pointers << 16)
        _words(r, out, (start, data, start + found.data * WORD, pointers), to, found.segment, canonical)
    elif found.code == segments.RECORDS:
        _records(r, out, found, at, slot, canonical)
    elif found.code == 6:
        start = segments.body(r, found, at, found.length * WORD)
        _pay(r, found.length, at)
        to = _object(out, slot, found.length, 1, 6 | found.length << 3)
        _words(r, out, (start, 0, start, found.length), to, found.segment, canonical)
    else:
        _scalars(r, out, found, at, slot)
    r.depth += 1


def _pay(r: Any, words: int, at: int) -> None:
    if words * WORD > r.left:
        fail("too-large", at)
    r.left -= words * WORD


def _put(out: bytearray, at: int, lower: int, upper: int) -> None:
    out[at : at + WORD] = ((upper & 0xFFFFFFFF) << 32 | lower & 0xFFFFFFFF).to_bytes(WORD, "little")


def _object(out: bytearray, slot: int, words: int, kind: int, upper: int) -> int:
    """Room for an object, to which ``slot`` points; an empty record is nowhere."""
    at = len(out)
    out += bytes(words * WORD)
    distance = -1 if kind == 0 and words == 0 else (at - slot) // WORD - 1
    _put(out, slot, distance << 2 | kind, upper)
    return at


def _words(r: Any, out: bytearray, source: tuple[int, int, int, int], to: int, segment: int, canonical: bool) -> None:
    """Copies words of data, then what the pointers lead to."""
    start, data, pointers_at, pointers = source
    out[to : to + data * WORD] = r.data[start : start + data * WORD]
    slots = to + data * WORD
    for i in range(pointers):
        copy(r, out, pointers_at + i * WORD, segment, slots + i * WORD, canonical)


def _trimmed(r: Any, start: int, data: int, pointers: int, canonical: bool) -> tuple[int, int]:
    if canonical:
        behind = start + data * WORD
        while pointers > 0 and not any(r.data[behind + (pointers - 1) * WORD : behind + pointers * WORD]):
            pointers -= 1
        while data > 0 and not any(r.data[start + (data - 1) * WORD : start + data * WORD]):
            data -= 1
    return data, pointers


def _scalars(r: Any, out: bytearray, found: segments.Aim, at: int, slot: int) -> None:
    bits = segments.BITS[found.code] * found.length
    words = segments.list_size(found) // WORD
    start = segments.body(r, found, at, words * WORD)
    _pay(r, found.length if found.code == 0 else words, at)
    to = _object(out, slot, words, 1, found.code | found.length << 3)
    whole = bits // 8
    out[to : to + whole] = r.data[start : start + whole]
    if bits % 8:
        out[to + whole] = r.data[start + whole] & (1 << bits % 8) - 1


def _records(r: Any, out: bytearray, found: segments.Aim, at: int, slot: int, canonical: bool) -> None:
    start = segments.body(r, found, at, segments.list_size(found))
    _pay(r, found.length + 1, at)
    count, data, pointers = segments.tag_at(r.data, start, found.length)
    stride = (data + pointers) * WORD
    if stride == 0:
        _pay(r, count, at)
    first = start + WORD
    own_data, own_pointers = (0, 0) if canonical else (data, pointers)
    # All are as long as the longest.
    for i in range(count if canonical else 0):
        found_data, found_pointers = _trimmed(r, first + i * stride, data, pointers, True)
        own_data, own_pointers = max(own_data, found_data), max(own_pointers, found_pointers)
    words = own_data + own_pointers
    to = _object(out, slot, count * words + 1, 1, 7 | count * words << 3)
    _put(out, to, count << 2, own_data | own_pointers << 16)
    for i in range(count):
        own = first + i * stride
        source = (own, own_data, own + data * WORD, own_pointers)
        _words(r, out, source, to + (1 + i * words) * WORD, found.segment, canonical)
