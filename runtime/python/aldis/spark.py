"""Framed files as a data frame of Spark: each task decodes its own range of frames, on whichever worker it lands.

It takes the wheel, pyspark, pandas and pyarrow, on the workers too; files and the schema lie where all workers see them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from glob import glob as found
from importlib import import_module
from os import fspath
from os.path import abspath
from typing import Any, Literal

from .engine import Framing, Path, Schema, cuts, load

_WIDER = {"uint8": "int16", "uint16": "int32", "uint32": "int64"}


def read(
    spark: Any,
    glob: str,
    schema: Path,
    framing: Framing,
    *,
    message: str,
    form: str | None = None,
    imports: Iterable[Path] = (),
    errors: Literal["raise", "skip"] = "raise",
    part: int = 64 << 20,
    times: bool = True,
    decimals: int | None = None,
) -> Any:
    """A data frame of Spark of the rows of one message in all files of a pattern; groups are arrays. A task takes about ``part`` bytes of a file. Numbers without a sign are wider in Spark, enums are names, and times are of microseconds;
    with ``times=False`` they are integers. Damage ends the job with where and what it is, or its messages are left out."""
    pyarrow = import_module("pyarrow")
    paths = sorted(abspath(path) for path in found(glob))
    if not paths:
        raise FileNotFoundError(f"no file is {glob}")
    known = abspath(fspath(schema)), form, tuple(abspath(fspath(folder)) for folder in imports)
    options: dict[str, Any] = {"times": times, "decimals": decimals}
    engine = _loaded(*known)
    names = [name for name in engine.messages if name == message or name.endswith(f".{message}")]
    if not names:
        raise KeyError(f"the schema has no message {message}")
    name = names[0]
    wanted = _fields(pyarrow.table(engine.empty([name], **options)[name]).schema)
    parts = [(path, begin, end) for path in paths for begin, end in _ranges(path, framing, part)]

    def decoded(batches: Iterator[Any]) -> Iterator[Any]:
        own = _loaded(*known)
        for batch in batches:
            for one in batch.to_pylist():
                yield from _batches(own, one, framing, name, wanted, {**options, "errors": errors})

    from_arrow_schema = import_module("pyspark.sql.pandas.types").from_arrow_schema
    frame = spark.createDataFrame(parts or [(paths[0], 0, 0)], "path string, begin long, end long")
    return frame.repartitionByRange(max(1, len(parts)), "path", "begin").mapInArrow(decoded, from_arrow_schema(wanted))


@lru_cache(8)
def _loaded(schema: str, form: str | None, imports: tuple[str, ...]) -> Schema:
    return load(schema, form, imports=imports)


def _ranges(path: str, framing: Framing, part: int) -> Iterator[tuple[int, int]]:
    places = cuts(path, framing, part)
    return zip(places, places[1:])


def _batches(
    engine: Schema, one: dict[str, Any], framing: Framing, name: str, wanted: Any, options: dict[str, Any]
) -> Iterator[Any]:
    """The batches of one part of a file, as Spark has them."""
    pyarrow = import_module("pyarrow")
    begin, end = one["begin"], one["end"]
    for tables in engine.batches(one["path"], framing, begin=begin, end=end, messages=[name], **options):
        if name in tables:
            table = pyarrow.table(tables[name]).select(wanted.names)
            yield from table.cast(wanted, safe=False).to_batches(max_chunksize=1 << 16)


def _fields(schema: Any) -> Any:
    """The columns of a table, each of a type that Spark has."""
    pyarrow = import_module("pyarrow")
    return pyarrow.schema([(field.name, _kind(field.type)) for field in schema])


def _kind(kind: Any) -> Any:
    pyarrow = import_module("pyarrow")
    types = pyarrow.types
    if str(kind) == "uint64":
        return pyarrow.decimal128(20, 0)
    if str(kind) in _WIDER:
        return pyarrow.type_for_alias(_WIDER[str(kind)])
    if types.is_dictionary(kind):
        return _kind(kind.value_type)
    if types.is_timestamp(kind):
        return pyarrow.timestamp("us", kind.tz)
    if types.is_struct(kind):
        return pyarrow.struct([(field.name, _kind(field.type)) for field in kind.fields])
    if types.is_list(kind) or types.is_large_list(kind):
        return pyarrow.list_(_kind(kind.value_type))
    if types.is_map(kind):
        return pyarrow.map_(_kind(kind.key_type), _kind(kind.item_type))
    if types.is_fixed_size_binary(kind) or isinstance(kind, pyarrow.BaseExtensionType):
        return pyarrow.binary()
    return kind
