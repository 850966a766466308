"""Views of messages: records in all but that they cannot be changed."""

import copy
import dataclasses
import pickle

import extra
from aldis import CodecError, Limits

types = {name: cls for name, cls in vars(extra).items() if isinstance(cls, type) and hasattr(cls, "view")}
assert len(types) > 10
for cls in types.values():
    value = cls()
    try:
        data = value.encode()
    except CodecError:
        continue
    for view in (cls.view(data), cls.view(memoryview(data + b"rest")), cls.view(data, Limits(depth=30))):
        assert isinstance(view, cls) and view.__class__ is cls and repr(view) == repr(value)
        assert view == value or "nan" in repr(value)
        assert view.encode() == data and view.to_json() == value.to_json() and view.to_dict().keys() == value.to_dict().keys()
        for made in (copy.copy(view), copy.deepcopy(view), pickle.loads(pickle.dumps(view)), dataclasses.replace(view)):
            assert type(made) is cls and repr(made) == repr(value)
        for name in cls.__match_args__:
            for change in (lambda: setattr(view, name, None), lambda: delattr(view, name)):
                try:
                    change()
                except AttributeError as error:
                    assert "cannot be changed" in str(error)
                else:
                    raise AssertionError(f"{cls.__name__}.{name} was changed")
    for size in range(len(data)):
        try:
            cls.decode(data[:size])
        except CodecError as error:
            wanted = error
        else:
            raise AssertionError(f"{cls.__name__}: {size} of {len(data)} bytes are decoded")
        try:
            cls.view(data[:size])
        except CodecError as error:
            assert (error.code, error.offset, error.path) == (wanted.code, wanted.offset, wanted.path)
        else:
            raise AssertionError(f"{cls.__name__}: {size} of {len(data)} bytes are no message")

match extra.Req.view(extra.Req(what="x").encode()):
    case extra.Req(what=what):
        assert what == "x"
    case other:
        raise AssertionError(f"a view is no {other!r}")
final = extra.Req(what="y").encode_final()
assert extra.Req.view_final(final).what == "y"
