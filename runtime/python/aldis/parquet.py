"""The messages of a file of frames as files of Parquet, one a table, by pyarrow. A piece of the file is in memory at a time. It takes the wheel
and pyarrow."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from importlib import import_module
from os import fspath, remove, replace
from os.path import join
from typing import Any, Literal

from .engine import Framing, Path, Schema, Tables
from .faults import CodecError


#: Behind the name of a file that is not whole yet.
PART = ".part"


class Written(dict[str, int]):
    """How many rows the file of each table has. Of a damaged input they are those before the damage, and ``fault`` says what it is;
    ``skipped`` is how many messages were left out."""

    fault: CodecError | None = None
    skipped: int = 0


def write(
    schema: Schema,
    path: Path,
    framing: Framing,
    folder: Path,
    *,
    message: str | None = None,
    messages: Iterable[str] | None = None,
    errors: Literal["raise", "stop", "skip"] = "raise",
    groups: Literal["lists", "tables"] = "lists",
    enums: Literal["names", "numbers"] = "names",
    sets: Literal["lists", "integers"] = "lists",
    times: bool = True,
    decimals: int | None = None,
    compression: str = "zstd",
    size: int = 8 << 20,
) -> Written:
    """Writes ``market.Trade.parquet`` and so on into the folder, which is there: files get their names when all are whole. The choices are those of ``Schema.batches``; rows and
    parents of groups count through the whole file."""
    written = Written()
    wishes: dict[str, Any] = {"groups": groups, "enums": enums, "sets": sets, "times": times, "decimals": decimals}
    with _Files(fspath(folder), compression, written, groups == "tables") as files:
        for tables in schema.batches(path, framing, size=size, message=message, messages=messages, errors=errors, **wishes):
            files.add(tables)
            written.skipped += tables.skipped
            written.fault = tables.fault
    return written


class _Files:
    """The files under way."""

    def __init__(self, folder: str, compression: str, written: Written, is_split: bool) -> None:
        self._folder, self._compression, self._written, self._is_split = folder, compression, written, is_split
        self._open: dict[str, Any] = {}
        self._pyarrow, self._parquet = import_module("pyarrow"), import_module("pyarrow.parquet")

    def add(self, tables: Tables) -> None:
        """Adds the tables of a piece, whose rows count from 0."""
        before = dict(self._written)
        for name, native in tables.items():
            table = self._pyarrow.table(native)
            if self._is_split:
                table = self._counted(table, "_row", before.get(name, 0))
                table = self._counted(table, "_parent", before.get(_parent(name, tables), 0))
            if name not in self._open:
                self._open[name] = self._parquet.ParquetWriter(self._path(name) + PART, table.schema, compression=self._compression)
            self._open[name].write_table(table)
            self._written[name] = before.get(name, 0) + table.num_rows

    def _counted(self, table: Any, name: str, first: int) -> Any:
        """The table, whose numbers of that name begin at ``first``."""
        place = table.schema.get_field_index(name)
        if place < 0 or first == 0:
            return table
        add = import_module("pyarrow.compute").add
        return table.set_column(place, table.schema.field(place), add(table.column(place), self._pyarrow.scalar(first, "uint64")))

    def _path(self, name: str) -> str:
        return join(self._folder, f"{name}.parquet")

    def __enter__(self) -> _Files:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Files get their names when all are whole; where one is not, none of them stays."""
        with ExitStack() as closing:
            for name, file in self._open.items():
                closing.callback(self._end, name, kind is None)
                closing.callback(file.close)

    def _end(self, name: str, is_whole: bool) -> None:
        if is_whole:
            replace(self._path(name) + PART, self._path(name))
        else:
            remove(self._path(name) + PART)


def _parent(name: str, tables: Iterable[str]) -> str:
    """The table whose rows have those of another in lists: the one with the longest name that the other's begins with."""
    return max((own for own in tables if name.startswith(f"{own}.")), key=len, default="")
