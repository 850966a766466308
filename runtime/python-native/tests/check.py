"""The engine of an installed wheel: messages as dicts, faults, and tables; with pyarrow and duckdb where they are there."""

import json
import random
import resource
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import aldis
from aldis import engine

root = Path(sys.argv[1])
schema = aldis.load(root / "conformance/schemas/market.xml")
assert "market.Trade" in schema.messages and schema.form == "sbe", schema

# Dicts there and back, through the command too.
trade = {"sequence": 1, "time": 0, "instrument": 7, "price": {"mantissa": 0, "exponent": -8}, "size": 0, "aggressor": 0}
trade |= {"conditions": [], "buyOrder": 0, "sellOrder": 0, "venue": ""}
data = schema.encode("market.Trade", trade)
assert data == schema.encode("Trade", trade)


def command(*words, given=b""):
    said = subprocess.run([sys.executable, "-m", "aldis", *words], input=given, capture_output=True)
    return said.returncode, said.stdout, said.stderr


code, said, errors = command("decode", root / "conformance/schemas/market.xml", given=data)
assert code == 0 and json.loads(said) == {"message": "market.Trade", "value": trade}, errors
assert command("nothing")[0] == 2 and command("check", "none.xml")[0] == 1
assert schema.decode(bytearray(data)) == trade == schema.decode_from(b"##" + data, 2)[1]
assert schema.decode_from(data)[::2] == ("market.Trade", len(data))

# Faults with code, offset and path, as those of generated packages.
for cut in range(len(data)):
    try:
        schema.decode(data[:cut])
        raise SystemExit("no fault")
    except aldis.CodecError as error:
        assert error.code == "truncated" and error.offset is not None and error.offset <= cut, error
try:
    schema.encode("market.Trade", {**trade, "price": {"mantissa": "much"}})
    raise SystemExit("no fault")
except aldis.CodecError as error:
    assert error.code == "bad-json" and error.path == ("price", "mantissa"), error
assert "sequence" in schema.explain(data) and "truncated" in schema.explain(data[:9])
for wrong, kind in [(lambda: schema.encode("Nothing", {}), KeyError), (lambda: aldis.load("none.xml"), OSError), (lambda: aldis.load(root / "README.md"), ValueError)]:
    try:
        wrong()
        raise SystemExit("no fault")
    except kind as error:
        assert str(error), kind

# Damaged bytes are a value or a fault, whatever is damaged.
rng = random.Random(7)
for _ in range(20_000):
    damaged = bytearray(data)
    for _ in range(rng.randrange(1, 4)):
        damaged[rng.randrange(len(damaged))] = rng.randrange(256)
    try:
        schema.decode(damaged)
    except aldis.CodecError as error:
        assert error.code, error

# A stream as tables: two kinds of message, and damage in the middle.
levels = [{"price": trade["price"], "size": size, "orders": []} for size in (3, 4)]
named = {"sequence": 2, "time": 0, "instrument": 7, "symbol": "A"}
book = schema.encode("market.OrderBook", {**named, "volatility": 0.5, "bids": levels, "asks": []})
messages = [schema.encode("market.Trade", {**trade, "sequence": n}) for n in range(1000)] + [book]
framed = b"".join(struct.pack("<I", len(one)) + one for one in messages)
tables = schema.tables(framed, "u32le", groups="tables")
rows = {name: len(table) for name, table in tables.items()}
assert rows["market.Trade"] == 1000 and rows["market.OrderBook"] == 1 and rows["market.OrderBook.bids"] == 2, rows
assert tables.fault is None and "sequence" in tables["market.Trade"].names
assert len(schema.tables(framed, "u32le", messages=["Trade"])) == 1
assert {name: len(table) for name, table in schema.tables(b"".join(messages)).items()} == {"market.Trade": 1000, "market.OrderBook": 1}
# Some columns alone, of the messages that have them; a column that no message has is refused.
some = schema.tables(framed, "u32le", columns=["size", "symbol"])
assert {name: (table.names, len(table)) for name, table in some.items()} == {"market.Trade": (["size"], 1000), "market.OrderBook": (["symbol"], 1)}
some = schema.tables(framed, "u32le", columns=["_offset", "bids", "sequence"], groups="tables")
assert some["market.Trade"].names == ["_row", "_offset", "sequence"], some["market.Trade"].names
assert some["market.OrderBook.bids"].names == tables["market.OrderBook.bids"].names and "market.OrderBook.asks" not in some
# A field that is called as a column before it is asked for by the name that its own column has.
with tempfile.TemporaryDirectory() as folder:
    text = (root / "conformance/schemas/market.xml").read_text().replace('"sequence"', '"_offset"').replace('"venue"', '"_row"')
    Path(folder, "clash.xml").write_text(text)
    clash = aldis.load(Path(folder, "clash.xml"))
