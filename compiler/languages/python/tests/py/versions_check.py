# A message of an older version ends where it ends: groups and data that it has not are not read from the bytes behind it.
import lamp_market as market

older = bytes.fromhex("0b0020000b000100") + bytes(8) + bytes(3) + bytes.fromhex("200000")
value, end = market.BookUpdate.decode_from(older)
assert end == len(older), end
# As a group of one entry would be.
behind = bytes.fromhex("1800000000000001") + bytes(24)
assert market.BookUpdate.decode_from(older + behind) == (value, end)
