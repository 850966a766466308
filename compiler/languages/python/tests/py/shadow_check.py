"""Messages that are called as what generated code uses are read and written by functions for usual messages, as others are."""

import shadow
from aldis import DEFAULT_LIMITS
from aldis.form import Codec
from shadow import _codec

seen = 0
for codec in list(vars(_codec).values()):
    if not isinstance(codec, Codec):
        continue
    cls = codec.form.schema.classes[codec.record]
    element = next(own for name, own in vars(shadow).items() if name.endswith(f"_entries{codec.message}"))
    given = cls(7, shadow.Side(1), shadow.Marks(1), "four", [1, 2, 3], [element(5), element(6)], "text", b"data")
    data = codec.write_usual(given)
    assert data == codec.form.encode(codec.message, given), cls
    found = codec.usual(data, 0)
    assert found == (given, len(data)) == codec.form.careful(codec.message, data, 0, DEFAULT_LIMITS), (cls, found)
    seen += 1
assert seen > 100, seen
