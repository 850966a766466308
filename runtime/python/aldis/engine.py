"""Schemas at run time: messages as dicts and as tables, without generated code. It takes the wheel, which has the compiler's engine in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Any, Literal, Union

from .faults import CodecError
from .form import Buffer, as_bytes

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
    skip: bool
    groups: bool
    numbers: bool
    integers: bool
    times: bool
    decimals: int | None


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
        errors: Literal["raise", "stop", "skip"] = "raise",
        groups: Literal["lists", "tables"] = "lists",
        enums: Literal["names", "numbers"] = "names",
        sets: Literal["lists", "integers"] = "lists",
        times: bool = True,
        decimals: int | None = None,
    ) -> Tables:
        """The messages of a file, or of bytes, as tables that pyarrow, polars and duckdb take as they are: ``pyarrow.table(t)``.

        ``framing`` is the length before each message; without one, messages lie side by side. ``message`` is what all bytes are, and
        ``messages`` are those that are wanted. Damage raises CodecError, with its offset in the source; with ``errors="stop"`` the
        tables have what comes before it, and with ``errors="skip"`` what is around it, which takes a framing."""
        if framing not in _WIDTHS:
            raise ValueError(f"there is no framing {framing!r} for tables: there are u16le, u16be, u32le, u32be, and None")
        if errors not in ("raise", "stop", "skip") or (errors == "skip" and framing is None):
            raise ValueError('errors is "raise", "stop", or with a framing "skip"')
        if isinstance(source, (bytes, bytearray, memoryview)):
            octets = as_bytes(source)
        else:
            with open(fspath(source), "rb") as file:
                octets = file.read()
        wanted = None if messages is None else list(messages)
        wishes = _Wishes(
            _WIDTHS[framing],
            message,
            wanted,
            errors == "skip",
            groups == "tables",
            enums == "numbers",
            sets == "integers",
            times,
            decimals,
        )
        found, skipped, fault = _native.tables(self._native, octets, wishes)
        if fault is not None and errors == "raise":
            raise fault
        tables = Tables(found)
        tables.fault, tables.skipped = fault, skipped
        return tables


def load(path: Path, form: str | None = None, *, imports: Iterable[Path] = (), strict_text: bool = False) -> Schema:
    """The schema at a path, in a wire form or its main one; what it imports is looked for beside it, and in ``imports``. Raises ValueError
    with all that is wrong with the schema."""
    return Schema(_native.Schema(fspath(path), form, [fspath(folder) for folder in imports], strict_text))
