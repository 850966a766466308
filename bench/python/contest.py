"""All contestants on one message, by turns in one process: a table of best and median nanoseconds.

    python contest.py FOLDER MESSAGE TURNS
"""

import gc
import os
import pathlib
import statistics
import sys
import time

FOLDER, MESSAGE, TURNS = sys.argv[1], sys.argv[2], int(sys.argv[3])
ROOT = pathlib.Path(__file__).resolve().parents[2]
# The library as it lies here, or an installed wheel's, whose engine reads then.
LIBRARY = os.environ.get("ALDIS_LIBRARY", str(ROOT / "runtime/python"))
sys.path[:0] = [FOLDER, LIBRARY, str(ROOT / "bench/peers/python")]

import addressbook  # noqa: E402
import floor  # noqa: E402
import market  # noqa: E402
import model  # noqa: E402
import proto  # noqa: E402

ROUND_NS = 10_000_000
MESSAGES = {
    "account": (proto.Account, "FBE account", "encode", "decode"),
    "final": (proto.Account, "FBE Final account", "encode_final", "decode_final"),
    "trade": (market.Trade, "SBE trade", "encode", "decode"),
    "book": (addressbook.AddressBook, "Cap'n Proto address book of two", "encode", "decode"),
}


def contestants():
    """By name: functions that read and write the message. Those of its own format agree about its bytes."""
    cls, _, encode, decode = MESSAGES[MESSAGE]
    data = pathlib.Path(FOLDER, f"{MESSAGE}.bin").read_bytes()
    value = getattr(cls, decode)(data)
    found = {"generated": (lambda read=getattr(cls, decode): read(data), getattr(value, encode))}
    read, write = getattr(floor, f"read_{MESSAGE}"), getattr(floor, f"write_{MESSAGE}")
    found["by hand"] = (lambda: read(data), lambda: write(value))
    for name, (own_read, own_write) in found.items():
        if own_read() != value or own_write() != data:
            raise SystemExit(f"{name} disagrees about {MESSAGE}")
    if MESSAGE == "account":
        own = model.read_account(data)
        if model.write_account(own) != data:
            raise SystemExit("the model over a buffer disagrees")
        found["model over a buffer"] = (lambda: model.read_account(data), lambda: model.write_account(own))
    try:
        if MESSAGE in ("account", "trade"):
            import protobufs

            found["protobuf (upb)"] = protobufs.contestants(MESSAGE, value)
        elif MESSAGE == "book":
            import capnps

            found["pycapnp"] = capnps.contestants(str(ROOT / "conformance/schemas/addressbook.capnp"), data, value)
    except ImportError as error:
        print(f"{MESSAGE}: a library is not there: {error}", file=sys.stderr)
    return found, len(data)


def timed(task, times):
    start = time.perf_counter_ns()
    for _ in range(times):
        task()
    return (time.perf_counter_ns() - start) / times


def main():
    found, size = contestants()
    tasks = {(name, way): tasks[way] for name, tasks in found.items() for way in (0, 1)}
    often = {key: max(1, int(ROUND_NS / min(timed(task, 50) for _ in range(3)))) for key, task in tasks.items()}
    gc.disable()
    rounds = {key: [] for key in tasks}
    for _ in range(TURNS):
        for key, task in tasks.items():
            rounds[key].append(timed(task, often[key]))
        gc.collect()
    print(f"{MESSAGES[MESSAGE][1] + f', {size} bytes':<44}{'decode':>10}{'median':>10}{'ours is':>10}{'encode':>10}{'median':>10}{'ours is':>10}")
    for name in found:
        cells = []
        for way in (0, 1):
            best, ours = min(rounds[name, way]), min(rounds["generated", way])
            ratio = {"generated": "", "by hand": f"{ours / best:.2f} of"}.get(name, f"{best / ours:.1f} x")
            cells += [f"{best:.0f}", f"{statistics.median(rounds[name, way]):.0f}", ratio]
        print((f"  {name:<42}" + "".join(f"{cell:>10}" for cell in cells)).rstrip())


main()
