"""Coroutines that wait until something is so."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from .errors import TransportError


class Waiters:
    """Futures that are done when what they wait for is so, each with a test of its own."""

    def __init__(self) -> None:
        self._waiting: dict[asyncio.Future[None], Callable[[], bool]] = {}

    async def wait(self, test: Callable[[], bool], timeout: float | None = None) -> bool:
        """Whether it came to be so in time."""
        if test():
            return True
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[future] = test
        try:
            await asyncio.wait_for(future, timeout)
        except (TimeoutError, asyncio.TimeoutError):
            return test()
        finally:
            self._waiting.pop(future, None)
        return True

    def look(self) -> None:
        """Something changed."""
        for future, test in list(self._waiting.items()):
            if not future.done() and test():
                future.set_result(None)

    def fail(self, why: TransportError) -> None:
        for future in list(self._waiting):
            if not future.done():
                future.set_exception(_again(why))


def _again(why: TransportError) -> TransportError:
    """The same failure as an exception of its own, since each that is raised has a place of its own."""
    error = TransportError(why.code, why.text)
    error.__cause__ = why.__cause__
    return error
