"""Records as dicts and back: fields by their names in Python, an arm of a union as a dict of one entry. All else stays what it is in
a record: numbers, enums, text, decimals, sets."""

from __future__ import annotations

from typing import Any

from .faults import CodecError, fail
from .schema import Schema
from .values import MISSING, UnknownArm


def elements(value: Any) -> Any:
    """The elements of a list."""
    if isinstance(value, (str, bytes, dict)) or not hasattr(value, "__iter__"):
        fail("bad-value", detail="the value is not a list")
    return value


def entries(value: Any) -> list[Any]:
    """The keys and values of a map: a dict, or pairs."""
    if isinstance(value, dict):
        return list(value.items())
    if isinstance(value, (str, bytes)) or not hasattr(value, "__iter__"):
        fail("bad-value", detail="the value is not a map")
    pairs = list(value)
    if not all(isinstance(entry, (list, tuple)) and len(entry) == 2 for entry in pairs):
        fail("bad-value", detail="the entries of a map are pairs of a key and a value")
    return pairs


class Dicts:
    """The types of a schema as dicts."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema

    def of_record(self, number: int, value: Any) -> dict[str, object]:
        if not isinstance(value, self.schema.classes[number]):
            fail("bad-value", detail=f"the value is no {self.schema.classes[number].__name__}")
        fields = zip(self.schema.names[number], self.schema.types[number][1])
        return {name: self.of(field[2], getattr(value, name), name) for name, field in fields}

    def of(self, ty: Any, value: Any, step: str | int) -> Any:
        try:
            return self._of(ty, value)
        except CodecError as error:
            raise error.within(step) from None

    def _of(self, ty: Any, value: Any) -> Any:
        if value is None or value is MISSING or ty.__class__ is not tuple:
            return value
        kind = ty[0]
        if kind == "optional":
            return self._of(ty[1], value)
        if kind in ("list", "array"):
            return [self.of(ty[1], item, i) for i, item in enumerate(elements(value))]
        if kind == "set" and isinstance(value, list):
            return [self.of(ty[1], item, i) for i, item in enumerate(value)]
        if kind == "map":
            made = [(self._of(ty[1], key), self.of(ty[2], own, i)) for i, (key, own) in enumerate(entries(value))]
            return dict(made) if isinstance(value, dict) else made
        if kind != "named":
            return value
        meaning = self.schema.types[ty[1]][0]
        if meaning == "union":
            return self._of_union(ty[1], value)
        return self.of_record(ty[1], value) if meaning == "record" else value

    def _of_union(self, number: int, value: Any) -> Any:
        if isinstance(value, UnknownArm):
            return value
        tag, own = self.schema.tag_of(number, value)
        name, ty = self._arms(number)[tag]
        return {name: self.of(ty, own, name)}

    def _arms(self, number: int) -> dict[int, tuple[str, Any]]:
        return {tag: (field[0], field[2]) for tag, field in self.schema.types[number][1]}

    def record(self, number: int, fields: Any) -> Any:
        if not isinstance(fields, dict):
            fail("bad-value", detail="a record is a dict")
        types = {name: field[2] for name, field in zip(self.schema.names[number], self.schema.types[number][1])}
        for name in fields:
            if name not in types:
                fail("bad-value", detail=f"the record has no field {name}")
        return self.schema.classes[number](**{name: self.made(types[name], own, name) for name, own in fields.items()})

    def made(self, ty: Any, value: Any, step: str | int) -> Any:
        try:
            return self._made(ty, value)
        except CodecError as error:
            raise error.within(step) from None

    def _made(self, ty: Any, value: Any) -> Any:
        if value is None or value is MISSING or ty.__class__ is not tuple:
            return value
        kind = ty[0]
        if kind == "optional":
            return self._made(ty[1], value)
        if kind in ("list", "array") or (kind == "set" and isinstance(value, (list, tuple))):
            return [self.made(ty[1], item, i) for i, item in enumerate(elements(value))]
        if kind == "map":
            made = [(self._made(ty[1], key), self.made(ty[2], own, i)) for i, (key, own) in enumerate(entries(value))]
            return dict(made) if isinstance(value, dict) else made
        if kind != "named":
            return value
        meaning = self.schema.types[ty[1]][0]
        if meaning == "union":
            return self._arm(ty[1], value)
        return self.record(ty[1], value) if meaning == "record" else value

    def _arm(self, number: int, value: Any) -> Any:
        if isinstance(value, UnknownArm):
            return value
        arms = {name: (tag, ty) for tag, (name, ty) in self._arms(number).items()}
        if not isinstance(value, dict) or len(value) != 1 or next(iter(value)) not in arms:
            fail("bad-value", detail="a union is a dict of one entry, the name of an arm and its value")
        [(name, own)] = value.items()
        tag, ty = arms[name]
        return self.schema.arm(number, tag, self.made(ty, own, name))
