"""The answers that a client waits for, and the messages of its subscriptions."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Union

from .errors import TransportError
from .frames import Credit, Push, Subscribe, entries_of
from .options import Subscription

Event = Callable[[], object]
"""A call of a function of the user's."""

Told = Callable[[Union[bytes, TransportError]], None]
"""The one who asked is told the answer, or why there is none."""


class Requests:
    """Requests that wait for their answers."""

    def __init__(self) -> None:
        self._last = 0
        self._open: dict[int, tuple[Told, float]] = {}

    def open(self, told: Told, deadline: float) -> int:
        """Gives the request's correlation. A deadline is a moment, or infinity."""
        self._last += 1
        self._open[self._last] = told, deadline
        return self._last

    def answer(self, correlation: int, code: str, data: bytes) -> None:
        """An answer to a request that is not open, because it came too late, is nobody's."""
        found = self._open.pop(correlation, None)
        if found is not None:
            found[0](data if code == "normal" else TransportError(code, data.decode(errors="replace")))

    def expire(self, now: float) -> None:
        """Those whose deadline has passed get no answer."""
        for correlation in [one for one, (_, deadline) in self._open.items() if deadline <= now]:
            self._open.pop(correlation)[0](TransportError("deadline", "no answer in time"))

    def fail(self, why: TransportError) -> None:
        waiting, self._open = self._open, {}
        for told, _ in waiting.values():
            told(why)

    @property
    def earliest(self) -> float:
        """When the first of them has waited enough."""
        return min((deadline for _, deadline in self._open.values()), default=inf)


class _Open:
    """A subscription: the last sequence that came, and the one up to which CREDIT was said in this connection."""

    def __init__(self, asked: Subscription) -> None:
        self.asked = asked
        self.consumed = 0
        self.granted: int | None = None


class Subscriptions:
    """The subscriptions of a client, and how far each has come."""

    def __init__(self) -> None:
        self._last = 0
        self._open: dict[int, _Open] = {}

    def open(self, asked: Subscription) -> tuple[int, Subscribe]:
        self._last += 1
        open = self._open[self._last] = _Open(asked)
        return self._last, _frame(self._last, open)

    def close(self, id: int) -> bool:
        return self._open.pop(id, None) is not None

    def frames(self) -> list[Subscribe]:
        """SUBSCRIBE for all, in a new connection."""
        for open in self._open.values():
            open.granted = None
        return [_frame(id, open) for id, open in self._open.items()]

    def push(self, push: Push) -> tuple[Event | None, Credit | None]:
        """The messages that are new, as a call of ``on_push``, and a frame that grants more when half of the credit is used."""
        messages = entries_of(push.entries, push.count) if push.count > 0 else None
        if messages is None:
            raise TransportError("bad-count", "a PUSH whose entries and count disagree")
        open = self._open.get(push.subscription)
        if open is None:
            return None, None
        begin = max(push.first, open.consumed + 1)
        if begin >= push.first + push.count:
            return None, None
        open.consumed = push.first + push.count - 1
        if open.granted is None:
            open.granted = max(push.first - 1, 0)
        asked, new = open.asked, messages[begin - push.first :]
        credit = None
        if open.consumed - open.granted >= (asked.credit + 1) // 2:
            open.granted = open.consumed
            credit = Credit(push.subscription, open.consumed, asked.credit)
        return lambda: asked.on_push(begin, new), credit

    def end(self, id: int, why: TransportError) -> Event | None:
        """The server ended one: a call of ``on_end``."""
        open = self._open.pop(id, None)
        on_end = None if open is None else open.asked.on_end
        return None if on_end is None else lambda: on_end(why)


def _frame(id: int, open: _Open) -> Subscribe:
    """SUBSCRIBE for one: it goes on behind what has come of it."""
    return Subscribe(id, open.asked.begin if open.consumed == 0 else open.consumed + 1, open.asked.credit, open.asked.topic)
