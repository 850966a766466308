#!/usr/bin/env python3
"""What generated code of classes is asked for, and what a run of its bench says of it.

  bench/goals.py java|csharp ROWS [BESIDE]

ROWS and BESIDE: the name of a virtual machine, and a line for each contestant. Prints tables; writes docs/java.txt and docs/java.json,
or those of C#.
"""
import json
import os
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent / "docs"
OURS, FLOOR = "aldis", "by hand"
AT_MOST = 1.3

FBE, TOOL, DTOS, CAPNP = "FBE's style", "sbe-tool's flyweights", "sbe-tool's DTOs", "capnproto-java"
PROTOBUF = "protobuf"

# A table, a peer, and how many times as fast as that one generated code should be.
TIMES = {
    "java": [
        ("FBE account, encode", FBE, 2.5),
        ("FBE account, decode", FBE, 2.2),
        ("FBE account, decode", f"{FBE}, with its verify", 3.3),
        ("FBE account, verify", FBE, 5),
        ("FBE Final, encode", FBE, 2.3),
        ("FBE Final, decode", FBE, 2.5),
        ("SBE flat, encode", TOOL, 4),
        ("SBE flat, decode", TOOL, 1.8),
        ("SBE flat, view of seven numbers", TOOL, 2.5),
        ("SBE flat, encode", DTOS, 1.6),
        ("SBE flat, decode", DTOS, 1.6),
        ("SBE car, encode", TOOL, 1.35),
        ("SBE car, decode", TOOL, 1.4),
        ("SBE car, encode", DTOS, 1.6),
        ("SBE car, decode, fresh", DTOS, 1.6),
        ("Cap'n Proto, 7 ints, encode", CAPNP, 8),
        ("Cap'n Proto, 7 ints, decode", CAPNP, 8),
        ("address book of 50, encode", CAPNP, 2.2),
        ("address book of 50, decode", CAPNP, 2.2),
    ],
    "csharp": [
        ("FBE account, encode", FBE, 6),
        ("FBE account, decode", FBE, 3),
        ("FBE account, decode, texts kept", FBE, 5.5),
        ("FBE account, verify", FBE, 6),
        ("FBE Final, encode", FBE, 6),
        ("FBE Final, decode", FBE, 3),
        ("SBE flat, encode", TOOL, 3.5),
        ("SBE flat, decode", TOOL, 1.4),
        ("SBE car, encode", DTOS, 4),
        ("SBE car, decode, fresh", DTOS, 3),
        ("FBE account, encode", f"{PROTOBUF}, of built objects", 6),
        ("FBE account, decode", PROTOBUF, 3.5),
        ("address book of 50, encode", f"{PROTOBUF}, of built objects", 3.5),
        ("address book of 50, decode", PROTOBUF, 2),
    ],
}
# A table, a peer, and the part of what that one allocates that generated code may.
ALLOCATION = {"java": [("address book of 50, decode", CAPNP, 0.5)], "csharp": []}
# How many times as long an operation may take in the virtual machine beside, in a language that asks for it.
BESIDE = {"csharp": 1.6}

NOTES = {
    "java": """\
By hand: bench/peers/java, the floor. sbe-tool, protobuf and capnproto-java are the libraries; of capnproto-java the code that its
compiler's plugin makes is written by hand. FBE's style is own writing in the style of FBE's generated Java, which is in no registry.
FBE's own generated code was measured once beside code by hand, on JDK 17: encode 128 ns where by hand took 45, decode 168 (73), with its
verify 251, verify 72 (14), Final 105 (43) and 136 (51). It allocated 144 bytes to encode and 696 to decode, more than the style does.
A floor and a peer may disagree: the floor decides.""",
    "csharp": """\
By hand: bench/peers/csharp, the floor, which loads by references after a check of each block. sbe-tool is its generated C# over a buffer in
the style of its runtime, own writing, as that library is in no registry; protobuf is Google.Protobuf, which asks for .NET 5. FBE's style
is own writing in the style of FBE's generated C#, which is in no registry either.
FBE's own generated code was measured once, on .NET 9: encode 181 ns, decode 230, with its verify 319, verify 76, Final 162 and 202; sbe-tool's
own: flat 14.6 and 16.1, its DTO 28, the car's DTOs 181 and 328; Google.Protobuf 191 of built objects, 244 of values, decode 302.
A floor and a peer may disagree: the floor decides.""",
}


