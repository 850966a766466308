"""The JSON of Cap'n Proto (compat/json): null fields are left out, keys that mean nothing are skipped, a union's arm may be a
member of the record around it, and so may the members of what is flattened."""

from __future__ import annotations

from typing import Any

from .faults import CodecError
from .jsontext import Field, Json, at_key
from .kinds import Kind, Nothing, quoted
from .parse import Parser, bad
from .values import MISSING, UnknownArm

# The ways to write the null of a union's arm. It may be left out, as a member of a record is.
_ALWAYS = 1
_EMPTY = 2
_TOLD = 3
"""As an empty value too, but for one of no bytes: another member tells which arm is active."""

_ABSENT: Any = object()


def _write_member(out: list[str], prefix: str, field: Field, value: Any, nulls: int = 0, told: str | None = None) -> None:
    flat = field.flatten is not None and told is None
    nothing = value is None or value is MISSING
    if field.flatten is not None and told is None and not nothing:
        field.shape.members(value, prefix + field.flatten, out)
        return
    text = _null_text(field.kind, nulls, flat) if nothing else field.kind.write(value)
    if text is not None:
        out.append(f"{quoted(prefix + (told or field.json_key))}:{text}")


def _null_text(kind: Kind, nulls: int, flat: bool) -> str | None:
    is_nothing = isinstance(kind, Nothing)
    if nulls == _ALWAYS or (nulls == 0 and is_nothing):
        return "null"
    if nulls == 0 or (nulls == _TOLD and is_nothing):
        return None
    # An empty record has no members.
    return None if flat else kind.empty or "null"


class Members:
    """The members of an object, found before they are read: they come in any order."""

    def __init__(self, p: Parser) -> None:
        self.at: dict[str, int] = {}
        p.expect("{", "an object")
        first = True
        while not p.closes("}", first):
            first = False
            start = p.at
            key = p.string()
            p.expect(":", "`:`")
            p.peek()
            if key in self.at:
                at_key(key, lambda: bad(start, "the field is given twice"))
            self.at[key] = p.at
            at_key(key, lambda: p.skip(p.depth))
        self.end = p.at


def _member_of(p: Parser, field: Field, members: Members, prefix: str) -> Any:
    """The value of a field or arm, where one of its members is given."""
    if field.flatten is None:
        return _read_key(p, prefix + field.json_key, field, members)
    inner = prefix + field.flatten
    return field.shape.read_from(p, members, inner) if field.shape.is_given(members, inner, p.depth) else _ABSENT


def _read_key(p: Parser, key: str, field: Field, members: Members) -> Any:
    at = members.at.get(key)
    if at is None:
        return _ABSENT
    p.at = at
    return at_key(key, lambda: field.read(p))


def _is_member_given(field: Field, members: Members, prefix: str, depth: int) -> bool:
    if field.flatten is not None:
        return bool(field.shape.is_given(members, prefix + field.flatten, depth))
    if field.is_unnamed:
        return bool(field.shape.is_given(members, prefix, depth))
    return prefix + field.json_key in members.at


def _skip(p: Parser, key: str, at: int, skipped: set[str]) -> None:
    """Skips what a key that means nothing leads to."""
    if key in skipped:
        at_key(key, lambda: bad(at, "the key is given twice"))
    skipped.add(key)
    p.expect(":", "`:`")
    at_key(key, lambda: p.skip(p.depth))


class Shape(Kind):
    """Records. A union without a name is a field whose members are the record's own."""

    empty = "{}"

    def __init__(self, json: Json, number: int) -> None:
        self.json, self.number = json, number
        self._fields: list[Field] | None = None
        self.places: dict[str, tuple[int, Field, int | None]] = {}

    @property
    def fields(self) -> list[Field]:
        if self._fields is None:
            names = self.json.schema.names[self.number]
            data = self.json.schema.types[self.number][1]
            fields = [Field(self.json, one, name) for one, name in zip(data, names)]
            for i, field in enumerate(fields):
                if isinstance(field.kind, Choice) and field.is_unnamed:
                    for tag, arm in field.kind.arms:
                        self.places.setdefault(arm.json_key, (i, arm, tag))
            own = {field.json_key: (i, field, None) for i, field in reversed(list(enumerate(fields))) if not field.is_unnamed}
            self.places.update(own)
            # Last, since another thread takes the fields as soon as they are there.
            self._fields = fields
        return self._fields

    def is_shaped(self) -> bool:
        """Whether its members are not just its fields."""
        return any(
            field.flatten is not None or (isinstance(field.kind, Choice) and field.is_unnamed and field.kind.is_shaped())
            for field in self.fields
        )

    def members(self, value: Any, prefix: str, out: list[str]) -> None:
        for field in self.fields:
            own = getattr(value, field.name)
            if field.is_unnamed:
                field.shape.members(own, prefix, out)
            else:
                try:
                    _write_member(out, prefix, field, own)
                except CodecError as error:
                    raise error.within(field.label)

    def write(self, value: Any) -> str:
        out: list[str] = []
        self.members(value, "", out)
        return "{" + ",".join(out) + "}"

    def is_given(self, members: Members, prefix: str, depth: int) -> bool:
        return depth > 0 and any(_is_member_given(field, members, prefix, depth - 1) for field in self.fields)

    def read_from(self, p: Parser, members: Members, prefix: str) -> Any:
        p.enter(len(self.fields))
        values: list[Any] = []
        for field in self.fields:
            if field.is_unnamed:
                value = field.shape.read_from(p, members, prefix)
            else:
                value = _member_of(p, field, members, prefix)
            values.append(field.lacking(p) if value is _ABSENT else value)
        p.depth += 1
        return self.json.schema.classes[self.number](*values)

    def read(self, p: Parser) -> Any:
        fields = self.fields
        if self.is_shaped():
            return _read_shaped(self, p)
        p.enter(len(fields))
        p.expect("{", "an object")
        values: list[Any] = [_ABSENT] * len(fields)
        skipped: set[str] = set()
        first = True
        while not p.closes("}", first):
            first = False
            at = p.at
            key = p.string()
            place = self.places.get(key)
            if place is None:
                _skip(p, key, at, skipped)
                continue
            i, field, tag = place
            if values[i] is not _ABSENT:
                at_key(key, lambda: bad(at, "the field, or another arm of the union, is given already"))
            p.expect(":", "`:`")
            value = at_key(key, lambda: field.read(p))
            values[i] = value if tag is None else fields[i].shape.of(tag, value)
        for i, field in enumerate(fields):
            if values[i] is _ABSENT:
                values[i] = at_key(field.json_key, lambda: field.lacking(p))
        p.depth += 1
        return self.json.schema.classes[self.number](*values)


