"""Requests that wait for their answers."""

from __future__ import annotations

import asyncio
from typing import Any

from .streams import Sender


class RequestError(Exception):
    """The reason why a request has no answer: ``late``, ``given-up``, or ``duplicate`` where another one with its id still waits."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(code, detail)
        self.code, self.detail = code, detail

    def __str__(self) -> str:
        return f"{self.code}: {self.detail}"


class Requests:
    """Requests of an event loop, found by the id that they and their answers have. It moves no bytes: requests go out by a sender, and
    whoever reads the other side's messages hands them in by ``answer``."""

    def __init__(self, ids: dict[type, str], answers: dict[type, tuple[type, ...]], sender: Sender[Any]) -> None:
        self._ids, self._answers, self._sender = ids, answers, sender
        self._waiting: dict[Any, tuple[tuple[type, ...], asyncio.Future[Any]]] = {}

    def __len__(self) -> int:
        """How many wait."""
        return len(self._waiting)

    async def send(self, request: Any, timeout: float | None = None) -> Any:
        """Puts a request into the sender's stream, and gives what answers it. A request that cannot be sent does not wait."""
        answers = self._answers.get(type(request))
        if answers is None:
            raise TypeError(f"{type(request).__name__} is no request that is answered")
        key = getattr(request, self._ids[type(request)])
        if key in self._waiting:
            raise RequestError("duplicate", f"a request with the id {key} still waits for its answer")
        self._sender.send(request)
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting[key] = answers, future
        try:
            return await asyncio.wait_for(future, timeout)
        except asyncio.TimeoutError:
            raise RequestError("late", f"no answer to the request {key} in {timeout} s") from None
        finally:
            if self._waiting.get(key) == (answers, future):
                del self._waiting[key]

    def answer(self, message: Any) -> bool:
        """Gives a message to the request that waits for it. False where none does: the answer came too late or twice, or is none of
        the messages that answer the request of that id."""
        name = self._ids.get(type(message))
        if name is None:
            return False
        key = getattr(message, name)
        answers, future = self._waiting.get(key, ((), None))
        if future is None or type(message) not in answers or future.done():
            return False
        del self._waiting[key]
        future.set_result(message)
        return True

    def give_up(self, cause: BaseException | None = None) -> int:
        """Tells all requests that nothing will come, as when the connection is gone; gives how many there were."""
        gone = list(self._waiting.values())
        self._waiting.clear()
        for _, future in gone:
            error = RequestError("given-up", "the request was given up")
            error.__cause__ = cause
            if not future.done():
                future.set_exception(error)
        return len(gone)
