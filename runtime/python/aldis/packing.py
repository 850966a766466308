"""Packing (Cap'n Proto encoding specification, "Packing"): a tag tells which bytes of a word are not zero; runs of words follow
the tags 0 and 255. The table and each segment are packed by themselves."""

from __future__ import annotations

from .faults import fail
from .segments import WORD, u32

_FACTOR = 64
_BASE = 16 << 20


def unpacked_limit(size: int) -> int:
    """How many bytes so many packed ones may unpack to."""
    return _FACTOR * size + _BASE


class _Unpacker:
    def __init__(self, data: bytes, at: int) -> None:
        self.data = data
        self.at = at
        self.limit = unpacked_limit(len(data) - at)
        self.out = bytearray()
        # Words of a run that are still to come.
        self.zeros = 0
        self.literal = 0

    def words(self, total: int) -> None:
        """Goes on until there are so many words."""
        if total * WORD > self.limit:
            fail("too-large", detail=f"unpacked, the message would take {total} words, more than its packed bytes allow")
        wanted = total * WORD
        while len(self.out) < wanted:
            left = (wanted - len(self.out)) // WORD
            if self.zeros > 0:
                run = min(self.zeros, left)
                self.out += bytes(run * WORD)
                self.zeros -= run
            elif self.literal > 0:
                run = min(self.literal, left)
                self.out += self.take(run * WORD)
                self.literal -= run
            else:
                self.word()
        if self.zeros + self.literal > 0:
            fail("bad-value", detail="a packed run of words goes beyond the end of the table or of the message")

    def word(self) -> None:
        tag = self.take(1)[0]
        found = self.take(tag.bit_count())
        word, used = bytearray(WORD), 0
        for i in range(WORD):
            if tag >> i & 1:
                word[i] = found[used]
                used += 1
        self.out += word
        if tag == 0:
            self.zeros = self.take(1)[0]
        elif tag == 255:
            self.literal = self.take(1)[0]

    def take(self, count: int) -> bytes:
        start = self.at
        if count > len(self.data) - start:
            fail("truncated", detail="the packed bytes end within the message")
        self.at += count
        return self.data[start : self.at]


def unpack(data: bytes, at: int) -> tuple[bytes, int]:
    """The message that begins packed at ``at``, and the place behind it."""
    u = _Unpacker(data, at)
    u.words(1)
    more = u32(bytes(u.out), 0)
    if more >= 511:
        fail("bad-count", detail=f"{more + 1} segments; at most 511 are read")
    table = (more + 1 >> 1) + 1
    u.words(table)
    sizes = bytes(u.out)
    content = sum(u32(sizes, 4 * i) for i in range(1, more + 2))
    u.words(table + content)
    return bytes(u.out), u.at


def pack(words: bytes | bytearray) -> bytes:
    """The words, packed."""
    out = bytearray()
    at, stop = 0, len(words)
    while at < stop:
        word = words[at : at + WORD]
        at += WORD
        tag = sum(1 << i for i, octet in enumerate(word) if octet)
        out.append(tag)
        out += bytes(octet for octet in word if octet)
        if tag not in (0, 255):
            continue
        start = at
        while at < stop and at - start < 255 * WORD:
            zeros = words.count(0, at, at + WORD)
            if zeros < WORD if tag == 0 else zeros > 1:
                break
            at += WORD
        out.append((at - start) // WORD)
        if tag == 255:
            out += words[start:at]
    return bytes(out)
