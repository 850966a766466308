"""Scalars: how what is stored becomes a value, and the other way round."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from decimal import Decimal
from numbers import Real
from operator import index
from typing import Any
from uuid import UUID

from .faults import fail, not_within
from .schema import Schema, uuid_of

WIDTHS = {
    "bool": 1, "u8": 1, "i8": 1, "u16": 2, "i16": 2, "u32": 4, "i32": 4, "u64": 8, "i64": 8,
    "f32": 4, "f64": 8, "uuid": 16, "decimal": 16,
}  # fmt: skip
_NAN = {"f32": 0x7FC00000, "f64": 0x7FF8000000000000}
_FLOATS = {"f32": ("<I", "<f"), "f64": ("<Q", "<d")}
_MOST = (1 << 96) - 1


def float_of(repr_: str, bits: int) -> float:
    as_int, as_float = _FLOATS[repr_]
    value: float = struct.unpack(as_float, struct.pack(as_int, bits))[0]
    return value


def decimal_at(data: bytes, at: int) -> Decimal | None:
    """A coefficient of 12 bytes, two zeros, a scale, a sign; none where bytes say no decimal."""
    scale, sign = data[at + 14], data[at + 15]
    if data[at + 12] or data[at + 13] or scale > 28 or sign not in (0, 0x80):
        return None
    digits = str(int.from_bytes(data[at : at + 12], "little"))
    return Decimal((sign >> 7, tuple(map(int, digits)), -scale))


def decimal_octets(value: Any) -> bytes:
    if not isinstance(value, Decimal):
        fail("bad-value", detail="the value is not a Decimal")
    sign, digits, exponent = value.as_tuple()
    if not isinstance(exponent, int):
        fail("bad-value", detail="the value is no number")
    if exponent < -28 or (any(digits) and len(digits) + max(exponent, 0) > 29):
        fail("out-of-range", detail=f"{value} has more digits than a decimal holds", shown=str(value))
    coefficient = int("".join(map(str, digits)) or "0")
    if coefficient:
        coefficient *= 10 ** max(exponent, 0)
    if coefficient > _MOST:
        fail("out-of-range", detail=f"{value} has more digits than a decimal holds", shown=str(value))
    return coefficient.to_bytes(14, "little") + bytes((max(-exponent, 0), sign << 7))


class Scalar:
    """A number, or a small value of fixed size, as it is stored."""

    __slots__ = ("width", "read", "write", "null_bits")

    def __init__(self, schema: Schema, big: bool, data: tuple[Any, ...]) -> None:
        stored, ty, null, absent, xor = data
        self.width = WIDTHS.get(stored, 1)
        order = "big" if big else "little"
        for_null = absent if null is None else null
        self.null_bits: int | None = for_null[0] if type(for_null) is tuple else for_null
        self.read: Callable[[bytes, int], Any] = _reader(schema, order, data, self.width)
        self.write: Callable[[bytearray, int, Any], None] = _writer(stored, ty, xor, self.width, order)


def _reader(schema: Schema, order: Any, data: tuple[Any, ...], width: int) -> Callable[[bytes, int], Any]:
    stored, ty, null, _, xor = data
    if stored == "uuid":
        return lambda data, at: uuid_of(data[at : at + 16])
    made: Callable[[int], Any] = schema.number(ty)
    if stored == "bool":
        made = bool
    elif stored.startswith("bit"):
        mask = 1 << int(stored[3:])
        made = lambda bits: bits & mask != 0  # noqa: E731
    elif stored[0] == "f":
        made = lambda bits: float_of(stored, bits)  # noqa: E731
    signed = stored[0] == "i"
    half, whole = 1 << (8 * width - 1), 1 << (8 * width)

    def read(data: bytes, at: int) -> Any:
        bits = int.from_bytes(data[at : at + width], order) ^ xor
        if null is not None:
            if bits == null:
                return None
            if type(null) is tuple and math.isnan(float_of(stored, bits)):
                return None
        return made(bits - whole if signed and bits >= half else bits)

    return read


def _integer(value: Any, least: int, most: int) -> int:
    try:
        number = index(value)
    except TypeError:
        fail("bad-value", detail=f"the value is not a whole number from {least} to {most}")
    if not least <= number <= most:
        not_within(number, least, most)
    return number


def _float_bits(stored: str, value: Any) -> int:
    if not isinstance(value, Real):
        fail("bad-value", detail="the value is not a number")
    as_int, as_float = _FLOATS[stored]
    try:
        number = float(value)
        if number != number:
            return _NAN[stored]
        bits: int = struct.unpack(as_int, struct.pack(as_float, number))[0]
    except OverflowError:
        fail("out-of-range", detail="the value does not fit the field's type")
    return bits


def _writer(stored: str, ty: Any, xor: int, width: int, order: Any) -> Callable[[bytearray, int, Any], None]:
    if stored == "decimal":

        def write(out: bytearray, at: int, value: Any) -> None:
            out[at : at + 16] = decimal_octets(value)

    elif stored == "uuid":

        def write(out: bytearray, at: int, value: Any) -> None:
            if not isinstance(value, UUID):
                fail("bad-value", detail="the value is not a UUID")
            out[at : at + 16] = value.bytes

    elif stored.startswith("bit"):
        shift = int(stored[3:])

        def write(out: bytearray, at: int, value: Any) -> None:
            out[at] |= (_bit(value) << shift) ^ xor

    else:
        bits_of = _bits_of(stored, ty, width)

        def write(out: bytearray, at: int, value: Any) -> None:
            out[at : at + width] = (bits_of(value) ^ xor).to_bytes(width, order)

    return write


def _bit(value: Any) -> int:
    if value is not True and value is not False:
        fail("bad-value", detail="the value is not true or false")
    return int(value)


def _bits_of(stored: str, ty: Any, width: int) -> Callable[[Any], int]:
    if stored == "bool":
        return _bit
    if stored[0] == "f":
        return lambda value: _float_bits(stored, value)
    bits = 8 * width
    least, most = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if stored[0] == "i" else (0, (1 << bits) - 1)
    mask = (1 << bits) - 1
    if ty == "char":
        return lambda value: _integer(_code(value), least, most) & mask
    return lambda value: _integer(value, least, most) & mask


def _code(value: Any) -> int:
    if not isinstance(value, str) or len(value) != 1:
        fail("bad-value", detail="the value is not a string of one character")
    return ord(value)


def text_of(octets: bytes, encoding: str | None) -> Any:
    """Text; a byte of no UTF-8 sequence is the lone surrogate that stands for it. Bytes without an encoding."""
    if encoding is None:
        return octets
    return octets.decode("utf-8", "surrogateescape") if encoding == "utf8" else octets.decode("latin-1")


def octets_of(value: Any, encoding: str | None) -> bytes:
    if encoding is None:
        if isinstance(value, (bytes, bytearray, memoryview)):
            return bytes(value)
        fail("bad-value", detail="the value is not bytes")
    if not isinstance(value, str):
        fail("bad-value", detail="the value is not a string")
    if encoding == "utf8":
        try:
            return value.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:
            fail("bad-value", detail="half of a surrogate pair stands for no byte")
    try:
        return value.encode("latin-1")
    except UnicodeEncodeError:
        fail("out-of-range", detail="a character beyond U+00FF in one-byte text")
