"""The tokens of JSON (RFC 8259), read strictly."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NoReturn

from .faults import CodecError

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_PARTS = re.compile(r"(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?")
_GOES_ON = re.compile(r"[0-9.eE]")
_WORD = re.compile(r"[0-9a-zA-Z]")
_STOP = re.compile('["\\\\\x00-\x1f]')
_HEX = re.compile(r"\\u([0-9a-fA-F]{4})")
SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}

# Bytes of memory that records may take for each character of text, and on top of that. The values within lists, texts and names
# take the rest of 64 for each and 16 MiB.
_MEMORY_FACTOR = 24
_MEMORY_BASE = 6 << 20
# A field is a word in its record, one or two on the way there, and its value.
_FIELD = 32


def bad(at: int, detail: str, shown: str = "") -> NoReturn:
    raise CodecError("bad-json", at, (), detail, shown)


def is_number(text: str) -> bool:
    """Whether a text is a number as JSON writes it, without white space."""
    return _NUMBER.fullmatch(text) is not None


def exponent_of(text: str) -> int:
    """An exponent; one of more digits than any number needs is a large one."""
    size = int(text.lstrip("+-0")[:10] or 0)
    return -size if text.startswith("-") else size


def decimal(text: str) -> Decimal | None:
    """The decimal that a number's text says exactly: its scale is kept. None where it has more digits than one holds."""
    found = _PARTS.fullmatch(text)
    if found is None:
        return None
    sign, whole, fraction, exponent = found.groups(default="")
    digits = (whole + fraction).lstrip("0") or "0"
    scale = len(fraction) - exponent_of(exponent)
    if digits == "0":
        scale = max(scale, 0)
    if scale > 28 or len(digits) - min(scale, 0) > 29:
        return None
    digits += "0" * -min(scale, 0)
    if int(digits) >= 1 << 96:
        return None
    return Decimal((int(sign == "-"), tuple(map(int, digits)), -max(scale, 0)))


def integer(text: str) -> int | None:
    """The integer that a number's text is, exactly: 1e3 and 2.0 are some. None for others, and beyond 38 digits."""
    found = _PARTS.fullmatch(text)
    if found is None:
        return None
    sign, whole, fraction, exponent = found.groups(default="")
    digits = (whole + fraction).lstrip("0")
    short = digits.rstrip("0")
    if not short:
        return 0
    shift = exponent_of(exponent) - len(fraction) + len(digits) - len(short)
    if shift < 0 or len(short) + shift > 38:
        return None
    return int(sign + short + "0" * shift)


