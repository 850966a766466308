"""Spark reads framed files by `aldis.spark`: on two workers of this machine, each row once, with types that Spark has."""

import struct
import sys
import tempfile
from pathlib import Path

from pyspark.sql import SparkSession

import aldis
import aldis.spark

root = Path(sys.argv[1])
market = root / "conformance/schemas/market.xml"
schema = aldis.load(market)
trade = {"sequence": 1, "time": 5000, "instrument": 7, "price": {"mantissa": 150, "exponent": -8}, "size": 3, "aggressor": 1}
trade |= {"conditions": [], "buyOrder": (1 << 64) - 1, "sellOrder": 0, "venue": "XY"}
level = {"price": trade["price"], "size": 4, "orders": []}
book = {"sequence": 2, "time": 0, "instrument": 7, "symbol": "A", "volatility": 0.5, "bids": [level, level], "asks": []}
FRAMES = 5000


def frames(first: int) -> bytes:
    messages = [schema.encode("Trade", {**trade, "sequence": first + n}) for n in range(FRAMES)]
    return b"".join(struct.pack("<I", len(one)) + one for one in [*messages, schema.encode("OrderBook", book)])


builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("aldis").config("spark.pyspark.python", sys.executable)
# Python's folders, for workers as for this process; and no page for people to watch.
builder = builder.config("spark.executorEnv.PYTHONPATH", ":".join(sys.path)).config("spark.ui.enabled", "false")
spark = builder.config("spark.sql.session.timeZone", "UTC").getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
with tempfile.TemporaryDirectory() as folder:
    for number in range(3):
        (Path(folder) / f"day{number}.bin").write_bytes(frames(number * FRAMES))
    files = f"{folder}/*.bin"
    frame = aldis.spark.read(spark, files, market, "u32le", message="Trade", part=100_000)
    assert frame.rdd.getNumPartitions() > 6, frame.rdd.getNumPartitions()
    said = frame.selectExpr("count(*)", "count(distinct sequence)", "sum(sequence)", "max(buyOrder)", "min(venue)").first()
    assert list(said) == [3 * FRAMES, 3 * FRAMES, sum(range(3 * FRAMES)), (1 << 64) - 1, "XY"], said
    one = frame.first().asDict()
    assert isinstance(one["aggressor"], str) and one["time"].microsecond == 5, one
    books = aldis.spark.read(spark, files, market, "u32le", message="OrderBook")
    assert books.selectExpr("explode(bids) as bid").selectExpr("sum(bid.size)").first()[0] == 3 * 8
    damaged = bytearray(frames(0))
    damaged[4:12] = b"\xff" * 8
    (Path(folder) / "day1.bin").write_bytes(damaged)
    kept = aldis.spark.read(spark, files, market, "u32le", message="Trade", errors="skip")
    assert kept.count() == 3 * FRAMES - 1
    try:
        aldis.spark.read(spark, files, market, "u32le", message="Trade").count()
        raise SystemExit("no fault")
    except Exception as error:
        assert "CodecError" in str(error), error
    for wrong, kind in [((f"{folder}/none", "Trade"), FileNotFoundError), ((files, "Nothing"), KeyError)]:
        try:
            aldis.spark.read(spark, wrong[0], market, "u32le", message=wrong[1])
            raise SystemExit("no fault")
        except kind as error:
            assert str(error), error
spark.stop()
print("  Spark: rows of three files by two workers")
