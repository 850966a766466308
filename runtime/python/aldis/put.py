"""Routines that write, walked: what a value is asked for, and what is put where.

What the operations mean stands in the compiler (``compiler/routine/src/write.rs``). Faults have a code and a path, and no place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .cells import octets_of
from .copying import copy
from .faults import CodecError, fail
from .packing import pack, unpacked_limit
from .segments import EMPTY_ELEMENT, WORD, whole_words
from .values import DEFAULT_LIMITS, MISSING, Opaque
from .walk import OPERATIONS, Operation, Reader, Symbols, arg, call

if TYPE_CHECKING:
    from .form import Form

_PLENTY = 1 << 60
"""More charge than any message has."""

_MOST = (1 << 29) - 1


class _Source:
    """Bytes of one segment that are copied."""

    def __init__(self, data: bytes, depth: int) -> None:
        self.data = data
        self.segments = [(0, len(data))]
        self.left = _PLENTY
        self.depth = depth


class Writer:
    """The bytes that are written by now, and the charge of readers for elements without bytes."""

    def __init__(self, form: Form) -> None:
        self.form = form
        self.schema = form.schema
        self.out = bytearray()
        self.depth = DEFAULT_LIMITS.depth
        self.charged = 0
        self.packed: bytes | None = None

    def run(self, routine: int, value: Any) -> bytes:
        try:
            call(self, routine, [value])
        except CodecError as error:
            error.offset = None
            raise
        return bytes(self.out) if self.packed is None else self.packed


def out_of_range(detail: str = "too many elements or bytes, or too few") -> None:
    fail("out-of-range", detail=detail)


def _is_null(w: Any, s: Symbols, to: int, value: int) -> None:
    s[to] = s[value] is None or s[value] is MISSING


def _of_record(w: Any, s: Symbols, value: int, record: int) -> None:
    if not isinstance(s[value], w.schema.classes[record]):
        fail("bad-value", detail=f"the value is no {w.schema.classes[record].__name__}")


def _get(w: Any, s: Symbols, to: int, value: int, record: int, field: int) -> None:
    s[to] = getattr(s[value], w.schema.names[record][field])


def _octets(w: Any, s: Symbols, to: int, value: int, encoding: str | None) -> None:
    s[value] = octets_of(s[value], encoding)
    s[to] = len(s[value])


def _sorted(w: Any, s: Symbols, to: int, value: int, of: int) -> None:
    s[to] = w.schema.elements(w.form.lists[of], s[value])


def count_of(value: Any) -> int:
    if isinstance(value, (str, bytes, dict, set, frozenset)) or not (
        hasattr(value, "__len__") and hasattr(value, "__getitem__")
    ):
        fail("bad-value", detail="the value is not a list")
    return len(value)


def _count(w: Any, s: Symbols, to: int, value: int, of: int) -> None:
    s[to] = count_of(s[value])


def _exactly(w: Any, s: Symbols, value: int, count: int, in_run: bool) -> None:
    if count_of(s[value]) != count:
        fail("out-of-range" if in_run else "bad-value", detail=f"a list of {count} elements belongs here")


def _item(w: Any, s: Symbols, to: int, value: int, index: int) -> None:
    s[to] = s[value][s[index]]


def _pair(w: Any, s: Symbols, binds: Any, value: int, index: int) -> None:
    s[binds[0]], s[binds[1]] = s[value][s[index]]


def _same_as(w: Any, s: Symbols, value: int, literal: int) -> None:
    fixed, given = w.schema.literal(w.form.literals[literal]), s[value]
    if given is not MISSING and given != fixed and not (given != given and fixed != fixed):
        fail("bad-value", detail="the schema fixes another value")


def _in_range(w: Any, s: Symbols, number: int, least: int, most: int) -> None:
    if not least <= arg(s, number) <= most:
        out_of_range()


def _choice(w: Any, s: Symbols, binds: Any, value: int, union: int) -> None:
    s[binds[0]], s[binds[1]] = w.schema.tag_of(union, s[value])


def _reserve(w: Any, s: Symbols, to: int, times: int, each: int) -> None:
    s[to] = len(w.out)
    size = arg(s, times) * arg(s, each)
    if size > 1 << 32:
        out_of_range("a message of more than 4 GiB")
    w.out += bytes(size)


def _append(w: Any, s: Symbols, value: int, size: int) -> None:
    w.out += s[value]


def _store(w: Any, s: Symbols, base: int, plus: int, width: int, number: int) -> None:
    at = s[base] + plus
    w.out[at : at + width] = arg(s, number).to_bytes(width, w.form.order)


def _put(w: Any, s: Symbols, base: int, plus: int, scalar: Any, value: int) -> None:
    own, at, given = w.form.scalar(scalar), s[base] + plus, s[value]
    if given is None or given is MISSING:
        if own.null_bits is None:
            fail("bad-value", detail="null, but the field must have a value")
        w.out[at : at + own.width] = own.null_bits.to_bytes(own.width, w.form.order)
    else:
        own.write(w.out, at, given)


def _put_chars(w: Any, s: Symbols, base: int, plus: int, width: int, encoding: str, value: int) -> None:
    octets, at = octets_of(s[value], encoding), s[base] + plus
    if len(octets) > width:
        out_of_range(f"text of {len(octets)} bytes in a field of {width}")
    w.out[at : at + len(octets)] = octets


def _link(w: Any, s: Symbols, base: int, plus: int, origin: int) -> None:
    at = s[base] + plus
    w.out[at : at + 4] = (len(w.out) - s[origin] & 0xFFFFFFFF).to_bytes(4, w.form.order)


def _empty(w: Any, s: Symbols, begin: int, count: int) -> None:
    if s[begin] == len(w.out):
        w.charged += EMPTY_ELEMENT * arg(s, count)


def _total(w: Any, s: Symbols, to: int) -> None:
    s[to] = len(w.out)
    if s[to] >= 1 << 32:
        out_of_range("a message of more than 4 GiB")


def _framed(w: Any, s: Symbols, to: int, total: int, plus: int, width: int) -> None:
    s[to] = arg(s, total) + plus
    if width < 8 and s[to] >> 8 * width:
        out_of_range(f"a message of {s[to]} bytes is too long for its frame")


def _readable(w: Any, s: Symbols, routine: int) -> None:
    """Whether what is written can be read: where there are too many elements without bytes it cannot."""
    if w.charged <= DEFAULT_LIMITS.budget_base:
        return
    if w.packed is not None and len(w.out) > unpacked_limit(len(w.packed)):
        fail("too-large", detail="packed, the message is too small for what it would be unpacked to")
    try:
        Reader(w.form, bytes(w.out), 0, DEFAULT_LIMITS).run(routine)
    except CodecError as error:
        if error.code == "too-large":
            fail("too-large", detail="more elements without bytes than decoding reads")


def _words(w: Any, s: Symbols, to: int, count: int, more: int, bits: int) -> None:
    s[to] = whole_words(((arg(s, count) + more) * bits + 7) // 8) // WORD


def _pointer(out: bytearray, at: int, to: int, kind: int, upper: int) -> None:
    distance = (to - at) // WORD - 1
    out[at : at + WORD] = ((upper << 32) | ((distance << 2 | kind) & 0xFFFFFFFF)).to_bytes(WORD, "little")


def _point(w: Any, s: Symbols, base: int, plus: int, to: int, of: Any) -> None:
    if len(of) == 2:
        kind, upper = 0, of[0] | of[1] << 16
    else:
        kind, upper = 1, of[0] | arg(s, of[1]) + of[2] << 3
    _pointer(w.out, s[base] + plus, s[to], kind, upper)


def _tag(w: Any, s: Symbols, at: int, count: int, data: int, pointers: int) -> None:
    start = s[at]
    number = (data | pointers << 16) << 32 | arg(s, count) << 2
    w.out[start : start + WORD] = number.to_bytes(WORD, "little")


def _put_bytes(w: Any, s: Symbols, at: int, value: int, size: int) -> None:
    w.out[s[at] : s[at] + len(s[value])] = s[value]


def _put_bits(w: Any, s: Symbols, at: int, count: int, value: int) -> None:
    for i in range(arg(s, count)):
        item = s[value][i]
        if item is not True and item is not False:
            fail("bad-value", detail="the value is not true or false", path=(i,))
        w.out[s[at] + (i >> 3)] |= item << (i & 7)


def _plant(w: Any, s: Symbols, base: int, plus: int, value: int) -> None:
    """A copy of what the root of a flat message leads to, and the pointer to it."""
    given = s[value]
    if not isinstance(given, Opaque) or not isinstance(given.data, bytes) or len(given.data) < WORD:
        fail("bad-value", detail="the value is no flat message")
    source = _Source(given.data, w.depth)
    before = len(w.out)
    copy(source, w.out, 0, 0, s[base] + plus)
    w.charged += max(0, _PLENTY - source.left - (len(w.out) - before))


def canonical(words: bytes) -> tuple[bytearray, int]:
    """A segment in canonical form, and how many bytes that leaves out."""
    out = bytearray(WORD)
    copy(_Source(words, DEFAULT_LIMITS.depth), out, 0, 0, 0, True)
    return out, len(words) - len(out)


def _finish(w: Any, s: Symbols) -> None:
    table, packed, is_canonical = w.form.container
    if len(w.out) // WORD > _MOST:
        out_of_range()
    if is_canonical:
        w.out, left_out = canonical(bytes(w.out))
        w.charged += 8 * left_out
    if table:
        w.out[:0] = (len(w.out) // WORD << 32).to_bytes(WORD, "little")
    if packed:
        w.packed = pack(w.out[:WORD]) + pack(w.out[WORD:])


_WRITING: dict[str, Operation] = {
    "is_null": _is_null,
    "of_record": _of_record,
    "get": _get,
    "octets": _octets,
    "sorted": _sorted,
    "count": _count,
    "exactly": _exactly,
    "item": _item,
    "pair": _pair,
    "same_as": _same_as,
    "in_range": _in_range,
    "wrong": lambda w, s: fail("bad-value", detail="no value can be written here"),
    "choice": _choice,
    "here": lambda w, s, to: s.__setitem__(to, len(w.out)),
    "reserve": _reserve,
    "append": _append,
    "store": _store,
    "put": _put,
    "put_chars": _put_chars,
    "link": _link,
    "empty": _empty,
    "total": _total,
    "framed": _framed,
    "readable": _readable,
    "words": _words,
    "point": _point,
    "tag": _tag,
    "put_bytes": _put_bytes,
    "put_bits": _put_bits,
    "plant": _plant,
    "finish": _finish,
}
OPERATIONS.update(_WRITING)
