"""The base of records: they compare and print as dataclasses do, and the functions of ``dataclasses`` take them, but to import
them costs no more than their own lines."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dataclasses import Field
    from typing import Any, ClassVar

    from typing_extensions import Self

NEW: Any = object()
"""The default of fields whose value is made anew for each record."""


class _Fields:
    """The fields of a record's class, as ``dataclasses`` wants them; made when it first asks."""

    def __init__(self) -> None:
        self.known: Any = None

    def __get__(self, record: Any, cls: Any) -> dict[str, Any]:
        import dataclasses

        if cls is Record:
            raise AttributeError("__dataclass_fields__")
        if self.known is None:
            from weakref import WeakKeyDictionary

            self.known = WeakKeyDictionary()
        fields: dict[str, Any] | None = self.known.get(cls)
        if fields is not None:
            return fields
        made: Any = dataclasses.make_dataclass(cls.__name__, cls.__match_args__)
        found: dict[str, Any] = made.__dataclass_fields__
        self.known[cls] = found
        return found


class Record:
    """A value with named fields."""

    __slots__ = ()
    __match_args__: tuple[str, ...] = ()
    if TYPE_CHECKING:
        __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    else:
        __dataclass_fields__ = _Fields()

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        # As lists, in which a value is itself: NaN too.
        return [getattr(self, name) for name in self.__match_args__] == [getattr(other, name) for name in self.__match_args__]

    __hash__ = None  # type: ignore[assignment]

    def __replace__(self, /, **changes: Any) -> Any:
        """For ``copy.replace`` of Python 3.13."""
        fields = {name: getattr(self, name) for name in self.__match_args__}
        return self.__class__(**fields | changes)

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
        return f"{self.__class__.__qualname__}({fields})"
