"""A server in this process that does what a test says, frame by frame."""

from __future__ import annotations

import asyncio
import unittest
from collections.abc import Awaitable, Callable
from typing import Any

from aldis.transport import AsyncClient, Options, TransportError, Window, frames

PLENTY = Window(1_000_000, 100_000_000)
PATIENCE = 30


class Peer(asyncio.Protocol):
    """The server's end of a connection."""

    def __init__(self, accepted: asyncio.Queue[Peer]) -> None:
        self._accepted = accepted
        self._frames: asyncio.Queue[frames.Frame | None] = asyncio.Queue()
        self._inbox = frames.Inbox()

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        self._accepted.put_nowait(self)

    def data_received(self, data: bytes) -> None:
        self._inbox.add(data, lambda kind, body: self._frames.put_nowait(frames.decode(kind, body)))

    def connection_lost(self, exc: Exception | None) -> None:
        self._frames.put_nowait(None)

    async def read(self) -> Any:
        """The next frame; None when the connection has ended."""
        return await asyncio.wait_for(self._frames.get(), PATIENCE)

    async def batch(self) -> tuple[int, list[bytes]]:
        """First sequence and messages of a batch whose checksum is right."""
        frame = await self.read()
        assert isinstance(frame, frames.Batch), frame
        assert frame.crc == frames.checksum(frame.first, frame.count, None, frame.entries)
        entries = frames.entries_of(frame.entries, frame.count)
        assert entries is not None
        return frame.first, entries

    def send(self, frame: frames.Frame) -> None:
        self.transport.write(frames.encode(frame))

    async def greet(self, last: int = 0, **more: Any) -> frames.Hello:
        """HELLO comes, WELCOME goes."""
        hello: frames.Hello = await self.read()
        assert isinstance(hello, frames.Hello), hello
        said = dict(version=1, features=hello.features, session=1, last=last, credit=PLENTY, max_frame=1 << 20, durability=hello.durability)
        self.send(frames.Welcome(**{**said, **more}))
        return hello

    def ack(self, upto: int, **more: Any) -> None:
        said = dict(received=upto, handled=upto, durable=upto, duplicates=0, credit=PLENTY)
        self.send(frames.Ack(**{**said, **more}))


class Fake:
    """A listening server."""

    def __init__(self) -> None:
        self._accepted: asyncio.Queue[Peer] = asyncio.Queue()
        self._clients: list[AsyncClient] = []
        self._peers: list[Peer] = []

    async def listen(self, context: Any = None) -> Fake:
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: Peer(self._accepted), "127.0.0.1", 0, ssl=context)
        self.port: int = self._server.sockets[0].getsockname()[1]
        return self

    async def accept(self) -> Peer:
        self._peers.append(await asyncio.wait_for(self._accepted.get(), PATIENCE))
        return self._peers[-1]

    def options(self, **more: Any) -> Options:
        """Those of a test's client, which is patient with nothing."""
        return Options(**{"host": "127.0.0.1", "port": self.port, "least_backoff": 0.001, "most_backoff": 0.01, **more})

    def connecting(self, **more: Any) -> asyncio.Task[AsyncClient]:
        async def connect() -> AsyncClient:
            client = await AsyncClient.connect(self.options(**more))
            self._clients.append(client)
            return client

        return asyncio.ensure_future(connect())

    async def pair(self, last: int = 0, welcome: dict[str, Any] | None = None, **options: Any) -> tuple[AsyncClient, Peer]:
        """A client that has shaken hands."""
        connecting = self.connecting(**options)
        peer = await self.accept()
        await peer.greet(last, **(welcome or {}))
        return await connecting, peer

    async def close(self) -> None:
        for client in self._clients:
            await client.aclose()
        while not self._accepted.empty():
            await self.accept()
        for peer in self._peers:
            peer.transport.abort()
        await self.stop()

    async def stop(self) -> None:
        """Takes no connection any more."""
        self._server.close()


class WithFake(unittest.IsolatedAsyncioTestCase):
    """A test with a server of its own. What no test waits for and nobody caught fails it too."""

    async def asyncSetUp(self) -> None:
        self.unforeseen: list[dict[str, Any]] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: self.unforeseen.append(context))
        self.fake = await Fake().listen()

    async def asyncTearDown(self) -> None:
        await self.fake.close()
        self.assertEqual(self.unforeseen, [])

    async def fails(self, code: str, waited: Awaitable[Any] | Callable[[], Any], text: str | None = None) -> None:
        with self.assertRaises(TransportError) as caught:
            given = waited() if callable(waited) else waited
            await asyncio.wait_for(given, PATIENCE)
        self.assertEqual(caught.exception.code, code, caught.exception)
        if text is not None:
            self.assertEqual(caught.exception.text, text)
