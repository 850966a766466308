#!/usr/bin/env python3
"""Rates of rounds run by turns: rates.py TIMES BYTES, TIMES having rows `name TAB messages TAB nanoseconds`.

The first name in the file is ours; ratios are of medians, against the last."""

import statistics
import sys


def main(path, size):
    rounds = {}
    for row in open(path, encoding="utf-8"):
        name, messages, nanoseconds = row.rstrip("\n").split("\t")
        rounds.setdefault(name, []).append(int(messages) * 1e9 / int(nanoseconds))
        count = int(messages)
    print(f"{count} messages, {int(size) / 1e6:.0f} MB, {len(next(iter(rounds.values())))} rounds by turns")
    print(f"{'what':24} {'median/s':>12} {'best/s':>12} {'worst/s':>12} {'ratio':>7}")
    names = list(rounds)
    peer = statistics.median(rounds[names[-1]])
    for name in names:
        median = statistics.median(rounds[name])
        print(f"{name:24} {median:12.0f} {max(rounds[name]):12.0f} {min(rounds[name]):12.0f} {median / peer:6.2f}x")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
