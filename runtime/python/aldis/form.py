"""The codecs of one wire form: what generated packages call."""

from __future__ import annotations

from .fast import ODD, Odd
from .faults import CodecError, fail
from .values import DEFAULT_LIMITS, Limits

# Programs wait for the packages they import: modules that only careful work and JSON need are imported by them, and typing by none.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Generic, TypeAlias, TypeVar

    from .cells import Scalar
    from .jsontext import Json
    from .schema import Schema

    T = TypeVar("T")
else:

    class Generic:
        """A class that has a type parameter."""

        def __class_getitem__(cls, parameter):
            return cls

    T = None

Buffer: TypeAlias = "bytes | bytearray | memoryview"


def as_bytes(data: Buffer) -> bytes:
    """Bytes that nobody changes while they are read."""
    if type(data) is bytes:
        return data
    try:
        return bytes(memoryview(data))
    except TypeError:
        raise TypeError("a message is bytes, or another buffer of them") from None


class Types:
    """The types of a schema, and their JSON, as forms share them."""

    json: Json

    def __init__(self, data: tuple[Any, ...], policy: tuple[bool, ...], classes: tuple[Any, ...]) -> None:
        from .schema import Schema

        self.schema: Schema = Schema(data, classes)
        self._policy = policy

    def __getattr__(self, name: str) -> Any:
        """Loads what only JSON needs."""
        if name != "json":
            raise AttributeError(name)
        from .jsontext import Json

        self.json = Json(self.schema, self._policy)
        return self.json


class Form:
    """The routines of a schema in a wire form. ``data`` is the form's, as the compiler says it."""

    def __init__(
        self, name: str, types: Callable[[], Types], data: Callable[[], dict[str, Any]], fast: Callable[[], Any], strict_text: bool
    ) -> None:
        self.name = name
        self.strict_text = strict_text
        self._fast = fast
        self._types = types
        self.data = data
        self._scalars: dict[Any, Scalar] = {}

    def __getattr__(self, name: str) -> Any:
        """Loads what only careful work needs."""
        if name.startswith("_"):
            raise AttributeError(name)
        if name in ("usual", "writers_of_usual", "engine", "checkers", "viewers"):
            try:
                readers, writers = self._fast()
            except ODD as error:
                # It is no message that is odd.
                raise ImportError(f"the functions for usual messages of form {self.name} cannot be loaded: {error}") from error
            from . import objects

            writers = [never if write is None else write for write in writers]
            self.engine = objects.readers(self, writers)
            self.checkers: Any = None
            self.viewers: Any = None
            if self.engine is None:
                self.usual = [never if read is None else read for read in readers]
            else:
                self.usual = objects.readings(self, self.engine)
                self.checkers = objects.checkers(self, self.engine)
                self.viewers = objects.viewers(self, self.engine)
                writers = objects.writings(self, self.engine, writers)
            self.writers_of_usual = writers
            return self.__dict__[name]
        types = self._types()
        if name == "json":
            self.json: Json = types.json
            return self.json
        self.schema: Schema = types.schema
        found = self.data()
        self.order = found["order"]
        self.container: Any = found["container"]
        self.runs: Any = found["runs"]
        self.literals: Any = found["literals"]
        self.lists: Any = found["lists"]
        self.lacks: Any = found["lacks"]
        self.routines: Any = found["routines"]
        self.readers: Any = found["readers"]
        self.writers: Any = found["writers"]
        self.dispatch: Any = found["dispatch"]
        self.head: Any = found["head"]
        return self.__dict__[name]

    def scalar(self, data: Any) -> Scalar:
        found = self._scalars.get(data)
        if found is None:
            from .cells import Scalar

            found = self._scalars[data] = Scalar(self.schema, self.order == "big", data)
        return found

    def decode(self, message: int, data: Buffer, limits: Limits = DEFAULT_LIMITS) -> Any:
        return self.decode_from(message, data, 0, limits)[0]

    def decode_from(self, message: int, data: Buffer, at: int, limits: Limits = DEFAULT_LIMITS) -> tuple[Any, int]:
        """The value of the message that begins at ``at``, and where it ends."""
        octets = as_bytes(data)
        if not 0 <= at <= len(octets):
            raise IndexError("the message begins outside of the bytes")
        if limits is DEFAULT_LIMITS:
            try:
                found: tuple[Any, int] = self.usual[message](octets, at)
                return found
            except ODD:
                pass
        return self.careful(message, octets, at, limits)

    def verify(self, message: int, data: Buffer, limits: Limits) -> int:
        """Where a message ends."""
        octets = as_bytes(data)
        if limits is DEFAULT_LIMITS and self.checkers is not None:
            try:
                end: int = self.checkers[message](octets, 0)
                return end
            except ODD:
                pass
            # The engine's reader refuses what its checker does.
            return self.careful(message, octets, 0, limits)[1]
        return self.decode_from(message, octets, 0, limits)[1]

    def place(self, message: int, data: Buffer, limits: Limits) -> Any:
        """A message that was checked, whose fields views ask for."""
        octets = as_bytes(data)
        if limits is DEFAULT_LIMITS and self.viewers is not None:
            try:
                return self.viewers[message](octets, self._fields_of(message, octets))
            except ODD:
                pass
            found = self.careful(message, octets, 0, limits)
        else:
            found = self.decode_from(message, octets, 0, limits)
        from .view import Value

        return Value(found[0])

    def _fields_of(self, message: int, octets: bytes) -> Callable[[int], Any]:
        """The function that gives a field of a message that was checked, which the engine does not view."""

        def field_of(field: int) -> Any:
            value = self.careful(message, octets, 0, DEFAULT_LIMITS)[0]
            return getattr(value, value.__match_args__[field])

        return field_of

    def careful(self, message: int, octets: bytes, at: int, limits: Limits) -> tuple[Any, int]:
        """The value of a message of any kind, and where it ends."""
        from .walk import Reader

        try:
            if self.container is not None and self.container[1]:
                return self._unpacked(message, octets, at, limits)
            return Reader(self, octets, at, limits).run(self.readers[message])
        except RecursionError:
            raise CodecError("too-deep", detail="the caller leaves no room for records that nest so deep") from None

    def _unpacked(self, message: int, data: bytes, at: int, limits: Limits) -> tuple[Any, int]:
        from .packing import unpack
        from .walk import Reader

        words, end = unpack(data, at)
        try:
            return Reader(self, words, 0, limits).run(self.readers[message])[0], end
        except CodecError as error:
            # A fault in unpacked words has no place in the bytes that were given.
            error.offset = None
            raise

    def collection(self, of: int, items: list[Any]) -> Any:
        return self.schema.collection(self.lists[of], items)

    def elements(self, of: int, value: Any) -> list[Any]:
        return self.schema.elements(self.lists[of], value)

    def encode(self, message: int, value: Any, header: Any = None) -> bytes:
        from .put import Writer

        try:
            octets = Writer(self).run(self.writers[message], value)
            if header is None:
                return octets
            own, spans = self.head
            given = Writer(self).run(self.writers[own], header)
        except RecursionError:
            raise CodecError("too-deep", detail="the caller leaves no room for records that nest so deep") from None
        whole = bytearray(octets)
        for at, size in spans:
            whole[at : at + size] = given[at : at + size]
        return bytes(whole)

    def identify(self, data: Buffer) -> int:
        """The message that the bytes are."""
        if self.dispatch is None:
            fail("unknown-message", detail="messages of this form do not say what they are")
        octets = as_bytes(data)
        expect, via, place, meanings = self.dispatch

        def integer(of: tuple[int, int], start: int) -> int:
            at, size = start + of[0], of[1]
            if at + size > len(octets):
                fail("truncated", start)
            return int.from_bytes(octets[at : at + size], self.order)

        for of, want in expect:
            if integer(of, 0) != want:
                fail("unknown-message", of[0])
        start = 0 if via is None else integer(via, 0)
        if start > len(octets):
            fail("bad-pointer", 0)
        number = integer(place, start)
        found = next((message for own, message in meanings if own == number), None)
        if found is None:
            fail("unknown-message", start + place[0])
        return int(found)


