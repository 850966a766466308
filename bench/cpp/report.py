"""Tables of bench/cpp from the JSON that Google Benchmark wrote, one file a compiler: report.py FOLDER [--json FILE]."""

import json
import statistics
import sys
from pathlib import Path

HEAD = f"  {'':34}{'':18}{'best':>9}{'median':>9}{'quartiles':>18}{'aldis x':>9}{'bests':>7}{'limit':>14}{'allocations':>13}"


def read(path):
    """Times in nanoseconds and what is said beside them: {(table, work): {who: row}}, both in the order of their registration."""
    said = json.loads(path.read_text())
    sizes = {name: int(size) for name, size in said["context"].items() if "/" in name}
    tables = {}
    for run in sorted(said["benchmarks"], key=lambda one: one["family_index"]):
        if run["run_type"] != "iteration":
            continue
        table, work, who = run["run_name"].split("/")
        row = tables.setdefault((table, work), {}).setdefault(
            who,
            {
                "times": [],
                "allocations": [],
                "against": run.get("label", ""),
                "at_most": run.get("at_most"),
                "bytes": sizes.get(f"{table}/{who}"),
            },
        )
        row["times"].append(run["cpu_time"])
        row["allocations"].append(run["allocations"])
    return tables


def summary(row):
    low, median, high = statistics.quantiles(row["times"], n=4)
    return {"best": min(row["times"]), "median": median, "spread": [low, high], "bytes": row["bytes"], "allocations": round(min(row["allocations"]), 2)}


def rows(compiler, tables):
    for (table, work), all_of in tables.items():
        for who, row in all_of.items():
            made = {"compiler": compiler, "table": table, "work": work, "who": who} | summary(row)
            if row["against"] in all_of:
                ours = summary(all_of[row["against"]])
                made["against"] = row["against"]
                made["ratio"] = ours["median"] / made["median"]
                made["of_bests"] = ours["best"] / made["best"]
                made["at_most"] = row["at_most"]
            yield made


def number(value):
    return f"{value:.0f}" if value >= 1000 else f"{value:.1f}"


def verdict(row):
    if not row.get("at_most"):
        return ""
    over = [row["ratio"] > row["at_most"], row["of_bests"] > row["at_most"]]
    note = " over" if all(over) else " (over)" if any(over) else ""
    return f"{row['at_most']:.2f}{note}"


def line(row):
    name = f"{row['who']} ({row['bytes']} bytes)" if row["bytes"] else row["who"]
    spread = f"{number(row['spread'][0])} .. {number(row['spread'][1])}"
    ratios = f"{row['ratio']:>9.2f}{row['of_bests']:>7.2f}" if "ratio" in row else " " * 16
    return f"    {name:50}{number(row['best']):>9}{number(row['median']):>9}{spread:>18}{ratios:16}{verdict(row):>14}{row['allocations']:>13g}"


def show(compiler, found):
    print(f"{compiler}, -O3 -DNDEBUG. Nanoseconds of processor time a message.\n{HEAD}")
    place = None
    for row in found:
        if place != (row["table"], row["work"]):
            place = (row["table"], row["work"])
            print(f"  {row['table']}: {row['work']}")
        print(line(row))
    print()


def main():
    folder = Path(sys.argv[1])
    everything = []
    for path in sorted(folder.glob("*+*.json"), reverse=True):
        found = list(rows(path.stem, read(path)))
        show(path.stem, found)
        everything += found
    print("aldis x: our time to this one's, of medians; bests: of best times. Repetitions of all rows were run in random order.")
    print('"over" is where both ratios are beyond the limit, "(over)" where one is. Sizes are of the message in that format.')
    print("Allocations: how often a message asks for memory, after the first ones.")
    if "--json" in sys.argv:
        Path(sys.argv[sys.argv.index("--json") + 1]).write_text(json.dumps({"rows": everything}, indent=1) + "\n")


main()
