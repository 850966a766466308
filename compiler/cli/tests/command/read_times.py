"""Compares times of Parquet and Arrow, as pyarrow and DuckDB read them, with the integers that `aldis decode` says."""
import calendar
import json
import sys
import time

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

# For each column of times its unit, by the schema, and what DuckDB calls its type.
UNITS = {"nanos": "ns", "micros": "us", "millis": "ms", "seconds": "s", "maybe": "ns", "_time": "ns"}
DUCKDB = {"ns": ("TIMESTAMPTZ_NS", "epoch_ns"), "us": ("TIMESTAMP WITH TIME ZONE", "epoch_us"), "ms": ("TIMESTAMP WITH TIME ZONE", "epoch_ms")}
SECONDS = {"parquet": ("ms", 1000), "arrow": ("s", 1)}


def nanoseconds(text):
    """
    >>> nanoseconds("1970-01-01T00:00:01.500000000Z")
    1500000000
    """
    whole, fraction = text.rstrip("Z").split(".")
    return calendar.timegm(time.strptime(whole, "%Y-%m-%dT%H:%M:%S")) * 10**9 + int(fraction)


def wanted(lines, name):
    if name == "_time":
        return [nanoseconds(line["packet"]["time"]) for line in lines]
    return [line["value"][name] for line in lines]


def stored(name, values, of):
    """The unit of a column in a file, and its integers there."""
    unit, factor = SECONDS[of] if name == "seconds" else (UNITS[name], 1)
    return unit, [value if value is None else value * factor for value in values]


def by_arrow(table, lines, of):
    def same(column, name, values):
        unit, values = stored(name, values, of)
        assert column.type == pa.timestamp(unit, tz="UTC"), (of, name, column.type)
        assert column.cast(pa.int64()).to_pylist() == values, (of, name, column)

    for name in UNITS:
        same(table[name], name, wanted(lines, name))
    legs = table["legs"].combine_chunks()
    for name in ("micros", "seconds"):
        same(legs.values.field(name), name, [leg[name] for line in lines for leg in line["value"]["legs"]])
    assert table["date"].type == pa.date32(), table["date"].type
    assert table["date"].cast(pa.int32()).to_pylist() == wanted(lines, "date")


def by_duckdb(path, lines):
    relation = duckdb.sql(f"select *, unnest(legs, recursive := true) from '{path}'")
    assert dict(zip(relation.columns, map(str, relation.types)))["date"] == "DATE"
    legs = [leg for line in lines for leg in line["value"]["legs"]]
    for name in UNITS:
        same_by_duckdb(f"select {name} as moment from '{path}' order by _message", name, wanted(lines, name))
    for name in ("micros", "seconds"):
        query = f"select leg.{name} as moment from (select unnest(legs) as leg from '{path}')"
        same_by_duckdb(query, name, [leg[name] for leg in legs])


def same_by_duckdb(query, name, values):
    unit, values = stored(name, values, "parquet")
    kind, number = DUCKDB[unit]
    rows = duckdb.sql(f"select typeof(moment), {number}(moment) from ({query})").fetchall()
    assert rows == [(kind, value) for value in values], (name, rows, values)


def main():
    folder = sys.argv[1]
    with open(f"{folder}/ticks.jsonl", encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    path = f"{folder}/tables/clock.Tick.parquet"
    by_arrow(pq.read_table(path), lines, "parquet")
    with pa.OSFile(f"{folder}/tables/clock.Tick.arrow") as file:
        by_arrow(pa.ipc.open_file(file).read_all(), lines, "arrow")
    by_duckdb(path, lines)
    print(f"{len(lines)} rows agree")


main()
