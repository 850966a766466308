"""JSON of a schema's values, both ways, by the compiler's data of its types."""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from typing import Any, Union

from .fast import flags_of
from .faults import CodecError, fail
from .flags import SignedFlag
from .kinds import Base64, Bool, Char, Decimals, Float, Hex, Int, Kind, Latin1, Nothing, Open, Policy, Utf8, Uuid, quoted
from .parse import Parser, bad
from .schema import Schema
from .values import DEFAULT_LIMITS, MISSING


class Optional(Kind):
    may_lack = True

    def __init__(self, inner: Kind, omit_null: bool) -> None:
        self.inner = inner
        self.empty = inner.empty if omit_null else None

    def write(self, value: Any) -> str:
        return self.empty or "null" if value is None else self.inner.write(value)

    def read(self, p: Parser) -> Any:
        return None if p.word("null") else self.inner.read(p)

    def key(self, value: Any) -> str:
        return self.inner.key(value)

    def read_key(self, text: str, at: int) -> Any:
        return self.inner.read_key(text, at)


def read_items(p: Parser, brackets: str, what: str, read: Callable[[], list[Any]]) -> list[Any]:
    """The items that ``read`` reads between brackets, each with its index in the path of a fault."""
    p.expect(brackets[0], what)
    items: list[Any] = []
    index = 0
    try:
        while not p.closes(brackets[1], index == 0):
            items += read()
            index += 1
    except CodecError as error:
        raise error.within(index)
    return items


def written(items: Any, write: Callable[[Any], str]) -> str:
    parts: list[str] = []
    try:
        for item in items:
            parts.append(write(item))
    except CodecError as error:
        raise error.within(len(parts))
    return ",".join(parts)


class List(Kind):
    """Lists, arrays and sets."""

    def __init__(self, schema: Schema, ty: Any, element: Kind, empty: str | None) -> None:
        self.schema, self.ty, self.element, self.empty = schema, ty, element, empty

    def write(self, value: Any) -> str:
        items = self.schema.elements(self.ty, value) if self.ty[0] == "set" else value
        if self.ty[0] == "array" and len(items) != self.ty[2]:
            fail("out-of-range", detail=f"an array of {self.ty[2]} elements has {len(items)}")
        return f"[{written(items, self.element.write)}]"

    def read(self, p: Parser) -> Any:
        p.peek()
        at = p.at
        items = read_items(p, "[]", "an array", lambda: [self.element.read(p)])
        if self.ty[0] == "array" and len(items) != self.ty[2]:
            bad(at, f"expected {self.ty[2]} elements, found {len(items)}")
        made = self.schema.collection(self.ty, items)
        if len(made) != len(items):
            bad(at, "an element of the set is given twice")
        return made


class ByteArray(List):
    def write(self, value: Any) -> str:
        return f"[{','.join(map(str, value))}]"

    def read(self, p: Parser) -> Any:
        return bytes(read_items(p, "[]", "an array", lambda: [self.element.read(p)]))


class Map(Kind):
    """Maps whose keys have a text are objects, others arrays of pairs."""

    def __init__(self, schema: Schema, ty: Any, key: Kind, value: Kind, is_object: bool) -> None:
        self.schema, self.ty, self.names, self.values, self.is_object = schema, ty, key, value, is_object

    def write(self, value: Any) -> str:
        entries = self.schema.elements(self.ty, value)
        if self.is_object:
            return "{" + written(entries, lambda entry: f"{self.names.key(entry[0])}:{self.values.write(entry[1])}") + "}"
        return f"[{written(entries, lambda e: f'[{self.names.write(e[0])},{self.values.write(e[1])}]')}]"

    def read(self, p: Parser) -> Any:
        p.peek()
        at = p.at
        if self.is_object:
            items = read_items(p, "{}", "an object", lambda: self._member(p))
        else:
            items = read_items(p, "[]", "an array of [key,value] pairs", lambda: self._pair(p))
        made = self.schema.collection(self.ty, items)
        if len(made) * 2 != len(items):
            bad(at, "a key is given twice")
        return made

    def _member(self, p: Parser) -> list[Any]:
        p.peek()
        at = p.at
        key = self.names.read_key(p.string(), at)
        p.expect(":", "`:`")
        return [key, self.values.read(p)]

    def _pair(self, p: Parser) -> list[Any]:
        p.expect("[", "a pair [key,value]")
        key = self.names.read(p)
        p.expect(",", "`,` and the value")
        value = self.values.read(p)
        p.expect("]", "`]`")
        return [key, value]


