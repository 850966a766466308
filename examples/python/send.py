"""Sends a day of trades over aldis/1: `python send.py PORT COUNT [FEED]`. They are in the server's log when it ends; FEED has them as a file."""

import random
import sys

from aldis.transport import Client, Options
from market import Side, Trade, price, stream

DAY = 1_790_000_000_000_000_000
SECOND = 1_000_000_000


def trades(count: int):
    """A price that walks at random, of an instrument."""
    walk = random.Random(7)
    mantissa = 10_150_000_000
    for sequence in range(1, count + 1):
        mantissa += round(walk.gauss(0, 2_000_000))
        side = walk.choice((Side.buy, Side.sell))
        size = walk.randrange(1, 100)
        yield Trade(sequence, DAY + sequence * SECOND, 7, price(mantissa), size, side, venue="XY")


def main() -> None:
    port, count = int(sys.argv[1]), int(sys.argv[2])
    with Client.connect(Options("127.0.0.1", port, durability="durable")) as client:
        for trade in trades(count):
            client.send(trade.encode())
        client.flush(timeout=60)
    if len(sys.argv) > 3:
        frames = stream.sender("u32le")
        for trade in trades(count):
            frames.send(trade)
        with open(sys.argv[3], "wb") as file:
            file.write(frames.take())
    print(f"acknowledged {count}")


if __name__ == "__main__":
    main()
