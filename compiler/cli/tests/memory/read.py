"""Reads one message and prints its verdict; fails when that took more memory than the bound."""

import contextlib
import importlib
import re
import sys
from pathlib import Path

from aldis import CodecError

package, message, call, file, bound = sys.argv[1:]
cls = getattr(importlib.import_module(package), message)
read = {"decode": cls.decode, "final": getattr(cls, "decode_final", None), "json": cls.from_json}[call]
data = Path(file).read_bytes()


def peak() -> int:
    """The most memory that this process has had, in bytes."""
    return 1024 * int(re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())[1])


for nothing in (b"", b"{}"):
    # The first message compiles the schema's modules, which is no part of its memory.
    with contextlib.suppress(CodecError):
        read(nothing)
before = peak()
try:
    value = read(data)
    verdict = "ok"
except CodecError as error:
    verdict = error.code
taken = peak() - before
print(verdict, end="")
if taken > int(bound):
    sys.exit(f"{taken} bytes in place of {bound}")