for groups, venue, more in [("lists", "_row", []), ("tables", "_row_", ["_row"])]:
    all_names = clash.tables(framed, "u32le", groups=groups)["market.Trade"].names
    assert {"_offset", "_offset_", venue} <= {*all_names}, all_names
    for name in [*all_names]:
        names = clash.tables(framed, "u32le", messages=["Trade"], columns=[name], groups=groups)["market.Trade"].names
        assert names == (more if name in more else [*more, name]), (name, names)
assert schema.empty(["Trade"], columns=["price"])["market.Trade"].names == ["price"]
for wrong, kind in [(["symbol"], KeyError), ("size", TypeError)]:
    try:
        schema.tables(framed, "u32le", messages=["Trade"], columns=wrong)
        raise SystemExit("no fault")
    except kind as error:
        assert str(error), kind
    try:
        schema.tables(messages[0], message="Trade", columns=wrong)
        raise SystemExit("no fault")
    except kind as error:
        assert str(error), kind
each = 4 + len(messages[0])
damaged = framed[: 500 * each + 4] + b"\xff" * 8 + framed[500 * each + 12 :]
try:
    schema.tables(damaged, "u32le")
    raise SystemExit("no fault")
except aldis.CodecError as error:
    assert 500 * each + 4 <= error.offset < 501 * each, error
stopped = schema.tables(damaged, "u32le", errors="stop")
assert len(stopped["market.Trade"]) == 500 and stopped.fault is not None
skipped = schema.tables(damaged, "u32le", errors="skip")
assert len(skipped["market.Trade"]) == 999 and skipped.skipped == 1 and skipped.fault is None
cut = schema.tables(framed[:-1], "u32le", errors="skip")
assert len(cut["market.Trade"]) == 1000 and cut.fault.code == "truncated"

# A file a piece at a time: the same rows, whatever a piece is; frames that are longer than one; damage with its place in the file.
with tempfile.TemporaryDirectory() as folder:
    feed = Path(folder) / "feed"
    feed.write_bytes(framed)
    for size in (7, 1000, 50_000, 1 << 30):
        pieces = list(schema.batches(feed, "u32le", size=size))
        rows = {name: sum(len(piece.get(name, ())) for piece in pieces) for name in ("market.Trade", "market.OrderBook")}
        assert rows == {"market.Trade": 1000, "market.OrderBook": 1} and (len(pieces) > 50) == (size < 1001), (size, rows)
        places = engine.cuts(feed, "u32le", size)
        assert places[0] == 0 and places[-1] == len(framed) and all(place % each == 0 for place in places[:-1]), places
        parts = [part for ends in zip(places, places[1:]) for part in schema.batches(feed, "u32le", begin=ends[0], end=ends[1])]
        assert sum(len(part.get("market.Trade", ())) for part in parts) == 1000
    feed.write_bytes(damaged)
    try:
        list(schema.batches(feed, "u32le", size=1000))
        raise SystemExit("no fault")
    except aldis.CodecError as error:
        assert 500 * each + 4 <= error.offset < 501 * each, error
    assert sum(piece.skipped for piece in schema.batches(feed, "u32le", size=1000, errors="skip")) == 1
    feed.write_bytes(framed[:-1])
    *_, last = schema.batches(feed, "u32le", size=1000, errors="stop")
    assert last.fault.code == "truncated" and last.fault.offset == 1000 * each, last.fault
    # Memory does not grow with the file.
    with open(feed, "wb") as file:
        for _ in range(2000):
            file.write(framed)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert sum(len(piece["market.Trade"]) for piece in schema.batches(feed, "u32le", size=1 << 20)) == 2_000_000
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 60_000, feed.stat().st_size
empty = schema.empty(["Trade"])["market.Trade"]
assert len(empty) == 0 and empty.names == tables["market.Trade"].names[1:]

