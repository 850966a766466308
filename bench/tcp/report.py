"""The results of a run as text and as a picture."""
import statistics
import sys
from pathlib import Path

from tiers import LATENCIES, RATES, STREAMED_RATES

sys.path.append(str(Path(__file__).resolve().parent.parent))
import bars  # noqa: E402


def verdict(reached):
    return "" if reached else "  <- missed"


def text(result):
    """Three tables, each row with what is asked of it."""
    head = f"{result['machine']}, {result['versions']}, loopback, one connection, medians of {result['rounds']} rounds by turns"
    busy = f"load average {result['load']:.1f}" + (": the machine was busy with other things too" if result["load"] > 4 else "")
    return "\n".join([head, busy, "", *rate_lines(result), "", *latency_lines(result), "", *other_lines(result), *jetstream_lines(result), *result.get("beside", [])])


def rates(result):
    """The tiers that were measured."""
    return [tier for tier in RATES + STREAMED_RATES if tier[1] in result["loads"]]


def rate_lines(result):
    loads = result["loads"]
    yield (
        f"{'throughput':40} {'M messages/s':>13} {'best':>6} {'C++ server':>11} {'share':>7} {'asked':>7} {'server ns':>10} {'C++ ns':>7}"
    )
    for name, ours, peer, least in rates(result):
        rate, theirs = loads[ours]["rate"], loads[peer]["rate"]
        share = rate / theirs
        yield (
            f"{name:40} {rate / 1e6:13.1f} {loads[ours]['best'] / 1e6:6.1f} {theirs / 1e6:11.1f} {share:7.0%} {least:7.0%} "
            f"{loads[ours]['server_ns']:10.1f} {loads[peer]['server_ns']:7.1f}{verdict(share >= least)}"
        )


def latency_lines(result):
    loads = result["loads"]
    yield f"{'latency, 32 B':40} {'p50 us':>8} {'p99 us':>8} {'p50/C++':>8} {'asked':>6} {'p99/p50':>8} {'asked':>6}"
    for name, ours, peer, times, spread in LATENCIES:
        p50, p99, base = loads[ours]["p50"], loads[ours]["p99"], loads[peer]["p50"]
        reached = (times is None or p50 <= times * base) and (spread is None or p99 <= spread * p50)
        yield (
            f"{name:40} {p50 / 1e3:8.1f} {p99 / 1e3:8.1f} {p50 / base:8.2f} {times or '':>6} {p99 / p50:8.2f} {spread or '':>6}"
            f"{verdict(reached)}"
        )


def other_lines(result):
    for state, most in (("idle", 20_000), ("busy", 1_000_000)):
        seen = result["memory"][state]
        total = max(seen["process"] + seen["port"] + seen["binaries"], seen.get("resident", 0))
        yield (
            f"{'memory of a connection, ' + state:40} {total / 1e3:10.1f} kB (its process {seen['process'] / 1e3:.1f}, binaries "
            f"{seen['binaries'] / 1e3:.1f}); at most {most / 1e3:.0f} kB{verdict(total <= most)}"
        )
    alone, beside = (statistics.median(result["crowd"][key]) for key in ("alone", "beside"))
    share = beside / alone
    yield (
        f"{'busy beside ' + format(result['crowd']['idle'], ',') + ' idle connections':40} {beside / 1e6:10.1f} M/s of {alone / 1e6:.1f} "
        f"alone: {share:.0%}; asked 80%{verdict(share >= 0.8)}"
    )


def jetstream_lines(result):
    """Our durable tier against NATS JetStream, where that was measured."""
    ours = result["loads"]["durable"]["rate"]
    for what, rate in result.get("jetstream", {}).items():
        yield f"{'NATS JetStream, acked when ' + what:40} {rate / 1e6:10.3f} M/s; durable is {ours / rate:.0f} times that"


def svg(result):
    """A bar for each tier's share of the C++ server's rate, with a mark where it should reach."""
    loads = result["loads"]
    rows = []
    for name, ours, peer, least in rates(result):
        rate, share = loads[ours]["rate"], loads[ours]["rate"] / loads[peer]["rate"]
        rows.append((name, share, least, f"{share:.0%}, {rate / 1e6:.1f} M/s"))
    title = "Acknowledged messages a second, as a share of a plain C++ server's"
    return bars.svg(title, f"{result['machine']}, {result['versions']}", rows)
