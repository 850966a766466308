"""A schema's types as the compiler's data says them, with the classes that are generated for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import Any
from uuid import UUID

from .fast import flags_of
from .faults import CodecError, Step, fail
from .values import MISSING, Opaque, UnknownArm

Key = Callable[[Any], Any]

_HASHABLE = frozenset(("bool", "char", "uuid", "bytes", "decimal"))


def uuid_of(octets: bytes) -> UUID:
    """A UUID without the checks of its constructor, which take longer than all else."""
    made = object.__new__(UUID)
    object.__setattr__(made, "int", int.from_bytes(octets, "big"))
    object.__setattr__(made, "is_safe", _UNSAFE)
    return made


_UNSAFE = UUID(int=0).is_safe


def _float_key(value: float) -> tuple[bool, float]:
    return (True, 0.0) if value != value else (False, value)


def _same(value: Any) -> Any:
    return value


def _octets_key(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


class Schema:
    """The types of a schema; ``classes`` has the class of each, of a union those of its arms."""

    def __init__(self, types: tuple[Any, ...], classes: tuple[Any, ...]) -> None:
        self.types = types
        self.classes = classes
        self._keys: dict[Any, Key] = {}
        self.names: list[tuple[str, ...]] = [
            cls.__match_args__ if data[0] == "record" else () for data, cls in zip(types, classes)
        ]
        self.arms: list[dict[int, Any]] = [
            {arm[0]: own for arm, own in zip(data[1], cls)} if data[0] == "union" else {}
            for data, cls in zip(types, classes)
        ]
        self.tags: list[dict[Any, int]] = [{own: tag for tag, own in arms.items()} for arms in self.arms]

    def hides(self, ty: Any, path: tuple[Step, ...]) -> bool:
        """Whether a hidden field is on the path of a fault in a value of the type."""
        if ty.__class__ is not tuple or not path:
            return False
        if ty[0] != "named":
            return any(self.hides(inner, path[1:] if isinstance(path[0], int) else path) for inner in ty[1:])
        data = self.types[ty[1]]
        fields = enumerate(data[1]) if data[0] == "record" else ()
        return any(
            path[0] in (field[0], field[1]) and (i in data[3] or self.hides(field[2], path[1:])) for i, field in fields
        )

    def conceal(self, record: int, fault: CodecError) -> None:
        """Takes the value out of a fault's words if it is a hidden field's."""
        if self.hides(("named", record), fault.path):
            fault.conceal()

    def arm(self, union: int, tag: int, value: Any) -> Any:
        own = self.arms[union].get(tag)
        return UnknownArm(tag) if own is None else own(value)

    def tag_of(self, union: int, value: Any) -> tuple[int, Any]:
        """The tag of a union's value, and the value of its arm."""
        tag = self.tags[union].get(type(value))
        if tag is not None:
            return tag, value.value
        if isinstance(value, UnknownArm) and isinstance(value.tag, int) and value.tag >= 0:
            return value.tag, None
        fail("bad-value", detail="the value is no arm of the union")

    def number(self, ty: Any) -> Callable[[int], Any]:
        """The function that makes a value of a stored number of the type."""
        if ty.__class__ is tuple and ty[0] == "named":
            cls = self.classes[ty[1]]
            if self.types[ty[1]][0] == "flags":
                return flags_of(cls)
            known = cls._value2member_map_
            return lambda number: known.get(number, number)
        return chr if ty == "char" else _same

    def literal(self, data: Any) -> Any:
        """The value that data of the compiler's says, made anew."""
        if data.__class__ is not tuple:
            return data
        kind, *rest = data
        if kind == "missing":
            return MISSING
        if kind == "named":
            return self.number(("named", rest[0]))(rest[1])
        if kind == "decimal":
            return Decimal((int(rest[0]), tuple(map(int, str(rest[1]))), -rest[2]))
        if kind == "uuid":
            return uuid_of(rest[0])
        if kind == "record":
            return self.classes[rest[0]](*map(self.literal, rest[1]))
        if kind == "arm":
            return self.arm(rest[0], rest[1], self.literal(rest[2]))
        if kind == "opaque":
            return Opaque(rest[0])
        return self.collection(rest[0], [self.literal(item) for item in rest[1]])

    def is_hashable(self, ty: Any) -> bool:
        """Whether equal values of the type are one element of a set."""
        if ty.__class__ is tuple:
            kind = ty[0]
            return kind in ("int", "text") or (kind == "named" and self.types[ty[1]][0] in ("enum", "flags"))
        return ty in _HASHABLE

    def collection(self, ty: Any, items: list[Any]) -> Any:
        """The collection of its elements; those of a map are keys and values by turns."""
        if ty[0] == "optional":
            return self.collection(ty[1], items)
        if ty[0] == "set":
            elements = self.sorted(ty, items)
            return set(elements) if self.is_hashable(ty[1]) else elements
        if ty[0] == "map":
            entries = self.sorted(ty, list(zip(items[::2], items[1::2])))
            return dict(entries) if self.is_hashable(ty[1]) else entries
        return items

    def sorted(self, ty: Any, items: Iterable[Any]) -> list[Any]:
        """The elements of a set or the entries of a map in order, of equals the first."""
        own = self.key(ty[1])
        key: Key = own if ty[0] != "map" else lambda entry: own(entry[0])
        found: list[Any] = []
        last: Any = None
        for made, item in sorted(((key(item), item) for item in items), key=lambda pair: pair[0]):
            if not found or made != last:
                found.append(item)
            last = made
        return found

    def elements(self, ty: Any, value: Any) -> list[Any]:
        """The elements or entries of a set or map that was given, in order."""
        if ty[0] == "optional":
            return self.elements(ty[1], value)
        is_map = ty[0] == "map"
        if isinstance(value, dict) and is_map:
            value = value.items()
        elif not isinstance(value, (list, tuple) if is_map else (set, frozenset, list, tuple)):
            fail("bad-value", detail="a map is a dict, or a list of pairs" if is_map else "a set is a set, or a list")
        if is_map and not all(isinstance(entry, (tuple, list)) and len(entry) == 2 for entry in value):
            fail("bad-value", detail="the entries of a map are pairs of a key and a value")
        try:
            return self.sorted(ty, value)
        except (TypeError, AttributeError, ValueError, ArithmeticError):
            fail("bad-value", detail="an element or key is of another type")

    def key(self, ty: Any) -> Key:
        """The function that gives what values of the type are ordered by."""
        found = self._keys.get(ty)
        if found is None:
            found = self._keys[ty] = self._key(ty)
        return found

    def _key(self, ty: Any) -> Key:
        if ty.__class__ is not tuple:
            if ty in ("f32", "f64"):
                return _float_key
            return (lambda value: value.int) if ty == "uuid" else _same
        kind = ty[0]
        if kind == "text":
            return _octets_key if ty[1] == "utf8" else _same
        if kind == "optional":
            return _optional(self.key(ty[1]))
        if kind == "named":
            return self._named_key(ty[1])
        if kind in ("list", "array"):
            element = self.key(ty[1])
            return lambda value: [element(item) for item in value]
        if kind == "set":
            element = self.key(ty[1])
            return lambda value: sorted(element(item) for item in value)
        if kind == "map":
            key, own = self.key(ty[1]), self.key(ty[2])
            return lambda value: sorted(
                (key(k), own(v)) for k, v in (value.items() if isinstance(value, dict) else value)
            )
        return _same

    def _named_key(self, number: int) -> Key:
        kind = self.types[number]
        if kind[0] == "union":
            return lambda value: 0
        if kind[0] != "record":
            return _same
        parts: list[tuple[str, Key]] = []

        def key(value: Any) -> Any:
            if not parts:
                made: list[tuple[str, Key]] = []
                for index in kind[2]:
                    field = kind[1][index]
                    own = self.key(field[2])
                    is_wrapped = field[3] and not (field[2].__class__ is tuple and field[2][0] == "optional")
                    made.append((self.names[number][index], _optional(own) if is_wrapped else own))
                # At once, since another thread takes them as soon as there are some.
                parts[:] = made
            return [own(getattr(value, name)) for name, own in parts]

        return key


def _optional(own: Key) -> Key:
    return lambda value: (0,) if value is None else (1, own(value))
