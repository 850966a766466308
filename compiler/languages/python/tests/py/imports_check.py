"""Packages that import one another in a circle: each has its own types, and refers to those of the other."""

import json
import sys
from pathlib import Path

import left
import right
from left import stream

assert not hasattr(left, "Price") and not hasattr(right, "Account")
price = right.Price(amount=-7, side=right.Side.sell, kind=right.Price_kind_until(9))
account = left.Account(owner="Ada", price=price, history=[price, right.Price()], side=right.Side.sell)
back = left.Account.decode(account.encode())
assert back == account and type(back.price) is right.Price and type(back.side) is right.Side
assert left.Account.from_json(account.to_json()) == account == left.Account.from_dict(account.to_dict())
assert left.Account.decode_packed(bytearray(account.encode_packed())) == account
# The careful way makes the same classes.
assert left._codec.Account.careful(account.encode()) == account
price.of = left.Account(owner="Bob")
assert right.Price.decode(price.encode()) == price
assert list(stream.read([account.encode()], left.Account)) == [account]

# The path of a fault leads through both packages.
price.of.history = [right.Price(amount="much")]
try:
    account.encode()
    raise SystemExit("no fault")
except left.CodecError as error:
    assert error.path == ("price", "of", "history", 0, "amount"), error.path

# A package of another schema, or one of options that are others, is refused by name.
source = Path(right.__file__)
text = source.read_text()
for name in [name for name in sys.modules if name.split(".")[0] in ("left", "right")]:
    del sys.modules[name]
stale = Path(sys.argv[2]) / "right"
stale.mkdir(parents=True, exist_ok=True)
(stale / "__init__.py").write_text(text.replace(right._SCHEMA, "0000000000000000"))
sys.path.insert(0, sys.argv[2])
for module in source.parent.glob("_*.py"):
    if module.name != "__init__.py":
        (stale / module.name).write_text(module.read_text())
try:
    import left
    raise SystemExit("a stale package was taken")
except ImportError as error:
    assert str(error) == "left was generated for another right: generate both again", error