def never(*given: Any) -> Any:
    raise Odd


class Codec(Generic[T]):
    """The codec of a message in a form; ``record`` is the number of its type."""

    def __init__(self, form: Form, message: int, record: int) -> None:
        self.form, self.message, self.record = form, message, record

    def __getattr__(self, name: str) -> Any:
        """Loads the functions for usual messages."""
        if name == "view_of":
            from .view import class_of

            self.view_of: Callable[[Any], T] = class_of(self.form.schema.classes[self.record])
            return self.view_of
        if name not in ("usual", "write_usual"):
            raise AttributeError(name)
        self.usual: Callable[[bytes, int], tuple[T, int]] = self.form.usual[self.message]
        self.write_usual: Callable[[T], bytes] = self.form.writers_of_usual[self.message]
        if self.form.engine is not None:
            from .objects import put_decoder

            put_decoder(self)
        return self.__dict__[name]

    def decode(self, data: Buffer, limits: Limits = DEFAULT_LIMITS) -> T:
        return self.decode_from(data, 0, limits)[0]

    def careful(self, data: bytes) -> T:
        """The value of a message that is not as usual."""
        value: T = self.form.careful(self.message, data, 0, DEFAULT_LIMITS)[0]
        return value

    def verify(self, data: Buffer, limits: Limits = DEFAULT_LIMITS) -> int:
        return self.form.verify(self.message, data, limits)

    def view(self, data: Buffer, limits: Limits = DEFAULT_LIMITS) -> T:
        return self.view_of(self.form.place(self.message, data, limits))

    def decode_from(self, data: Buffer, at: int = 0, limits: Limits = DEFAULT_LIMITS) -> tuple[T, int]:
        return self.form.decode_from(self.message, data, at, limits)

    def encode(self, value: T, header: object = None) -> bytes:
        if header is None:
            try:
                return self.write_usual(value)
            except ODD:
                pass
        return self.write_careful(value, header)

    def write_careful(self, value: T, header: object = None) -> bytes:
        """The bytes of a value that is not as usual."""
        try:
            return self.form.encode(self.message, value, header)
        except CodecError as fault:
            self.form.schema.conceal(self.record, fault)
            raise

    def to_dict(self, value: T) -> dict[str, object]:
        from .dicts import Dicts

        return Dicts(self.form.schema).of_record(self.record, value)

    def from_dict(self, fields: dict[str, object]) -> T:
        from .dicts import Dicts

        value: T = Dicts(self.form.schema).record(self.record, fields)
        return value

    def to_json(self, value: T) -> str:
        return self.form.json.write(self.record, value)

    def from_json(self, text: str | bytes) -> T:
        value: T = self.form.json.read(self.record, text)
        return value


class AnyCodec(Generic[T]):
    """The messages of a form that their bytes tell apart."""

    def __init__(self, form: Form) -> None:
        self.form = form

    def decode(self, data: Buffer, limits: Limits = DEFAULT_LIMITS) -> T:
        value: T = self.form.decode(self.form.identify(data), data, limits)
        return value
