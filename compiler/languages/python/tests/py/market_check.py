"""A generated package as its users see it."""

import copy
import pickle
import random
import resource

from aldis import MISSING, CodecError, Limits
from market import Conditions, OrderBook, OrderBook_bids, Quote, Side, Trade, decode, price

trade = Trade(sequence=1, instrument=7, aggressor=Side.sell, conditions=Conditions.opening | Conditions.late, venue="XET")
data = trade.encode()
assert Trade.decode(data) == trade == decode(data)
assert Trade.decode(bytearray(data)) == Trade.decode(memoryview(data)) == trade
assert Trade.decode_from(b"12345678" + data + b"behind", 8) == (trade, 8 + len(data))
assert pickle.loads(pickle.dumps(trade)) == copy.deepcopy(trade) == trade
match decode(data):
    case Trade(sequence=1, aggressor=Side.sell, price_=price(mantissa=0)):
        pass
    case other:
        raise AssertionError(other)


def fault(run, *args):
    try:
        run(*args)
    except CodecError as error:
        return error.code, error.offset, error.path, str(error)
    raise AssertionError("no fault")


assert fault(Trade.decode, data[:9])[:3] == ("truncated", 8, ("sequence",)), fault(Trade.decode, data[:9])
trade.instrument = 1 << 32
assert fault(trade.encode)[:3] == ("out-of-range", None, ("instrument",))
trade.instrument = "seven"
assert fault(trade.encode)[0] == "bad-value"
assert MISSING is type(MISSING)() and not MISSING

# Numbers that have no name stay numbers.
odd = Trade.decode(Trade(aggressor=3, conditions=Conditions(128)).encode())
assert odd.aggressor == 3 and odd.conditions == 128 and type(odd.aggressor) is int

book = OrderBook(symbol="AAPL", bids=[OrderBook_bids() for _ in range(50)])
data = book.encode()
assert OrderBook.from_json(book.to_json()) == OrderBook.decode(data) == book
assert fault(OrderBook.decode, data, Limits(budget_factor=0, budget_base=100))[0] == "too-large"

# Damaged bytes end in a value or in CodecError, and memory stays as it is.
chance = random.Random(1)
for _ in range(3000):
    damaged = bytearray(data)
    for _ in range(chance.randrange(1, 5)):
        damaged[chance.randrange(len(damaged))] = chance.randrange(256)
    try:
        OrderBook.decode(damaged[: chance.randrange(len(damaged) + 1)])
    except CodecError:
        pass
assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 200_000
assert Quote().bid.mantissa is None

# A record is no text, though it has a method `encode`.
odd = Trade()
setattr(odd, "venue", Quote())
try:
    odd.encode()
    raise AssertionError("a record was written as text")
except CodecError as error:
    assert error.code == "bad-value", error
