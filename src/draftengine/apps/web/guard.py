"""The guard, which checks limits of connections and requests before the application sees them.

A connection that sends nothing still costs a descriptor, so it is counted from its start. If there is no room, the
oldest silent connection is ended. Thus silent connections from one address cannot lock out other people at this
address. Requests are refused if they are too large, too frequent, or not from a page of this server.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import time
from typing import TYPE_CHECKING, Any

from starlette.responses import JSONResponse
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from draftengine.apps.web import RefusedError
from draftengine.apps.web.protocol import VERSION, check_text
from draftengine.model import limits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

SILENCE = 10.0
"""The time limit for a connection to send a request with all its headers, in seconds."""
LONGEST_REQUEST = 120.0
"""The time limit in seconds for computing an answer and sending it."""
EACH_SOCKET = 3
"""The number of other connections that an address may have for each of its WebSockets."""


def address_of(client: tuple[str, int] | None) -> str:
    """Return the address by which a client is counted: its IPv4 address, or its /64 network for IPv6.

    A client can use every address of its IPv6 network.
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
        """Record that a connection has become a WebSocket, which has other limits."""
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
    """An HTTP connection that is counted. h11 limits the length of its headers."""

    def __init__(self, connections: Connections, **more: Any) -> None:
        super().__init__(**more)
        self._counted = connections
        self.address = ""
        self.since = 0.0
        self.was_silent = True

    @property
    def silent(self) -> bool:
        """True if no request on this connection is being answered."""
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
    """A WebSocket that is counted."""

    def __init__(self, connections: Connections, **more: Any) -> None:
        super().__init__(**more)
        self._counted = connections

    def connection_lost(self, exc: Exception | None) -> None:
        self._counted.close(address_of(self.client), self.transport)
        super().connection_lost(exc)


LARGEST_BODY = limits.UPLOAD
_BURST, _RATE = 300, 50
"""The number of API requests that an address may send in a burst, and the number per second after it."""
_PAGES_BURST, _PAGES_RATE = 3_000, 500
"""Like `_BURST` and `_RATE`, for pages and files. A class of fifty may open the pages together."""
_BODY = 20.0
"""The time limit in seconds for the body of a request to arrive."""
_BUSY, _LARGE, _SLOW, _BAD = (429, "too-fast"), (413, "too-large"), (408, "too-slow"), (400, "bad-message")
_OTHER_NAME, _OTHER_PAGE = (421, "bad-message"), (403, "bad-message")
# Full Chromium, unlike its headless shell, sometimes fetches all pictures of a page by itself, and then reports each as
# a violation of `connect-src`. Without `blob:` there, 5 of 61 tests of pages complained in both runs, and no page got
# an event for it. `blob:` sends nothing out: it names what a page of this origin has made itself.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self' blob:; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'"
)
_HEADERS = {
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cache-control": "no-store",
}


class TokenBucket:
    """A rate limit: it starts with tokens for a burst, and gets new ones at a fixed rate per second."""

    def __init__(self, burst: float, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._burst, self._rate, self._clock = burst, rate, clock
        self._left, self._then = burst, clock()

    def take(self) -> bool:
        """Take a token. Return False if there is none."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._then) * self._rate)
        self._then = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Guard:
    """Refuses requests that are too large, too frequent, or not from a page of this server.

    `hosts` are the names of this server, with their ports. Pages of another origin, and requests that use another name
    for this machine, are refused.
    """

    def __init__(self, app: Any, hosts: Iterable[str], origins: Iterable[str], connections: int) -> None:
        self.app = app
        self.hosts = frozenset(host.lower() for host in hosts)
        self.origins = frozenset(origin.lower() for origin in origins)
        self._connections = connections
        self._buckets: dict[str, TokenBucket] = {}
        self.sockets: dict[str, int] = {}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        refused = self._refused(scope, headers)
        if scope["type"] == "websocket":
            await self._socket(scope, receive, send, refused)
            return
        body, more = b"", not refused
        try:
            async with asyncio.timeout(_BODY):
                while more and len(body) <= LARGEST_BODY:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return
                    body += message.get("body", b"")
                    more = message.get("more_body", False)
        except TimeoutError:
            refused = _SLOW
        refused = _LARGE if len(body) > LARGEST_BODY else refused
        if refused:
            status, code = refused
            answer = JSONResponse(RefusedError(code).answer_in("en"), status, {"connection": "close"})
            await answer(scope, receive, _guarded(send))
        else:
            waiting = [{"type": "http.request", "body": body, "more_body": False}]

            async def read() -> Any:  # the application gets the body that was already read
                return waiting.pop() if waiting else await receive()

            await self.app(scope, read, _guarded(send))

    def _refused(self, scope: Any, headers: dict[str, str]) -> tuple[int, str] | None:
        """Return the status and code of the refusal; ``None`` if the request is allowed."""
        if headers.get("host", "").lower() not in self.hosts:
            return _OTHER_NAME
        writes = scope["type"] == "websocket" or scope["method"] not in {"GET", "HEAD"}
        if writes and headers.get("origin", "").lower() not in self.origins:
            return _OTHER_PAGE
        try:
            check_text(scope["path"])
        except RefusedError:
            return _BAD
        length = headers.get("content-length", "0")
        if not length.isdecimal() or len(length) > 9 or int(length) > LARGEST_BODY:  # noqa: PLR2004 (far beyond)
            return _LARGE
        if len(self._buckets) > 10_000:  # noqa: PLR2004 (made-up addresses must not fill the memory)
            self._buckets.clear()
        name, rates = address_of(scope.get("client")), (_BURST, _RATE)
        if not scope["path"].startswith("/api/"):
            name, rates = f"{name} pages", (_PAGES_BURST, _PAGES_RATE)
        return None if self._buckets.setdefault(name, TokenBucket(*rates)).take() else _BUSY

    async def _socket(self, scope: Any, receive: Any, send: Any, refused: tuple[int, str] | None) -> None:
        address = address_of(scope.get("client"))
        if refused is None and self.sockets.get(address, 0) >= self._connections:
            refused = (503, "too-many-here")
        if refused is not None:
            await receive()
            if refused not in {_OTHER_NAME, _OTHER_PAGE, _BAD}:  # a page of ours, which can read the reason
                message = {"v": VERSION, **RefusedError(refused[1]).message_for(None)}
                await send({"type": "websocket.accept"})
                await send({"type": "websocket.send", "text": json.dumps(message)})
            await send({"type": "websocket.close", "code": 1008})
            return
        self.sockets[address] = self.sockets.get(address, 0) + 1
        try:
            await self.app(scope, receive, send)
        finally:
            self.sockets[address] -= 1
            if not self.sockets[address]:
                del self.sockets[address]


def _guarded(send: Any) -> Any:
    async def write(message: Any) -> None:
        if message["type"] == "http.response.start":
            sent = list(message.get("headers", []))
            given = {name for name, _ in sent}
            usual = ((name.encode(), value.encode()) for name, value in _HEADERS.items())
            message = {**message, "headers": [*sent, *(pair for pair in usual if pair[0] not in given)]}
        await send(message)

    return write
