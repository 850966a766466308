#!/usr/bin/env python3
"""The plots docs/cpp.svg and docs/beam.svg of the figures beside them, the time of generated code as a part of each peer's, and
docs/java.svg and docs/csharp.svg: which part of what is asked for is reached.

  bench/plots.py write
  bench/plots.py check     fails where a plot is not that of its figures
"""
import json
import sys
from pathlib import Path

import bars

DOCS = Path(__file__).resolve().parent.parent / "docs"


def figures(name):
    return json.loads((DOCS / name).read_text())


def drawn(title, note, ratios):
    rows = [(name, ratio, 1, f"{ratio:.2f}") for name, ratio in ratios]
    return bars.svg(title, f"{note}; less is better", rows, "the peer's own") + "\n"


def cpp():
    rows = [row for row in figures("cpp.json")["rows"] if row["compiler"] == "g++-12" and row.get("ratio")]
    ratios = [(f"{row['table']}, {row['work']}: to {row['who']}", row["ratio"]) for row in rows]
    return drawn("Generated C++: its time as a part of its peers'", "g++-12, medians of runs by turns", ratios)


def beam():
    """
    >>> "to Erlang" in beam() and "to code by hand" in beam()
    True
    """
    told = figures("beam.json")
    peers = {"vm": "the VM's own terms", "hand": "code by hand"}
    ratios = [
        (f"{row['name']}, {row['operation']}: to {peers[peer]}", row[peer]["ratio"])
        for row in told["rows"]
        if not row["name"].startswith("untuned") and row["operation"] != "iolist"
        for peer in peers
        if peer in row
    ]
    ratios += [(f"Elixir, {row['name']}, {row['operation']}: to Erlang", row["elixir"]["ratio"]) for row in told["elixir"]]
    return drawn("Generated Erlang and Elixir: their time as a part of their peers'", f"OTP {told['versions']['otp']}, medians of runs by turns", ratios)


def part(one):
    """Which part of what is asked for is reached; more than a whole is better still.

    >>> part({"what": "encode: a peer, times as fast", "asked": 2.0, "is": 3.0}), part({"what": "encode: by hand, times as long", "asked": 1.3, "is": 2.6})
    (1.5, 0.5)
    """
    return one["is"] / one["asked"] if one["what"].endswith("fast") else one["asked"] / one["is"]


def reached(name, language):
    """
    >>> "capnproto-java" in reached("java", "Java"), "sbe-tool" in reached("csharp", "C#")
    (True, True)
    """
    goals = [one for one in figures(f"{name}.json")["goals"] if one["asked"]]
    rows = [(one["what"], part(one), 1, f"{one['is']:.2f} of {one['asked']}") for one in goals]
    return bars.svg(f"Generated {language}: which part of what is asked for is reached", figures(f"{name}.json")["name"], rows) + "\n"


def main(what):
    for name, plot in [("cpp.svg", cpp()), ("beam.svg", beam()), ("java.svg", reached("java", "Java")), ("csharp.svg", reached("csharp", "C#"))]:
        if what == "write":
            (DOCS / name).write_text(plot)
        elif (DOCS / name).read_text() != plot:
            sys.exit(f"docs/{name}: not the plot of its figures; bench/plots.py write")


if __name__ == "__main__":
    main(sys.argv[1])
