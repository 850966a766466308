"""Compares Parquet, as pyarrow and DuckDB read it, and Arrow with the JSON lines of the same rows, value by value."""
import base64
import decimal
import glob
import json
import math
import struct
import sys
import uuid

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq


def same(wanted, found, path):
    """Whether a value of JSON is that of a table."""
    if isinstance(found, float):
        if not math.isfinite(found):
            return wanted is None
        return wanted == found or struct.pack("f", wanted) == struct.pack("f", found)
    if isinstance(found, uuid.UUID):
        return wanted == str(found)
    if isinstance(found, bytes):
        return wanted in (base64.b64encode(found).decode(), len(found) == 16 and str(uuid.UUID(bytes=found)))
    if isinstance(found, decimal.Decimal):
        return decimal.Decimal(wanted) == found
    if isinstance(found, dict) and isinstance(wanted, list):
        # DuckDB tells maps in two ways: the second where keys have parts.
        apart = found.keys() == {"key", "value"} and all(isinstance(side, list) for side in found.values())
        found = list(zip(found["key"], found["value"])) if apart else list(found.items())
    if isinstance(found, dict):
        return found.keys() == wanted.keys() and all(same(wanted[k], v, path + "." + k) for k, v in found.items())
    if isinstance(found, list):
        pairs = [{"key": e[0], "value": e[1]} if isinstance(e, tuple) else e for e in found]
        return len(pairs) == len(wanted) and all(same(w, f, path) for w, f in zip(wanted, pairs))
    return wanted == found


def check(lines, rows, what):
    assert len(lines) == len(rows), (what, len(lines), len(rows))
    for number, (line, row) in enumerate(zip(lines, rows)):
        assert line.keys() == row.keys(), (what, number, line.keys() ^ row.keys())
        for name, wanted in line.items():
            assert same(wanted, row[name], name), (what, number, name, wanted, row[name])


def main():
    tables = 0
    for path in sorted(glob.glob(sys.argv[1] + "/*/*.jsonl")):
        stem = path[: -len("jsonl")]
        with open(path, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file.read().split("\n") if line]
        check(lines, pq.read_table(stem + "parquet").to_pylist(), stem + "parquet")
        with pa.OSFile(stem + "arrow") as file:
            check(lines, pa.ipc.open_file(file).read_all().to_pylist(), stem + "arrow")
        query = duckdb.sql(f"select count(*), sum(_message) from '{stem}parquet'").fetchall()
        assert query == [(len(lines), sum(line["_message"] for line in lines))], (stem, query)
        relation = duckdb.sql(f"select * from '{stem}parquet' order by _message")
        rows = [dict(zip(relation.columns, row)) for row in relation.fetchall()]
        check(lines, rows, stem + "parquet by DuckDB")
        tables += 1
    print(f"{tables} tables agree")
    assert tables > 20, tables


main()