class Enumeration(Kind):
    """JSON has the name, or the value where types are not ``named``; of what has no name the value."""

    def __init__(self, cls: Any, number: Kind, names: Any, named: bool) -> None:
        self.cls, self.number = cls, number
        self.numbers = {text: value for _, value, text in reversed(names)}
        self.texts = {value: quoted(text) for _, value, text in reversed(names)} if named else {}

    def of(self, number: int) -> Any:
        return self.cls._value2member_map_.get(number, number)

    def write(self, value: Any) -> str:
        return self.texts.get(value) or str(index(value))

    def key(self, value: Any) -> str:
        return f'"{int(value)}"'

    def read(self, p: Parser) -> Any:
        following = p.peek()
        if following == '"':
            at = p.at
            found = self.numbers.get(p.string())
            return self.of(found) if found is not None else bad(at, "no enumerant is called so")
        if not following or following not in "-0123456789":
            bad(p.at, f"expected a name or a number, found {p.found()}")
        return self.of(self.number.read(p))

    def read_key(self, text: str, at: int) -> Any:
        return self.of(self.number.read_key(text, at))


class FlagSet(Kind):
    """JSON has a list of names, with what has none as a number, or the value where types are not ``named``; it is read either way
    then."""

    def __init__(self, cls: Any, number: Kind, names: Any, named: bool) -> None:
        self.cls, self.number, self.named = flags_of(cls), number, named
        self.masks = {name: mask for name, mask in reversed(names)}
        single: dict[int, str] = {}
        for name, mask in names:
            if mask and mask & (mask - 1) == 0:
                single.setdefault(mask, name)
        self.bits = sorted(single.items())

    def write(self, value: Any) -> str:
        rest = index(value)
        if not self.named:
            return str(rest)
        found: list[str] = []
        for bit, name in self.bits:
            if rest & bit:
                rest &= ~bit
                found.append(quoted(name))
        if rest:
            found.append(str(rest))
        return f"[{','.join(found)}]"

    def key(self, value: Any) -> str:
        return f'"{int(value)}"'

    def read(self, p: Parser) -> Any:
        if not self.named and p.peek() != "[":
            return self.cls(self.number.read(p))
        p.expect("[", "an array of names")
        mask, first = 0, True
        while not p.closes("]", first):
            first = False
            at = p.at
            if p.peek() == '"':
                found = self.masks.get(p.string())
                mask |= found if found is not None else bad(at, "no flag is called so")
            else:
                mask |= self.number.read(p)
        return self.cls(mask)

    def read_key(self, text: str, at: int) -> Any:
        return self.cls(self.number.read_key(text, at))


Key = Union[str, int]


