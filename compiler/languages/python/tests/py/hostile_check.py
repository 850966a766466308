"""Names that Python, dataclasses or the code around them need are still names."""

import dataclasses

import hostile

seen = 0
for name in dir(hostile):
    cls = getattr(hostile, name)
    if dataclasses.is_dataclass(cls) and cls.__module__ == "hostile" and hasattr(cls, "decode"):
        made = cls()
        assert cls.decode(made.encode()) == made, name
        assert cls.decode_final(made.encode_final()) == made, name
        assert cls.from_json(made.to_json()) == made, name
        seen += 1
assert seen >= 5, seen
