"""JSON of types that have no others in them."""

from __future__ import annotations

import math
import re
from base64 import b64decode, b64encode
from collections.abc import Callable
from json.encoder import ESCAPE_DCT
from operator import index
from typing import Any, NamedTuple
from uuid import UUID

from .cells import decimal_octets
from .faults import CodecError, fail, not_within
from .floats import narrow, text32, text64
from .parse import SURROGATE, Parser, bad, decimal, integer, is_number

_TO_ESCAPE = re.compile('["\\\\\x00-\x1f]')
_KEY = re.compile(r"0|-?[1-9][0-9]*")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_BASE64 = re.compile(r"[A-Za-z0-9+/]*(?:[AQgw]==|[AEIMQUYcgkosw048]=)?")
_HEX = re.compile(r"(?:[0-9a-fA-F]{2})*")
_NON_FINITE = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


class Policy(NamedTuple):
    """The ways in which the JSON of forms differs."""

    names: bool
    non_finite: bool
    defaults: bool
    wide_text: bool
    byte_arrays: bool
    omit_null: bool


def quoted(text: str) -> str:
    return '"' + _TO_ESCAPE.sub(lambda found: ESCAPE_DCT[found[0]], text) + '"'


def out_of_range(at: int, detail: str, shown: str = "") -> Any:
    raise CodecError("out-of-range", at, (), detail, shown)


class Kind:
    """The JSON of a type. Types of keys write a member's name too, and read it."""

    empty: str | None = None
    """The text of an empty value."""

    may_lack = False
    """A missing key is null."""

    def write(self, value: Any) -> str:
        raise NotImplementedError

    def read(self, p: Parser) -> Any:
        raise NotImplementedError

    def key(self, value: Any) -> str:
        return f'"{self.write(value)}"'

    def read_key(self, text: str, at: int) -> Any:
        return bad(at, "no such key")


class Nothing(Kind):
    """A value of no bytes."""

    def write(self, value: Any) -> str:
        return "null"

    def read(self, p: Parser) -> Any:
        return None if p.word("null") else bad(p.at, f"expected null, found {p.found()}")


class Open(Kind):
    """A value whose type the schema leaves open."""

    def write(self, value: Any) -> str:
        fail("bad-value", detail="JSON cannot say a value whose type the schema leaves open")

    def read(self, p: Parser) -> Any:
        p.peek()
        return bad(p.at, "JSON cannot say a value whose type the schema leaves open")


class Bool(Kind):
    def write(self, value: Any) -> str:
        if not isinstance(value, (bool, int)):
            fail("bad-value", detail="the value is neither True nor False")
        return "true" if value else "false"

    def read(self, p: Parser) -> Any:
        if p.word("true"):
            return True
        return False if p.word("false") else bad(p.at, f"expected true or false, found {p.found()}")

    def read_key(self, text: str, at: int) -> Any:
        return text == "true" if text in ("true", "false") else bad(at, "expected true or false as the key")


class Int(Kind):
    """Integers; as text too where ``loose``, and only so where they are ``wide``."""

    def __init__(self, bits: int, signed: bool, loose: bool = False) -> None:
        self.least = -(1 << (bits - 1)) if signed else 0
        self.most = (1 << (bits - signed)) - 1
        self.loose = loose
        self.wide = loose and bits == 64

    def write(self, value: Any) -> str:
        return f'"{self.checked(value)}"' if self.wide else str(self.checked(value))

    def key(self, value: Any) -> str:
        return f'"{self.checked(value)}"'

    def checked(self, value: Any) -> int:
        number = index(value)
        if not self.least <= number <= self.most:
            not_within(number, self.least, self.most)
        return number

    def within(self, text: str, at: int) -> int:
        value = integer(text)
        if value is None or not self.least <= value <= self.most:
            out_of_range(at, f"{text} is not an integer from {self.least} to {self.most}", text)
        return value or 0

    def read(self, p: Parser) -> Any:
        if self.loose and p.peek() == '"':
            at = p.at
            text = p.string()
            return self.within(text, at) if is_number(text) else bad(at, f"expected an integer, found {text!r}", repr(text))
        text = p.number()
        return self.within(text, p.at - len(text))

    def read_key(self, text: str, at: int) -> Any:
        if not _KEY.fullmatch(text):
            bad(at, "expected an integer as the key, in plain decimal digits")
        return self.within(text, at)


