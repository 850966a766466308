"""A connection of the event loop, TCP or TLS."""

from __future__ import annotations

import asyncio
import ssl
from typing import Protocol, cast

from .errors import End, TransportError, lost
from .frames import Close, Inbox, encode

FAREWELL = 0.2
"""Seconds for which a connection that ends may still write its last words."""

HIGH_WATER = 256 << 10
"""Bytes that a socket did not take yet, beyond which nothing more is written."""


class Owner(Protocol):
    """The client of a connection."""

    def opened(self, link: Link) -> None: ...
    def came(self, link: Link, chunk: bytes) -> None: ...
    def room(self, link: Link) -> None: ...
    def gone(self, link: Link, why: Exception | None) -> None: ...


class Link(asyncio.Protocol):
    """Tells its owner what happens, until ``leave``."""

    def __init__(self, owner: Owner) -> None:
        self._owner = owner
        self._transport: asyncio.Transport | None = None
        self._farewell: asyncio.TimerHandle | None = None
        self.left = asyncio.get_running_loop().create_future()
        """Done when the socket is gone."""
        self.inbox = Inbox()
        self.is_full = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._transport.set_write_buffer_limits(high=HIGH_WATER)
        self._owner.opened(self)

    def data_received(self, data: bytes) -> None:
        self._owner.came(self, data)

    def pause_writing(self) -> None:
        self.is_full = True

    def resume_writing(self) -> None:
        self.is_full = False
        self._owner.room(self)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._farewell is not None:
            self._farewell.cancel()
        if not self.left.done():
            self.left.set_result(None)
        self._owner.gone(self, exc)

    def write(self, parts: list[bytes]) -> None:
        if self._transport is not None:
            # `writelines` of some versions of Python tells nobody that the socket is full or gone.
            self._transport.write(b"".join(parts))

    def listen(self, wanted: bool) -> None:
        """Reads what comes, or leaves it to the kernel, whose window then stops the server."""
        if self._transport is not None and self._transport.is_reading() != wanted:
            self._transport.resume_reading() if wanted else self._transport.pause_reading()

    def leave(self, end: End) -> None:
        """Says why this side goes, and goes."""
        transport = self._transport
        if transport is None:
            return
        if not end.tell:
            return transport.abort()
        transport.write(encode(Close(end.why.code, end.why.text)))
        transport.close()
        self._farewell = asyncio.get_running_loop().call_later(FAREWELL, transport.abort)


async def connect(owner: Owner, host: str, port: int, context: ssl.SSLContext | None, name: str | None, timeout: float) -> Link:
    """A connection; all addresses of the host are tried. Raises End."""
    expected = None if context is None else name or host
    loop = asyncio.get_running_loop()
    try:
        connecting = loop.create_connection(lambda: Link(owner), host, port, ssl=context, server_hostname=expected)
        _, link = await asyncio.wait_for(connecting, timeout)
    except (TimeoutError, asyncio.TimeoutError):
        raise lost(TransportError("disconnected", f"{host}:{port}: no connection in time")) from None
    except (OSError, UnicodeError) as error:
        raise lost(TransportError("disconnected", f"{host}:{port}: {error}")) from error
    return link
