"""The ground that generated packages stand on: faults, values that Python has not, and codecs by tables."""

from .faults import CodecError
from .form import Buffer
from .values import (
    DEFAULT_LIMITS,
    MISSING,
    REFERENCE_LIMITS,
    Limits,
    Missing,
    Opaque,
    UnknownArm,
    from_datetime,
    to_datetime,
)

__all__ = [
    "Buffer",
    "CodecError",
    "DEFAULT_LIMITS",
    "Limits",
    "MISSING",
    "Missing",
    "Opaque",
    "REFERENCE_LIMITS",
    "UnknownArm",
    "from_datetime",
    "to_datetime",
]
