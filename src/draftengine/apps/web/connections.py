"""Limits on connections: their number, how long they may be silent, and which one makes room.

A connection that sends nothing still costs a descriptor, so it is counted from its start, before the application sees
it. If there is no room, the oldest silent connection is ended. Thus silent connections from one address cannot lock
out people behind it.
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
"""The time limit for a connection to send a request with all its headers, in seconds."""
LONGEST_REQUEST = 120.0
"""The time limit for an answer to be made and read, in seconds."""
EACH_SOCKET = 3
"""The number of connections allowed for each WebSocket of an address, as pages need some more."""


def address_of(client: tuple[str, int] | None) -> str:
    """Return the address that a client is counted under: the IPv4 address, or the /64 network for IPv6.

    A client has all addresses of its IPv6 network at its disposal.
    """
    host = client[0] if client else ""
    if ":" not in host:
        return host
    try:
        return str(ipaddress.ip_network(f"{host.partition('%')[0]}/64", strict=False))
    except ValueError:
        return host


class Connections:
    """The open connections by address."""

    def __init__(self, most: int, each: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.most, self.each = most, each
        self._clock = clock
        self._count = 0
        self._open: dict[str, dict[Any, HttpConnection | None]] = {}
        """For each address, its transports with their HTTP connection, oldest first; ``None`` for WebSockets."""

    def open(self, connection: HttpConnection) -> bool:
        """Count a connection. Return False if there is no room for it."""
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
        """Note that a connection has become a WebSocket, which has other limits."""
        if connection.transport in self._open.get(connection.address, ()):
            self._open[connection.address][connection.transport] = None

    def close(self, address: str, transport: Any) -> None:
        """Stop counting a connection."""
        alike = self._open.get(address, {})
        if transport in alike:
            del alike[transport]
            self._count -= 1
            if not alike:
                del self._open[address]

    def sweep(self) -> None:
        """Abort the connections that were silent, or working on an answer, for too long."""
        now = self._clock()
        every = [own for alike in self._open.values() for own in alike.values() if own is not None]
        for connection in every:
            if connection.was_silent != connection.silent:
                connection.was_silent, connection.since = connection.silent, now
            if now - connection.since > (SILENCE if connection.silent else LONGEST_REQUEST):
                connection.transport.abort()

    def _drop_silent(self, address: str) -> bool:
        """Abort the oldest silent connection of an address. Return False if there is none."""
        for transport, connection in self._open[address].items():
            if connection is not None and connection.silent:
                self.close(address, transport)
                transport.abort()
                return True
        return False


class HttpConnection(H11Protocol):
    """HTTP connection that is counted. h11 bounds the length of its headers."""

    def __init__(self, connections: Connections, **more: Any) -> None:
        super().__init__(**more)
        self._counted = connections
        self.address = ""
        self.since = 0.0
        self.was_silent = True

    @property
    def silent(self) -> bool:
        """True if no request is being answered."""
        answering: Any = self.cycle  # none before the first request
        return answering is None or bool(answering.response_complete)

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.address = address_of(self.client)
        if not self._counted.open(self):
            body = json.dumps(RefusedError("too-many-here").answer_in("en")).encode()
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
    """WebSocket that is counted."""

    def __init__(self, connections: Connections, **more: Any) -> None:
        super().__init__(**more)
        self._counted = connections

    def connection_lost(self, exc: Exception | None) -> None:
        self._counted.close(address_of(self.client), self.transport)
        super().connection_lost(exc)