class Field:
    """A field or arm: its name, its type, and what differs from most."""

    def __init__(self, json: Json, data: Any, name: str) -> None:
        self.label, self.json_key, ty, nullable, optional, missing, fixed, self.flatten, form = data
        self.name = name
        self.is_unnamed = self.label == ""
        self.key = quoted(self.json_key)
        own = json.kind(ty)
        is_optional = ty.__class__ is tuple and ty[0] == "optional"
        if form is not None:
            own = Hex() if form == "hex" else Base64()
            own = Optional(own, json.policy.omit_null) if is_optional else own
        self.kind: Kind = own
        # The kind that has the members, where the field is flattened into its record.
        self.shape: Any = own.inner if isinstance(own, Optional) else own
        literal = json.schema.literal
        self.fixed: Callable[[], Any] | None = None if fixed is None else lambda: literal(fixed)
        empty = _empty(ty)
        self.none: Callable[[], Any] | None = None
        if nullable and (not is_optional or fixed is not None):
            self.none = self.fixed or empty or (lambda: None)
        self.absent: Callable[[], Any] | None = empty
        if fixed is not None:
            self.absent = self.fixed
        elif json.policy.defaults:
            self.absent = lambda: literal(missing)
        elif optional or own.may_lack:
            self.absent = lambda: None

    def read(self, p: Parser) -> Any:
        if self.none is not None and p.word("null"):
            return self.none()
        p.peek()
        at = p.at
        value = self.kind.read(p)
        if self.fixed is not None:
            fixed = self.fixed()
            if value != fixed and not (value != value and fixed != fixed):
                bad(at, "the schema fixes another value")
        return value

    def read_at(self, p: Parser) -> Any:
        try:
            return self.read(p)
        except CodecError as error:
            raise error.within(self.json_key)

    def lacking(self, p: Parser) -> Any:
        """The value where no key gives one."""
        if self.absent is None:
            bad(p.at, "the field is required")
        value = self.absent()
        p.pay(_room(value))
        return value


def _empty(ty: Any) -> Callable[[], Any] | None:
    kind = ty[0] if ty.__class__ is tuple else ty
    if kind == "list":
        return list
    if kind == "text":
        return str
    return bytes if kind == "bytes" else None


def _room(value: Any) -> int:
    """How many fields and elements a value has room for besides its own place."""
    if isinstance(value, dict):
        return sum(2 + _room(item) for item in value.values())
    if isinstance(value, (list, tuple, set)):
        return sum(1 + _room(item) for item in value)
    names = getattr(type(value), "__match_args__", None)
    return sum(1 + _room(getattr(value, name)) for name in names) if names else 0


def at_key(key: Key, run: Callable[[], Any]) -> Any:
    try:
        return run()
    except CodecError as error:
        raise error.within(key)


class Record(Kind):
    def __init__(self, json: Json, number: int) -> None:
        self.json, self.number = json, number
        self._fields: list[Field] | None = None
        self.places: dict[str, int] = {}

    @property
    def fields(self) -> list[Field]:
        if self._fields is None:
            names = self.json.schema.names[self.number]
            data = self.json.schema.types[self.number][1]
            fields = [Field(self.json, one, name) for one, name in zip(data, names)]
            self.places = {field.json_key: i for i, field in enumerate(fields)}
            # Last, since another thread takes the fields as soon as they are there.
            self._fields = fields
        return self._fields

    def of(self, values: list[Any]) -> Any:
        return self.json.schema.classes[self.number](*values)

    def write(self, value: Any) -> str:
        parts: list[str] = []
        for field in self.fields:
            item = getattr(value, field.name)
            try:
                text = "null" if item is None or item is MISSING else field.kind.write(item)
            except CodecError as error:
                raise error.within(field.json_key)
            parts.append(f"{field.key}:{text}")
        return "{" + ",".join(parts) + "}"

    def read(self, p: Parser) -> Any:
        fields = self.fields
        p.enter(len(fields))
        p.expect("{", "an object")
        values: list[Any] = [MISSING] * len(fields)
        given = [False] * len(fields)
        first = True
        while not p.closes("}", first):
            first = False
            at = p.at
            key = p.string()
            place = self.places.get(key)
            if place is None or given[place]:
                at_key(key, lambda: bad(at, "no field is called so" if place is None else "the field is given twice"))
            assert place is not None
            given[place] = True
            p.expect(":", "`:`")
            values[place] = fields[place].read_at(p)
        for i, field in enumerate(fields):
            if not given[i]:
                values[i] = at_key(field.json_key, lambda: field.lacking(p))
        p.depth += 1
        return self.of(values)


