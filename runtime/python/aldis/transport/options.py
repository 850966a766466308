"""The options of a client, the functions that it calls, and what it tells them."""

from __future__ import annotations

import ssl
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from os import PathLike, urandom
from typing import Literal, Union

from .errors import TransportError
from .frames import MAX_AUTH, MAX_TEXT, SchemaId, Window

Durability = Literal["received", "handled", "durable", "replicated"]
State = Literal["connecting", "ready", "draining", "over"]
Path = Union[str, "PathLike[str]"]

MAX_U32 = (1 << 32) - 1


@dataclass(frozen=True)
class Watermarks:
    """Up to where the server has come, in sequences of this client. ``acked`` is the watermark of the durability that was granted: these
    messages are done with. ``duplicates`` is how many messages this connection sent twice and the server dropped."""

    acked: int = 0
    received: int = 0
    handled: int = 0
    durable: int = 0
    duplicates: int = 0


@dataclass(frozen=True)
class Tls:
    """PEM files: the authorities to trust (those of the system without), and this client's certificate chain and its key, where the
    server asks for them. The server's certificate and its name are always checked; ``name`` is the host where it is not said."""

    authorities: Path | None = None
    certificate: Path | None = None
    key: Path | None = None
    name: str | None = None

    def context(self) -> ssl.SSLContext:
        context = ssl.create_default_context(cafile=self.authorities)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        if self.certificate is not None:
            context.load_cert_chain(self.certificate, self.key)
        return context


@dataclass(frozen=True)
class Options:
    """How to connect, whose messages they are, and how they are batched. Times are seconds. The functions run where the client runs: in
    its event loop, or on the thread of the blocking client, for which they must not wait."""

    host: str
    port: int
    others: Sequence[tuple[str, int]] = ()
    """Servers with the same log: when one cannot be reached or is lost, the next is tried, in turn."""
    tls: Tls | None = None
    producer: bytes = field(default_factory=lambda: urandom(16))
    """16 bytes. Keep them and the epoch to go on after a restart of the process."""
    epoch: int = 1
    auth_method: bytes = b""
    auth_data: bytes = b""
    durability: Durability = "handled"
    """When a message counts as acked."""
    window: Window = Window()
    """Wanted; 0: the server's choice."""
    checksum: bool = True
    schema: SchemaId | None = None
    """The schema and the template of all messages."""
    batch_bytes: int = 64 << 10
    linger: float = 0.001
    """A batch goes out when it has so many bytes of entries, or when its first message is so old."""
    max_kept_bytes: int = 64 << 20
    """Bytes of entries that are kept and not acked, beyond which there is no room."""
    connect_timeout: float = 5.0
    ping_after: float = 10.0
    """A server that is silent for so long is asked, and left when it stays silent for as long again."""
    least_backoff: float = 0.05
    most_backoff: float = 5.0
    """Between attempts to connect: doubles from the least to the most, half of it random."""
    retry_refused: bool = True
    """A message that the server's handler refuses is sent again after longer and longer; with False the client is over."""
    on_ack: Callable[[Watermarks], object] | None = None
    on_refused: Callable[[int, str], object] | None = None
    on_state: Callable[[State, TransportError | None], object] | None = None
    on_request: Callable[[bytes], bytes | Awaitable[bytes]] | None = None
    """Answers a request of the server. A TransportError that it raises is told with its code."""


@dataclass(frozen=True)
class Subscription:
    """The subject of a subscription. ``begin`` is the sequence of the topic to begin at, 0 for what comes next; ``credit`` is how many
    messages the server may be ahead. ``on_push`` gets the sequence of the first message, and messages; ``on_end`` is told why the server
    ended it: it does not come back by itself."""

    topic: str
    on_push: Callable[[int, list[bytes]], object]
    begin: int = 0
    credit: int = 1000
    on_end: Callable[[TransportError], object] | None = None


def misused(text: str) -> TransportError:
    return TransportError("misused", text)


def _is(value: object, most: int, least: int = 0) -> bool:
    return isinstance(value, int) and least <= value <= most


def _is_host(value: object) -> bool:
    return isinstance(value, str) and value != ""


def checked(options: Options) -> ssl.SSLContext | None:
    """Raises ``misused`` for what is no option; gives what TLS is made with."""
    method, data = options.auth_method, options.auth_data
    if len(method) > 255 or len(method) + len(data) > MAX_AUTH:
        raise misused(f"an auth method takes 255 bytes, it and auth data together {MAX_AUTH}")
    for host, port in [(options.host, options.port), *options.others]:
        if not _is_host(host):
            raise misused("a host is a name or an address")
        if not _is(port, 65535, 1):
            raise misused("a port is a number from 1 to 65535")
    for name in ("batch_bytes", "linger", "max_kept_bytes", "connect_timeout", "ping_after", "least_backoff", "most_backoff"):
        if not getattr(options, name) >= 0:
            raise misused(f"{name} is a number, 0 or more")
    if not _is(options.epoch, MAX_U32):
        raise misused("an epoch is a number below 2^32")
    if not (_is(options.window.messages, MAX_U32) and _is(options.window.bytes, MAX_U32)):
        raise misused("a window has messages and bytes, numbers below 2^32")
    if options.schema is not None and not (_is(options.schema.schema, MAX_U32) and _is(options.schema.template, MAX_U32)):
        raise misused("a schema has schema and template, numbers below 2^32")
    if options.durability not in ("received", "handled", "durable", "replicated"):
        raise misused("durability is one of received, handled, durable, replicated")
    if len(options.producer) != 16:
        raise misused("a producer is 16 bytes")
    if options.tls is None:
        return None
    try:
        return options.tls.context()
    except (OSError, ValueError) as error:
        raise misused(f"the files of TLS: {error}") from error


def check_timeout(timeout: float | None) -> None:
    if timeout is not None and not timeout >= 0:
        raise misused("a timeout is a number of seconds")


def check_subscription(asked: Subscription) -> None:
    if not _is(asked.credit, MAX_U32, 1):
        raise misused("a subscription needs credit, a number from 1 to 2^32 - 1")
    if not _is(asked.begin, (1 << 64) - 1):
        raise misused("a subscription begins at a sequence, or at 0 with what comes next")
    if len(asked.topic.encode(errors="replace")) > MAX_TEXT:
        raise misused(f"a topic takes {MAX_TEXT} bytes")
