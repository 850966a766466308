"""Why something of the transport failed."""

from __future__ import annotations

NAMES = (
    "normal",
    "protocol",
    "frame-too-large",
    "version",
    "unauthorized",
    "too-many-connections",
    "idle",
    "slow",
    "draining",
    "gap",
    "bad-checksum",
    "bad-count",
    "refused",
    "handler",
    "credit",
    "stale-epoch",
    "deadline",
    "unsupported",
    "unavailable",
    "superseded",
)
"""The codes of NACK, CLOSE, UNSUBSCRIBE and REPLY in the order of their numbers."""

_FATAL = frozenset(
    ("protocol", "frame-too-large", "version", "unauthorized", "stale-epoch", "unsupported", "superseded", "closed", "misused")
)


def code_name(number: int) -> str:
    return NAMES[number] if number < len(NAMES) else f"code {number}"


def code_number(name: str) -> int:
    """The number on the wire; a code that only this side knows is ``normal`` there."""
    if name.startswith("code "):
        return int(name[5:])
    return NAMES.index(name) if name in NAMES else 0


def is_fatal(name: str) -> bool:
    """Whether connecting again cannot help: docs/protocol.md, "Endings"."""
    return name in _FATAL


class TransportError(Exception):
    """A failure with a code of docs/protocol.md (``code 77`` for one that it has not), or ``disconnected``, ``closed``, ``misused`` or
    ``full``, which only this side knows."""

    def __init__(self, code: str, text: str = "") -> None:
        super().__init__(code, text)
        self.code, self.text = code, text

    def __str__(self) -> str:
        return f"{self.code}: {self.text}" if self.text else self.code


class End(Exception):
    """A connection is at its end: why, whether there is to be no other, and whether the server is to be told."""

    def __init__(self, why: TransportError, *, fatal: bool, tell: bool) -> None:
        super().__init__(why, fatal, tell)
        self.why, self.fatal, self.tell = why, fatal, tell


def lost(why: TransportError) -> End:
    return End(why, fatal=is_fatal(why.code), tell=False)


def broken(code: str, text: str) -> End:
    """A new connection may do better."""
    return End(TransportError(code, text), fatal=False, tell=True)


def fatal(code: str, text: str) -> End:
    return End(TransportError(code, text), fatal=True, tell=True)


def unforeseen(error: Exception) -> End:
    """The end by an error that nobody foresaw: it would come again in every connection."""
    why = TransportError("misused", str(error))
    why.__cause__ = error
    return End(why, fatal=True, tell=True)
