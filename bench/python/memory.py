"""Memory while many messages are decoded, viewed, checked and written, good and bad ones by turns: by the engine where the library is an
installed wheel's, else by printed functions. Prints the resident memory after each tenth; fails where it grows.

    python memory.py FOLDER TIMES     FOLDER has the generated package of proto.fbe, and account.bin (see run.sh); ALDIS_LIBRARY as in contest.py,
                                      ALDIS_NATIVE=0 leaves the engine out
"""

import gc
import os
import pathlib
import random
import sys

FOLDER, TIMES = sys.argv[1], int(sys.argv[2])
sys.path[:0] = [FOLDER, os.environ.get("ALDIS_LIBRARY", str(pathlib.Path(__file__).resolve().parents[2] / "runtime/python"))]

import aldis  # noqa: E402
import proto  # noqa: E402

GROWTH_KB = 2_000
KINDS = 997


def resident():
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


def damaged(rng, data):
    message = bytearray(data)
    for _ in range(rng.randrange(3)):
        message[rng.randrange(len(message))] = rng.randrange(256)
    return bytes(message[: rng.randrange(len(message))] if rng.random() < 0.2 else message)


def used(message, number, counts):
    """Decodes a message, decodes and writes it, looks at a view of it, or checks it, by turns."""
    act = number % 4
    try:
        if act == 0:
            proto.Account.decode(message)
        elif act == 1:
            proto.Account.decode(message).encode()
        elif act == 2:
            proto.Account.view(message).orders  # noqa: B018 - a view reads what it is asked for
        else:
            proto.Account.verify(message)
    except aldis.CodecError:
        counts[1] += 1
    counts[0] += 1


def main():
    data, rng = pathlib.Path(FOLDER, "account.bin").read_bytes(), random.Random(1)
    messages = [damaged(rng, data) for _ in range(KINDS)]
    seen, counts = [], [0, 0]
    for number in range(TIMES):
        used(messages[number % KINDS], number, counts)
        if (number + 1) % max(TIMES // 10, 1) == 0:
            gc.collect()
            seen.append(resident())
    engine = proto._codec.Account.form.engine is not None
    print(f"  {counts[0]} messages, {counts[1]} of them bad, by {'the engine' if engine else 'printed functions'}: kB {' '.join(map(str, seen))}")
    if not 0 < counts[1] < counts[0]:
        raise SystemExit("messages are not good and bad by turns")
    if seen[-1] - seen[0] > GROWTH_KB:
        raise SystemExit("memory grows")


main()
