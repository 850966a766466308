"""The client of aldis/1 (docs/protocol.md): acknowledged messages, requests and subscriptions over TCP or TLS, blocking or by asyncio."""

from .aio import AsyncClient
from .blocking import Client
from .errors import TransportError
from .frames import SchemaId, Window
from .options import Options, State, Subscription, Tls, Watermarks

__all__ = [
    "AsyncClient",
    "Client",
    "Options",
    "SchemaId",
    "State",
    "Subscription",
    "Tls",
    "TransportError",
    "Watermarks",
    "Window",
]
