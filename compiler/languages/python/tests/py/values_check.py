"""Dicts, sizes, copies and pickles of messages."""

import copy
import dataclasses
import pickle

import extra
from aldis import MISSING, CodecError

types = {name: cls for name, cls in vars(extra).items() if isinstance(cls, type) and hasattr(cls, "from_dict")}
assert len(types) > 10
for cls in types.values():
    value = cls()
    fields = value.to_dict()
    assert list(fields) == list(cls.__match_args__)
    made = cls.from_dict(fields)
    assert repr(made) == repr(value) and made == value
    assert cls.from_dict({}) == cls() or "uuid" in repr(value).lower()
    try:
        data = value.encode()
    except CodecError:
        continue
    assert cls.verify(data + b"rest") == len(data)
    try:
        cls.verify(data[:-1])
    except CodecError as error:
        assert error.code in ("truncated", "bad-pointer", "bad-count"), error
    else:
        raise AssertionError(cls)
    assert pickle.loads(pickle.dumps(value)) == copy.deepcopy(value) == copy.copy(value) == value
    assert dataclasses.replace(value) == value.__replace__() == value
    assert dataclasses.fields(cls) is not None and cls.__dataclass_fields__ is cls.__dataclass_fields__

for wrong in ({"nothing": 1}, [], None):
    try:
        extra.Req.from_dict(wrong)
    except CodecError as error:
        assert error.code == "bad-value"
    else:
        raise AssertionError(wrong)
assert extra.Req.from_dict({"what": "x"}).__replace__(what="y").what == "y"

# A wrong value is a fault with its path, both ways; one that is missing in an older message stays so.
for cls in types.values():
    for name in cls.__match_args__:
        for odd in (313, "text", b"bytes", [313], [(1, 2, 3)], {"key": 1}, object()):
            try:
                cls.from_dict({name: odd})
            except CodecError as error:
                assert error.path[0] == name, error
            value = cls()
            setattr(value, name, odd)
            try:
                value.to_dict()
            except CodecError as error:
                assert error.path[0] == name, error
        value = cls()
        setattr(value, name, MISSING)
        assert value.to_dict()[name] is MISSING and getattr(cls.from_dict({name: MISSING}), name) is MISSING
