"""Names that generated code has for itself, and values that do not fit their fields."""

import copy
import pickle
import random
from decimal import Decimal
from uuid import UUID

import typing_ as made


def code_of(act) -> str:
    try:
        act()
    except made.CodecError as error:
        return error.code
    return "none"


for name in made.__all__:
    cls = getattr(made, name)
    if hasattr(cls, "from_json"):
        assert cls.decode(cls().encode()) == cls(), name
        assert cls.from_json(cls().to_json()) == cls(), name

deep = Decimal("1E+999999")
for field, value, code in [
    ("number", 1 << 40, "out-of-range"),
    ("number", 10**5000, "out-of-range"),
    ("number", 1.5, "bad-value"),
    ("narrow", 1e300, "out-of-range"),
    ("price", Decimal("1" * 5000), "out-of-range"),
    ("price", deep, "out-of-range"),
    ("price", 1, "bad-value"),
    ("id", '"},{"', "bad-value"),
    ("pair", [1], "out-of-range"),
    ("ready", "x", "bad-value"),
]:
    trade = made.Trade()
    setattr(trade, field, value)
    assert code_of(trade.encode) == code, (field, code_of(trade.encode))
    assert code_of(trade.to_json) == code, (field, code_of(trade.to_json))
assert made.Trade(id=UUID(int=1)).to_json() != made.Trade().to_json()

# Python keeps the values of flags; a feed of random masks must not fill its memory.
for _ in range(2000):
    mask = made.Marks(random.getrandbits(64))
    assert made.Trade.decode(made.Trade(marks=mask).encode()).marks == mask
    made.Marks._value2member_map_.pop(int(mask), None)
mask = bytes(range(0x11, 0x99, 0x11))
before = made.Trade(marks=made.Marks(int.from_bytes(mask, "little"))).encode()
at = before.index(mask)
for _ in range(2000):
    message = before[:at] + random.getrandbits(64).to_bytes(8, "little") + before[at + 8 :]
    made.Trade.decode(message)
assert len(made.Marks._value2member_map_) < 300, len(made.Marks._value2member_map_)

# Flags of a signed number keep their sign, in pickles and copies too.
leaning = made.Leaning.decode(made.Leaning(made.Tilt(-5)).encode())
for tilt in (leaning.tilt, pickle.loads(pickle.dumps(leaning)).tilt, copy.deepcopy(leaning).tilt, leaning.tilt | made.Tilt.left):
    assert tilt == -5 and type(tilt) is made.Tilt, tilt
assert made.Leaning.from_json(made.Leaning(made.Tilt(-5)).to_json()).tilt == -5
