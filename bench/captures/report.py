"""The figures of a run as text and as a picture."""
import statistics
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))
import bars  # noqa: E402

VERIFIED, ARROW, WRITTEN, READY = "verified in memory", "Arrow in memory", "Parquet", "Parquet of batches that are ready, by the crates"

# Each measurement: its key, its name for people, and the millions of messages a second that are asked for.
RATES = [
    ("parquet", "aldis convert to Parquet", 1),
    ("parquet, pcap", "  from captured packets", None),
    (ARROW, "columns in memory", 3),
    (WRITTEN, "columns and Parquet, no files", None),
    (READY, "Parquet of ready batches, by the crates", None),
    ("stats", "aldis stats: heads alone", 20),
    ("stats, pcap", "  from captured packets", None),
    ("verify", "aldis stats --verify: every field, none kept", None),
    (VERIFIED, "the same of messages in memory", None),
    ("otf, walk", "sbe-tool on the fly, no value read", None),
    ("otf, values", "sbe-tool on the fly, values read", None),
]

# A ratio of rates: its name, both sides, what is asked for, and whether more is better.
RATIOS = [
    ("time of columns and Parquet to that of the crates", READY, WRITTEN, 1.5, False),
    ("Parquet from captured packets to raw", "parquet, pcap", "parquet", 0.8, True),
    ("stats from captured packets to raw", "stats, pcap", "stats", 0.8, True),
    # sbe-tool is told all fields of messages in memory: verifying answers for all of them too, and columns have them all. The command
    # reads the file beside that, and statistics of heads do less: these two have no goal.
    ("verifying in memory to sbe-tool, no value read", VERIFIED, "otf, walk", 4, True),
    ("stats --verify to sbe-tool, no value read", "verify", "otf, walk", None, True),
    ("columns in memory to sbe-tool, values read", ARROW, "otf, values", 4, True),
    ("columns in memory to sbe-tool, no value read", ARROW, "otf, walk", None, True),
    ("stats, heads alone, to sbe-tool, no value read", "stats", "otf, walk", None, True),
]

MEMORY = 300_000_000


def verdict(value, asked, more_is_better=True):
    """
    >>> verdict(1.6, 1.5, False), verdict(2, None), verdict(4, 4)
    ('  <- missed', '', '')
    """
    reached = asked is None or (value >= asked if more_is_better else value <= asked)
    return "" if reached else "  <- missed"


def text(result):
    """Three tables: rates, ratios of medians, and memory."""
    rates = result["rates"]
    head = (
        f"{result['messages']:,} messages of {result['schema']}, {result['bytes'] / 1e6:,.0f} MB; {result['rounds']} rounds by turns on one core; "
        "seconds are of the processor"
    )
    lines = [head, f"{result['machine']}, load average {result['load']:.1f}", ""]
    lines.append(f"{'millions of messages a second':50} {'median':>8} {'best':>8} {'worst':>8} {'asked':>7}")
    for key, name, asked in RATES:
        median = statistics.median(rates[key]) / 1e6
        lines.append(
            f"{name:50} {median:8.2f} {max(rates[key]) / 1e6:8.2f} {min(rates[key]) / 1e6:8.2f} {asked or '':>7}{verdict(median, asked)}"
        )
    lines += ["", f"{'ratios':50} {'medians':>8} {'bests':>8} {'':8} {'asked':>7}"]
    for name, first, second, asked, more in RATIOS:
        median = statistics.median(rates[first]) / statistics.median(rates[second])
        best = max(rates[first]) / max(rates[second])
        lines.append(f"{name:50} {median:8.2f} {best:8.2f} {'':8} {asked or '':>7}{verdict(median, asked, more)}")
    lines += ["", f"{'anonymous memory, MB':50} {'most':>8} {'':17} {'asked':>7}"]
    for key, name, _ in RATES:
        if key in result["memory"]:
            most = result["memory"][key]
            lines.append(f"{name:50} {most / 1e6:8.1f} {'':17} {MEMORY // 1_000_000:7}{verdict(most, MEMORY, False)}")
    return "\n".join(lines)


def svg(result):
    """A bar for each rate as a part of what is asked for, which is 1 where the bar stands for a peer or has no goal of its own."""
    rows = []
    for key, name, asked in RATES:
        if asked is not None:
            rate = statistics.median(result["rates"][key]) / 1e6
            rows.append((name, rate / asked, 1, f"{rate:.2f} M/s of {asked} M/s"))
    for name, first, second, asked, more in RATIOS:
        if asked is not None:
            ratio = statistics.median(result["rates"][first]) / statistics.median(result["rates"][second])
            least = "at least" if more else "at most"
            rows.append((name, ratio / asked if more else asked / ratio, 1, f"{ratio:.2f}, {least} {asked}"))
    most = max(result["memory"].values())
    rows.append(("the most anonymous memory", MEMORY / most, 1, f"{most / 1e6:.0f} MB, at most {MEMORY // 1_000_000}"))
    title = "Captures to columns and statistics, as a part of what is asked for"
    return bars.svg(title, f"{result['messages']:,} messages of {result['schema']}, one core of {result['machine']}", rows)
