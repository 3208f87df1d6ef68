"""All connections of a server: how many there may be, how long they may say nothing, and which one makes room.

A connection that has asked for nothing costs a descriptor all the same, so it is counted from its first moment, long
before the application hears of it. Where there is no room, the oldest silent connection goes: people behind one address
come in however many silent ones somebody opens beside them.
"""

from __future__ import annotations

import ipaddress
import json
import time
from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from draftengine.apps.web.errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable

SILENCE = 10.0
"""Seconds in which a connection has to ask for something, with all its headers."""
LONGEST_REQUEST = 120.0
"""Seconds in which an answer has to be made and read."""
EACH_SOCKET = 3
"""Connections of an address for each table that it may look at: pages, drawings and requests come beside it."""


def address_of(client: tuple[str, int] | None) -> str:
    """Return what a client is counted as: its address, or with IPv6 its network, in which it has any number."""
    host = client[0] if client else ""
    if ":" not in host:
        return host
    try:
        return str(ipaddress.ip_network(f"{host.partition('%')[0]}/64", strict=False))
    except ValueError:
        return host


class Connections:
    """The open connections, by address."""

    def __init__(self, most: int, each: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.most, self.each = most, each
        self._clock = clock
        self._count = 0
        self._open: dict[str, dict[Any, HttpConnection | None]] = {}
        """Transports with their HTTP connection, the oldest first; ``None`` for a WebSocket."""

    def open(self, connection: HttpConnection) -> bool:
        """Count a connection; return whether there is room for it."""
        address = connection.address
        alike = self._open.get(address, {})
        if len(alike) >= self.each and not self._drop_silent(address):
            return False
        if self._count >= self.most:
            fullest = max(self._open, key=lambda each: len(self._open[each]))
            if not self._drop_silent(fullest):
                return False
        connection.since = self._clock()
        self._open.setdefault(address, {})[connection.transport] = connection
        self._count += 1
        return True

    def is_socket(self, connection: HttpConnection) -> None:
        """Note that a connection is a WebSocket from now on, which has limits of its own."""
        if connection.transport in self._open.get(connection.address, ()):
            self._open[connection.address][connection.transport] = None

    def close(self, address: str, transport: Any) -> None:
        """Count a connection no longer."""
        alike = self._open.get(address, {})
        if transport in alike:
            del alike[transport]
            self._count -= 1
            if not alike:
                del self._open[address]

    def sweep(self) -> None:
        """End the connections that are silent for too long, or take too long over an answer."""
        now = self._clock()
        every = [own for alike in self._open.values() for own in alike.values() if own is not None]
        for connection in every:
            if connection.was_silent != connection.silent:
                connection.was_silent, connection.since = connection.silent, now
            if now - connection.since > (SILENCE if connection.silent else LONGEST_REQUEST):
                connection.transport.abort()

    def _drop_silent(self, address: str) -> bool:
        """End the oldest connection of an address that asks for nothing; return whether there was one."""
        for transport, connection in self._open[address].items():
            if connection is not None and connection.silent:
                self.close(address, transport)
                transport.abort()
                return True
        return False


class HttpConnection(H11Protocol):
    """A connection that is counted. h11 bounds the length of its headers."""

    def __init__(self, connections: Connections, **more: Any) -> None:
        super().__init__(**more)
        self._counted = connections
        self.address = ""
        self.since = 0.0
        self.was_silent = True

    @property
    def silent(self) -> bool:
        """Is nothing being answered here."""
        answering: Any = self.cycle  # none before the first request
        return answering is None or bool(answering.response_complete)

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.address = address_of(self.client)
        if not self._counted.open(self):
            body = json.dumps(RefusedError("too-many-here").answer).encode()
            head = "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nconnection: close\r\n"
            transport.write(f"{head}content-length: {len(body)}\r\n\r\n".encode() + body)
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._counted.close(self.address, self.transport)
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._counted.is_socket(self)
        super().handle_websocket_upgrade(event)


class SocketConnection(WebSocketsSansIOProtocol):
    """A WebSocket that is counted."""

    def __init__(self, connections: Connections, **more: Any) -> None:
        super().__init__(**more)
        self._counted = connections

    def connection_lost(self, exc: Exception | None) -> None:
        self._counted.close(address_of(self.client), self.transport)
        super().connection_lost(exc)
