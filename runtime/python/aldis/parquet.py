"""The messages of a file of frames as files of Parquet, one a table, by pyarrow. A piece of the file is in memory at a time. It takes the wheel
and pyarrow."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from os import fspath
from os.path import join
from typing import Any, Literal

from .engine import Framing, Path, Schema, Tables
from .faults import CodecError


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
    """Writes ``market.Trade.parquet`` and so on into the folder, which is there. The choices are those of ``Schema.batches``; rows and
    parents of groups count through the whole file."""
    written = Written()
    files = _Files(fspath(folder), compression, written, groups == "tables")
    wishes: dict[str, Any] = {"groups": groups, "enums": enums, "sets": sets, "times": times, "decimals": decimals}
    try:
        for tables in schema.batches(path, framing, size=size, message=message, messages=messages, errors=errors, **wishes):
            files.add(tables)
            written.skipped += tables.skipped
            written.fault = tables.fault
    finally:
        files.close()
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
                path = join(self._folder, f"{name}.parquet")
                self._open[name] = self._parquet.ParquetWriter(path, table.schema, compression=self._compression)
            self._open[name].write_table(table)
            self._written[name] = before.get(name, 0) + table.num_rows

    def _counted(self, table: Any, name: str, first: int) -> Any:
        """The table, whose numbers of that name begin at ``first``."""
        place = table.schema.get_field_index(name)
        if place < 0 or first == 0:
            return table
        add = import_module("pyarrow.compute").add
        return table.set_column(place, table.schema.field(place), add(table.column(place), self._pyarrow.scalar(first, "uint64")))

    def close(self) -> None:
        for file in self._open.values():
            file.close()


def _parent(name: str, tables: Iterable[str]) -> str:
    """The table whose rows have those of another in lists: the one with the longest name that the other's begins with."""
    return max((own for own in tables if name.startswith(f"{own}.")), key=len, default="")
