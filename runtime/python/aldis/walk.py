"""Routines as data, walked: every check, and the place and path of each fault.

What the operations mean stands in the compiler (``compiler/routine/src/op.rs``), whose evaluator this one follows. A symbol is an
index of ``s``; an operand below zero is the number -1 - operand. Faults have places from the first byte of ``data`` on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Union

from . import segments
from .cells import decimal_at, text_of
from .copying import keep
from .faults import CodecError, fail
from .values import Limits

if TYPE_CHECKING:
    from .form import Form

ALL = (1 << 64) - 1
Symbols = list[Any]
# Functions of so many operands, by which type checkers know those of a lambda.
Operation = Union[
    "Callable[[Any, Any], Any]",
    "Callable[[Any, Any, Any], Any]",
    "Callable[[Any, Any, Any, Any], Any]",
    "Callable[[Any, Any, Any, Any, Any], Any]",
    "Callable[[Any, Any, Any, Any, Any, Any], Any]",
    "Callable[[Any, Any, Any, Any, Any, Any, Any], Any]",
    "Callable[[Any, Any, Any, Any, Any, Any, Any, Any], Any]",
    "Callable[[Any, Any, Any, Any, Any, Any, Any, Any, Any], Any]",
]


class Reader:
    """The state of reading a message that begins at ``start``: its end, and what may still be charged."""

    def __init__(self, form: Form, data: bytes, start: int, limits: Limits) -> None:
        self.form = form
        self.schema = form.schema
        self.data = data
        self.start = start
        self.end = len(data)
        self.left = limits.budget_factor * (len(data) - start) + limits.budget_base
        self.depth = limits.depth
        self.surcharge = limits.surcharge
        self.segments: list[tuple[int, int]] = []

    def run(self, routine: int) -> tuple[Any, int]:
        """The value of a message, and where it ends."""
        value, end = call(self, routine, [self.start])
        return value, end


def call(r: Any, number: int, args: list[Any]) -> list[Any]:
    _, params, symbols, body = r.form.routines[number]
    s: Symbols = [None] * symbols
    for param, given in zip(params, args):
        s[param] = given
    return block(r, s, body)


def arg(s: Symbols, operand: int) -> Any:
    return -1 - operand if operand < 0 else s[operand]


def block(r: Any, s: Symbols, data: Any) -> list[Any]:
    """Runs a block; gives what it gives. Statements with blocks are here, so that few calls lie in one another."""
    for op in data[1]:
        run: Callable[..., Any] | None = OPERATIONS.get(op[0])
        if run is not None:
            run(r, s, *op[1:])
            continue
        kind, binds = op[0], op[1]
        if kind == "call":
            given = call(r, op[2], [arg(s, one) for one in op[3]])
        elif kind == "within":
            try:
                given = block(r, s, op[3])
            except CodecError as error:
                raise error.within(op[2] if type(op[2]) is str else s[op[2]])
        elif kind == "if":
            given = block(r, s, op[3] if s[op[2]] else op[4])
        elif kind == "level":
            if r.depth == 0:
                fail("too-deep", s[op[2]])
            r.depth -= 1
            given = block(r, s, op[3])
            r.depth += 1
        elif kind == "switch":
            tag = arg(s, op[2])
            chosen = next((arm for own, arm in op[3] if own == tag), op[4])
            given = block(r, s, chosen)
        else:
            given = _repeat(r, s, op)
        for symbol, one in zip(binds, given):
            s[symbol] = one
    return [-1 - operand if operand < 0 else s[operand] for operand in data[2]]


def _repeat(r: Any, s: Symbols, op: Any) -> list[Any]:
    """``loop``, or ``each``, which makes a collection of what its block gives before what is carried."""
    is_each = op[0] == "each"
    body = op[5] if is_each else op[4]
    index, *takes = body[0]
    carried = [arg(s, one) for one in op[3]]
    items: list[Any] = []
    for i in range(arg(s, op[2])):
        s[index] = i
        for symbol, one in zip(takes, carried):
            s[symbol] = one
        try:
            given = block(r, s, body)
        except CodecError as error:
            raise error.within(i) if is_each else error
        mine = len(given) - len(carried)
        items += given[:mine]
        carried = given[mine:]
    return [r.schema.collection(r.form.lists[op[4]], items), *carried] if is_each else carried


def pay(r: Any, amount: int, at: int) -> None:
    if amount > r.left:
        fail("too-large", at)
    r.left -= amount


def pay_extra(r: Any, amount: int, at: int) -> None:
    if r.surcharge:
        pay(r, amount, at)


def demand(r: Any, at: int, size: int, cut: Any = None) -> None:
    if size <= r.end - at:
        return
    if cut is None:
        fail("truncated", at)
    left = r.end - at
    path: list[str] = []
    rows = r.form.runs[cut[0]][3]
    if len(cut) == 1:
        row = next((row for row in rows if row[1] > left), None)
        found = None if row is None else row[0]
        if row is not None and row[4] is not None:
            path.append(row[4])
    else:
        found = _first_cut(rows, left, size, cut[1], path)
    fail("truncated", at + min(left if found is None else found, left), "", tuple(path))


def _first_cut(rows: Any, left: int, extent: int, version: int, path: list[str]) -> int | None:
    for at, end, since, reach, name, is_field, _, holds in rows:
        if since <= version and reach <= extent and end > left:
            if name is not None and is_field:
                path.append(name)
            inner = holds[1] if holds and holds[0] == "rows" else holds[2] if holds and holds[0] == "nest" else ()
            deeper = _first_cut(inner, left, extent, version, path)
            return int(at) if deeper is None else deeper
    return None


def number_at(r: Any, at: int, width: int) -> int:
    return int.from_bytes(r.data[at : at + width], r.form.order)


def head(r: Any, table: int, at: int, root: Any) -> list[int]:
    """The registers of a head that are wanted."""
    size, _, _, rows = r.form.runs[table]
    demand(r, at, size, (table,))
    pay(r, size, at)
    found: list[int] = []
    for row in rows:
        holds = row[7]
        if holds is None or holds[0] not in ("wanted", "expected"):
            continue
        number = number_at(r, at + row[0], holds[1])
        if holds[0] == "wanted":
            found.append(number)
        elif number != holds[2]:
            fail("unknown-message" if root else "bad-value", at + row[0])
    return found


def _extent(r: Any, s: Symbols, to: int, table: int, at: int, acting: int, version: int) -> None:
    size, extent, extras, rows = r.form.runs[table]
    place = s[at]
    if extent < 0:
        size = arg(s, acting)
    elif extent > 0:
        demand(r, place, extent)
        own = next(row for row in rows if row[7] and row[7][0] == "extent")
        size = number_at(r, place + own[0], own[7][1])
        if size < extent:
            fail("bad-value", place + own[0])
    demand(r, place, size, (table, arg(s, version)))
    pay(r, size, place)
    pay_extra(r, _extra_within(extras, size), place)
    s[to] = size


def _extra_within(extras: Any, extent: int) -> int:
    return next((total for end, total in reversed(extras) if end <= extent), 0)


def _head(r: Any, s: Symbols, binds: Any, table: int, at: int, root: int) -> None:
    found = head(r, table, s[at], arg(s, root))
    for symbol, one in zip(binds, [*found, s[at] + r.form.runs[table][0]]):
        s[symbol] = one


def _counted(r: Any, s: Symbols, binds: Any, table: int, at: int, root: int, encoding: Any) -> None:
    found = head(r, table, s[at], arg(s, root))
    start = s[at] + r.form.runs[table][0]
    length = found[-1] if found else 0
    if length > r.end - start:
        fail("bad-count", s[at])
    pay(r, length, start)
    s[binds[0]] = _octets(r, start, start + length, encoding)
    s[binds[1]] = start + length


def _octets(r: Any, start: int, stop: int, encoding: Any) -> Any:
    octets = r.data[start:stop]
    if r.form.strict_text and encoding == "utf8":
        try:
            return octets.decode()
        except UnicodeDecodeError:
            fail("bad-text", start)
    return text_of(octets, encoding)


def _chars(r: Any, at: int, width: int, encoding: str) -> Any:
    stop = r.data.find(0, at, at + width)
    return _octets(r, at, at + width if stop < 0 else stop, encoding)


def _is_plain(row: Any) -> bool:
    return row[5] and row[7] is not None and row[7][0] != "rows"


def read_row(r: Any, base: int, row: Any, extent: int, version: int) -> Any:
    """The value of a row of a run at ``base``, of which so many bytes and versions are there; or what stands for it."""
    if row[3] > extent or row[2] > version:
        return None if row[6] is None else r.schema.literal(r.form.literals[row[6]])
    holds = row[7]
    try:
        if holds[0] == "nest":
            members = [read_row(r, base, one, extent, version) for one in holds[2] if _is_plain(one)]
            return r.schema.classes[holds[1]](*members)
        return _cell(r, base + row[0], holds)
    except CodecError as error:
        raise error.within(row[4])


def _cell(r: Any, at: int, holds: Any) -> Any:
    kind = holds[0]
    if kind == "scalar":
        return r.form.scalar(holds[1]).read(r.data, at)
    if kind == "chars":
        return _chars(r, at, holds[1], holds[2])
    if kind == "row":
        return scalars(r, at, holds[1], holds[2], holds[3])
    if kind == "literal":
        return r.schema.literal(r.form.literals[holds[1]])
    if kind == "nest":
        members = [read_row(r, at, one, ALL, ALL) for one in holds[2] if _is_plain(one)]
        return r.schema.classes[holds[1]](*members)
    items: list[Any] = []
    try:
        for _ in range(holds[1]):
            items.append(_cell(r, at + len(items) * holds[2], holds[3]))
    except CodecError as error:
        raise error.within(len(items))
    return r.schema.collection(r.form.lists[holds[4]], items)


def scalars(r: Any, at: int, count: int, scalar: Any, of: int, stride: int = 0) -> Any:
    """Scalars side by side, or at a stride."""
    own = r.form.scalar(scalar)
    read, data, step = own.read, r.data, stride or own.width
    return r.schema.collection(r.form.lists[of], [read(data, at + i * step) for i in range(count)])


def _fields(r: Any, s: Symbols, binds: Any, table: int, at: int, extent: int, version: int) -> None:
    base, there, newest = s[at], arg(s, extent), arg(s, version)
    rows = (row for row in r.form.runs[table][3] if _is_plain(row))
    for symbol, row in zip(binds, rows):
        s[symbol] = read_row(r, base, row, there, newest)


def _scalars(r: Any, s: Symbols, binds: Any, at: int, count: int, scalar: Any, of: int) -> None:
    number = arg(s, count)
    size = number * r.form.scalar(scalar).width
    pay(r, size, s[at])
    s[binds[0]] = scalars(r, s[at], number, scalar, of)
    s[binds[1]] = s[at] + size


def _decimal(r: Any, s: Symbols, to: int, base: int, plus: int) -> None:
    s[to] = decimal_at(r.data, s[base] + plus)
    if s[to] is None:
        fail("bad-value", s[base] + plus)


def _load(r: Any, s: Symbols, to: int, base: int, plus: int, width: int) -> None:
    s[to] = number_at(r, s[base] + plus, width)


def _need(r: Any, s: Symbols, to: int, at: int, size: int, cut: Any) -> None:
    s[to] = arg(s, size)
    if cut is not None and len(cut) == 2:
        cut = (cut[0], arg(s, cut[1]))
    demand(r, s[at], s[to], cut)


def _least(r: Any, s: Symbols, to: int, size: int, least: int, base: int, plus: int) -> None:
    s[to] = arg(s, size)
    if s[to] < least:
        fail("bad-value", s[base] + plus)


def _expect(r: Any, s: Symbols, have: int, want: int, base: int, plus: int, root: int) -> None:
    if arg(s, have) != want:
        fail("unknown-message" if arg(s, root) else "bad-value", s[base] + plus)


def _fit(r: Any, s: Symbols, to: int, count: int, least: int, at: int, blame: int) -> None:
    s[to] = arg(s, count)
    if s[to] * arg(s, least) > r.end - s[at]:
        fail("bad-count", s[blame])


def _follow(r: Any, s: Symbols, to: int, base: int, offset: int, place: int, plus: int) -> None:
    distance = arg(s, offset)
    s[to] = s[base] + distance
    if distance == 0 or s[to] > r.end:
        fail("bad-pointer", s[place] + plus)


def _root(r: Any, s: Symbols, to: int, offset: int, start: int) -> None:
    s[to] = s[start] + arg(s, offset)
    if s[to] > r.end:
        fail("bad-pointer", s[start])


def _bound(r: Any, s: Symbols, size: int, least: int, base: int, plus: int) -> None:
    length = arg(s, size)
    if length > r.end - r.start:
        fail("truncated", s[base] + plus)
    if length < least:
        fail("bad-value", s[base] + plus)
    r.end = r.start + length


def _same(r: Any, s: Symbols, size: int, end: int, base: int, plus: int) -> None:
    if arg(s, size) != s[end] - r.start:
        fail("bad-value", s[base] + plus)


def _lack(r: Any, s: Symbols, to: int, lacks: int, size: int, pointers: int, version: int) -> None:
    rows = r.form.lacks[lacks]
    there = (arg(s, size), arg(s, pointers), arg(s, version))
    s[to] = sum(cost for all_, have in zip(rows, there) for end, cost in all_ if end > have)


def _refuse(r: Any, s: Symbols, base: int, plus: int) -> None:
    fail("bad-value", s[base] + plus)


def _unpaid(r: Any, s: Symbols, begin: int, at: int, amount: int) -> None:
    if s[begin] == s[at]:
        pay(r, amount, s[at])


def _setter(made: Operation) -> Callable[..., None]:
    """An operation that binds one symbol and does nothing else."""
    give: Callable[..., Any] = made

    def operate(r: Any, s: Symbols, to: int, *given: Any) -> None:
        s[to] = give(r, s, *given)

    return operate


def _add(r: Any, s: Symbols, base: int, plus: int, size: int) -> Any:
    return s[base] + plus + arg(s, size)


def _behind(r: Any, s: Symbols, at: int, count: int, each: int) -> Any:
    return s[at] + arg(s, count) * each


def _element(r: Any, s: Symbols, base: int, plus: int, index: int, stride: int) -> Any:
    return s[base] + plus + s[index] * stride


def _present(r: Any, s: Symbols, since: int, reach: int, extent: int, version: int) -> bool:
    return bool(arg(s, version) >= since and arg(s, extent) >= reach)


def _make(r: Any, s: Symbols, record: int, fields: Any) -> Any:
    return r.schema.classes[record](*[s[field] for field in fields])


def _arm(r: Any, s: Symbols, union: int, tag: int, value: int) -> Any:
    return r.schema.arm(union, arg(s, tag), s[value])


def _row(r: Any, s: Symbols, base: int, plus: int, count: int, scalar: Any, of: int) -> Any:
    return scalars(r, s[base] + plus, arg(s, count), scalar, of)


def _aim(r: Any, s: Symbols, to: int, at: int, segment: int) -> None:
    s[to] = segments.aim(r, s[at], arg(s, segment))
    pay(r, s[to].pads * 8, s[at])


def _sections(r: Any, s: Symbols, binds: Any, aim: int, at: int) -> None:
    found = s[aim]
    if found.kind != segments.RECORD:
        fail("bad-value", s[at])
    if r.depth == 0:
        fail("too-deep", s[at])
    size = (found.data + found.pointers) * 8
    data = segments.body(r, found, s[at], size)
    pay(r, size, s[at])
    behind = data + found.data * 8
    for symbol, one in zip(binds, (found.segment, data, found.data * 8, behind, found.pointers * 8)):
        s[symbol] = one


def _blob(r: Any, s: Symbols, to: int, aim: int, at: int, text: bool) -> None:
    found = s[aim]
    if found.kind != segments.LIST or found.code != 2:
        fail("bad-value", s[at])
    size = segments.list_size(found)
    start = segments.body(r, found, s[at], size)
    pay(r, size, s[at])
    stop = start + found.length - text
    if text and (found.length == 0 or r.data[stop] != 0):
        fail("bad-value", s[at])
    s[to] = _octets(r, start, stop, "utf8" if text else None)


def _is_list(r: Any, s: Symbols, aim: int, at: int) -> None:
    if s[aim].kind != segments.LIST:
        fail("bad-value", s[at])


def _list(r: Any, s: Symbols, binds: Any, aim: int, at: int) -> None:
    for symbol, one in zip(binds, (s[aim].segment, *segments.listed(r, s[aim], s[at], pay))):
        s[symbol] = one


def _seat(r: Any, s: Symbols, data: int, pointers: int, first: int, stride: int, size: int, index: int) -> None:
    s[data] = s[first] + s[index] * s[stride] // 8
    s[pointers] = s[data] + s[size]


def _bits(r: Any, s: Symbols, at: int, count: int, of: int) -> Any:
    data, start = r.data, s[at]
    return [data[start + (i >> 3)] >> (i & 7) & 1 == 1 for i in range(arg(s, count))]


def _strided(r: Any, s: Symbols, first: int, count: int, stride: int, scalar: Any, of: int) -> Any:
    return scalars(r, s[first], s[count], scalar, of, s[stride] // 8)


OPERATIONS: dict[str, Operation] = {
    "load": _load,
    "add": _setter(_add),
    "behind": _setter(_behind),
    "element": _setter(_element),
    "equal": _setter(lambda r, s, a, b: arg(s, a) == arg(s, b)),
    "at_least": _setter(lambda r, s, a, b: arg(s, a) >= arg(s, b)),
    "present": _setter(_present),
    "lack": _lack,
    "end": _setter(lambda r, s: r.end),
    "need": _need,
    "least": _least,
    "expect": _expect,
    "fit": _fit,
    "follow": _follow,
    "root": _root,
    "bound": _bound,
    "same": _same,
    "refuse": _refuse,
    "charge": lambda r, s, times, each, at: pay(r, arg(s, times) * arg(s, each), s[at]),
    "extra": lambda r, s, times, each, at: pay_extra(r, arg(s, times) * arg(s, each), s[at]),
    "extra_within": lambda r, s, table, extent, at: pay_extra(
        r, _extra_within(r.form.runs[table][2], arg(s, extent)), s[at]
    ),
    "unpaid": _unpaid,
    "scalar": _setter(lambda r, s, base, plus, scalar: r.form.scalar(scalar).read(r.data, s[base] + plus)),
    "decimal": _decimal,
    "chars": _setter(lambda r, s, base, plus, width, encoding: _chars(r, s[base] + plus, width, encoding)),
    "bytes": _setter(lambda r, s, at, size, encoding: _octets(r, s[at], s[at] + arg(s, size), encoding)),
    "literal": _setter(lambda r, s, literal: r.schema.literal(r.form.literals[literal])),
    "make": _setter(_make),
    "arm": _setter(_arm),
    "extent": _extent,
    "head": _head,
    "counted": _counted,
    "fields": _fields,
    "row": _setter(_row),
    "scalars": _scalars,
    "open": _setter(lambda r, s: segments.open_all(r, r.form.container[0])),
    "aim": _aim,
    "is_nowhere": _setter(lambda r, s, aim: s[aim].kind == segments.NULL),
    "sections": _sections,
    "blob": _blob,
    "is_list": _is_list,
    "list": _list,
    "seat": _seat,
    "eighths": _setter(lambda r, s, count: (arg(s, count) + 7) // 8),
    "short": _setter(lambda r, s, bits: segments.short(arg(s, bits))),
    "bits": _setter(_bits),
    "strided": _setter(_strided),
    "keep": _setter(lambda r, s, at, segment: keep(r, s[at], arg(s, segment))),
}