class Json:
    """The JSON of a schema's types."""

    def __init__(self, schema: Schema, policy: tuple[bool, ...]) -> None:
        self.schema = schema
        self.policy = Policy(*policy)
        self._kinds: dict[Any, Kind] = {}

    def kind(self, ty: Any) -> Kind:
        found = self._kinds.get(ty)
        if found is None:
            found = self._kinds[ty] = self._make(ty)
        return found

    def _make(self, ty: Any) -> Kind:
        policy = self.policy
        if ty.__class__ is not tuple:
            if ty in ("f32", "f64"):
                return Float(ty == "f32", policy)
            if ty == "bytes" and policy.byte_arrays:
                return ByteArray(self.schema, ty, Int(8, False, policy.wide_text), "[]")
            simple = {"void": Nothing, "bool": Bool, "char": Char, "decimal": Decimals, "uuid": Uuid, "opaque": Open}
            return simple.get(ty, Base64)()
        kind = ty[0]
        if kind == "int":
            return Int(ty[1], ty[2], policy.wide_text)
        if kind == "text":
            made: Kind = Utf8() if ty[1] == "utf8" else Latin1()
            made.empty = '""' if policy.omit_null else None
            return made
        if kind == "named":
            return self._named(ty[1])
        if kind == "optional":
            return Optional(self.kind(ty[1]), policy.omit_null)
        if kind == "map":
            return Map(self.schema, ty, self.kind(ty[1]), self.kind(ty[2]), self._is_member_name(ty[1]))
        return List(self.schema, ty, self.kind(ty[1]), "[]" if policy.omit_null and kind == "list" else None)

    def _is_member_name(self, ty: Any) -> bool:
        if ty.__class__ is tuple and ty[0] == "named":
            return bool(self.schema.types[ty[1]][0] != "record")
        return ty not in ("f32", "f64", "bytes")

    def _named(self, number: int) -> Kind:
        data, cls, named = self.schema.types[number], self.schema.classes[number], self.policy.names
        if data[0] == "enum":
            # Those of characters are numbers in JSON too.
            repr_ = Int(8, False, self.policy.wide_text) if data[1] == "char" else self.kind(data[1])
            return Enumeration(cls, repr_, data[2], named)
        if data[0] == "flags":
            return FlagSet(cls, Int(data[1], issubclass(cls, SignedFlag), self.policy.wide_text), data[2], named)
        if not self.policy.omit_null:
            return Record(self, number)
        from .shapes import Choice, Shape

        return Shape(self, number) if data[0] == "record" else Choice(self, number)

    def write(self, number: int, value: Any) -> str:
        """The JSON text of a record. What JSON cannot say is ``bad-text`` or ``bad-value``, with the path of the value."""
        try:
            return self.kind(("named", number)).write(value)
        except RecursionError:
            raise CodecError("too-deep", detail="the caller leaves no room for records that nest so deep") from None
        except (TypeError, AttributeError, ValueError, ArithmeticError) as error:
            if not isinstance(error, CodecError):
                raise CodecError("bad-value", detail="a value is of another type than its field") from None
            self.schema.conceal(number, error)
            raise

    def read(self, number: int, given: str | bytes) -> Any:
        """The record that a text says, a string or bytes of UTF-8, with nothing after it. Offsets are in what was given."""
        if isinstance(given, str):
            return self._read(number, given)
        try:
            text = bytes(memoryview(given)).decode()
        except UnicodeDecodeError:
            bad(0, "the text is not UTF-8")
        try:
            return self._read(number, text)
        except CodecError as error:
            if error.offset is not None:
                error.offset = len(text[: error.offset].encode())
            raise

    def _read(self, number: int, text: str) -> Any:
        p = Parser(text, DEFAULT_LIMITS.depth)
        try:
            value = self.kind(("named", number)).read(p)
        except RecursionError:
            raise CodecError("too-deep", p.at, (), "the caller leaves no room for records that nest so deep") from None
        except CodecError as fault:
            self.schema.conceal(number, fault)
            raise
        p.end()
        return value