# Arrow's C stream, by hand: four functions and a place of their own.
import ctypes

capsule = tables["market.Trade"].__arrow_c_stream__()
get = ctypes.pythonapi.PyCapsule_GetPointer
get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
assert get(capsule, b"arrow_array_stream")
del capsule

# Rows, before NumPy sees them: the messages that are wanted, damage as tables have it.
rows = schema.rows(framed, "u32le")
assert {name: len(table) for name, table in rows.items()} == {
    "market.Trade": 1000, "market.OrderBook": 1, "market.OrderBook.bids": 2, "market.OrderBook.asks": 0,
    "market.OrderBook.bids.orders": 0, "market.OrderBook.asks.orders": 0,
}, rows
assert rows["market.Trade"].names[:4] == ("sequence", "time", "instrument", "price.mantissa")
assert list(schema.rows(framed, "u32le", messages=["Trade"])) == ["market.Trade"]
stopped = schema.rows(damaged, "u32le", errors="stop")
assert len(stopped["market.Trade"]) == 500 and stopped.fault.offset // each == 500
skipped = schema.rows(damaged, "u32le", errors="skip")
assert len(skipped["market.Trade"]) == 999 and skipped.skipped == 1
try:
    schema.rows(damaged, "u32le")
    raise SystemExit("no fault")
except aldis.CodecError as error:
    assert error.offset // each == 500
try:
    aldis.load(root / "conformance/schemas/addressbook.capnp").rows(b"")
    raise SystemExit("no fault")
except ValueError as error:
    assert "pointers" in str(error), error

# Another thread counts while the engine works: it does not wait for the end.
import threading


class Counter(threading.Thread):
    def __init__(self):
        super().__init__(daemon=True)
        self.count, self.stopped = 0, False

    def run(self):
        while not self.stopped:
            self.count += 1


counter = Counter()
long = framed * 100
counter.start()
for work in (schema.tables, schema.rows):
    # A machine that is busy may not let the thread go on at once.
    for _ in range(20):
        before = counter.count
        work(long, "u32le")
        # Without the lock it counts many times, else at most for one turn before and one after.
        if counter.count - before > 100_000:
            break
    else:
        raise SystemExit(f"{work.__name__} keeps Python's lock")
counter.stopped = True
counter.join()

try:
    import duckdb
    import numpy
    import pyarrow
except ImportError:
    print("  the engine of the wheel: dicts, faults, tables (no pyarrow, NumPy and duckdb to take them)")
    sys.exit()
trades = pyarrow.table(tables["market.Trade"])
trades.validate(full=True)
assert trades.column("sequence").to_pylist() == list(range(1000))
assert str(trades.schema.field("aggressor").type).startswith("dictionary"), trades.schema
for name, table in schema.tables(framed, "u32le", columns=["conditions", "price", "asks", "_message"]).items():
    table, whole = pyarrow.table(table), pyarrow.table(schema.tables(framed, "u32le")[name])
    assert table.to_pydict() == whole.select(table.column_names).to_pydict() and table.num_columns > 1, name
bids = pyarrow.table(tables["market.OrderBook.bids"])
assert bids.column("size").to_pylist() == [3, 4] and bids.column("_parent").to_pylist() == [0, 0]
assert duckdb.sql("select count(*), max(sequence) from trades").fetchall() == [(1000, 999)]

# Parquet, a piece of the file at a time: the rows are the tables', and those of lists find theirs in the whole file.
from pyarrow import parquet

import aldis.parquet

