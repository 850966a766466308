"""What both clients say of themselves."""

from __future__ import annotations

from .options import State, Watermarks
from .session import Session


class Face:
    """The side of a client that only tells."""

    def __init__(self, session: Session) -> None:
        self.session = session

    @property
    def state(self) -> State:
        return self.session.state

    @property
    def sent(self) -> int:
        """The last sequence that was given out, or that the server had from this producer before."""
        return self.session.outbox.appended

    @property
    def watermarks(self) -> Watermarks:
        return self.session.marks

    @property
    def epoch(self) -> int:
        """The epoch, which a server that has forgotten this producer makes higher."""
        return self.session.epoch

    @property
    def producer(self) -> bytes:
        return self.session.options.producer

    @property
    def max_message(self) -> int:
        """The longest message that the server takes, in bytes."""
        return self.session.max_message