class Float(Kind):
    def __init__(self, is_narrow: bool, policy: Policy) -> None:
        self.text = text32 if is_narrow else text64
        self.of: Callable[[float], float] = narrow if is_narrow else float
        self.policy = policy

    def write(self, value: Any) -> str:
        if math.isfinite(value):
            number = self.of(value)
            if not math.isfinite(number):
                fail("out-of-range", detail="the value does not fit the field's type")
            return self.text(number)
        if not self.policy.non_finite:
            fail("bad-value", detail="JSON has no number for NaN and infinities")
        return '"NaN"' if value != value else '"Infinity"' if value > 0 else '"-Infinity"'

    def read(self, p: Parser) -> Any:
        if self.policy.omit_null and p.word("null"):
            return math.nan
        if self.policy.non_finite and p.peek() == '"':
            at = p.at
            name = p.string()
            found = _NON_FINITE.get(name)
            return found if found is not None else bad(at, f"expected a number, NaN, Infinity or -Infinity, found {name}", name)
        text = p.number()
        value = self.of(float(text))
        if not math.isfinite(value):
            out_of_range(p.at - len(text), f"{text} is beyond the largest float of its type", text)
        return value


class Text(Kind):
    """A string in JSON: ``read_key`` makes its value."""

    def read(self, p: Parser) -> Any:
        p.peek()
        at = p.at
        return self.read_key(p.string(), at)

    def key(self, value: Any) -> str:
        return self.write(value)


class Utf8(Text):
    def write(self, value: Any) -> str:
        if not value.isascii() and SURROGATE.search(value):
            fail("bad-text", detail="the text is not UTF-8")
        return quoted(value)

    def read_key(self, text: str, at: int) -> Any:
        return text


class Latin1(Text):
    def write(self, value: Any) -> str:
        return quoted(value)

    def read_key(self, text: str, at: int) -> Any:
        return text if not text or max(text) < "\u0100" else out_of_range(at, "a character beyond U+00FF in one-byte text")


class Char(Text):
    def write(self, value: Any) -> str:
        return quoted(value)

    def read(self, p: Parser) -> Any:
        p.peek()
        at = p.at
        text = p.string()
        if len(text) != 1:
            bad(at, "expected a string of one character")
        return text if text < "\u0100" else out_of_range(at, "the character is beyond one byte")

    def key(self, value: Any) -> str:
        return f'"{ord(value)}"'

    def read_key(self, text: str, at: int) -> Any:
        return chr(Int(8, False).read_key(text, at))


class Uuid(Text):
    def write(self, value: Any) -> str:
        if not isinstance(value, UUID):
            fail("bad-value", detail="the value is no UUID")
        return f'"{value}"'

    def read_key(self, text: str, at: int) -> Any:
        return UUID(text) if _UUID.fullmatch(text) else bad(at, "not a uuid of 32 hex digits with hyphens")


class Decimals(Text):
    def write(self, value: Any) -> str:
        decimal_octets(value)
        return f'"{value:f}"'

    def read_key(self, text: str, at: int) -> Any:
        if not is_number(text):
            bad(at, "not a decimal number")
        value = decimal(text)
        return value if value is not None else out_of_range(at, "more digits than a decimal holds")


class Base64(Text):
    empty = '""'

    def write(self, value: Any) -> str:
        return f'"{b64encode(value).decode()}"'

    def read_key(self, text: str, at: int) -> Any:
        if len(text) % 4 or not _BASE64.fullmatch(text):
            bad(at, "not base64 with padding")
        return b64decode(text)


class Hex(Text):
    empty = '""'

    def write(self, value: Any) -> str:
        return f'"{value.hex()}"'

    def read_key(self, text: str, at: int) -> Any:
        return bytes.fromhex(text) if _HEX.fullmatch(text) else bad(at, "not hexadecimal digits, two a byte")
