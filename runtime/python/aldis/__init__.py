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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .engine import Schema as Schema, load as load


def __getattr__(name: str) -> object:
    """Loads what needs the engine of the wheel."""
    if name in ("Schema", "load"):
        from . import engine

        return getattr(engine, name)
    raise AttributeError(f"module 'aldis' has no attribute {name!r}")


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
