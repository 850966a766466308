"""Draws the trades of a feed, prices and sizes over time: `python plot.py FEED PNG`. It takes matplotlib."""

import sys
from datetime import datetime, timezone

import matplotlib

matplotlib.use("Agg")
import matplotlib.dates
import matplotlib.pyplot as pyplot
from market import Side, Trade, stream


def main() -> None:
    with open(sys.argv[1], "rb") as file:
        trades = [message for message in stream.read(file, "u32le") if isinstance(message, Trade)]
    times = [datetime.fromtimestamp(trade.time / 1e9, timezone.utc) for trade in trades]
    prices = [trade.price_.mantissa * 10.0**trade.price_.exponent for trade in trades]
    figure, (above, below) = pyplot.subplots(2, sharex=True, figsize=(9, 5), height_ratios=(3, 1), layout="constrained")
    above.plot(times, prices, linewidth=0.8, color="tab:gray")
    for side, color in ((Side.buy, "tab:green"), (Side.sell, "tab:red")):
        own = [index for index, trade in enumerate(trades) if trade.aggressor == side]
        above.scatter([times[index] for index in own], [prices[index] for index in own], s=5, color=color, label=f"{side.name} is the aggressor")
    above.set_ylabel("price")
    above.legend()
    below.bar(times, [trade.size for trade in trades], width=1 / 86400, color="tab:blue")
    below.set_ylabel("size")
    below.xaxis.set_major_formatter(matplotlib.dates.DateFormatter("%H:%M", tz=timezone.utc))
    figure.savefig(sys.argv[2], dpi=110)
    print(f"{len(trades)} trades")


if __name__ == "__main__":
    main()
