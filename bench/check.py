#!/usr/bin/env python3
"""Whether figures got worse: compares the tables that benches just wrote to docs/*.json with those of the last commit.

    bench/check.py [NAME…]      NAME: cpp, beam; both by default. Exit 1 when any row is over its limit.

A row's figure is ours divided by the peer's of the same run, the better of the ratio of medians and the ratio of bests, since noise
only ever adds. Its limit is `at_most` where the row has one and kept to it before, otherwise a fifth more than before.
"""

import json
import subprocess
import sys
from pathlib import Path

SLACK = 1.2
ROOT = Path(__file__).resolve().parent.parent


def figure(row):
    """
    >>> figure({"ratio": 1.4, "of_bests": 1.25})
    1.25
    """
    return min(row["ratio"], row["of_bests"])


def limit(before):
    """
    >>> limit({"ratio": 1.1, "of_bests": 1.2, "at_most": 1.3})
    1.3
    >>> limit({"ratio": 1.5, "of_bests": 1.5, "at_most": 1.3})
    1.8
    >>> limit({"ratio": 0.5, "of_bests": 0.6, "at_most": None})
    0.6
    """
    at_most = before.get("at_most")
    if at_most and figure(before) <= at_most:
        return at_most
    return round(figure(before) * SLACK, 3)


def cpp(said):
    """The rows of docs/cpp.json that have a ratio: {name: row}."""
    return {
        f"{row['compiler']}: {row['table']}, {row['work']}, against {row['who']}": row for row in said["rows"] if "ratio" in row
    }


def beam(said):
    """The rows of docs/beam.json, one for each peer: {name: row}."""
    rows = {}
    for row in said["rows"]:
        limits = {one["against"]: one["at_most"] for one in row.get("limit", [])}
        for peer, times in row.items():
            if isinstance(times, dict) and "ratio" in times:
                rows[f"{row['name']}, {row['operation']}, against {peer}"] = times | {"at_most": limits.get(peer)}
    for row in said.get("elixir", []):
        rows[f"{row['name']}, {row['operation']}, Elixir against Erlang"] = row["elixir"]
    return rows


TABLES = {"cpp": cpp, "beam": beam}


def worse(before, now):
    """
    >>> old = {"a": {"ratio": 1.0, "of_bests": 1.0, "at_most": 1.3}, "b": {"ratio": 1.0, "of_bests": 1.0}, "c": {"ratio": 1, "of_bests": 1}}
    >>> worse(old, {"a": {"ratio": 1.25, "of_bests": 1.28}, "b": {"ratio": 1.3, "of_bests": 1.4}})
    ['b: 1.30, at most 1.20', 'c: the row is gone']
    """
    found = []
    for name, row in before.items():
        if name not in now:
            found.append(f"{name}: the row is gone")
        elif figure(now[name]) > limit(row):
            found.append(f"{name}: {figure(now[name]):.2f}, at most {limit(row):.2f}")
    return found


def main(names):
    over = 0
    for name in names or TABLES:
        path = f"docs/{name}.json"
        committed = subprocess.run(["git", "show", f"HEAD:{path}"], cwd=ROOT, capture_output=True, check=True).stdout
        before, now = TABLES[name](json.loads(committed)), TABLES[name](json.loads((ROOT / path).read_text()))
        rows = worse(before, now)
        print(f"{path}: {len(before)} rows, {len(rows)} over their limit")
        for row in rows:
            print(f"  {row}")
        over += len(rows)
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
