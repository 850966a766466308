#!/usr/bin/env python3
"""The table "Aldis in numbers" of the book, from the figures in docs.

  bench/figures.py write   puts it into docs/book/figures.md
  bench/figures.py check   fails where they have another
"""
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BEGIN = "| generated code | beside | encode | decode | command |"


def figures(name):
    return json.loads((ROOT / "docs" / name).read_text())


def lines(name, table):
    """The lines of a table in a text of figures: those below its title.

    >>> [row.split()[0] for row in lines("python.txt", "FBE account, 252 bytes")][:2]
    ['generated', 'by']
    """
    rows = (ROOT / "docs" / name).read_text().splitlines()
    begin = next(at for at, row in enumerate(rows) if row.startswith(table))
    end = next(at for at in range(begin + 1, len(rows)) if not rows[at].startswith("  "))
    return [row.strip() for row in rows[begin + 1 : end]]


def cpp(table, who):
    rows = figures("cpp.json")["rows"]
    return [
        next(row["ratio"] for row in rows if (row["compiler"], row["table"], row["work"], row["who"]) == ("g++-12", table, work, who))
        for work in ["encode", "decode, reused object"]
    ]


def beam(whom):
    rows = figures("beam.json")["rows"]
    return [
        next(row[whom]["ratio"] for row in rows if (row["name"], row["operation"]) == ("FBE account", operation))
        for operation in ["encode", "decode"]
    ]


def elixir():
    rows = figures("beam.json")["elixir"]
    return [
        next(row["elixir"]["ratio"] for row in rows if (row["name"], row["operation"]) == ("FBE account", operation))
        for operation in ["encode", "decode"]
    ]


def best(name, table, who):
    """Generated code's best times as parts of another's, in tables that have decoding first and encoding then.

    >>> all(0 < ratio < 1 for ratio in best("js.txt", "FBE account, 252", "JSON"))
    True
    """
    found = {}
    for row in lines(name, table):
        called, rest = re.split(r"\s{2,}", row, maxsplit=1)
        # The best and the median of both ways; ratios have a word behind them.
        numbers = [float(number) for number in re.findall(r"(?<![\d.])[\d.]+(?![\d.]| x| of)", rest)]
        if called == "generated" or called.startswith(who):
            found["generated" if called == "generated" else who] = numbers[2], numbers[0]
    return [ours / theirs for ours, theirs in zip(found["generated"], found[who])]


def classes(name):
    """
    >>> [round(ratio, 2) > 0 for name in ["java.json", "csharp.json"] for ratio in classes(name)]
    [True, True, True, True]
    """
    tables = ["FBE account, encode", "FBE account, decode, texts kept"]
    return [next(row["ratio"] for row in figures(name)["rows"] if (row["table"], row["who"]) == (table, "aldis")) for table in tables]


def rows():
    yield "C++, FBE", "code by hand", cpp("FBE account", "by hand"), "bench-cpp"
    yield "C++, SBE", "sbe-tool", cpp("account", "sbe-tool"), "bench-cpp"
    yield "C++, Cap'n Proto", "libcapnp", cpp("account", "libcapnp"), "bench-cpp"
    yield "C++, SBE", "protobuf", cpp("account", "protobuf"), "bench-cpp"
    yield "Java, FBE", "code by hand", classes("java.json"), "bench-java"
    yield "C#, FBE", "code by hand", classes("csharp.json"), "bench-csharp"
    yield "JavaScript, FBE", "code by hand", best("js.txt", "FBE account, 252", "by hand"), "bench-js"
    yield "JavaScript, FBE", "protobufjs", best("js.txt", "FBE account, 252", "protobufjs"), "bench-js"
    yield "Erlang, FBE", "code by hand", beam("hand"), "bench-beam"
    yield "Erlang, FBE", "the VM's own terms", beam("vm"), "bench-beam"
    yield "Elixir, FBE", "generated Erlang", elixir(), "bench-beam"
    yield "Python, FBE", "protobuf (upb)", best("python.txt", "FBE account, 252", "protobuf (upb)"), "bench-python"


def table():
    text = [BEGIN, "|---|---|---|---|---|"]
    text += [f"| {what} | {peer} | {ratios[0]:.2f} | {ratios[1]:.2f} | `make {command}` |" for what, peer, ratios, command in rows()]
    loads, stream = (figures("tcp.json")[key] for key in ["loads", "jetstream"])
    handled, server, durable = (loads[key]["rate"] / 1e6 for key in ["batch handled", "C++, 32 B", "durable"])
    text.append(f"| transport, 32 B | a plain C++ server | {handled:.1f} of {server:.1f} M/s handled | | `make bench-tcp` |")
    text.append(f"| transport, 32 B | JetStream, synced | {durable:.1f} to {stream['synced'] / 1e6:.3f} M/s durable | | `make bench-tcp` |")
    return text


def placed(page, wanted):
    """The page with the table in the place of the one that it has, each line as far in as that."""
    text = page.read_text().split("\n")
    begin = next(at for at, line in enumerate(text) if line.strip() == BEGIN)
    inset = text[begin][: -len(BEGIN)]
    end = next(at for at in range(begin, len(text) + 1) if at == len(text) or not text[at].strip().startswith("|"))
    return "\n".join([*text[:begin], *(inset + line for line in wanted), *text[end:]])


def main(what):
    wanted = table()
    page = ROOT / "docs/book/figures.md"
    text = placed(page, wanted)
    if what == "write":
        page.write_text(text)
    elif text != page.read_text():
        sys.exit(f"{page}: its table is not that of the figures; bench/figures.py write")


if __name__ == "__main__":
    main(sys.argv[1])
