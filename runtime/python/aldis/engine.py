"""Schemas at run time: messages as dicts and as tables, without generated code. It takes the wheel, which has the compiler's engine in it."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Any, Literal, Union

from .faults import CodecError
from .form import Buffer, as_bytes
from .rows import AllRows, Rows

try:
    from . import _native
    from ._native import Table
except ImportError as error:
    raise ImportError("this aldis is the pure one, which has no engine: install the wheel that `make wheel` builds") from error

Path = Union[str, "PathLike[str]"]
Framing = Literal["u16le", "u16be", "u32le", "u32be"]

_WIDTHS: dict[str | None, int] = {None: 0, "u16le": 2, "u16be": -2, "u32le": 4, "u32be": -4}


def codec_error(code: str, offset: int | None, path: str, detail: str) -> CodecError:
    """The exception of a fault of the engine's, whose path is text."""
    steps = re.findall(r"\[(\d+)\]|([^.\[\]]+)", path)
    return CodecError(code, offset, tuple(int(index) if index else str(name) for index, name in steps), detail)


@dataclass
class _Wishes:
    framing: int
    message: str | None
    messages: list[str] | None
    columns: list[str] | None
    skip: bool
    more: bool
    groups: bool
    numbers: bool
    integers: bool
    times: bool
    decimals: int | None
    begin: int = 0
    """The place of the first byte in its file."""
    first: int = 0
    """The number of the first message."""


class Tables(dict[str, Table]):
    """Tables by the names of their messages; those of groups have the group's name behind it. Of a damaged input they have the rows before
    the damage, and ``fault`` says what it is; ``skipped`` is how many messages were left out."""

    fault: CodecError | None = None
    skipped: int = 0


