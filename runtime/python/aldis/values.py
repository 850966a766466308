"""Values that schemas have and Python has not, and limits of decoding."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Final, final


@final
class Missing:
    """The value of a required field whose bytes are not there: an older or shorter message. It is false, and is not encoded."""

    _one: Missing | None = None

    def __new__(cls) -> Missing:
        if cls._one is None:
            cls._one = super().__new__(cls)
        return cls._one

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "MISSING"

    def __reduce__(self) -> str:
        return "MISSING"


MISSING: Final = Missing()


@dataclass(slots=True)
class Opaque:
    """A value whose type the schema leaves open: a flat message, of one segment without a table, whose root it is."""

    data: bytes = bytes(8)


@dataclass(slots=True)
class UnknownArm:
    """The value of a union whose tag a newer schema added."""

    tag: int


@dataclass(frozen=True, slots=True)
class Limits:
    """How much the bytes of one message may ask for: levels of records, and visited bytes by the input's size."""

    depth: int = 64
    budget_factor: int = 8
    budget_base: int = 262144
    surcharge: bool = True


DEFAULT_LIMITS: Final = Limits()
REFERENCE_LIMITS: Final = Limits(budget_factor=0, budget_base=64 << 20, surcharge=False)
"""The limits of Cap'n Proto's own readers."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=timezone.utc)


def to_datetime(nanoseconds: int) -> datetime:
    """The moment of a timestamp, in UTC; a datetime has no room for nanoseconds below a microsecond, which are dropped."""
    return _EPOCH + timedelta(microseconds=nanoseconds // 1000)


def from_datetime(moment: datetime) -> int:
    """The timestamp of a moment, which knows its time zone."""
    return ((moment - _EPOCH) // timedelta(microseconds=1)) * 1000