def _read_shaped(kind: Shape | Choice, p: Parser) -> Any:
    members = Members(p)
    value = kind.read_from(p, members, "")
    p.at = members.end
    return value


class Choice(Kind):
    """Unions. A member of its own may tell the arm's name."""

    empty = "{}"

    def __init__(self, json: Json, number: int) -> None:
        self.json, self.number = json, number
        _, self._data, self.told, self.empty_arms = json.schema.types[number]
        self._arms: list[tuple[int, Field]] | None = None

    @property
    def arms(self) -> list[tuple[int, Field]]:
        if self._arms is None:
            self._arms = [(tag, Field(self.json, data, data[0])) for tag, data in self._data]
        return self._arms

    def of(self, tag: int, value: Any) -> Any:
        return self.json.schema.arm(self.number, tag, value)

    def _first_arm(self, p: Parser, at: int) -> Any:
        arm = next((arm for tag, arm in self.arms if tag == 0), None)
        if arm is None:
            bad(at, "one member of the union must be given")
        return self.of(0, arm.lacking(p))

    def is_shaped(self) -> bool:
        return self.told is not None or any(arm.flatten is not None for _, arm in self.arms)

    def members(self, value: Any, prefix: str, out: list[str]) -> None:
        if isinstance(value, UnknownArm):
            return
        tag, inner = self.json.schema.tag_of(self.number, value)
        arm = next(arm for own, arm in self.arms if own == tag)
        nulls = _EMPTY if self.empty_arms else 0 if tag == 0 else _ALWAYS
        told = None
        if self.told:
            nulls, told = _TOLD, self.told[1]
            out.append(f"{quoted(prefix + self.told[0])}:{arm.key}")
        try:
            _write_member(out, prefix, arm, inner, nulls, told)
        except CodecError as error:
            raise error.within(arm.label)

    def write(self, value: Any) -> str:
        out: list[str] = []
        self.members(value, "", out)
        return "{" + ",".join(out) + "}"

    def is_given(self, members: Members, prefix: str, depth: int) -> bool:
        if depth <= 0:
            return False
        if self.told and prefix + self.told[0] in members.at:
            return True
        return any(_is_member_given(arm, members, prefix, depth - 1) for _, arm in self.arms)

    def _told_arm(self, p: Parser, members: Members, prefix: str) -> tuple[int, Field] | None:
        if not self.told:
            return None
        key = prefix + self.told[0]
        at = members.at.get(key)
        if at is None:
            return None
        p.at = at
        name = at_key(key, p.string)
        found = next((arm for arm in self.arms if arm[1].json_key == name), None)
        if found is None:
            at_key(key, lambda: bad(at, "no member of the union is called so"))
        return found

    def read_from(self, p: Parser, members: Members, prefix: str) -> Any:
        known = self._told_arm(p, members, prefix)
        if known is not None:
            tag, arm = known
            name = self.told[1]
            if name is None:
                value = _member_of(p, arm, members, prefix)
            else:
                value = _read_key(p, prefix + name, arm, members)
            return self.of(tag, arm.lacking(p) if value is _ABSENT else value)
        found: Any = _ABSENT
        for tag, arm in self.arms:
            value = _member_of(p, arm, members, prefix)
            if value is _ABSENT:
                continue
            if found is not _ABSENT:
                at_key(arm.label, lambda: bad(members.end, "two members of one union are given"))
            found = self.of(tag, value)
        return self._first_arm(p, members.end) if found is _ABSENT else found

    def read(self, p: Parser) -> Any:
        if self.is_shaped():
            return _read_shaped(self, p)
        p.peek()
        start = p.at
        p.expect("{", "an object")
        found: Any = _ABSENT
        skipped: set[str] = set()
        first = True
        while not p.closes("}", first):
            first = False
            at = p.at
            key = p.string()
            known = next(((tag, arm) for tag, arm in self.arms if arm.json_key == key), None)
            if known is None:
                _skip(p, key, at, skipped)
                continue
            if found is not _ABSENT:
                at_key(key, lambda: bad(at, "one member of a union was given already"))
            p.expect(":", "`:`")
            tag, arm = known
            found = self.of(tag, at_key(key, lambda: arm.read(p)))
        return self._first_arm(p, start) if found is _ABSENT else found
