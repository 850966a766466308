"""Functions for usual messages read what this schema's writers write, as the careful reader does."""

import importlib
import pathlib
import sys

from aldis import DEFAULT_LIMITS, CodecError
from aldis.fast import ODD
from aldis.form import Codec

folder = next(path for path in map(pathlib.Path, sys.path) if list(path.glob("*/_careful.py")))
package = importlib.import_module(next(folder.glob("*/_careful.py")).parent.name)
codecs = importlib.import_module(f"{package.__name__}._codec")

seen = 0
for name, codec in vars(codecs).items():
    if not isinstance(codec, Codec):
        continue
    cls = codec.form.schema.classes[codec.record]
    given = cls()
    data = codec.form.encode(codec.message, given)
    assert codec.write_usual(given) == data, name
    assert codec.encode(given) == data
    for field in cls.__match_args__:
        if getattr(given, field) == []:
            lists = cls()
            setattr(lists, field, [None, None])
            try:
                nulls = codec.form.encode(codec.message, lists)
            except CodecError:
                continue
            assert codec.encode(lists) == nulls, (name, field)
    # Canonical writers leave out zeros at the end, so that sections are mostly shorter than the schema's.
    if codec.form.name == "capnp-canonical":
        continue
    value, end = codec.usual(data, 0)
    careful, behind = codec.form.careful(codec.message, data, 0, DEFAULT_LIMITS)
    assert repr(value) == repr(careful) and type(value) is cls, (name, value, careful)
    assert end == behind == len(data), (name, end, behind)
    assert codec.decode(bytearray(data)) == codec.decode(memoryview(data)) == codec.decode(data)
    assert repr(codec.view(data)) == repr(value) and codec.verify(data) == end
    pair = data + data
    found = codec.usual(pair, end)
    assert repr(found[0]) == repr(value) and found[1] == 2 * end, name
    for size in range(len(data)):
        try:
            codec.usual(data[:size], 0)
        except ODD:
            seen += 1
        else:
            raise AssertionError(f"{name}: {size} of {len(data)} bytes are no message")
assert seen
