"""Rows: the fixed parts of messages side by side, and NumPy's arrays over them. It takes NumPy when an array is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .faults import CodecError

if TYPE_CHECKING:
    from . import _native


class AllRows(dict[str, "Rows"]):
    """Rows by the names of their messages; those of lists have the list's name behind it. Of a damaged input they are those before the
    damage, and ``fault`` says what it is; ``skipped`` is how many messages were left out."""

    fault: CodecError | None = None
    skipped: int = 0


class Rows:
    """The rows of one message, or of one list of records in a message."""

    def __init__(self, name: str, native: _native.Rows) -> None:
        self.name = name
        self._native = native
        self._fields = {field[0]: field for field in native.fields()}

    def __len__(self) -> int:
        return len(self._native)

    def __repr__(self) -> str:
        return f"<{len(self)} rows of {self.name}: {', '.join(self._fields)}>"

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the fields; those within a record have its name before theirs: ``price.mantissa``."""
        return tuple(self._fields)

    @property
    def dtype(self) -> Any:
        """NumPy's type of a row. Enums and flags are their numbers, times integers, text of a fixed size is
        bytes, and truth is a number that is not 0."""
        numpy = _numpy()
        formats = [kind if count is None else (kind, (count,)) for _, kind, _, count, _, _ in self._fields.values()]
        offsets = [field[2] for field in self._fields.values()]
        return numpy.dtype({"names": list(self._fields), "formats": formats, "offsets": offsets, "itemsize": self._native.width})

    @property
    def array(self) -> Any:
        """The rows as an array of NumPy over the very bytes, which nobody may change; ``array["size"]`` is a view of one field."""
        numpy = _numpy()
        kind = self.dtype
        if kind.itemsize == 0:
            return numpy.zeros(len(self), kind)
        # A row is one element of unknown kind until the fields are told.
        return numpy.asarray(self._native).view(kind)

    @property
    def parents(self) -> Any:
        """For each row the number of the row that it is part of, among those of what the list is in; zeros for messages."""
        numpy = _numpy()
        return numpy.frombuffer(self._native.parents(), numpy.uint32)

    def nulls(self, name: str) -> Any:
        """Which rows have null in a field, as an array of truth values."""
        numpy = _numpy()
        _, kind, _, _, null, is_nan = self._fields[name]
        values = self.array[name]
        if is_nan:
            return numpy.isnan(values)
        if null is None:
            return numpy.zeros(values.shape, bool)
        bits = numpy.dtype(kind[0] + "u" + kind[2:])
        return values.view(bits) == bits.type(null)

    def column(self, name: str) -> Any:
        """A field's values by themselves, one behind the other in memory; masked where they are null, if the field can be null."""
        numpy = _numpy()
        _, _, _, _, null, is_nan = self._fields[name]
        values = numpy.ascontiguousarray(self.array[name])
        return numpy.ma.masked_array(values, self.nulls(name)) if is_nan or null is not None else values

    def columns(self) -> dict[str, Any]:
        """All fields as ``column`` has them, and ``parents`` as ``_parent``."""
        return {"_parent": self.parents} | {name: self.column(name) for name in self._fields}


def _numpy() -> Any:
    return import_module("numpy")
