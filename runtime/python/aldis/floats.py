"""Floats as JSON text: the shortest digits that read back as the same float, laid out as ECMAScript does, whole numbers with a
point."""

from __future__ import annotations

import struct


def narrow(value: float) -> float:
    """The nearest float of 32 bits, infinite beyond the largest."""
    try:
        found: float = struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
    return found


def text64(value: float) -> str:
    return _laid_out(repr(value), value)


def text32(value: float) -> str:
    return _laid_out(_digits32(value), value)


def _digits32(value: float) -> str:
    for places in range(1, 9):
        short = f"{value:.{places - 1}e}"
        if narrow(float(short)) == value:
            return short
        above = _further(short)
        if narrow(float(above)) == value:
            return above
    return f"{value:.8e}"


def _further(text: str) -> str:
    """The number of so many places that is next to it, away from zero. Below a power of two floats are twice as dense as above
    it: there the nearest may be read as another float, and this one not."""
    digits, exponent = text.split("e")
    sign = "-" if digits.startswith("-") else ""
    whole = digits.lstrip("-").replace(".", "")
    return f"{sign}{int(whole) + 1}e{int(exponent) - len(whole) + 1}"


def _laid_out(text: str, value: float) -> str:
    if value == 0:
        return "-0.0" if text.startswith("-") else "0.0"
    mantissa, _, exponent = text.partition("e")
    sign = "-" if mantissa.startswith("-") else ""
    whole, _, fraction = mantissa.lstrip("-").partition(".")
    digits = (whole + fraction).lstrip("0")
    # The point stands behind so many digits.
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0") or "0"
    count = len(digits)
    if count <= point <= 21:
        return f"{sign}{digits}{'0' * (point - count)}.0"
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    shown = digits if count == 1 else f"{digits[0]}.{digits[1:]}"
    return f"{sign}{shown}e{'+' if point > 0 else '-'}{abs(point - 1)}"