class Parser:
    """Reads tokens from ``at`` on; so many levels of records may still be entered. Records are paid for: an object becomes all
    fields of its record, whichever it gives."""

    def __init__(self, text: str, depth: int) -> None:
        self.text = text
        self.at = 0
        self.depth = depth
        self.memory = _MEMORY_FACTOR * len(text) + _MEMORY_BASE

    def enter(self, fields: int) -> None:
        """Enters a record of so many fields."""
        if self.depth == 0:
            self.peek()
            raise CodecError("too-deep", self.at, (), "records nest deeper than the limit")
        self.depth -= 1
        self.pay(fields)

    def pay(self, fields: int) -> None:
        """Pays for so many fields before there is memory for them."""
        self.memory -= _FIELD * fields
        if self.memory < 0:
            self.peek()
            raise CodecError("too-large", self.at, (), "records would take more memory than the text allows")

    def peek(self) -> str:
        """The next character that is no white space, without taking it; empty at the end."""
        text, at = self.text, self.at
        while at < len(text) and text[at] in " \t\n\r":
            at += 1
        self.at = at
        return text[at : at + 1]

    def take(self, character: str) -> bool:
        if self.peek() != character:
            return False
        self.at += 1
        return True

    def expect(self, character: str, what: str) -> None:
        if not self.take(character):
            bad(self.at, f"expected {what}, found {self.found()}")

    def found(self) -> str:
        """The next token in words."""
        following = self.peek()
        known = {"": "the end", '"': "a string", "{": "an object", "[": "an array"}.get(following)
        if known is not None:
            return known
        if following in "-0123456789":
            return "a number"
        words = (word for word in ("null", "true", "false") if self.text.startswith(word, self.at))
        return next(words, repr(following))

    def end(self) -> None:
        if self.peek():
            bad(self.at, f"expected the end, found {self.found()}")

    def word(self, word: str) -> bool:
        """Takes a word if it comes next."""
        self.peek()
        stop = self.at + len(word)
        if not self.text.startswith(word, self.at) or _WORD.match(self.text, stop):
            return False
        self.at = stop
        return True

    def closes(self, bracket: str, first: bool) -> bool:
        """Whether a closing bracket comes next: takes it, or the comma before what comes after the first."""
        if self.take(bracket):
            return True
        if not first:
            self.expect(",", "`,` or the end of the list")
            self.peek()
        return False

    def string(self) -> str:
        self.expect('"', "a string")
        start = self.at
        parts: list[str] = []
        while True:
            found = _STOP.search(self.text, self.at)
            if found is None:
                bad(start - 1, "the string does not end")
            piece = self.text[self.at : found.start()]
            if not piece.isascii() and SURROGATE.search(piece):
                bad(self.at, "half of a surrogate pair is no character")
            parts.append(piece)
            self.at = found.start()
            if found[0] == '"':
                self.at += 1
                return "".join(parts)
            if found[0] != "\\":
                bad(self.at, "a control character in a string must be escaped")
            parts.append(self._escape())

    def _escape(self) -> str:
        start = self.at
        name = self.text[start + 1 : start + 2]
        if name != "u":
            self.at += 2
            known = _ESCAPES.get(name)
            return known if known is not None else bad(start, "JSON has no such escape")
        first = _HEX.match(self.text, start)
        if first is None:
            bad(start, "not four hex digits")
        code = int(first[1], 16)
        self.at = first.end()
        if code >> 10 == 0x36:
            second = _HEX.match(self.text, self.at)
            lower = int(second[1], 16) if second else 0
            if second and lower >> 10 == 0x37:
                self.at = second.end()
                return chr(0x10000 + ((code & 0x3FF) << 10 | lower & 0x3FF))
        if code >> 11 == 0x1B:
            bad(start, "half of a surrogate pair is no character")
        return chr(code)

    def skip(self, depth: int) -> None:
        """Skips a value of any kind, of at most so many levels. Its objects give no key twice."""
        following = self.peek()
        if following == '"':
            self.string()
        elif following and following in "-0123456789":
            self.number()
        elif following in ("{", "["):
            self._skip_all("}" if following == "{" else "]", depth)
        elif not any(self.word(word) for word in ("null", "true", "false")):
            bad(self.at, f"expected a value, found {self.found()}")

    def _skip_all(self, close: str, depth: int) -> None:
        if depth == 0:
            raise CodecError("too-deep", self.at, (), "values nest deeper than the limit")
        self.at += 1
        seen: set[str] = set()
        first = True
        while not self.closes(close, first):
            first = False
            if close == "}":
                at = self.at
                key = self.string()
                if key in seen:
                    bad(at, f"{key!r} is given twice")
                seen.add(key)
                self.expect(":", "`:`")
            self.skip(depth - 1)

    def number(self) -> str:
        """A number's text."""
        following = self.peek()
        if not following or following not in "-0123456789":
            bad(self.at, f"expected a number, found {self.found()}")
        found = _NUMBER.match(self.text, self.at)
        # Text that goes on behind a number makes no number: 01, 1., 1e.
        if found is None or _GOES_ON.match(self.text, found.end()):
            bad(self.at, "not a number")
        self.at = found.end()
        return found[0]