with tempfile.TemporaryDirectory() as folder:
    feed = Path(folder) / "feed"
    feed.write_bytes(framed * 3)
    for groups in ("lists", "tables"):
        whole = schema.tables(feed, "u32le", groups=groups)
        written = aldis.parquet.write(schema, feed, "u32le", folder, groups=groups, size=10_000)
        assert written == {name: len(table) for name, table in whole.items() if len(table) or name in written}, written
        assert written["market.Trade"] == 3000 and written.fault is None and written.skipped == 0
        for name in written:
            found = parquet.read_table(Path(folder) / f"{name}.parquet", partitioning=None)
            assert found.to_pylist() == pyarrow.table(whole[name]).to_pylist(), (groups, name)
    assert found.schema.names[:1] == ["_row"] and "_parent" in parquet.read_table(Path(folder) / "market.OrderBook.bids.parquet").schema.names
    feed.write_bytes(damaged)
    before = {path.name: path.read_bytes() for path in Path(folder).iterdir()}
    try:
        aldis.parquet.write(schema, feed, "u32le", folder, messages=["Trade"], size=5_000)
        raise AssertionError("a damaged file is no error")
    except aldis.CodecError as fault:
        assert fault.offset // each == 500, fault
    # No file of a part of the messages takes a whole one's name, nor stays beside it.
    assert {path.name: path.read_bytes() for path in Path(folder).iterdir()} == before
    written = aldis.parquet.write(schema, feed, "u32le", folder, errors="stop", messages=["Trade"], size=5_000)
    assert written == {"market.Trade": 500} and written.fault.offset // each == 500, written
    written = aldis.parquet.write(schema, feed, "u32le", folder, errors="skip", messages=["Trade"], size=5_000)
    assert written == {"market.Trade": 999} and written.skipped == 1 and written.fault is None, written

# Rows as NumPy sees them: the same numbers, over the bytes themselves, which nobody may change.
found = rows["market.Trade"].array
assert found.dtype.itemsize == 53 and found["sequence"].tolist() == list(range(1000)) and (found["instrument"] == 7).all()
assert not found.flags.writeable and found["size"].base is not None
bids = rows["market.OrderBook.bids"]
assert bids.array["size"].tolist() == [3, 4] and bids.parents.tolist() == [0, 0]
assert rows["market.OrderBook"].array["symbol"].tolist() == [b"A"] and rows["market.OrderBook"].array["volatility"].tolist() == [0.5]
# They live as long as an array of them.
kept = schema.rows(framed, "u32le")["market.Trade"].array["sequence"]
del rows, found
assert kept.sum() == sum(range(1000))
# Nulls, and blocks of older messages: what they lack is null.
quote = {"sequence": 1, "time": 0, "instrument": 7, "bid": {"mantissa": None, "exponent": -8}, "bidSize": 5}
quote |= {"ask": {"mantissa": 9, "exponent": -8}, "askSize": None}
octets = schema.encode("Quote", quote)
older = bytearray(octets[:-4])
older[0] -= 4
quotes = schema.rows(octets + older)["market.Quote"]
assert quotes.column("askSize").mask.tolist() == [True, True] and quotes.column("bidSize").tolist() == [5, 5]
assert list(quotes.columns())[:2] == ["_parent", "sequence"] and quotes.columns()["bidSize"].tolist() == [5, 5]
assert quotes.column("bid.mantissa").tolist() == [None, None] and quotes.column("ask.mantissa").tolist() == [9, 9]
many = framed * (1 + (64 << 20) // len(framed))
begin = time.perf_counter()
rows = sum(len(table) for table in schema.tables(many, "u32le").values())
took = time.perf_counter() - begin
begin = time.perf_counter()
few = sum(len(table) for table in schema.tables(many, "u32le", columns=["instrument"]).values())
one = time.perf_counter() - begin
assert few == rows
begin = time.perf_counter()
count = sum(len(table) for name, table in schema.rows(many, "u32le").items() if name.count(".") == 1)
side = time.perf_counter() - begin
assert count == rows
print(f"  rows: {rows / side / 1e6:.1f} M messages/s, {len(many) / side / 1e6:.0f} MB/s")
rates = [f"{rows / spent / 1e6:.1f} M messages/s, {len(many) / spent / 1e6:.0f} MB/s" for spent in (took, one)]
print(f"  the engine of the wheel: {rates[0]} as Arrow, all columns; {rates[1]}, one column")
