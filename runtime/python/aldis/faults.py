"""Faults in bytes, JSON and values."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn, TypeAlias

Step: TypeAlias = "str | int"


def path_text(path: tuple[Step, ...]) -> str:
    """The path as people write it: ``orders[2].symbol``."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            text += f".{step}" if text else step
    return text


class CodecError(ValueError):
    """A fault in bytes, JSON or a value: a code, the offset where it was seen, and the path of the field."""

    def __init__(self, code: str, offset: int | None = None, path: tuple[Step, ...] = (), detail: str = "") -> None:
        super().__init__(code, offset, path, detail)
        self.code = code
        self.offset = offset
        self.path = path
        self.detail = detail

    def __str__(self) -> str:
        place = "" if self.offset is None else f" at byte {self.offset}"
        path = path_text(self.path)
        within = f" in {path}" if path else ""
        detail = f": {self.detail}" if self.detail else ""
        return f"{self.code}{place}{within}{detail}"

    def within(self, step: Step) -> CodecError:
        """The same fault, with a step before its path."""
        self.path = (step, *self.path)
        return self


def fail(code: str, at: int | None = None, detail: str = "", path: tuple[Step, ...] = ()) -> NoReturn:
    raise CodecError(code, at, path, detail)
