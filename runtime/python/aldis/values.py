"""Values that schemas have and Python has not, and limits of decoding."""

from __future__ import annotations

from .records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import Final


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


class Opaque(Record):
    """A value whose type the schema leaves open: a flat message, of one segment without a table, whose root it is."""

    __slots__ = ("data",)
    __match_args__ = ("data",)

    def __init__(self, data: bytes = bytes(8)) -> None:
        self.data = data


class UnknownArm(Record):
    """The value of a union whose tag a newer schema added."""

    __slots__ = ("tag",)
    __match_args__ = ("tag",)

    def __init__(self, tag: int) -> None:
        self.tag = tag


class Limits(Record):
    """How much the bytes of one message may ask for: levels of records, and visited bytes by the input's size. They do not change."""

    __slots__ = ("depth", "budget_factor", "budget_base", "surcharge")
    __match_args__ = ("depth", "budget_factor", "budget_base", "surcharge")

    depth: int
    budget_factor: int
    budget_base: int
    surcharge: bool

    def __init__(self, depth: int = 64, budget_factor: int = 8, budget_base: int = 262144, surcharge: bool = True) -> None:
        for name, value in zip(self.__match_args__, (depth, budget_factor, budget_base, surcharge)):
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("limits do not change")

    def __hash__(self) -> int:  # type: ignore[override]
        return hash((self.depth, self.budget_factor, self.budget_base, self.surcharge))

    def __reduce__(self) -> tuple[type[Limits], tuple[int, int, int, bool]]:
        return Limits, (self.depth, self.budget_factor, self.budget_base, self.surcharge)


DEFAULT_LIMITS: Final = Limits()
REFERENCE_LIMITS: Final = Limits(budget_factor=0, budget_base=64 << 20, surcharge=False)
"""The limits of Cap'n Proto's own readers."""


def to_datetime(nanoseconds: int) -> datetime:
    """The moment of a timestamp, in UTC; a datetime has no room for nanoseconds below a microsecond, which are dropped."""
    from datetime import datetime, timedelta, timezone

    return datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(microseconds=nanoseconds // 1000)


def from_datetime(moment: datetime) -> int:
    """The timestamp of a moment, which knows its time zone."""
    from datetime import datetime, timedelta, timezone

    return ((moment - datetime(1970, 1, 1, tzinfo=timezone.utc)) // timedelta(microseconds=1)) * 1000
