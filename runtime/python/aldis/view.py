"""Views of messages: records that cannot be changed, each field of which is read where it lies when it is asked for. Where there is no
engine, which checks a message without making anything of it, checking is decoding, and a view has the value that this made."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Value:
    """A message that was decoded, in the place of the engine's."""

    __slots__ = ("_value",)

    def __init__(self, value: Any) -> None:
        self._value = value

    def field(self, number: int) -> Any:
        return getattr(self._value, self._value.__match_args__[number])


class Field:
    """A field of a view. Nothing can be put there."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number = number

    def __get__(self, view: Any, cls: Any) -> Any:
        return self if view is None else view.__place.field(self.number)

    def __set__(self, view: Any, value: Any) -> None:
        raise AttributeError("a view cannot be changed: decode the message, or copy the view")

    def __delete__(self, view: Any) -> None:
        self.__set__(view, None)


def class_of(record: Any) -> Callable[[Any], Any]:
    """The function that makes a view of a checked message whose class is ``record``. A view says that it is of that class: it prints,
    compares, is matched and is encoded as a record is, and its copies are records."""
    names = record.__match_args__

    def reduce(view: Any) -> tuple[Any, ...]:
        return record, tuple([getattr(view, name) for name in names])

    def reduce_ex(view: Any, protocol: int) -> tuple[Any, ...]:
        return reduce(view)

    members: dict[str, Any] = {name: Field(number) for number, name in enumerate(names)}
    members |= {
        "__slots__": ("_Field__place",),
        "__module__": record.__module__,
        "__class__": property(lambda view: record),
        "__reduce__": reduce,
        "__reduce_ex__": reduce_ex,
    }
    made: Any = type(f"{record.__name__}View", (record,), members)
    blank, put = object.__new__, made.__dict__["_Field__place"].__set__

    def view(place: Any) -> Any:
        found = blank(made)
        put(found, place)
        return found

    return view
