"""All contestants on one message, by turns in one process: a table of best and median nanoseconds.

    python contest.py FOLDER MESSAGE TURNS

Where the library is an installed wheel's, its engine is one more contestant, by packages of its own in the same process.
"""

import gc
import importlib.util
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
os.environ["ALDIS_NATIVE"] = "0"

import addressbook  # noqa: E402
import floor  # noqa: E402
import market  # noqa: E402
import model  # noqa: E402
import proto  # noqa: E402
import ticks  # noqa: E402

ROUND_NS = 10_000_000
MESSAGES = {
    "account": (proto.Account, "FBE account", "encode", "decode"),
    "final": (proto.Account, "FBE Final account", "encode_final", "decode_final"),
    "trade": (market.Trade, "SBE trade", "encode", "decode"),
    "tick": (ticks.Tick, "Cap'n Proto, seven integers", "encode", "decode"),
    "book": (addressbook.AddressBook, "Cap'n Proto address book of two", "encode", "decode"),
    "book50": (addressbook.AddressBook, "Cap'n Proto address book of fifty", "encode", "decode"),
}
OWN = ("aldis", "addressbook", "market", "proto", "ticks")


def by_engine(name):
    """The class of a message in a package that the engine reads and writes; none where there is no engine."""
    if importlib.util.find_spec("aldis._native") is None:
        return None
    kept = {own: sys.modules.pop(own) for own in [*sys.modules] if own.split(".")[0] in OWN}
    os.environ["ALDIS_NATIVE"] = "require"
    found = getattr(importlib.import_module(MESSAGES[MESSAGE][0].__module__), name)
    return found, kept


def engine_tasks(data, decode, encode):
    """Functions of the engine: those of the message, and views of it, of which all fields are read, or the first one."""
    found = by_engine(MESSAGES[MESSAGE][0].__name__)
    if found is None:
        return {}
    cls, kept = found
    value = getattr(cls, decode)(data)
    read, write, view = getattr(cls, decode), getattr(value, encode), getattr(cls, decode.replace("decode", "view"))
    if write() != data or repr(view(data)) != repr(value):
        raise SystemExit(f"the engine disagrees about {MESSAGE}")
    names = cls.__match_args__

    def all_fields():
        one = view(data)
        return [getattr(one, name) for name in names]

    tasks = {"the wheel's engine": (lambda: read(data), write)}
    tasks["  its view, all fields"] = (all_fields, None)
    tasks["  its view, the first field"] = (lambda first=names[0]: getattr(view(data), first), None)
    sys.modules.update(kept)
    return tasks


def contestants():
    """By name: functions that read and write the message. Those of its own format agree about its bytes."""
    cls, _, encode, decode = MESSAGES[MESSAGE]
    data = pathlib.Path(FOLDER, f"{MESSAGE.removesuffix('50')}.bin").read_bytes()
    value = getattr(cls, decode)(data)
    if MESSAGE == "book50":
        value = cls(value.people * 25)
        data = value.encode()
    found = {"generated": (lambda read=getattr(cls, decode): read(data), getattr(value, encode))}
    kind = MESSAGE.removesuffix("50")
    read, write = getattr(floor, f"read_{kind}"), getattr(floor, f"write_{kind}")
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
        elif kind == "book":
            import capnps

            found["pycapnp"] = capnps.contestants(str(ROOT / "conformance/schemas/addressbook.capnp"), data, value)
        elif MESSAGE == "tick":
            import capnps

            found["pycapnp"] = capnps.of_ticks(str(ROOT / "bench/python/ticks.capnp"), data, value)
    except ImportError as error:
        print(f"{MESSAGE}: a library is not there: {error}", file=sys.stderr)
    return found | engine_tasks(data, decode, encode), len(data)


def timed(task, times):
    start = time.perf_counter_ns()
    for _ in range(times):
        task()
    return (time.perf_counter_ns() - start) / times


def main():
    found, size = contestants()
    tasks = {(name, way): tasks[way] for name, tasks in found.items() for way in (0, 1) if tasks[way] is not None}
    often = {key: max(1, int(ROUND_NS / min(timed(task, 50) for _ in range(3)))) for key, task in tasks.items()}
    gc.disable()
    rounds = {key: [] for key in tasks}
    for _ in range(TURNS):
        for key, task in tasks.items():
            rounds[key].append(timed(task, often[key]))
        gc.collect()
    print(f"{MESSAGES[MESSAGE][1] + f', {size} bytes':<44}" + "".join(f"{cell:>10}" for way in ("decode", "encode") for cell in (way, "median", "ours is", "engine")))
    for name in found:
        cells = []
        for way in (0, 1):
            if (name, way) not in rounds:
                cells += ["", "", "", ""]
                continue
            best, ours = min(rounds[name, way]), min(rounds["generated", way])
            engine = min(rounds.get(("the wheel's engine", way), [0]))
            ratio = {"generated": "", "by hand": f"{ours / best:.2f} of"}.get(name, f"{best / ours:.2g} x")
            cells += [f"{best:.0f}", f"{statistics.median(rounds[name, way]):.0f}", ratio, f"{best / engine:.1f} x" if engine else ""]
        print((f"  {name:<42}" + "".join(f"{cell:>10}" for cell in cells)).rstrip())


main()
