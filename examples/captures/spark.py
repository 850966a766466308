#!/usr/bin/env python3
"""Spark makes tables of a large framed file, a part a task, and counts their rows; see README.md."""
import argparse
import pathlib
import subprocess
import sys
import time

from pyspark.sql import SparkSession


def converted(command, part, parts):
    """Converts one part; gives the lines that the command says, or raises what was wrong."""
    run = subprocess.run([*command, "--part", f"{part}/{parts}"], capture_output=True, text=True)
    if run.returncode:
        raise RuntimeError(f"part {part} of {parts}: {run.stderr}")
    return run.stdout.splitlines()


def main():
    parser = argparse.ArgumentParser(description=__doc__, epilog="Further options are those of aldis convert.")
    parser.add_argument("feed", type=pathlib.Path)
    for name in ("--schema", "--framing", "--out"):
        parser.add_argument(name, required=True)
    parser.add_argument("--aldis", default="aldis", help="the command")
    parser.add_argument("--workers", type=int, default=2, help="processes on this machine, a core each")
    parser.add_argument("--master", help="of a cluster, instead of workers on this machine")
    parser.add_argument("--parts", type=int, default=8)
    options, more = parser.parse_known_args()
    master = options.master or f"local-cluster[{options.workers},1,1024]"
    builder = SparkSession.builder.master(master).appName("aldis convert").config("spark.pyspark.python", sys.executable)
    # Spark has no nanoseconds: it reads such times as numbers.
    spark = builder.config("spark.sql.legacy.parquet.nanosAsLong", "true").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    out = pathlib.Path(options.out).absolute()
    schema = str(pathlib.Path(options.schema).absolute())
    command = [options.aldis, "convert", str(options.feed.absolute()), "--schema", schema]
    command += ["--framing", options.framing, "--out", str(out), *more]
    parts = options.parts
    # Workers are there before the clock begins.
    spark.sparkContext.parallelize(range(parts), parts).count()
    begin = time.monotonic()
    tasks = spark.sparkContext.parallelize(range(1, parts + 1), parts)
    tasks.flatMap(lambda part: converted(command, part, parts)).collect()
    seconds = time.monotonic() - begin
    for table in sorted({path.name.split(f".1-of-{parts}.")[0] for path in out.glob(f"*.1-of-{parts}.parquet")}):
        rows = spark.read.parquet(str(out / f"{table}.*-of-{parts}.parquet")).count()
        print(f"{table}\t{rows} rows")
    print(f"{parts} parts, {master}: {seconds:.2f} s")
    spark.stop()


if __name__ == "__main__":
    main()
