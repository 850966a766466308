"""The engine of the wheel by itself, for so many seconds: damaged messages of all forms read, checked, viewed and cut out of streams, values
that are none written, damaged streams made tables and rows. Its answers are compared elsewhere (`runtime/python-native/tests/objects.py`):
here a sanitizer looks at what it does.

    python engine.py ROOT SECONDS [SEED]
"""

import importlib
import os
import random
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path

ROOT, SECONDS = Path(sys.argv[1]), float(sys.argv[2])
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1
os.environ["ALDIS_NATIVE"] = "require"

import aldis  # noqa: E402
from aldis.form import Codec  # noqa: E402
from aldis.framing import framing_of  # noqa: E402
from aldis.objects import frames  # noqa: E402
from aldis.streams import Lying  # noqa: E402

SCHEMAS = [
    "conformance/schemas/market.xml",
    "conformance/schemas/sbe/corners.xml",
    "conformance/vectors/sbe/be-all.xml",
    "conformance/vectors/fbe/proto.fbe",
    "conformance/vectors/fbe/extra.fbe",
    "conformance/schemas/addressbook.capnp",
    "conformance/schemas/capnp/values.capnp",
]
ROUND = 2_000
"""Messages of a form before it is the next one's turn."""
STRANGE = [
    None, True, -1, 1 << 64, 10**400, 1.5, float("nan"), "", "\ud800", "a" * 300, b"\xff" * 9, bytearray(b"x"), [], [None], (1,), {}, {1},
    object(), aldis.MISSING,
]  # fmt: skip


def command(*words):
    """The output of the command, which is the engine's own, or ALDIS: that one starts in less time."""
    own = [os.environ["ALDIS"]] if os.environ.get("ALDIS") else [sys.executable, "-m", "aldis"]
    kept = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD" or len(own) > 1}
    return subprocess.run([*own, *map(str, words)], capture_output=True, check=True, env=kept).stdout


def forms(number, path, folder):
    """For each form of a schema: the schema at run time, and its codecs with whole messages of each."""
    folder.mkdir()
    sys.path.insert(0, str(folder))
    command("gen", path, "--lang", "python", "--out", folder)
    package = next(own.name for own in folder.iterdir() if own.is_dir() and own.name not in sys.modules and own.name != "__pycache__")
    found = {}
    for codec in vars(importlib.import_module(f"{package}._codec")).values():
        if isinstance(codec, Codec):
            found.setdefault(codec.form.name, []).append(codec)
    for form, codecs in found.items():
        schema = aldis.load(path, form)
        own = []
        for codec in codecs:
            lines = command("random", path, schema.messages[codec.message], "--form", form, "--count", 20, "--seed", SEED, "--to", "hex").split()
            own.append((codec, [bytes.fromhex(line.decode()) for line in lines]))
        yield schema, own


def damaged(rng, message):
    message = bytearray(message)
    for _ in range(rng.choice((0, 1, 1, 2, 4, 16))):
        message[rng.randrange(len(message))] = rng.choice((0, 1, 2, 0x7F, 0x80, 0xFF, len(message) % 256, rng.randrange(256)))
    if rng.random() < 0.3:
        del message[rng.randrange(len(message)) :]
    # A buffer of its own, the end of which a sanitizer knows.
    return bytes(message + rng.randbytes(rng.choice((0, 0, 3, 20))))


def tried(act, *given):
    """Whether an act gives a value. What the engine says of what is wrong are these errors, and of strange values those of Python."""
    try:
        act(*given)
        return True
    except (aldis.CodecError, aldis.fast.Odd):
        return False


def misused(rng, value):
    if value.__match_args__:
        setattr(value, rng.choice(value.__match_args__), rng.choice(STRANGE))
    return value


def turn(rng, schema, own, counts):
    """One round on the messages of a form."""
    form = own[0][0].form
    for _ in range(ROUND):
        codec, messages = rng.choice(own)
        data = damaged(rng, rng.choice(messages))
        counts["values" if tried(codec.usual, data, 0) else "faults"] += 1
        reader = form.engine[codec.message]
        tried(reader.check, data, 0)
        tried(reader.read, b"##" + data, 2)
        if rng.random() < 0.2:
            tried(lambda: repr(codec.view(data)))
            tried(lambda: codec.encode(codec.decode(data)))
        if rng.random() < 0.1:
            try:
                reader.write(misused(rng, codec.decode(rng.choice(messages))))
            except Exception:  # noqa: BLE001 - the value's own errors, whatever they are
                pass
    streamed(rng, schema, own, counts)


def streamed(rng, schema, own, counts):
    form = own[0][0].form
    parts = [damaged(rng, message) if rng.random() < 0.1 else message for message in rng.choices([one for _, all_ in own for one in all_], k=200)]
    stream = b"".join(len(part).to_bytes(4, "little") + part for part in parts)
    engine = frames(form, None if form.dispatch is not None else own[0][0].message, framing_of("u32le", Lying()), 1 << 20)
    at = 0
    while engine is not None and at + 4 <= len(stream):
        tried(lambda: list(islice(engine.read(stream, at), rng.randrange(100))))
        at += 4 + int.from_bytes(stream[at : at + 4], "little")
        counts["frames"] += 1
    name = None if form.dispatch is not None else schema.messages[own[0][0].message]
    for groups in ("lists", "tables"):
        tables = schema.tables(stream, "u32le", message=name, errors="skip", groups=groups, times=False)
        counts["rows"] += sum(len(table) for table in tables.values())
    if not form.name.startswith("capnp"):
        rows = schema.rows(stream, "u32le", message=name, errors="skip")
        counts["rows"] += sum(len(table) for table in rows.values())


def main():
    rng, counts = random.Random(SEED), dict.fromkeys(("values", "faults", "frames", "rows"), 0)
    with tempfile.TemporaryDirectory() as folder:
        found = [one for number, path in enumerate(SCHEMAS) for one in forms(number, ROOT / path, Path(folder, str(number)))]
        print(f"{len(found)} forms of {len(SCHEMAS)} schemas", flush=True)
        start = time.monotonic()
        turns = 0
        while time.monotonic() - start < SECONDS:
            turn(rng, *found[turns % len(found)], counts)
            turns += 1
        took = time.monotonic() - start
    print(f"{took:.0f} s, {turns} rounds: " + ", ".join(f"{count} {name}" for name, count in counts.items()))


main()
