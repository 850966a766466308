"""The command ``aldis``, which the wheel brings: ``python -m aldis``."""

from __future__ import annotations

import signal
import sys


def main() -> int:
    try:
        from ._native import command
    except ImportError:
        print(
            "aldis: this aldis is the pure one, which has no compiler in it: install the wheel that `make wheel` builds",
            file=sys.stderr,
        )
        return 1
    # Python would notice an interrupt when the command is done.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return command(["aldis", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
