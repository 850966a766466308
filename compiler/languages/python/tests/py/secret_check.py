"""Faults show the value that does not fit and what does; those of hidden fields do not show it."""

import re

import secret


def fault_of(act):
    try:
        act()
    except secret.CodecError as fault:
        return fault
    raise AssertionError("it is taken")


wrong = {"pin": 777, "wide": 777 << 70, "pins": [1, 777], "inner": secret.Pin(digits=777 << 40), "colour": 777}
for field, value in wrong.items():
    card = secret.Card()
    setattr(card, field, value)
    for encode in (card.encode, card.encode_final):
        fault = fault_of(encode)
        assert re.match(rf"out-of-range in {field}.*: \*\*\* is not from -?\d+ to \d+$", str(fault)), fault
        assert "777" not in repr(fault), repr(fault)

for text in ('{"pin":777}', '{"wide":777e30}', '{"pins":[1,777]}', '{"inner":{"digits":777000000000}}', '{"colour":777}'):
    fault = fault_of(lambda: secret.Card.from_json(text))
    assert re.match(r"out-of-range at byte \d+ in \w+.*: \*\*\* is not an integer from", str(fault)), fault
    assert "777" not in repr(fault), repr(fault)
assert "777" not in str(fault_of(lambda: secret.Card.from_json('{"pin":"777"}')))
assert ": *** is not from" in str(fault_of(secret.Card(pin=777).to_json))

for fault in (fault_of(secret.Card(open=777).encode), fault_of(secret.Card(open=777).to_json)):
    assert str(fault) == "out-of-range in open: 777 is not from -128 to 127", fault
assert str(fault_of(lambda: secret.Card.from_json('{"open":777}'))).endswith(": 777 is not an integer from -128 to 127")