class Schema:
    """The messages of a schema in one of its wire forms. Their values are those of their JSON, as ``aldis decode`` writes it."""

    def __init__(self, native: _native.Schema) -> None:
        self._native = native
        self.form = native.form()
        self.forms = tuple(native.forms())
        self.messages = tuple(native.messages())

    def __repr__(self) -> str:
        return f"<Schema in form {self.form}: {', '.join(self.messages)}>"

    def decode(self, data: Buffer, message: str | None = None) -> Any:
        """The value of the message that the bytes begin with: the one of that name, or whichever their id means. Raises CodecError."""
        return self.decode_from(data, 0, message)[1]

    def decode_from(self, data: Buffer, at: int = 0, message: str | None = None) -> tuple[str, Any, int]:
        """The name of the message that begins at ``at``, its value, and where it ends. Faults are counted from there."""
        octets = as_bytes(data)
        if not 0 <= at <= len(octets):
            raise IndexError("the message begins outside of the bytes")
        name, text, size = self._native.to_json(octets[at:], message)
        return name, json.loads(text), at + size

    def encode(self, message: str, value: Any) -> bytes:
        """The bytes of a message. Raises CodecError, whose offset is in the value's JSON."""
        return self._native.encode(message, json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass"))

    def explain(self, data: Buffer, message: str | None = None) -> str:
        """A line for each stretch of the message's bytes, whatever is wrong with them."""
        return self._native.explain(as_bytes(data), message)

    def tables(
        self,
        source: Path | bytes | bytearray | memoryview,
        framing: Framing | None = None,
        *,
        message: str | None = None,
        messages: Iterable[str] | None = None,
        columns: Iterable[str] | None = None,
        errors: Literal["raise", "stop", "skip"] = "raise",
        groups: Literal["lists", "tables"] = "lists",
        enums: Literal["names", "numbers"] = "names",
        sets: Literal["lists", "integers"] = "lists",
        times: bool = True,
        decimals: int | None = None,
    ) -> Tables:
        """The messages of a file, or of bytes, as tables that pyarrow, polars and duckdb take as they are: ``pyarrow.table(t)``.

        ``framing`` is the length before each message; without one, messages lie side by side. ``message`` is what all bytes are, and
        ``messages`` are those that are wanted. ``columns`` are the names of the columns that are, as a table of all columns has them: those of
        fields and groups of messages, and ``_message``, ``_offset`` and ``_header``, and ``value`` of a message that is one decimal; others
        are not read, only checked, and messages that have none of them are passed over. With ``message``, its columns alone count.
        Damage raises CodecError, with its offset in the source; with ``errors="stop"`` the tables have what comes before it, and with
        ``errors="skip"`` what is around it, which takes a framing."""
        wishes = _wishes(framing, message, messages, columns, errors, groups, enums, sets, times, decimals)
        return self._piece(_octets(source), wishes, errors)[0]

    def rows(
        self,
        source: Path | bytes | bytearray | memoryview,
        framing: Framing | None = None,
        *,
        message: str | None = None,
        messages: Iterable[str] | None = None,
        errors: Literal["raise", "stop", "skip"] = "raise",
    ) -> AllRows:
        """The fixed parts of messages, and of the lists of records in them, side by side as they lie on the wire: ``rows["market.Trade"]``
        has an array of NumPy over them. What has no fixed place, as text of any length, is left out. The other choices are those of
        ``tables``, and so are the messages that are refused. Forms of Cap'n Proto have no rows."""
        wishes = _wishes(framing, message, messages, None, errors, "tables", "numbers", "integers", False, None)
        found, skipped, fault = _native.rows(self._native, _octets(source), wishes)
        if fault is not None and errors == "raise":
            raise fault
        rows = AllRows((name, Rows(name, native)) for name, native in found.items())
        rows.fault, rows.skipped = fault, skipped
        return rows

    def batches(
        self,
        path: Path,
        framing: Framing,
        *,
        begin: int = 0,
        end: int | None = None,
        size: int = 8 << 20,
        message: str | None = None,
        messages: Iterable[str] | None = None,
        columns: Iterable[str] | None = None,
        errors: Literal["raise", "stop", "skip"] = "raise",
        groups: Literal["lists", "tables"] = "lists",
        enums: Literal["names", "numbers"] = "names",
        sets: Literal["lists", "integers"] = "lists",
        times: bool = True,
        decimals: int | None = None,
    ) -> Iterator[Tables]:
        """The tables of a file of any length, of about ``size`` of its bytes at a time, so that memory stays as it is. A frame begins at byte
        ``begin``, and one ends at ``end``: ``cuts`` says where. Rows of groups count anew each time, messages through the whole part."""
        wishes = _wishes(framing, message, messages, columns, errors, groups, enums, sets, times, decimals)
        with open(fspath(path), "rb") as file:
            file.seek(begin)
            left = (os.fstat(file.fileno()).st_size if end is None else end) - begin
            kept = b""
            wanted = size
            while left > 0:
                read = file.read(min(wanted, left))
                left -= len(read)
                wishes.more = left > 0 and read != b""
                piece = kept + read
                wishes.begin = begin
                tables, used = self._piece(piece, wishes, errors)
                yield tables
                if tables.fault is not None or not wishes.more:
                    return
                kept = piece[used:]
                begin += used
                # A frame that is longer than a piece.
                wanted = 2 * len(piece) if used == 0 else size

    def empty(
        self,
        messages: Iterable[str] | None = None,
        *,
        columns: Iterable[str] | None = None,
        groups: Literal["lists", "tables"] = "lists",
        enums: Literal["names", "numbers"] = "names",
        sets: Literal["lists", "integers"] = "lists",
        times: bool = True,
        decimals: int | None = None,
    ) -> Tables:
        """The tables of messages without rows, which have the columns that others will have."""
        return Tables(_native.empty(self._native, _wishes(None, None, messages, columns, "raise", groups, enums, sets, times, decimals)))

    def _piece(self, octets: bytes, wishes: _Wishes, errors: str) -> tuple[Tables, int]:
        """The tables of bytes, and how many of them were used."""
        found, skipped, fault, used, count = _native.tables(self._native, octets, wishes)
        wishes.first += count
        if fault is not None and fault.offset is not None:
            fault.offset += wishes.begin
        if fault is not None and errors == "raise":
            raise fault
        tables = Tables(found)
        tables.fault, tables.skipped = fault, skipped
        return tables, used


def _octets(source: Path | bytes | bytearray | memoryview) -> bytes:
    if isinstance(source, (bytes, bytearray, memoryview)):
        return as_bytes(source)
    with open(fspath(source), "rb") as file:
        return file.read()


def _wishes(
    framing: str | None,
    message: str | None,
    messages: Iterable[str] | None,
    columns: Iterable[str] | None,
    errors: str,
    groups: str,
    enums: str,
    sets: str,
    times: bool,
    decimals: int | None,
) -> _Wishes:
    if framing not in _WIDTHS:
        raise ValueError(f"there is no framing {framing!r} for tables: there are u16le, u16be, u32le, u32be, and None")
    if errors not in ("raise", "stop", "skip") or (errors == "skip" and framing is None):
        raise ValueError('errors is "raise", "stop", or with a framing "skip"')
    if isinstance(columns, str):
        raise TypeError("columns are names, not one")
    wanted = None if messages is None else list(messages)
    chosen = None if columns is None else list(columns)
    forms = groups == "tables", enums == "numbers", sets == "integers"
    return _Wishes(_WIDTHS[framing], message, wanted, chosen, errors == "skip", False, *forms, times, decimals)


def cuts(path: Path, framing: Framing, size: int) -> list[int]:
    """An index of a file of frames: where those begin that begin parts of about ``size`` bytes, and the file's end."""
    if _WIDTHS.get(framing, 0) == 0:
        raise ValueError(f"there is no framing {framing!r} for an index: there are u16le, u16be, u32le, u32be")
    return _native.cuts(fspath(path), _WIDTHS[framing], size)


def load(path: Path, form: str | None = None, *, imports: Iterable[Path] = (), strict_text: bool = False) -> Schema:
    """The schema at a path, in a wire form or its main one; what it imports is looked for beside it, and in ``imports``. Raises ValueError
    with all that is wrong with the schema."""
    return Schema(_native.Schema(fspath(path), form, [fspath(folder) for folder in imports], strict_text))
