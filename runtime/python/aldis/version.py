"""The contract between generated packages and this one: those of one minor version belong together."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

VERSION = "0.1.0"


def needs(package: str, wanted: str) -> None:
    """Raises ImportError where a package was generated for another version than this one; packages call it first."""
    if not VERSION.startswith(f"{wanted}."):
        raise ImportError(
            f"{package} needs aldis of version {wanted}, and this is {VERSION}: generate it again, or install aldis {wanted}"
        )


def linked(package: str, other: ModuleType, wanted: str) -> None:
    """Raises ImportError where a package was generated for another schema's package than the one there is."""
    if other.__dict__.get("_SCHEMA") != wanted:
        raise ImportError(f"{package} was generated for another {other.__name__}: generate both again")
