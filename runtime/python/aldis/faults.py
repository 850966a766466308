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
    """A fault in bytes, JSON or a value: a code, the offset where it was seen, and the path of the field. The value that the
    detail shows is ``shown`` until the fault is out of every field that might hide it."""

    def __init__(
        self, code: str, offset: int | None = None, path: tuple[Step, ...] = (), detail: str = "", shown: str = ""
    ) -> None:
        super().__init__(code, offset, path, detail)
        self.shown = shown
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

    def conceal(self) -> None:
        """Takes the value out of the words: a hidden field holds it."""
        if self.shown:
            self.detail = self.detail.replace(self.shown, "***")
            self.args = (self.code, self.offset, self.path, self.detail)


def fail(code: str, at: int | None = None, detail: str = "", path: tuple[Step, ...] = (), shown: str = "") -> NoReturn:
    raise CodecError(code, at, path, detail, shown)


def not_within(number: int, least: int, most: int) -> NoReturn:
    """A number beyond its type. One of more digits than any type has is not shown: it may have millions."""
    shown = str(number) if number.bit_length() <= 128 else ""
    fail("out-of-range", detail=f"{shown or 'the number'} is not from {least} to {most}", shown=shown)