def read(path):
    """The name of the JVM, and the rows: {table: {who: (best, median, bytes)}}."""
    name, *lines = Path(path).read_text().splitlines()
    tables = {}
    for line in lines:
        table, who, *numbers = line.split("\t")
        tables.setdefault(table, {})[who] = tuple(float(number) for number in numbers)
    return name, tables


def goal(what, asked, found, more):
    return {"what": what, "asked": asked, "is": round(found, 2), "reached": found >= asked if more else found <= asked}


def judged(language, tables, beside=None):
    """What was asked for, each with what was found.

    >>> floor = {"FBE account, encode": {"by hand": (10, 10, 0), "aldis": (12, 12, 8), "FBE's style": (24, 25, 9)}}
    >>> for one in judged("java", floor): print(one["what"], one["asked"], one["is"], one["reached"])
    FBE account, encode: FBE's style, times as fast 2.5 2.0 False
    FBE account, encode: by hand, times as long 1.3 1.2 True
    FBE account, encode: bytes allocated 0 8 False
    """
    goals = []
    for table, who, asked in TIMES[language]:
        if table in tables:
            rows = tables[table]
            goals.append(goal(f"{table}: {who}, times as fast", asked, rows[who][0] / rows[OURS][0], True))
    for table, rows in tables.items():
        goals.append(goal(f"{table}: {FLOOR}, times as long", AT_MOST, rows[OURS][0] / rows[FLOOR][0], False))
    for table, who, asked in ALLOCATION[language]:
        if table in tables:
            rows = tables[table]
            goals.append(goal(f"{table}: {who}, part of its allocation", asked, rows[OURS][2] / rows[who][2], False))
    for table, rows in tables.items():
        if table.endswith(("encode", "verify", "numbers", "kept")):
            goals.append(goal(f"{table}: bytes allocated", 0, rows[OURS][2], False))
    if beside and language in BESIDE:
        for table, rows in tables.items():
            goals.append(goal(f"{table}: {beside[0]}, times as long", BESIDE[language], beside[1][table][OURS][0] / rows[OURS][0], False))
    return goals


def rows_of(tables, beside):
    for table, rows in tables.items():
        for who, (best, median, size) in rows.items():
            row = {"table": table, "who": who, "best": best, "median": median, "bytes": size, "ratio": round(best / rows[FLOOR][0], 2)}
            if beside and who in beside[table]:
                row["beside"] = beside[table][who][0]
            yield row


def text(said, language):
    lines = [f"Nanoseconds an operation in {said['name']}: best and median of interleaved slices of a millisecond; bytes allocated; the best to that"]
    lines.append(f"of code by hand. The load of the machine was {said['load']:.1f} on {said['cores']} cores.")
    of = f"where generated code should take at most {BESIDE[language]} times as long" if language in BESIDE else "whose rows are no goals"
    lines += [f"Behind: the best in {said['beside']}, {of}."] if said["beside"] else []
    lines += ["", NOTES[language], "", f"{'':34} {'':30} {'best ns':>9} {'median':>9} {'bytes':>7} {'ratio':>6}"]
    table = ""
    for row in said["rows"]:
        title = row["table"] if row["table"] != table else ""
        table = row["table"]
        line = f"{title:34} {row['who']:30} {row['best']:9.1f} {row['median']:9.1f} {row['bytes']:7.0f} {row['ratio']:6.2f}"
        lines.append(line + (f" {row['beside']:9.1f}" if "beside" in row else ""))
    lines += ["", f"{'Asked for':70} {'asked':>7} {'is':>9}"]
    for one in said["goals"]:
        lines.append(f"{one['what']:70} {one['asked']:7} {one['is']:9.2f}  {'reached' if one['reached'] else 'missed'}")
    reached = sum(one["reached"] for one in said["goals"])
    return "\n".join([*lines, "", f"{reached} of {len(said['goals'])} reached."]) + "\n"


def main(language, path, beside=None):
    name, tables = read(path)
    other, others = read(beside) if beside else (None, None)
    said = {"name": name, "beside": other, "load": round(os.getloadavg()[0], 1), "cores": os.cpu_count()}
    said |= {"rows": list(rows_of(tables, others)), "goals": judged(language, tables, (other, others) if beside else None)}
    (DOCS / f"{language}.json").write_text(json.dumps(said, indent=1) + "\n")
    (DOCS / f"{language}.txt").write_text(text(said, language))
    print(text(said, language), end="")


if __name__ == "__main__":
    main(*sys.argv[1:])
