"""The messages of a stream as objects: by the engine of the wheel, and by printed functions. They take turns in one
process, on a stream of frames with lengths (u32le), in chunks of a file.

    python streams.py FOLDER PACKAGE STREAM TURNS     FOLDER has the generated package; ALDIS_LIBRARY the wheel's site-packages
"""

import collections
import gc
import importlib
import io
import os
import pathlib
import statistics
import sys
import time

FOLDER, PACKAGE, STREAM, TURNS = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
sys.path[:0] = [FOLDER, os.environ["ALDIS_LIBRARY"]]
stream = importlib.import_module(f"{PACKAGE}.stream")
DATA = pathlib.Path(STREAM).read_bytes()


def all_messages(with_engine):
    receiver = stream.receiver("u32le")
    if not with_engine:
        # As where there is no engine.
        receiver._is_ready = True
    return receiver, receiver.read(io.BytesIO(DATA))


def timed(with_engine):
    receiver, messages = all_messages(with_engine)
    gc.collect()
    start = time.perf_counter_ns()
    collections.deque(messages, maxlen=0)
    return time.perf_counter_ns() - start, receiver


def main():
    count = 0
    for count, (ours, printed) in enumerate(zip(all_messages(True)[1], all_messages(False)[1]), 1):
        if repr(ours) != repr(printed):
            raise SystemExit(f"message {count} is another one by the engine")
    receiver = timed(True)[1]
    if receiver._engine is None:
        raise SystemExit("there is no engine in ALDIS_LIBRARY")
    form = receiver._form
    form.usual = form._fast()[0]
    rounds = {True: [], False: []}
    for _ in range(TURNS):
        for way, times in rounds.items():
            times.append(timed(way)[0] / count)
    print(f"{count} messages, {len(DATA)} bytes{'best ns':>12}{'median':>10}{'M messages/s':>14}")
    for way, name in ((True, "engine"), (False, "printed functions")):
        best = min(rounds[way])
        print(f"  {name:<26}{best:>12.0f}{statistics.median(rounds[way]):>10.0f}{1000 / best:>14.2f}")


main()
